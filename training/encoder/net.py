"""The bilingual encoder: one trunk of 12 layers of 384. Sentence vectors leave it after layer 6, stance and masked words after layer 12.

Texts are packed end to end, without padding (attention never crosses from one to the next), on the GPU in bfloat16 and with one
compiled layer for all; on the CPU the same code attends text by text (for tests). `save` and `load` keep the word table as int8
rows, like the shipped weights, and the rest in float16, in files small enough to travel. `named` gives Hugging Face's names.
"""
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file, save_file

PAD, UNK, CLS, SEP, MASK = range(5)
LAYERS, EXIT, HIDDEN, HEADS, INNER, EPS, POSITIONS = 12, 6, 384, 12, 1536, 1e-12, 512
PART = 15_500_000       # bytes of one file of a saved model


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        for name, shape in (("qkv", (3 * HIDDEN, HIDDEN)), ("out", (HIDDEN, HIDDEN)), ("up", (INNER, HIDDEN)), ("down", (HIDDEN, INNER))):
            self.register_parameter(name, nn.Parameter(torch.randn(shape) * 0.02))
            self.register_parameter(name + "_b", nn.Parameter(torch.zeros(shape[0])))
        for name in ("norm1", "norm2"):
            self.register_parameter(name, nn.Parameter(torch.ones(HIDDEN)))
            self.register_parameter(name + "_b", nn.Parameter(torch.zeros(HIDDEN)))

    def weights(self):
        return (self.qkv, self.qkv_b, self.out, self.out_b, self.norm1, self.norm1_b, self.up, self.up_b, self.down, self.down_b, self.norm2, self.norm2_b)


def attention(q, k, v, bounds, longest: int):
    if q.is_cuda and q.dtype == torch.bfloat16:
        from torch.nn.attention.varlen import varlen_attn
        return varlen_attn(q, k, v, bounds, bounds, longest, longest)
    parts = [F.scaled_dot_product_attention(*(x[a:b].transpose(0, 1) for x in (q, k, v))).transpose(0, 1) for a, b in pairwise(bounds.tolist()) if b > a]
    return torch.cat(parts)


def drop(x, share: float):
    return F.dropout(x, share) if share > 0 else x


def layer(h, bounds, w, longest: int, dropout: float):
    qkv, qkv_b, out, out_b, g1, b1, up, up_b, down, down_b, g2, b2 = w
    q, k, v = F.linear(h, qkv, qkv_b).view(-1, 3, HEADS, HIDDEN // HEADS).unbind(1)
    a = attention(q.contiguous(), k.contiguous(), v.contiguous(), bounds, longest).reshape(-1, HIDDEN)
    h = F.layer_norm(drop(F.linear(a, out, out_b), dropout) + h, (HIDDEN,), g1, b1, EPS)
    m = F.linear(F.gelu(F.linear(h, up, up_b)), down, down_b)
    return F.layer_norm(drop(m, dropout) + h, (HIDDEN,), g2, b2, EPS)


def compiled(device, dropout, *shapes):
    """The layer compiled for (tokens, rows, longest) shapes, tried on each; where that fails, or on a CPU, the plain one."""
    if device.type != "cuda":
        return layer
    try:
        run, one = torch.compile(layer, dynamic=False, fullgraph=True), Layer().to(device, torch.bfloat16)
        for width, rows, longest in shapes:
            h = torch.randn(width, HIDDEN, device=device, dtype=torch.bfloat16, requires_grad=True)
            bounds = torch.linspace(0, width, rows + 1, device=device).int()
            run(h, bounds, one.weights(), longest, dropout).float().sum().backward()
        torch.cuda.synchronize()
        return run
    except Exception as e:
        print(f"not compiled: {type(e).__name__}: {str(e)[:600]}", flush=True)
        torch._dynamo.reset()
        return layer


class Net(nn.Module):
    def __init__(self, vocabulary, layers=LAYERS):
        super().__init__()
        self.word = nn.Embedding(vocabulary, HIDDEN)
        self.position = nn.Embedding(POSITIONS, HIDDEN)
        self.kind = nn.Embedding(2, HIDDEN)
        nn.init.normal_(self.word.weight, std=0.02)
        self.norm = nn.LayerNorm(HIDDEN, EPS)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.guess, self.guess_norm = nn.Linear(HIDDEN, HIDDEN), nn.LayerNorm(HIDDEN, EPS)      # for masked words; not shipped
        self.guess_bias = nn.Parameter(torch.zeros(vocabulary))
        self.pool, self.stance = nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, 3)
        nn.init.normal_(self.stance.weight, std=0.02)
        nn.init.zeros_(self.stance.bias)
        self.compiled = layer

    def hidden(self, batch, first=0, last=EXIT, dropout=0.0, h=None, run=None):
        """States after layer `last`; `h`: those after layer `first`."""
        ids, kinds, positions, bounds, longest = batch
        run = run or (self.compiled if torch.is_grad_enabled() else layer)
        if h is None:
            h = drop(self.norm(self.word(ids) + self.kind(kinds) + self.position(positions)), dropout)
        for x in self.layers[first:last]:
            h = run(h, bounds, x.weights(), longest, dropout)
        return h

    def vectors(self, batch, row, count, **options):
        """Unit vectors: the mean of all states of a text, special tokens included."""
        h = self.hidden(batch, **options).float()
        total = torch.zeros(count + 1, HIDDEN, device=h.device).index_add_(0, row, h)[:count]
        return F.normalize(total, dim=1)

    def words(self, h):
        h = self.guess_norm(F.gelu(self.guess(h)))
        return F.linear(h, self.word.weight, self.guess_bias)

    def pooled(self, h, bounds, count):
        return torch.tanh(self.pool(h[bounds[:count].long()]))

    def judge(self, h, bounds, count, dropout=0.0):
        return self.stance(drop(self.pooled(h, bounds, count), dropout)).float()


