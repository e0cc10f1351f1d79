"""Goes on from a shipped judge, on a CPU or a GPU: the written statements, and as many rows of its own training again so that it keeps what it knew.

    python further.py bilingual ROWS WEIGHTS OUT --minutes 60      WEIGHTS: crates/models/weights/bilingual
    python further.py small ROWS WEIGHTS OUT                       .../stance-en
    python further.py large ROWS WEIGHTS OUT --upper 4             .../stance-en-large; only the upper layers are trained

ROWS: rows.py's folder; for `bilingual` also ja_train.npz and ja_dev.npz of ../encoder/rows.py. Computes in bfloat16 beside float32 masters, rows of similar
length together, ends by the clock. Writes OUT: the files of WEIGHTS with the new weights (int8, same names), scores.json (before and after, by set) and eval.npz.
"""
import argparse, json, math, shutil, sys, time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "encoder")]
import mpnet  # noqa: E402
import net as bert  # noqa: E402
from base import quantize_rows  # noqa: E402
from evaluate import score, softmax  # noqa: E402
from student import bilingual_start, with_head  # noqa: E402
from texts import load as rows_of  # noqa: E402

NE = 3
LIMITS = {"bilingual": (160, 340), "small": (160, 510), "large": (160, 508)}
# of the rows of the earlier training, by kind: how many for each row of the statements
AGAIN = {"bilingual": {"ja": 0.3, "english": 0.1}, "small": {"english": 0.8}, "large": {"english": 0.4}}
SILENT = 0.65                   # share of the neutral rows of the statements that is read: half of all are


class Bert(torch.nn.Module):
    """The small and the bilingual judge over padded rows."""

    def __init__(self, kind, weights):
        super().__init__()
        self.kind, self.marks = kind, (2, 3) if kind == "bilingual" else (101, 102)
        if kind == "bilingual":
            self.net = bilingual_start(weights)
        else:
            sd = bert.from_bert(bert.dequantized(weights / "model.safetensors"), "bert.")
            self.net = bert.Net(len(sd["word.weight"]))
            missing, extra = self.net.load_state_dict(sd, strict=False)
            assert not extra and all(m.startswith("guess") for m in missing), (missing, extra)

    def trained(self, upper):
        first = max(bert.LAYERS - upper, 3 if self.kind == "bilingual" else 0)
        self.first = first
        return [n for n, _ in self.net.named_parameters() if n.startswith(("pool.", "stance.")) or n.startswith("layers.") and int(n.split(".")[1]) >= first]

    def rows(self, claims, evidence, width):
        n = len(claims)
        ids, kinds, real = np.zeros((n, width), np.int64), np.zeros((n, width), np.int64), np.zeros((n, width), bool)
        for i, (c, e) in enumerate(zip(claims, evidence)):
            row = [self.marks[0], *c, self.marks[1], *e, self.marks[1]]
            ids[i, :len(row)], real[i, :len(row)], kinds[i, len(c) + 2:len(row)] = row, True, 1
        return tuple(map(torch.from_numpy, (ids, kinds, real)))

    def forward(self, batch, dropout=0.0):
        ids, kinds, real = batch
        n, width = ids.shape
        it = self.net
        mask = real[:, None, None, :]
        h = it.norm(it.word(ids) + it.kind(kinds) + it.position(torch.arange(width, device=ids.device))).view(-1, bert.HIDDEN)
        for at, x in enumerate(it.layers):
            share = dropout if at >= self.first else 0.0
            with torch.set_grad_enabled(torch.is_grad_enabled() and at >= self.first):
                qkv, qkv_b, out, out_b, g1, b1, up, up_b, down, down_b, g2, b2 = x.weights()
                q, k, v = F.linear(h, qkv, qkv_b).view(n, width, 3, bert.HEADS, -1).permute(2, 0, 3, 1, 4)
                a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(-1, bert.HIDDEN)
                h = F.layer_norm(F.dropout(F.linear(a, out, out_b), share, share > 0) + h, (bert.HIDDEN,), g1, b1, bert.EPS)
                m = F.linear(F.gelu(F.linear(h, up, up_b)), down, down_b)
                h = F.layer_norm(F.dropout(m, share, share > 0) + h, (bert.HIDDEN,), g2, b2, bert.EPS)
        x = torch.tanh(it.pool(h.view(n, width, -1)[:, 0]))
        return it.stance(F.dropout(x, dropout, dropout > 0)).float()

    def ship(self, state, weights, out):
        tensors = load_file(weights / "model.safetensors")
        names = {}
        for n, v in state.items():
            if n.startswith("layers."):
                _, i, rest = n.split(".", 2)
                at = int(i) if self.kind == "small" else bert.EXIT + int(i) - 3
                names[f"layers.{at}.{rest}"] = v
            else:
                names[n] = v
        lower = min(int(n.split(".")[1]) for n in names if n.startswith("layers."))
        upper = max(int(n.split(".")[1]) for n in names if n.startswith("layers."))
        whole = {**{k: v for k, v in bert.from_bert(bert.dequantized(weights / "model.safetensors"), "bert.").items()}, **names}
        fresh = with_head({k: v for k, v in bert.named(whole, upper + 1, "bert.").items() if any(k.startswith(f"bert.encoder.layer.{i}.") for i in range(lower, upper + 1))}, whole)
        for k, v in fresh.items():
            assert k in tensors, k
            if k + "_scale" in tensors:
                tensors[k], tensors[k + "_scale"] = quantize_rows(v.float().contiguous())
            else:
                tensors[k] = v.to(tensors[k].dtype).contiguous()
        save_file(tensors, out / "model.safetensors", metadata={"format": "pt"})


