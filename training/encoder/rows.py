"""Stance rows in Japanese and across the two languages: labelled rows by licence, rows made by rule, unlabelled pairs, dev sets.

    python rows.py DATA CORPUS TOKENIZER.json OUT [--seed 7] [--workers 1] [--pool 100000] [--share 1]

English rows come from ../prepare.py, run with the new tokenizer. This adds, in the same format (claim, evidence):
  ja_train.npz   labelled Japanese rows, rows made by rule in Japanese, rows with claim and evidence in different languages
  ja_pool.npz    pairs of neighbouring sentences in mixed languages without label, with their English on both sides for the teacher
  ja_dev.npz     dev sets, ja_dev.jsonl.gz the same with text
  ja_report.md, ja_samples.jsonl.gz
Dev sets: a part of JSNLI dev, JSICK, Jamp and JSeM, cut by premise; training rows that share a sentence with one are dropped. Jamp and
JSeM are made from templates, so their dev rows resemble training rows all the same. `cross_*` have claim and evidence in two languages:
JSICK with one side in English (gold labels), and rows made by rule from held-out aligned sentences. JRTE (non-commercial) is for measuring only.
"""
import argparse, functools, gzip, json, lzma, multiprocessing, random, re, sys, zlib
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import rules  # noqa: E402
import rules_ja  # noqa: E402
from corpus import BM25, norm, read, sentences_ja, squeeze  # noqa: E402

E, C, N, NE, NONE = 0, 1, 2, 3, 255
LABEL = {"E": E, "C": C, "N": N, "NE": NE}
ALLOWED = {"CC-BY-SA-4.0", "CC-BY-4.0", "BSD-3-Clause"}
DEV = {"jsnli_dev": 0.3, "jsick": 0.2, "jamp": 0.15, "jsem": 0.15}
PLAIN = ("kyoto_wiki", "tanaka_graded", "tanaka_jacy", "coursera", "kubernetes", "ethereum")
STATEMENTS = ("jaquad_train_ctx", "kyoto_wikipedia", "covid_wikipedia_ja", "wikipedia_annotated")


def lines(path):
    with lzma.open(path, "rt", encoding="utf-8") as f:
        return [json.loads(x) for x in f]


@functools.lru_cache(maxsize=1 << 16)
def pairs_of(text):
    n = norm(text)
    return frozenset(n[i:i + 2] for i in range(len(n) - 1))


def share_of(text):
    return zlib.crc32(text.encode()) / 2**32


SHARED = []      # what forked workers look up: the index is too large to send


def look(work):
    queries, k = work
    return SHARED[-1].top(queries, k)


def best(index, queries, k, workers):
    """`index.top`, in several processes."""
    if workers < 2:
        return index.top(queries, k)
    SHARED.append(index)
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        found = pool.map(look, [(queries[at:at + 512], k) for at in range(0, len(queries), 512)], chunksize=1)
    SHARED.pop()
    return [x for part in found for x in part]


