"""Trains the stance head on the encoder: [CLS] claim [SEP] evidence [SEP] -> supports / refutes / neutral, in English and Japanese.

    python stance.py teach ROWS TOKENIZER.json STANCE OUT                    the English model's logits for English rows and pools
    python stance.py train ROWS ENCODER:NAME OUT --name frozen6 --frozen 6 --seconds 200 [...]
    python stance.py mix ROWS ENCODER:NAME OUT --name mix NAME NAME [...]    mean of the weights of runs with one start
    python stance.py score ROWS ENCODER:NAME OUT --name NAME                 scores of a saved run

ROWS has train.npz, pool.npz, dev.npz (../prepare.py) and ja_train.npz, ja_pool.npz, ja_dev.npz (rows.py), all in the new tokenizer's ids.
The last three may hold rows of mirror.py. `--frozen n`: word vectors and the first n layers stay as they are (6: the sentence encoder
itself, so one trunk serves both). The run ends by the clock. Writes OUT/NAME-0.safetensors, ... (what was trained), OUT/NAME.dev.npz (dev
logits), OUT/NAME.json.
"""
import argparse, json, math, sys, time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import net as nets  # noqa: E402
from evaluate import NAMES, softmax, summarise  # noqa: E402
from net import HIDDEN, LAYERS, POSITIONS, Master, Net, Texts, chunks, dequantized, from_bert, judge, load, pack, save, size_of, to_device  # noqa: E402
from pretrain import Feed, Order  # noqa: E402

NE, NONE = 3, 255
KINDS = "base,sci_fix,fever_neutral,passage,rule,science,conclusion,rule_ja,cross"
REPEAT = "scifact=2,check_covid=4,jsnli_dev=3,jsick=2,jnli_valid=2,snli_mirror=2"
JAPANESE = ("jsnli_dev", "jsick", "jamp", "jsem")


class Rows:
    """Claims and evidence of several files in one array of tokens."""

    def __init__(self, folder, *names):
        self.texts, claim, evidence = Texts(), [], []
        self.label, self.kind, self.source, self.file = [], [], [], []
        for f, name in enumerate(names):
            z = np.load(folder / f"{name}.npz")
            c, e = z["clen"].astype(np.int64), z["elen"].astype(np.int64)
            at = self.texts.add_flat(z["tokens"], c + e)
            claim.append(np.stack([at[:, 0], c], 1))
            evidence.append(np.stack([at[:, 0] + c, e], 1))
            self.label.append(z["label"].astype(np.int64))
            # z[..] unpacks the file each time: once per array, not once per row
            self.kind.append(z["kinds"].astype(str)[z["kind"]])
            self.source.append(z["sources"].astype(str)[z["source"]])
            self.file.append(np.full(len(c), f))
        self.claim, self.evidence = np.concatenate(claim), np.concatenate(evidence)
        self.label, self.kind, self.source, self.file = (np.concatenate(x) for x in (self.label, self.kind, self.source, self.file))
        self.size = size_of(self.claim, self.evidence)
        self.tokens = self.texts.tokens


def build(encoder, state=None):
    folder, name = encoder.rsplit(":", 1)
    sd = load(folder, name)
    torch.manual_seed(1)        # models to be averaged share the start
    network = Net(len(sd["word.weight"]))
    torch.nn.init.normal_(network.pool.weight, std=0.02)
    missing, extra = network.load_state_dict(sd, strict=False)
    assert not extra and all(m.startswith(("guess", "pool", "stance")) for m in missing), (missing, extra)
    if state:
        _, extra = network.load_state_dict(state, strict=False)
        assert not extra
    return network


