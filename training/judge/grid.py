"""Pairs in both languages made from statements with slots: what is said, its opposite, and what decides nothing.

Every family holds the same facts in English and Japanese, so a claim in one language can stand beside a passage in the other. A family has
claims for (+1) and against (-1) a fact, passages that report it (+1), deny it (-1), or only mention it (0). `rows` gives
(claim_en, claim_ja, passage_en, passage_ja, label) with labels 0 supports, 1 refutes, 2 neutral.
"""
SUPPORTS, REFUTES, NEUTRAL = 0, 1, 2

# treatment or measure: English, Japanese
CAUSES = [x.split("|") for x in """fish oil|魚油
zinc supplements|亜鉛の補給
daily walking|毎日の散歩
yoga|ヨガ
a low-carbohydrate diet|糖質制限食
the new vaccine|新しいワクチン
telephone counselling|電話相談
the subsidy|補助金
school lunches|学校給食
the congestion charge|混雑課金
remote lectures|遠隔授業
bilingual education|二言語教育
street lighting|街灯の設置
speed cameras|速度監視カメラ
the carbon tax|炭素税
organic farming|有機農業
the merger|合併
overtime limits|残業の上限規制
cash transfers|現金給付
the training programme|研修制度
noise barriers|防音壁
hand washing|手洗い
probiotics|乳酸菌製剤
melatonin|メラトニン
light therapy|光療法
massage|マッサージ
iron tablets|鉄剤
antihistamines|抗ヒスタミン薬
the herbal extract|生薬の抽出物
cognitive training|認知訓練
early screening|早期の検診
home visits|家庭訪問
breastfeeding|母乳育児
ultraviolet light|紫外線
fertiliser|肥料
irrigation|灌漑
crop rotation|輪作
the dam|ダム
wind turbines|風力発電機
solar panels|太陽光パネル
the tariff|関税
tourism|観光
immigration|移民の受け入れ
automation|自動化
video games|ビデオゲーム
social media|交流サイトの利用
part-time work|短時間勤務
night shifts|夜勤
caffeine|カフェイン
chewing gum|ガムをかむこと
a warm bath|入浴
meditation|瞑想
the inhaler|吸入薬
insulin therapy|インスリン療法
radiotherapy|放射線療法
early surgery|早期の手術
bed rest|安静
compression stockings|弾性ストッキング
the app|アプリの利用
peer review|査読""".splitlines()]

# outcome: English, Japanese, "n" what is counted, "l" what has a level
OUTCOMES = [x.split("|") for x in """the number of accidents|事故の件数|n
hospital admissions|入院|n
blood sugar|血糖値|l
body weight|体重|l
cholesterol|コレステロール値|l
bone density|骨密度|l
the birth rate|出生率|l
school attendance|出席率|l
crime|犯罪|n
air pollution|大気汚染|l
traffic|交通量|n
household income|世帯所得|l
consumer prices|物価|l
rents|家賃|l
exports|輸出|n
the number of part-time jobs|非正規の雇用|n
crop yields|収穫量|n
soil erosion|土壌の流出|n
energy use|エネルギー消費|n
infections|感染|n
relapses|再発|n
headaches|頭痛|n
fatigue|疲労|l
anxiety|不安|l
depressive symptoms|抑うつ症状|l
sleep time|睡眠時間|n
reaction time|反応時間|n
reading ability|読解力|l
test scores|試験の得点|l
sick leave|病気休暇|n
staff turnover|離職|n
customer complaints|苦情|n
waiting times|待ち時間|n
mortality|死亡率|l
survival|生存率|l
birth weight|出生体重|l
fish stocks|魚の資源量|n
noise|騒音|l
water use|水の使用量|n
the number of bees|ミツバチの数|n
costs|費用|n
voter turnout|投票率|l
trust in the police|警察への信頼|l
inflammation|炎症|l
muscle strength|筋力|l
pain|痛み|l
nausea|吐き気|l
falls|転倒|n
fractures|骨折|n
tumour growth|腫瘍の増殖|l""".splitlines()]

