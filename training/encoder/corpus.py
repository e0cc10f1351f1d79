"""Text for the bilingual encoder, by licence: aligned pairs, paragraphs, retrieval pairs, and everything kept out of training.

    python corpus.py DATA OUT [--seed 7]

DATA is the public data folder. Writes to OUT (xz, one JSON list per line):
  pairs.xz       [source, en, ja]             aligned sentences to train on
  text.xz        [source, lang, text]         paragraphs for masked-language training
  segments.xz    [source, text]               English sentences and paragraphs for distillation
  passages.xz    text                         further passages, numbered behind those of text.xz
  retrieve.xz    [kind, query, passage number, hard negative's number or -1, 1 where the query is to be cut out of the passage]
  heldout.xz     [source, en, ja]             10,000 aligned sentences that are kept out
  retrieval.xz   [set, "doc" | "query", id, text, relevant ids]
  similarity.xz  [set, first, second, label]  pairs without gold scores: see evaluate.py
  report.md      rows by source and licence, what was dropped and why
Same seed, same bytes.
"""
import argparse, gzip, json, lzma, random, re, sys, unicodedata
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from scipy import sparse

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from rules import sentences  # noqa: E402

HELD = 10_000
CROSS = 1_000

# Left out: non-commercial (bsd, jsick_sick), no licence stated (python_docs, django_docs, wmt21_22, igakuqa), mixed (stellarium).
PAIRS_OK = ("tanaka_graded kyoto_wiki coursera mdn tanaka_jacy postgresql ethereum tensorflow_nb kubernetes react tensorflow godot_docs vue ami ntrex "
            "sphinx_docs rust_course gnome_help opensource_guide hf_course freebsd").split()
# Left out: none stated (wikinews_ja, igakuqa, freecodecamp_ja, django_ja, python_ja), not checked per file (aozora),
# and the paragraphs of a dev set (jsquad_valid_ctx).
JA_OK = ("laws_egov kyoto_wikipedia mdn_ja jaquad_train_ctx covid_wikipedia_ja wikipedia_annotated kubernetes_ja react_ja ethereum_ja rust_book_ja "
         "arch_guidelines_ja railsguides_ja postgresql_ja").split()
# Left out: non-commercial (openstax_*), none stated (healthver_corpus, covidfact_corpus), licences vary (evidence_inference_pmc),
# web text of an extraction set (wcxb_dev_gold).
EN_OK = "scifact_abstracts check_covid_corpus covid_wiki_en mdn_en kubernetes_en ethereum_en".split()
NLI_OK = {"MIT", "Apache-2.0", "CC-BY-4.0", "CC-BY-SA-4.0(SNLI)/MIT", "FEVER CC-BY-SA-3.0", "MNLI mixed (OANC etc.)"}
LAWS = 14_000       # of 39,799 paragraphs of law: one style, and a third of the Japanese text
QUESTION_SOURCES = {"jaquad_train_ctx", "kyoto_wikipedia", "covid_wikipedia_ja", "wikipedia_annotated"}


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") if str(path).endswith(".gz") else open(path, encoding="utf-8") as f:
        for line in f:
            yield json.loads(line)


