"""MPNet as a cross-encoder with three labels: `<s> claim </s></s> evidence </s>`.

Rows of similar length make a batch of a fixed number of tokens, so that everything but the attention is compiled once. The relative position
bias (one table of 32 buckets for all layers) is not trained: the attention kernels give no gradient for it cheaply. `hf` and `from_hf`
translate to Hugging Face's names for MPNetForSequenceClassification. Token ids are BERT's plus 4.
"""
import json, math, sys
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch.nn.attention import SDPBackend, sdpa_kernel

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from base import quantize_rows, slim_tokenizer  # noqa: E402

LAYERS, HIDDEN, HEADS, INNER, EPS, BUCKETS, FAR, POSITIONS, VOCABULARY, SHIFT, PAD = 12, 768, 12, 3072, 1e-5, 32, 128, 514, 30527, 4, 1
BATCH = 15360                   # tokens; every width below divides it
WIDTHS = (32, 48, 64, 80, 96, 128, 160, 192, 240, 256, 320, 384, 480, 512)
GROUP = 64                      # weights that share a scale in a base that travels


def bucket(distance):
    """T5's buckets, both directions: near distances one by one, far ones by the logarithm. `distance` is key less query."""
    half = BUCKETS // 2
    n = -distance
    out = (n < 0).long() * half
    n = n.abs()
    exact = half // 2
    far = exact + (torch.log(n.float().clamp_min(1) / exact) / math.log(FAR / exact) * (half - exact)).long()
    return out + torch.where(n < exact, n, far.clamp_max(half - 1))


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
        return (self.out, self.out_b, self.norm1, self.norm1_b, self.up, self.up_b, self.down, self.down_b, self.norm2, self.norm2_b)


