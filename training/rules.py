"""Small text rules: sentences, negation, direction, numbers. Each rule returns None when it does not apply soundly."""
import re

ABBR = re.compile(r"(?:\b(?:e\.g|i\.e|et al|vs|Dr|Mr|Mrs|Ms|St|No|Fig|approx|ca|U\.S|Jr|Sr|Inc|spp|sp|Prof|[A-Z])\.)$")


def sentences(text):
    out, start = [], 0
    for m in re.finditer(r"[.!?][\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])", text):
        piece = text[start:m.end()].strip()
        if ABBR.search(piece):
            continue
        out.append(piece)
        start = m.end()
    tail = text[start:].strip()
    if tail:
        out.append(tail)
    return out


def untreebank(t):
    """FEVER's treebank spelling -> plain text."""
    for a, b in (("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]"), ("-COLON-", ":"), ("``", '"'), ("''", '"')):
        t = t.replace(a, b)
    t = re.sub(r"\s+([.,;:!?%)\]])", r"\1", t)
    t = re.sub(r"([(\[$])\s+", r"\1", t)
    t = re.sub(r"\s+('s|n't|'re|'ve|'ll|'d)\b", r"\1", t)
    return re.sub(r"\s+", " ", t).strip()


NEG = re.compile(r"\b(not|no|never|nor|neither|without|cannot|n't|none|fail\w*|lack\w*|absen\w*|unable|hardly|unlikely|only|refus\w*|den(?:y|ies|ied))\b|n't\b", re.I)
CONTEXT = re.compile(r"\b(whether|if|unless|may|might|could|should|would|although|but|however|while|whereas)\b", re.I)

# no verbs whose third person is as often a plural noun (results, controls, functions, features, works, links)
VERBS = ("increase decrease reduce promote inhibit enhance impair improve worsen induce suppress cause prevent regulate mediate "
         "predict require activate stimulate protect affect modulate contribute bind encode express provide lead correlate "
         "confer determine facilitate accelerate maintain restore depend reveal lower raise alter produce occur exist exhibit "
         "show include contain appear direct write belong receive play").split()
BEFORE = re.compile(r"\b(?:the|a|an|of|in|for|with|by|and|or|to|from|these|those|their|its|that|which|who|key|new|many|several)$|[,;]$", re.I)


def third(v):
    if v.endswith(("s", "x", "ch", "sh", "ss")):
        return v + "es"
    if v.endswith("y") and v[-2] not in "aeiou":
        return v[:-1] + "ies"
    return v + "s"


THIRD = {third(v): v for v in VERBS}
AUX = re.compile(r"\b(is|are|was|were|can|will|has been|have been|had been|has|have|did|does|do)\b(?! (?:not|no|never|been)\b)")
THIRD_RE = re.compile(r"\b(" + "|".join(sorted(THIRD, key=len, reverse=True)) + r")\b")


def negate(t):
    """Negate the first finite verb of a plain statement."""
    if NEG.search(t) or CONTEXT.search(t) or "?" in t or ":" in t:
        return None
    a, v = AUX.search(t), THIRD_RE.search(t)
    first = min((m.start() for m in (a, v) if m), default=0)
    if re.search(r"\b(that|which|who|whose|when|where)\b", t[:first], re.I) or BEFORE.search(t[:first].rstrip()):
        return None
    if a and (not v or a.start() < v.start()):
        word = a.group(1)
        if word in ("has", "have", "do", "does", "did"):
            if word != "did" and not re.match(r" \w+(?:ed|en|wn|ne)\b", t[a.end():]):
                return None
            if word in ("do", "does", "did"):
                return t[:a.end()] + " not" + t[a.end():]
        if word.endswith(" been"):
            return t[:a.start()] + word[:-5] + " not been" + t[a.end():]
        return t[:a.start()] + ("cannot" if word == "can" else word + " not") + t[a.end():]
    if v:
        return t[:v.start()] + "does not " + THIRD[v.group(1)] + t[v.end():]
    return None


def unnegate(t):
    """Take one 'not' out of a plain statement."""
    if len(NEG.findall(t)) != 1 or CONTEXT.search(t) or "?" in t:
        return None
    m = re.search(r"\b(is|are|was|were|will|has|have|had|can) not\b", t) or re.search(r"\b(can)not\b", t)
    if not m:
        return None
    return t[:m.start()] + m.group(1) + t[m.end():]


PAIRS = """increase decrease|increases decreases|increased decreased|increasing decreasing|higher lower|high low|more less
greater smaller|larger smaller|largest smallest|highest lowest|improve worsen|improves worsens|improved worsened
promote inhibit|promotes inhibits|promoted inhibited|enhance impair|enhances impairs|enhanced impaired|induces suppresses
activates inhibits|activated inhibited|activation inhibition|upregulated downregulated|upregulates downregulates|upregulation downregulation
up-regulated down-regulated|positive negative|positively negatively|accelerates slows|accelerated slowed|before after|above below
gain loss|beneficial harmful|effective ineffective|causes prevents|reduces increases|reduced increased|reducing increasing|reduction increase
longer shorter|better worse|best worst|faster slower|early late|earlier later|stronger weaker|rich poor|raises lowers|rise fall
rose fell|sufficient insufficient|necessary unnecessary|safe unsafe|common rare|majority minority|most few|always never|north south
northern southern|east west|eastern western|first last|oldest youngest|male female|won lost|wins loses|acute chronic|survival death
protective harmful|sensitive resistant|sensitivity resistance|stable unstable|active inactive|dependent independent|healthy diseased"""
FLIP = {}
for line in PAIRS.replace("\n", "|").split("|"):
    x, y = line.split()
    FLIP.setdefault(x, y)
    FLIP.setdefault(y, x)
