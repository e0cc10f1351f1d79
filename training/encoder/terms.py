"""A dictionary of Japanese and English terms from aligned sentences, for the crate `expand`.

    pip install -r ../requirements.txt sudachipy==0.7.0 sudachidict_core==20261015
    python terms.py CORPUS OUT [--seed 7] [--sample 200] [--pivots]

Reads pairs.xz, text.xz and heldout.xz (corpus.py), writes to OUT:
  terms.tsv      ja, en, how often ja is en and en is ja among their links (hundredths)
  short.tsv      short form, long form: COPD, chronic obstructive pulmonary disease
  spellings.tsv  two spellings of one katakana word that both stand in the text
and prints how many entries occur in held-out pairs and how often the other side has the mirror; with --sample, entries to read by hand;
with --pivots, words that share a mirror: candidates for groups.tsv, to be read as well (about a quarter of them are wrong).

Terms are runs of nouns, verbs and adjectives in their dictionary form on one side, one to four words on the other. In every pair
the terms of both sides compete: the strongest association (cosine of their occurrences) is linked first, and what overlaps a linked
term is out. What is linked often enough, and often enough for its own frequency, is kept. Glosses in brackets need no counting.
Same input, same bytes.
"""
import argparse, json, lzma, random, re, unicodedata
from collections import Counter, defaultdict
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
from scipy import sparse

LONGEST_JA = 14         # characters
LONGEST_SPAN = 5        # short units of Sudachi
NEAR = 20               # associations kept for a term of either side
LEAST_TOGETHER = 2      # sentences
LEAST_COSINE = 0.05
LONGER = 1.15           # what a unit more is worth: 物理学 before 物理 where both may be physics
EACH = 3                # mirrors of a term, either way
# Manuals of software are a third of the pairs and have words of their own (an effect is エフェクト there): three of their links count as one.
MANUALS = set("mdn postgresql ethereum tensorflow_nb kubernetes react tensorflow godot_docs vue sphinx_docs rust_course gnome_help hf_course freebsd".split())

KANJI = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆"
KATAKANA = r"\u30a1-\u30fa\u30fc"
HAS_KANJI = re.compile(f"[{KANJI}]")
IS_KATAKANA = re.compile(f"[{KATAKANA}・]+$")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-'’][A-Za-z0-9]+)*")

FUNCTION = set("""a an the this that these those some any no every each either neither both all such same other another others own
i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself it its itself they them their theirs themselves
one ones who whom whose which what when where why how whether if then than as so because since while until till although though unless once
be am is are was were been being do does did doing done have has had having will would shall should can could may might must ought need let let's
not nor and or but yet also too very just only even still already again ever never always often sometimes usually quite rather almost really
of in on at by for with about against between into through during before after above below to from up down out off over under within without among upon toward towards
along across behind beside besides beyond despite except near per plus via onto inside outside around there here now today
more most less least much many few little lot lots several enough etc eg ie mr mrs ms dr
i'm i've i'll i'd you're you've you'll you'd he's he'll he'd she's she'll she'd it's it'll we're we've we'll we'd they're they've they'll they'd that's there's what's
don't doesn't didn't isn't aren't wasn't weren't can't cannot couldn't won't wouldn't shouldn't haven't hasn't hadn't mustn't ain't who's where's
called named known became become becomes make makes made making get gets got getting go goes went gone going come comes came take takes took taken put say says said
use used using thing things something anything everything nothing someone anyone everyone way ways kind kinds sort well however therefore thus example examples following follows
case cases time times mean means many various different first second third two three four five six seven eight nine ten new""".split())
STOP_JA = set("""為 事 物 者 所 時 中 上 下 内 間 後 前 場合 際 方 点 様 人 自分 私 彼 彼女 僕 俺 君 貴方 我々 何 誰 今 其れ 此れ 例 以下 以上 以外 等 的 性 化 用 他 全て 必要 可能 意味
今日 昨日 明日 最初 最後 一部 部分 結果 状態 程度 一つ 二つ 三つ 自身 其の 此の 当該 上記 下記 次 回 度 通り 感じ 気 為る 有る 居る 成る 言う 行う 出来る 来る 行く 見る 持つ 呼ぶ
仕方 訳 本当 大変 一番 多く 全部 皆 皆さん 彼ら 我 我々 我ら 人々 此処 其処 今回 現在 使用 利用 使う 出る 入る 出す 入れる 取る 置く 付ける 付く 思う 考える 知る 分かる 与える 受ける 得る""".split())


