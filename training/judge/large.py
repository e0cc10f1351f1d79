"""Trains the large judge, averages runs, labels pairs for the students, brings it to int8.

    python large.py ROWS TOKENIZER.json BASE OUT [--runs 2] [--epochs 3] [--seconds 330]

ROWS: the folder of rows.py. TOKENIZER: BERT's. BASE: parts written by mpnet.py. Writes OUT/large.json (scores), OUT/large.eval.npz (logits of en_eval.xz,
from the int8 weights), OUT/labels.npz (logits of en.xz, en_pool.xz and the English side of aligned.xz), OUT/large (int8, Hugging Face's names, in parts; the
tokenizer is the one mpnet.py wrote beside the base).
OUT/large-run-N.pt has the weights of run N from the moment it ends; a second start takes it from there.
"""
import argparse, json, math, sys, time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import mpnet  # noqa: E402
from evaluate import softmax, summarise  # noqa: E402
from mpnet import BATCH, HIDDEN, Layer, Net, Pairs, arrived, behind, judge  # noqa: E402
from texts import load  # noqa: E402

NE = 3
REPEAT = {"scifact": 2, "check_covid": 3, "statements": 2}


def pairs_of(tok, claims, evidence, device):
    c = [x.ids[:160] for x in tok.encode_batch_fast(claims, add_special_tokens=False)]
    e = [x.ids[:512 - 4 - len(y)] for x, y in zip(tok.encode_batch_fast(evidence, add_special_tokens=False), c)]
    flat = np.fromiter((t for x, y in zip(c, e) for t in x + y), np.int32)
    return Pairs(device, flat, [len(x) for x in c], [len(x) for x in e])


def scores(sets, label, logits, prefix=""):
    names = sorted({s for s in sets if s.startswith(prefix)} if prefix else {s for s in sets if not s.startswith(("nli2_", "eval_", "pubmedqa"))})
    at = np.array([names.index(s) if s in names else -1 for s in sets])
    m = at >= 0
    return summarise(label[m], at[m], names, logits[m])


def told(sets, label, logits, quiet=False):
    out = {}
    for name, prefix in (("dev", ""), ("nli2", "nli2_"), ("eval", "eval_"), ("pubmedqa", "pubmedqa")):
        s = scores(sets, label, logits, prefix)
        out[name] = {k: dict(n=v["n"], accuracy=v["accuracy"], macro_f1=v["macro_f1"], confusion=v["confusion"]) for k, v in s["sets"].items()}
        if not quiet:
            print(f"{name}: accuracy {100 * s['mean']['accuracy']:.1f} macro-F1 {100 * s['mean']['macro_f1']:.2f} | " + " ".join(f"{k.removeprefix(prefix)} {100 * v['accuracy']:.0f}/{100 * v['macro_f1']:.0f}" for k, v in s["sets"].items()), flush=True)
        out[name + "_mean"] = {k: s["mean"][k] for k in ("accuracy", "macro_f1")}
    if quiet:
        return out
    m = np.array([s == "pubmedqa_conclusion" for s in sets])
    p = softmax(logits[m].astype(np.float64))
    y = label[m]
    print("pubmedqa direction by the larger of supports and refutes: yes", round(float((p[y == 0, 0] > p[y == 0, 1]).mean()), 3), "no", round(float((p[y == 1, 1] > p[y == 1, 0]).mean()), 3), flush=True)
    return out