UP = {"en": ["{X} increases {Y}.", "{X} raises {Y}.", "{X} leads to more {Y}.", "{Y} rises with {X}."],
      "n": ["{X}は{Y}を増やす。", "{X}により{Y}が増える。", "{X}は{Y}の増加につながる。"], "l": ["{X}は{Y}を高める。", "{X}により{Y}が上がる。", "{X}は{Y}を上昇させる。"]}
DOWN = {"en": ["{X} reduces {Y}.", "{X} lowers {Y}.", "{X} cuts {Y}.", "{X} helps to bring down {Y}."],
        "n": ["{X}は{Y}を減らす。", "{X}により{Y}が減る。", "{X}は{Y}の減少につながる。"], "l": ["{X}は{Y}を下げる。", "{X}により{Y}が下がる。", "{X}は{Y}を低下させる。"]}
NONE = {"en": ["{X} has no effect on {Y}.", "{X} does not change {Y}.", "{X} makes no difference to {Y}."],
        "n": ["{X}は{Y}に影響しない。", "{X}をしても{Y}は変わらない。"], "l": ["{X}は{Y}に影響しない。", "{X}をしても{Y}は変わらない。"]}
# passages: name -> (English, Japanese of counts, Japanese of levels)
SAID = {
    "up": (["{Y} rose by {n} percent in the {X} group.", "In those with {X}, {Y} was {n} percent higher than in the control group.", "After {X} was introduced, {Y} increased from {a} to {b}.",
            "We found that {X} was associated with an increase in {Y}.", "{X} significantly increased {Y} (P < 0.01).", "{Y} was {b} with {X} and {a} without it."],
           ["{X}の群では{Y}が{n}％増えた。", "{X}を導入した後、{Y}は{a}から{b}に増加した。", "{X}は{Y}の増加と関連していた。", "{X}により{Y}は有意に増加した（P<0.01）。", "{Y}は{X}ありで{b}、なしで{a}だった。"],
           ["{X}の群では{Y}が{n}％上がった。", "{X}を導入した後、{Y}は{a}から{b}に上昇した。", "{X}は{Y}の上昇と関連していた。", "{X}により{Y}は有意に上昇した（P<0.01）。", "{Y}は{X}ありで{b}、なしで{a}だった。"]),
    "down": (["{Y} fell by {n} percent in the {X} group.", "In those with {X}, {Y} was {n} percent lower than in the control group.", "After {X} was introduced, {Y} dropped from {b} to {a}.",
              "We found that {X} was associated with a decrease in {Y}.", "{X} significantly reduced {Y} (P < 0.01).", "{Y} was {a} with {X} and {b} without it."],
             ["{X}の群では{Y}が{n}％減った。", "{X}を導入した後、{Y}は{b}から{a}に減少した。", "{X}は{Y}の減少と関連していた。", "{X}により{Y}は有意に減少した（P<0.01）。", "{Y}は{X}ありで{a}、なしで{b}だった。"],
             ["{X}の群では{Y}が{n}％下がった。", "{X}を導入した後、{Y}は{b}から{a}に低下した。", "{X}は{Y}の低下と関連していた。", "{X}により{Y}は有意に低下した（P<0.01）。", "{Y}は{X}ありで{a}、なしで{b}だった。"]),
    "none": (["{Y} did not differ between the {X} group and the controls.", "{X} had no significant effect on {Y}.", "{Y} hardly changed after {X}.", "There was no evidence that {X} changed {Y}.",
              "{Y} was similar with and without {X} ({a} and {a2}).", "The trial found no association between {X} and {Y}."],
             ["{X}の群と対照群の間で{Y}に差はなかった。", "{X}による{Y}の変化は認められなかった。", "{X}の後も{Y}はほとんど変わらなかった。", "{X}が{Y}に影響するという証拠は得られなかった。", "{Y}は{X}ありで{a}、なしで{a2}と同程度だった。", "{X}と{Y}の間に関連は見られなかった。"]),
    "not_up": (["{Y} did not increase with {X}.", "Contrary to expectations, {X} did not raise {Y}.", "No rise in {Y} was seen after {X}."],
               ["{X}をしても{Y}は増えなかった。", "予想に反し、{X}は{Y}を増やさなかった。", "{X}の後も{Y}の増加は確認されなかった。"], ["{X}をしても{Y}は上がらなかった。", "予想に反し、{X}は{Y}を高めなかった。", "{X}の後も{Y}の上昇は確認されなかった。"]),
    "not_down": (["{Y} did not fall with {X}.", "Contrary to expectations, {X} did not lower {Y}.", "No drop in {Y} was seen after {X}."],
                 ["{X}をしても{Y}は減らなかった。", "予想に反し、{X}は{Y}を減らさなかった。", "{X}の後も{Y}の減少は確認されなかった。"], ["{X}をしても{Y}は下がらなかった。", "予想に反し、{X}は{Y}を下げなかった。", "{X}の後も{Y}の低下は確認されなかった。"]),
    "myth_up": (["It is often said that {X} raises {Y}, but studies do not bear this out.", "The claim that {X} increases {Y} is false.", "The ministry denied that {X} had increased {Y}."],
                ["{X}が{Y}を増やすとよく言われるが、研究では裏付けられていない。", "{X}が{Y}を増やすという主張は誤りである。", "当局は、{X}で{Y}が増えたとの見方を否定した。"], ["{X}が{Y}を高めるとよく言われるが、研究では裏付けられていない。", "{X}が{Y}を高めるという主張は誤りである。", "当局は、{X}で{Y}が上がったとの見方を否定した。"]),
    "myth_down": (["It is often said that {X} lowers {Y}, but studies do not bear this out.", "The claim that {X} reduces {Y} is false.", "The ministry denied that {X} had reduced {Y}."],
                  ["{X}が{Y}を減らすとよく言われるが、研究では裏付けられていない。", "{X}が{Y}を減らすという主張は誤りである。", "当局は、{X}で{Y}が減ったとの見方を否定した。"], ["{X}が{Y}を下げるとよく言われるが、研究では裏付けられていない。", "{X}が{Y}を下げるという主張は誤りである。", "当局は、{X}で{Y}が下がったとの見方を否定した。"]),
    "open": (["We examined whether {X} affects {Y}.", "The aim of this study was to assess the effect of {X} on {Y}.", "It is not known whether {X} changes {Y}.", "{Y} was recorded every week in people with {X}.",
              "Participants were randomly assigned to {X} or usual care, and {Y} was the main outcome.", "Effects of {X} on {Y}: a randomised trial.", "Further studies are needed to clarify how {X} influences {Y}.",
              "{X} does not necessarily change {Y}; it depends on the circumstances.", "A panel will discuss {X} and {Y} next month.", "Does {X} influence {Y}?"],
             ["{X}が{Y}に影響するかどうかを調べた。", "本研究の目的は、{X}が{Y}に及ぼす影響を評価することである。", "{X}が{Y}を変えるかどうかは分かっていない。", "{X}の対象者について、{Y}を毎週記録した。", "参加者は{X}の群と通常の群に無作為に分けられ、主な評価項目は{Y}とされた。", "{X}の{Y}に対する効果：無作為化試験",
              "{X}が{Y}にどう影響するかは、今後の研究を待つ必要がある。", "{X}によって{Y}が変わるとは限らない。", "{X}と{Y}について、来月の会議で議論される。", "{X}は{Y}に影響するのだろうか。"]),
}
EFFECT = {("up", "up"): 0, ("up", "down"): 1, ("up", "none"): 1, ("up", "not_up"): 1, ("up", "not_down"): 2, ("up", "myth_up"): 1, ("up", "myth_down"): 2, ("up", "open"): 2,
          ("down", "down"): 0, ("down", "up"): 1, ("down", "none"): 1, ("down", "not_down"): 1, ("down", "not_up"): 2, ("down", "myth_down"): 1, ("down", "myth_up"): 2, ("down", "open"): 2,
          ("none", "up"): 1, ("none", "down"): 1, ("none", "none"): 0, ("none", "open"): 2}


