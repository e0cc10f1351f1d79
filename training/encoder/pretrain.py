"""Trains the encoder: masked words, the teacher's vectors, aligned pairs, retrieval pairs, all in one loop that ends by the clock.

    python pretrain.py READY OUT --seconds 480 [--start READY] [--name encoder] [--retrieval-from 0.3] ...

Every step packs two rows of tokens. One (WIDTH tokens, six layers) holds aligned pairs, English segments and retrieval pairs:
  the vector of an English text, and of its Japanese side, near the teacher's vector of the English text;
  the right translation among the batch (against the teacher's and our own vectors); the same likeness between texts as the teacher's;
  the right passage among the batch and the BM25 hard negatives.
The other (MASKED tokens, all layers) holds Japanese and English paragraphs and joined pairs with words masked.
Learning rates follow the clock, so that the weights are always annealed when the time is up. Writes OUT/NAME-*.safetensors
(float16, about 55 MB), OUT/NAME.json (settings, course, scores). Weights are saved on the way, too.
"""
import argparse, json, math, queue, threading, time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import net as nets
from measure import Ready, measure, short
from net import EXIT, LAYERS, MASK, Master, Net, load, pack, save, size_of, to_device


class Order:
    """Indices in random order, for ever."""

    def __init__(self, n, rng, keep=None):
        self.all = np.arange(n) if keep is None else keep
        self.rng, self.now = rng, np.zeros(0, np.int64)

    def take(self, size, budget, most):
        """As many as fit into `budget` tokens."""
        while len(self.now) < most:
            self.now = np.concatenate([self.now, self.rng.permutation(self.all)])
        n = min(most, int(np.searchsorted(np.cumsum(size[self.now[:most]]), budget, "right")))
        out, self.now = self.now[:n], self.now[n:]
        return out


class Feed(threading.Thread):
    """Makes steps ahead of time; `share()` is how far the run has come (0 to 1)."""

    def __init__(self, make, depth=6):
        super().__init__(daemon=True)
        self.make, self.queue, self.error = make, queue.Queue(depth), None
        self.start()

    def run(self):
        try:
            while True:
                self.queue.put(self.make())
        except Exception as e:      # reported by next()
            self.error = e
            self.queue.put(None)

    def next(self):
        item = self.queue.get()
        if item is None:
            raise self.error
        return item


