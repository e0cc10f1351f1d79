"""Rows for the second round of stance models, as text.

    python rows.py english DATA PREPARED OUT      PREPARED: the folder of ../prepare.py
    python rows.py japanese DATA CORPUS OUT       CORPUS: the folder of ../encoder/corpus.py
    python rows.py switched TERMS.tsv OUT         TERMS: the dictionary of the crate expand; OUT has en.xz

english writes OUT/en.xz (kind, source, claim, evidence, label), OUT/en_pool.xz (claim, evidence) and
OUT/en_eval.xz (set, claim, evidence, label; also the sets that may not be trained on). japanese writes OUT/ja.xz (labelled rows, Japanese
and mixed), OUT/aligned.xz (claim en, claim ja, evidence en, evidence ja; no label: the large judge reads the English side) and OUT/ja_eval.xz.
switched writes OUT/switched.xz (number of a row of en.xz, claim, evidence): the row with a part of its words in Japanese.
What is kept out: rows that share a claim or most of a passage with a dev set, an evaluation set or a document of DATA/answers.
"""
import random, re, sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "encoder"))
import grid  # noqa: E402
from prepare import BM25, LABEL, norm, read  # noqa: E402
from statements import KANA, rows as stated  # noqa: E402
from texts import load, write  # noqa: E402
from rules import as_claim, content, flip, negate, unnegate  # noqa: E402

E, C, N, NE = range(4)
KINDS = "base sci_fix fever_neutral passage rule science conclusion".split()
# argumentative rows teach to take sides, monotonicity rows are short templates: neither may outweigh what one meets
CAP = {"argkp_keypoint": 2000, "argkp_topic": 1500, "perspectrum": 2000, "med": 3000, "scone": 2500, "infotabs": 1500, "breaking_nli": 2000, "strategyqa": 900, "contract_nli": 1442, "begin_wow": 800}
AIM = re.compile(r"\b(?:aim(?:ed|s)?|objectives?|purpose|goal)\b.{0,40}\b(?:was|is|were|to)\b|\bwe (?:sought|aimed|investigated|examined|assessed|evaluated|tested|studied|asked|set out|hypothesi[sz]ed|compared)\b|^(?:BACKGROUND|OBJECTIVES?|METHODS?|DESIGN|AIMS?)?:? ?To (?:investigate|determine|examine|assess|evaluate|test|compare|explore|study|identify)\b|"
                 r"\bwhether\b|\b(?:was|were) (?:examined|investigated|assessed|evaluated|tested|measured|recruited|enrolled|randomly assigned|randomi[sz]ed|assigned|collected|analy[sz]ed|recorded|performed|used to)\b|remains? (?:unclear|unknown|controversial|to be)|\bis (?:not known|unknown|unclear)\b|little is known", re.I)
FINDS = re.compile(r"\b(?:found|find|show\w*|demonstrat\w*|reveal\w*|suggest\w*|conclud\w*|significant\w*|result(?:s|ed)? in|associated with|correlat\w*|increas\w*|decreas\w*|reduc\w*|higher|lower|improv\w*|induc\w*|inhibit\w*|led to|leads to|caus\w*)\b", re.I)
# what is said of a statement: it holds, it does not, nobody knows
LEADS = {E: ["We found that {t}.", "The results confirm that {t}.", "There is strong evidence that {t}.", "It has been shown that {t}.", "The report concludes that {t}.", "Several studies agree that {t}.", "Experts now accept that {t}.", "It turned out that {t}."],
         C: ["We found no evidence that {t}.", "There is no evidence that {t}.", "The idea that {t} is a myth.", "The claim that {t} has been disproved.", "It is widely believed that {t}, but the data do not support this.", "The authors rejected the hypothesis that {t}.",
             "Some have argued that {t}. This is not the case.", "Reports that {t} are false.", "The study failed to show that {t}.", "Contrary to common belief, it is not true that {t}."],
         N: ["We investigated whether {t}.", "It remains unclear whether {t}.", "The aim of this study was to determine whether {t}.", "Further research is needed to establish whether {t}.", "Some argue that {t}, while others disagree.", "The question is whether {t}.",
             "Nobody knows whether {t}.", "The hypothesis that {t} will be tested in a trial.", "We hypothesised that {t}.", "There is not enough evidence to say whether {t}.", "If {t}, the guidelines should change."]}