def effect(rng):
    """One pair about what a cause does to an outcome."""
    x, y = rng.choice(CAUSES), rng.choice(OUTCOMES)
    kind = rng.choice(("up", "down", "up", "down", "none"))
    label = rng.choice((0, 1, 2))
    said = rng.choice([p for (c, p), l in EFFECT.items() if c == kind and l == label])
    px, py = x, y
    if label == NEUTRAL and rng.random() < 0.35:        # a result on something else
        said = rng.choice(("up", "down", "none"))
        if rng.random() < 0.5:
            px = rng.choice([c for c in CAUSES if c is not x])
        else:
            py = rng.choice([o for o in OUTCOMES if o is not y])
    a = rng.randint(3, 60)
    n = {"n": rng.randint(4, 60), "a": a, "b": a + max(2, int(a * rng.uniform(0.2, 0.9))), "a2": a + rng.choice((-1, 0, 1))}
    claims = {"up": UP, "down": DOWN, "none": NONE}[kind]
    forms = SAID[said]
    ja = forms[1] if py[2] == "n" or len(forms) < 3 else forms[2]
    fill = lambda t, l, u, v: t.format(X=u[l], Y=v[l], **n)
    start = lambda t: t[0].upper() + t[1:]
    return (start(fill(rng.choice(claims["en"]), 0, x, y)), fill(rng.choice(claims[y[2]]), 1, x, y), start(fill(rng.choice(forms[0]), 0, px, py)), fill(rng.choice(ja), 1, px, py), label)