class Texts:
    """Token ids of many texts in one array. A row is one text, or two with a separator."""

    def __init__(self):
        self.parts, self.n = [], 0

    def add(self, ids):
        """(start, length) of each list of ids."""
        size = np.array([len(x) for x in ids], np.int64)
        flat = np.fromiter((t for x in ids for t in x), np.uint16, int(size.sum()))
        return self.add_flat(flat, size)

    def add_flat(self, flat, size):
        size = np.asarray(size, np.int64)
        start = self.n + np.cumsum(size) - size
        self.parts.append(np.asarray(flat, np.uint16))
        self.n += len(flat)
        return np.stack([start, size], 1)

    @property
    def tokens(self):
        if len(self.parts) > 1:
            self.parts = [np.concatenate(self.parts)]
        return self.parts[0]


def size_of(a, b=None):
    """Tokens of the rows, special ones included."""
    return a[:, 1] + 2 + (0 if b is None else np.where(b[:, 1] > 0, b[:, 1] + 1, 0))


def pack(tokens, a, b=None, width=0, rows=0, marks=(CLS, SEP)):
    """Rows one after another: (ids, kinds, positions, bounds, row of each token, which tokens are text). With `width` and `rows` the
    shapes are fixed: the rest is filled with texts of nothing, none longer than 64 tokens."""
    b = np.zeros_like(a) if b is None else b
    n = size_of(a, b)
    used = int(n.sum())
    ends = np.cumsum(n)
    row = np.repeat(np.arange(len(n)), n)
    pos = np.arange(used) - (ends - n)[row]
    la, lb = a[row, 1], b[row, 1]
    first = (pos >= 1) & (pos <= la)
    second = (pos >= la + 2) & (pos < la + 2 + lb)
    src = np.where(first, a[row, 0] + pos - 1, np.where(second, b[row, 0] + pos - la - 2, 0))
    ids = np.where(first | second, tokens[src], np.where(pos == 0, *marks))
    kinds = (pos >= la + 2).astype(np.int64)
    bounds = np.concatenate([[0], ends])
    if width:
        gap = width - used
        assert gap >= 0 and len(n) + gap // 64 + 1 <= rows, (used, width, len(n), rows)
        ids, kinds = np.pad(ids, (0, gap)), np.pad(kinds, (0, gap))
        pos = np.concatenate([pos, np.arange(gap) % 64])
        row = np.concatenate([row, np.full(gap, len(n))])
        fill = np.minimum(used + 64 * np.arange(1, rows + 1 - len(n)), width)
        bounds = np.concatenate([bounds, fill])
        first, second = np.pad(first, (0, gap)), np.pad(second, (0, gap))
    return ids.astype(np.int32), kinds.astype(np.int32), pos.astype(np.int32), bounds.astype(np.int32), row.astype(np.int64), first | second