def write(path, rows):
    with lzma.open(path, "wt", encoding="utf-8", preset=3) as f:
        for r in rows:
            f.write(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n")


def squeeze(t):
    return re.sub(r"\s+", " ", t).strip()


def norm(t):
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", t).lower())


def grams(t, n):
    t = norm(t)
    return {t[i:i + n] for i in range(max(1, len(t) - n + 1))}


def sentences_ja(t):
    return [s.strip() for s in re.findall(r"[^。！？\n]+[。！？]?[」』）]*", t) if s.strip()]


class Near:
    """Finds texts that share most of their character n-grams with one of a set. Candidates are those that share a few n-grams which
    are rare in the set (every third of them is looked up): the rest would cost an hour."""
    RARE = 8

    def __init__(self, texts, n):
        self.n, self.sets, at = n, [grams(t, n) for t in texts], defaultdict(list)
        for i, s in enumerate(self.sets):
            for g in s:
                if (ord(g[0]) + ord(g[-1])) % 3 == 0:
                    at[g].append(i)
        self.at = {g: x for g, x in at.items() if len(x) <= self.RARE}
        self.whole = {norm(t) for t in texts}

    def has(self, t, share=0.6):
        s = grams(t, self.n)
        hits = defaultdict(int)
        for g in self.at.keys() & s:
            for i in self.at[g]:
                hits[i] += 1
        least = 2 if len(s) > 20 else 1
        return norm(t) in self.whole or any(k >= least and len(s & self.sets[i]) >= share * min(len(s), len(self.sets[i])) for i, k in hits.items())


def terms_ja(t):
    t = unicodedata.normalize("NFKC", t).lower()
    out = re.findall(r"[a-z0-9]+", t)
    for run in re.findall(r"[^\W_a-z0-9]+", t):
        out += [run[i:i + 2] for i in range(len(run) - 1)] or [run]
    return out


class BM25:
    """Character pairs for Japanese, words for Latin script. `common`: terms in a larger share of documents are not looked up."""

    def __init__(self, docs, k1=1.2, b=0.75, common=1.0):
        self.vocab, rows, cols, vals = {}, [], [], []
        bags = [Counter(terms_ja(d)) for d in docs]
        size = [sum(c.values()) for c in bags]
        mean = sum(size) / max(1, len(size))
        for i, c in enumerate(bags):
            for w, f in c.items():
                rows.append(i)
                cols.append(self.vocab.setdefault(w, len(self.vocab)))
                vals.append(f * (k1 + 1) / (f + k1 * (1 - b + b * size[i] / mean)))
        m = sparse.csr_matrix((vals, (rows, cols)), shape=(len(docs), len(self.vocab)), dtype=np.float32)
        df = np.diff(m.tocsc().indptr)
        idf = np.log(1 + (len(docs) - df + 0.5) / (df + 0.5)).astype(np.float32)
        idf[df > common * len(docs)] = 0
        self.m = (m @ sparse.diags(idf)).T.tocsr()
        self.m.eliminate_zeros()

    def top(self, queries, k):
        """[[(document, score)]], best first."""
        out = []
        for at in range(0, len(queries), 256):
            rows, cols = [], []
            part = queries[at:at + 256]
            for i, q in enumerate(part):
                for w in sorted(set(terms_ja(q))):
                    if w in self.vocab:
                        rows.append(i)
                        cols.append(self.vocab[w])
            s = (sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, cols)), shape=(len(part), len(self.vocab))) @ self.m).tocsr()
            for i in range(s.shape[0]):
                v, ix = s.data[s.indptr[i]:s.indptr[i + 1]], s.indices[s.indptr[i]:s.indptr[i + 1]]
                if len(v) > 4 * k:
                    cut = np.argpartition(-v, 4 * k)[:4 * k]
                    v, ix = v[cut], ix[cut]
                order = np.lexsort((ix, -v))[:k]
                out.append([(int(ix[j]), float(v[j])) for j in order])
        return out


ENDINGS = [("であった", "であったか"), ("である", "であるか"), ("していた", "していたか"), ("された", "されたか"), ("ている", "ているか"), ("した", "したか"), ("った", "ったか"),
           ("れる", "れるか"), ("する", "するか"), ("だった", "だったか"), ("いた", "いたか"), ("ます", "ますか"), ("です", "ですか"), ("なる", "なるか"), ("いう", "いうか")]
UNIT = re.compile(r"[0-9０-９,，.．]+(年|月|日|人|メートル|キロメートル|キロ|円|個|回|歳|世紀|km|m|度|社|校|か国|カ国|％|%|種|ページ|時間|分|秒|台|名|点|両|駅|戦|勝|位)")


