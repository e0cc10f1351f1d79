"""Training rows, unlabelled pairs and dev sets for the English stance model.

    python prepare.py DATA TOKENIZER.json OUT [--seed 7]

DATA is the public data folder (nli/, scifact/, bilingual/). Writes to OUT:
  train.npz    labelled rows (token ids, uint16), `kind` says which recipe made a row
  pool.npz     pairs without label, for distillation
  dev.npz      the dev sets; dev.jsonl.gz the same with text
  rows.jsonl.xz  the labelled rows as text, [kind, source, claim, evidence, label, fold]; pool.jsonl.xz the pairs without label
  report.md    sources, licences, rows kept and dropped, leakage, counts; samples.jsonl.gz rows to look at
Labels: 0 supports, 1 refutes, 2 neutral, 3 not supported (two-way), 255 none. Same seed, same bytes.
"""
import argparse, gzip, json, lzma, random, re, zlib
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from scipy import sparse

from rules import (as_claim, content, flip, negate, renumber, sentences, subject, unnegate, untreebank)

E, C, N, NE, NONE = 0, 1, 2, 3, 255
FOLDS = 4       # for out-of-fold teachers
LABEL = {"E": E, "C": C, "N": N, "NE": NE}

# Licence strings of DATA/nli that allow shipped weights (permissive or share-alike). Everything else is dropped:
# non-commercial, unstated, "see origin" (nobody stated it), and "Apache-2.0?" (doubtful).
ALLOWED = {
    "MIT", "Apache-2.0", "CC-BY-4.0", "CC-BY-SA-4.0(SNLI)/MIT", "FEVER CC-BY-SA-3.0", "CC-BY-SA-3.0/MIT",
    "ODC-BY/CC-BY-SA",
    # OANC is free for any use; the fiction part is CC BY 3.0, CC BY-SA 3.0 or public domain
    "MNLI mixed (OANC etc.)",
}
# Texts without label: source -> licence
TEXT_OK = {"check_covid_corpus": "MIT", "covid_wiki_en": "CC BY-SA 3.0 / CC BY 2.5"}
PARALLEL_OK = {"kyoto_wiki": "CC BY-SA 3.0"}


def norm(t):
    return re.sub(r"[^a-z0-9]+", " ", t.lower()).strip()


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") if str(path).endswith(".gz") else open(path, encoding="utf-8") as f:
        for line in f:
            yield json.loads(line)


class BM25:
    def __init__(self, docs, k1=1.2, b=0.75):
        self.vocab = {}
        rows, cols, vals = [], [], []
        toks = [re.findall(r"[a-z0-9]+", d.lower()) for d in docs]
        avg = sum(map(len, toks)) / max(1, len(toks))
        for i, ts in enumerate(toks):
            for w, f in Counter(ts).items():
                rows.append(i)
                cols.append(self.vocab.setdefault(w, len(self.vocab)))
                vals.append(f * (k1 + 1) / (f + k1 * (1 - b + b * len(ts) / avg)))
        m = sparse.csr_matrix((vals, (rows, cols)), shape=(len(docs), len(self.vocab)), dtype=np.float32)
        df = np.diff(m.tocsc().indptr)
        self.m = (m @ sparse.diags(np.log(1 + (len(docs) - df + 0.5) / (df + 0.5)).astype(np.float32))).T.tocsr()

    def top(self, queries, k):
        out = []
        for at in range(0, len(queries), 256):
            rows, cols = [], []
            for i, q in enumerate(queries[at:at + 256]):
                for w in sorted(content(q)):     # the order of a set would change the last bits of the sums
                    if w in self.vocab:
                        rows.append(i)
                        cols.append(self.vocab[w])
            q = sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, cols)), shape=(len(queries[at:at + 256]), len(self.vocab)))
            s = (q @ self.m).tocsr()
            for i in range(s.shape[0]):
                lo, hi = s.indptr[i], s.indptr[i + 1]
                order = np.lexsort((s.indices[lo:hi], -s.data[lo:hi]))[:k]
                out.append([(int(s.indices[lo + j]), float(s.data[lo + j])) for j in order])
        return out


