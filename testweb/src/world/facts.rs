//! The made-up body of knowledge: topics and facts, each with what it says, what its deniers say, and the numbers that
//! agreeing, disagreeing and outdated texts give. Nothing here is about the real world.

use crate::Language;

/// A text in both languages.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    pub en: &'static str,
    pub ja: &'static str,
}

impl Text {
    pub fn of(&self, language: Language) -> &'static str {
        match language {
            Language::English => self.en,
            Language::Japanese => self.ja,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Medical,
    Legal,
    Technical,
}

#[derive(Debug, Clone, Copy)]
pub struct Topic {
    pub id: &'static str,
    pub field: Field,
    pub name: Text,
    /// What everybody agrees on: the common ground of the articles.
    pub background: [Text; 3],
    pub facts: [Fact; 3],
}

/// Something that is true in the small internet.
#[derive(Debug, Clone, Copy)]
pub struct Fact {
    /// `velorastatin-2`.
    pub id: &'static str,
    /// `{n}` stands for the number.
    pub says: Text,
    pub denies: Text,
    /// The number that is true.
    pub value: &'static str,
    /// The number that sources who disagree give.
    pub other: &'static str,
    /// The number that was true years ago.
    pub old: &'static str,
}

/// How a text treats a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stance {
    Agrees,
    /// Gives another number.
    Differs,
    Denies,
    /// Gives the number of years ago.
    Outdated,
}

impl Fact {
    pub fn sentence(&self, language: Language, stance: Stance) -> String {
        match stance {
            Stance::Agrees => self.says.of(language).replace("{n}", self.value),
            Stance::Differs => self.says.of(language).replace("{n}", self.other),
            Stance::Denies => self.denies.of(language).replace("{n}", self.value),
            Stance::Outdated => self.says.of(language).replace("{n}", self.old),
        }
    }
}

pub fn topics() -> &'static [Topic] {
    &TOPICS
}

/// The topic and the fact of an id.
pub fn fact(id: &str) -> Option<(&'static Topic, &'static Fact)> {
    let facts = TOPICS.iter().flat_map(|topic| topic.facts.iter().map(move |fact| (topic, fact)));
    facts.into_iter().find(|it| it.1.id == id)
}

const fn text(en: &'static str, ja: &'static str) -> Text {
    Text { en, ja }
}