def teach(a, device):
    """Logits and pooled vectors of the English stance model: rows of train.npz and pool.npz, and the English side of ja_pool.npz."""
    from tokenizers import Tokenizer
    t0 = time.time()
    tok, wordpiece = Tokenizer.from_file(a.tokenizer), Tokenizer.from_file(str(Path(a.stance) / "tokenizer.json"))
    for t in (tok, wordpiece):
        t.no_padding()
        t.no_truncation()
    sd = dequantized(Path(a.stance) / "model.safetensors")
    model = Net(len(sd["bert.embeddings.word_embeddings.weight"]))
    missing, extra = model.load_state_dict(from_bert(sd, "bert."), strict=False)
    assert not extra and all(m.startswith("guess") for m in missing), (missing, extra)
    model = model.to(device, torch.bfloat16 if device.type == "cuda" else torch.float32).eval()
    out, pooled = {}, {}
    for name in ("train", "pool", "ja_pool", "dev"):
        z = np.load(a.rows / f"{name}.npz")
        p = "t_" if name == "ja_pool" else ""
        tokens, c, e = z[p + "tokens"], z[p + "clen"].astype(np.int64), z[p + "elen"].astype(np.int64)
        n = len(c) if not a.limit else min(a.limit, len(c))
        ends = np.cumsum(c + e)
        cut = [(tokens[end - y - x:end - y].tolist(), tokens[end - y:end].tolist()) for end, x, y in zip(ends[:n], c, e)]
        sides, texts = [], Texts()
        for k in (0, 1):
            words = []
            for at in range(0, n, 50_000):
                words += [x.ids for x in wordpiece.encode_batch_fast(tok.decode_batch([x[k] for x in cut[at:at + 50_000]]), add_special_tokens=False)]
            sides.append(words)
        claim = texts.add([x[:160] for x in sides[0]])
        evidence = texts.add([y[:512 - 3 - min(160, len(x))] for x, y in zip(*sides)])
        pooled[name] = np.zeros((n, HIDDEN), np.float16)
        out[name] = judge(model, texts.tokens, claim, evidence, device, marks=(101, 102), pooled=pooled[name]).astype(np.float16)
        print(f"[{time.time() - t0:.0f} s] taught {name}: {n}", flush=True)
    z = np.load(a.rows / "dev.npz")
    n = len(out["dev"])
    print("the teacher on the English dev sets:", {k: round(v, 4) for k, v in summarise(z["label"][:n], z["source"][:n], list(map(str, z["sources"])), out["dev"].astype(np.float32))["mean"].items()}, flush=True)
    a.out.mkdir(parents=True, exist_ok=True)
    np.savez(a.out / "taught.npz", **out)
    np.savez(a.out / "taught-pooled.npz", **{k: v for k, v in pooled.items() if k != "dev"})
    save({k: v for k, v in model.state_dict().items() if k.startswith(("pool.", "stance."))}, a.out, "taught-head")


def refuting(logits, label):
    """Precision and recall of `refutes` when it is the most probable label."""
    said = logits.argmax(1) == 1
    return dict(precision=float((label[said] == 1).mean()) if said.any() else 0.0, recall=float(said[label == 1].mean()) if (label == 1).any() else 0.0, fired=int(said.sum()))


def score(network, rows_dir, device, limit=0):
    """(scores, logits of dev.npz, logits of ja_dev.npz)"""
    network.eval()
    out, found = {}, []
    for name in ("dev", "ja_dev"):
        rows = Rows(rows_dir, name)
        n = min(limit, len(rows.size)) if limit else len(rows.size)
        pick = np.random.default_rng(0).permutation(len(rows.size))[:n] if limit else np.arange(n)
        logits = judge(network, rows.tokens, rows.claim[pick], rows.evidence[pick], device)
        found.append(logits)
        sources = sorted(set(rows.source[pick]))
        at = np.array([sources.index(s) for s in rows.source[pick]])
        label = rows.label[pick]
        out[name] = summarise(label, at, sources, logits)
        for s in sources:
            if (label[at == sources.index(s)] == 1).any():
                out[name]["sets"][s]["refutes"] = refuting(logits[at == sources.index(s)], label[at == sources.index(s)])
    sets = out["ja_dev"]["sets"]
    four = [sets[s] for s in JAPANESE if s in sets]
    out["japanese"] = {k: float(np.mean([r[k] for r in four])) for k in ("accuracy", "macro_f1", "ece")} if four else {}
    out["english"] = {k: out["dev"]["mean"][k] for k in ("accuracy", "macro_f1", "ece")}
    return out, found


def told(s):
    sets = s["ja_dev"]["sets"]
    return (f"English {100 * s['english']['accuracy']:.1f}/{100 * s['english']['macro_f1']:.1f} Japanese "
            + (f"{100 * s['japanese']['accuracy']:.1f}/{100 * s['japanese']['macro_f1']:.1f} " if s["japanese"] else "")
            + " ".join(f"{k} {100 * v['accuracy']:.0f}/{100 * v['macro_f1']:.0f}" + (f" (refutes {v['refutes']['precision']:.2f}/{v['refutes']['recall']:.2f})" if "refutes" in v else "") for k, v in sets.items()))


def finish(a, network, state, trained, device, extra):
    save(state, a.out, a.name, keep=lambda k: k in trained, notes=extra.get("settings"))
    network = network.to(device, torch.bfloat16 if device.type == "cuda" else torch.float32)
    s, found = score(network, a.rows, device, a.limit)
    np.savez_compressed(a.out / f"{a.name}.dev.npz", dev=found[0].astype(np.float16), ja_dev=found[1].astype(np.float16))
    (a.out / f"{a.name}.json").write_text(json.dumps(dict(extra, score=s)))
    print(f"{a.name}: {told(s)}", flush=True)


