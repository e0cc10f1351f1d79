"""Runs train.py for a list of settings, some at a time on one GPU.

    python runs.py LIST --base BASE --data DIR --out OUT [--parallel 2]

LIST is a name from RUNS below. Prints the last line of every run.
"""
import argparse, shlex, subprocess, sys, time
from pathlib import Path

FIRST = "--use base,sci_fix,fever_neutral"
TEACHERS = ",".join(f"OUT/fold{k}.rows.npy" for k in range(4))
# without `opening` (openings of abstracts as neutral) and `hard_neutral` (SciFact): both made science claims too neutral
KEPT = "--use base,sci_fix,fever_neutral,passage,rule,science,conclusion"
# what the teachers and the student saw (the kind `conclusion` came later)
BEFORE = "--use base,sci_fix,fever_neutral,hard_neutral,passage,rule,science,opening"
RUNS = {
    # what each kind of row is worth; `first` is the recipe of the first try
    "ablation": [
        ("first", FIRST),
        ("all", ""),
        ("no-hard", "--use base,sci_fix,fever_neutral,passage,rule,science"),
        ("no-rule", "--use base,sci_fix,fever_neutral,passage,hard_neutral,science"),
        ("no-science", "--use base,sci_fix,fever_neutral,passage,hard_neutral,rule"),
        ("no-passage", "--use base,sci_fix,fever_neutral,rule,hard_neutral,science"),
        ("no-conjnli", "--drop-source conjnli"),
    ],
    # teachers: each leaves out one fold and judges all rows; `plain` is the same recipe without teachers
    "teachers": [(f"fold{k}", f"--fold {k} --seed {k + 1} --head-seed {k + 1} --predict {BEFORE}") for k in range(4)] + [("plain", BEFORE)],
    # final: two runs from the same start as the student, in different order; the three are averaged
    "final": [
        ("final-a", f"--epochs 8 {KEPT} --smooth 0.05 --seed 1 --repeat scifact=2,check_covid=4 --save OUT/final-a-model"),
        ("final-b", f"--epochs 8 {KEPT} --smooth 0.05 --seed 2 --lr 1.5e-4 --repeat scifact=2,check_covid=4 --save OUT/final-b-model"),
    ],
    # students: all rows and the unlabelled pairs, with the teachers' out-of-fold probabilities
    "students": [
        ("student", f"--epochs 8 --oof --teachers {TEACHERS} {BEFORE} --save OUT/student-model"),
    ],
}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("list")
    ap.add_argument("--base", required=True)
    ap.add_argument("--data", required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--parallel", type=int, default=2, help="more than two did not gain speed on one H200")
    ap.add_argument("--extra", default="")
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    todo, live, t0 = list(RUNS[a.list]), {}, time.time()
    here = Path(__file__).parent
    while todo or live:
        while todo and len(live) < a.parallel:
            name, args = todo.pop(0)
            log = open(a.out / f"{name}.log", "w")
            cmd = [sys.executable, str(here / "train.py"), "--base", a.base, "--data", a.data, "--out", str(a.out), "--name", name, *shlex.split(args.replace("OUT/", f"{a.out}/")), *shlex.split(a.extra)]
            live[name] = subprocess.Popen(cmd, stdout=log, stderr=subprocess.STDOUT)
        for name, p in list(live.items()):
            if p.poll() is not None:
                del live[name]
                lines = (a.out / f"{name}.log").read_text().strip().splitlines()
                print(f"[{time.time() - t0:.0f} s] rc {p.returncode} " + (lines[-1] if p.returncode == 0 else "\n".join(lines[-8:])), flush=True)
        time.sleep(0.5)


if __name__ == "__main__":
    main()