def lines(path):
    with lzma.open(path, "rt", encoding="utf-8") as f:
        for line in f:
            yield json.loads(line)


def nfkc(t):
    return unicodedata.normalize("NFKC", t)


# English

def singular(w):
    """The same three rules as `expand::english::singular`: a key, not grammar."""
    if len(w) > 4 and w.endswith("ies"):
        return w[:-3] + "y"
    if len(w) > 4 and w.endswith(("sses", "xes", "zes", "ches", "shes")):
        return w[:-2]
    if len(w) > 3 and w.endswith("s") and not w.endswith(("ss", "us", "is", "news", "'s")):
        return w[:-1]
    return w


def key(words):
    return " ".join(words[:-1] + [singular(words[-1])])


def base_forms(counts):
    """word -> the verb it is a form of, where the text shows that verb at least a quarter as often."""
    base = {}
    for w, n in counts.items():
        for end in ("ing", "ed"):
            if len(w) > len(end) + 2 and w.endswith(end):
                stem = w[:-len(end)]
                options = [stem, stem + "e"] + ([stem[:-1]] if len(stem) > 2 and stem[-1] == stem[-2] else []) + ([stem[:-1] + "y"] if stem.endswith("i") else [])
                found = [(counts[o], o) for o in options if counts.get(o, 0) * 4 >= n and o not in FUNCTION]
                if found:
                    base[w] = max(found)[1]
    return base


def spans_en(text, base):
    """[(key, first word, behind the last)]"""
    out, at = [], 0
    for clause in re.split(r"[,.;:!?()\[\]\"“”/]|\s-\s", text):
        words = [w.lower().replace("’", "'") for w in WORD.findall(clause)]
        words = [w[:-2] if w.endswith("'s") else w for w in words]
        for i, w in enumerate(words):
            if w in FUNCTION or len(w) < 2:
                continue
            out.append((singular(w), at + i, at + i + 1))
            if w in base:
                out.append((base[w], at + i, at + i + 1))
            for n in (2, 3, 4):
                part = words[i:i + n]
                if len(part) < n or part[-1] in FUNCTION or len(part[-1]) < 2 or any(w in FUNCTION and w != "of" for w in part[1:-1]) or (n == 4 and "of" not in part):
                    continue
                out.append((key(part), at + i, at + i + n))
        at += len(words)
    return out


# Japanese