def question_ja(s, rng):
    """A question that the sentence answers, by rule; None where no rule fits."""
    t = re.sub(r"[（(][^（()）]*[)）]", "", s).rstrip("。 ")
    if not 12 <= len(t) <= 90:
        return None
    m = list(UNIT.finditer(t))
    tail = next((b for a, b in ENDINGS if t.endswith(a)), None)
    if m and tail:
        x = rng.choice(m)
        a = next(a for a, _ in ENDINGS if t.endswith(a))
        q = t[:x.start()] + ("いつ" if x.group(1) == "年" and rng.random() < 0.3 else "何" + x.group(1)) + t[x.end():]
        q = q.split("、")[-2:] if q.count("、") > 2 and rng.random() < 0.5 else [q]
        q = "、".join(q)
        if q.endswith(a):
            return q[:-len(a)] + tail + rng.choice(("。", "？", ""))
    head = re.match(r"^([^、。はがをに]{2,20})は、?(.{6,})$", t)
    if head:
        rest = re.split(r"[、]", head.group(2))[0]
        kind = rng.random()
        if kind < 0.35:
            return head.group(1) + rng.choice(("とは何か。", "とは何ですか？", "とはどのようなものか。"))
        words = re.findall(r"[\u4e00-\u9fff]{2,}|[\u30a0-\u30ff]{3,}", rest)
        if words:
            w = rng.choice(words)
            return rng.choice((f"{w}に関係する{head.group(1)}について", f"{head.group(1)}と{w}の関係は何ですか？", f"{w}したのは誰ですか。" if kind > 0.8 else f"{head.group(1)}の{w}について教えて"))
    return None


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("data", type=Path)
    ap.add_argument("out", type=Path)
    ap.add_argument("--seed", type=int, default=7)
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(a.seed)
    report = ["# Aligned pairs", "", "| source | licence | read | kept for training | held out |", "| --- | --- | ---: | ---: | ---: |"]

    # ---------------------------------------------------------------- aligned pairs
    licence, count, pairs = {}, Counter(), []
    for r in read(a.data / "bilingual/parallel.jsonl.gz"):
        licence[r["source"]] = r["license"]
        count[r["source"]] += 1
        if r["source"] in PAIRS_OK:
            pairs.append((r["source"], squeeze(r["en"]), squeeze(r["ja"])))
    rng.shuffle(pairs)
    ja_rows = [r for r in read(a.data / "bilingual/ja_text.jsonl.gz")]
    en_rows = [r for r in read(a.data / "bilingual/en_text.jsonl.gz")]
    kyoto = [squeeze(r["text"]) for r in ja_rows if r["source"] == "kyoto_wikipedia"]
    where = {}
    for i, p in enumerate(kyoto):
        for s in sentences_ja(p):
            where.setdefault(s, i)

    # held out: all of ntrex, kyoto_wiki sentences of CROSS paragraphs, the rest at random; no two with the same side
    held, seen, used = [], set(), set()

    def hold(p):
        k, j = norm(p[1]), norm(p[2])
        if len(k) < 8 or len(j) < 4 or k in seen or j in seen:
            return False
        seen.update((k, j))
        held.append(p)
        return True
    for p in pairs:
        if p[0] == "ntrex":
            hold(p)
    cross = []
    for p in pairs:
        i = where.get(p[2])
        if p[0] == "kyoto_wiki" and i is not None and i not in used and len(p[1].split()) >= 8 and len(kyoto[i]) >= 120 and len(cross) < CROSS and hold(p):
            used.add(i)
            cross.append((p[1], p[2], i))
    for p in pairs:
        if len(held) >= HELD:
            break
        if p[0] not in ("ntrex",):
            hold(p)
    taken = set(held)
    near_en, near_ja = Near([p[1] for p in held], 6), Near([p[2] for p in held], 4)
    train, dropped = [], Counter()
    for p in pairs:
        if p in taken:
            continue
        if near_en.has(p[1], 0.7) or near_ja.has(p[2], 0.7):
            dropped[p[0]] += 1
            continue
        train.append(p)
    kept, held_n = Counter(p[0] for p in train), Counter(p[0] for p in held)
    report += [f"| {s} | {licence[s]} | {n} | {kept[s]} | {held_n[s]} |" for s, n in sorted(count.items())]
    report += [f"| **all** | | {sum(count.values())} | {len(train)} | {len(held)} |", "",
               f"Dropped as near-duplicates of held-out pairs (70 % of the shorter side's character n-grams, either side): {sum(dropped.values())}.", ""]
    print("\n".join(report), flush=True)

    # ---------------------------------------------------------------- paragraphs
    held_ja, held_en = {norm(p[2]) for p in held}, {norm(p[1]) for p in held}
    dev_docs = [json.loads(x) for n in ("ja_jsquad_valid", "ja_jaquad_dev") for x in gzip.open(a.data / f"retrieval/{n}/corpus.jsonl.gz", "rt")]
    dev_sent = {norm(s) for d in dev_docs for s in sentences_ja(d["text"])}
    text, out_n, ict = [], Counter(), defaultdict(list)
    laws = 0
    rng.shuffle(ja_rows)
    for r in ja_rows:
        t = squeeze(r["text"])
        if r["source"] not in JA_OK:
            continue
        if r["source"] == "laws_egov":
            laws += 1
            if laws > LAWS:
                continue
        ss = sentences_ja(t)
        if any(norm(s) in held_ja or (len(norm(s)) > 11 and norm(s) in dev_sent) for s in ss):
            out_n[r["source"]] += 1
            continue
        text.append((r["source"], "ja", t))
        ict[r["source"]].append((t, ss))
    segments = []
    for r in en_rows:
        t = squeeze(r["text"])
        if r["source"] not in EN_OK:
            continue
        ss = sentences(t)
        if any(norm(s) in held_en for s in ss):
            out_n[r["source"]] += 1
            continue
        text.append((r["source"], "en", t))
        segments.append((r["source"], t))
        segments += [(r["source"], s) for s in ss if len(s) >= 25 and rng.random() < 0.6]
        ict[r["source"]].append((t, ss))
    claims, evidence = [], []
    for r in read(a.data / "nli/train.jsonl.gz"):
        if r["lang"] == "en" and r["license"] in NLI_OK and r["source"] not in ("scifact", "sick"):
            segments += [(r["source"], squeeze(x)) for x in (r["premise"], r["hypothesis"]) if len(x) > 15]
            if r["source"] == "fever_nli":
                claims.append(squeeze(r["hypothesis"]))
                evidence.append(squeeze(r["premise"]))
    segments = sorted(set(segments))
    rng.shuffle(segments)
    rng.shuffle(text)
    c = Counter((s, l) for s, l, _ in text)
    size = Counter()
    for s, l, t in text:
        size[s] += len(t)
    report += ["# Paragraphs", "", "| source | language | kept | characters | dropped: holds a held-out or dev sentence |", "| --- | --- | ---: | ---: | ---: |"]
    report += [f"| {s} | {l} | {n} | {size[s]} | {out_n[s]} |" for (s, l), n in sorted(c.items())]
    report += ["", f"English segments for distillation: {len(segments)}.", ""]

    # ---------------------------------------------------------------- retrieval pairs
    out, passages = [], []
    number = {t: i for i, (_, _, t) in enumerate(text)}

    def numbered(t):
        if t not in number:
            number[t] = len(text) + len(passages)
            passages.append(t)
        return number[t]
    place = {}
    for i, p in enumerate(train):
        place.setdefault(p[2], i)
    for source, docs in sorted(ict.items()):
        if source == "laws_egov":
            docs = docs[:5000]
        index = BM25([t for t, _ in docs], common=0.05)
        queries, own = [], []       # (kind, document, cut the query out)
        for i, (t, ss) in enumerate(docs):
            if len(ss) < 2:
                continue
            ja = source in JA_OK
            for s in rng.sample(ss, min(len(ss), 2)):
                q = question_ja(s, rng) if ja and source in QUESTION_SOURCES else None
                if q:
                    queries.append(q)
                    own.append(("question_ja", i, 0))
                if 12 <= len(s) <= 200 and rng.random() < (0.5 if ja else 0.7):
                    queries.append(s)
                    own.append(("cloze_ja" if ja else "cloze_en", i, int(rng.random() < 0.5)))
                if s in place:        # the English side of a sentence -> the Japanese paragraph
                    queries.append(train[place[s]][1])
                    own.append(("cross", i, 0))
        for q, (k, i, cut), hs in zip(queries, own, index.top(queries, 8)):
            near = [docs[d][0] for d, _ in hs if d != i]
            hard = numbered(near[rng.randrange(min(4, len(near)))]) if near and k != "cross" else -1
            out.append((k, q, numbered(docs[i][0]), hard, cut))
        print(source, len(queries), flush=True)
    docs = [(squeeze(d["title"]), squeeze(" ".join(d["abstract"]))) for d in read(a.data / "scifact/corpus.jsonl.gz")]
    index = BM25([f"{t} {x}" for t, x in docs], common=0.2)
    for i, ((t, x), hs) in enumerate(zip(docs, index.top([t for t, _ in docs], 6))):
        near = [docs[d] for d, _ in hs if d != i]
        out.append(("title", t.rstrip("."), numbered(x), numbered(near[0][1]) if near else -1, 0))
    index = BM25(evidence, common=0.2)
    for i, (q, hs) in enumerate(zip(claims, index.top(claims, 8))):
        near = [evidence[d] for d, _ in hs if evidence[d] != evidence[i] and evidence[d][:40] != evidence[i][:40]]
        out.append(("claim", q, numbered(evidence[i]), numbered(near[0]) if near else -1, 0))
    rng.shuffle(out)
    c = Counter(r[0] for r in out)
    report += ["# Retrieval pairs", "", "| kind | rows | with hard negative |", "| --- | ---: | ---: |"]
    report += [f"| {k} | {n} | {sum(1 for r in out if r[0] == k and r[3] >= 0)} |" for k, n in sorted(c.items())] + [""]

    # ---------------------------------------------------------------- dev sets
    dev = []
    for name in ("ja_jsquad_valid", "ja_jaquad_dev"):
        rel = defaultdict(list)
        for line in open(a.data / f"retrieval/{name}/qrels.tsv"):
            q, d, s = line.split("\t")
            if s.strip() == "1":
                rel[q].append(d)
        dev += [(name, "doc", d["_id"], squeeze(f"{d.get('title', '')} {d['text']}"), []) for d in read(a.data / f"retrieval/{name}/corpus.jsonl.gz")]
        dev += [(name, "query", q["_id"], squeeze(q["text"]), rel[q["_id"]]) for q in read(a.data / f"retrieval/{name}/queries.jsonl.gz") if rel[q["_id"]]]
    rel = defaultdict(list)
    for line in open(a.data / "retrieval/scifact/qrels.tsv"):
        q, d, s = line.split("\t")
        if s.strip() == "1":
            rel[q].append(d)
    dev += [("scifact", "doc", str(d["doc_id"]), squeeze(d["title"] + " " + " ".join(d["abstract"])), []) for d in read(a.data / "scifact/corpus.jsonl.gz")]
    dev += [("scifact", "query", q["_id"], squeeze(q["text"]), rel[q["_id"]]) for q in read(a.data / "retrieval/scifact/queries.jsonl") if rel[q["_id"]]]
    others = [i for i in range(len(kyoto)) if i not in used]
    pool = sorted(used) + rng.sample(others, 4000)
    dev += [("cross_en_ja", "doc", str(i), kyoto[i], []) for i in pool]
    dev += [("cross_en_ja", "query", f"q{k}", e, [str(i)]) for k, (e, _, i) in enumerate(cross)]
    sim = []
    for f in ("train", "dev"):
        for r in read(a.data / f"nli/{f}.jsonl.gz"):
            if r["source"] in ("sick", "jsick", "jnli_valid"):
                sim.append((r["source"], squeeze(r["premise"]), squeeze(r["hypothesis"]), r["label"]))
    # Japanese sentences whose English is known: what the teacher says of the English pair stands in for gold
    both = {squeeze(r["ja"]): squeeze(r["en"]) for r in read(a.data / "bilingual/parallel.jsonl.gz") if r["source"] == "jsick_sick"}
    sim += [("jsick_english", f"{x}\t{both[x]}", f"{y}\t{both[y]}", l) for s, x, y, l in sim if s == "jsick" and x in both and y in both]
    c = Counter((s, k) for s, k, *_ in dev)
    report += ["# Dev sets", "", "| set | documents | queries |", "| --- | ---: | ---: |"] + [f"| {s} | {c[s, 'doc']} | {c[s, 'query']} |" for s in sorted({s for s, _ in c})]
    report += ["", "Similarity pairs without gold: " + ", ".join(f"{k} {v}" for k, v in sorted(Counter(s[0] for s in sim).items())) + ".", ""]

    write(a.out / "pairs.xz", train)
    write(a.out / "text.xz", text)
    write(a.out / "segments.xz", segments)
    write(a.out / "passages.xz", passages)
    write(a.out / "retrieve.xz", out)
    write(a.out / "heldout.xz", held)
    write(a.out / "retrieval.xz", dev)
    write(a.out / "similarity.xz", sim)
    (a.out / "report.md").write_text("\n".join(report) + "\n")
    print("\n".join(report))


if __name__ == "__main__":
    main()
