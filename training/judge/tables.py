"""Calibration, one threshold for both sides, and tables, from the logits that large.py and student.py leave.

    python tables.py ROWS/en_eval.xz NAME.eval.npz OUT

Every dev set is cut into two halves: temperature, sharpen and the threshold are chosen on the first, everything about certainty is scored on the
second. Accuracy and macro-F1 need no choice and use all rows. Writes OUT.json and OUT.md. Rows without logits (not a number) are left out.
"""
import json, sys
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]
from evaluate import WEB, at_threshold, ece, fit_calibration, halves, scaled, softmax, space, summarise  # noqa: E402
from texts import load  # noqa: E402

ASKED = 0.75                    # precision of supports and of refutes


def pooled(p, label, source, rows):
    """ECE of the rows of several sets together, every row in its set's own label space."""
    conf, right = [], []
    for i in np.unique(source[rows]):
        x, y, _ = space(p[rows & (source == i)], label[rows & (source == i)])
        conf.append(x.max(1))
        right.append(x.argmax(1) == y)
    return ece(np.concatenate(conf), np.concatenate(right))


def main(rows, logits, out):
    ev = load(Path(rows))
    logits = np.load(logits)["logits"][:len(ev)]
    use = np.array([not r[0].startswith(("nli2_", "eval_", "pubmedqa")) for r in ev]) & np.isfinite(logits[:, 0])
    names = sorted({r[0] for r, u in zip(ev, use) if u})
    source = np.array([names.index(r[0]) for r, u in zip(ev, use) if u])
    label = np.array([r[3] for r, u in zip(ev, use) if u])
    logits = logits[use]
    first = halves(source)
    temperature, sharpen = (float(x) for x in fit_calibration(logits, label, source, len(names), first))
    temperature, sharpen = round(temperature, 3), round(sharpen, 4)
    p = softmax(scaled(logits, temperature, sharpen))
    web = np.isin(source, [names.index(w) for w in WEB if w in names])
    s = summarise(label, source, names, logits)
    both = lambda t, part: {n: at_threshold(p, label, source, names, c, t, part) for c, n in ((0, "supports"), (1, "refutes"))}
    grid = [round(float(t), 2) for t in np.arange(0.34, 0.96, 0.01)]
    good = [t for t in grid if min(x["precision"] for x in both(t, first).values()) >= ASKED]
    threshold = good[0] if good else max(grid, key=lambda t: min(x["precision"] for x in both(t, first).values()))
    result = dict(temperature=temperature, sharpen=sharpen, threshold=threshold, reached_on_choosing_half=bool(good), mean={k: s["mean"][k] for k in ("accuracy", "macro_f1")},
                  ece_web=pooled(p, label, source, web & ~first), ece_all=pooled(p, label, source, ~first), sets={k: dict(n=v["n"], accuracy=v["accuracy"], macro_f1=v["macro_f1"]) for k, v in s["sets"].items()},
                  choosing=both(threshold, first), scoring=both(threshold, ~first))
    lines = ["| set | n | accuracy | macro-F1 |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {k} | {v['n']} | {100 * v['accuracy']:.1f} | {100 * v['macro_f1']:.1f} |" for k, v in s["sets"].items()]
    lines += [f"| **mean** | | {100 * s['mean']['accuracy']:.1f} | {100 * s['mean']['macro_f1']:.1f} |", "",
              f"Temperature {temperature}, sharpen {sharpen}, chosen on the first half. ECE on the second: web-style rows {result['ece_web']:.3f}, all rows {result['ece_all']:.3f}.", "",
              "Web-style sets, second half:", "", "| threshold | supports: precision | recall | refutes: precision | recall |", "| ---: | ---: | ---: | ---: | ---: |"]
    for t in sorted({0.34, 0.4, 0.5, 0.6, 0.7, 0.8, threshold}):
        b = both(t, ~first)
        mark = " (chosen)" if t == threshold else ""
        lines.append(f"| {t:.2f}{mark} | " + " | ".join(f"{b[n]['precision']:.2f} | {b[n]['recall']:.2f}" for n in ("supports", "refutes")) + " |")
    # the retrieved FEVER rows are two fifths of the web-style rows and by far the easiest
    hard = source != names.index("fever_retrieved") if "fever_retrieved" in names else np.ones(len(source), bool)
    result["scoring_without_fever"] = both(threshold, ~first & hard)
    lines += ["", f"At {threshold:.2f}, second half: " + "; ".join(f"{n} precision {x['precision']:.2f}, recall {x['recall']:.2f} without fever_retrieved, precision {result['scoring'][n]['web_precision']:.2f} with all sets alike and labels weighted 27/11/62"
                                                                for n, x in result["scoring_without_fever"].items()) + "."]
    if not good:
        lines += ["", f"No threshold reaches {ASKED} on both sides of the first half; the one with the best weaker side is shown."]
    Path(out + ".json").write_text(json.dumps(result, indent=1) + "\n")
    Path(out + ".md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main(*sys.argv[1:4])