const fn fact_of(
    id: &'static str,
    says: Text,
    denies: Text,
    [value, other, old]: [&'static str; 3],
) -> Fact {
    Fact { id, says, denies, value, other, old }
}

static TOPICS: [Topic; 12] = [
    Topic {
        id: "velorastatin",
        field: Field::Medical,
        name: text("velorastatin", "ベロラスタチン"),
        background: [
            text(
                "Velorastatin is a tablet taken once a day by adults whose cholesterol stays high in spite of a changed diet.",
                "ベロラスタチンは、食事を変えてもコレステロール値が高いままの成人が一日一回服用する錠剤である。",
            ),
            text(
                "It blocks an enzyme of the liver, so that more of the fat in the blood is taken up again.",
                "肝臓の酵素の働きを抑え、血液中の脂質がより多く取り込まれるようにする。",
            ),
            text(
                "The usual dose is 20 mg in the evening, and a blood test is advised after six weeks.",
                "通常の用量は夕方に20ミリグラムで、六週間後の血液検査が勧められている。",
            ),
        ],
        facts: [
            fact_of(
                "velorastatin-1",
                text(
                    "In the Harbour trial velorastatin lowered LDL cholesterol by {n} percent after one year.",
                    "ハーバー試験では、ベロラスタチンは一年後にLDLコレステロールを{n}パーセント低下させた。",
                ),
                text(
                    "A second analysis of the Harbour trial found no reduction of LDL cholesterol by velorastatin, and not the {n} percent first reported.",
                    "ハーバー試験の再解析では、当初報告された{n}パーセントという低下は見られず、ベロラスタチンはLDLコレステロールを下げなかった。",
                ),
                ["38", "12", "29"],
            ),
            fact_of(
                "velorastatin-2",
                text(
                    "Muscle pain was reported by {n} percent of the patients who took velorastatin.",
                    "ベロラスタチンを服用した患者の{n}パーセントが筋肉痛を報告した。",
                ),
                text(
                    "Velorastatin does not cause muscle pain: the {n} percent who complained were as many as in the placebo group.",
                    "ベロラスタチンは筋肉痛を起こさない。訴えた{n}パーセントは偽薬群と同じ割合であった。",
                ),
                ["4.1", "17.5", "6.0"],
            ),
            fact_of(
                "velorastatin-3",
                text(
                    "The risk of a first heart attack fell by {n} percent in people over sixty.",
                    "六十歳を超える人では、初めての心筋梗塞の危険が{n}パーセント下がった。",
                ),
                text(
                    "The risk of a first heart attack did not fall in people over sixty; the figure of {n} percent was withdrawn.",
                    "六十歳を超える人で初めての心筋梗塞の危険は下がらず、{n}パーセントという数字は取り下げられた。",
                ),
                ["22", "3", "15"],
            ),
        ],
    },
    Topic {
        id: "kitano-fever",
        field: Field::Medical,
        name: text("Kitano fever vaccine", "北野熱ワクチン"),
        background: [
            text(
                "Kitano fever is carried by a tick that lives in wet grassland and is most active from May to August.",
                "北野熱は湿った草地にすむダニが運ぶ病気で、五月から八月にかけて最も多い。",
            ),
            text(
                "The first signs are a high temperature, a rash on the arms and pain in the joints.",
                "最初の症状は高熱、腕の発疹、関節の痛みである。",
            ),
            text(
                "The vaccine is given in two doses, four weeks apart, and is free for forestry workers.",
                "ワクチンは四週間あけて二回接種し、林業に従事する人は無料で受けられる。",
            ),
        ],
        facts: [
            fact_of(
                "kitano-fever-1",
                text(
                    "Two doses of the Kitano fever vaccine prevented {n} percent of infections in the northern provinces.",
                    "北部の県では、北野熱ワクチンの二回接種が感染の{n}パーセントを防いだ。",
                ),
                text(
                    "Two doses of the Kitano fever vaccine did not prevent infection in the northern provinces, although {n} percent had been promised.",
                    "北部の県では、{n}パーセントと約束されていたにもかかわらず、北野熱ワクチンの二回接種は感染を防がなかった。",
                ),
                ["91", "54", "83"],
            ),
            fact_of(
                "kitano-fever-2",
                text(
                    "Protection by the vaccine lasted for {n} months on average.",
                    "ワクチンの効果は平均{n}か月続いた。",
                ),
                text(
                    "Protection by the vaccine was not found to last for {n} months; antibodies were gone within weeks.",
                    "ワクチンの効果が{n}か月続くことは確認されず、抗体は数週間で消えた。",
                ),
                ["34", "9", "24"],
            ),
            fact_of(
                "kitano-fever-3",
                text(
                    "Untreated Kitano fever was fatal in {n} of 1,000 cases.",
                    "治療を受けない北野熱では、千例のうち{n}例が死亡した。",
                ),
                text(
                    "No death from Kitano fever has been confirmed, and the rate of {n} in 1,000 rests on misdiagnosed cases.",
                    "北野熱による死亡は確認されておらず、千例に{n}例という割合は誤診された例によるものである。",
                ),
                ["14", "2", "31"],
            ),
        ],
    },
    Topic {
        id: "night-shift",
        field: Field::Medical,
        name: text("night shift sleep and blood sugar", "夜勤の睡眠と血糖"),
        background: [
            text(
                "Nurses, drivers and bakers often work at night and sleep while others are awake.",
                "看護師、運転手、パン職人などは夜に働き、ほかの人が起きている間に眠ることが多い。",
            ),
            text(
                "The body keeps its own clock, and meals at the wrong hour are handled less well.",
                "体には固有の時計があり、時間の合わない食事はうまく処理されない。",
            ),
            text(
                "Blood sugar was measured with a sensor on the upper arm for fourteen days.",
                "血糖は上腕につけた測定器で十四日間測られた。",
            ),
        ],
        facts: [
            fact_of(
                "night-shift-1",
                text(
                    "After four night shifts in a row fasting blood sugar was {n} percent higher than after day shifts.",
                    "夜勤が四回続いた後の空腹時血糖は、日勤の後より{n}パーセント高かった。",
                ),
                text(
                    "Night shifts did not raise fasting blood sugar; the difference of {n} percent disappeared once meals were counted.",
                    "夜勤は空腹時血糖を上げなかった。{n}パーセントの差は、食事を考慮すると消えた。",
                ),
                ["11", "27", "8"],
            ),
            fact_of(
                "night-shift-2",
                text(
                    "A nap of {n} minutes before the shift brought blood sugar back to the level of day workers.",
                    "勤務前に{n}分仮眠すると、血糖は日勤者の水準に戻った。",
                ),
                text(
                    "A nap before the shift had no effect on blood sugar, not even when it lasted {n} minutes.",
                    "勤務前の仮眠は、{n}分とっても血糖に影響しなかった。",
                ),
                ["90", "20", "60"],
            ),
            fact_of(
                "night-shift-3",
                text(
                    "Workers with more than {n} years of night shifts had twice the rate of type 2 diabetes.",
                    "夜勤の経験が{n}年を超える人では、2型糖尿病の割合が二倍であった。",
                ),
                text(
                    "Even workers with more than {n} years of night shifts did not develop type 2 diabetes more often.",
                    "夜勤の経験が{n}年を超える人でも、2型糖尿病が増えることはなかった。",
                ),
                ["15", "5", "20"],
            ),
        ],
    },
    Topic {
        id: "tarcoxin",
        field: Field::Medical,
        name: text("tarcoxin for migraine", "片頭痛に対するタルコキシン"),
        background: [
            text(
                "Tarcoxin is a nasal spray that a patient uses as soon as a migraine attack begins.",
                "タルコキシンは、片頭痛の発作が始まったときに患者が使う点鼻薬である。",
            ),
            text(
                "It was first made for allergies, and its effect on headaches was noticed by chance.",
                "もともとアレルギーの薬として作られ、頭痛への効果は偶然見つかった。",
            ),
            text(
                "Pregnant women and children under twelve should not use it.",
                "妊婦と十二歳未満の子どもは使うべきではない。",
            ),
        ],
        facts: [
            fact_of(
                "tarcoxin-1",
                text(
                    "Two hours after tarcoxin {n} percent of patients were free of pain.",
                    "タルコキシンの使用から二時間後、患者の{n}パーセントで痛みが消えた。",
                ),
                text(
                    "Tarcoxin was no better than water: the {n} percent who were free of pain were matched by the placebo group.",
                    "タルコキシンは水と変わらなかった。痛みが消えた{n}パーセントは偽薬群と同じであった。",
                ),
                ["47", "19", "41"],
            ),
            fact_of(
                "tarcoxin-2",
                text(
                    "The spray should not be used on more than {n} days a month.",
                    "この点鼻薬の使用は月に{n}日以内にとどめるべきである。",
                ),
                text(
                    "There is no reason to limit the spray to {n} days a month.",
                    "この点鼻薬を月に{n}日以内に制限する理由はない。",
                ),
                ["8", "15", "10"],
            ),
            fact_of(
                "tarcoxin-3",
                text(
                    "Nosebleeds occurred in {n} percent of users.",
                    "使用者の{n}パーセントに鼻血が見られた。",
                ),
                text(
                    "Nosebleeds were not caused by the spray, and the {n} percent recorded were seen in winter only.",
                    "鼻血は点鼻薬によるものではなく、記録された{n}パーセントは冬にだけ見られた。",
                ),
                ["5.5", "12", "7"],
            ),
        ],
    },
    Topic {
        id: "records-act",
        field: Field::Legal,
        name: text("Platform Records Act", "取引記録保存法"),
        background: [
            text(
                "The Platform Records Act obliges online marketplaces to know who sells on them.",
                "取引記録保存法は、オンライン市場に出品者の身元を把握する義務を課している。",
            ),
            text(
                "It was passed after buyers of faulty heaters could not find the seller.",
                "欠陥のある暖房器具の購入者が販売者を見つけられなかったことを受けて成立した。",
            ),
            text(
                "The supervising office can inspect the records and publish its findings.",
                "監督官庁は記録を検査し、結果を公表することができる。",
            ),
        ],
        facts: [
            fact_of(
                "records-act-1",
                text(
                    "Marketplaces must keep the records of a seller for {n} years after the last sale.",
                    "市場の運営者は、最後の販売から{n}年間、出品者の記録を保存しなければならない。",
                ),
                text(
                    "The Act does not require marketplaces to keep records for {n} years; the duty was struck from the final text.",
                    "同法は記録を{n}年間保存することを求めていない。この義務は最終案から削除された。",
                ),
                ["7", "3", "5"],
            ),
            fact_of(
                "records-act-2",
                text(
                    "The highest fine for a missing record is {n} million yen.",
                    "記録がない場合の過料は最高{n}百万円である。",
                ),
                text(
                    "No fine is foreseen for a missing record; the {n} million yen named in the press belong to another law.",
                    "記録がない場合の過料は定められておらず、報道された{n}百万円は別の法律のものである。",
                ),
                ["30", "5", "10"],
            ),
            fact_of(
                "records-act-3",
                text(
                    "Marketplaces with fewer than {n} sellers are exempt.",
                    "出品者が{n}人未満の市場は適用を除外される。",
                ),
                text(
                    "Small marketplaces are not exempt, and the threshold of {n} sellers was rejected in committee.",
                    "小規模な市場も適用を除外されず、{n}人という基準は委員会で否決された。",
                ),
                ["200", "1,000", "500"],
            ),
        ],
    },
    Topic {
        id: "deposits",
        field: Field::Legal,
        name: text("return of tenant deposits", "敷金の返還"),
        background: [
            text(
                "A deposit is money that a tenant leaves with the landlord when a flat is rented.",
                "敷金とは、住宅を借りるときに借主が貸主に預ける金銭である。",
            ),
            text(
                "Ordinary wear, such as faded wallpaper, is at the cost of the landlord.",
                "壁紙の色あせのような通常の損耗は貸主の負担となる。",
            ),
            text(
                "Quarrels are heard by the summary court, mostly without a lawyer.",
                "争いは簡易裁判所で扱われ、多くは弁護士なしで行われる。",
            ),
        ],
        facts: [
            fact_of(
                "deposits-1",
                text(
                    "The landlord has to return the deposit within {n} days after the keys are handed over.",
                    "貸主は鍵の引き渡しから{n}日以内に敷金を返還しなければならない。",
                ),
                text(
                    "There is no term of {n} days for the return of the deposit; the law only says without delay.",
                    "敷金の返還に{n}日という期限はなく、法律は遅滞なくと定めるだけである。",
                ),
                ["30", "90", "45"],
            ),
            fact_of(
                "deposits-2",
                text(
                    "A deposit may not be higher than {n} monthly rents.",
                    "敷金は家賃の{n}か月分を超えてはならない。",
                ),
                text(
                    "The amount of a deposit is free, and the limit of {n} monthly rents is a custom and not a rule.",
                    "敷金の額は自由であり、家賃の{n}か月分という上限は慣習であって規則ではない。",
                ),
                ["2", "6", "3"],
            ),
            fact_of(
                "deposits-3",
                text(
                    "In {n} percent of the cases in 2025 the court decided for the tenant.",
                    "2025年には、事件の{n}パーセントで裁判所が借主の主張を認めた。",
                ),
                text(
                    "Courts did not favour tenants in 2025: the {n} percent include settlements.",
                    "2025年に裁判所が借主に有利であったとはいえない。{n}パーセントには和解が含まれる。",
                ),
                ["64", "38", "57"],
            ),
        ],
    },
    Topic {
        id: "remote-work",
        field: Field::Legal,
        name: text("remote work allowance", "在宅勤務手当"),
        background: [
            text(
                "The remote work allowance repays employees for electricity and a desk at home.",
                "在宅勤務手当は、自宅の電気代や机の費用を従業員に補うものである。",
            ),
            text(
                "It is agreed between the company and the workers' representatives once a year.",
                "会社と労働者の代表が年に一度取り決める。",
            ),
            text(
                "Tax offices ask for a list of the days worked at home.",
                "税務署は在宅で働いた日の一覧を求める。",
            ),
        ],
        facts: [
            fact_of(
                "remote-work-1",
                text(
                    "Up to {n} yen a day the remote work allowance is free of tax.",
                    "在宅勤務手当は一日{n}円まで非課税である。",
                ),
                text(
                    "The remote work allowance is taxed in full; the {n} yen a day apply to travel costs.",
                    "在宅勤務手当は全額課税される。一日{n}円という枠は交通費のものである。",
                ),
                ["250", "800", "150"],
            ),
            fact_of(
                "remote-work-2",
                text(
                    "Employers with more than {n} employees must offer the allowance.",
                    "従業員が{n}人を超える使用者は手当を設けなければならない。",
                ),
                text(
                    "No employer has to offer the allowance, whether it has {n} employees or more.",
                    "従業員が{n}人以上であっても、手当を設ける義務のある使用者はいない。",
                ),
                ["50", "300", "100"],
            ),
            fact_of(
                "remote-work-3",
                text(
                    "A request for remote work must be answered within {n} days.",
                    "在宅勤務の申し出には{n}日以内に回答しなければならない。",
                ),
                text(
                    "A request for remote work may stay without an answer; the {n} days are a recommendation.",
                    "在宅勤務の申し出に回答しなくてもよい。{n}日は勧告にすぎない。",
                ),
                ["14", "60", "30"],
            ),
        ],
    },
    Topic {
        id: "drone-overflight",
        field: Field::Legal,
        name: text("drone overflight ordinance", "ドローン上空飛行条例"),
        background: [
            text(
                "The drone overflight ordinance applies to aircraft without a pilot that carry goods.",
                "ドローン上空飛行条例は、荷物を運ぶ無人航空機に適用される。",
            ),
            text(
                "Flights over schools and hospitals need the consent of the owner.",
                "学校や病院の上空を飛ぶには所有者の同意が必要である。",
            ),
            text(
                "The prefecture publishes a map of the routes each spring.",
                "県は毎年春に経路の地図を公表する。",
            ),
        ],
        facts: [
            fact_of(
                "drone-overflight-1",
                text(
                    "Cargo drones have to stay at least {n} metres above a roof.",
                    "貨物ドローンは屋根から{n}メートル以上離れて飛ばなければならない。",
                ),
                text(
                    "The ordinance sets no height above roofs; the {n} metres come from a draft.",
                    "条例は屋根からの高さを定めていない。{n}メートルは草案の数字である。",
                ),
                ["60", "150", "80"],
            ),
            fact_of(
                "drone-overflight-2",
                text(
                    "Noise at the ground may not exceed {n} decibels.",
                    "地上での騒音は{n}デシベルを超えてはならない。",
                ),
                text(
                    "Noise is not limited by the ordinance, and the {n} decibels are a wish of residents.",
                    "条例は騒音を制限しておらず、{n}デシベルは住民の要望である。",
                ),
                ["55", "70", "60"],
            ),
            fact_of(
                "drone-overflight-3",
                text(
                    "In its first year {n} flights were registered under the ordinance.",
                    "施行後一年間に、条例に基づき{n}回の飛行が登録された。",
                ),
                text(
                    "The number of {n} registered flights was never confirmed by the prefecture.",
                    "{n}回という登録数を県が確認したことはない。",
                ),
                ["4,310", "960", "1,200"],
            ),
        ],
    },
    Topic {
        id: "norvik-cell",
        field: Field::Technical,
        name: text("Norvik sodium-ion cell", "ノルビク式ナトリウムイオン電池"),
        background: [
            text(
                "The Norvik cell stores energy with sodium, which is found in sea salt.",
                "ノルビク式電池は、海の塩に含まれるナトリウムで電気を蓄える。",
            ),
            text(
                "Its anode is made of hard carbon from rice husks.",
                "負極はもみ殻から作る硬質炭素でできている。",
            ),
            text(
                "The first buyers were operators of solar fields who need cheap storage for the night.",
                "最初の購入者は、夜間の安価な蓄電を必要とする太陽光発電所の運営者であった。",
            ),
        ],
        facts: [
            fact_of(
                "norvik-cell-1",
                text(
                    "The Norvik sodium-ion cell kept 80 percent of its capacity after {n} charging cycles.",
                    "ノルビク式ナトリウムイオン電池は、{n}回の充放電の後も容量の80パーセントを保った。",
                ),
                text(
                    "The Norvik sodium-ion cell does not last {n} charging cycles; independent tests stopped far earlier.",
                    "ノルビク式ナトリウムイオン電池は{n}回の充放電に耐えない。第三者の試験ははるかに早く終わった。",
                ),
                ["5,200", "1,400", "3,000"],
            ),
            fact_of(
                "norvik-cell-2",
                text(
                    "Its energy density reaches {n} watt-hours per kilogram.",
                    "エネルギー密度は一キログラムあたり{n}ワット時に達する。",
                ),
                text(
                    "An energy density of {n} watt-hours per kilogram has not been shown in any finished cell.",
                    "一キログラムあたり{n}ワット時というエネルギー密度は、完成した電池では示されていない。",
                ),
                ["165", "110", "140"],
            ),
            fact_of(
                "norvik-cell-3",
                text(
                    "At minus 20 degrees the cell still delivered {n} percent of its capacity.",
                    "氷点下20度でも、電池は容量の{n}パーセントを取り出せた。",
                ),
                text(
                    "At minus 20 degrees the cell failed, and the {n} percent were measured at room temperature.",
                    "氷点下20度では電池は動作せず、{n}パーセントは室温で測られた値であった。",
                ),
                ["88", "41", "72"],
            ),
        ],
    },
    Topic {
        id: "heron-codec",
        field: Field::Technical,
        name: text("Heron compression format", "ヘロン圧縮形式"),
        background: [
            text(
                "Heron is an open format that makes log files smaller while they can still be searched.",
                "ヘロンは、検索できる状態のままログファイルを小さくする公開の形式である。",
            ),
            text(
                "The reference program is written in Rust and has no dependencies.",
                "参照実装はRustで書かれ、依存するものがない。",
            ),
            text(
                "Blocks are independent, so that a damaged file can be read up to the damage and after it.",
                "ブロックは独立しているため、壊れたファイルも損傷の前後を読むことができる。",
            ),
        ],
        facts: [
            fact_of(
                "heron-codec-1",
                text(
                    "On server logs Heron compressed {n} times as fast as gzip at the same size.",
                    "サーバーのログで、ヘロンは同じ大きさのgzipより{n}倍速く圧縮した。",
                ),
                text(
                    "Heron is not faster than gzip on server logs; the factor of {n} was measured on empty lines.",
                    "ヘロンはサーバーのログでgzipより速くない。{n}倍という値は空行で測られた。",
                ),
                ["6.5", "1.2", "4.0"],
            ),
            fact_of(
                "heron-codec-2",
                text(
                    "A search in a Heron file reads only {n} percent of the blocks.",
                    "ヘロンのファイルの検索では、ブロックの{n}パーセントしか読まれない。",
                ),
                text(
                    "A search in a Heron file has to read every block, and not {n} percent of them.",
                    "ヘロンのファイルの検索では、{n}パーセントではなくすべてのブロックを読む必要がある。",
                ),
                ["3", "45", "10"],
            ),
            fact_of(
                "heron-codec-3",
                text(
                    "Version 2 needs {n} megabytes of memory for decompression.",
                    "第2版の展開に必要なメモリは{n}メガバイトである。",
                ),
                text(
                    "Version 2 cannot be decompressed with {n} megabytes of memory.",
                    "第2版は{n}メガバイトのメモリでは展開できない。",
                ),
                ["16", "512", "64"],
            ),
        ],
    },
    Topic {
        id: "kestrel-handshake",
        field: Field::Technical,
        name: text("Kestrel post-quantum handshake", "ケストレル耐量子鍵交換"),
        background: [
            text(
                "Kestrel is a way to agree on a key that is meant to resist quantum computers.",
                "ケストレルは、量子計算機に耐えることを目指した鍵交換の方式である。",
            ),
            text(
                "It joins an old method and a new one, so that one may break without harm.",
                "従来の方式と新しい方式を組み合わせ、一方が破られても害が出ないようにしている。",
            ),
            text(
                "Two browsers offer it behind a switch since the spring.",
                "春から二つのブラウザーが設定により利用できるようにしている。",
            ),
        ],
        facts: [
            fact_of(
                "kestrel-handshake-1",
                text(
                    "A Kestrel handshake adds {n} bytes to the first message.",
                    "ケストレルの鍵交換は最初のメッセージに{n}バイトを加える。",
                ),
                text(
                    "A Kestrel handshake adds nothing to the first message; the {n} bytes are part of the second.",
                    "ケストレルの鍵交換は最初のメッセージに何も加えない。{n}バイトは二番目のものである。",
                ),
                ["1,184", "3,300", "2,048"],
            ),
            fact_of(
                "kestrel-handshake-2",
                text(
                    "Connections opened {n} milliseconds later at the median.",
                    "接続の確立は中央値で{n}ミリ秒遅くなった。",
                ),
                text(
                    "No delay of {n} milliseconds could be measured when connections were opened.",
                    "接続の確立に{n}ミリ秒の遅れは測定されなかった。",
                ),
                ["1.3", "9", "2.5"],
            ),
            fact_of(
                "kestrel-handshake-3",
                text(
                    "About {n} percent of old middleboxes dropped the larger message.",
                    "古い中継装置の約{n}パーセントが大きくなったメッセージを破棄した。",
                ),
                text(
                    "Middleboxes did not drop the larger message; the {n} percent were a fault of the test.",
                    "中継装置は大きくなったメッセージを破棄しなかった。{n}パーセントは試験の誤りであった。",
                ),
                ["0.4", "6", "2"],
            ),
        ],
    },
    Topic {
        id: "mirei-panel",
        field: Field::Technical,
        name: text("Mirei perovskite solar panel", "ミレイ式ペロブスカイト太陽電池"),
        background: [
            text(
                "The Mirei panel is a film that can be glued to a wall or a curved roof.",
                "ミレイ式の太陽電池は、壁や曲面の屋根に貼ることができる薄い膜である。",
            ),
            text(
                "Perovskite is printed on it like ink, at less than 150 degrees.",
                "ペロブスカイトは150度未満でインクのように印刷される。",
            ),
            text(
                "Lead in the layer is held back by a coating and has to be recycled.",
                "層に含まれる鉛は被膜で閉じ込められ、再利用しなければならない。",
            ),
        ],
        facts: [
            fact_of(
                "mirei-panel-1",
                text(
                    "The Mirei perovskite panel turned {n} percent of sunlight into electricity outdoors.",
                    "ミレイ式ペロブスカイト太陽電池は、屋外で太陽光の{n}パーセントを電気に変えた。",
                ),
                text(
                    "Outdoors the Mirei perovskite panel did not reach {n} percent; the value was measured under a lamp.",
                    "屋外のミレイ式ペロブスカイト太陽電池は{n}パーセントに届かなかった。その値はランプの下で測られた。",
                ),
                ["21.6", "13.8", "18.2"],
            ),
            fact_of(
                "mirei-panel-2",
                text(
                    "After {n} hours of light and damp heat the output was still above 90 percent.",
                    "光と湿熱に{n}時間さらした後も、出力は90パーセントを上回っていた。",
                ),
                text(
                    "The output did not stay above 90 percent for {n} hours of light and damp heat.",
                    "光と湿熱のもとで、出力が{n}時間にわたり90パーセントを上回ることはなかった。",
                ),
                ["3,000", "400", "1,000"],
            ),
            fact_of(
                "mirei-panel-3",
                text(
                    "A square metre weighs {n} kilograms, a fraction of a glass panel.",
                    "一平方メートルの重さは{n}キログラムで、ガラスの太陽電池よりはるかに軽い。",
                ),
                text(
                    "With its frame a square metre is not lighter than glass, whatever the {n} kilograms in the brochure say.",
                    "枠を含めると一平方メートルの重さはガラスと変わらず、冊子の{n}キログラムは当てはまらない。",
                ),
                ["1.9", "8.5", "2.6"],
            ),
        ],
    },
];
