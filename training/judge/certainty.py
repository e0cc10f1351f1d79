"""How sure a judge may be, from what further.py leaves: temperature and sharpen by languages, and what a threshold is worth on written statements.

    python certainty.py NAME.eval.npz

Every set is cut into two halves: the first chooses, the second scores. Statements are measured as the program meets them: precision where the judge takes
a side, recall of those that do.
"""
import sys
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]
from evaluate import ece, fit_calibration, halves, scaled, softmax  # noqa: E402

GROUPS = {"ja": ("statements_ja", ("jsnli_dev", "jsick", "jsem", "jrte", "statements_ja", "neg_jnli_neg")),
          "across": ("statements_across", ("cross_", "statements_across")),
          "en": ("eval_statements", ("snli_cad", "vitaminc", "sick", "scifact", "healthver", "check_covid", "eval_statements", "rte", "fever_"))}


def main(path):
    z = np.load(path)
    logits, label, name = z["logits"].astype(np.float64), z["label"], z["name"].astype(str)
    for group, (stated, sets) in GROUPS.items():
        use = np.array([n.startswith(sets) for n in name]) & (label < 3)
        if not use.any():
            continue
        names = sorted(set(name[use]))
        source = np.array([names.index(n) for n in name[use]])
        first = halves(source)
        t, sharpen = (float(x) for x in fit_calibration(logits[use], label[use], source, len(names), first))
        p, y = softmax(scaled(logits[use], round(t, 3), round(sharpen, 4))), label[use]
        print(f"{group}: temperature {t:.3f}, sharpen {sharpen:.4f}; ECE on the second half {ece(p[~first].max(1), p[~first].argmax(1) == y[~first]):.3f} of {int((~first).sum())} rows")
        m = np.array(names)[source] == stated
        for part, rows in (("choosing", m & first), ("scoring", m & ~first)):
            for cut in (0.34, 0.4, 0.45, 0.5, 0.55, 0.6):
                told = []
                for c in (0, 1):
                    says = (p[rows].argmax(1) == c) & (p[rows, c] >= cut)
                    told.append(f"{(y[rows][says] == c).mean():.2f} at {says[y[rows] == c].mean():.2f}")
                print(f"   {stated} {part}, from {cut}: supports {told[0]}, refutes {told[1]}")


if __name__ == "__main__":
    main(sys.argv[1])