def train(a, seed, rate, start, rows, pairs, label, chosen, device, check):
    torch.manual_seed(1)
    net = Net()
    missing, extra = net.load_state_dict(start, strict=False)
    assert not extra and all(m.startswith(("pool", "stance")) for m in missing), (missing, extra)
    net = net.to(device)
    net.run = train.run
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    work = list(net.parameters())
    master = [p.detach().clone().float().requires_grad_() for p in work]
    for m in master:
        m.grad = torch.zeros_like(m)
    net = net.to(torch.bfloat16 if device.type == "cuda" else torch.float32)
    work = list(net.parameters())
    opt = torch.optim.AdamW([{"params": [p for p in master if p.ndim > 1], "weight_decay": 0.01}, {"params": [p for p in master if p.ndim <= 1], "weight_decay": 0.0}], lr=rate, betas=(0.9, 0.98), eps=1e-6, fused=device.type == "cuda")
    plan = [b for _ in range(a.epochs) for b in pairs.batches(chosen, rng)]
    if a.steps:
        plan = plan[:a.steps]
    mean_rows = np.mean([len(i) for i, _ in plan])
    began, total, done = time.time(), torch.zeros((), device=device), 0
    per_epoch = len(plan) // a.epochs
    stop = len(plan)
    for step, (idx, width) in enumerate(plan):
        ids, real = pairs.fill(idx, width)
        logp = F.log_softmax(net(ids, real, a.dropout)[:len(idx)], 1)
        y = label[torch.as_tensor(idx, device=device)]
        loss = F.nll_loss(logp, y.clamp(max=2), reduction="none")
        loss = (1 - a.smooth) * loss - a.smooth * logp.mean(1)
        loss = torch.where(y == NE, -torch.logsumexp(logp[:, 1:], 1), loss).sum() / mean_rows
        loss.backward()
        share = step / stop
        for g in opt.param_groups:
            g["lr"] = rate * min(1.0, (share + 1e-4) / 0.06) * max(0.01, 1 - max(0.0, share - 0.06) / 0.94)
        torch._foreach_copy_([m.grad for m in master], [p.grad for p in work])
        for p in work:
            p.grad = None
        torch.nn.utils.clip_grad_norm_(master, 1.0)
        opt.step()
        with torch.no_grad():
            torch._foreach_copy_(work, master)
        total += loss.detach()
        done += 1
        if step == 20:      # how far the time reaches: the rate falls to its end there
            torch.cuda.synchronize() if device.type == "cuda" else None
            t20 = time.time()
        if step == 120:
            torch.cuda.synchronize() if device.type == "cuda" else None
            one = (time.time() - t20) / 100
            stop = min(stop, int((a.seconds - (time.time() - began)) / one) + step)
            print(f"run {seed}: {1000 * one:.1f} ms a step, {len(plan)} steps planned, {stop} fit into {a.seconds} s", flush=True)
        if done % 400 == 0 or step + 1 == stop:
            print(f"[{time.time() - began:.0f} s] run {seed} step {step + 1}/{stop} loss {float(total) / done:.4f}", flush=True)
            total.zero_()
            done = 0
        if (step + 1) % per_epoch == 0 and step + 1 < stop:
            check(net, f"run {seed} after epoch {(step + 1) // per_epoch}")
        if step + 1 >= stop:
            break
    names = [n for n, _ in net.named_parameters()]
    state = {n: m.detach().clone() for n, m in zip(names, master)}
    state["relative"] = start["relative"].to(device).float()
    assert all(math.isfinite(float(v.sum())) for v in state.values())
    return state


