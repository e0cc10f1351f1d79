"""Trains a student of the large judge: the small English one, or the Japanese and mixed one on the bilingual encoder.

    python student.py small ROWS TOKENIZER.json BASE LABELS OUT --seconds 170
    python student.py bilingual ROWS TOKENIZER.json SHIPPED LABELS OUT --seconds 280 --near OUT:small --wordpiece TOKENIZER.json

ROWS: rows.py's folder; for `bilingual` also ja_train.npz and ja_dev.npz of ../encoder/rows.py and ../encoder/mirror.py. BASE: parts of gte-small
(travelling). SHIPPED: the shipped bilingual folder; word vectors and the first three layers stay as they are. LABELS: labels.npz of large.py.
`--near`: the pooled vectors of the small judge are a second thing to learn, where a row has an English side. Ends by the clock.
Writes OUT/NAME-N.safetensors (float16), OUT/NAME.safetensors (int8, as the crate reads it), OUT/NAME.json, OUT/NAME.eval.npz.
"""
import argparse, json, math, sys, time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "encoder")]
import net as nets  # noqa: E402
from large import scores, told  # noqa: E402
from base import quantize_rows  # noqa: E402
from mpnet import arrived, is_quantized  # noqa: E402
from net import EXIT, HIDDEN, LAYERS, POSITIONS, Master, Net, Texts, dequantized, from_bert, judge, load, named, pack, save, size_of, to_device  # noqa: E402
from pretrain import Feed, Order  # noqa: E402
from texts import load as rows_of  # noqa: E402

NE, NONE = 3, 255
MARKS = {"small": (101, 102), "bilingual": (2, 3)}
FROZEN = {"small": 0, "bilingual": 3}
REPEAT = {"small": {"scifact": 2, "check_covid": 3, "statements": 2},
          "bilingual": {"jsnli_dev": 3, "jsick": 2, "jnli_valid": 2, "snli_mirror": 2, "statements": 2, "statements_ja": 3, "statements_across": 3}}


class Bank:
    """Rows from texts and from token files, each with a label or none, the teacher's logits or none."""

    def __init__(self, tokenizer):
        self.tok = Tokenizer.from_file(str(tokenizer))
        self.tok.no_padding()
        self.tok.no_truncation()
        self.texts = Texts()
        self.claim, self.evidence, self.label, self.soft, self.kind, self.source, self.row = [], [], [], [], [], [], []

    def ids(self, texts, limit):
        return self.texts.add([x.ids[:limit] for x in self.tok.encode_batch_fast(texts, add_special_tokens=False)])

    def add(self, claims, evidence, label, soft, kind, source, row):
        """claims, evidence: (start, length); row: number of the English row they say the same as, or -1."""
        n = len(claims)
        evidence = evidence.copy()
        evidence[:, 1] = np.minimum(evidence[:, 1], 512 - 3 - claims[:, 1])
        self.claim.append(claims)
        self.evidence.append(evidence)
        self.label.append(np.full(n, label) if np.isscalar(label) else np.asarray(label))
        self.soft.append(np.full((n, 3), np.nan, np.float32) if soft is None else soft.astype(np.float32))
        self.kind.append(np.full(n, kind) if isinstance(kind, str) else np.asarray(kind))
        self.source.append(np.full(n, source) if isinstance(source, str) else np.asarray(source))
        self.row.append(np.full(n, -1) if row is None else row)

    def closed(self):
        for k in ("claim", "evidence", "label", "soft", "kind", "source", "row"):
            setattr(self, k, np.concatenate(getattr(self, k)))
        self.size = size_of(self.claim, self.evidence)
        self.tokens = self.texts.tokens
        return self


def token_file(bank, path):
    z = np.load(path)
    c, e = z["clen"].astype(np.int64), z["elen"].astype(np.int64)
    at = bank.texts.add_flat(z["tokens"], c + e)
    return np.stack([at[:, 0], c], 1), np.stack([at[:, 0] + c, e], 1), z["label"].astype(np.int64), z["kinds"].astype(str)[z["kind"]], z["sources"].astype(str)[z["source"]]


def layer_of(sd, i):
    return {k.split(".", 2)[2]: v for k, v in sd.items() if k.startswith(f"layers.{i}.")}


def with_head(hf, own):
    return {**hf, "bert.pooler.dense.weight": own["pool.weight"], "bert.pooler.dense.bias": own["pool.bias"], "classifier.weight": own["stance.weight"], "classifier.bias": own["stance.bias"]}


