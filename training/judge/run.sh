#!/bin/sh
# All steps on the machine with the GPU. W has training/, rows/, base/, gte/, bert.json, bilingual/; each may still arrive while an earlier step runs.
# Usage: run.sh W. Writes W/out. A step starts when go-NAME is there, with the options in it. One that fails leaves out/NAME.failed and ends everything.
set -u
W=$1
J=$W/training/judge
mkdir -p "$W/out"
cd "$W" || exit 1
rm -f out/*.failed
echo $$ > out/run.pid
wait_for() { while [ ! -e "$1" ]; do sleep 1; done; }
step() { name=$1; shift; "$@" >> "out/$name.log" 2>&1 || { echo "exit $?" > "out/$name.failed"; exit 1; }; }
wait_for go-large
step large python3 $J/large.py rows bert.json base out $(cat go-large)
wait_for go-small
step small python3 $J/student.py small rows bert.json gte out/labels.npz out $(cat go-small)
wait_for go-bilingual
step bilingual python3 $J/student.py bilingual rows bilingual/tokenizer.json bilingual out/labels.npz out --near out:small --wordpiece bert.json $(cat go-bilingual)