def behind(a, h, w, dropout: float):
    """Everything of a layer that comes after the attention."""
    out, out_b, g1, b1, up, up_b, down, down_b, g2, b2 = w
    x = F.linear(a, out, out_b)
    h = F.layer_norm((F.dropout(x, dropout) if dropout > 0 else x) + h, (HIDDEN,), g1, b1, EPS)
    x = F.linear(F.gelu(F.linear(h, up, up_b)), down, down_b)
    return F.layer_norm((F.dropout(x, dropout) if dropout > 0 else x) + h, (HIDDEN,), g2, b2, EPS)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.word = nn.Embedding(VOCABULARY, HIDDEN)
        self.position = nn.Embedding(POSITIONS, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, EPS)
        self.register_buffer("relative", torch.zeros(BUCKETS, HEADS))
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.pool, self.stance = nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, 3)
        for x in (self.pool, self.stance):
            nn.init.normal_(x.weight, std=0.02)
            nn.init.zeros_(x.bias)
        self.run = behind

    def forward(self, ids, real, dropout=0.0):
        """ids, real: [rows, width]; logits of the rows."""
        rows, width = ids.shape
        at = torch.arange(width, device=ids.device)
        bias = self.relative[bucket(at[None] - at[:, None])].permute(2, 0, 1)[None]
        mask = (bias + torch.where(real, 0.0, -1e4)[:, None, None].to(bias.dtype)).to(self.word.weight.dtype)
        h = self.word(ids) + self.position(torch.where(real, at[None] + 2, PAD))
        h = self.norm(h)
        h = (F.dropout(h, dropout) if dropout > 0 else h).view(-1, HIDDEN)
        for x in self.layers:
            q, k, v = F.linear(h, x.qkv, x.qkv_b).view(rows, width, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
            with sdpa_kernel([SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]):
                a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
            h = self.run(a.transpose(1, 2).reshape(-1, HIDDEN), h, x.weights(), dropout)
        x = torch.tanh(self.pool(F.dropout(h.view(rows, width, HIDDEN)[:, 0], dropout) if dropout > 0 else h.view(rows, width, HIDDEN)[:, 0]))
        return self.stance(F.dropout(x, dropout) if dropout > 0 else x).float()


class Pairs:
    """Token ids (BERT's) of many pairs on the device, and batches of them."""

    def __init__(self, device, tokens, clen, elen):
        self.device = device
        self.tokens = torch.as_tensor(np.asarray(tokens, np.int32), device=device)
        self.clen, self.elen = (torch.as_tensor(np.asarray(x, np.int64), device=device) for x in (clen, elen))
        total = self.clen + self.elen
        self.start = torch.cumsum(total, 0) - total
        self.size = (total + 4).cpu().numpy()       # <s> </s></s> </s>
        self.width = np.array(WIDTHS)[np.searchsorted(WIDTHS, np.minimum(self.size, WIDTHS[-1]))]

    def ids(self, idx, width):
        i = torch.as_tensor(idx, device=self.device)
        c, e, s = self.clen[i, None], self.elen[i, None], self.start[i, None]
        e = torch.minimum(e, width - 4 - c)
        at = torch.arange(width, device=self.device)[None]
        n = c + e + 4
        src = (s + at - torch.where(at > c, 3, 1)).clamp(0, len(self.tokens) - 1)
        ids = self.tokens[src].long() + SHIFT
        ids = torch.where(at == 0, 0, ids)
        ids = torch.where((at == c + 1) | (at == c + 2) | (at == n - 1), 2, ids)
        real = at < n
        return torch.where(real, ids, PAD), real

    def batches(self, items, rng=None, tokens=BATCH):
        """(rows of `items`, width): rows of one width, as many as make up the batch's tokens."""
        out = []
        order = items if rng is None else rng.permutation(items)
        width = self.width[order]
        for w in WIDTHS:
            part = order[width == w]
            n = tokens // w
            out += [(part[i:i + n], w) for i in range(0, len(part), n)]
        return out if rng is None else [out[i] for i in rng.permutation(len(out))]

    def fill(self, idx, width, tokens=BATCH):
        """The batch with empty rows behind it, so that it always has the same number of tokens."""
        ids, real = self.ids(idx, width)
        gap = tokens // width - len(idx)
        if gap:
            ids = F.pad(ids, (0, 0, 0, gap), value=PAD)
            real = F.pad(real, (0, 0, 0, gap), value=False)
        return ids, real


@torch.no_grad()
def judge(net, pairs, items=None, tokens=4 * BATCH):
    items = np.arange(len(pairs.size)) if items is None else items
    out = np.zeros((len(pairs.size), 3), np.float32)
    for idx, width in pairs.batches(items, tokens=tokens):
        out[idx] = net(*pairs.ids(idx, width)).cpu().numpy()
    return out[items]


# -------------------------------------------------------------------- names and files
NAMES = (("out", "attention.attn.o"), ("norm1", "attention.LayerNorm"), ("up", "intermediate.dense"), ("down", "output.dense"), ("norm2", "output.LayerNorm"))


def from_hf(sd, prefix=""):
    out = {"word.weight": sd[f"{prefix}embeddings.word_embeddings.weight"], "position.weight": sd[f"{prefix}embeddings.position_embeddings.weight"],
           "norm.weight": sd[f"{prefix}embeddings.LayerNorm.weight"], "norm.bias": sd[f"{prefix}embeddings.LayerNorm.bias"], "relative": sd[f"{prefix}encoder.relative_attention_bias.weight"]}
    for i in range(LAYERS):
        p, o = f"{prefix}encoder.layer.{i}.", f"layers.{i}."
        for end, own in (("weight", ""), ("bias", "_b")):
            out[o + "qkv" + own] = torch.cat([sd[f"{p}attention.attn.{x}.{end}"] for x in "qkv"])
            for name, x in NAMES:
                out[o + name + own] = sd[f"{p}{x}.{end}"]
    for name, x in (("pool", "classifier.dense"), ("stance", "classifier.out_proj")):
        for end in ("weight", "bias"):
            if f"{x}.{end}" in sd:
                out[f"{name}.{end}"] = sd[f"{x}.{end}"]
    return out


def hf(sd):
    p = "mpnet."
    out = {f"{p}embeddings.word_embeddings.weight": sd["word.weight"], f"{p}embeddings.position_embeddings.weight": sd["position.weight"],
           f"{p}embeddings.LayerNorm.weight": sd["norm.weight"], f"{p}embeddings.LayerNorm.bias": sd["norm.bias"], f"{p}encoder.relative_attention_bias.weight": sd["relative"]}
    for i in range(LAYERS):
        q, o = f"{p}encoder.layer.{i}.", f"layers.{i}."
        for end, own in (("weight", ""), ("bias", "_b")):
            for x, part in zip("qkv", sd[o + "qkv" + own].chunk(3)):
                out[f"{q}attention.attn.{x}.{end}"] = part.contiguous()
            for name, x in NAMES:
                out[f"{q}{x}.{end}"] = sd[o + name + own]
    for name, x in (("pool", "classifier.dense"), ("stance", "classifier.out_proj")):
        for end in ("weight", "bias"):
            out[f"{x}.{end}"] = sd[f"{name}.{end}"]
    return out


def is_quantized(name, tensor):
    return tensor.ndim == 2 and name.endswith(".weight") and not any(x in name for x in ("position_embeddings", "token_type", "relative_attention_bias"))


def travelling(sd):
    """A base small enough to send: int8 with one float16 scale for every 64 weights of a row."""
    out = {}
    for k, v in sd.items():
        if v.ndim == 2 and v.shape[1] % GROUP == 0 and v.numel() > 10**5:
            g = v.float().view(v.shape[0], -1, GROUP)
            scale = (g.abs().amax(2) / 127).clamp_min(1e-12).half()
            out[k + ".int8"] = torch.clamp(torch.round(g / scale.float()[..., None]), -127, 127).to(torch.int8).view(v.shape)
            out[k + ".scale"] = scale
        else:
            out[k] = v.half()
    return out


def arrived(files):
    sd = {}
    for f in files:
        sd.update(load_file(f))
    out = {}
    for k, v in sd.items():
        if k.endswith(".int8"):
            n = k[:-5]
            out[n] = (v.float().view(v.shape[0], -1, GROUP) * sd[n + ".scale"].float()[..., None]).view(v.shape)
        elif not k.endswith(".scale"):
            out[k] = v.float()
    return out


def stored(sd):
    """As it is shipped: matrices in int8 by row, the two tables of positions in float16, what is left (biases, norms, scales) in float32."""
    out = {}
    for k, v in hf(sd).items():
        if is_quantized(k, v):
            out[k], out[k + "_scale"] = quantize_rows(v)
        else:
            out[k] = v.half() if v.ndim == 2 else v.float()
    return out


def exact(tensors):
    """What `stored` wrote, as float32."""
    return {k: v.float() * tensors[k + "_scale"][:, None] if v.dtype == torch.int8 else v.float() for k, v in tensors.items() if not k.endswith("_scale")}


def ship(sd, folder):
    """A folder as the crate reads it, less the tokenizer: config.json and the weights in files of at most 95 MB."""
    folder = Path(folder)
    config = dict(architectures=["MPNetForSequenceClassification"], model_type="mpnet", vocab_size=VOCABULARY, hidden_size=HIDDEN, num_hidden_layers=LAYERS,
                  num_attention_heads=HEADS, intermediate_size=INNER, hidden_act="gelu", layer_norm_eps=EPS, max_position_embeddings=POSITIONS, pad_token_id=PAD,
                  relative_attention_num_buckets=BUCKETS, id2label={"0": "supports", "1": "refutes", "2": "neutral"})
    tensors = stored(sd)
    count = parts(tensors, folder, "part", 95_000_000)
    for i in range(count):
        (folder / f"part-{i}.safetensors").rename(folder / f"model-{i + 1:05}-of-{count:05}.safetensors")
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    return tensors


def parts(sd, folder, name, size):
    """The tensors of `sd` in files of at most `size` bytes."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    part, used, number = {}, 0, 0
    for k, v in sd.items():
        n = v.numel() * v.element_size()
        if part and used + n > size:
            save_file(part, folder / f"{name}-{number}.safetensors")
            part, used, number = {}, 0, number + 1
        part[k] = v.contiguous()
        used += n
    save_file(part, folder / f"{name}-{number}.safetensors")
    return number + 1


if __name__ == "__main__":
    # python mpnet.py BASE_FOLDER OUT SIZE: the base from the registry, checked against transformers, in parts that travel; OUT/tokenizer.json is what is shipped
    from transformers import MPNetConfig, MPNetModel
    base, out, size = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    from hashlib import sha256
    assert sha256((base / "model.safetensors").read_bytes()).hexdigest().startswith("78c0197b")
    sd = load_file(base / "model.safetensors")
    sd = {k: v for k, v in sd.items() if not k.startswith("pooler.") and not k.endswith("position_ids")}
    own = from_hf(sd)
    net = Net().eval()
    missing, extra = net.load_state_dict(own, strict=False)
    assert not extra and all(m.startswith(("pool", "stance")) for m in missing), (missing, extra)
    ref = MPNetModel(MPNetConfig.from_pretrained(base), add_pooling_layer=False).eval()
    missing, extra = ref.load_state_dict(sd, strict=False)
    assert not extra and all("position_ids" in m for m in missing), (missing, extra)
    rng = np.random.default_rng(0)
    pairs = Pairs("cpu", rng.integers(1000, 30000, 400), [12, 30], [50, 180])
    for i, w in ((0, 80), (1, 240)):
        ids, real = pairs.ids(np.array([i]), w)
        states = []
        hook = net.pool.register_forward_pre_hook(lambda m, x: states.append(x[0]))
        with torch.no_grad():
            net(ids, real)
            want = ref(ids, attention_mask=real.long()).last_hidden_state[:, 0]
        hook.remove()
        print(f"largest difference to transformers: {(want - states[0]).abs().max():.2e}", ids[0, :16].tolist())
        assert (want - states[0]).abs().max() < 1e-4
    small = travelling(own)
    back = arrived_error = max(float(((small[k + ".int8"].float().view(v.shape[0], -1, GROUP) * small[k + ".scale"].float()[..., None]).view(v.shape) - v).norm() / v.norm()) for k, v in own.items() if k + ".int8" in small)
    out.mkdir(parents=True, exist_ok=True)
    slim_tokenizer(base / "tokenizer.json", out / "tokenizer.json")
    print(parts(small, out, "base", size), "parts; largest relative error", round(back, 5))