class Japanese:
    def __init__(self):
        from sudachipy import dictionary, tokenizer
        self.cutter, self.mode = dictionary.Dictionary(dict="core").tokenizer(), tokenizer.Tokenizer.SplitMode.A
        self.readings = {}

    def spans(self, text):
        """[(term, first unit, behind the last)]"""
        units = []
        for m in self.cutter.tokenize(nfkc(text), self.mode):
            p, s = m.part_of_speech(), m.surface()
            kind = ""
            if p[0] == "名詞" and p[1] in ("普通名詞", "固有名詞"):
                kind = "n"
            elif p[0] == "形状詞" and p[1] == "一般":
                kind = "n"
            elif p[0] == "接頭辞":
                kind = "p"
            elif p[0] == "接尾辞" and p[1] == "名詞的" and p[2] != "助数詞":
                kind = "s"
            elif p[0] in ("動詞", "形容詞") and p[1] == "一般" and HAS_KANJI.search(s):
                kind = "v"
            units.append((s.lower(), kind, m))
        out = []
        for i, (s, kind, m) in enumerate(units):
            if kind == "v":
                d = m.dictionary_form()
                if d not in STOP_JA and len(d) <= 6:
                    out.append((d, i, i + 1))
            # behind a number stands a counter, and what looks like a word is half of one
            if kind not in ("n", "p") or (i and units[i - 1][2].part_of_speech()[1] == "数詞"):
                continue
            term = reading = ""
            for j in range(i, min(len(units), i + LONGEST_SPAN)):
                s, kind, m = units[j]
                if kind not in ("n", "p", "s") or re.search(r"[^\w・ー]", s):
                    break
                term += s
                reading += m.reading_form()
                if len(term) > LONGEST_JA:
                    break
                if kind == "p" or term in STOP_JA or not re.search(f"[{KANJI}{KATAKANA}]", term):
                    continue
                if len(term) == 1 and not (HAS_KANJI.match(term) and kind == "n"):
                    continue
                # 'DNA' is carried over as it is; 'DNA配列' is a term
                out.append((term, i, j + 1))
                self.readings.setdefault(term, reading)
        return out


# Counting

def matrix(rows, ids):
    ptr, at = [0], []
    for r in rows:
        at.extend(sorted({ids[k] for k in r if k in ids}))
        ptr.append(len(at))
    return sparse.csr_matrix((np.ones(len(at), np.int32), np.array(at, np.int32), np.array(ptr)), shape=(len(rows), len(ids)))


def associations(pairs_j, pairs_e):
    """{(ja, en): cosine} for the nearest of either side."""
    nj, ne = Counter(k for r in pairs_j for k in {x[0] for x in r}), Counter(k for r in pairs_e for k in {x[0] for x in r})
    js, es = sorted(k for k, n in nj.items() if n >= LEAST_TOGETHER), sorted(k for k, n in ne.items() if n >= LEAST_TOGETHER)
    J = matrix([[x[0] for x in r] for r in pairs_j], {k: i for i, k in enumerate(js)}).T.tocsr()
    E = matrix([[x[0] for x in r] for r in pairs_e], {k: i for i, k in enumerate(es)})
    cj, ce = np.array([nj[k] for k in js], float), np.array([ne[k] for k in es], float)
    print(f"terms to count: {len(js)} ja, {len(es)} en", flush=True)
    score, best_of_en = {}, defaultdict(list)
    for lo in range(0, len(js), 2000):
        C = (J[lo:lo + 2000] @ E).tocoo()
        keep = C.data >= LEAST_TOGETHER
        r, c, n = C.row[keep] + lo, C.col[keep], C.data[keep]
        cos = n / np.sqrt(cj[r] * ce[c])
        keep = cos >= LEAST_COSINE
        r, c, cos = r[keep], c[keep], cos[keep]
        order = np.lexsort((c, -cos, r))
        r, c, cos = r[order], c[order], cos[order]
        start = np.searchsorted(r, np.arange(lo, min(lo + 2000, len(js)) + 1))
        for i in range(len(start) - 1):
            for x in range(start[i], min(start[i + 1], start[i] + NEAR)):
                score[js[r[x]], es[c[x]]] = float(cos[x])
        for x in range(len(r)):
            best_of_en[c[x]].append((float(cos[x]), r[x]))
    for c, found in best_of_en.items():
        for cos, r in sorted(found, key=lambda t: (-t[0], t[1]))[:NEAR]:
            score[js[r], es[c]] = cos
    return score


