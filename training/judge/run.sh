#!/bin/sh
# All steps on the machine with the GPU. W has training/, rows/, corpus/, data/ (negation_ja, nli of mirror.py), base/, gte/, bert.json, bilingual/
# Usage: run.sh W. Writes W/out. Steps start as soon as their files are there. A step that fails leaves out/NAME.failed and ends everything.
set -u
W=$1
J=$W/training/judge
mkdir -p "$W/out" "$W/made"
cd "$W" || exit 1
rm -f out/*.failed
echo $$ > out/run.pid
wait_for() { while [ ! -e "$1" ]; do sleep 1; done; }
step() { name=$1; shift; "$@" >> "out/$name.log" 2>&1 || { echo "exit $?" > "out/$name.failed"; exit 1; }; }
( wait_for go-ja; python3 $J/rows.py japanese data corpus made && mv made/ja.xz made/ja_eval.xz rows/ && mv made/aligned.xz rows/ || touch out/ja.failed ) > out/ja.log 2>&1 &
wait_for go-large
step large python3 $J/large.py rows bert.json base out $(cat go-large)
wait_for go-small
step small python3 $J/student.py small rows bert.json gte out/labels.npz out $(cat go-small)
wait_for go-bilingual
cat > made/encoder.py <<'E'
import sys
sys.path[:0] = ["training", "training/encoder"]
from pathlib import Path
from net import EXIT, dequantized, from_bert, save
sd = from_bert(dequantized(Path("bilingual/model.safetensors")), "bert.")
save({k: v for k, v in sd.items() if not k.startswith(("pool", "stance")) and (not k.startswith("layers.") or int(k.split(".")[1]) < EXIT)}, "out", "encoder")
E
step mirror python3 made/encoder.py
step mirror python3 training/encoder/mirror.py data bilingual/tokenizer.json out:encoder rows
step bilingual python3 $J/student.py bilingual rows bilingual/tokenizer.json bilingual out/labels.npz out --near out:small --wordpiece bert.json $(cat go-bilingual)
