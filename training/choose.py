"""Means of the weights of several runs, compared on the choosing half of the dev sets.

    python choose.py DATA_OUT RUNS NAME=run+run+... ... [--save OUT_DIR]

For each NAME the weights of RUNS/run-model are averaged and the dev logits written to RUNS/NAME.dev.npz (a NAME alone is a
single run, whose logits are there already). The table shows the first half of every set only (`halves` in
evaluate.py); the other half is kept for the report. Columns: mean macro-F1 of the sets, of the web-style sets, NLL and
ECE of all rows together after the temperature that suits that half best. --save keeps the best mean by this rule: the highest
mean macro-F1; among those less than 0.3 points below it, the lowest NLL.
"""
import sys
from pathlib import Path

import numpy as np
import torch

from evaluate import WEB, at_threshold, ece, fit_temperature, halves, nll, softmax, space, summarise
from export import average, mean_of, model_from
from packed import Rows, predict


def scores(z, logits, part):
    sources = list(map(str, z["sources"]))
    label, source = z["label"], z["source"]
    t = fit_temperature(logits, label, source, len(sources), part)
    s = summarise(label, source, sources, logits, t, part)
    p = softmax(logits.astype(np.float64) / t)
    conf, right = [], []
    for i in range(len(sources)):
        m = (source == i) & part
        x, y, _ = space(p[m], label[m].astype(int))
        conf.append(x.max(1))
        right.append(x.argmax(1) == y)
    best = 0.0      # recall of "refutes" at the lowest threshold where its precision is 0.65 both ways
    for th in np.arange(0.34, 0.995, 0.01):
        r = at_threshold(p, label, source, sources, 1, float(th), part)
        if r["precision"] >= 0.65 and r["web_precision"] >= 0.65:
            best = r["recall"]
            break
    return dict(f1=s["mean"]["macro_f1"], web=float(np.mean([s["sets"][w]["macro_f1"] for w in WEB])), accuracy=s["mean"]["accuracy"], nll=nll(logits, label, source, len(sources), t, part),
                ece=ece(np.concatenate(conf), np.concatenate(right)), ece_sets=s["mean"]["ece"], t=t, recall=best)


def main():
    args = sys.argv[1:]
    save = Path(args.pop(args.index("--save") + 1)) if "--save" in args else None
    args = [x for x in args if x != "--save"]
    data, runs = Path(args[0]), Path(args[1])
    z = dict(np.load(data / "dev.npz"))
    part = halves(z["source"])
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dev = Rows(device, data / "dev.npz")
    print("| model | macro-F1 | web-style | accuracy | NLL | ECE | ECE of sets | T | recall of refutes |", flush=True)
    means = {}
    for item in args[2:]:
        name, _, parts = item.partition("=")
        folders = [runs / f"{n}-model" for n in parts.split("+")] if parts else []
        if parts:
            model = model_from(folders[0], mean_of(folders), "stance").to(device)
            np.savez_compressed(runs / f"{name}.dev.npz", logits=predict(model.bfloat16() if device.type == "cuda" else model, dev).astype(np.float32))
        r = scores(z, np.load(runs / f"{name}.dev.npz")["logits"].astype(np.float32), part)
        if parts:
            means[name] = (r, folders)
        print(f"| {name} | {100 * r['f1']:.2f} | {100 * r['web']:.2f} | {100 * r['accuracy']:.2f} | {r['nll']:.4f} | {r['ece']:.3f} | {r['ece_sets']:.3f} | {r['t']:.2f} | {r['recall']:.2f} |", flush=True)
    if save:
        top = max(r["f1"] for r, _ in means.values())
        best = min((n for n in means if means[n][0]["f1"] > top - 0.003), key=lambda n: means[n][0]["nll"])
        print(f"kept: {best}")
        average(save, means[best][1])


if __name__ == "__main__":
    main()