# how the same finding is told: the word "trial" stood in half of its rows beside "neutral" and made the judges doubt
TOLD = ["A trial of {n} patients reported this: {p}", "{p} This was seen in a trial of {n} people.", "Results of a randomised trial: {p}", "In a study of {n} adults the following was found. {p}", "A survey of {n} people says: {p}", "{p} The trial lasted {m} months.",
        "The report, which followed {n} people for {m} months, states: {p}"]
DENIES = re.compile(r"\b(?:not|no evidence|no effect|no difference|never|neither|failed to|without)\b", re.I)
JOURNALS = "J Clin Med|Lancet|BMJ Open|Nature|Ann Intern Med|PLoS One|J Exp Biol|Cell|Science|Circulation|Eur J Nutr|Public Health".split("|")
FAMILY = "Tanaka Smith Rossi Nguyen Müller Garcia Kim Ivanova Brown Suzuki Chen Jensen Dubois Okafor Patel Silva".split()


def squeeze(t):
    return re.sub(r"\s+", " ", t).strip()


class Kept:
    """What no training row may repeat: claims, and passages by their word 5-grams."""

    def __init__(self):
        self.claims, self.at, self.size = set(), defaultdict(list), []

    def shingles(self, t):
        w = norm(t).split()
        return {hash(tuple(w[i:i + 5])) for i in range(len(w) - 4)}

    def claim(self, t):
        if len(norm(t).split()) >= 4:
            self.claims.add(norm(t))

    def passage(self, t, whole=False):
        """whole: a long document; a row may hold no part of it."""
        s = self.shingles(t)
        for h in s:
            self.at[h].append(len(self.size))
        self.size.append(10**9 if whole else len(s))

    def holds(self, claim, premise):
        if norm(claim) in self.claims:
            return "claim"
        s = self.shingles(premise)
        hit = Counter(i for h in s for i in self.at.get(h, ()))
        if any(n >= 3 and n >= 0.6 * min(len(s), self.size[i]) for i, n in hit.items()):
            return "passage"
        return None