def f(slots, plus, minus, mention):
    """A family: slot fillers "en|ja", and statements "en|ja" for the fact, against it, and about it."""
    cut = lambda t: [x.strip().split("|") for x in t.strip().splitlines()]
    return cut(slots), cut(plus), cut(minus), cut(mention)


FAMILIES = [
    f("""the photocopying of library books|図書館の本の複写
fishing in the lake|湖での釣り
the use of drones in the park|公園でのドローンの使用
the import of live plants|生きた植物の輸入
the resale of tickets|入場券の転売
swimming in the river|川での遊泳
dogs on the beach|海岸への犬の立ち入り
advertising on school grounds|校内での広告
working a second job|副業
the sale of alcohol at the stadium|競技場での酒類の販売""",
      """{S} is allowed.|{S}は認められている。
No permission is needed for {S}.|{S}に許可は要らない。
The council lifted the ban on {S}.|議会は{S}の禁止を解いた。
Anyone may engage in {S}.|{S}は誰でも行うことができる。""",
      """{S} is prohibited.|{S}は禁止されている。
{S} is not permitted.|{S}は認められていない。
Nobody may engage in {S}.|何人も{S}をしてはならない。
The council decided to keep the ban on {S}.|議会は{S}の禁止を続けることを決めた。""",
      """The council will discuss {S} in March.|議会は3月に{S}について話し合う。
Residents were asked for their opinion on {S}.|{S}について住民の意見を募った。
There are no statistics on {S}.|{S}に関する統計はない。
The rules on {S} are being reviewed.|{S}に関する規則は見直しが進められている。"""),
    f("""the annual festival|恒例の祭り
the summit|首脳会談
the final match|決勝戦
the entrance ceremony|入学式
the launch of the satellite|衛星の打ち上げ
the strike|ストライキ
the auction|競売
the public hearing|公聴会""",
      """{S} took place as planned.|{S}は予定どおり行われた。
{S} was held on Saturday despite the rain.|雨にもかかわらず、{S}は土曜日に行われた。
{S} went ahead.|{S}は実施された。""",
      """{S} was called off.|{S}は中止になった。
{S} did not take place.|{S}は行われなかった。
{S} was cancelled because of the storm.|嵐のため{S}は取りやめとなった。""",
      """{S} is scheduled for next spring.|{S}は来春に予定されている。
Whether {S} will take place has not been decided.|{S}を行うかどうかは決まっていない。
The costs of {S} are shared by two cities.|{S}の費用は二つの市が分担する。
Preparations for {S} began in June.|{S}の準備は6月に始まった。"""),
    f("""the minister|大臣
the mayor|市長
the company|会社
the hospital|病院
the defendant|被告
the university|大学
the player|選手
the bank|銀行""",
      """{S} admitted the error.|{S}は誤りを認めた。
{S} acknowledged that mistakes had been made and apologised.|{S}は過ちがあったことを認め、謝罪した。
{S} took responsibility for the mistake.|{S}は誤りの責任を認めた。""",
      """{S} denied any error.|{S}は誤りを否定した。
{S} insisted that no mistake had been made.|{S}は誤りはなかったと主張した。
{S} said the reports of a mistake were untrue.|{S}は、誤りがあったとの報道は事実でないと述べた。""",
      """{S} was asked about the error.|{S}は誤りについて質問を受けた。
{S} has not commented on the alleged mistake.|{S}は誤りの疑いについてコメントしていない。
{S} will report on the matter by Friday.|{S}は金曜日までにこの件について報告する。"""),
    f("""the budget|予算案
the amendment|改正案
the building permit|建築許可
the treaty|条約
the application|申請
the rescue plan|再建計画
the new drug|新薬""",
      """{S} was approved.|{S}は承認された。
The committee voted in favour of {S}.|委員会は{S}に賛成した。
{S} was adopted by a large majority.|{S}は賛成多数で可決された。""",
      """{S} was rejected.|{S}は却下された。
The committee voted against {S}.|委員会は{S}に反対した。
{S} failed to win a majority.|{S}は過半数の賛成を得られなかった。""",
      """{S} is still under review.|{S}はまだ審査中である。
The committee met for three hours to discuss {S}.|委員会は{S}について3時間話し合った。
{S} runs to 240 pages.|{S}は240ページに及ぶ。"""),
    f("""a passport|旅券
proof of address|住所の証明
a doctor's certificate|医師の診断書
written consent|書面による同意
a deposit|保証金
a signature|署名
insurance|保険への加入""",
      """{S} is required.|{S}が必要である。
The application must include {S}.|申請には{S}がなければならない。
You cannot apply without {S}.|{S}がなければ申請できない。""",
      """{S} is not required.|{S}は不要である。
The application can be made without {S}.|{S}がなくても申請できる。
{S} is no longer needed.|{S}はもはや必要とされない。""",
      """{S} can be obtained at the office on weekdays.|{S}については、平日に窓口で受け付けている。
Questions about {S} are answered by telephone.|{S}に関する質問は電話で受け付ける。
The guide has a page about {S}.|手引きには{S}についての記載が1ページある。"""),
    f("""the treatment|この治療法
the material|この素材
the method|この手法
the bridge|その橋
the water|その水
the software|そのソフトウェア
the machine|その機械
the toy|その玩具""",
      """{S} is safe.|{S}は安全である。
No risk from {S} was found in the tests.|試験では{S}による危険は認められなかった。
The inspectors confirmed that {S} poses no danger.|検査官は{S}に危険がないことを確認した。""",
      """{S} is not safe.|{S}は安全ではない。
The tests showed that {S} is dangerous.|試験の結果、{S}は危険であることが分かった。
{S} harmed several people.|{S}により複数の人に被害が出た。""",
      """The safety of {S} is being examined.|{S}の安全性は調査中である。
Whether {S} is safe cannot be said yet.|{S}が安全かどうかはまだ分からない。
{S} was developed over four years.|{S}は4年かけて開発された。"""),
    f("""Old documents|古文書
The birds|その鳥
The manuscripts|写本
Wild boars|イノシシ
The statues|その像
Glaciers|氷河
The beetles|その甲虫""",
      """Most of the studies agree: {S} are older than was thought.|{S}はこれまで考えられていたより古いという点で、多くの研究が一致している。
{S} are older than previously thought.|{S}は従来の説より古い。""",
      """{S} are not older than previously thought.|{S}は従来の説より古くはない。
The view that {S} are older than was thought has been rejected.|{S}が従来の説より古いという見方は退けられた。""",
      """How old {S} are is disputed.|{S}の年代については議論がある。
{S} were photographed for the catalogue.|{S}は目録のために撮影された。"""),
]

