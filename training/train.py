"""Train the stance cross-encoder: [CLS] claim [SEP] evidence [SEP] -> supports / refutes / neutral.

    python train.py --base BASE --data DIR --out OUT --name full-s1 [--use base,sci_fix,...] [--epochs 4] [--seed 1]

Reads DIR/train.npz, pool.npz, dev.npz (prepare.py). Writes OUT/NAME.dev.npz (dev logits), OUT/NAME.json (settings, scores),
with --save OUT/NAME-model, with --predict the logits of every train and pool row (OUT/NAME.rows.npy) for distillation.
--teachers A.rows.npy,B.rows.npy adds the unlabelled pairs, with the mean probabilities of the teachers as their labels,
and mixes those into the loss of the labelled rows (--alpha).
"""
import argparse, json, math, time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from base import load_base
from evaluate import summarise
from packed import TOKENS, Rows, layer, logits, predict, steps

NE, NONE = 3, 255


def build(base, seed):
    from transformers import BertConfig, BertForSequenceClassification
    cfg, sd = load_base(base)
    keep = BertConfig().to_dict()
    cfg = BertConfig(**{k: v for k, v in cfg.items() if k in keep})
    cfg.num_labels = 3
    cfg.id2label = {0: "supports", 1: "refutes", 2: "neutral"}
    cfg.label2id = {v: k for k, v in cfg.id2label.items()}
    torch.manual_seed(seed)
    model = BertForSequenceClassification._from_config(cfg)
    missing, extra = model.bert.load_state_dict(sd, strict=False)
    assert not extra and all(m.startswith("pooler.") for m in missing), (missing, extra)
    return model