class Large(torch.nn.Module):
    def __init__(self, kind, weights):
        super().__init__()
        tensors = {}
        for f in sorted(weights.glob("model-*.safetensors")):
            tensors.update(load_file(f))
        self.net = mpnet.Net()
        self.net.load_state_dict(mpnet.from_hf(mpnet.exact(tensors), "mpnet."))

    def trained(self, upper):
        self.first = mpnet.LAYERS - upper
        return [n for n, _ in self.net.named_parameters() if n.startswith(("pool.", "stance.")) or n.startswith("layers.") and int(n.split(".")[1]) >= self.first]

    def rows(self, claims, evidence, width):
        n = len(claims)
        ids, real = np.full((n, width), mpnet.PAD, np.int64), np.zeros((n, width), bool)
        for i, (c, e) in enumerate(zip(claims, evidence)):
            row = [0, *c, 2, 2, *e, 2]      # the shipped tokenizer gives MPNet's ids
            ids[i, :len(row)], real[i, :len(row)] = row, True
        return torch.from_numpy(ids), torch.from_numpy(real)

    def forward(self, batch, dropout=0.0):
        ids, real = batch
        n, width = ids.shape
        it = self.net
        at = torch.arange(width, device=ids.device)
        bias = it.relative[mpnet.bucket(at[None] - at[:, None])].permute(2, 0, 1)[None].float()
        mask = (bias + torch.where(real, 0.0, -1e4)[:, None, None]).to(it.word.weight.dtype)
        h = it.norm(it.word(ids) + it.position(torch.where(real, at[None] + 2, mpnet.PAD))).view(-1, mpnet.HIDDEN)
        for i, x in enumerate(it.layers):
            with torch.set_grad_enabled(torch.is_grad_enabled() and i >= self.first):
                q, k, v = F.linear(h, x.qkv, x.qkv_b).view(n, width, 3, mpnet.HEADS, -1).permute(2, 0, 3, 1, 4)
                a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
                h = mpnet.behind(a.transpose(1, 2).reshape(-1, mpnet.HIDDEN), h, x.weights(), dropout if i >= self.first else 0.0)
        x = torch.tanh(it.pool(h.view(n, width, -1)[:, 0]))
        return it.stance(F.dropout(x, dropout, dropout > 0)).float()

    def ship(self, state, weights, out):
        whole = {**{k: v.float().cpu() for k, v in self.net.state_dict().items()}, **state}
        files = {f: load_file(f) for f in sorted(weights.glob("model-*.safetensors"))}
        fresh = mpnet.stored(whole)
        moved = {k for k in mpnet.hf({**whole, **state}) if any(k.startswith(f"mpnet.encoder.layer.{i}.") for i in range(self.first, mpnet.LAYERS)) or k.startswith("classifier")}
        for f, tensors in files.items():
            for k in tensors:
                if k.removesuffix("_scale") in moved:
                    tensors[k] = fresh[k].contiguous()
            save_file(tensors, out / f.name)