def filled(state, device, dtype):
    net = Net()
    net.load_state_dict(state)
    return net.to(device, dtype).eval()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("rows", type=Path)
    ap.add_argument("tokenizer")
    ap.add_argument("base", type=Path)
    ap.add_argument("out", type=Path)
    ap.add_argument("--runs", type=int, default=2)
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--seconds", type=float, default=330, help="of one run at most")
    ap.add_argument("--rate", type=float, default=4e-5)
    ap.add_argument("--dropout", type=float, default=0.1)
    ap.add_argument("--smooth", type=float, default=0.0)
    ap.add_argument("--steps", type=int, default=0, help="for tests")
    ap.add_argument("--limit", type=int, default=0, help="for tests: rows of every file")
    a = ap.parse_args()
    t0 = time.time()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    a.out.mkdir(parents=True, exist_ok=True)
    tok = Tokenizer.from_file(a.tokenizer)
    tok.no_padding()
    tok.no_truncation()
    cut = lambda x: x[:a.limit] if a.limit else x
    rows = cut(load(a.rows / "en.xz"))
    pairs = pairs_of(tok, [r[2] for r in rows], [r[3] for r in rows], device)
    label = torch.tensor([r[4] for r in rows], device=device)
    ev = load(a.rows / "en_eval.xz")
    ev = ev[::max(1, len(ev) // a.limit)] if a.limit else ev
    test = pairs_of(tok, [r[1] for r in ev], [r[2] for r in ev], device)
    sets, truth = np.array([r[0] for r in ev]), np.array([r[3] for r in ev])
    dev17 = np.flatnonzero([not s.startswith(("nli2_", "eval_", "pubmedqa")) for s in sets])
    chosen = np.concatenate([np.repeat(i, REPEAT.get(r[1], 1)) for i, r in enumerate(rows)])
    print(f"[{time.time() - t0:.0f} s] {len(rows)} rows, {len(chosen)} with repeats, {int(pairs.size[chosen].sum())} tokens; {len(ev)} to judge", flush=True)
    start = arrived(sorted(a.base.glob("base-*.safetensors")))
    train.run = behind
    if device.type == "cuda":
        try:
            run = torch.compile(behind, dynamic=False, fullgraph=True)
            one = Layer().to(device, dtype)
            x = torch.randn(BATCH, HIDDEN, device=device, dtype=dtype, requires_grad=True)
            run(x, x, one.weights(), a.dropout).float().sum().backward()
            torch.cuda.synchronize()
            train.run = run
        except Exception as e:
            print(f"not compiled: {type(e).__name__}: {str(e)[:400]}", flush=True)
    print(f"[{time.time() - t0:.0f} s] ready", flush=True)

    def check(net, what):
        run, net.run = net.run, behind
        s = scores(sets[dev17], truth[dev17], judge(net, test, dev17))["mean"]
        net.run = run
        print(f"{what}: dev accuracy {100 * s['accuracy']:.1f} macro-F1 {100 * s['macro_f1']:.2f}", flush=True)
    told(sets, truth, np.zeros((len(ev), 3), np.float32), quiet=True)      # a set that cannot be scored is found now, not after a run
    states, result = [], {}
    for k in range(a.runs):
        kept = a.out / f"large-run-{k + 1}.pt"
        if kept.exists():
            states.append({n: v.to(device).float() for n, v in torch.load(kept, weights_only=True).items()})
        else:
            states.append(train(a, k + 1, a.rate * (1, 1.25, 1.1)[k % 3], start, rows, pairs, label, chosen, device, check))
            torch.save({n: v.to(torch.bfloat16 if v.ndim > 1 else torch.float32).cpu() for n, v in states[-1].items()}, kept)
        print(f"[{time.time() - t0:.0f} s] run {k + 1}", flush=True)
        result[f"run {k + 1}"] = told(sets, truth, judge(filled(states[-1], device, dtype), test))
    if a.runs > 1:
        state = {k: sum(s[k] for s in states) / len(states) for k in states[0]}
        print("mean of the weights", flush=True)
        result["mean"] = told(sets, truth, judge(filled(state, device, dtype), test))
        names = ["mean"] + [f"run {k + 1}" for k in range(a.runs)]
        every = [state] + states
    else:
        names, every = ["run 1"], states
    pick = max(range(len(names)), key=lambda i: result[names[i]]["dev_mean"]["macro_f1"])
    state = every[pick]
    print("kept:", names[pick], flush=True)
    # int8 and what it costs
    back = mpnet.exact(mpnet.ship({k: v.cpu() for k, v in state.items()}, a.out / "large"))
    net = filled(mpnet.from_hf(back, "mpnet."), device, torch.float32)
    exact = judge(net, test, dev17, tokens=BATCH)
    net = net.to(dtype)
    logits = judge(net, test)
    print(f"int8: same label in bfloat16 as in float32 for {100 * (exact.argmax(1) == logits[dev17].argmax(1)).mean():.2f} % of the dev rows", flush=True)
    logits[dev17] = exact
    result["int8"] = told(sets, truth, logits)
    np.savez_compressed(a.out / "large.eval.npz", logits=logits.astype(np.float32))
    settings = {k: str(v) if isinstance(v, Path) else v for k, v in vars(a).items()}
    (a.out / "large.json").write_text(json.dumps(dict(settings=settings, kept=names[pick], rows=len(rows), seconds=round(time.time() - t0), scores=result)))
    print(f"[{time.time() - t0:.0f} s] saved", flush=True)
    # numbers for another implementation: float32 on the CPU from the int8 weights
    rng = np.random.default_rng(11)
    some = np.concatenate([rng.permutation(dev17)[:18], dev17[test.size[dev17] >= 512][:2]])
    net, slow, told_pairs = filled(mpnet.from_hf(back, "mpnet."), torch.device("cpu"), torch.float32), pairs_of(tok, [ev[i][1] for i in some], [ev[i][2] for i in some], torch.device("cpu")), []
    for i, j in enumerate(some):
        width = int(min(512, slow.size[i]))
        ids, real = slow.ids(np.array([i]), width)
        with torch.no_grad():
            x = net(ids, real)[0]
        told_pairs.append(dict(claim=ev[j][1], evidence=ev[j][2], tokens=width, token_ids=ids[0].tolist(), logits=[round(float(v), 6) for v in x]))
    note = "float32 from the int8 weights; labels supports, refutes, neutral; <s> claim </s></s> evidence </s>, ids of the MPNet tokenizer; claim at most 160 tokens, evidence cut to 512 in all; positions from 2; relative position buckets 32, farthest 128"
    (a.out / "large.reference.json").write_text(json.dumps(dict(note=note, pairs=told_pairs), ensure_ascii=False, indent=1) + "\n")
    # labels for the students: the kept weights before int8
    net = filled(state, device, dtype)
    out = {"en": judge(net, pairs).astype(np.float16)}
    for name, c, e in (("en_pool", 0, 1), ("aligned", 0, 2)):
        while not (a.rows / f"{name}.xz").exists():      # still being made beside this run
            time.sleep(1)
        more = cut(load(a.rows / f"{name}.xz"))
        out[name] = judge(net, pairs_of(tok, [r[c] for r in more], [r[e] for r in more], device)).astype(np.float16)
        p = softmax(out[name].astype(np.float64)).argmax(1)
        print(f"[{time.time() - t0:.0f} s] labelled {name}: {len(p)}, {np.bincount(p, minlength=3).tolist()}", flush=True)
    np.savez(a.out / "labels.npz", **out)
    (a.out / "large.done").write_text("")


if __name__ == "__main__":
    main()
