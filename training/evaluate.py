"""Scores of a stance model on the English dev sets.

    python evaluate.py DATA_OUT LOGITS.npz OUT_PREFIX [--name NAME]      (DATA_OUT: folder written by prepare.py)

Writes OUT_PREFIX.json and OUT_PREFIX.md. How a set is scored follows from its labels:
  supports/refutes/neutral   three-way, the most probable label
  supports/refutes           two-way, the more probable of the two (renormalised)
  supports/neutral, supports/not supported   two-way, supports when its probability exceeds that of the other two together
ECE: 15 equal-width bins over the probability of the chosen label. Brier: squared error summed over the labels of the set.
Calibration: logits * (1 + sharpen * margin^2) / temperature, margin = the largest logit less the second. Label smoothing
squeezes the sure end, and one temperature alone then has to choose between the sure rows and the others. Both numbers hold for
all sets and are fitted on a random half of each (every row weighs the same). "cal.": each half is scored with the numbers fitted
on the other; shipped are the geometric means of the two. Thresholds are chosen on one half and reported on the other.
"""
import argparse, json
from pathlib import Path

import numpy as np

NAMES = ["supports", "refutes", "neutral"]
WEB = ["healthver_csv", "healthver_short", "healthver_whole", "check_covid", "scifact_short", "scifact_whole", "fever_retrieved", "wice"]
# what a claim meets on the web, as in climate-fever: mostly evidence that does not decide
WEB_PRIOR = np.array([0.27, 0.11, 0.62])