FLIP_RE = re.compile(r"(?<![\w-])(" + "|".join(sorted(FLIP, key=len, reverse=True)) + r")(?![\w-])", re.I)


def flip(t):
    """Turn the direction of a statement that has exactly one word of direction."""
    hits = list(FLIP_RE.finditer(t))
    if len(hits) != 1 or NEG.search(t) or CONTEXT.search(t):
        return None
    m = hits[0]
    if re.search(r"\b(that|which|who|whose|when|where)\b", t[:m.start()], re.I):
        return None
    new = FLIP[m.group(1).lower()]
    if m.group(1)[0].isupper():
        new = new.capitalize()
    return t[:m.start()] + new + t[m.end():]


NUM_RE = re.compile(r"(?<![\w.,/-])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w/]|[.,-]\d)")
WORDS = "two three four five six seven eight nine ten twelve twenty thirty".split()
WORD_RE = re.compile(r"\b(" + "|".join(WORDS) + r")\b")


def renumber(t, rng, premise=None):
    """Change one number that the premise states as well."""
    hits = [m for m in NUM_RE.finditer(t) if premise is None or re.search(rf"(?<![\d.,]){re.escape(m.group(1))}(?![\d])", premise)]
    if hits:
        m = rng.choice(hits)
        raw = m.group(1)
        v = float(raw.replace(",", ""))
        if "." in raw:
            new = f"{v * rng.choice((0.3, 0.5, 1.7, 2.5, 4)):.{len(raw.split('.')[1])}f}"
        elif 1000 <= v <= 2100 and "," not in raw:
            new = str(int(v) + rng.choice((-1, 1)) * rng.randint(2, 40))
        else:
            new = int(v * rng.choice((0.3, 0.5, 1.6, 2, 3, 5))) if v > 6 else int(v) + rng.choice((2, 3, 4, 7))
            new = f"{new:,}" if "," in raw else str(new)
        return None if new == raw else t[:m.start()] + new + t[m.end():]
    hits = [m for m in WORD_RE.finditer(t) if premise is None or m.group(1) in premise.lower()]
    if hits:
        m = rng.choice(hits)
        return t[:m.start()] + rng.choice([w for w in WORDS if w != m.group(1)]) + t[m.end():]
    return None


LEAD = re.compile(r"^(?:[A-Z][A-Z /&]+:? +|(?:In conclusion|In summary|Together|Collectively|Thus|Moreover|Furthermore|Here|Overall|Taken together|In addition|Additionally|Interestingly|Importantly|Notably|Finally|Therefore|Hence|Consequently|Specifically|Conclusions?|Results?|However|In contrast|Altogether|Also),?:? +)")
SHOW = re.compile(r"^(?:(?:we|these|our|this|the|here)\b[^,;]{0,60}?\b(?:show|shows|showed|found|find|demonstrate|demonstrates|demonstrated|indicate|indicates|suggest|suggests|report|reveal|reveals|conclude|observed|identify)\b(?: here)? that )", re.I)


def as_claim(s):
    """A sentence of an abstract as a self-standing claim: no lead-in, no parentheses."""
    t = s
    for _ in range(2):
        t = LEAD.sub("", t)
        t = SHOW.sub("", t)
    t = re.sub(r"\s*[(\[][^()\[\]]*[)\]]", "", t).strip()
    if re.search(r"\b(?:we|our|here|review|herein)\b", t, re.I):
        return None
    if not t or re.match(r"(?:it|they|this|these|those|he|she|its|their|such|both|in addition|to)\b", t, re.I):
        return None
    n = len(t.split())
    if not 5 <= n <= 34 or t.count(",") > 3:
        return None
    return t[0].upper() + t[1:]


STOP = set("a an the of in on at by to for and or is are was were be been it its he she his her they their with as from that this which who has have had not but into than also after before".split())


def content(t):
    return {w for w in re.findall(r"[a-z0-9]+", t.lower()) if w not in STOP and len(w) > 1}


def subject(claim):
    """The leading capitalised name of a claim, or None."""
    m = re.match(r"(?:The |A |An )?((?:[A-Z][\w.'’-]*|\d+|of|the|and|de|von|van|in|&)(?: (?:[A-Z][\w.'’-]*|\d+|of|the|and|de|von|van|in|&))*)", claim)
    if not m:
        return None
    s = re.sub(r"(?: (?:of|the|and|in))+$", "", m.group(1)).strip()
    return s if len(s) > 3 and s.lower() not in ("there", "this", "that", "these", "some", "many") else None