def quantized(sd):
    out = {}
    for k, v in sd.items():
        if is_quantized(k, v):
            out[k], out[k + "_scale"] = quantize_rows(v)
        else:
            out[k] = v.float().contiguous()
    return out


def small_start(base):
    sd = from_bert(arrived(sorted(base.glob("gte-*.safetensors"))))
    torch.manual_seed(1)
    net = Net(len(sd["word.weight"]))
    torch.nn.init.normal_(net.pool.weight, std=0.02)
    torch.nn.init.zeros_(net.pool.bias)
    missing, extra = net.load_state_dict(sd, strict=False)
    assert not extra and all(m.startswith(("guess", "pool", "stance")) for m in missing), (missing, extra)
    return net


def bilingual_start(shipped):
    """The shipped stance model: three layers of the encoder and nine of its own."""
    own = from_bert(dequantized(shipped / "model.safetensors"), "bert.")
    layers = json.loads((shipped / "stance/lyra.json").read_text())["layers"]
    state = {k: v for k, v in own.items() if not k.startswith("layers.")}
    for at, i in enumerate(layers):
        state.update({f"layers.{at}." + k.split(".", 2)[2]: v for k, v in own.items() if k.startswith(f"layers.{i}.")})
    net = Net(len(state["word.weight"]))
    missing, extra = net.load_state_dict(state, strict=False)
    assert not extra and all(m.startswith("guess") for m in missing), (missing, extra)
    return net


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kind", choices=("small", "bilingual"))
    ap.add_argument("rows", type=Path)
    ap.add_argument("tokenizer", type=Path)
    ap.add_argument("base", type=Path)
    ap.add_argument("labels", type=Path)
    ap.add_argument("out", type=Path)
    ap.add_argument("--name", default="")
    ap.add_argument("--seconds", type=float, default=170)
    ap.add_argument("--rate", type=float, default=2e-4)
    ap.add_argument("--alpha", type=float, default=0.6, help="weight of the teacher on labelled rows")
    ap.add_argument("--soften", type=float, default=1.3)
    ap.add_argument("--near", default="", help="FOLDER:NAME of the small judge whose pooled vectors are learned")
    ap.add_argument("--wordpiece", default="", help="its tokenizer")
    ap.add_argument("--pooled", type=float, default=5.0)
    ap.add_argument("--begin", default="", help="FOLDER:NAME of a run to go on from")
    ap.add_argument("--english", type=float, default=0.5, help="share of the English rows that the bilingual run sees")
    ap.add_argument("--neutral", type=float, default=0.45, help="share of the aligned pairs without a stance that the bilingual run sees")
    ap.add_argument("--width", type=int, default=49152)
    ap.add_argument("--rows-at-once", type=int, default=2048)
    ap.add_argument("--dropout", type=float, default=0.1)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--limit", type=int, default=0, help="for tests")
    ap.add_argument("--steps", type=int, default=0, help="for tests")
    a = ap.parse_args()
    a.name = a.name or a.kind
    t0 = time.time()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    marks, frozen = MARKS[a.kind], FROZEN[a.kind]
    z = np.load(a.labels)
    bank = Bank(a.tokenizer)
    rng = np.random.default_rng(a.seed)
    en, pool, aligned = rows_of(a.rows / "en.xz"), rows_of(a.rows / "en_pool.xz"), rows_of(a.rows / "aligned.xz")
    if a.limit:
        en, pool, aligned = en[:a.limit], pool[:a.limit], aligned[:a.limit]
    n, m = len(en), len(pool)
    bank.add(bank.ids([r[2] for r in en], 160), bank.ids([r[3] for r in en], 510), np.array([r[4] for r in en]), z["en"][:n], [r[0] for r in en], [r[1] for r in en], np.arange(n))
    bank.add(bank.ids([r[0] for r in pool], 160), bank.ids([r[1] for r in pool], 510), NONE, z["en_pool"][:m], "pool", "pool", n + np.arange(m))
    side = {k: bank.ids([r[i] for r in aligned], 160 if i < 2 else 340) for i, k in enumerate(("ce", "cj", "pe", "pj"))}
    k = len(aligned)
    soft, number = z["aligned"][:k], n + m + np.arange(k)
    if a.kind == "small":
        bank.add(side["ce"], side["pe"], NONE, soft, "aligned", "aligned", number)
    else:
        bank.add(side["cj"], side["pj"], NONE, soft, "aligned", "aligned", number)
        x = rng.random(k) < 0.5
        bank.add(np.where(x[:, None], side["cj"], side["ce"]), np.where(x[:, None], side["pe"], side["pj"]), NONE, soft, "aligned", "aligned", number)
        x = np.flatnonzero(rng.random(k) < 0.15)
        bank.add(side["ce"][x], side["pe"][x], NONE, soft[x], "aligned", "aligned", number[x])
        more = [r for r in rows_of(a.rows / "switched.xz") if r[0] < n]
        x = np.array([r[0] for r in more])
        bank.add(bank.ids([r[1] for r in more], 160), bank.ids([r[2] for r in more], 510), bank.label[0][x], z["en"][:n][x], "switched", "switched", x)
        c, e, l, kinds, sources = token_file(bank, a.rows / "ja_train.npz")
        bank.add(c, e, l, None, kinds, sources, None)
        more = rows_of(a.rows / "ja.xz")
        bank.add(bank.ids([r[2] for r in more], 160), bank.ids([r[3] for r in more], 340), np.array([r[4] for r in more]), None, [r[0] for r in more], [r[1] for r in more], None)
    bank.closed()
    chosen = np.arange(len(bank.size))
    if a.kind == "bilingual":
        gone = set(map(tuple, rows_of(a.rows / "gone.xz"))) if (a.rows / "gone.xz").exists() else set()
        hidden = np.array([(r[3],) in gone for r in en] + [False] * (len(chosen) - n))
        is_en = np.isin(bank.row, np.arange(n + m)) & ~np.isin(bank.kind, ("aligned", "switched"))
        chosen = chosen[~hidden & (~is_en | (rng.random(len(chosen)) < a.english))]
        # most neighbours decide nothing: of those a part, of the others each three times
        likely = bank.soft[chosen].argmax(1)
        beside = bank.kind[chosen] == "aligned"
        chosen = np.concatenate([chosen[~(beside & (likely == 2)) | (rng.random(len(chosen)) < a.neutral)], np.repeat(chosen[beside & (likely != 2)], 2)])
    chosen = np.concatenate([np.repeat(i, REPEAT[a.kind].get(bank.source[i], 1) if bank.kind[i] in ("base", "sci_fix", "stated") else 1) for i in chosen])
    print(f"[{time.time() - t0:.0f} s] {a.name}: {len(chosen)} rows, {int(bank.size[chosen].sum())} tokens", flush=True)

    test = Bank(a.tokenizer)
    ev = rows_of(a.rows / "en_eval.xz")
    ev = ev[::max(1, len(ev) // a.limit)] if a.limit else ev
    test.add(test.ids([r[1] for r in ev], 160), test.ids([r[2] for r in ev], 510), np.array([r[3] for r in ev]), None, "dev", [r[0] for r in ev], None)
    if a.kind == "bilingual":
        c, e, l, _, s = token_file(test, a.rows / "ja_dev.npz")
        test.add(c, e, l, None, "ja", s, None)
        more = rows_of(a.rows / "ja_eval.xz")
        test.add(test.ids([r[1] for r in more], 160), test.ids([r[2] for r in more], 340), np.array([r[3] for r in more]), None, "ja", [r[0] for r in more], None)
    test.closed()
    pick = np.arange(len(test.size)) if not a.limit else np.random.default_rng(0).permutation(len(test.size))[:a.limit]
    kind, source, truth = test.kind[pick], test.source[pick], test.label[pick]
    none = np.zeros((len(pick), 3), np.float32)         # a set that cannot be scored is found now, not after the run
    told(source[kind == "dev"], truth[kind == "dev"], none[kind == "dev"], quiet=True)
    if a.kind == "bilingual":
        scores(source[kind != "dev"], truth[kind != "dev"], none[kind != "dev"])
    print(f"[{time.time() - t0:.0f} s] {len(pick)} rows to judge", flush=True)

    network = small_start(a.base) if a.kind == "small" else bilingual_start(a.base)
    near = None
    if a.near:      # what the small judge makes of the English side of every row
        folder, name = a.near.rsplit(":", 1)
        sd = load(folder, name)
        teacher = Net(len(sd["word.weight"]))
        teacher.load_state_dict(sd, strict=False)
        teacher = teacher.to(device, torch.bfloat16 if device.type == "cuda" else torch.float32).eval()
        word = Bank(a.wordpiece)
        text = [(r[2], r[3]) for r in en] + [tuple(r) for r in pool] + [(r[0], r[2]) for r in aligned]
        c, e = word.ids([t[0] for t in text], 160), word.ids([t[1] for t in text], 510)
        e[:, 1] = np.minimum(e[:, 1], 512 - 3 - c[:, 1])
        pooled = np.zeros((len(text), HIDDEN), np.float16)
        judge(teacher, word.texts.tokens, c, e, device, marks=MARKS["small"], pooled=pooled)
        near = torch.from_numpy(pooled).to(device)
        if not a.begin:
            network.load_state_dict({k: v for k, v in sd.items() if k.startswith(("pool.", "stance."))}, strict=False)
        del teacher
        print(f"[{time.time() - t0:.0f} s] pooled vectors of {len(text)} rows", flush=True)
    if a.begin:
        network.load_state_dict(load(*a.begin.rsplit(":", 1)), strict=False)
    network = network.to(device)
    network.compiled = nets.compiled(device, a.dropout, (a.width, a.rows_at_once, POSITIONS))
    params = dict(network.named_parameters())
    names = [x for x in params if x.startswith(("pool.", "stance.")) or (x.startswith("layers.") and int(x.split(".")[1]) >= frozen)]
    if not frozen:
        names += ["norm.weight", "norm.bias", "position.weight", "kind.weight", "word.weight"]
    master = Master(network, [([x for x in names if params[x].ndim > 1], 1.0, 0.01), ([x for x in names if params[x].ndim <= 1], 1.0, 0.0)], device)
    known = torch.tensor(~np.isnan(bank.soft[:, 0]), device=device)
    soft = torch.softmax(torch.tensor(np.nan_to_num(bank.soft)) / a.soften, 1).to(device)
    label, row = torch.tensor(bank.label, device=device), torch.tensor(bank.row, device=device)
    order = Order(0, np.random.default_rng(a.seed), chosen)

    def make():
        i = order.take(bank.size, a.width, a.rows_at_once - a.width // 64 // 4 - 2)
        while len(i) + (a.width - int(bank.size[i].sum())) // 64 + 1 > a.rows_at_once:
            i = i[:-8]
        return pack(bank.tokens, bank.claim[i], bank.evidence[i], width=a.width, rows=a.rows_at_once, marks=marks)[:4], i
    feed = Feed(make)
    torch.manual_seed(a.seed)
    began, step, seen, last, sums, told_at = time.time(), 0, 0, time.time(), torch.zeros((), device=device), 0
    share = lambda: min(1.0, (time.time() - began) / a.seconds)
    while share() < 1.0 and not (a.steps and step >= a.steps):
        arrays, i = feed.next()
        ids, kinds, pos, bounds = to_device(arrays, device)
        batch, h = (ids, kinds, pos, bounds, POSITIONS), None
        if frozen:
            with torch.no_grad():
                h = network.hidden(batch, 0, frozen, run=network.compiled)
        h = network.hidden(batch, frozen, LAYERS, a.dropout, h)
        pooled = network.pooled(h, bounds, len(i))
        logp = F.log_softmax(network.stance(nets.drop(pooled, a.dropout)).float(), 1)
        at = to_device((i,), device)[0]
        y = label[at]
        loss = F.nll_loss(logp, y.clamp(max=2), reduction="none")
        loss = torch.where(y == NE, -torch.logsumexp(logp[:, 1:], 1), loss)
        alpha = torch.where(y == NONE, 1.0, a.alpha) * known[at]
        loss = (alpha * -(soft[at] * logp).sum(1) + (1 - alpha) * loss).mean()
        if near is not None:
            has = row[at] >= 0
            loss = loss + a.pooled * (((pooled.float() - near[row[at].clamp_min(0)].float()) ** 2).mean(1) * has).mean()
        loss.backward()
        s = share()
        master.step(a.rate * min(1.0, (s + 1e-4) / 0.06) * (0.01 + 0.99 * (1 - max(0.0, s - 0.06) / 0.94)))
        step += 1
        seen += len(i)
        sums += loss.detach()
        if step == 1:
            began = time.time()
        if step in (1, 10) or step % 200 == 0:
            now, value = time.time(), float(sums) / (step - told_at)
            print(f"[{now - t0:.0f} s] {a.name} step {step} ({100 * share():.0f} %, {seen / len(chosen):.2f} epochs, {(step - told_at) * a.width / max(1e-3, now - last) / 1e6:.2f} M tokens/s) loss {value:.4f}", flush=True)
            assert math.isfinite(value)
            sums.zero_()
            last, told_at = now, step
    state = master.state()
    save(state, a.out, a.name, keep=(lambda x: not x.startswith("guess")) if a.kind == "small" else (lambda x: x in set(names)))
    print(f"[{time.time() - t0:.0f} s] saved {a.name}", flush=True)

    # int8, as it is shipped; scores are those of the int8 weights
    path = a.out / f"{a.name}.safetensors"
    own = {k: v.cpu() for k, v in state.items()}
    if a.kind == "small":
        tensors = quantized(with_head(named(own, LAYERS, "bert."), own))
    else:           # the encoder's part of the shipped file stays as it is, bit for bit
        tensors = load_file(a.base / "model.safetensors")
        moved = {k.replace(f"layers.{i}.", f"layers.{EXIT + i - frozen}.", 1): v for k, v in own.items() for i in range(frozen, LAYERS) if k.startswith(f"layers.{i}.")}
        fresh = named({**{k: v for k, v in own.items() if not k.startswith("layers.")}, **{f"layers.{i}." + k: v for i in range(EXIT) for k, v in layer_of(own, 0).items()}, **moved}, EXIT + LAYERS - frozen, "bert.")
        keep = tuple(f"bert.encoder.layer.{i}." for i in range(EXIT)) + ("bert.embeddings.",)
        fresh = quantized(with_head({k: v for k, v in fresh.items() if not k.startswith(keep)}, own))
        assert set(fresh) <= set(tensors), set(fresh) - set(tensors)
        tensors.update(fresh)
    save_file(tensors, path, metadata={"format": "pt"})
    back = from_bert(dequantized(path), "bert.")
    layers = list(range(LAYERS)) if a.kind == "small" else [*range(frozen), *range(EXIT, EXIT + LAYERS - frozen)]
    exact = {k: v for k, v in back.items() if not k.startswith("layers.")}
    for at, i in enumerate(layers):
        exact.update({f"layers.{at}.{k}": v for k, v in layer_of(back, i).items()})
    network = network.float()
    missing, extra = network.load_state_dict(exact, strict=False)
    assert not extra and all(x.startswith("guess") for x in missing), (missing, extra)
    network = network.to(device, torch.bfloat16 if device.type == "cuda" else torch.float32).eval()
    logits = judge(network, test.texts.tokens, test.claim[pick], test.evidence[pick], device, marks=marks)
    m = kind == "dev"
    result = dict(english=told(source[m], truth[m], logits[m]))
    if a.kind == "bilingual":
        s = scores(source[~m], truth[~m], logits[~m])
        result["japanese"] = {x: dict(n=v["n"], accuracy=v["accuracy"], macro_f1=v["macro_f1"]) for x, v in s["sets"].items()}
        four = [v for x, v in s["sets"].items() if x in ("jsnli_dev", "jsick", "jamp", "jsem")]
        print(f"Japanese, four sets: {100 * np.mean([v['accuracy'] for v in four]):.1f}/{100 * np.mean([v['macro_f1'] for v in four]):.1f} | " + " ".join(f"{x} {100 * v['accuracy']:.0f}/{100 * v['macro_f1']:.0f}" for x, v in s["sets"].items()), flush=True)
        for f in ("hand.tsv", "hand_2.tsv"):
            lines = [x.split("\t") for x in (HERE.parent / "encoder" / f).read_text().splitlines() if not x.startswith("#")]
            b = Bank(a.tokenizer)
            got = judge(network, *(lambda c, e: (b.texts.tokens, c, e))(b.ids([x[0] for x in lines], 160), b.ids([x[1] for x in lines], 340)), device, marks=marks).argmax(1)
            y = np.array([["supports", "refutes", "neutral"].index(x[2]) for x in lines])
            across = np.array([x[0].isascii() != x[1].isascii() for x in lines])
            result[f] = dict(japanese=float((got == y)[~across].mean()), across=float((got == y)[across].mean()))
            print(f, {k: round(100 * v, 1) for k, v in result[f].items()}, "rows: truth, columns: said", [[int(((y == i) & (got == j)).sum()) for j in range(3)] for i in range(3)], flush=True)
    np.savez_compressed(a.out / f"{a.name}.eval.npz", logits=logits.astype(np.float32))
    settings = {k: str(v) if isinstance(v, Path) else v for k, v in vars(a).items()}
    (a.out / f"{a.name}.json").write_text(json.dumps(dict(settings=settings, rows=len(chosen), steps=step, epochs=seen / len(chosen), seconds=round(time.time() - t0), scores=result)))
    (a.out / f"{a.name}.done").write_text("")
    print(f"[{time.time() - t0:.0f} s] done", flush=True)


if __name__ == "__main__":
    main()
