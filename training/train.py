"""Train the stance cross-encoder: [CLS] claim [SEP] evidence [SEP] -> supports / refutes / neutral.

    python train.py --base BASE --data DIR --out OUT --name full-s1 [--use base,sci_fix,...] [--epochs 4] [--seed 1]

Reads DIR/train.npz, pool.npz, dev.npz (prepare.py). Writes OUT/NAME.dev.npz (dev logits), OUT/NAME.json (settings, scores),
with --save a model folder, with --predict the logits of every train and pool row (OUT/NAME.rows.npy) for distillation.
--teachers A.rows.npy,B.rows.npy mixes the mean probabilities of the teachers into the loss and adds the unlabelled pairs.
"""
import argparse, json, math, time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from base import load_base
from evaluate import summarise

NE, NONE = 3, 255


class Rows:
    """Token ids of many pairs on the device; batches are padded there."""

    def __init__(self, device, *paths):
        zs = [np.load(p) for p in paths]
        z = {k: np.concatenate([x[k] for x in zs]) for k in ("label", "clen", "elen", "tokens", "kind", "source", "fold")}
        first = zs[0]
        self.first = len(first["label"])        # rows of the first file; `kind` and `source` of later files mean nothing
        self.label = torch.tensor(z["label"].astype(np.int64), device=device)
        self.clen = torch.tensor(z["clen"].astype(np.int64), device=device)
        self.elen = torch.tensor(z["elen"].astype(np.int64), device=device)
        total = self.clen + self.elen
        self.start = torch.cumsum(total, 0) - total
        self.tokens = torch.tensor(z["tokens"].astype(np.int32), device=device)
        self.kind, self.source, self.fold = z["kind"], z["source"], z["fold"]
        self.kinds, self.sources = list(map(str, first["kinds"])), list(map(str, first["sources"]))
        self.length = (total + 3).cpu().numpy()
        self.device = device

    def batch(self, idx):
        idx_t = torch.as_tensor(idx, device=self.device)
        cl, el, st = self.clen[idx_t, None], self.elen[idx_t, None], self.start[idx_t, None]
        width = min(512, -(-int(self.length[idx].max()) // 8) * 8)
        pos = torch.arange(width, device=self.device)[None]
        n = cl + el + 3
        shift = torch.where(pos > cl, 2, 1)
        src = (st + pos - shift).clamp(0, len(self.tokens) - 1)
        ids = self.tokens[src].long()
        ids = torch.where(pos == 0, 101, ids)
        ids = torch.where((pos == cl + 1) | (pos == n - 1), 102, ids)
        mask = pos < n
        ids = torch.where(mask, ids, 0)
        types = ((pos > cl + 1) & mask).long()
        return ids, mask.long(), types


def batches(length, size, rng=None):
    """Index batches of similar length; with rng in random order."""
    if rng is None:
        order = np.argsort(-length, kind="stable")
        return [order[i:i + size] for i in range(0, len(order), size)]
    order = rng.permutation(len(length))
    out = []
    chunk = size * 64
    for i in range(0, len(order), chunk):
        part = order[i:i + chunk]
        part = part[np.argsort(length[part], kind="stable")]
        out += [part[j:j + size] for j in range(0, len(part), size)]
    return [out[i] for i in rng.permutation(len(out))]


def build(base, seed, dropout=0.1):
    from transformers import BertConfig, BertForSequenceClassification
    cfg, sd = load_base(base)
    keep = BertConfig().to_dict()
    cfg = BertConfig(**{k: v for k, v in cfg.items() if k in keep})
    cfg.num_labels = 3
    cfg.id2label = {0: "supports", 1: "refutes", 2: "neutral"}
    cfg.label2id = {v: k for k, v in cfg.id2label.items()}
    cfg.hidden_dropout_prob = cfg.attention_probs_dropout_prob = dropout
    torch.manual_seed(seed)
    model = BertForSequenceClassification._from_config(cfg, attn_implementation="sdpa")
    missing, extra = model.bert.load_state_dict(sd, strict=False)
    assert not extra and all(m.startswith("pooler.") for m in missing), (missing, extra)
    return model


@torch.no_grad()
def predict(model, rows, device, size=1024, exact=False):
    model.eval()
    out = np.zeros((len(rows.length), 3), np.float32)
    for idx in batches(rows.length, size):
        for part in np.array_split(idx, max(1, int(np.ceil(len(idx) * rows.length[idx].max() / 262144)))):
            ids, mask, types = rows.batch(part)
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda" and not exact):
                out[part] = model(ids, attention_mask=mask, token_type_ids=types).logits.float().cpu().numpy()
    return out


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--base", required=True)
    ap.add_argument("--data", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--name", required=True)
    ap.add_argument("--use", default="all", help="kinds of rows, comma separated")
    ap.add_argument("--drop-source", default="", help="sources left out")
    ap.add_argument("--repeat", default="", help="source=times, e.g. scifact=2,check_covid=3")
    ap.add_argument("--cap", default="", help="kind/source=rows at most, e.g. base/conjnli=6000")
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--lr", type=float, default=2e-4)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--seed", type=int, default=1, help="order of rows, dropout")
    ap.add_argument("--head-seed", type=int, default=1, help="start of the new layers; models to be averaged share it")
    ap.add_argument("--dropout", type=float, default=0.1)
    ap.add_argument("--smooth", type=float, default=0.0)
    ap.add_argument("--wd", type=float, default=0.01)
    ap.add_argument("--refute-weight", type=float, default=1.0)
    ap.add_argument("--teachers", default="")
    ap.add_argument("--oof", action="store_true", help="teacher k was trained without fold k: each labelled row gets only the teacher that never saw it")
    ap.add_argument("--fold", type=int, default=-1, help="leave this fold out (to train a teacher for --oof)")
    ap.add_argument("--alpha", type=float, default=0.6, help="weight of the teachers' probabilities on labelled rows")
    ap.add_argument("--limit", type=int, default=0)
    ap.add_argument("--save", default="")
    ap.add_argument("--predict", action="store_true")
    a = ap.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cuda.matmul.allow_tf32 = True
    a.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(a.seed)
    t0 = time.time()

    train = Rows(device, a.data / "train.npz", a.data / "pool.npz")
    dev = Rows(device, a.data / "dev.npz")
    kinds = train.kinds if a.use == "all" else a.use.split(",")
    dropped = [s for s in a.drop_source.split(",") if s]
    pick = np.array([train.kinds[k] in kinds and train.sources[s] not in dropped for k, s in zip(train.kind[:train.first], train.source[:train.first])])
    for item in filter(None, a.cap.split(",")):
        which, n = item.split("=")
        k, s = which.split("/")
        hit = np.flatnonzero(pick & (train.kind[:train.first] == train.kinds.index(k)) & (train.source[:train.first] == train.sources.index(s)))
        pick[hit[int(n):]] = False
    if a.fold >= 0:
        pick &= train.fold[:train.first] != a.fold
    chosen = np.flatnonzero(pick)
    for item in filter(None, a.repeat.split(",")):
        s, n = item.split("=")
        same = chosen[train.source[chosen] == train.sources.index(s)]
        chosen = np.concatenate([chosen] + [same] * (int(n) - 1))
    if a.limit:
        chosen = rng.permutation(chosen)[:a.limit]
    soft, items = None, chosen
    if a.teachers:
        probs = [torch.softmax(torch.tensor(np.load(p).astype(np.float32)), 1) for p in a.teachers.split(",")]
        soft = sum(probs) / len(probs)
        if a.oof:
            for k, q in enumerate(probs):
                mine = torch.tensor(np.flatnonzero(train.fold[:train.first] == k))
                soft[mine] = q[mine]
        soft = soft.to(device)
        extra = np.arange(train.first, len(train.length))
        items = np.concatenate([chosen, extra[:a.limit] if a.limit else extra])
    lengths = train.length[items]
    model = build(a.base, a.head_seed, a.dropout).to(device)
    torch.manual_seed(a.seed)
    # the model computes in bfloat16; the optimiser keeps float32 copies
    work = list(model.parameters())
    master = [p.detach().clone().float().requires_grad_() for p in work]
    for m in master:
        m.grad = torch.zeros_like(m)
    if device.type == "cuda":
        model = model.to(torch.bfloat16)
        work = list(model.parameters())
    decay = [p for p in master if p.ndim > 1]
    plain = [p for p in master if p.ndim <= 1]
    opt = torch.optim.AdamW([{"params": decay, "weight_decay": a.wd}, {"params": plain, "weight_decay": 0.0}], lr=a.lr, fused=device.type == "cuda")
    per_epoch = len(batches(lengths, a.batch, np.random.default_rng(0)))
    steps = per_epoch * a.epochs
    warm = max(1, int(0.06 * steps))
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1, (s + 1) / warm) * max(0.0, (steps - s) / max(1, steps - warm) if s >= warm else 1))
    print(f"{a.name}: {len(items)} rows, {int(lengths.sum())} tokens, {steps} steps on {device}", flush=True)
    weight = torch.tensor([1.0, a.refute_weight, 1.0], device=device)
    step = 0
    for epoch in range(a.epochs):
        model.train()
        te, total = time.time(), torch.zeros((), device=device)
        for b in batches(lengths, a.batch, rng):
            idx = items[b]
            ids, mask, types = train.batch(idx)
            logits = model(ids, attention_mask=mask, token_type_ids=types).logits.float()
            logp = F.log_softmax(logits, 1)
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
            step += 1
            total += loss.detach()
        print(f"{a.name}: epoch {epoch + 1} loss {total.item() / per_epoch:.4f} {time.time() - te:.1f} s", flush=True)

    model = model.float()
    with torch.no_grad():
        torch._foreach_copy_(list(model.parameters()), master)
    logits = predict(model, dev, device)
    np.savez_compressed(a.out / f"{a.name}.dev.npz", logits=logits.astype(np.float16))
    score = summarise(dev.label.cpu().numpy(), dev.source, dev.sources, logits)
    settings = {k: str(v) if isinstance(v, Path) else v for k, v in vars(a).items()}
    (a.out / f"{a.name}.json").write_text(json.dumps(dict(settings=settings, rows=len(items), seconds=round(time.time() - t0, 1), score=score)))
    print(f"{a.name}: mean accuracy {score['mean']['accuracy']:.3f} macro-F1 {score['mean']['macro_f1']:.3f} ECE {score['mean']['ece']:.3f}  {time.time() - t0:.0f} s in all", flush=True)
    if a.predict:
        np.save(a.out / f"{a.name}.rows.npy", predict(model, train, device).astype(np.float16))
    if a.save:
        model.float().cpu().save_pretrained(a.save)
    assert math.isfinite(logits.sum())


if __name__ == "__main__":
    main()
