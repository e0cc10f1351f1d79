"""Statements in other words: what people wrote by reading a document, and what of it decides each.

    python statements.py parts DATA OUT         documents to read, with their sentences numbered
    python statements.py check DATA FILES...    every line of statements fits its document

`rows` makes pairs of them for rows.py.

A line of statements: document, sentences that decide (`3`, `2,3` together, `2|5` each alone, `-` none), label (s supports, r refutes, n neither), statement.
Documents are named `FOLDER#ID` (of the data folder, under `retrieval/` or `answers/`), single texts `FILE#DIGEST`. No document that is scored with is given to read: of
the English sets of `eval answers` only those of the half that chooses, without the sample that is drawn; of the Japanese ones no article that a question or a mirror
pair rests on; no abstract that a claim of SciFact cites.
"""
import collections, gzip, hashlib, json, re, struct, sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
SEED, DRAWN = 7, 100
HELD = 0.1              # of the documents: measured and not trained on
JAPANESE = ("retrieval/ja_jsquad_valid", "retrieval/ja_jaquad_dev")
ENGLISH = ("answers/boolq_dev", "answers/pubmedqa_dev", "answers/ramdocs_dev")
# texts of a part, by where they are from
TEXTS = {
    "bilingual/ja_text": dict(laws_egov=32, wikinews_ja=40, covid_wikipedia_ja=10, kubernetes_ja=8, postgresql_ja=6, railsguides_ja=6, arch_guidelines_ja=6, jaquad_train_ctx=12),
    "bilingual/en_text": dict(scifact_abstracts=80, covid_wiki_en=10, kubernetes_en=10, ethereum_en=10, check_covid_corpus=10),
}
KANA = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
ENDS = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])")
# what ends with a dot and is no end
SHORT = re.compile(r"(?:\b[A-Z]|\b(?:Dr|Mr|Mrs|Ms|St|vs|no|No|al|e\.g|i\.e|approx|ca|Fig|Jr|Sr|Inc|U\.S|U\.K))\.$")


def sentences(text):
    if KANA.search(text):
        out, now, depth = [], "", 0
        for c in text:
            now += c
            depth = max(0, depth + (c in "（(「『") - (c in "）)」』"))
            if c == "\n" or c == "。" and depth == 0:
                out.append(now.strip())
                now, depth = "", 0
        return [s for s in [*out, now.strip()] if s]
    out = []
    for line in text.splitlines():
        for part in ENDS.split(line.strip()):
            if out and SHORT.search(out[-1]) and not out[-1].endswith("\n"):
                out[-1] += " " + part
            elif part:
                out.append(part)
    return out


def lines(path):
    opened = gzip.open(f"{path}.gz", "rt", encoding="utf-8") if Path(f"{path}.gz").exists() else open(path, encoding="utf-8")
    with opened as f:
        return [json.loads(line) for line in f]


def documents(data, wanted):
    """id -> (title, sentences)"""
    found = {}
    for folder in sorted({w.split("#")[0] for w in wanted}):
        if folder in TEXTS:
            found.update({k: (k, sentences(t)) for _, k, t in texts(data, folder) if k in wanted})
            continue
        for r in lines(data / folder / ("corpus.jsonl" if folder.startswith("retrieval/") else "documents.jsonl")):
            key = f"{folder}#{r.get('_id') or r['id']}"
            if key in wanted:
                found[key] = (r["title"] or key, sentences(r["text"]))
    return found


def texts(data, name):
    """(source, id, text)"""
    return [(r["source"], f"{name}#{hashlib.sha256(r['text'].encode()).hexdigest()[:12]}", r["text"]) for r in lines(data / f"{name}.jsonl")]


def hashed(purpose, text):
    """As `eval answers` draws its questions."""
    h = 0xCBF29CE484222325
    for b in struct.pack("<Q", SEED) + purpose.encode() + b"\0" + text.encode():
        h = (h ^ b) * 0x100000001B3 % 2**64
    h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCD % 2**64
    return h ^ (h >> 33)