def train(a, device):
    t0 = time.time()
    state = load(a.out, a.begin) if a.begin else load(Path(a.taught).parent, "taught-head") if a.pooled else None
    network = build(a.encoder, state).to(device)
    if not a.no_compile:
        network.compiled = nets.compiled(device, a.dropout, (a.width, a.rows_at_once, POSITIONS))
    rows = Rows(a.rows, "train", "ja_train", "pool", "ja_pool")
    kinds = set(a.kinds.split(","))
    chosen = np.flatnonzero((rows.file <= 1) & np.isin(rows.kind, sorted(kinds)))
    for item in filter(None, a.repeat.split(",")):
        s, n = item.split("=")
        same = chosen[(rows.source[chosen] == s) & np.isin(rows.kind[chosen], ("base", "sci_fix"))]
        chosen = np.concatenate([chosen] + [same] * (int(n) - 1))
    soft, near = torch.zeros(len(rows.size), 3), None
    have = np.zeros(len(rows.size), bool)
    if a.taught:
        z = np.load(a.taught)
        for f, name in ((0, "train"), (2, "pool"), (3, "ja_pool")):
            at = np.flatnonzero(rows.file == f)[:len(z[name])]
            soft[torch.tensor(at)] = torch.softmax(torch.tensor(z[name].astype(np.float32)) / a.soften, 1)
            have[at] = True
        if a.pooled:
            z = np.load(Path(a.taught).with_name("taught-pooled.npz"))
            near = torch.zeros(len(rows.size), HIDDEN, dtype=torch.float16)
            for f, name in ((0, "train"), (2, "pool"), (3, "ja_pool")):
                v = torch.from_numpy(z[name])
                first = int(np.flatnonzero(rows.file == f)[0])
                near[first:first + len(v)] = v
            near = near.to(device)
        chosen = np.concatenate([chosen, np.flatnonzero((rows.file >= 2) & have)])
    soft, known, label = soft.to(device), torch.tensor(have, device=device), torch.tensor(rows.label, device=device)
    names = [n for n, _ in network.named_parameters() if n.startswith(("pool.", "stance.")) or (n.startswith("layers.") and int(n.split(".")[1]) >= a.frozen)]
    if a.frozen == 0:
        names += ["norm.weight", "norm.bias", "position.weight", "kind.weight"]
    params = dict(network.named_parameters())
    master = Master(network, [([n for n in names if params[n].ndim > 1], 1.0, 0.01), ([n for n in names if params[n].ndim <= 1], 1.0, 0.0)], device)
    print(f"[{time.time() - t0:.0f} s] {a.name}: {len(chosen)} rows, {int(rows.size[chosen].sum())} tokens, {sum(m.numel() for m in master.copy) / 1e6:.1f} M weights trained", flush=True)
    order = Order(0, np.random.default_rng(a.seed), chosen)

    def make():
        i = order.take(rows.size, a.width, a.rows_at_once - a.width // 64 // 4 - 2)
        gap = a.width - int(rows.size[i].sum())
        while len(i) + gap // 64 + 1 > a.rows_at_once:      # only where rows are very short
            i = i[:-8]
            gap = a.width - int(rows.size[i].sum())
        return pack(rows.tokens, rows.claim[i], rows.evidence[i], width=a.width, rows=a.rows_at_once)[:4], i
    feed = Feed(make)
    began, step, seen, last, sums, told_at = time.time(), 0, 0, time.time(), torch.zeros((), device=device), 0
    torch.manual_seed(a.seed)
    assert a.seconds or a.deadline
    a.seconds = a.seconds or max(10.0, a.deadline - began)

    def share():
        return min(1.0, (time.time() - began) / a.seconds)
    while share() < 1.0 and not (a.steps and step >= a.steps):
        arrays, i = feed.next()
        ids, kinds_, pos, bounds = to_device(arrays, device)
        batch = (ids, kinds_, pos, bounds, POSITIONS)
        h = None
        if a.frozen:
            with torch.no_grad():
                h = network.hidden(batch, 0, a.frozen, run=network.compiled)
        h = network.hidden(batch, a.frozen, LAYERS, a.dropout, h)
        pooled = network.pooled(h, bounds, len(i))
        logp = F.log_softmax(network.stance(nets.drop(pooled, a.dropout)).float(), 1)
        at = to_device((i,), device)[0]
        y = label[at]
        three = y.clamp(max=2)
        loss = F.nll_loss(logp, three, reduction="none")
        loss = (1 - a.smooth) * loss - a.smooth * logp.mean(1)
        loss = torch.where(y == NE, -torch.logsumexp(logp[:, 1:], 1), loss)     # not supported: -log(pC + pN)
        alpha = torch.where(y == NONE, 1.0, a.alpha) * known[at]
        loss = (alpha * -(soft[at] * logp).sum(1) + (1 - alpha) * loss).mean()
        if near is not None:
            loss = loss + a.pooled * (((pooled.float() - near[at].float()) ** 2).mean(1) * known[at]).mean()
        loss.backward()
        s = share()
        master.step(a.rate * min(1.0, (s + 1e-4) / 0.06) * (0.01 + 0.99 * (1 - max(0.0, s - 0.06) / 0.94)))
        step += 1
        seen += len(i)
        sums += loss.detach()
        if step == 1:
            began = time.time()     # compiling is not training
            if a.deadline:
                a.seconds = max(10.0, a.deadline - began)
        if step in (1, 10) or step % 100 == 0:
            now = time.time()
            value = float(sums) / (step - told_at)
            print(f"[{now - t0:.0f} s] {a.name} step {step} ({100 * share():.0f} %, {seen / len(chosen):.2f} epochs, {(step - told_at) * a.width / max(1e-3, now - last) / 1e6:.2f} M tokens/s) loss {value:.4f}", flush=True)
            assert math.isfinite(value)
            sums.zero_()
            last, told_at = now, step
    settings = {k: str(v) if isinstance(v, Path) else v for k, v in vars(a).items()}
    finish(a, network, master.state(), set(names), device, dict(settings=settings, rows=len(chosen), steps=step, epochs=seen / len(chosen), seconds=round(time.time() - t0, 1)))


def mix(a, device):
    sds = [load(a.out, n) for n in a.names]
    state = {k: sum(s[k] for s in sds) / len(sds) for k in sds[0]}
    network = build(a.encoder, state)
    finish(a, network, state, set(state), device, dict(settings=dict(mixed=a.names)))


def main():
    ap = argparse.ArgumentParser()
    sub = ap.add_subparsers(dest="verb", required=True)
    p = sub.add_parser("teach")
    p.add_argument("rows", type=Path)
    p.add_argument("tokenizer")
    p.add_argument("stance")
    p.add_argument("out", type=Path)
    p.add_argument("--limit", type=int, default=0)
    for verb in ("train", "mix", "score"):
        p = sub.add_parser(verb)
        p.add_argument("rows", type=Path)
        p.add_argument("encoder", help="FOLDER:NAME")
        p.add_argument("out", type=Path)
        p.add_argument("--name", required=True)
        p.add_argument("--limit", type=int, default=0, help="dev rows; for tests")
        if verb == "mix":
            p.add_argument("names", nargs="+")
        if verb == "train":
            p.add_argument("--frozen", type=int, default=6)
            p.add_argument("--seconds", type=float, default=0)
            p.add_argument("--deadline", type=float, default=0, help="instead: the time (Unix) at which training ends")
            p.add_argument("--taught", default="", help="taught.npz")
            p.add_argument("--soften", type=float, default=1.0)
            p.add_argument("--alpha", type=float, default=0.4, help="weight of the teacher on labelled English rows")
            p.add_argument("--pooled", type=float, default=0.0, help="weight of the distance to the teacher's pooled vector where it is known; the head then starts as the teacher's")
            p.add_argument("--begin", default="", help="name of a run in OUT to go on from")
            p.add_argument("--kinds", default=KINDS)
            p.add_argument("--repeat", default=REPEAT)
            p.add_argument("--rate", type=float, default=3e-4)
            p.add_argument("--width", type=int, default=49152)
            p.add_argument("--rows-at-once", type=int, default=2048)
            p.add_argument("--dropout", type=float, default=0.1)
            p.add_argument("--smooth", type=float, default=0.03)
            p.add_argument("--seed", type=int, default=1)
            p.add_argument("--no-compile", action="store_true")
            p.add_argument("--steps", type=int, default=0)
    a = ap.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if a.verb == "teach":
        teach(a, device)
    elif a.verb == "train":
        train(a, device)
    elif a.verb == "mix":
        mix(a, device)
    else:
        network = build(a.encoder, load(a.out, a.name)).to(device, torch.bfloat16 if device.type == "cuda" else torch.float32)
        print(told(score(network, a.rows, device, a.limit)[0]))


if __name__ == "__main__":
    main()