class Rows:
    def __init__(self, tokenizer, limits):
        self.tok = Tokenizer.from_file(str(tokenizer))
        self.tok.no_padding()
        self.tok.no_truncation()
        self.limits = limits
        self.claims, self.evidence, self.label, self.name, self.texts_of = [], [], [], [], ([], [])

    def texts(self, claims, evidence, label, name):
        for side, some, limit in ((self.claims, claims, self.limits[0]), (self.evidence, evidence, self.limits[1])):
            side += [x.ids[:limit] for x in self.tok.encode_batch_fast(some, add_special_tokens=False)]
            self.texts_of[side is self.evidence].extend(some)
        self.label += label
        self.name += name
        return self

    def ids(self, path, rng=None, count=None):
        z = np.load(path)
        c, e = z["clen"].astype(int), z["elen"].astype(int)
        end = np.cumsum(c + e)
        sources = z["sources"].astype(str)[z["source"]]
        pick = np.arange(len(c)) if count is None else np.sort(rng.permutation(len(c))[:count])
        for i in pick:
            at = end[i] - c[i] - e[i]
            self.claims.append(z_tokens(z)[at:at + c[i]][:self.limits[0]].tolist())
            self.evidence.append(z_tokens(z)[at + c[i]:end[i]][:self.limits[1]].tolist())
        self.label += z["label"][pick].astype(int).tolist()
        self.name += sources[pick].tolist()
        return self

    def closed(self):
        for i, (c, e) in enumerate(zip(self.claims, self.evidence)):
            self.evidence[i] = e[:512 - 4 - len(c)]
        self.size = np.array([len(c) + len(e) + 4 for c, e in zip(self.claims, self.evidence)])
        self.label, self.name = np.array(self.label), np.array(self.name)
        return self


HELD = {}


def z_tokens(z):
    """An archive unpacks its array at every look."""
    if id(z) not in HELD:
        HELD.clear()
        HELD[id(z)] = z["tokens"]
    return HELD[id(z)]


def taught_by(a, rows):
    """What the teacher says of each row; its words are of its own tokenizer."""
    teacher, again = Large("large", a.teacher), Rows(a.teacher / "tokenizer.json", LIMITS["large"])
    again.texts(rows.texts_of[0], rows.texts_of[1], rows.label.tolist(), rows.name.tolist())
    teacher.trained(0)
    return softmax(logits_of(teacher.eval().to(a.device, torch.bfloat16), again.closed(), 65536).astype(np.float64)).astype(np.float32)