GROUPS = [x.split("|") for x in """residents|住民
students|学生
patients|患者
employees|従業員
voters|有権者
farmers|農家
shops|店舗
schools|学校
hospitals|病院
companies|企業""".splitlines()]
DEEDS = [x.split("|") for x in """supported the plan|計画を支持した
had internet access|インターネットを利用できた
recovered within a week|1週間以内に回復した
used public transport|公共交通機関を利用した
answered the survey|調査に回答した
raised wages|賃金を引き上げた
passed the test|試験に合格した
were satisfied|満足していた
installed the update|更新を適用した
cut their spending|支出を減らした""".splitlines()]


def share(rng):
    """Most, hardly any, a third: words of amount beside numbers."""
    g, d = rng.choice(GROUPS), rng.choice(DEEDS)
    label = rng.choice((0, 1, 2))
    kind = rng.choice(("most", "few", "over"))
    limit = rng.randint(20, 70)
    high = rng.randint(58, 95) if kind != "over" else rng.randint(limit + 3, min(97, limit + 30))
    low = rng.randint(3, 30) if kind == "few" else rng.randint(3, 42) if kind == "most" else rng.randint(max(2, limit - 30), limit - 3)
    n = (high if label == SUPPORTS else low) if kind != "few" else (low if label == SUPPORTS else high)
    claim = {"most": (["Most {g} {d}.", "More than half of the {g} {d}."], ["{g}の大半が{d}。", "過半数の{g}が{d}。"]), "few": (["Few {g} {d}.", "Only a minority of the {g} {d}."], ["{d}{g}は少数だった。"]),
             "over": ([f"More than {limit} percent of the {{g}} {{d}}."], [f"{limit}％を超える{{g}}が{{d}}。"])}[kind]
    if label == NEUTRAL:
        other = rng.choice([x for x in DEEDS if x is not d])
        m = rng.randint(5, 95)
        said = rng.choice([(f"{m} percent of the {{g}} {other[0]}.", f"{{g}}の{m}％が{other[1]}。"), (f"The survey asked {{g}} whether they {d[0]}.", f"調査では、{{g}}が{d[1]}かどうかを尋ねた。"), (f"A total of {m * 37} {{g}} took part in the survey.", f"調査には合わせて{m * 37}の{{g}}が参加した。")])
    elif n < 50:
        said = rng.choice([(f"Only {n} percent of the {{g}} {{d}}.", f"{{d}}{{g}}は{n}％にとどまった。"), (f"{n} percent of the {{g}} {{d}}.", f"{{g}}の{n}％が{{d}}。"), (f"The share of {{g}} who {{d}} was no more than {n} percent.", f"{{d}}{{g}}の割合は{n}％にすぎなかった。")])
    else:
        said = rng.choice([(f"As many as {n} percent of the {{g}} {{d}}.", f"{{g}}の{n}％が{{d}}。"), (f"{n} percent of the {{g}} {{d}}.", f"{{d}}{{g}}は{n}％に上った。"), (f"The share of {{g}} who {{d}} reached {n} percent.", f"{{d}}{{g}}の割合は{n}％に達した。")])
    fill = lambda t, l: t.format(g=g[l], d=d[l])
    return fill(rng.choice(claim[0]), 0), fill(rng.choice(claim[1]), 1), fill(said[0], 0), fill(said[1], 1), label


