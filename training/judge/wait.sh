#!/bin/sh
# Waits for a step of run.sh: until NAME is done, any step has failed, run.sh has ended, or SECONDS are over. Then the ends of the logs.
# Usage: wait.sh W NAME SECONDS. Exit status: 0 done, 1 failed or ended, 2 still running.
cd "$1" || exit 1
end=$(($(date +%s) + $3))
status=2
while [ "$(date +%s)" -lt "$end" ]; do
    [ -e "out/$2.done" ] && { status=0; break; }
    ls out/*.failed > /dev/null 2>&1 && { status=1; break; }
    [ -e out/run.pid ] && ! kill -0 "$(cat out/run.pid)" 2> /dev/null && { status=1; break; }
    sleep 1
done
for f in out/*.log; do echo "== $f"; tail -n 6 "$f"; done
ls -la out
exit $status