def sentence_maker(ready, a, rng, share):
    r = ready.rows
    n_pairs, n_seg, n_ret = len(r["en"]), len(r["segment"]), len(r["query"])
    pair_size = size_of(r["en"]) + size_of(r["ja"])
    seg_size = size_of(r["segment"])
    hard = ready.hard >= 0
    ret_size = size_of(r["query"]) + size_of(r["passage"][ready.own]) + np.where(hard, size_of(r["passage"][np.maximum(ready.hard, 0)]), 0)
    pairs, segs, rets = Order(n_pairs, rng), Order(n_seg, rng), Order(n_ret, rng)

    def make():
        part = a.retrieval if share() >= a.retrieval_from else 0.0
        most = a.rows // 6
        i = pairs.take(pair_size, a.width * (1 - part) * (0.99 - a.segments), most)
        s = segs.take(seg_size, a.width * (1 - part) * a.segments, most)
        q = rets.take(ret_size, a.width * part * 0.98, most // 2) if part else np.zeros(0, np.int64)
        own, bad = ready.own[q], ready.hard[q]
        bad = bad[bad >= 0]
        rows = np.concatenate([r["en"][i], r["ja"][i], r["segment"][s], r["query"][q], r["passage"][own], r["passage"][bad]])
        return pack(ready.tokens, rows, width=a.width, rows=a.rows), (i, s, q, own, bad)
    return make


def mask_maker(ready, a, rng, vocabulary):
    r = ready.rows
    text = Order(len(r["text"]), rng)
    text_ja = Order(0, rng, np.flatnonzero(ready.text_ja)) if ready.text_ja.any() else text
    pairs = Order(ready.info["pairs"], rng)
    pair_size = size_of(r["en"], r["ja"])
    text_size = size_of(r["text"])
    want, room = int(a.masked * a.mask), a.rows // 6

    def make():
        i = pairs.take(pair_size, a.masked * 0.4, room // 3)
        t = np.concatenate([text.take(text_size, a.masked * 0.38, room // 4), text_ja.take(text_size, a.masked * 0.2, room // 4)])
        flip = rng.random(len(i)) < 0.5
        first, second = np.where(flip[:, None], r["ja"][i], r["en"][i]), np.where(flip[:, None], r["en"][i], r["ja"][i])
        one = np.concatenate([first, r["text"][t]])
        two = np.concatenate([second, np.zeros((len(t), 2), np.int64)])
        ids, kinds, pos, bounds, row, words = pack(ready.tokens, one, two, width=a.masked, rows=room)
        spots = np.flatnonzero(words)
        spots = np.sort(rng.choice(spots, min(want, len(spots)), replace=False))
        truth = ids[spots].astype(np.int64)
        x = rng.random(len(spots))
        ids[spots] = np.where(x < 0.8, MASK, np.where(x < 0.9, rng.integers(5, vocabulary, len(spots)), truth))
        if len(spots) < want:       # fixed shapes: the rest counts for nothing
            gap = want - len(spots)
            spots, truth = np.pad(spots, (0, gap)), np.pad(truth, (0, gap), constant_values=-100)
        return ids, kinds, pos, bounds, spots, truth
    return make


def right_one(x, y, cold, mask=None, extra=None, extra_mask=None):
    """Cross-entropy of the own row among all, both ways; `extra`: more wrong ones for x. Masked ones do not count as wrong."""
    s = x @ y.T / cold
    if mask is not None:
        s = s.masked_fill(mask, -1e4)
    at = torch.arange(len(x), device=x.device)
    back = F.cross_entropy(s.T, at)
    if extra is not None and len(extra):
        s = torch.cat([s, (x @ extra.T / cold).masked_fill(extra_mask, -1e4)], 1)
    return (F.cross_entropy(s, at) + back) / 2


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("ready", type=Path)
    ap.add_argument("out", type=Path)
    ap.add_argument("--seconds", type=float, default=0, help="for training; loading and the last measuring come on top")
    ap.add_argument("--deadline", type=float, default=0, help="instead: the time (Unix) at which everything is written; 45 s of it are kept for measuring")
    ap.add_argument("--keep-every", type=float, default=150, help="seconds between saves on the way, in case the machine is lost")
    ap.add_argument("--begin", default="", help="FOLDER:NAME of the first weights; without it ready.py's start")
    ap.add_argument("--name", default="encoder")
    ap.add_argument("--width", type=int, default=131072, help="tokens of the sentence row")
    ap.add_argument("--masked", type=int, default=49152, help="tokens of the masked row; 0: none")
    ap.add_argument("--rows", type=int, default=12288, help="texts in the sentence row at most; the masked row has room for a sixth")
    ap.add_argument("--rate", type=float, default=4e-4)
    ap.add_argument("--word-rate", type=float, default=2.5, help="times the rate for the word vectors")
    ap.add_argument("--mask", type=float, default=0.18)
    ap.add_argument("--mask-weight", type=float, default=0.5)
    ap.add_argument("--retrieval", type=float, default=0.35, help="share of the sentence row")
    ap.add_argument("--retrieval-from", type=float, default=0.3, help="share of the time")
    ap.add_argument("--segments", type=float, default=0.21, help="share of what retrieval leaves of the sentence row for English segments")
    ap.add_argument("--english", type=float, default=1.0, help="weight of the teacher's vectors on English texts, times the usual")
    ap.add_argument("--cold", type=float, default=0.05)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--no-compile", action="store_true")
    ap.add_argument("--every", type=float, default=60, help="seconds between small measurements")
    ap.add_argument("--steps", type=int, default=0, help="stop after so many; for tests")
    a = ap.parse_args()
    t0 = time.time()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    a.out.mkdir(parents=True, exist_ok=True)
    ready = Ready(a.ready)
    vocabulary = ready.info["vocabulary"]
    torch.manual_seed(a.seed)
    network = Net(vocabulary)
    folder, name = a.begin.rsplit(":", 1) if a.begin else (a.ready, "start")
    missing, extra = network.load_state_dict(load(folder, name), strict=False)
    assert not extra and all(m.startswith(("guess", "pool", "stance")) for m in missing), (missing, extra)
    network = network.to(device)
    if not a.no_compile:
        network.compiled = nets.compiled(device, 0.0, (a.width, a.rows, 256), *([(a.masked, a.rows // 6, nets.POSITIONS)] if a.masked else []))

    names = [n for n, _ in network.named_parameters() if not n.startswith(("pool.", "stance."))]
    tables = ["word.weight"]
    matrices = [n for n in names if dict(network.named_parameters())[n].ndim > 1 and n not in tables]
    plain = [n for n in names if n not in tables and n not in matrices]
    master = Master(network, [(tables, a.word_rate, 0.0), (matrices, 1.0, 0.01), (plain, 1.0, 0.0)], device)
    print(f"[{time.time() - t0:.0f} s] {sum(m.numel() for m in master.copy) / 1e6:.1f} M weights; {ready.info['pairs']} pairs, {len(ready.rows['segment'])} segments, {len(ready.rows['query'])} queries, {len(ready.rows['text'])} paragraphs", flush=True)
    taught_en = torch.tensor(ready.taught("en"), device=device)
    taught_seg = torch.tensor(ready.taught("segment"), device=device)

    assert a.seconds or a.deadline
    a.seconds = a.seconds or max(10.0, a.deadline - time.time() - 45)
    began = [time.time()]
    spent = [0.0]       # seconds of measuring inside the loop: they do not count as training

    def share():        # a deadline holds whatever the measuring takes
        return min(1.0, (time.time() - began[0] - (0 if a.deadline else spent[0])) / a.seconds)
    sentences = Feed(sentence_maker(ready, a, np.random.default_rng(a.seed), share))
    masked = Feed(mask_maker(ready, a, np.random.default_rng(a.seed + 1), vocabulary)) if a.masked else None

    def rate(group):
        s = share()
        warm = 0.01 if group == 0 else 0.06
        return a.rate * min(1.0, (s + 1e-4) / warm) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * max(0.0, s - 0.06) / 0.94)))

    def kept(name):
        return not name.startswith(("guess", "pool", "stance"))

    course, sums, seen, step, last, told = [], {}, 0, 0, time.time(), 0
    network.train()
    while share() < 1.0 and not (a.steps and step >= a.steps):
        (ids, kinds, pos, bounds, row, _), (i, s, q, own, bad) = sentences.next()
        ids, kinds, pos, bounds, row = to_device((ids, kinds, pos, bounds, row), device)
        p, m, n = len(i), len(s), len(q)
        v = network.vectors((ids, kinds, pos, bounds, 256), row, 2 * p + m + 2 * n + len(bad))
        it, st = to_device((i, s), device)
        te, ts = taught_en[it].float(), taught_seg[st].float()
        en, ja, seg = v[:p], v[p:2 * p], v[2 * p:2 * p + m]
        losses = {"en": 2 - 2 * (en * te).sum(1).mean(), "ja": 2 - 2 * (ja * te).sum(1).mean(), "seg": 2 - 2 * (seg * ts).sum(1).mean()}
        whole = torch.cat([te, ts])     # segments count for likeness, too: they are long and from other fields
        like = te @ te.T
        same = (like > 0.92) & ~torch.eye(p, dtype=torch.bool, device=device)
        losses["pair"] = right_one(ja, te, a.cold, same) + 0.5 * right_one(ja, en, a.cold, same)
        for side, gold in ((torch.cat([en, seg]), whole), (ja, te)):
            own_mask = torch.eye(len(side), dtype=torch.bool, device=device)
            soft = F.softmax((gold @ gold.T / a.cold).masked_fill(own_mask, -1e4), 1)
            losses["like"] = losses.get("like", 0) - (soft * F.log_softmax((side @ side.T / a.cold).masked_fill(own_mask, -1e4), 1)).sum(1).mean()
        total = 4 * (a.english * (losses["en"] + losses["seg"]) + losses["ja"]) + losses["pair"] + 0.15 * losses["like"]
        if n:
            at = 2 * p + m
            ask, docs, wrong = v[at:at + n], v[at + n:at + 2 * n], v[at + 2 * n:]
            o, b = to_device((own, bad), device)
            same = (o[:, None] == o[None]) & ~torch.eye(n, dtype=torch.bool, device=device)
            losses["find"] = right_one(ask, docs, a.cold, same, wrong, o[:, None] == b[None])
            total = total + 0.7 * losses["find"]
        total.backward()
        if masked:
            ids, kinds, pos, bounds, spots, truth = to_device(masked.next(), device)
            h = network.hidden((ids, kinds, pos, bounds, nets.POSITIONS), last=LAYERS)
            if a.begin and share() < 0.06:      # the part that guesses words was not saved: it learns first, the layers stay out of it
                h = h.detach()
            losses["mask"] = F.cross_entropy(network.words(h[spots]).float(), truth)
            (a.mask_weight * losses["mask"]).backward()
        master.step(rate)
        step += 1
        seen += p
        for k, x in losses.items():
            sums[k] = sums.get(k, 0) + x.detach()
        if step in (1, 10) or step % 100 == 0:
            now = time.time()
            line = {k: round(float(x) / (step - told), 4) for k, x in sums.items()}
            bad_ = [k for k, x in line.items() if not math.isfinite(x)]
            print(f"[{now - t0:.0f} s] step {step} ({100 * share():.0f} %, {seen} pairs, {(step - told) * (a.width + a.masked) / max(1e-3, now - last) / 1e6:.2f} M tokens/s) rate {rate(1):.1e} " + " ".join(f"{k} {x:.3f}" for k, x in line.items()), flush=True)
            course.append(dict(step=step, seconds=round(now - began[0], 1), **line))
            sums, told, last = {}, step, now
            assert not bad_, f"not finite: {bad_}"
            if step == 1:       # compiling is not training
                began[0] = last_measure = last_save = time.time()
                if a.deadline:
                    a.seconds = max(10.0, a.deadline - time.time() - 45)
        if step > 1 and time.time() - last_measure > a.every and share() < 0.97:
            began_at = time.time()
            network.eval()
            print(f"[{time.time() - t0:.0f} s] " + short(measure(network, ready, device, quick=True)), flush=True)
            network.train()
            spent[0] += time.time() - began_at
            last_measure = time.time()
            last += time.time() - began_at
        if step > 1 and time.time() - last_save > a.keep_every and share() < 0.9:
            save(master.state(), a.out, a.name, keep=kept, notes=dict(share=share()))
            last_save = time.time()
    state = master.state()
    settings = {k: str(v) if isinstance(v, Path) else v for k, v in vars(a).items()}
    save(state, a.out, a.name, keep=kept, notes=settings)
    print(f"[{time.time() - t0:.0f} s] saved after {step} steps, {seen / max(1, ready.info['pairs']):.1f} epochs of pairs", flush=True)
    result = dict(settings=settings, steps=step, pairs_seen=seen, seconds=round(time.time() - began[0], 1), course=course)
    (a.out / f"{a.name}.json").write_text(json.dumps(result))
    network.eval()
    result["scores"] = measure(network, ready, device)
    (a.out / f"{a.name}.json").write_text(json.dumps(result))
    print(f"[{time.time() - t0:.0f} s] " + short(result["scores"]), flush=True)


if __name__ == "__main__":
    main()