def to_device(arrays, device):
    out = []
    for x in arrays:
        t = torch.from_numpy(np.ascontiguousarray(x))
        out.append(t.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else t)
    return out


def chunks(size, tokens):
    """Index lists of rows of similar length, each with at most so many tokens."""
    order = np.argsort(size, kind="stable")
    out, at = [], 0
    total = np.cumsum(size[order])
    while at < len(order):
        base = total[at - 1] if at else 0
        to = max(at + 1, int(np.searchsorted(total, base + tokens, "right")))
        out.append(order[at:to])
        at = to
    return out


@torch.no_grad()
def embed(net, tokens, rows, device, tokens_at_once=262144, marks=(CLS, SEP)):
    """Unit vectors of texts given as (start, length)."""
    out = torch.zeros(len(rows), HIDDEN, device=device)
    for part in chunks(size_of(rows), tokens_at_once):
        ids, kinds, pos, bounds, row, _ = to_device(pack(tokens, rows[part], marks=marks), device)
        out[torch.as_tensor(part, device=device)] = net.vectors((ids, kinds, pos, bounds, POSITIONS), row, len(part), last=min(EXIT, len(net.layers)))
    return out


@torch.no_grad()
def judge(net, tokens, a, b, device, tokens_at_once=196608, marks=(CLS, SEP), pooled=None):
    """Logits of pairs (claim, evidence), each given as (start, length). `pooled`: an array for the vectors the logits are made of."""
    out = np.zeros((len(a), 3), np.float32)
    for part in chunks(size_of(a, b), tokens_at_once):
        ids, kinds, pos, bounds, _, _ = to_device(pack(tokens, a[part], b[part], marks=marks), device)
        h = net.hidden((ids, kinds, pos, bounds, POSITIONS), last=len(net.layers))
        out[part] = net.judge(h, bounds, len(part)).cpu().numpy()
        if pooled is not None:
            pooled[part] = net.pooled(h, bounds, len(part)).half().cpu().numpy()
    return out


# -------------------------------------------------------------------- files
def from_bert(sd, prefix=""):
    """Layers and tables of a Hugging Face BERT in this module's names; `sd` in float32."""
    out = {}
    for a, b in (("position", "position_embeddings"), ("kind", "token_type_embeddings"), ("word", "word_embeddings")):
        out[f"{a}.weight"] = sd[f"{prefix}embeddings.{b}.weight"]
    out["norm.weight"], out["norm.bias"] = sd[f"{prefix}embeddings.LayerNorm.weight"], sd[f"{prefix}embeddings.LayerNorm.bias"]
    i = 0
    while f"{prefix}encoder.layer.{i}.output.dense.weight" in sd:
        p, o = f"{prefix}encoder.layer.{i}.", f"layers.{i}."
        for end, own in (("weight", ""), ("bias", "_b")):
            out[o + "qkv" + own] = torch.cat([sd[f"{p}attention.self.{x}.{end}"] for x in ("query", "key", "value")])
            for name, x in (("out", "attention.output.dense"), ("norm1", "attention.output.LayerNorm"), ("up", "intermediate.dense"), ("down", "output.dense"), ("norm2", "output.LayerNorm")):
                out[o + name + own] = sd[f"{p}{x}.{end}"]
        i += 1
    if f"{prefix}pooler.dense.weight" in sd:
        out["pool.weight"], out["pool.bias"] = sd[f"{prefix}pooler.dense.weight"], sd[f"{prefix}pooler.dense.bias"]
    if "classifier.weight" in sd:
        out["stance.weight"], out["stance.bias"] = sd["classifier.weight"], sd["classifier.bias"]
    return out