def english(data, prepared, out):
    rng = random.Random(11)
    kept = Kept()
    ev = []
    for r in read(prepared / "dev.jsonl.gz"):
        ev.append((r["set"], r["claim"], r["evidence"], r["label"]))
    for f in ("dev.jsonl.gz", "eval_only/eval.jsonl.gz"):
        for r in read(data / "nli2" / f):
            ev.append((("nli2_" if f[0] == "d" else "eval_") + (r["source"] if not r["source"].startswith("summedits") else "summedits"), squeeze(r["hypothesis"]), squeeze(r["premise"]), LABEL[r["label"]]))
    fixed = {"contract_nli", "argkp_topic", "argkp_keypoint", "perspectrum"}       # claims are shared by rule there; split by cid already
    for s, c, p, _ in ev:
        if s.removeprefix("nli2_") not in fixed:
            kept.claim(c)
        kept.passage(p)
    # the answers: every question, statement and document
    gold = []
    for name in ("pubmedqa_dev", "boolq_dev", "ramdocs_dev", "healthfc_eval_only", "bioasq12b_eval_only"):
        docs = {d["id"]: d for d in read(data / "answers" / name / "documents.jsonl.gz")}
        for d in docs.values():
            kept.passage(d["title"] + " " + d["text"], whole=True)
        for q in read(data / "answers" / name / "questions.jsonl"):
            kept.claim(q["question"])
            if q["statement"]:
                kept.claim(q["statement"])
                if name == "pubmedqa_dev" and q["verdict"] in ("yes", "no"):
                    last = docs[q["gold_docs"][0]]["text"].strip().split("\n\n")[-1]
                    gold.append(("pubmedqa_conclusion", q["statement"], squeeze(re.sub(r"^[A-Z][\w /&]+: ", "", last)), E if q["verdict"] == "yes" else C))
    ev += gold
    dropped, rows = Counter(), []

    def add(kind, src, claim, premise, label, check=True):
        claim, premise = squeeze(claim), squeeze(premise)
        if not claim or not premise:
            return False
        why = kept.holds(claim, premise) if check else None
        if why:
            dropped[src, why] += 1
            return False
        rows.append((kind, src, claim, premise, label))
        return True

    for kind, src, c, p, l, _ in load(prepared / "rows.jsonl.xz"):
        if kind in KINDS:
            add(kind, src, c, p, l)
    # nli2, capped, with neutral evidence from within each source
    by = defaultdict(list)
    for r in read(data / "nli2/train.jsonl.gz"):
        by[r["source"] if not r["source"].startswith("summedits") else "summedits"].append(r)
    for src, rs in sorted(by.items()):
        rng.shuffle(rs)
        n = 0
        for r in rs:
            if n < CAP.get(src, 10**9):
                n += add("nli2", src, r["hypothesis"], r["premise"], LABEL[r["label"]])
        # wrong evidence: what BM25 finds for a claim among the passages of other claims
        want = {"perspectrum": 2000, "argkp_topic": 1200, "evidence_inference": 3000, "fool_me_twice": 900, "condaqa": 1200, "feverous_dev": 500, "strategyqa": 500, "citation_integrity": 600, "contract_nli": 300, "factcg_cg2c_doc": 500}.get(src)
        if not want:
            continue
        own = defaultdict(set)
        for r in rs:
            own[r["hypothesis"]].add(r.get("cid"))
        pool = sorted({(r["premise"], str(r.get("cid"))) for r in rs})
        index = BM25([p for p, _ in pool])
        claims = rng.sample(sorted(own), min(len(own), 2 * want))
        got = 0
        for c, hits in zip(claims, index.top(claims, 15)):
            cand = [pool[d] for d, _ in hits if pool[d][1] not in {str(x) for x in own[c]}]
            cand = [p for p, _ in cand[:5] if len(content(c) & content(p)) < (0.75 if src != "evidence_inference" else 0.6) * len(content(c))]
            if cand and got < want:
                got += add("wrong", src, c, rng.choice(cand), N)

    # abstracts: aims, methods, questions and titles decide nothing about the finding; the finding itself does
    corpus = [d for d in read(data / "scifact/corpus.jsonl.gz")]
    plain = []
    for d in corpus:
        sents = [squeeze(s) for s in d["abstract"]]
        if len(sents) < 4:
            continue
        found = [t for s in sents[-2:] if (t := as_claim(s)) and (negate(t) or flip(t))]
        title = squeeze(d["title"]).rstrip(". ")
        if as_claim(title) and (negate(title) or flip(title)):
            found.append(title)
        aims = [s for s in sents[:-2] if AIM.search(s) and not FINDS.search(s)]
        for t in found[:2]:
            plain.append(t)
            said = t if rng.random() < 0.55 else flip(t) or negate(t)
            x = rng.random()
            if aims and x < 0.6:
                k = rng.randrange(len(aims))
                p = " ".join(aims[k:k + rng.choice((1, 1, 2))])
                add("aim", "scifact_corpus", said, p, N)
                if rng.random() < 0.5:      # with the finding behind it the same aim does not hide it
                    s = next(s for s in [*sents[-2:], title] if t in (as_claim(s), s))
                    add("aim", "scifact_corpus", t, p + " " + s, E) if rng.random() < 0.5 else add("aim", "scifact_corpus", flip(t) or negate(t), p + " " + s, C)
            elif not (negate(title) or flip(title)) or title.endswith("?"):
                line = title
                if rng.random() < 0.6:
                    who = ", ".join(f"{rng.choice(FAMILY)} {chr(65 + rng.randrange(26))}" for _ in range(rng.randint(1, 3)))
                    line = f"{who}{rng.choice((', et al', ''))}. {title}. {rng.choice(JOURNALS)} {rng.randint(1995, 2023)};{rng.randint(1, 90)}:{rng.randint(1, 900)}-{rng.randint(901, 999)}."
                    if rng.random() < 0.4:
                        line = f"{rng.randint(1, 60)}. " + line
                add("title", "scifact_corpus", said, line, N)
    # a statement and what is said of it
    fever = [r for r in rows if r[0] == "base" and r[1] == "fever_nli" and r[4] == E and negate(r[2])]
    plain += [r[2] for r in rng.sample(fever, 2500)]
    for t in plain:
        label = rng.choice((E, C, N))
        other = negate(t) or flip(t)
        lead = rng.choice(LEADS[label])
        x = rng.random()
        bare = t.rstrip(". ")
        if x < 0.6 or not other:
            add("lead", "lead", t, lead.format(t=bare), label)
        elif x < 0.8:       # the claim turned
            add("lead", "lead", other, lead.format(t=bare), {E: C, C: E, N: N}[label])
        else:               # what is said of the opposite
            add("lead", "lead", t, lead.format(t=other.rstrip(". ")), {E: C, C: E, N: N}[label])
    for ce, _, pe, _, l in grid.rows(5000, random.Random(21)):
        add("grid", "grid", ce, pe, l)
    # read by somebody: neither what is trained nor what is held out shares a document with a question that scores
    for held, claim, premise, label in stated(data, random.Random(31)):
        if not KANA.search(claim + premise):
            ev.append(("eval_statements", claim, squeeze(premise), label)) if held else add("stated", "statements", claim, premise, label, check=False)
    # told of a trial, or with something else behind it that is denied, evidence says the same: all three labels in the same ways
    known = [r for r in rows if r[0] in ("base", "fever_neutral", "sci_fix", "science", "stated") and len(r[3]) < 400]
    denied = [r[3] for r in known if len(r[3]) < 200 and DENIES.search(r[3])]
    for label in (E, C, N):
        for _, src, claim, premise, _ in rng.sample([r for r in known if r[4] == label], 3000):
            other = rng.choice(denied)
            if rng.random() < 0.5:
                add("told", src, claim, rng.choice(TOLD).format(n=rng.randint(12, 4000), m=rng.randint(2, 60), p=premise), label, check=False)
            elif not content(other) & content(claim):
                add("beside", src, claim, f"{premise} {other}", label, check=False)
    rows = sorted(set(rows))
    rng.shuffle(rows)
    pool = [(c, p) for _, _, c, p, _, _ in load(prepared / "pool.jsonl.xz") if not kept.holds(c, p)]
    write(out / "en.xz", rows)
    write(out / "en_pool.xz", pool)
    write(out / "en_eval.xz", ev)
    count = Counter((k, s, l) for k, s, _, _, l in rows)
    lines = ["| kind | source | supports | refutes | neutral | not supported |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    lines += [f"| {k} | {s} | " + " | ".join(str(count[k, s, l]) for l in range(4)) + " |" for k, s in sorted({x[:2] for x in count})]
    total = Counter(r[4] for r in rows)
    lines += ["| **all** | | " + " | ".join(str(total[l]) for l in range(4)) + " |", "", f"Pairs without label: {len(pool)}. Rows left out: {dict(sorted((' '.join(k), v) for k, v in dropped.items()))}"]
    (out / "en.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))


def japanese(data, corpus, out):
    import rules_ja
    rng = random.Random(12)
    rows, ev = [], []
    for f in ("train", "dev"):
        for r in read(data / f"negation_ja/{f}.jsonl.gz"):
            c, p, l = squeeze(r["hypothesis"]), squeeze(r["premise"]), LABEL[r["label"]]
            rows.append(("negation", r["source"], c, p, l)) if f == "train" else ev.append(("neg_" + r["source"], c, p, l))
    for ce, cj, pe, pj, l in grid.rows(16000, random.Random(22)):
        x = rng.random()
        rows.append(("grid", "grid", cj if x < 0.7 else ce, pj if x < 0.45 or x >= 0.7 else pe, l))
    for held, claim, premise, label in stated(data, random.Random(32)):
        if KANA.search(claim + premise):
            where = "statements_ja" if KANA.search(claim) and KANA.search(premise) else "statements_across"
            ev.append((where, claim, squeeze(premise), label)) if held else rows.append(("stated", where, claim, squeeze(premise), label))
    # a statement and what is said of it, in Japanese and across
    pairs = load(corpus / "pairs.xz")
    usual = [p for p in pairs if p[0] in ("kyoto_wiki", "tanaka_graded", "tanaka_jacy", "coursera", "ethereum", "kubernetes", "mdn", "ami")]
    ja_leads = {E: ["{t}ことが確認された。", "{t}ことが分かった。", "調査の結果、{t}ことが明らかになった。", "{t}という結果が得られた。", "報告書は、{t}と結論づけている。", "{t}のは確かである。"],
                C: ["{t}という証拠はない。", "{t}という事実は確認されなかった。", "{t}というのは俗説にすぎない。", "{t}と広く信じられているが、これは誤りである。", "{t}という主張は否定された。", "{t}との報道は事実ではない。", "{t}ことを示す証拠は見つからなかった。"],
                N: ["{t}かどうかは明らかでない。", "{t}かどうかを調べた。", "本研究の目的は、{t}かどうかを検証することである。", "{t}という仮説が検討されている。", "{t}と主張する者もいるが、異論もある。", "{t}とは限らない。", "{t}かどうかについては、さらに検討が必要である。", "{t}かもしれない。"]}
    count = 0
    for s, en, ja in rng.sample(usual, len(usual)):
        t, u = rules_ja.as_claim(ja), as_claim(en)
        if not t or not u or not re.search(r"(?:る|た|う|く|す|つ|ぬ|む|ぶ|い|ん)。$", t) or re.search(r"(?:です|ます|でした|ました|ません|か)。$", t) or len(t) > 60:
            continue
        label = rng.choice((E, C, N))
        bare = t.rstrip("。")
        attributive = re.sub(r"だ$", "である", bare)
        x = rng.random()
        pj = rng.choice(ja_leads[label]).format(t=attributive)
        pe = rng.choice(LEADS[label]).format(t=u.rstrip(". "))
        rows.append(("lead", s, t if x < 0.7 else u, pj if x < 0.45 or x >= 0.7 else pe, label))
        count += 1
        if count >= 9000:
            break
    # aligned pairs: neighbours by BM25, and the same edit on both sides
    wiki = [p for p in usual if p[0] != "ami" and 4 <= len(p[1].split()) <= 40]
    index = BM25([p[1] for p in wiki])
    seeds = rng.sample(range(len(wiki)), 110_000)
    print(len(wiki), "aligned", flush=True)
    aligned, how = [], Counter()

    def same_edit(en, ja):
        """The same change in both languages, or None."""
        for kind in rng.sample(("number", "negation", "unnegation", "direction"), 4):
            if kind == "number":
                have = set(re.findall(r"(?<![\d.,])\d+(?![\d.,])", en)) & set(re.findall(r"(?<![\d.,])\d+(?![\d.,])", rules_ja.plain(ja)))
                if len(have) == 1:
                    n = have.pop()
                    m = str(int(n) + rng.choice((-1, 1)) * rng.randint(2, 30)) if 1000 <= int(n) <= 2100 else str(max(2, int(int(n) * rng.choice((0.5, 2, 3))) + rng.randint(1, 3)))
                    if m != n and rules_ja.plain(ja).count(n) == 1 and en.count(n) == 1:
                        return "number", en.replace(n, m), rules_ja.plain(ja).replace(n, m)
            elif kind == "negation":
                a, b = negate(en), rules_ja.negate(ja)
                if a and b:
                    return kind, a, b
            elif kind == "unnegation":
                a, b = unnegate(en), rules_ja.unnegate(ja)
                if a and b:
                    return kind, a, b
        return None
    for i, hits in zip(seeds, index.top([wiki[i][1] for i in seeds], 7)):
        _, en, ja = wiki[i]
        ce, cj = as_claim(en) or en, rules_ja.as_claim(ja) or ja
        others = [d for d, _ in hits if d != i and wiki[d][1] != en]
        x = rng.random()
        edit = same_edit(ce, cj) if x < 0.4 else None
        if edit and rng.random() < 0.6:     # edited claim, own sentence, often among neighbours
            beside = [i] + others[:rng.choice((0, 0, 1, 2, 3, 4))]
            rng.shuffle(beside)
            how[edit[0]] += 1
            aligned.append((edit[1], edit[2], " ".join(wiki[d][1] for d in beside), "".join(wiki[d][2] for d in beside)))
        elif edit:                          # edited sentence as the evidence
            how[edit[0]] += 1
            aligned.append((ce, cj, edit[1], edit[2]))
        elif others:
            beside = rng.sample(others, min(rng.choice((1, 1, 1, 2, 3, 4, 5)), len(others)))
            if rng.random() < 0.15:
                beside.insert(rng.randint(0, len(beside)), i)
            how["neighbour"] += 1
            claim = same_edit(ce, cj) if rng.random() < 0.15 else None
            aligned.append((claim[1] if claim else ce, claim[2] if claim else cj, " ".join(wiki[k][1] for k in beside), "".join(wiki[k][2] for k in beside)))
    write(out / "ja.xz", sorted(set(rows)))
    write(out / "aligned.xz", aligned)
    write(out / "ja_eval.xz", ev)
    print(len(set(rows)), Counter((r[0], r[4]) for r in set(rows)), len(aligned), how)


def switched(terms, out):
    """Words of English rows in Japanese: what a row says of its claim stays, and the Japanese word stands where the English one did."""
    rng = random.Random(13)
    said = defaultdict(list)
    for line in terms.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            ja, en, _, share = line.split("\t")
            if int(share) >= 20 and len(en) > 2:
                said[en.lower()].append(ja)
    longest = max(len(x.split()) for x in said)

    def mixed(text, share):
        words, out, at, done = text.split(" "), [], 0, 0
        while at < len(words):
            for n in range(min(longest, len(words) - at), 0, -1):
                bare = " ".join(words[at:at + n])
                core = bare.strip(".,;:()\"'")
                found = said.get(core.lower()) or said.get(re.sub(r"s$", "", core.lower()))
                if found and rng.random() < share:
                    out.append(bare.replace(core, rng.choice(found), 1))
                    at, done = at + n, done + 1
                    break
            else:
                out.append(words[at])
                at += 1
        return " ".join(out), done
    rows = load(out / "en.xz")
    made = []
    for i in rng.sample(range(len(rows)), len(rows)):
        if len(rows[i][3]) > 1500:
            continue
        x = rng.random()
        (claim, a), (evidence, b) = (mixed(t, s) for t, s in zip(rows[i][2:4], (0.9, 0.1) if x < 0.35 else (0.1, 0.9) if x < 0.6 else (0.8, 0.8)))
        if a + b >= 2:
            made.append((i, claim, evidence))
        if len(made) >= 70_000:
            break
    write(out / "switched.xz", made)
    print(len(said), "terms", len(made), "rows")
    for i, c, e in made[:12]:
        print(rows[i][4], c, "|", e[:300])


if __name__ == "__main__":
    Path(sys.argv[-1]).mkdir(parents=True, exist_ok=True)
    {"english": english, "japanese": japanese, "switched": switched}[sys.argv[1]](*map(Path, sys.argv[2:]))