def chosen_rows(a, train, rng):
    kinds = train.kinds if a.use == "all" else a.use.split(",")
    dropped = [s for s in a.drop_source.split(",") if s]
    pick = np.array([train.kinds[k] in kinds and train.sources[s] not in dropped for k, s in zip(train.kind[:train.first], train.source[:train.first])])
    if a.fold >= 0:
        pick &= train.fold[:train.first] != a.fold
    chosen = np.flatnonzero(pick)
    for item in filter(None, a.repeat.split(",")):
        s, n = item.split("=")
        same = chosen[train.source[chosen] == train.sources.index(s)]
        chosen = np.concatenate([chosen] + [same] * (int(n) - 1))
    return rng.permutation(chosen)[:a.limit] if a.limit else chosen


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--base", required=True)
    ap.add_argument("--data", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--name", required=True)
    ap.add_argument("--use", default="all", help="kinds of rows, comma separated")
    ap.add_argument("--drop-source", default="", help="sources left out")
    ap.add_argument("--repeat", default="", help="source=times, e.g. scifact=2,check_covid=3")
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--lr", type=float, default=2e-4)
    ap.add_argument("--seed", type=int, default=1, help="order of rows, dropout")
    ap.add_argument("--head-seed", type=int, default=1, help="start of the new layers; models to be averaged share it")
    ap.add_argument("--dropout", type=float, default=0.1)
    ap.add_argument("--smooth", type=float, default=0.0)
    ap.add_argument("--wd", type=float, default=0.01)
    ap.add_argument("--refute-weight", type=float, default=1.0)
    ap.add_argument("--teachers", default="")
    ap.add_argument("--soften", type=float, default=1.0, help="temperature of the teachers' probabilities")
    ap.add_argument("--oof", action="store_true", help="teacher k was trained without fold k: each labelled row gets only the teacher that never saw it")
    ap.add_argument("--fold", type=int, default=-1, help="leave this fold out (to train a teacher for --oof)")
    ap.add_argument("--alpha", type=float, default=0.3, help="weight of the teachers' probabilities on labelled rows")
    ap.add_argument("--limit", type=int, default=0)
    ap.add_argument("--save", action="store_true")
    ap.add_argument("--predict", action="store_true")
    a = ap.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    a.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(a.seed)
    t0 = time.time()

    train = Rows(device, a.data / "train.npz", a.data / "pool.npz")
    dev = Rows(device, a.data / "dev.npz")
    items = chosen_rows(a, train, rng)
    soft = None
    if a.teachers:
        probs = [torch.softmax(torch.tensor(np.load(p).astype(np.float32)) / a.soften, 1) for p in a.teachers.split(",")]
        soft = sum(probs) / len(probs)
        if a.oof:
            for k, q in enumerate(probs):
                mine = torch.tensor(np.flatnonzero(train.fold[:train.first] == k))
                soft[mine] = q[mine]
        soft = soft.to(device)
        extra = np.arange(train.first, len(train.length))
        items = np.concatenate([items, extra[:a.limit] if a.limit else extra])
    length = train.length[items]
    model = build(a.base, a.head_seed).to(device)
    run = layer
    if device.type == "cuda":
        run = torch.compile(layer, dynamic=False, fullgraph=True)
    torch.manual_seed(a.seed)
    # the model computes in bfloat16; the optimiser keeps float32 copies
    master = [p.detach().clone().float().requires_grad_() for p in model.parameters()]
    for m in master:
        m.grad = torch.zeros_like(m)
    if device.type == "cuda":
        model = model.to(torch.bfloat16)
    work = list(model.parameters())
    decay = [p for p in master if p.ndim > 1]
    plain = [p for p in master if p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": a.wd}, {"params": plain, "weight_decay": 0.0}], lr=a.lr, fused=device.type == "cuda")
    plan = [steps(length, rng) for _ in range(a.epochs)]
    total = sum(map(len, plan))
    warm = max(1, int(0.06 * total))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1, (s + 1) / warm) * max(0.0, (total - s) / max(1, total - warm) if s >= warm else 1))
    print(f"{a.name}: {len(items)} rows, {int(length.sum())} tokens, {total} steps on {device}", flush=True)
    weight = torch.tensor([1.0, a.refute_weight, 1.0], device=device)
    model.train()
    for epoch, lists in enumerate(plan):
        te, sum_loss = time.time(), torch.zeros((), device=device)
        for b in lists:
            idx = items[b]
            logp = F.log_softmax(logits(model, *train.lay(idx, TOKENS), len(idx), a.dropout, run), 1)
            at = torch.as_tensor(idx, device=device)
            label = train.label[at]
            three = label.clamp(max=2)
            loss = F.nll_loss(logp, three, reduction="none") * weight[three]
            if a.smooth:
                loss = (1 - a.smooth) * loss - a.smooth * logp.mean(1)
            loss = torch.where(label == NE, -torch.logsumexp(logp[:, 1:], 1), loss)     # not supported: -log(pC + pN)
            if soft is not None:
                kd = -(soft[at] * logp).sum(1)
                alpha = torch.where(label == NONE, 1.0, a.alpha)
                loss = alpha * kd + (1 - alpha) * loss
            loss = loss.mean()
            for p in work:
                p.grad = None
            loss.backward()
            torch._foreach_copy_([m.grad for m in master], [p.grad for p in work])
            torch.nn.utils.clip_grad_norm_(master, 1.0)
            opt.step()
            sched.step()
            with torch.no_grad():
                torch._foreach_copy_(work, master)
            sum_loss += loss.detach()
        print(f"{a.name}: epoch {epoch + 1} loss {sum_loss.item() / len(lists):.4f} {time.time() - te:.1f} s", flush=True)

    found = predict(model, dev)
    np.savez_compressed(a.out / f"{a.name}.dev.npz", logits=found.astype(np.float16))
    score = summarise(dev.label.cpu().numpy(), dev.source, dev.sources, found)
    settings = {k: str(v) if isinstance(v, Path) else v for k, v in vars(a).items()}
    (a.out / f"{a.name}.json").write_text(json.dumps(dict(settings=settings, rows=len(items), seconds=round(time.time() - t0, 1), score=score)))
    print(f"{a.name}: mean accuracy {score['mean']['accuracy']:.3f} macro-F1 {score['mean']['macro_f1']:.3f} ECE {score['mean']['ece']:.3f}  {time.time() - t0:.0f} s in all", flush=True)
    if a.predict:
        np.save(a.out / f"{a.name}.rows.npy", predict(model, train).astype(np.float16))
    if a.save:
        model = model.float()
        with torch.no_grad():
            torch._foreach_copy_(list(model.parameters()), master)
        model.cpu().save_pretrained(a.out / f"{a.name}-model")
    assert math.isfinite(found.sum())


if __name__ == "__main__":
    main()
