"""Pairs packed end to end, without padding: the fast way to train a small encoder on one GPU.

`Rows` holds the token ids of many pairs on the device and lays a list of them out as one long row of tokens; `logits` runs a
Hugging Face BERT with a classification head over it (attention never crosses from one pair to the next). One layer is
compiled once and used for all. There is no dropout inside the attention, only on its output and in the rest.
In float32, and on the CPU, the same code attends pair by pair (slow: for checks).
"""
from itertools import pairwise

import numpy as np
import torch
import torch.nn.functional as F

CLS, SEP, LONGEST = 101, 102, 512
TOKENS = 24576      # tokens in a training step
PAIRS = 512         # pairs in a training step at most


class Rows:
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

    def lay(self, idx, width=None):
        """(ids, types, positions, bounds): the pairs one after another. With `width` the row of tokens is filled up to it
        with one more pair of nothing, and the bounds up to PAIRS + 1, so that every step has the same shapes."""
        n = torch.tensor(self.length[idx], device=self.device)
        at = torch.as_tensor(idx, device=self.device)
        used = int(self.length[idx].sum())
        width_ = width or used
        bounds = torch.zeros((PAIRS if width else len(idx)) + 1, dtype=torch.int32, device=self.device)
        bounds[1:len(idx) + 1] = torch.cumsum(n, 0)
        bounds[len(idx) + 1:] = width_
        row = torch.repeat_interleave(torch.arange(len(idx), device=self.device), n, output_size=used)
        pos = torch.arange(used, device=self.device) - bounds[row]
        cl, n = self.clen[at][row], n[row]
        src = (self.start[at][row] + pos - torch.where(pos > cl, 2, 1)).clamp(0, len(self.tokens) - 1)
        ids = self.tokens[src].long()
        ids = torch.where(pos == 0, CLS, ids)
        ids = torch.where((pos == cl + 1) | (pos == n - 1), SEP, ids)
        types = (pos > cl + 1).long()
        if width:
            gap = width - used
            ids, types = F.pad(ids, (0, gap)), F.pad(types, (0, gap))
            pos = torch.cat([pos, torch.arange(gap, device=self.device)])
        return ids, types, pos, bounds


def steps(length, rng):
    """Lists of indices in random order, each at most TOKENS tokens; what is left over at the end waits for the next epoch."""
    out, now, used = [], [], 0
    for i in rng.permutation(len(length)):
        if used + length[i] > TOKENS or len(now) == PAIRS - 1:
            out.append(np.array(now))
            now, used = [], 0
        now.append(i)
        used += int(length[i])
    return out


def attention(q, k, v, bounds):
    if q.is_cuda and q.dtype == torch.bfloat16:
        from torch.nn.attention.varlen import varlen_attn
        return varlen_attn(q, k, v, bounds, bounds, LONGEST, LONGEST)
    parts = [F.scaled_dot_product_attention(*(x[a:b].transpose(0, 1) for x in (q, k, v))).transpose(0, 1) for a, b in pairwise(bounds.tolist()) if b > a]
    return torch.cat(parts)


def layer(h, bounds, w, heads: int, eps: float, dropout: float):
    wq, bq, wk, bk, wv, bv, wo, bo, g1, b1, wi, bi, wd, bd, g2, b2 = w
    size = h.shape[1]
    q, k, v = F.linear(h, torch.cat([wq, wk, wv]), torch.cat([bq, bk, bv])).view(-1, 3, heads, size // heads).unbind(1)
    a = attention(q.contiguous(), k.contiguous(), v.contiguous(), bounds).reshape(-1, size)
    h = F.layer_norm(F.dropout(F.linear(a, wo, bo), dropout) + h, (size,), g1, b1, eps)
    m = F.linear(F.gelu(F.linear(h, wi, bi)), wd, bd)
    return F.layer_norm(F.dropout(m, dropout) + h, (size,), g2, b2, eps)


def weights_of(x):
    s, o = x.attention.self, x.attention.output
    mods = (s.query, s.key, s.value, o.dense, o.LayerNorm, x.intermediate.dense, x.output.dense, x.output.LayerNorm)
    return [t for m in mods for t in (m.weight, m.bias)]


def logits(model, ids, types, pos, bounds, pairs, dropout=0.0, run=layer):
    """Three numbers for each of the first `pairs` pairs. `run`: `layer` or a compiled one."""
    e, cfg = model.bert.embeddings, model.config
    h = e.word_embeddings(ids) + e.token_type_embeddings(types) + e.position_embeddings(pos)
    h = F.dropout(e.LayerNorm(h), dropout)
    for x in model.bert.encoder.layer:
        h = run(h, bounds, weights_of(x), cfg.num_attention_heads, cfg.layer_norm_eps, dropout)
    h = torch.tanh(model.bert.pooler.dense(h[bounds[:pairs].long()]))
    return model.classifier(F.dropout(h, dropout)).float()


@torch.no_grad()
def predict(model, rows, tokens=262144, which=None):
    """Logits of all rows (or of `which`), computed in the type of the weights."""
    model.eval()
    which = np.arange(len(rows.length)) if which is None else which
    order = which[np.argsort(rows.length[which], kind="stable")]
    out = np.zeros((len(rows.length), 3), np.float32)
    cuts = np.searchsorted(np.cumsum(rows.length[order]), np.arange(tokens, int(rows.length[order].sum()) + tokens, tokens))
    for part in np.split(order, np.unique(np.minimum(cuts, len(order)))):
        if len(part):
            out[part] = logits(model, *rows.lay(part), len(part)).cpu().numpy()
    return out[which]