class Changes:
    """A statement that the premise contradicts, made from one it supports, in either language."""

    def __init__(self, rng):
        self.rng = rng

    def of(self, t, premise, lang):
        r = rules_ja if lang == "ja" else rules
        # across languages a number is looked up in the premise as it stands: digits are digits in both
        tries = [("number", lambda: r.renumber(t, self.rng, premise)), ("direction", lambda: r.flip(t)), ("negation", lambda: r.unnegate(t)), ("negation", lambda: r.negate(t))]
        order = (0, 1, 2, 3) if self.rng.random() < 0.6 else (3, 2, 1, 0)
        for i in order:
            name, make = tries[i]
            new = make()
            if new and new != t:
                return new, name
        return None, None


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("data", type=Path)
    ap.add_argument("corpus", type=Path)
    ap.add_argument("tokenizer")
    ap.add_argument("out", type=Path)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--workers", type=int, default=1)
    ap.add_argument("--pool", type=int, default=100_000, help="pairs without label")
    ap.add_argument("--share", type=float, default=1.0, help="of the rows made by rule and the pairs without label; for tests")
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(a.seed)
    changes = Changes(rng)
    report, rows, dev = [], [], []      # (kind, source, claim, evidence, label)
    made = Counter()

    def some(x):
        return x if a.share >= 1 else x[::max(1, round(1 / a.share))]

    def overlap(x, y):
        bx = pairs_of(x)
        return len(bx & pairs_of(y)) / max(1, len(bx))

    # ---------------------------------------------------------------- labelled rows and dev sets
    labelled, table = [], {}
    for f in ("train", "dev"):
        for r in read(a.data / f"nli/{f}.jsonl.gz"):
            if r["lang"] != "ja":
                continue
            r["premise"], r["hypothesis"] = squeeze(r["premise"]), squeeze(r["hypothesis"])
            ok = r["license"] in ALLOWED
            table.setdefault((r["source"], r["license"]), [0, 0])[0 if ok else 1] += 1
            if ok:
                labelled.append(r)
            elif f == "dev" and share_of(r["premise"]) < 0.12:
                dev.append(("jrte", r["hypothesis"], r["premise"], LABEL[r["label"]]))
    held = set()
    for r in labelled:
        if share_of(r["source"] + norm(r["premise"])) < DEV.get(r["source"], 0):
            dev.append((r["source"], r["hypothesis"], r["premise"], LABEL[r["label"]]))
            held.update((norm(r["premise"]), norm(r["hypothesis"])))
    dropped = Counter()
    for r in labelled:
        if share_of(r["source"] + norm(r["premise"])) < DEV.get(r["source"], 0):
            continue
        # short hypotheses of the template sets recur everywhere: there only the premise counts
        same = norm(r["premise"]) in held or (r["source"] not in ("jamp", "jsem") and norm(r["hypothesis"]) in held)
        if same:
            dropped[r["source"]] += 1
            continue
        rows.append(("base", r["source"], r["hypothesis"], r["premise"], LABEL[r["label"]]))
    english = {squeeze(r["ja"]): squeeze(r["en"]) for r in read(a.data / "bilingual/parallel.jsonl.gz") if r["source"] == "jsick_sick"}
    for s, c, p, l in [d for d in dev if d[0] == "jsick"]:
        if c in english:
            dev.append(("cross_jsick_en_claim", english[c], p, l))
        if p in english:
            dev.append(("cross_jsick_ja_claim", c, english[p], l))
    report += ["# Japanese rows by source and licence", "", "| source | licence | kept | dropped |", "| --- | --- | ---: | ---: |"]
    report += [f"| {s} | {l} | {k} | {d} |" for (s, l), (k, d) in sorted(table.items())]
    report += ["", f"Training rows dropped because a dev row has the same sentence: {dict(sorted(dropped.items()))}.", ""]

    # ---------------------------------------------------------------- rows made by rule in Japanese
    paragraphs = [(s, sentences_ja(t), t) for s, l, t in some(lines(a.corpus / "text.xz")) if s in STATEMENTS]
    names = defaultdict(list)
    for _, _, t in paragraphs:
        for m in rules_ja.names(t):
            names[rules_ja.kind_of(m.group(0))].append(m.group(0))
    names = {k: sorted(set(v)) for k, v in names.items()}
    index = BM25([t for _, _, t in paragraphs], common=0.05)
    picked = []
    for i, (s, ss, t) in enumerate(paragraphs):
        cands = [(c, j) for j, x in enumerate(ss) if (c := rules_ja.as_claim(x))]
        for c, j in rng.sample(cands, min(len(cands), 2)):
            picked.append((i, j, c))
    rng.shuffle(picked)
    picked = picked[:int(26000 * a.share)]

    def cut(ss, j, mode):
        if mode == "whole":
            return "".join(ss)
        if mode == "one":
            return ss[j]
        return "".join(ss[max(0, j - rng.randint(0, 2)):j + 1 + rng.randint(0, 2)])
    for (i, j, c), hits in zip(picked, best(index, [c for _, _, c in picked], 4, a.workers)):
        s, ss, t = paragraphs[i]
        mode = rng.choice(("one", "near", "near", "whole"))
        p = cut(ss, j, mode)
        new, how = changes.of(c, p, "ja")
        x = rng.random()
        if new and x < 0.72:
            made["ja", how, "C"] += 1
            rows.append(("rule_ja", s, new, p, C))
        if x > 0.55:
            made["ja", "same", "E"] += 1
            rows.append(("rule_ja", s, c, p, E))
        said = new if new and rng.random() < 0.5 else c
        if rng.random() < 0.5:      # a neighbour's text, cut in the same way
            other = [paragraphs[d] for d, _ in hits if d != i]
            if other:
                o = other[0][1]
                k = max(range(len(o)), key=lambda k: overlap(said, o[k]))
                q = cut(o, k, mode)
                if overlap(said, q) < 0.55:
                    made["ja", "neighbour", "N"] += 1
                    rows.append(("rule_ja", s, said, q, N))
        elif len(ss) > 3:           # the same text without what it says
            left = [x for k, x in enumerate(ss) if abs(k - j) > 0 and overlap(said, x) < 0.4]
            if len(left) >= 2:
                made["ja", "rest", "N"] += 1
                rows.append(("rule_ja", s, said, "".join(left[:1] if mode == "one" else left[:3] if mode == "near" else left), N))
        if rng.random() < 0.2:      # another subject
            m = rules_ja.names(c)
            if m and m[0].start() == 0 and c[m[0].end():m[0].end() + 1] in ("は", "が"):
                new = rules_ja.rename(c, names, rng, p)
                if new and not new.startswith(m[0].group(0)):
                    made["ja", "name", "N"] += 1
                    rows.append(("rule_ja", s, new, p, N))

    # ---------------------------------------------------------------- across languages
    def crossed(pairs, count, kind, put):
        """Rows from aligned pairs [(source, en, ja)]: claim in one language, evidence in the other."""
        pool = [p for p in pairs if len(p[1].split()) >= 6 and len(p[2]) >= 10]
        near = BM25([p[2] for p in pool], common=0.02)
        chosen = []
        for i in rng.sample(range(len(pool)), len(pool)):
            lang = "en" if rng.random() < 0.5 else "ja"
            c = rules.as_claim(pool[i][1]) if lang == "en" else rules_ja.as_claim(pool[i][2])
            if c:
                chosen.append((i, lang, c))
            if len(chosen) >= count:
                break
        for (i, lang, c), hits in zip(chosen, best(near, [pool[i][2] for i, _, _ in chosen], 5, a.workers)):
            side = 2 if lang == "en" else 1         # the language of the evidence
            own = pool[i][side]
            extra = [pool[rng.randrange(len(pool))][side] for _ in range(rng.choice((0, 0, 1, 2)))]

            def around(x):
                parts = extra + [x]
                random.Random(i).shuffle(parts)
                return ("" if side == 2 else " ").join(parts)
            new, how = changes.of(c, own, lang)
            x = rng.random()
            if new and x < 0.65:
                made[kind, how, "C"] += 1
                put(kind, pool[i][0], lang, new, around(own), C)
            if x > 0.55 or not new and x > 0.3:
                made[kind, "same", "E"] += 1
                put(kind, pool[i][0], lang, c, around(own), E)
            if rng.random() < 0.45:
                other = [pool[d] for d, _ in hits if d != i and overlap(pool[i][2], pool[d][2]) < 0.5]
                if other:
                    made[kind, "neighbour", "N"] += 1
                    put(kind, pool[i][0], lang, new if new and rng.random() < 0.4 else c, around(other[0][side]), N)
    pairs = some(lines(a.corpus / "pairs.xz"))
    plain = [p for p in pairs if p[0] in PLAIN]
    crossed(plain, int(26000 * a.share), "cross", lambda k, s, lang, c, p, l: rows.append((k, s, c, p, l)))
    held_pairs = [p for p in lines(a.corpus / "heldout.xz") if p[0] in PLAIN + ("ntrex",)]
    crossed(held_pairs, int(1200 * a.share), "cross_rule", lambda k, s, lang, c, p, l: dev.append((f"cross_rule_{lang}_claim", c, p, l)))

    # ---------------------------------------------------------------- pairs without label: neighbours, languages mixed, English for the teacher
    wiki = [p for p in pairs if p[0] in ("kyoto_wiki", "tanaka_graded", "coursera") and 6 <= len(p[1].split()) <= 45]
    near = BM25([p[2] for p in wiki], common=0.02)
    pool, seeds = [], rng.sample(range(len(wiki)), min(len(wiki), int(a.pool * a.share)))
    for i, hits in zip(seeds, best(near, [wiki[i][2] for i in seeds], 6, a.workers)):
        c = rules.as_claim(wiki[i][1]) or wiki[i][1]
        claim_en, claim_ja = c, rules_ja.as_claim(wiki[i][2]) or wiki[i][2]
        others = [d for d, _ in hits if d != i]
        if not others:
            continue
        beside = rng.sample(others, min(len(others), rng.choice((1, 1, 2))))
        if rng.random() < 0.3:
            beside = beside[:1] + [i]
        rng.shuffle(beside)
        p_en, p_ja = " ".join(wiki[d][1] for d in beside), "".join(wiki[d][2] for d in beside)
        mix = rng.random()      # both Japanese 0.35, both English 0.2, the rest across
        pool.append((claim_ja if mix < 0.575 else claim_en, p_ja if mix < 0.35 or 0.575 <= mix < 0.8 else p_en, claim_en, p_en))
    rng.shuffle(pool)

    # ---------------------------------------------------------------- write
    from tokenizers import Tokenizer
    tok = Tokenizer.from_file(a.tokenizer)
    tok.no_padding()
    tok.no_truncation()
    uniq = sorted({r for r in rows if r[2] and r[3] and not (norm(r[2]) in held and norm(r[3]) in held)})
    rng.shuffle(uniq)
    dev = sorted(set(dev))
    names_dev = sorted({d[0] for d in dev})

    def ids(texts, limit):
        return [e.ids[:limit] for e in tok.encode_batch(texts, add_special_tokens=False)]

    def pack(path, data, kinds, sources, extra=()):
        cl = ids([r[2] for r in data], 160)
        ev = [e[:512 - 3 - len(c)] for c, e in zip(cl, ids([r[3] for r in data], 512))]
        np.savez_compressed(path, tokens=np.array([t for c, e in zip(cl, ev) for t in c + e], np.uint16), clen=np.array([len(c) for c in cl], np.uint16), elen=np.array([len(e) for e in ev], np.uint16),
                            label=np.array([r[4] for r in data], np.uint8), kind=np.array([kinds.index(r[0]) for r in data], np.uint8), source=np.array([sources.index(r[1]) for r in data], np.uint8),
                            fold=np.zeros(len(data), np.uint8), kinds=np.array(kinds), sources=np.array(sources), **dict(extra))
    kinds, sources = sorted({r[0] for r in uniq}), sorted({r[1] for r in uniq})
    pack(a.out / "ja_train.npz", uniq, kinds, sources)
    pack(a.out / "ja_dev.npz", [("dev", n, c, p, l) for n, c, p, l in dev], ["dev"], names_dev)
    tc, te = ids([r[2] for r in pool], 160), ids([r[3] for r in pool], 340)
    pack(a.out / "ja_pool.npz", [("pool", "pool", c, p, NONE) for c, p, _, _ in pool], ["pool"], ["pool"],
         dict(t_tokens=np.array([t for c, e in zip(tc, te) for t in c + e], np.uint16), t_clen=np.array([len(c) for c in tc], np.uint16), t_elen=np.array([len(e) for e in te], np.uint16)))
    with gzip.GzipFile(a.out / "ja_dev.jsonl.gz", "wb", mtime=0) as f:
        for n, c, p, l in dev:
            f.write((json.dumps(dict(set=n, claim=c, evidence=p, label=l), ensure_ascii=False) + "\n").encode())
    with gzip.GzipFile(a.out / "ja_samples.jsonl.gz", "wb", mtime=0) as f:
        by = defaultdict(list)
        for r in uniq:
            by[r[0], r[1], r[4]].append(r)
        for k in sorted(by):
            for r in by[k][:25]:
                f.write((json.dumps(r, ensure_ascii=False) + "\n").encode())
    c = Counter((r[0], r[1], r[4]) for r in uniq)
    report += ["# Training rows", "", "| kind | source | supports | refutes | neutral | not supported |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    report += [f"| {k} | {s} | " + " | ".join(str(c[k, s, l]) for l in (E, C, N, NE)) + " |" for k, s in sorted({(r[0], r[1]) for r in uniq})]
    t = Counter(r[4] for r in uniq)
    report += ["| **all** | | " + " | ".join(str(t[l]) for l in (E, C, N, NE)) + " |", "", f"Pairs without label: {len(pool)}. Rules used: {dict(sorted((' '.join(k), v) for k, v in made.items()))}", ""]
    c = Counter((d[0], d[3]) for d in dev)
    report += ["# Dev sets", "", "| set | supports | refutes | neutral | not supported |", "| --- | ---: | ---: | ---: | ---: |"]
    report += [f"| {n} | " + " | ".join(str(c[n, l]) for l in (E, C, N, NE)) + " |" for n in names_dev]
    (a.out / "ja_report.md").write_text("\n".join(report) + "\n")
    print("\n".join(report))


if __name__ == "__main__":
    main()