def window_like(sents, words, claim, rng):
    """1-3 neighbouring sentences with about `words` words; among the fitting ones the one nearest to the claim."""
    cands = []
    for n in (1, 2, 3):
        for i in range(len(sents) - n + 1):
            t = " ".join(sents[i:i + n])
            cands.append((abs(len(t.split()) - words) / max(words, 1), t))
    if not cands:
        return None
    best = min(c[0] for c in cands)
    fit = [t for d, t in cands if d <= max(best, 0.25)]
    q = content(claim)
    return max(fit, key=lambda t: (len(q & content(t)), t)) if rng.random() < 0.7 else rng.choice(fit)


def length_matched(rows, rng):
    """Keep rows so that every label has the same spread of premise lengths (five bins by quantile)."""
    lens = np.array([len(r["premise"].split()) for r in rows])
    bins = np.digitize(lens, np.quantile(lens, [0.2, 0.4, 0.6, 0.8]))
    labels = sorted({r["label"] for r in rows})
    share = {l: sum(r["label"] == l for r in rows) for l in labels}
    keep = []
    for b in range(5):
        cell = {l: [i for i, r in enumerate(rows) if bins[i] == b and r["label"] == l] for l in labels}
        # the largest number of rows per bin at which all labels keep their ratio
        size = min(len(cell[l]) / share[l] for l in labels)
        for l in labels:
            keep += rng.sample(cell[l], int(round(size * share[l])))
    return [rows[i] for i in sorted(keep)]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("data", type=Path)
    ap.add_argument("tokenizer")
    ap.add_argument("out", type=Path)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--passages", type=int, default=3, help="without label, for each claim of the pool (at most 12)")
    a = ap.parse_args()
    rng = random.Random(a.seed)
    a.out.mkdir(parents=True, exist_ok=True)
    report = []

    # ---------------------------------------------------------------- labelled rows, by licence
    kept, table = [], {}
    for r in read(a.data / "nli/train.jsonl.gz"):
        if r["lang"] != "en":
            continue
        ok = r["license"] in ALLOWED
        row = table.setdefault((r["source"], r["license"]), [0, 0])
        row[0 if ok else 1] += 1
        if ok:
            if r["source"] == "fever_nli":
                r["premise"], r["hypothesis"] = untreebank(r["premise"]), untreebank(r["hypothesis"])
            kept.append(r)
    dev_rows = [r for r in read(a.data / "nli/dev.jsonl.gz") if r["lang"] == "en"]

    report += ["# Rows by source and licence", "", "| source | licence | kept | dropped |", "| --- | --- | ---: | ---: |"]
    report += [f"| {s} | {l} | {k} | {d} |" for (s, l), (k, d) in sorted(table.items())]
    report += [f"| **all English train rows** | | {sum(v[0] for v in table.values())} | {sum(v[1] for v in table.values())} |", ""]

    # SciFact: 15 % of the claims are held out as dev sets (DATA has no SciFact dev), split by cited document
    corpus = {d["doc_id"]: d for d in read(a.data / "scifact/corpus.jsonl.gz")}
    claims = list(read(a.data / "scifact/claims_train.jsonl"))
    docs = sorted({d for c in claims for d in c["cited_doc_ids"]})
    parent = {d: d for d in docs}

    def root(d):
        while parent[d] != d:
            d = parent[d]
        return d
    for c in claims:
        for d in c["cited_doc_ids"][1:]:
            parent[root(d)] = root(c["cited_doc_ids"][0])
    groups = sorted({root(d) for d in docs})
    rng.shuffle(groups)
    held_groups = set(groups[:int(len(groups) * 0.15)])
    held_docs = {d for d in docs if root(d) in held_groups}
    held_claims = {norm(c["claim"]) for c in claims if held_docs & set(c["cited_doc_ids"])}

    def sci_rows(cs):
        """(short rows, whole-abstract rows); neutral short rows are cut to the length of rationales."""
        short, whole = [], []
        for c in cs:
            for did in c["cited_doc_ids"]:
                d = corpus.get(int(did))
                if not d:
                    continue
                ev = c["evidence"].get(str(did))
                text = d["title"] + " " + " ".join(d["abstract"])
                if ev:
                    lab = "E" if ev[0]["label"] == "SUPPORT" else "C"
                    for e in ev:
                        p = " ".join(d["abstract"][i] for i in e["sentences"])
                        short.append(dict(premise=p, hypothesis=c["claim"], label=lab, doc=did, at=e["sentences"]))
                    whole.append(dict(premise=text, hypothesis=c["claim"], label=lab, doc=did))
                else:
                    whole.append(dict(premise=text, hypothesis=c["claim"], label="N", doc=did))
                    short.append(dict(premise=None, hypothesis=c["claim"], label="N", doc=did))
        lens = [len(r["premise"].split()) for r in short if r["premise"]]
        for r in short:
            if r["premise"] is None:
                r["premise"] = window_like(corpus[int(r["doc"])]["abstract"], rng.choice(lens), r["hypothesis"], rng)
        return short, whole

    sci_dev = sci_rows([c for c in claims if norm(c["claim"]) in held_claims])
    train_claims = [c for c in claims if norm(c["claim"]) not in held_claims and not held_docs & set(c["cited_doc_ids"])]
    sci_short, sci_whole = sci_rows(train_claims)

    # ---------------------------------------------------------------- dev sets
    sets = defaultdict(list)
    for r in dev_rows:
        sets[r["source"]].append(r)
    hv = sets.pop("healthver")
    abstracts = {r["cid"].split("-")[1]: r["premise"] for r in hv if r["kind"] == "abstract"}
    for r in read(a.data / "nli/train.jsonl.gz"):
        if r["source"] == "healthver" and r["kind"] == "abstract":
            abstracts.setdefault(r["cid"].split("-")[1], r["premise"])
    lens = [len(r["premise"].split()) for r in hv if r["kind"] == "rationale"]
    for r in hv:
        if r["kind"] == "rationale":
            sets["healthver_short"].append(r)
            if r["cid"].split("-")[1] in abstracts:
                sets["healthver_whole"].append(dict(r, premise=abstracts[r["cid"].split("-")[1]]))
        else:
            sets["healthver_short"].append(dict(r, premise=window_like(sentences(r["premise"]), rng.choice(lens), r["hypothesis"], rng)))
            sets["healthver_whole"].append(r)
    seen = set()
    whole = []
    for r in sets["healthver_whole"]:
        k = (r["cid"].rsplit("-", 1)[0] if r["kind"] == "rationale" else r["cid"], r["label"])
        if k not in seen:
            seen.add(k)
            whole.append(r)
    sets["healthver_whole"] = whole
    sets["scifact_short"], sets["scifact_whole"] = sci_dev

    def hard_neutrals(pairs, pool, k, per, rng):
        """For each claim of `pairs`, evidence of other claims that BM25 finds; neutral by rule.
        pairs: (claim, own premises). Sound when the evidence is about another subject, or about the same subject with
        few of the claim's other content words."""
        index = BM25(pool)
        hits = index.top([c for c, _ in pairs], k)
        out = []
        for (claim, own), hs in zip(pairs, hits):
            q, s = content(claim), subject(claim)
            ownw = [content(p) for p in own]
            got = []
            for d, _ in hs:
                p = pool[d]
                w = content(p)
                if any(len(w & o) > 0.5 * min(len(w), len(o)) for o in ownw):
                    continue
                rest = q - content(s) if s else q
                if s and s.lower() in p.lower():
                    ok = bool(rest) and len(rest & w) <= 0.34 * len(rest)
                elif s:
                    ok = not (content(s) <= w) and len(rest & w) < len(rest)
                else:
                    ok = len(q & w) < 0.5 * len(q)
                if ok:
                    got.append(p)
            out += [(claim, p) for p in got[:per]]
        return out

    # FEVER dev: 1500 rows of it and 900 neutrals found by BM25 in the evidence of other dev claims
    fd = sets.pop("fever_rte_dev")
    own = defaultdict(list)
    for r in fd:
        own[r["hypothesis"]].append(r["premise"])
    fpool = sorted({r["premise"] for r in fd if len(r["premise"].split()) < 120})
    picked = rng.sample(sorted(own), 2400)
    neutral = hard_neutrals([(c, own[c]) for c in picked], fpool, 20, 1, rng)
    sets["fever_retrieved"] = rng.sample(fd, 1500) + [dict(premise=p, hypothesis=c, label="N") for c, p in rng.sample(neutral, min(900, len(neutral)))]

    # where length still tells the label (see evaluate.py's length-only baseline): match lengths by subsampling
    for name in ("check_covid", "scifact_short", "scifact_whole", "healthver_short", "healthver_whole", "fever_retrieved", "healthver_csv", "wice", "nli4ct"):
        before = Counter(r["label"] for r in sets[name])
        sets[name] = length_matched(sets[name], rng)
        report.append(f"dev `{name}`: lengths matched over labels, {dict(before)} -> {dict(Counter(r['label'] for r in sets[name]))}")
    report.append("")
    names = sorted(sets)
    dev = [(n, r["hypothesis"], r["premise"], LABEL[r["label"]]) for n in names for r in sets[n]]

    # ---------------------------------------------------------------- leakage
    dev_prem = {norm(r["premise"]) for r in dev_rows} | {norm(p) for _, _, p, _ in dev}
    dev_claim = {c for c in (norm(r["hypothesis"]) for r in dev_rows) if len(c.split()) >= 4} | held_claims

    def shingles(t):
        w = norm(t).split()
        return {hash(tuple(w[i:i + 5])) for i in range(len(w) - 4)}
    inv = defaultdict(list)
    dev_sh = []
    for i, t in enumerate(sorted(dev_prem)):
        s = shingles(t)
        dev_sh.append(s)
        for h in s:
            inv[h].append(i)
    cache = {}

    def near_dev(t):
        if t not in cache:
            s = shingles(t)
            c = Counter(i for h in s for i in inv.get(h, ()))
            cache[t] = any(n >= 0.6 * max(1, min(len(s), len(dev_sh[i]))) and n >= 3 for i, n in c.items())
        return cache[t]

    leak = Counter()

    def leaks(src, claim, premise):
        p, c = norm(premise), norm(claim)
        why = "same premise" if p in dev_prem else "same claim" if c in dev_claim else "near-identical premise" if near_dev(premise) else None
        if why:
            leak[src, why] += 1
        return bool(why)

    # ---------------------------------------------------------------- training rows
    rows = []   # (kind, source, claim, premise, label, fold)

    def add(kind, src, claim, premise, label, group=None):
        """group: what rows made from one another share (never split over folds)."""
        claim, premise = re.sub(r"\s+", " ", claim).strip(), re.sub(r"\s+", " ", premise).strip()
        if claim and premise and not leaks(src, claim, premise):
            if group is None and src == "fever_nli":
                group = (subject(claim) or claim).lower()
            rows.append((kind, src, claim, premise, label, zlib.crc32(str(group or norm(premise)[:60]).encode()) % FOLDS))

    fever, others = [], []
    for r in kept:
        if r["source"] == "scifact":        # rebuilt from claims_train with the held-out part left away
            continue
        n = len(rows)
        add("base", r["source"], r["hypothesis"], r["premise"], LABEL[r["label"]])
        if len(rows) > n:
            (fever if r["source"] == "fever_nli" else others).append(rows[-1])
    for r in sci_short:
        add("base" if r["label"] != "N" else "sci_fix", "scifact", r["hypothesis"], r["premise"], LABEL[r["label"]], r["doc"])
    for r in sci_whole:
        add("sci_fix" if r["label"] != "N" else "base", "scifact", r["hypothesis"], r["premise"], LABEL[r["label"]], r["doc"])
    for r in sci_short:     # a second, differently cut window: rationale with a neighbour, or another neutral window
        d = corpus[int(r["doc"])]["abstract"]
        if r["label"] == "N":
            p = window_like(d, rng.choice((15, 25, 40, 60, 90)), r["hypothesis"], rng)
        else:
            lo, hi = max(0, min(r["at"]) - rng.randint(0, 2)), max(r["at"]) + 1 + rng.randint(0, 2)
            p = " ".join(d[lo:hi])
        add("sci_fix", "scifact", r["hypothesis"], p, LABEL[r["label"]], r["doc"])

    # hard neutrals for SciFact claims: abstracts that BM25 finds and nobody cited
    ids = sorted(i for i in corpus if i not in held_docs)
    index = BM25([corpus[i]["title"] + " " + " ".join(corpus[i]["abstract"]) for i in ids])
    for c, hs in zip(train_claims, index.top([c["claim"] for c in train_claims], 14)):
        cited = set(map(int, c["cited_doc_ids"]))
        q, n = content(c["claim"]), 0
        for d, _ in hs:
            doc = corpus[ids[d]]
            if doc["doc_id"] in cited or n >= 1:      # more than one a claim taught that SciFact claims are neutral
                continue
            if len(q & content(doc["title"] + " " + " ".join(doc["abstract"]))) > 0.8 * len(q):
                continue        # might well speak to the claim
            n += 1
            p = (doc["title"] + " " + " ".join(doc["abstract"])) if rng.random() < 0.35 else window_like(doc["abstract"], rng.choice((15, 25, 35, 50, 80)), c["claim"], rng)
            add("hard_neutral", "scifact", c["claim"], p, N, c["cited_doc_ids"][0])

    # hard neutrals for FEVER claims
    own = defaultdict(list)
    for _, _, c, p, _, _ in fever:
        own[c].append(p)
    fpool = sorted({p for _, _, _, p, _, _ in fever if len(p.split()) < 120})
    fclaims = sorted(own)
    neutral = hard_neutrals([(c, own[c]) for c in fclaims], fpool, 20, 2, rng)
    by_claim = defaultdict(list)
    for c, p in neutral:
        by_claim[c].append(p)
        if len(by_claim[c]) == 1:
            add("fever_neutral", "fever_nli", c, p, N)

    # evidence inside a longer passage: true evidence among others (label stays), or others only (neutral)
    for _, src, c, p, l, _ in fever:
        extra = by_claim.get(c) or rng.sample(fpool, 1)
        if rng.random() < 0.45:
            continue
        parts = [p] + [e for e in extra + rng.sample(fpool, rng.randint(0, 2)) if len(e.split()) < 60]
        rng.shuffle(parts)
        add("passage", src, c, " ".join(parts), l)
        if by_claim.get(c) and rng.random() < 0.5:
            parts = by_claim[c] + rng.sample(fpool, rng.randint(0, 2))
            rng.shuffle(parts)
            add("passage", src, c, " ".join(parts), N)

    # ---- rows made by rule
    def changed(t, premise):
        """A statement the premise contradicts, made from one it supports."""
        tries = [lambda: renumber(t, rng, premise), lambda: flip(t), lambda: negate(t), lambda: unnegate(t)]
        order = [0, 1, 3, 2] if rng.random() < 0.6 else [2, 3, 1, 0]
        for i in order:
            new = tries[i]()
            if new:
                return new, ("number", "direction", "negation", "negation")[i]
        return None, None

    made = Counter()
    for _, src, c, p, l, _ in fever + [r for r in others if r[1] == "check_covid"]:
        x = rng.random()
        if l == E and x < 0.5:
            new, how = changed(c, p)
            if new:
                made[how, "C"] += 1
                add("rule", src, new, p, C)
                if by_claim.get(c) and rng.random() < 0.5:     # the changed claim with other evidence stays neutral
                    add("rule", src, new, rng.choice(by_claim[c]), N)
        elif l == C and x < 0.5:
            new = negate(c)
            if new:
                made["negation", "E"] += 1
                add("rule", src, new, p, E)
    # two claims joined: supported only when both are; refuted when one is; neutral when one is open
    lab = {}
    for _, _, c, p, l, _ in fever:
        lab.setdefault(p, []).append((c, l))
    sup = [(c, p) for _, _, c, p, l, _ in fever if l == E]
    for p, cl in sorted(lab.items()):
        if len(cl) < 2 or rng.random() < 0.4:
            continue
        (c1, l1), (c2, l2) = rng.sample(cl, 2)
        if c1 == c2:
            continue
        made["joined", "EC"] += 1
        add("rule", "fever_nli", c1.rstrip(" .") + " and " + c2, p, E if (l1, l2) == (E, E) else C)
    for c, p in rng.sample(sup, 4000):
        d, _ = rng.choice(sup)
        if subject(d) and subject(d).lower() in p.lower():
            continue
        made["joined", "N"] += 1
        pair = [c.rstrip(" ."), d.rstrip(" .")]
        rng.shuffle(pair)
        add("rule", "fever_nli", " and ".join(pair) + ".", p, N)
    # another name as the subject, where the premise names the subject
    names_pool = sorted({s for c in fclaims if (s := subject(c))})
    for c, p in rng.sample(sup, 5000):
        s = subject(c)
        if s and s in p:
            t = rng.choice(names_pool)
            if t not in p:
                made["subject", "N"] += 1
                add("rule", "fever_nli", c.replace(s, t, 1), p, N)

    def cut(sents, j, mode):
        if mode == "whole":
            return " ".join(sents)
        if mode == "tail":
            return " ".join(sents[-rng.randint(2, 4):])
        return " ".join(sents[max(0, j - rng.randint(0, 2)):j + 1 + rng.randint(0, 2)])

    # science: sentences and titles of abstracts as claims, with their abstract, a turned version, and a neighbour's abstract
    free = [i for i in ids]
    titles = [corpus[i]["title"].rstrip(". ") for i in free]
    near = index.top(titles, 4)
    for i, title, hs in zip(free, titles, near):
        d = corpus[i]
        sents = d["abstract"]
        if len(sents) < 4:
            continue
        cands = []
        t = as_claim(title)
        if t and (negate(t) or flip(t)):
            cands.append((t, None))
        for j in range(len(sents) - 1, 1, -1):
            t = as_claim(sents[j])
            if t and len(cands) < 3 and (negate(t) or flip(t)) and rng.random() < 0.6:
                cands.append((t, j))
        for t, j in cands:
            mode = ("whole" if rng.random() < 0.4 else "tail") if j is None else ("whole" if rng.random() < 0.25 else "near")
            p = cut(sents, j, mode)
            new, how = changed(t, p)
            if not new:
                continue
            made["science", how] += 1
            r = rng.random()
            if r < 0.55:
                add("science", "scifact_corpus", t, p, E, i)
            if r > 0.35:
                add("science", "scifact_corpus", new, p, C, i)
            if j is not None and mode == "near" and flip(sents[j]) and flip(t) and rng.random() < 0.5:
                # claim and evidence turned the same way: supports again
                add("science", "scifact_corpus", flip(t), p.replace(sents[j], flip(sents[j])), E, i)
            said, x = t if rng.random() < 0.5 else new, rng.random()
            other = [ids[d] for d, _ in hs if ids[d] != i]
            if x < 0.6 and other:       # a neighbour's abstract, cut the same way
                o = corpus[rng.choice(other)]["abstract"]
                q = cut(o, max(range(len(o)), key=lambda k: len(content(t) & content(o[k]))), mode)
                if len(content(t) & content(q)) < (0.6 if mode != "whole" else 0.75) * len(content(t)):
                    add("science", "scifact_corpus", said, q, N, i)
            elif j is not None and j >= 4:      # the opening of the same abstract: same topic, finding not yet told
                q = " ".join(sents[:rng.randint(1, 3)])
                if len(content(t) & content(q)) < 0.45 * len(content(t)):
                    add("opening", "scifact_corpus", said, q, N, i)

    # the conclusion of an abstract as the claim, the results before it as the evidence: support without copied words
    for i, hs in zip(free, near):
        sents = corpus[i]["abstract"]
        t = as_claim(sents[-1]) if len(sents) >= 6 else None
        if not t or not (negate(t) or flip(t)):
            continue
        k = rng.randint(2, 4)
        mode = rng.random() < 0.3

        def before(s):
            return " ".join(s[:-1]) if mode else " ".join(s[-1 - k:-1])
        p = before(sents)
        if len(content(t) & content(p)) < 0.35 * len(content(t)):
            continue
        x = rng.random()
        if x < 0.6:
            add("conclusion", "scifact_corpus", t, p, E, i)
        if x > 0.4:
            add("conclusion", "scifact_corpus", flip(t) or negate(t), p, C, i)
        other = [ids[d] for d, _ in hs if ids[d] != i and len(corpus[ids[d]]["abstract"]) >= 4]
        if other:
            q = before(corpus[rng.choice(other)]["abstract"])
            if len(content(t) & content(q)) < (0.75 if mode else 0.5) * len(content(t)):
                add("conclusion", "scifact_corpus", t if rng.random() < 0.5 else flip(t) or negate(t), q, N, i)

    # encyclopaedia sentences: number, direction, negation
    wiki = []
    for r in read(a.data / "bilingual/parallel.jsonl.gz"):
        if r["source"] in PARALLEL_OK and 8 <= len(r["en"].split()) <= 32 and r["en"].rstrip().endswith("."):
            wiki.append(r["en"].strip())
    wiki = rng.sample(sorted(set(wiki)), 16000)
    covid = sorted({s for r in read(a.data / "bilingual/en_text.jsonl.gz") if r["source"] in TEXT_OK for s in sentences(r["text"]) if 8 <= len(s.split()) <= 60})
    plain = wiki[:9000] + [s for s in covid if len(s.split()) <= 35]
    source_of = {s: "kyoto_wiki" for s in wiki}
    index = BM25(plain)
    picked = [(s, t) for s in plain if (t := as_claim(s)) and changed(t, s)[0]][:6500]
    for (s, t), hs in zip(picked, index.top([t for _, t in picked], 5)):
        new, how = changed(t, s)
        if not new:
            continue
        made["wiki", how] += 1
        src = source_of.get(s, "covid_text")
        long = rng.random() < 0.5

        def around(x):
            return " ".join(rng.sample([rng.choice(wiki), x, rng.choice(wiki)], 3)) if long else x
        add("rule", src, t, around(s), E, s) if rng.random() < 0.45 else add("rule", src, new, around(s), C, s)
        near_by = [plain[d] for d, _ in hs if plain[d] != s and len(content(plain[d]) & content(t)) < 0.5 * len(content(t))]
        if near_by and rng.random() < 0.6:
            add("rule", src, t if rng.random() < 0.5 else new, around(near_by[0]), N, s)

    # ---------------------------------------------------------------- pairs without label
    pool_text = list(fpool) + [" ".join(corpus[i]["abstract"][j:j + rng.randint(1, 3)]) for i in free for j in range(0, len(corpus[i]["abstract"]), 2)]
    pool_text += [" ".join(covid[j:j + rng.randint(1, 2)]) for j in range(0, len(covid), 2)] + wiki
    pool_text = sorted({t for t in pool_text if 6 <= len(t.split()) <= 150 and norm(t) not in dev_prem and not near_dev(t)})
    q = [c["claim"] for c in train_claims] * 2 + sorted({r[2] for r in others if r[1] == "check_covid"}) + rng.sample(fclaims, min(7000, len(fclaims)))
    extra = [t for s in rng.sample(covid, min(2500, len(covid))) if (t := as_claim(s))]
    for i in free:
        for s in corpus[i]["abstract"][-3:]:
            t = as_claim(s)
            if t and rng.random() < 0.5:
                extra.append(t)
    half = rng.sample(extra, min(7000, len(extra)))
    q += [changed(t, t)[0] or t if rng.random() < 0.35 else t for t in half]
    q += [t for s in rng.sample(wiki, 2000) if (t := as_claim(s))]
    q = [t for t in q if norm(t) not in dev_claim]
    pool = []
    index = BM25(pool_text)
    for c, hs in zip(q, index.top(q, 12)):
        for d in rng.sample(range(len(hs)), min(a.passages, len(hs))):
            pool.append(("pool", "pool", c, pool_text[hs[d][0]], NONE, 0))
    pool = sorted(set(pool))
    rng.shuffle(pool)
    uniq = sorted(set(rows))
    rng.shuffle(uniq)

    # ---------------------------------------------------------------- write
    from tokenizers import Tokenizer
    tok = Tokenizer.from_file(a.tokenizer)
    tok.no_padding()
    tok.no_truncation()

    def pack(path, data, kinds, sources):
        cl = [e.ids for e in tok.encode_batch([r[2] for r in data], add_special_tokens=False)]
        ev = [e.ids for e in tok.encode_batch([r[3] for r in data], add_special_tokens=False)]
        cl = [c[:160] for c in cl]
        ev = [e[:512 - 3 - len(c)] for c, e in zip(cl, ev)]
        np.savez_compressed(path, tokens=np.array([t for c, e in zip(cl, ev) for t in c + e], np.uint16),
                            clen=np.array([len(c) for c in cl], np.uint16), elen=np.array([len(e) for e in ev], np.uint16),
                            label=np.array([r[4] for r in data], np.uint8), fold=np.array([r[5] for r in data], np.uint8), kind=np.array([kinds.index(r[0]) for r in data], np.uint8),
                            source=np.array([sources.index(r[1]) for r in data], np.uint8), kinds=np.array(kinds), sources=np.array(sources))

    kinds, sources = sorted({r[0] for r in uniq}), sorted({r[1] for r in uniq})
    pack(a.out / "train.npz", uniq, kinds, sources)
    pack(a.out / "pool.npz", pool, ["pool"], ["pool"])
    pack(a.out / "dev.npz", [("dev", n, c, p, l, 0) for n, c, p, l in dev], ["dev"], names)
    with gzip.GzipFile(a.out / "dev.jsonl.gz", "wb", mtime=0) as f:
        for n, c, p, l in dev:
            f.write((json.dumps(dict(set=n, claim=c, evidence=p, label=l), ensure_ascii=False) + "\n").encode())
    for name, data in (("rows", uniq), ("pool", pool)):
        with lzma.open(a.out / f"{name}.jsonl.xz", "wt", encoding="utf-8", preset=3) as f:
            f.writelines(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in data)
    with gzip.GzipFile(a.out / "samples.jsonl.gz", "wb", mtime=0) as f:
        by = defaultdict(list)
        for r in uniq:
            by[r[0], r[1], r[4]].append(r)
        for k in sorted(by):
            for r in by[k][:40]:
                f.write((json.dumps(r, ensure_ascii=False) + "\n").encode())

    report += ["# Leakage: training rows dropped because of a dev row", "", "| source | why | rows |", "| --- | --- | ---: |"]
    report += [f"| {s} | {w} | {n} |" for (s, w), n in sorted(leak.items())] + [""]
    report += ["# Training rows", "", "| kind | source | supports | refutes | neutral | not supported |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    c = Counter((r[0], r[1], r[4]) for r in uniq)
    for k, s in sorted({(r[0], r[1]) for r in uniq}):
        report.append(f"| {k} | {s} | " + " | ".join(str(c[k, s, l]) for l in (E, C, N, NE)) + " |")
    t = Counter(r[4] for r in uniq)
    report += ["| **all** | | " + " | ".join(str(t[l]) for l in (E, C, N, NE)) + " |", "", f"Pairs without label: {len(pool)}. Rules used: {dict(sorted((' '.join(k), v) for k, v in made.items()))}", ""]
    report += ["# Dev sets", "", "| set | supports | refutes | neutral | not supported |", "| --- | ---: | ---: | ---: | ---: |"]
    c = Counter((n, l) for n, _, _, l in dev)
    report += [f"| {n} | " + " | ".join(str(c[n, l]) for l in (E, C, N, NE)) + " |" for n in names]
    (a.out / "report.md").write_text("\n".join(report) + "\n")
    print("\n".join(report))


if __name__ == "__main__":
    main()