def compare(rng):
    """Two things compared, said from either side, with or without numbers."""
    x, z = rng.sample(CAUSES, 2)
    y = rng.choice(OUTCOMES)
    label = rng.choice((0, 1, 2))
    more = rng.random() < 0.5
    claim = ([f"{y[0]} is {'higher' if more else 'lower'} with {x[0]} than with {z[0]}.", f"Compared with {z[0]}, {x[0]} leads to {'higher' if more else 'lower'} {y[0]}."],
             [f"{y[1]}は{z[1]}より{x[1]}のほうが{'高い' if more else '低い'}。", f"{x[1]}のほうが{z[1]}より{y[1]}が{'高い' if more else '低い'}。"])
    if label == NEUTRAL:
        w = rng.choice([c for c in CAUSES if c is not x and c is not z])
        said = rng.choice([(f"{y[0]} was compared between {x[0]} and {z[0]}.", f"{x[1]}と{z[1]}の間で{y[1]}を比較した。"), (f"Both {x[0]} and {z[0]} are widely used.", f"{x[1]}も{z[1]}も広く行われている。"), (f"{x[0]} costs less than {z[0]}.", f"{x[1]}は{z[1]}より費用がかからない。")])
        if rng.random() < 0.3:
            up = rng.random() < 0.5
            said = (f"{y[0]} was {'higher' if up else 'lower'} with {x[0]} than with {w[0]}.", f"{y[1]}は{w[1]}より{x[1]}のほうが{'高かった' if up else '低かった'}。")
    elif label == REFUTES and rng.random() < 0.4:
        said = rng.choice([(f"{y[0]} did not differ between {x[0]} and {z[0]}.", f"{x[1]}と{z[1]}で{y[1]}に差はなかった。"), (f"{x[0]} and {z[0]} were comparable in terms of {y[0]}.", f"{y[1]}は{x[1]}と{z[1]}で同等だった。"),
                           (f"{y[0]} with {x[0]} was no {'higher' if more else 'lower'} than with {z[0]}.", f"{x[1]}の{y[1]}は{z[1]}より{'高く' if more else '低く'}はなかった。")])
    else:
        up = more == (label == SUPPORTS)
        a = rng.randint(5, 60)
        b = a + max(2, int(a * rng.uniform(0.15, 0.8)))
        u, v = (b, a) if up else (a, b)
        said = rng.choice([(f"{y[0]} was {u} with {x[0]} and {v} with {z[0]}.", f"{y[1]}は{x[1]}で{u}、{z[1]}で{v}だった。"), (f"{y[0]} was {'lower' if up else 'higher'} with {z[0]} than with {x[0]}.", f"{z[1]}の{y[1]}は{x[1]}より{'低かった' if up else '高かった'}。"),
                           (f"{x[0]} led to significantly {'higher' if up else 'lower'} {y[0]} than {z[0]} did.", f"{x[1]}の{y[1]}は{z[1]}を有意に{'上回った' if up else '下回った'}。")])
    start = lambda t: t[0].upper() + t[1:]
    i = rng.randrange(2)
    return start(claim[0][i]), claim[1][rng.randrange(2)], start(said[0]), said[1], label


def fact(rng):
    slots, plus, minus, mention = rng.choice(FAMILIES)
    s = rng.choice(slots)
    claim_side, label = rng.choice((plus, minus)), rng.choice((0, 1, 2))
    other = minus if claim_side is plus else plus
    c = rng.choice(claim_side[:3])
    p = rng.choice([x for x in claim_side if x is not c] if label == SUPPORTS else other if label == REFUTES else mention)
    t = s
    if label == NEUTRAL and rng.random() < 0.25:
        t, p = rng.choice([x for x in slots if x is not s]), rng.choice(plus + minus)
    start = lambda x: x[0].upper() + x[1:]
    return start(c[0].format(S=s[0])), c[1].format(S=s[1]), start(p[0].format(S=t[0])), p[1].format(S=t[1]), label


def rows(count, rng):
    out = set()
    while len(out) < count:
        out.add(rng.choices((effect, share, compare, fact), (5, 2, 2.5, 2))[0](rng))
    return sorted(out)


if __name__ == "__main__":
    import random
    for r in random.Random(1).sample(rows(3000, random.Random(2)), 30):
        print(*r, sep="\n   ")