def batches(rows, items, tokens, rng):
    """Rows of similar length, about so many tokens each."""
    out = []
    for part in np.array_split(rng.permutation(items), max(1, len(items) // 4096)):
        part = part[np.argsort(rows.size[part], kind="stable")]
        at = 0
        while at < len(part):
            n = 1
            while at + n < len(part) and (n + 1) * rows.size[part[at + n]] <= tokens:
                n += 1
            out.append(part[at:at + n])
            at += n
    return [out[i] for i in rng.permutation(len(out))]


def batch_of(judge, rows, i):
    device = next(judge.parameters()).device
    return tuple(x.to(device) for x in judge.rows([rows.claims[k] for k in i], [rows.evidence[k] for k in i], int(rows.size[i].max())))


@torch.no_grad()
def logits_of(judge, rows, tokens=16384):
    out = np.zeros((len(rows.size), 3), np.float32)
    for i in batches(rows, np.arange(len(rows.size)), tokens, np.random.default_rng(0)):
        out[i] = judge(batch_of(judge, rows, i)).cpu().numpy()
    return out


def scored(rows, logits):
    said = softmax(logits.astype(np.float64))
    return {str(name): score(said[rows.name == name], rows.label[rows.name == name]) for name in sorted(set(rows.name))}


def dev(scores):
    """The mean macro-F1 of the 17 dev sets."""
    return float(np.mean([v["macro_f1"] for k, v in scores.items() if not k.startswith(("eval_", "nli2_", "statements", "neg_", "pubmedqa", "hand"))]))


def gain(scores):
    """What the statements are for: evidence that is met in folders."""
    return float(np.mean([v["accuracy"] for k, v in scores.items() if k.startswith(("eval_statements", "statements", "pubmedqa"))]))


def best(earlier, later):
    """Of the shares that lose at most half a point on the dev sets the one that gains most; without any, the one that loses least."""
    kept = [p for p, (scores, _) in later.items() if dev(scores) >= dev(earlier) - 0.005]
    return max(kept, key=lambda p: gain(later[p][0])) if kept else max(later, key=lambda p: dev(later[p][0]))


def told(title, scores):
    print(title, f"dev macro-F1 {100 * dev(scores):.1f}, gain {100 * gain(scores):.1f} |", " ".join(f"{k} {100 * v['accuracy']:.0f}/{100 * v['macro_f1']:.0f}" for k, v in scores.items()), flush=True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kind", choices=tuple(LIMITS))
    ap.add_argument("rows", type=Path)
    ap.add_argument("weights", type=Path)
    ap.add_argument("out", type=Path)
    ap.add_argument("--minutes", type=float, default=45)
    ap.add_argument("--epochs", type=float, default=3)
    ap.add_argument("--rate", type=float, default=6e-5)
    ap.add_argument("--dropout", type=float, default=0.1)
    ap.add_argument("--upper", type=int, default=12, help="layers that are trained")
    ap.add_argument("--tokens", type=int, default=6144, help="of one step")
    ap.add_argument("--longest", type=int, default=224, help="tokens of a row; on a CPU what is longer costs more than it teaches")
    ap.add_argument("--parts", default="1", help="shares of the new weights beside the old ones to try, as 1,0.7,0.5: the best is written, see `best`")
    ap.add_argument("--teacher", type=Path, help="weights of a large judge: half of what is learned of an English row is what it says of it")
    ap.add_argument("--beside", type=Path, help="another result from the same weights: the mean of both is tried too")
    ap.add_argument("--judged", type=int, default=60, help="rows of a set that are judged before and after; ten times as many of those that matter most")
    ap.add_argument("--again", type=float, default=1.0, help="so many times the usual rows of the earlier training")
    ap.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--limit", type=int, default=0, help="for tests")
    a = ap.parse_args()
    t0, rng = time.time(), np.random.default_rng(a.seed)
    torch.manual_seed(a.seed)
    a.out.mkdir(parents=True, exist_ok=True)
    judge = (Large if a.kind == "large" else Bert)(a.kind, a.weights)
    tokenizer = a.weights / "tokenizer.json"
    rows, test = Rows(tokenizer, LIMITS[a.kind]), Rows(tokenizer, LIMITS[a.kind])

    english, japanese = rows_of(a.rows / "en.xz"), rows_of(a.rows / "ja.xz") if a.kind == "bilingual" else []
    stated = [r for r in japanese if r[0] == "stated"]
    # the bilingual judge reads Japanese and mixed pairs: of the English statements a part is enough
    also = [r for r in english if r[0] == "stated"]
    stated += [also[i] for i in rng.permutation(len(also))[:len(also) // 6]] if a.kind == "bilingual" else also
    stated = [r for r in stated if r[4] != 2 or rng.random() < SILENT]
    stated = stated[:a.limit or None]
    count = len(stated)

    def add(some):
        rows.texts([r[2] for r in some], [r[3] for r in some], [r[4] for r in some], [r[1] for r in some])
    add(stated)
    again = {k: a.again * v for k, v in AGAIN[a.kind].items()}
    before = [r for r in english if r[0] != "stated"]
    add([before[i] for i in rng.permutation(len(before))[:int(again["english"] * count)]])
    if a.kind == "bilingual":
        before = [r for r in japanese if r[0] != "stated"]
        add([before[i] for i in rng.permutation(len(before))[:int(again["ja"] * 0.4 * count)]])
        rows.ids(a.rows / "ja_train.npz", rng, int(again["ja"] * 0.6 * count))
        test.ids(a.rows / "ja_dev.npz")
        ev = rows_of(a.rows / "ja_eval.xz")
        test.texts([r[1] for r in ev], [r[2] for r in ev], [r[3] for r in ev], [r[0] for r in ev])
        for f in ("hand.tsv", "hand_2.tsv"):
            lines = [x.split("\t") for x in (HERE.parent / "encoder" / f).read_text().splitlines() if not x.startswith("#")]
            test.texts([x[0] for x in lines], [x[1] for x in lines], [["supports", "refutes", "neutral"].index(x[2]) for x in lines],
                       [f"{f.removesuffix('.tsv')}_{'across' if x[0].isascii() != x[1].isascii() else 'ja'}" for x in lines])
    ev = rows_of(a.rows / "en_eval.xz")[:a.limit or None]
    test.texts([r[1] for r in ev], [r[2] for r in ev], [r[3] for r in ev], [r[0] for r in ev])
    # of a set a part: the same one every time
    test.label, test.name = np.array(test.label), np.array(test.name)
    most = lambda name: 10 * a.judged if name.startswith(("statements", "eval_statements", "hand", "pubmedqa")) else a.judged
    part = np.sort(np.concatenate([np.random.default_rng(0).permutation(np.flatnonzero(test.name == name))[:most(name)] for name in sorted(set(test.name))]))
    test.claims, test.evidence, test.label, test.name = [test.claims[i] for i in part], [test.evidence[i] for i in part], test.label[part], test.name[part]
    rows.closed(), test.closed()
    items = np.flatnonzero(rows.size <= a.longest)
    if a.limit:
        items, part = items[:a.limit], None
    print(f"[{time.time() - t0:.0f} s] {count} statements, {len(items)} rows, {int(rows.size[items].sum())} tokens; {len(test.size)} to judge", flush=True)

    taught = None
    if a.teacher:
        taught = torch.from_numpy(taught_by(a, rows)).to(a.device)
        print(f"[{time.time() - t0:.0f} s] the teacher agrees with {100 * float((taught.argmax(1).cpu().numpy() == rows.label)[rows.label != NE].mean()):.1f} % of the labels", flush=True)
    names = judge.trained(a.upper)
    params = dict(judge.net.named_parameters())
    for n, p in params.items():
        p.requires_grad_(n in names)
    master = [params[n].detach().clone().float().to(a.device) for n in names]     # before it is rounded to bfloat16
    judge.eval().to(a.device, torch.bfloat16)
    params = dict(judge.net.named_parameters())
    earlier = scored(test, logits_of(judge, test)) if not a.limit else {}
    if earlier:
        told(f"[{time.time() - t0:.0f} s] before:", earlier)
    old = {n: m.cpu().clone() for n, m in zip(names, master)}
    groups = [{"params": [m for m in master if m.ndim > 1], "weight_decay": 0.01}, {"params": [m for m in master if m.ndim <= 1], "weight_decay": 0.0}]
    opt = torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.98), eps=1e-6)
    plan = []
    while len(plan) == 0 or sum(map(len, plan)) < a.epochs * len(items):
        plan += batches(rows, items, a.tokens, rng)
    label = torch.from_numpy(rows.label).to(a.device)
    began, done, sums, seen = time.time(), 0, 0.0, 0
    mean_rows = np.mean([len(i) for i in plan])
    for step, i in enumerate(plan):
        share = max(step / len(plan), (time.time() - began) / 60 / a.minutes)
        if share >= 1:
            break
        logp = F.log_softmax(judge(batch_of(judge, rows, i), a.dropout), 1)
        y = label[torch.from_numpy(i).to(a.device)]
        loss = torch.where(y == NE, -torch.logsumexp(logp[:, 1:], 1), F.nll_loss(logp, y.clamp(max=2), reduction="none"))
        if taught is not None:
            loss = (loss - (taught[torch.from_numpy(i).to(a.device)] * logp).sum(1)) / 2
        loss = loss.sum() / mean_rows
        loss.backward()
        for m, n in zip(master, names):
            m.grad = params[n].grad.float()
            params[n].grad = None
        torch.nn.utils.clip_grad_norm_(master, 1.0)
        for g in opt.param_groups:
            g["lr"] = a.rate * min(1.0, (share + 1e-3) / 0.06) * max(0.01, 1 - max(0.0, share - 0.06) / 0.94)
        opt.step()
        with torch.no_grad():
            for m, n in zip(master, names):
                params[n].copy_(m)
        seen += len(i)
        sums, done = sums + float(loss.detach()), done + 1
        if step in (0, 10) or (step + 1) % 100 == 0:
            print(f"[{time.time() - t0:.0f} s] step {step + 1} of {len(plan)} at most ({100 * share:.0f} %), {seen / (time.time() - began):.1f} rows/s, loss {sums / done:.4f}", flush=True)
            assert math.isfinite(sums)
            sums, done = 0.0, 0
    for f in a.weights.rglob("*"):
        if f.is_file():
            (a.out / f.relative_to(a.weights)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(f, a.out / f.relative_to(a.weights))
    new, shares, later = {n: m.cpu() for n, m in zip(names, master)}, [float(p) for p in a.parts.split(",")] + [2.0] * (a.beside is not None), {}

    other = (Large if a.kind == "large" else Bert)(a.kind, a.beside).net if a.beside else None
    beside = {n: p.detach().float() for n, p in other.named_parameters() if n in new} if a.beside else {}

    def write(share):
        """A share of the new weights beside the old ones; 2: the mean with the other result."""
        from_other = share == 2
        judge.ship({n: (m + beside[n]) / 2 if from_other else share * m + (1 - share) * old[n] for n, m in new.items()}, a.weights, a.out)
    for share in shares if not a.limit else []:
        write(share)
        shipped = (Large if a.kind == "large" else Bert)(a.kind, a.out)      # scores are those of the int8 weights
        shipped.trained(a.upper)
        logits = logits_of(shipped.eval().to(a.device, torch.bfloat16), test)
        later[share] = scored(test, logits), logits
        told(f"[{time.time() - t0:.0f} s] after, {share:g} of the new:", later[share][0])
    taken = best(earlier, later) if later else shares[0]
    if taken != shares[-1] or not later:
        write(taken)
    after, logits = later.get(taken, ({}, np.zeros((0, 3))))
    np.savez_compressed(a.out.with_suffix(".eval.npz"), logits=logits, label=test.label, name=test.name)
    settings = {k: str(v) if isinstance(v, Path) else v for k, v in vars(a).items()}
    a.out.with_suffix(".scores.json").write_text(json.dumps(dict(settings=settings, rows=len(items), statements=count, epochs=seen / len(items), seconds=round(time.time() - t0), before=earlier, taken=taken, after=after, all={str(p): x[0] for p, x in later.items()}), indent=1) + "\n")
    print(f"[{time.time() - t0:.0f} s] {seen / len(items):.2f} epochs; {taken:g} of the new weights; done", flush=True)


if __name__ == "__main__":
    main()