def named(sd, layers, prefix=""):
    """The other way: Hugging Face's names, `layers` layers."""
    out = {}
    for a, b in (("position", "position_embeddings"), ("kind", "token_type_embeddings"), ("word", "word_embeddings")):
        out[f"{prefix}embeddings.{b}.weight"] = sd[f"{a}.weight"]
    out[f"{prefix}embeddings.LayerNorm.weight"], out[f"{prefix}embeddings.LayerNorm.bias"] = sd["norm.weight"], sd["norm.bias"]
    for i in range(layers):
        p, o = f"{prefix}encoder.layer.{i}.", f"layers.{i}."
        for end, own in (("weight", ""), ("bias", "_b")):
            for x, part in zip(("query", "key", "value"), sd[o + "qkv" + own].chunk(3)):
                out[f"{p}attention.self.{x}.{end}"] = part.contiguous()
            for name, x in (("out", "attention.output.dense"), ("norm1", "attention.output.LayerNorm"), ("up", "intermediate.dense"), ("down", "output.dense"), ("norm2", "output.LayerNorm")):
                out[f"{p}{x}.{end}"] = sd[o + name + own]
    return out


def dequantized(path):
    """float32 tensors of a shipped int8 file."""
    sd = load_file(path)
    return {k: v.float() * sd[k + "_scale"][:, None] if k + "_scale" in sd else v.float() for k, v in sd.items() if not k.endswith("_scale")}


def save(sd, folder, name, keep=lambda k: True, notes=None):
    """NAME-0.safetensors, ...: float16, the word table as int8 rows with a scale each."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    small = {}
    for k, v in sd.items():
        if not keep(k):
            continue
        v = v.detach().float().cpu()
        if k == "word.weight":
            scale = (v.abs().amax(1) / 127).clamp_min(1e-12)
            small["word.int8"], small["word.scale"] = torch.clamp(torch.round(v / scale[:, None]), -127, 127).to(torch.int8), scale
        else:
            small[k] = v.half().contiguous()
    for old in folder.glob(f"{name}-[0-9].safetensors"):
        old.unlink()
    part, size, number = {}, 0, 0
    for k, v in small.items():
        n = v.numel() * v.element_size()
        if part and size + n > PART:
            save_file(part, folder / f"{name}-{number}.safetensors")
            part, size, number = {}, 0, number + 1
        part[k] = v
        size += n
    save_file(part, folder / f"{name}-{number}.safetensors", metadata={"notes": json.dumps(notes or {})})


def load(folder, *names):
    """The state of one or more saved parts, later ones over earlier ones."""
    sd = {}
    for name in names:
        found = sorted(Path(folder).glob(f"{name}-[0-9].safetensors"))
        assert found, f"no {name}-0.safetensors in {folder}"
        for f in found:
            sd.update(load_file(f))
    if "word.int8" in sd:
        sd["word.weight"] = sd.pop("word.int8").float() * sd.pop("word.scale")[:, None]
    return {k: v.float() for k, v in sd.items()}


class Master:
    """The network computes in bfloat16; the optimiser keeps float32 copies of what is trained."""

    def __init__(self, net, groups, device):
        """groups: [(parameter names, learning rate factor, weight decay)]; parameters named in none are not trained."""
        self.net, params = net, dict(net.named_parameters())
        self.work, self.copy, setup = [], [], []
        for names, factor, decay in groups:
            mine = [params[n].detach().clone().float().requires_grad_() for n in names]
            for m in mine:
                m.grad = torch.zeros_like(m)
            self.work += [params[n] for n in names]
            self.copy += mine
            setup.append({"params": mine, "lr": 0.0, "weight_decay": decay, "factor": factor})
        chosen = {id(p) for p in self.work}
        for p in net.parameters():
            p.requires_grad_(id(p) in chosen)
        self.names = [n for names, _, _ in groups for n in names]
        self.opt = torch.optim.AdamW(setup, betas=(0.9, 0.98), eps=1e-6, fused=device.type == "cuda")
        if device.type == "cuda":
            net.to(torch.bfloat16)

    def step(self, rate, clip=1.0):
        """rate: learning rate, or one for each group's number."""
        for i, g in enumerate(self.opt.param_groups):
            g["lr"] = (rate(i) if callable(rate) else rate) * g["factor"]
        for m, p in zip(self.copy, self.work):
            if p.grad is None:
                m.grad.zero_()
            else:
                m.grad.copy_(p.grad)
            p.grad = None
        norm = torch.nn.utils.clip_grad_norm_(self.copy, clip)
        self.opt.step()
        with torch.no_grad():
            torch._foreach_copy_(self.work, self.copy)
        return norm

    def state(self):
        """The network's state in float32."""
        sd = {k: v.detach().float() for k, v in self.net.state_dict().items()}
        sd.update({n: m.detach().clone() for n, m in zip(self.names, self.copy)})
        return sd
