"""Runs train.py for a list of settings, some at a time on one GPU.

    python runs.py LIST --base BASE --data DIR --out OUT [--parallel 2] [--until SECONDS]

LIST is a name from RUNS below. Prints the last line of every run.
"""
import argparse, shlex, subprocess, sys, time
from pathlib import Path

FIRST = "--use base,sci_fix,fever_neutral"
# without `opening` (openings of abstracts as neutral) and `hard_neutral` (SciFact): both made science claims too neutral
KEPT = "--repeat scifact=2,check_covid=4 --use base,sci_fix,fever_neutral,passage,rule,science,conclusion"
SCI = KEPT + ",rule_sci"
TEACH = "--save --predict"
TEACHERS = ",".join(f"OUT/teacher-{k}.rows.npy" for k in (1, 2, 3))
RUNS = {
    # the labels alone, three orders of the rows, one start
    "teachers": [(f"teacher-{k}", f"--epochs 5 --seed {k} {SCI} --save --predict") for k in (1, 2, 3)],
    # the same rows and the unlabelled pairs, which the three teachers judge together
    "students": [(f"student-{k}", f"--epochs 4 --seed {10 + k} {SCI} --save --teachers {TEACHERS} --alpha 0.3 --soften 1.5") for k in (1, 2, 3)],
}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("list")
    ap.add_argument("--base", required=True)
    ap.add_argument("--data", required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--parallel", type=int, default=2, help="more than two did not gain speed on one H200")
    ap.add_argument("--until", type=float, default=1e9, help="start no run after these seconds")
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    todo, live, t0 = list(RUNS[a.list]), {}, time.time()
    here = Path(__file__).parent
    while todo or live:
        while todo and len(live) < a.parallel and time.time() - t0 < a.until:
            name, args = todo.pop(0)
            log = open(a.out / f"{name}.log", "w")
            cmd = [sys.executable, str(here / "train.py"), "--base", a.base, "--data", a.data, "--out", str(a.out), "--name", name, *shlex.split(args.replace("OUT/", f"{a.out}/"))]
            live[name] = subprocess.Popen(cmd, stdout=log, stderr=subprocess.STDOUT)
        if todo and not live:
            print("not started: " + ", ".join(n for n, _ in todo), flush=True)
            break
        for name, p in list(live.items()):
            if p.poll() is not None:
                del live[name]
                lines = (a.out / f"{name}.log").read_text().strip().splitlines()
                print(f"[{time.time() - t0:.0f} s] rc {p.returncode} " + (lines[-1] if p.returncode == 0 else "\n".join(lines[-8:])), flush=True)
        time.sleep(0.3)


if __name__ == "__main__":
    main()
