"""Rules for Japanese statements: number, negation, direction, name. Each returns None when it does not apply soundly."""
import re
import unicodedata

NEGATED = re.compile(r"ない|なかっ|ません|ず、|ずに|不可能|無し|なし[。、]|わけでは|とは限ら|かもしれ|だろう|であろう|らしい|という説|とされる|か。|か$|？|\?|しか")

# (positive end, negative end) of a sentence without its full stop; the first that fits is taken
ENDS = [
    ("であった", "ではなかった"), ("である", "ではない"), ("でした", "ではありませんでした"), ("です", "ではありません"), ("だった", "ではなかった"),
    ("していた", "していなかった"), ("している", "していない"), ("されていた", "されていなかった"), ("されている", "されていない"), ("ていた", "ていなかった"), ("ている", "ていない"), ("ています", "ていません"), ("ていました", "ていませんでした"),
    ("された", "されなかった"), ("される", "されない"), ("されます", "されません"), ("できた", "できなかった"), ("できる", "できない"), ("できます", "できません"),
    ("しました", "しませんでした"), ("します", "しません"), ("した", "しなかった"), ("する", "しない"), ("になった", "にならなかった"), ("になる", "にならない"), ("となった", "とならなかった"), ("となる", "とならない"),
    ("があった", "がなかった"), ("がある", "がない"), ("があります", "がありません"), ("がいる", "がいない"), ("ました", "ませんでした"), ("ます", "ません"),
    ("行った", "行わなかった"), ("行う", "行わない"), ("持つ", "持たない"), ("持った", "持たなかった"), ("含む", "含まない"), ("呼ばれる", "呼ばれない"), ("呼ばれた", "呼ばれなかった"),
    ("れた", "れなかった"), ("れる", "れない"), ("られた", "られなかった"), ("られる", "られない"), ("えた", "えなかった"), ("める", "めない"), ("めた", "めなかった"),
]
ENDS.sort(key=lambda e: -len(e[0]))


def negate(t):
    """The last predicate of a plain statement, negated."""
    stop = "。" if t.endswith("。") else ""
    body = t.removesuffix("。")
    if NEGATED.search(t) or len(body) < 6:
        return None
    for a, b in ENDS:
        if body.endswith(a) and len(body) > len(a) + 2:
            return body[:-len(a)] + b + stop
    return None


def unnegate(t):
    """A statement whose last predicate is negated, made positive."""
    stop = "。" if t.endswith("。") else ""
    body = t.removesuffix("。")
    for a, b in sorted(ENDS, key=lambda e: -len(e[1])):
        if body.endswith(b) and len(b) >= 3 and len(body) > len(b) + 2 and not NEGATED.search(body[:-len(b)]):
            return body[:-len(b)] + a + stop
    return None


PAIRS = """増加 減少|増大 減少|上昇 低下|向上 低下|増え 減り|増える 減る|増やす 減らす|高い 低い|高く 低く|高かった 低かった|多い 少ない|多く 少なく|大きい 小さい|大きな 小さな|大きく 小さく|長い 短い|広い 狭い|強い 弱い|速い 遅い
新しい 古い|最初 最後|最大 最小|最高 最低|最古 最新|最も多い 最も少ない|以上 以下|以前 以後|前期 後期|前半 後半|上流 下流|東部 西部|北部 南部|東側 西側|北側 南側|左側 右側|東岸 西岸|右岸 左岸|内側 外側|上部 下部|勝利 敗北|勝った 敗れた
成功 失敗|賛成 反対|可能 不可能|有効 無効|有利 不利|必要 不要|開始 終了|始まった 終わった|始まる 終わる|入学 卒業|就任 辞任|建設 解体|設立 廃止|開業 廃業|開通 廃止|公開 非公開|許可 禁止|許可する 禁止する|肯定 否定|促進 抑制|活性化 抑制|改善 悪化|拡大 縮小
上がる 下がる|上がった 下がった|上げる 下げる|勝る 劣る|優れた 劣った|男性 女性|兄 弟|姉 妹|父 母|息子 娘|午前 午後|昼 夜|夏 冬|春 秋|陸軍 海軍|国内 国外|輸入 輸出|輸出 輸入|与党 野党|黒字 赤字|急性 慢性|陽性 陰性|安全 危険|正 誤"""
FLIP = {}
for item in PAIRS.replace("\n", "|").split("|"):
    x, y = item.split()
    if len(x) > 1 and len(y) > 1:
        FLIP.setdefault(x, y)
        FLIP.setdefault(y, x)