def softmax(z):
    z = z - z.max(1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(1, keepdims=True)


def space(p, label):
    """(probabilities, labels, names) in the label space of a set."""
    have = set(label.tolist())
    if have <= {0, 1}:
        return p[:, :2] / p[:, :2].sum(1, keepdims=True), label, ["supports", "refutes"]
    if 3 in have or 1 not in have:      # where a part of the rows only says "not supported", a refuted row is not supported either
        q = np.stack([p[:, 0], p[:, 1] + p[:, 2]], 1)
        return q, (label != 0).astype(int), ["supports", "not supported"]
    return p, label, NAMES


def macro_f1(y, pred, k):
    f = []
    for c in range(k):
        tp = ((pred == c) & (y == c)).sum()
        fp, fn = ((pred == c) & (y != c)).sum(), ((pred != c) & (y == c)).sum()
        f.append(2 * tp / max(1, 2 * tp + fp + fn))
    return float(np.mean(f))


def ece(conf, right, bins=15):
    at = np.minimum((conf * bins).astype(int), bins - 1)
    return float(sum(abs(conf[at == b].mean() - right[at == b].mean()) * (at == b).mean() for b in range(bins) if (at == b).any()))


def score(p, label):
    q, y, names = space(p, label)
    pred = q.argmax(1)
    onehot = np.eye(len(names))[y]
    return dict(n=len(y), accuracy=float((pred == y).mean()), macro_f1=macro_f1(y, pred, len(names)), ece=ece(q.max(1), pred == y),
                brier=float(((q - onehot) ** 2).sum(1).mean()), majority=float(np.bincount(y).max() / len(y)),
                majority_f1=macro_f1(y, np.full_like(y, np.bincount(y).argmax()), len(names)), labels=names,
                confusion=[[int(((y == i) & (pred == j)).sum()) for j in range(len(names))] for i in range(len(names))])


def mean(rows, keys=("accuracy", "macro_f1", "ece", "brier", "majority", "majority_f1")):
    return {k: float(np.mean([r[k] for r in rows])) for k in keys}


def scaled(logits, temperature, sharpen):
    logits = logits.astype(np.float64)
    order = np.sort(logits, 1)
    margin = order[:, -1:] - order[:, -2:-1]
    return logits * (1 + sharpen * margin ** 2) / temperature


def summarise(label, source, sources, logits, part=None):
    p = softmax(logits.astype(np.float64))
    out = {}
    for i, s in enumerate(sources):
        m = source == i if part is None else (source == i) & part
        if m.any():
            out[s] = score(p[m], label[m].astype(int))
    return dict(sets=out, mean=mean(out.values()))


def nll(logits, label, source, n, part):
    """Mean over all rows of the part."""
    p = softmax(logits)
    total = []
    for i in range(n):
        m = (source == i) & part
        if not m.any():
            continue
        q, y, _ = space(p[m], label[m].astype(int))
        total.append(-np.log(np.maximum(q[np.arange(len(y)), y], 1e-9)))
    return float(np.concatenate(total).mean())


def halves(source, seed=3):
    rng = np.random.default_rng(seed)
    first = np.zeros(len(source), bool)
    for i in np.unique(source):
        idx = rng.permutation(np.flatnonzero(source == i))
        first[idx[:len(idx) // 2]] = True
    return first


def fit_calibration(logits, label, source, n, part):
    """(temperature, sharpen)"""
    from scipy.optimize import minimize
    found = minimize(lambda w: nll(scaled(logits, *np.exp(w)), label, source, n, part), np.log([4.0, 0.04]), method="Nelder-Mead", options=dict(maxiter=300, xatol=1e-3, fatol=1e-6))
    return np.exp(found.x)


def at_threshold(p, label, source, sources, cls, t, part):
    """Precision and recall of one label on the web-style sets when it needs probability >= t.
    plain: every set as it is, pooled. web: every set weighs the same and its labels are weighted to WEB_PRIOR."""
    pred = p.argmax(1)
    fires = (pred == cls) & (p[:, cls] >= t)
    per, tp, fp, pos, wtp, wfp = {}, 0, 0, 0, 0.0, 0.0
    for s in WEB:
        if s not in sources:
            continue
        m = (source == sources.index(s)) & part
        y, f = label[m], fires[m]
        w = np.zeros(len(y))
        for c in range(3):
            if (y == c).any():
                w[y == c] = WEB_PRIOR[c] / (y == c).sum()
        per[s] = dict(precision=float((f & (y == cls)).sum() / max(1, f.sum())), recall=float((f & (y == cls)).sum() / max(1, (y == cls).sum())), fired=int(f.sum()))
        tp, fp, pos = tp + (f & (y == cls)).sum(), fp + (f & (y != cls)).sum(), pos + (y == cls).sum()
        if (y == 1).any():      # sets with all three labels
            wtp, wfp = wtp + w[f & (y == cls)].sum(), wfp + w[f & (y != cls)].sum()
    return dict(threshold=t, precision=float(tp / max(1, tp + fp)), recall=float(tp / max(1, pos)), web_precision=float(wtp / max(1e-9, wtp + wfp)), sets=per)


def pick_threshold(p, label, source, sources, cls, want, part):
    for t in np.arange(0.34, 0.995, 0.01):
        r = at_threshold(p, label, source, sources, cls, float(t), part)
        if r["precision"] >= want and r["web_precision"] >= want:
            return float(t)
    return 0.99


def linear_probe(xs, ys, k, steps=300, l2=1e-3):
    import torch
    x, y = torch.tensor(xs, dtype=torch.float32), torch.tensor(ys)
    w = torch.zeros(x.shape[1], k, requires_grad=True)
    opt = torch.optim.LBFGS([w], max_iter=steps)

    def closure():
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(x @ w, y) + l2 * (w ** 2).sum()
        loss.backward()
        return loss
    opt.step(closure)
    return w.detach().numpy()


def length_only(z, m):
    """What the two lengths alone give, fitted and tested on the set itself in five parts."""
    y = space(np.ones((m.sum(), 3)), z["label"][m].astype(int))
    y, k = y[1], len(y[2])
    a, b = np.log1p(z["elen"][m].astype(float)), np.log1p(z["clen"][m].astype(float))
    x = np.stack([np.ones_like(a), a, a * a / 5, b, b * b / 5, a * b / 5], 1)
    fold = np.random.default_rng(0).integers(0, 5, len(y))
    pred = np.zeros_like(y)
    for f in range(5):
        w = linear_probe(x[fold != f], y[fold != f], k, 100)
        pred[fold == f] = (x[fold == f] @ w).argmax(1)
    return float((pred == y).mean()), macro_f1(y, pred, k)


def claim_only(train, dev):
    """Bag of the claim's words -> label, trained on the training rows: what the claim alone gives away."""
    import torch
    torch.manual_seed(0)

    def bags(z):
        n = z["clen"].astype(np.int64)
        start = np.cumsum(n + z["elen"]) - (n + z["elen"])
        flat = np.concatenate([z["tokens"][s:s + k] for s, k in zip(start, n)]).astype(np.int64)
        return flat, np.cumsum(n) - n
    flat, off = bags(train)
    y = torch.tensor(train["label"].astype(np.int64))
    ends = np.append(off[1:], len(flat))
    model = torch.nn.EmbeddingBag(30522, 3, mode="mean")
    torch.nn.init.zeros_(model.weight)
    opt = torch.optim.Adam(model.parameters(), lr=0.05)
    keep = np.flatnonzero((train["label"] < 3) & (train["clen"] > 0))
    rng = np.random.default_rng(0)
    for _ in range(3):
        order = rng.permutation(keep)
        for i in range(0, len(order), 4096):
            idx = order[i:i + 4096]
            toks = np.concatenate([flat[off[j]:ends[j]] for j in idx])
            offs = np.cumsum([0] + [ends[j] - off[j] for j in idx[:-1]])
            loss = torch.nn.functional.cross_entropy(model(torch.tensor(toks), torch.tensor(offs)), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
    f, o = bags(dev)
    with torch.no_grad():
        return softmax(model(torch.tensor(f), torch.tensor(o)).numpy().astype(np.float64))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("data", type=Path)
    ap.add_argument("logits")
    ap.add_argument("out")
    ap.add_argument("--name", default="stance")
    ap.add_argument("--refute-precision", type=float, default=0.68, help="aimed at on the fitting half; 0.6 is what must hold on the other")
    ap.add_argument("--support-precision", type=float, default=0.65)
    a = ap.parse_args()
    z = dict(np.load(a.data / "dev.npz"))
    sources = list(map(str, z["sources"]))
    label, source = z["label"], z["source"]
    logits = np.load(a.logits)["logits"].astype(np.float32)
    part = halves(source)
    halved = [fit_calibration(logits, label, source, len(sources), h) for h in (part, ~part)]
    temperature, sharpen = (float(x) for x in np.sqrt(halved[0] * halved[1]))
    temperature, sharpen = round(temperature, 2), round(sharpen, 4)
    crossed = np.where(part[:, None], scaled(logits, *halved[1]), scaled(logits, *halved[0]))
    raw = summarise(label, source, sources, logits)
    cal = summarise(label, source, sources, crossed)
    p = softmax(scaled(logits, temperature, sharpen))

    def together(rows):
        """ECE of the rows of several sets together, every row in its set's own label space."""
        q = softmax(crossed)
        conf, right = [], []
        for i in range(len(sources)):
            m = (source == i) & rows
            if m.any():
                x, y, _ = space(q[m], label[m].astype(int))
                conf.append(x.max(1))
                right.append(x.argmax(1) == y)
        return ece(np.concatenate(conf), np.concatenate(right))
    pooled = together(np.ones(len(label), bool))
    pooled_web = together(np.isin(source, [sources.index(w) for w in WEB if w in sources]))

    co = claim_only(dict(np.load(a.data / "train.npz")), z)
    thresholds = {}
    for cls, want in ((1, a.refute_precision), (0, a.support_precision)):
        t = round(pick_threshold(p, label, source, sources, cls, want, part), 2)
        thresholds[NAMES[cls]] = dict(fit=at_threshold(p, label, source, sources, cls, t, part), held_out=at_threshold(p, label, source, sources, cls, t, ~part),
                                      at_argmax=at_threshold(p, label, source, sources, cls, 0.0, ~part))
    result = dict(name=a.name, temperature=temperature, sharpen=sharpen, thresholds=thresholds, sets={}, mean=raw["mean"], mean_calibrated=cal["mean"], fitted_on_halves=[h.tolist() for h in halved],
                  ece_pooled_calibrated=pooled, ece_pooled_web_calibrated=pooled_web)
    lines = [f"# {a.name}", "", f"Temperature {temperature:.2f}, sharpen {sharpen:.4f}. Mean over {len(sources)} sets; 'cal.': both fitted on the other half.", "",
             "| set | n | majority acc/F1 | length only | claim only | accuracy | macro-F1 | ECE | ECE cal. | Brier | Brier cal. | confusion (rows: truth) |",
             "| --- | ---: | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"]
    lo_all, co_all = [], []
    for i, s in enumerate(sources):
        m = source == i
        r, c = raw["sets"][s], cal["sets"][s]
        la, lf = length_only(z, m)
        cs = score(co[m], label[m].astype(int))
        lo_all.append((la, lf))
        co_all.append((cs["accuracy"], cs["macro_f1"]))
        result["sets"][s] = dict(r, ece_calibrated=c["ece"], brier_calibrated=c["brier"], length_only=dict(accuracy=la, macro_f1=lf),
                                 claim_only=dict(accuracy=cs["accuracy"], macro_f1=cs["macro_f1"]))
        lines.append(f"| {s} | {r['n']} | {100 * r['majority']:.0f}/{100 * r['majority_f1']:.0f} | {100 * la:.0f}/{100 * lf:.0f} | {100 * cs['accuracy']:.0f}/{100 * cs['macro_f1']:.0f} "
                     f"| {100 * r['accuracy']:.1f} | {100 * r['macro_f1']:.1f} | {r['ece']:.3f} | {c['ece']:.3f} | {r['brier']:.3f} | {c['brier']:.3f} | {'/'.join(r['labels'])}: {r['confusion']} |")
    lo, cm = np.mean(lo_all, 0), np.mean(co_all, 0)
    result["mean"].update(length_only_accuracy=float(lo[0]), length_only_macro_f1=float(lo[1]), claim_only_accuracy=float(cm[0]), claim_only_macro_f1=float(cm[1]))
    r = raw["mean"]
    lines.append(f"| **mean** | | {100 * r['majority']:.0f}/{100 * r['majority_f1']:.0f} | {100 * lo[0]:.0f}/{100 * lo[1]:.0f} | {100 * cm[0]:.0f}/{100 * cm[1]:.0f} | {100 * r['accuracy']:.1f} | {100 * r['macro_f1']:.1f} "
                 f"| {r['ece']:.3f} | {cal['mean']['ece']:.3f} | {r['brier']:.3f} | {cal['mean']['brier']:.3f} | |")
    lines += ["", f"ECE after calibration: mean of sets {cal['mean']['ece']:.3f} (before: {raw['mean']['ece']:.3f}), all rows together {pooled:.3f}, rows of the web-style sets together {pooled_web:.3f}.", "",
              "Thresholds after calibration, web-style sets (" + ", ".join(w for w in WEB if w in sources) + "). 'web prior' weighs labels 27/11/62.", "",
              "| label | threshold | half | precision | precision, web prior | recall |", "| --- | ---: | --- | ---: | ---: | ---: |"]
    for n, t in thresholds.items():
        for half in ("at_argmax", "fit", "held_out"):
            h = t[half]
            lines.append(f"| {n} | {h['threshold']:.2f} | {half} | {h['precision']:.3f} | {h['web_precision']:.3f} | {h['recall']:.3f} |")
    lines += ["", "| set (held-out half) | refutes precision | refutes recall | fired |", "| --- | ---: | ---: | ---: |"]
    for s, h in thresholds["refutes"]["held_out"]["sets"].items():
        lines.append(f"| {s} | {h['precision']:.2f} | {h['recall']:.2f} | {h['fired']} |")
    Path(a.out + ".json").write_text(json.dumps(result, indent=1) + "\n")
    Path(a.out + ".md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
