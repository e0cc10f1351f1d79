#!/bin/sh
# All steps on the machine with the GPU. W has training/, rows/, corpus/, data/ (negation_ja, nli of mirror.py), base/, gte/, bert.json, bilingual/
# Usage: run.sh W. Writes W/out. Steps start as soon as their files are there.
set -u
W=$1
J=$W/training/judge
mkdir -p "$W/out" "$W/made"
cd "$W" || exit 1
wait_for() { while [ ! -e "$1" ]; do sleep 1; done; }
( wait_for go-ja; python3 $J/rows.py japanese data corpus made && mv made/ja.xz made/ja_eval.xz rows/ && mv made/aligned.xz rows/ ) > out/ja.log 2>&1 &
wait_for go-large
python3 $J/large.py rows bert.json base out $(cat go-large) > out/large.log 2>&1
wait_for go-small
python3 $J/student.py small rows bert.json gte out/labels.npz out $(cat go-small) > out/small.log 2>&1
wait_for go-bilingual
python3 - > out/mirror.log 2>&1 <<'P'
import sys
sys.path[:0] = ["training", "training/encoder"]
from pathlib import Path
from net import EXIT, dequantized, from_bert, save
sd = from_bert(dequantized(Path("bilingual/model.safetensors")), "bert.")
save({k: v for k, v in sd.items() if not k.startswith(("pool", "stance")) and (not k.startswith("layers.") or int(k.split(".")[1]) < EXIT)}, "out", "encoder")
P
python3 training/encoder/mirror.py data bilingual/tokenizer.json out:encoder rows >> out/mirror.log 2>&1
python3 $J/student.py bilingual rows bilingual/tokenizer.json bilingual out/labels.npz out --near out:small --wordpiece bert.json $(cat go-bilingual) > out/bilingual.log 2>&1
