#!/bin/sh
# All steps on a CPU with a tiny share of the data: every phase, every file. Usage: try.sh CORPUS TOKENIZER.json ROWS MODELS WORK
set -eu
here=$(dirname "$0")
corpus=$1 tokenizer=$2 rows=$3 models=$4 work=$5
mkdir -p "$work"
python "$here/ready.py" "$corpus" "$tokenizer" "$models/embed" "$models/stance" "$work/ready" --share 0.004 --workers 2
python "$here/pretrain.py" "$work/ready" "$work/out" --seconds 40 --width 4096 --masked 2048 --rows 1280 --every 15 --retrieval-from 0.3
python "$here/stance.py" teach "$rows" "$tokenizer" "$models/stance" "$work/out" --limit 40
python "$here/pretrain.py" "$work/ready" "$work/out" --begin "$work/out:encoder" --name encoder2 --seconds 20 --width 4096 --masked 2048 --rows 1280 --every 15 --retrieval-from 0 --segments 0.42 --english 2
for seed in 1 2; do
    python "$here/stance.py" train "$rows" "$work/out:encoder2" "$work/out" --name "frozen3-$seed" --frozen 3 --seconds 20 --taught "$work/out/taught.npz" --pooled 1 --width 2048 --rows-at-once 96 --seed $seed --limit 120
done
python "$here/stance.py" train "$rows" "$work/out:encoder2" "$work/out" --name further --frozen 3 --begin frozen3-1 --seconds 10 --taught "$work/out/taught.npz" --width 2048 --rows-at-once 96 --limit 60
python "$here/stance.py" train "$rows" "$work/out:encoder2" "$work/out" --name full --frozen 0 --seconds 10 --taught "$work/out/taught.npz" --width 1024 --rows-at-once 64 --limit 60
python "$here/stance.py" mix "$rows" "$work/out:encoder2" "$work/out" --name frozen3 frozen3-1 frozen3-2 --limit 120
python "$here/export.py" "$work/out" frozen3 "$tokenizer" "$rows" "$work/models" --encoder encoder2 --limit 150