def link(sources, pairs_j, pairs_e, score):
    """How often each pair of terms won in a pair of sentences, the same by weight of the source, and how often each term was free to win:
    not a part of a longer one that did."""
    linked, weighed, near, free_j, free_e = Counter(), Counter(), defaultdict(set), Counter(), Counter()
    for j, e in score:
        near[j].add(e)
    for source, js, es in zip(sources, pairs_j, pairs_e):
        at = defaultdict(list)
        for e, a, b in es:
            at[e].append((a, b))
        found = []
        for j, a, b in js:
            for e in near.get(j, ()):
                for c, d in at.get(e, ()):
                    found.append((-score[j, e] * LONGER ** (b - a + d - c), j, e, a, b, c, d))
        found.sort()
        used_j, used_e = {}, {}
        for s, j, e, a, b, c, d in found:
            if not any(i in used_j for i in range(a, b)) and not any(i in used_e for i in range(c, d)):
                used_j.update(dict.fromkeys(range(a, b), b - a))
                used_e.update(dict.fromkeys(range(c, d), d - c))
                linked[j, e] += 1
                weighed[j, e] += 1 if source in MANUALS else 3
        for j in {j for j, a, b in js if all(used_j.get(i, 0) <= b - a for i in range(a, b))}:
            free_j[j] += 1
        for e in {e for e, a, b in es if all(used_e.get(i, 0) <= b - a for i in range(a, b))}:
            free_e[e] += 1
    return linked, weighed, free_j, free_e


VOWELS = {"ア": "a", "イ": "i", "ウ": "u", "エ": "e", "オ": "o"}
ROWS = {"カキクケコ": "k", "ガギグゲゴ": "g", "サシスセソ": "s", "ザジズゼゾ": "z", "タチツテト": "t", "ダヂヅデド": "d", "ナニヌネノ": "n", "ハヒフヘホ": "h", "バビブベボ": "b",
        "パピプペポ": "p", "マミムメモ": "m", "ラリルレロ": "r"}
SOUND = {c: r + v for row, r in ROWS.items() for c, v in zip(row, "aiueo")} | VOWELS | dict(zip("ヤユヨワヲンヴ", ("ya", "yu", "yo", "wa", "o", "n", "bu"))) | dict(zip("ァィゥェォャュョ", "aiueoauo"))


def sound(reading):
    return squash("".join(SOUND.get(c, "") for c in reading))


def squash(t):
    """Letters that a Japanese ear does not tell apart become one; long vowels become short."""
    for a, b in (("tion", "shon"), ("ch", "t"), ("sh", "s"), ("ph", "h"), ("th", "s"), ("ts", "t"), ("qu", "k"), ("ck", "k"), ("x", "ks"), ("j", "z"), ("l", "r"), ("v", "b"), ("c", "k"), ("f", "h"), ("q", "k"),
                 ("ou", "o"), ("oo", "o"), ("uu", "u"), ("aa", "a"), ("ee", "i"), ("ei", "e"), ("y", "i"), ("w", "u")):
        t = t.replace(a, b)
    return re.sub(r"(.)\1+", r"\1", t)


def sounds_like(reading, en):
    """0 to 1. Family names come last in English: both orders are tried."""
    words = re.findall("[a-z]+", en)
    heard = sound(reading)
    return max(SequenceMatcher(None, heard, squash("".join(w)), autojunk=False).ratio() for w in (words, words[1:] + words[:1])) if heard and words else 0


def choose(linked, weighed, score, free_j, free_e, readings):
    """[(ja, en, share of ja's links, share of en's links, links)]"""
    of_j, of_e = Counter(), Counter()
    for (j, e), n in weighed.items():
        of_j[j] += n
        of_e[e] += n
    out = []
    for (j, e), n in sorted(linked.items()):
        f, b, s = weighed[j, e] / of_j[j], weighed[j, e] / of_e[e], score[j, e]
        explained = n / max(1, min(free_j[j], free_e[e]))       # of the occurrences of the rarer side
        if n >= 5:
            usual = f >= 0.12 and b >= 0.05 and max(f, b) >= 0.3 and explained >= 0.25
            # most of what a rarer word is, though not its mirror's usual word
            kept = usual or (f >= 0.5 and n >= 10 and explained >= 0.3) or (f >= 0.4 and n >= 8 and explained >= 0.15) or (f >= 0.3 and n >= 15 and explained >= 0.1)
        else:
            heard = f >= 0.3 and b >= 0.3 and s >= 0.3 and j in readings and sounds_like(readings[j], e) >= 0.72
            words = e.count(" ") + 1
            kept = heard or (n >= 3 and len(j) > 1 and s >= (0.4, 0.6, 0.75, 0.75)[words - 1] and f >= 0.4 and b >= 0.3)
        if kept:
            out.append((j, e, f, b, n))
    return out