FLIP_RE = re.compile("|".join(sorted(map(re.escape, FLIP), key=len, reverse=True)))


def flip(t):
    """The other direction, where exactly one word of direction is in a plain statement."""
    hits = list(FLIP_RE.finditer(t))
    if len(hits) != 1 or NEGATED.search(t):
        return None
    m = hits[0]
    return t[:m.start()] + FLIP[m.group(0)] + t[m.end():]


NUMBER = re.compile(r"(?<![0-9０-９.,，．A-Za-z\-])([0-9０-９]{1,3}(?:[,，][0-9０-９]{3})+|[0-9０-９]+(?:[.．][0-9０-９]+)?)(?![0-9０-９A-Za-z.,，．\-])")


def plain(t):
    return unicodedata.normalize("NFKC", t)


def renumber(t, rng, premise=None):
    """One number changed, that the premise states as well."""
    have = set(re.findall(r"[0-9][0-9,.]*", plain(premise))) if premise is not None else None
    hits = [m for m in NUMBER.finditer(t) if have is None or plain(m.group(1)) in have]
    if not hits:
        return None
    m = rng.choice(hits)
    raw = plain(m.group(1))
    v = float(raw.replace(",", ""))
    unit = t[m.end():m.end() + 1]
    if "." in raw:
        new = f"{v * rng.choice((0.3, 0.5, 1.7, 2.5, 4)):.{len(raw.split('.')[1])}f}"
    elif 1000 <= v <= 2100 and "," not in raw:
        new = str(int(v) + rng.choice((-1, 1)) * rng.randint(2, 40))
    elif unit == "月":
        new = str((int(v) - 1 + rng.randint(1, 11)) % 12 + 1)
    elif unit == "日":
        new = str((int(v) - 1 + rng.randint(1, 27)) % 28 + 1)
    else:
        new = int(v * rng.choice((0.3, 0.5, 1.6, 2, 3, 5))) if v > 6 else int(v) + rng.choice((2, 3, 4, 7))
        new = f"{new:,}" if "," in raw else str(new)
    return None if new == raw or (have is not None and new in have) else t[:m.start()] + new + t[m.end():]


# names as far as writing shows them: runs of katakana, and runs of kanji that end like a name of a place, house, era or person
NAME = re.compile(r"[ァ-ヴ][ァ-ヴー・]{2,}|[一-龥]{1,4}(?:県|市|町|村|区|寺|神社|天皇|時代|大学|駅|藩|国|城|川|山|氏)")


def names(t):
    return [m for m in NAME.finditer(t)]


def kind_of(name):
    return "katakana" if re.match(r"[ァ-ヴ]", name) else re.search(r"(県|市|町|村|区|寺|神社|天皇|時代|大学|駅|藩|国|城|川|山|氏)$", name).group(1)


def rename(t, pool, rng, premise):
    """One name that the premise states, replaced by another of its kind that it does not."""
    hits = [m for m in names(t) if m.group(0) in premise]
    rng.shuffle(hits)
    for m in hits:
        for _ in range(6):
            options = pool.get(kind_of(m.group(0)), ())
            new = rng.choice(options) if options else None
            if new and new not in premise and new not in t and new != m.group(0):
                return t[:m.start()] + new + t[m.end():]
    return None


def as_claim(s):
    """A sentence as a self-standing claim: without brackets, links and open subjects; None where it would not stand alone."""
    t = re.sub(r"[（(][^（()）]*[)）]", "", s).strip()
    t = re.sub(r"^(?:また|しかし|なお|そして|さらに|ただし|一方|このため|そのため|したがって|つまり|例えば|たとえば|特に|ちなみに|その後|当時|現在)、?", "", t)
    if not t.endswith("。") or not 10 <= len(t) <= 110 or t.count("、") > 4:
        return None
    if re.match(r"(?:これ|それ|あれ|この|その|あの|ここ|そこ|彼|彼女|同|両|以下|上記|前者|後者|次)", t) or "「" in t and "」" not in t:
        return None
    return t
