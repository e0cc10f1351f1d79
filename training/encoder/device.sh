#!/bin/bash
# The steps on a machine with a GPU, in calls of at most ten minutes. Usage: device.sh take|encoder|more|stance [PART]; HOME folder: $WORK (default /root/enc).
# take: copies a part there. encoder: ready.py and pretrain.py. stance: stance.py. What comes back lies in $OUT. $LIMIT: seconds of the call.
set -uo pipefail
export PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=true
W=${WORK:-/root/enc} began=$(date +%s) LIMIT=${LIMIT:-590}
here=$W/code/encoder
if [ "${2:-}" ]; then
    mkdir -p "$W" && cp -r "$2"/. "$W"/ || exit 1
fi
case $1 in
take)
    ls -la "$W"; du -sh "$W"; nvidia-smi --query-gpu=name,memory.used --format=csv || true ;;
encoder)
    {
        python3 "$here/ready.py" "$W/corpus" "$W/tokenizer.json" "$W/models/embed" "$W/models/stance" "$W/ready" ${READY:-} &&
        python3 "$here/pretrain.py" "$W/ready" "$W/out" --deadline $((began + LIMIT - 12)) ${PRETRAIN:-}
        echo "rc $?"
    } 2>&1 | tee "$OUT/encoder.log"
    cp "$W"/out/encoder-*.safetensors "$W"/out/encoder.json "$OUT"/ ;;
more)      # a second stretch from where the first ended, with its own rate; the stance call follows
    python3 "$here/pretrain.py" "$W/ready" "$W/out" --begin "$W/out:encoder" --name encoder --deadline $((began + LIMIT - 12)) ${PRETRAIN:-} 2>&1 | tee "$OUT/more.log"
    cp "$W"/out/encoder-*.safetensors "$W"/out/encoder.json "$OUT"/ ;;
stance)
    E="$W/out:${ENCODER:-encoder}"
    run() {        # NAME SEED FROZEN END
        python3 "$here/stance.py" train "$W/rows" "$E" "$W/out" --name "$1" --seed "$2" --frozen "$3" --taught "$W/out/taught.npz" --deadline "$4" ${STANCE:-} > "$W/out/$1.log" 2>&1
        tail -n 4 "$W/out/$1.log"
    }
    mkdir -p "$W/out"
    {
        # about a minute: only where the rows did not come with the part
        [ -e "$W/rows/ja_pool.npz" ] || python3 "$here/rows.py" "$W/data" "$W/corpus" "$W/tokenizer.json" "$W/rows" --workers 12 || exit 1
        echo "rows: $(($(date +%s) - began)) s"
        python3 "$here/stance.py" teach "$W/rows" "$W/tokenizer.json" "$W/models/stance" "$W/out" ${TEACH:-} || exit 1
        now=$(date +%s)
        half=$((now + (began + LIMIT - 40 - now) / 2))
        run frozen6-a 1 6 $((half - 15)) & run full 1 0 $((half - 15)) & wait
        run frozen6-b 2 6 $((began + LIMIT - 50)) & run frozen3 1 3 $((began + LIMIT - 50)) & wait
        python3 "$here/stance.py" mix "$W/rows" "$E" "$W/out" --name frozen6 frozen6-a frozen6-b ${MIX:-}
        echo "rc $?"
    } 2>&1 | tee "$W/out/stance.log"
    cp "$W"/out/frozen6-[0-9].safetensors "$W"/out/frozen3-[0-9].safetensors "$OUT"/ 2>/dev/null
    (cd "$W/out" && tar czf "$OUT/stance-runs.tar.gz" *.log *.dev.npz frozen*.json full.json)
    cp "$W"/rows/ja_dev.npz "$W"/rows/ja_dev.jsonl.gz "$W"/rows/ja_report.md "$W"/rows/ja_samples.jsonl.gz "$OUT"/ ;;
esac
ls -la "$OUT"; echo "$(($(date +%s) - began)) s"