# Glosses, short forms, spellings

def english_words(text, known):
    """'Moleculargenetics' -> 'molecular genetics' where one set of the data has lost its spaces."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    if " " in text or len(text) < 8:
        return text
    low, best = text.lower(), {0: (0, [])}
    for end in range(1, len(low) + 1):
        options = []
        for start in range(max(0, end - 20), end):
            w = low[start:end]
            if start in best and (known.get(w, 0) >= (20 if len(w) > 3 else 500)):
                options.append((best[start][0] + 1, best[start][1] + [w]))
        if options:
            best[end] = min(options)
    whole = best.get(len(low))
    return " ".join(whole[1]) if whole and whole[0] <= 4 else text


def glosses(texts, known):
    """{(ja, en): count} of 機械学習（machine learning）."""
    found = Counter()
    mark = re.compile(rf"([{KANJI}{KATAKANA}・]{{2,{LONGEST_JA}}})[」』]?\((?:(?:英語?|en|英略?称?)[:;：、]?\s*)?([A-Za-z][A-Za-z' -]{{2,38}}[A-Za-z])(?:[,、;]\s*(?:以下)?[A-Z]{{2,6}})?\)")
    for t in texts:
        for j, e in mark.findall(nfkc(t)):
            if not (e.isupper() and len(e) <= 6):
                found[j.strip("・"), english_words(e.strip(), known).lower()] += 1
    return found


def acronyms(texts):
    """{(ja, short)} of 世界保健機関（WHO）."""
    found = Counter()
    mark = re.compile(rf"(?:^|[、。,.「『(はがをにでとのや\s])([{KANJI}{KATAKANA}・]{{4,20}})[」』]?\(([A-Z]{{3,6}}|COVID-19)\)")
    for t in texts:
        for j, e in mark.findall(nfkc(t)):
            found[j, e] += 1
    return found


# Read by hand: words, other things as well, or one half of what they stand for.
NOT_SHORT = set("""ABC ALL ALT APL BAT BLCKSZ BLS BMP CAD CAR CAS CBM CDH CEL CFR CGD CHIPS CIA CIE CIN CLA CRI CRS CSI CSV DAS DOF DOS DRA DRG DTI EAE ELBO ENS EOA ESC
FAK FISH FXR GBM GCE GCS HFD HIF ICM IJA IJN INP IRF JAS JRA KTR LCP LOI LOS LTP MBP MDSC MPV MRD NER NET NHC NLS NSL OCI OIV OOM PBS PCI PCP PET PFS PHEIC PKA PPI PQAT PoA
QEMU RBD RISC ROS RPA RSC SAA SCA SFC SHAEF SPA SPD SSG SSR STI TBS TCR TLR TRP TVA VSG WAT YAP""".split())


def short_forms(texts):
    """{short: Counter(long)} of 'myocardial infarction (MI)': the initials must be those of the words before."""
    found = defaultdict(Counter)
    for t in texts:
        for before, short in re.findall(r"((?:[A-Za-z][A-Za-z'’-]*[ -]){1,8})\(([A-Z][A-Za-z]{1,6})s?\)", t):
            letters = short.upper()
            if sum(c.isupper() for c in short) < 2:
                continue
            words = re.split(r"[ -]+", before.strip(" -"))
            if len(words) < len(letters):
                continue
            # backwards, so that 'of' and 'and' may stand between
            i, k = len(words) - 1, len(letters) - 1
            while i >= 0 and k >= 0:
                if words[i][:1].upper() == letters[k]:
                    k -= 1
                elif words[i].lower() not in {"of", "and", "the", "for", "in", "to"}:
                    break
                i -= 1
            if k < 0:
                start = before.strip(" -")
                parts = re.findall(r"[^ -]+[ -]*", start)
                long = "".join(parts[i + 1:]).strip(" -")
                found[short][" ".join(long.split()).lower()] += 1
    return found


def skeleton(k):
    """One key for the spellings of a katakana word."""
    for a, b in (("ヴァ", "バ"), ("ヴィ", "ビ"), ("ヴェ", "ベ"), ("ヴォ", "ボ"), ("ヴ", "ブ"), ("ウィ", "ウイ"), ("ウェ", "ウエ"), ("ウォ", "ウオ"), ("フェ", "フエ"),
                 ("ヂ", "ジ"), ("ヅ", "ズ"), ("イェ", "イエ"), ("クォ", "クオ")):
        k = k.replace(a, b)
    for a, b in (("ァ", "ア"), ("ィ", "イ"), ("ゥ", "ウ"), ("ェ", "エ"), ("ォ", "オ")):
        k = k.replace(a, b)
    return k[:-1] if k.endswith("ー") and len(k) > 3 else k


# Alike by the rules, but two words: robusta and lobster, trumpet and wrapper, ruble and Louvre.
NOT_ALIKE = {"ロブスタ", "アンドル", "ラッパ", "ルーブル", "クォーター", "ボールト"}


def spellings(counts, mirrors):
    """[(first, second)]: both stand in the text, and they share a mirror or are long enough not to be alike by chance."""
    groups = defaultdict(list)
    for k, n in counts.items():
        if n >= 3 and len(k) >= 3 and k not in NOT_ALIKE:
            groups[skeleton(k)].append(k)
    out = []
    for g in groups.values():
        g.sort(key=lambda k: (-counts[k], k))
        for other in g[1:]:
            a, b = mirrors.get(g[0], set()), mirrors.get(other, set())
            alike = not a.isdisjoint(b) or (not (a and b) and len(skeleton(other)) >= 4 and counts[other] * 20 >= counts[g[0]])
            if alike:
                out.append((g[0], other))
    return sorted(out)


# Results

def shown(entries, sentences):
    """How each English key is written most often, not counting the first word of a sentence."""
    wanted, forms = {e for _, e, *_ in entries}, defaultdict(Counter)
    for text in sentences:
        words = WORD.findall(text)
        low = [w.lower().replace("’", "'") for w in words]
        for i in range(len(words)):
            for n in (1, 2, 3, 4):
                if i + n <= len(words):
                    k = key(low[i:i + n])
                    if k in wanted:
                        forms[k][" ".join(words[i:i + n])] += 4 if i else 1
    out = {}
    for k in wanted:
        if not forms[k]:
            out[k] = k
            continue
        form, n = min(forms[k].items(), key=lambda t: (-t[1], t[0]))
        # the singular where it is usual
        one = [(-m, f) for f, m in forms[k].items() if f.lower() == k and 5 * m >= n]
        form = min(one)[1] if one else form
        # the Kyoto articles write family names in capitals
        words = [w.capitalize() if w.isupper() and len(w) > 5 else w for w in form.split()]
        if all(w[:1].isupper() and w[1:].islower() for w in words) and 2 * forms[k][" ".join(words).lower()] >= forms[k][form]:
            words = [w.lower() for w in words]
        out[k] = " ".join(words)
    return out


def without_sums(entries):
    """Leaves out rare terms that the dictionary can put together from their halves, in the same order."""
    best = {}
    for j, e, f, b, n in sorted(entries, key=lambda t: -t[2]):
        best.setdefault(j, e)
    def is_sum(j, e):
        return any(f"{best.get(j[:i], '?')} {best.get(j[i:], '?')}" == e for i in range(1, len(j)))
    return [t for t in entries if t[4] >= 5 or not is_sum(t[0], t[1])]


def fewest(entries):
    """At most EACH mirrors of a term, either way."""
    by_j, by_e = defaultdict(list), defaultdict(list)
    for t in entries:
        by_j[t[0]].append(t)
        by_e[t[1]].append(t)
    keep_j = {t[:2] for ts in by_j.values() for t in sorted(ts, key=lambda t: (-t[2], -t[4], t[1]))[:EACH]}
    keep_e = {t[:2] for ts in by_e.values() for t in sorted(ts, key=lambda t: (-t[3], -t[4], t[0]))[:EACH]}
    return [t for t in entries if t[:2] in keep_j & keep_e]


def from_glosses(found, entries, readings, known):
    """Glosses of terms that counting has not settled, where either the sound or the words of the English side speak for them."""
    have, parts = {t[0] for t in entries}, {t[0]: set(t[1].split()) for t in entries}
    by = defaultdict(Counter)
    for (j, e), n in found.items():
        by[j][key(e.split())] += n
    out = []
    for j, es in sorted(by.items()):
        (e, n), = es.most_common(1)
        words = e.split()
        if j in have or len(j) < 3 or len(words) > 4 or any(w in FUNCTION for w in (words[0], words[-1])):
            continue
        if IS_KATAKANA.match(j):
            good = sounds_like(j, e) >= 0.7
        else:
            pieces = [j[a:b] for a in range(len(j)) for b in range(a + 2, len(j) + 1)]
            shared = set().union(*(parts.get(p, set()) for p in pieces)) & set(words) if pieces else set()
            good = all(known.get(w, 0) >= 20 for w in words) and (shared or n > 1)
        if good:
            out.append((j, e, 0.9, 0.9, n))
    return out


def pivots(entries, readings):
    """{en: [ja]} where several nouns mostly are the same English term, and that is often each of them. Names that sound alike are left out."""
    of = defaultdict(list)
    for j, e, f, b, n in entries:
        if f >= 0.55 and b >= 0.15 and len(j) > 1 and not re.search("[うくぐすつぬぶむるい]$", j) and not (HAS_KANJI.search(j) and sounds_like(readings.get(j, ""), e) >= 0.7):
            of[e].append((-b, j))
    return {e: [j for _, j in sorted(js)] for e, js in sorted(of.items()) if len(js) > 1}


def measure(entries, japanese, held, base):
    of = defaultdict(list)
    for j, e, f, *_ in entries:
        of[j].append((f, e))
    first = first_hit = hit = longest = longest_hit = 0
    for _, en, ja in held:
        there, spans = {k for k, _, _ in spans_en(en, base)}, japanese.spans(ja)
        seen = set()
        for j, a, b in spans:
            if j not in of or j in seen:
                continue
            seen.add(j)
            best = max(of[j])[1] in there
            first += 1
            first_hit += best
            hit += any(e in there for _, e in of[j])
            # a part of a longer entry is not looked up by itself
            if not any(k in of and c <= a and b <= d and d - c > b - a for k, c, d in spans):
                longest += 1
                longest_hit += best
    print(f"held-out pairs: {first} occurrences of entries; the first mirror stands in the English side in {first_hit / max(first, 1):.3f} of them, "
          f"one of up to {EACH} in {hit / max(first, 1):.3f}; of the {longest} that are not part of a longer entry in {longest_hit / max(longest, 1):.3f}")


def save(path, head, rows):
    path.write_text("".join(f"# {h}\n" for h in head) + "".join("\t".join(map(str, r)) + "\n" for r in rows), encoding="utf-8")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("corpus", type=Path)
    ap.add_argument("out", type=Path)
    ap.add_argument("--seed", type=int, default=7)
    ap.add_argument("--sample", type=int, default=0, help="entries to print for reading by hand")
    ap.add_argument("--pivots", action="store_true", help="print words that share a mirror")
    a = ap.parse_args()
    a.out.mkdir(parents=True, exist_ok=True)
    japanese = Japanese()
    pairs, text = list(lines(a.corpus / "pairs.xz")), list(lines(a.corpus / "text.xz"))
    english = [e for _, e, _ in pairs] + [t for _, lang, t in text if lang == "en"]
    texts = [j for _, _, j in pairs] + [t for _, lang, t in text if lang == "ja"]
    words = Counter(w.lower() for t in english for w in WORD.findall(t))
    base = base_forms(words)
    pairs_j = [japanese.spans(j) for _, _, j in pairs]
    pairs_e = [spans_en(e, base) for _, e, _ in pairs]
    print(f"pairs: {len(pairs)}", flush=True)
    score = associations(pairs_j, pairs_e)
    print(f"associations: {len(score)}", flush=True)
    linked, weighed, free_j, free_e = link([s for s, _, _ in pairs], pairs_j, pairs_e, score)
    entries = choose(linked, weighed, score, free_j, free_e, japanese.readings)
    glossed = from_glosses(glosses(texts, words), entries, japanese.readings, words)
    print(f"linked: {len(linked)}, kept: {len(entries)}, glosses: {len(glossed)}", flush=True)
    entries = fewest(without_sums(entries)) + glossed
    measure(entries, japanese, lines(a.corpus / "heldout.xz"), base)

    form = shown(entries, english)
    def hundredths(x):
        return min(99, int(100 * x))
    rows = sorted(((j, form[e], hundredths(f), hundredths(b), n, e) for j, e, f, b, n in entries), key=lambda r: (r[0], -r[2], -r[3], r[1]))
    save(a.out / "terms.tsv", ["Made by training/encoder/terms.py from the sources in README.md: ja, en, share of ja's links, share of en's links, in hundredths."],
         [r[:4] for r in rows])
    print(f"entries: {len(rows)}, {len({r[0] for r in rows})} Japanese and {len({r[5] for r in rows})} English terms")

    short = []
    for s, longs in sorted(short_forms(english).items()):
        (long, n), total = longs.most_common(1)[0], sum(longs.values())
        # two letters stand for too many things
        if len(s) > 2 and s not in NOT_SHORT and n >= 3 and n >= 0.8 * total:
            short.append((s, long))
    japanese_short = defaultdict(Counter)
    for (j, s), n in acronyms(texts).items():
        japanese_short[s][j] += n
    for s, longs in sorted(japanese_short.items()):
        (long, n), total = longs.most_common(1)[0], sum(longs.values())
        if s not in NOT_SHORT and n >= 2 and n >= 0.6 * total:
            short.append((s, long))
    save(a.out / "short.tsv", ["Made by training/encoder/terms.py: a short form and what it stands for."], sorted(short))
    print(f"short forms: {len(short)}")

    mirrors = defaultdict(set)
    for r in rows:
        mirrors[r[0]].add(r[5])
    run = re.compile(f"[{KATAKANA}]{{3,}}")
    both = spellings(Counter(k for t in texts for k in run.findall(nfkc(t))), mirrors)
    save(a.out / "spellings.tsv", ["Made by training/encoder/terms.py: two spellings of a katakana word, the more usual one first."], both)
    print(f"spellings: {len(both)}")

    for r in sorted(random.Random(a.seed).sample(rows, a.sample)):
        print(r[0], "|", r[1], "|", *r[2:5])
    if a.pivots:
        for e, js in pivots(entries, japanese.readings).items():
            print(e, "|", *js)


if __name__ == "__main__":
    main()