def mirrored():
    rows = (REPO / "eval/data/mirror.tsv").read_text(encoding="utf-8").splitlines()
    return {r.split("\t")[2] for r in rows if not r.startswith("#")}


def english(data, folder):
    """Documents of the half that chooses, that no drawn question rests on."""
    rows = [r for r in lines(data / folder / "questions.jsonl") if r["statement"]]
    groups = collections.defaultdict(set)
    for r in rows:
        if r.get("group"):
            groups[r["group"]] |= set(r["gold_docs"])
    choose, taken = [], set(k.split("#")[1] for k in mirrored() if k.startswith(folder))
    for r in rows:
        gold = sorted(r["gold_docs"]) or sorted(groups[r.get("group")])
        if hashed("half", r.get("group") or gold[0]) % 2:
            taken |= set(gold)
        else:
            choose.append((r, gold))
    free = set()
    for verdict in sorted({r["verdict"] for r, _ in choose}):
        fitting = sorted((x for x in choose if x[0]["verdict"] == verdict), key=lambda x: (hashed("order", x[0]["id"]), x[0]["id"]))
        quota = DRAWN // 5 if verdict == "mixed" else DRAWN // 2
        for i, (_, gold) in enumerate(fitting):
            (taken if i < quota // 2 else free).update(gold)
    return [f"{folder}#{d}" for d in sorted(free - taken)]


def japanese(data, folder):
    """Documents of articles that no question of ours rests on."""
    asked = {r["document"] for r in lines(REPO / "eval/data/answers_ja.jsonl")} | mirrored()
    rows = lines(data / folder / "corpus.jsonl")
    titles = {r["title"] for r in rows if f"{folder}#{r['_id']}" in asked}
    return [f"{folder}#{r['_id']}" for r in rows if r["title"] not in titles]


def order(keys):
    return sorted(keys, key=lambda k: hashlib.sha256(k.encode()).digest())


def written(path, found, keys):
    with open(path, "w", encoding="utf-8") as f:
        for k in keys:
            f.write(f"# {k}\t{found[k][0] if found[k][0] != k else ''}\n" + "".join(f"{i} {s}\n" for i, s in enumerate(found[k][1], 1)) + "\n")


def single(data, name, out, count=8):
    """Parts of single texts: so many of each source."""
    cited = {str(d) for r in lines(data / "scifact/claims_train.jsonl") for d in r["cited_doc_ids"]}
    cited = {r["abstract"][0].strip() for r in lines(data / "scifact/corpus.jsonl") if str(r["doc_id"]) in cited}
    short, long, few = (60, 1200, 3) if name.endswith("ja_text") else (300, 2600, 3)
    found, of = {}, collections.defaultdict(list)
    for source, key, text in texts(data, name):
        said = sentences(text)
        if source in TEXTS[name] and short <= len(text) <= long and len(said) >= few and not any(s in text for s in cited if source == "scifact_abstracts"):
            found[key] = (key, said)
            of[source].append(key)
    for n in range(count):
        keys = [k for source, some in TEXTS[name].items() for k in order(of[source])[n * some:(n + 1) * some]]
        written(out / f"{name.split('/')[1]}_{n + 1:02}.txt", found, order(keys))


def parts(data, out):
    out.mkdir(parents=True, exist_ok=True)
    for name in TEXTS:
        single(data, name, out)
    for lang, keys in (("ja", [k for f in JAPANESE for k in japanese(data, f)]), ("en", [k for f in ENGLISH for k in english(data, f)])):
        found = documents(data, set(keys))
        fitting = [k for k in order(keys) if 3 <= len(found[k][1]) <= 22 and 120 <= sum(map(len, found[k][1])) <= 2600]
        for n in range(0, len(fitting), 120):
            written(out / f"{lang}_{n // 120 + 1:02}.txt", found, fitting[n:n + 120])


def told(files):
    return [line.split("\t") for f in sorted(files) for line in Path(f).read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]


def windows(said):
    """As the program reads a passage: each sentence alone, and two (Japanese) or three (English) together."""
    ja = bool(KANA.search("".join(said)))
    n, glue = (2, "") if ja else (3, " ")
    one = [((i,), s) for i, s in enumerate(said, 1)]
    return one + [(tuple(range(i, i + n)), glue.join(said[i - 1:i - 1 + n])) for i in range(1, len(said) - n + 2)]


def grams(text):
    """What makes two texts look alike: pairs of letters in Japanese, words in English."""
    return {text[i:i + 2] for i in range(len(text) - 1)} if KANA.search(text) else set(re.findall(r"[a-z0-9]{3,}", text.lower()))


def rows(data, rng, files=sorted((Path(__file__).resolve().parent / "statements").glob("*.tsv"))):
    """(held out, claim, evidence, label 0 supports, 1 refutes, 2 neutral) of every statement: what decides, alone and beside its neighbours,
    now and then the whole text, and sentences that look as if they decided. A document is held out as a whole."""
    statements = told(files)
    found = documents(data, {s[0] for s in statements})
    for key, numbers, label, claim in statements:
        said, label = found[key][1], "srn".index(label)
        held = int(hashlib.sha256(f"held {found[key][0]}".encode()).hexdigest()[:8], 16) / 2**32 < HELD
        glue = "" if KANA.search("".join(said)) else " "
        decide = [tuple(int(n) for n in part.split(",")) for part in numbers.split("|")] if numbers != "-" else []
        every = {n for part in decide for n in part}
        have = grams(claim)
        for part in decide:
            yield held, claim, glue.join(said[n - 1] for n in part), label
            first, last = min(part), max(part)
            beside = [(a, b) for a, b in ((first - 1, last), (first, last + 1), (first - 1, last + 1)) if a >= 1 and b <= len(said) and b - a <= 3]
            if beside:
                a, b = rng.choice(beside)
                yield held, claim, glue.join(said[a - 1:b]), label
        if decide and rng.random() < 0.2 or not decide and rng.random() < 0.3:
            yield held, claim, glue.join(said), label
        silent = [w for w in windows(said) if not every & set(w[0])]
        silent.sort(key=lambda w: -len(have & grams(w[1])) / (len(w[1]) + 30) ** 0.5)
        for at, (_, text) in enumerate(silent[:2 if decide else 3]):
            if at == 0 or rng.random() < 0.5:
                yield held, claim, text, 2


def check(data, files):
    rows = [(f, i, line.split("\t")) for f in files for i, line in enumerate(Path(f).read_text(encoding="utf-8").splitlines(), 1) if line and not line.startswith("#")]
    found = documents(data, {r[0] for _, _, r in rows})
    wrong, count, seen = 0, collections.Counter(), set()
    for f, i, r in rows:
        said = len(found.get(r[0], ("", []))[1])
        numbers = [n for p in r[1].split("|") for n in p.split(",")] if len(r) == 4 else []
        fault = ("four fields are needed" if len(r) != 4 else "unknown document" if not said else "label s, r or n" if r[2] not in ("s", "r", "n")
                 else "n has no sentences and the others have some" if (r[2] == "n") != (r[1] == "-")
                 else "no such sentence" if r[1] != "-" and not all(n.isdigit() and 1 <= int(n) <= said for n in numbers)
                 else "said twice" if (r[0], r[3]) in seen else "too short" if len(r[3]) < 8 else None)
        if fault:
            wrong += 1
            print(f"{f}:{i}: {fault}")
            continue
        seen.add((r[0], r[3]))
        count[r[2]] += 1
    print(f"{len(rows)} lines, {wrong} wrong, {dict(count)}")
    return wrong == 0


if __name__ == "__main__":
    what, data, *rest = sys.argv[1:]
    sys.exit(0 if {"parts": lambda: parts(Path(data), Path(rest[0])) or True, "check": lambda: check(Path(data), rest)}[what]() else 1)
