//! The words that tell a statement from the rest, by meaning.
//!
//! Lists are strings cut at `|`: English in lower case, Japanese as written.

use std::collections::HashSet;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;

use text::words::stem;

/// What a sentence starts with before anything speaks for or against it.
pub(super) const BASE: f64 = 0.38;
/// What is lost when another word had to be put in, and when a title had to be put in front.
pub(super) const NAMED_LOSS: f64 = 0.02;
pub(super) const PREFIXED_LOSS: f64 = 0.03;

/// Phrases that are looked for anywhere in a text. One walk over the text finds any of them: trying
/// each in turn took most of the time of reading a page.
pub(super) struct Phrases(&'static str, OnceLock<AhoCorasick>);

impl Phrases {
    pub(super) const fn new(list: &'static str) -> Self {
        Self(list, OnceLock::new())
    }

    pub(super) fn are_in(&self, text: &str) -> bool {
        let built = || {
            AhoCorasick::new(self.0.split('|')).expect("a few hundred phrases make an automaton")
        };
        self.1.get_or_init(built).is_match(text)
    }
}

/// Words that are compared with whole words.
pub(super) struct Words(&'static str, OnceLock<HashSet<&'static str>>);

impl Words {
    pub(super) const fn new(list: &'static str) -> Self {
        Self(list, OnceLock::new())
    }

    pub(super) fn have(&self, word: &str) -> bool {
        self.1.get_or_init(|| self.0.split('|').collect()).contains(word)
    }
}

/// Whether a text has one of the phrases of a short list.
pub(super) fn has_any(text: &str, list: &str) -> bool {
    list.split('|').any(|it| text.contains(it))
}

/// Whether a word is one of a short list.
pub(super) fn is_one_of(word: &str, list: &str) -> bool {
    list.split('|').any(|it| it == word)
}

/// The stems of a list of English words.
fn stems(list: &'static str) -> HashSet<String> {
    list.split('|').map(stem).collect()
}

pub(super) static VERB_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(en::VERBS));
pub(super) static CAUSE_STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems(en::CAUSES));

pub(super) mod en {
    use super::{Phrases, Words};

    /// Verbs that stand for every tense: one of them makes a sentence of words.
    pub(in crate::claims) static AUXILIARIES: Words = Words::new(
        "is|are|was|were|has|have|had|can|could|may|might|will|would|\
        should|must|does|did|do|isn't|aren't|wasn't|weren't|hasn't|haven't|hadn't|doesn't|didn't|don't|can't|cannot|\
        won't|wouldn't|couldn't|shouldn't",
    );
    /// Verbs of statements, in their plain form.
    pub(in crate::claims) const VERBS: &str = "increase|decrease|reduce|raise|rise|fall|drop|grow|decline|improve|\
        worsen|cause|lead|result|prevent|protect|inhibit|block|induce|trigger|affect|influence|contribute|account|\
        remain|become|contain|consist|comprise|include|require|need|provide|produce|generate|create|form|occur|\
        happen|begin|start|end|last|continue|stop|show|find|report|suggest|indicate|conclude|demonstrate|reveal|\
        confirm|estimate|predict|state|say|claim|argue|announce|approve|ban|reject|publish|launch|release|measure|\
        test|compare|differ|vary|range|exceed|outperform|match|correlate|associate|link|depend|relate|represent|\
        mean|refer|define|describe|classify|belong|live|die|kill|infect|spread|survive|treat|cure|relieve|help|\
        support|oppose|allow|enable|let|make|give|take|get|go|come|see|use|work|act|play|run|serve|offer|cost|\
        earn|spend|sell|buy|win|lose|gain|reach|hit|climb|surge|plunge|double|triple|halve|shrink|expand|cover|\
        supply|receive|hold|own|found|establish|build|develop|discover|invent|introduce|replace|remove|add|cut|\
        save|waste|emit|absorb|store|release|burn|melt|freeze|boil|evaporate|rotate|orbit|weigh|flow|react|bind|\
        express|encode|regulate|activate|suppress|promote|enhance|impair|damage|destroy|threaten|pose|\
        carry|transmit|migrate|feed|eat|breed|evolve|recover|recommend|warn|advise|vote|elect|sign|pass|rule|\
        order|require|believe|know|consider|regard|agree|deny|refute|contradict|fail|succeed|manage|expect|stand|\
        sit|rank|lie|employ|attract|appear|seem|tend|exist|lack|follow|precede|arise|stem|derive|originate|carry|\
        mediate|modulate|attenuate|alleviate|exacerbate|prolong|shorten|delay|accelerate|slow|stimulate|facilitate|\
        attribute|ascribe|constitute|drive|undergo|withdraw|retract|correct|rely|fell|rose|grew|led|found|made|\
        gave|took|began|became|came|went|held|lost|won|sold|spent|kept|left|met|paid|said|saw|told|knew|wrote|cut|\
        lower|discharge|escape|leak|collapse|erupt|host|house|border|consume|export|import|drain|contaminate|\
        resist|tolerate|pollute|fund|invest|collect|detect|diagnose|vaccinate|inject|prescribe|hospitalise|hospitalize|\
        put|set|hit|shed|sank|shrank|fed|built|caught|drove|drew|ran|stood|struck|\
        bring|brought|keep|leave|meet|pay|tell|write|send|sent|seek|sought|bore|beat|bled|blew|broke|bred|bought|\
        chose|dealt|dug|drank|ate|fled|flew|forbade|forgot|froze|hung|heard|hid|laid|lent|meant|overcame|overtook|\
        rang|rode|shook|shone|shot|shrunk|slept|slid|spoke|spun|sprang|stole|swept|swam|swung|taught|tore|threw|\
        thought|understood|underwent|upheld|withdrew|withstood|woke|wore|wove|return|restore|turn|shift|stay";
    /// What stands before a noun: the word behind it is no verb.
    pub(in crate::claims) static BEFORE_NOUNS: Words = Words::new(
        "for|of|in|to|on|with|from|by|against|and|or|the|a|an|its|their|\
        no|more|fewer|among|about|between",
    );
    /// Verbs with which somebody reports something, as they are written.
    pub(in crate::claims) static REPORTS: Words = Words::new(
        "found|finds|find|reported|reports|report|showed|shows|show|shown|\
        suggested|suggests|suggest|indicated|indicates|indicate|concluded|concludes|conclude|demonstrated|demonstrates|\
        demonstrate|revealed|reveals|reveal|confirmed|confirms|confirm|estimated|estimates|estimate|observed|observe|\
        announced|approved|published|warned|warns|recommended|recommends|said|says|stated|states|discovered|proved|\
        proven|established|predicts|predicted|measured|recorded|identified|determined|ruled|banned|acquired|founded|\
        launched|signed|elected|retracted",
    );
    pub(in crate::claims) const CAUSES: &str = "cause|lead|result|prevent|protect|inhibit|induce|trigger|affect|\
        influence|contribute|improve|worsen|promote|suppress|mediate|regulate|activate|enhance|impair|damage|treat|\
        cure|relieve|alleviate|kill|infect|transmit|absorb|emit|produce|generate|destroy|block|stimulate|attenuate|\
        exacerbate|delay|prolong|accelerate|modulate|replace|bind|encode|express|save|spread";
    pub(in crate::claims) static CAUSAL_PHRASES: Phrases = Phrases::new(
        "associated with|linked to|due to|because of|caused by|risk of|\
        risk factor|effective|ineffective|efficacy|side effect|response to|responsible for|correlated with|leads to|\
        results in|safe |dangerous|harmful|toxic|immunity|depends on|derived from|effect on|no evidence|evidence that",
    );
    pub(in crate::claims) static COMPARISONS: Phrases = Phrases::new(
        " than |compared with|compared to|in contrast to|relative to|\
        versus| vs | vs. |as many as|as much as|twice|threefold|fold |most of|majority|minority|largest|smallest|\
        highest|lowest|fastest|oldest|longest|first |no difference|similar to|same as|times more|times as|equivalent|\
        half of|a third|two thirds|two-thirds|one in |per cent|percent",
    );
    pub(in crate::claims) static DEFINITIONS: Phrases = Phrases::new(
        " is a | is an | are a | is the | are the | was a | was an | was the | were the |\
        is defined as|refers to|refer to|consists of|is called|are called|is known as|are known as|belongs to|\
        is one of|are one of|is among|are among|is composed of|is located|are located|comprises|contains|is made of|\
        are made of| means |is part of|type of|form of|member of|species of",
    );
    pub(in crate::claims) static HEDGES: Phrases = Phrases::new(
        " may | might | could |perhaps|possibly|seems to|appears to|appear to|\
        arguably|it is possible|remains unclear|is unclear|unknown whether|controversial|potentially",
    );
    pub(in crate::claims) static VAGUE: Phrases = Phrases::new(
        "some people|many people|some say|many believe|people say|it is important|\
        it is interesting|interestingly|of course|there are many|there are several|there is a lot|in many ways|\
        various |a variety of|a number of|play an important role|plays an important role| such things|these things|those things| stuff|everyone's|everyone knows|\
        more research is needed|further research|further studies|more studies|needs to be|remains to be",
    );
    pub(in crate::claims) static OPINIONS: Phrases = Phrases::new(
        "beautiful|amazing|awesome|wonderful|delicious|lovely|gorgeous|\
        fantastic|incredible|stunning|must-see|must-have|favorite|favourite|fun |funny|sadly|luckily|hopefully|\
        delighted|excited|proud to|thrilled|cozy|cosy|perfect for|welcome to|happy to|looking forward|charming|tasty|\
        heartbreaking|unforgettable|interesting read",
    );
    /// Words a statement does not begin with.
    pub(in crate::claims) static QUESTION_STARTS: Words =
        Words::new("what|why|how|who|whom|whose|where|which|whether");
    pub(in crate::claims) static ORDERS: Words = Words::new(
        "see|click|please|subscribe|note|visit|contact|let|let's|remember|\
        download|sign|log|join|learn|follow|imagine|suppose|consider|don't|try|scroll|tap|enter|select|submit|stay|\
        listen|watch|enjoy|discover|explore|browse|register|wait|recall|preheat|stir|rinse|ask|tell|talk|wash|ensure|\
        make|take|keep|choose|avoid|get|go|buy|put|give|bring|be|do|never|always|read|look|check|start|stop|turn|open|\
        close|press|install|type|copy|paste|save|send|write|assume|think|pour|bake|boil|cook|serve|speak|apply|\
        eat|drink|find|help|donate|order|compare|add|mix",
    );
    /// Words among the orders that also begin statements, as names of things.
    pub(in crate::claims) static ORDERS_OR_THINGS: Words = Words::new(
        "use|share|test|call|support|report|search|place|set|work|\
        change|increase|reduce|limit|rest|plan|exercise|drink|cook|order|help|find|start|open|water|sleep|heat|cut",
    );
    pub(in crate::claims) static SELF: Words = Words::new(
        "i|i'm|i've|i'd|i'll|my|me|mine|myself|you|your|yours|you're|you'll|you've|\
        let's",
    );
    /// Whose it is when a paper speaks of itself.
    pub(in crate::claims) static OURS: Words = Words::new("our|ours|us");
    pub(in crate::claims) static AIMS: Phrases = Phrases::new(
        "aims to|aimed to|aim of|aim was|aims were|objective|purpose of|\
        we investigated|we examined|we assessed|we evaluated|we studied|we sought|we hypothesi|we propose|we present|\
        we describe|we review|we discuss|we aimed|to investigate whether|to determine whether|this paper presents|\
        this paper describes|this article describes|this review aims|this review describes|this review discusses|this review summari|will be discussed|is discussed|are discussed|we tested|\
        was to |were to |it is hoped|we performed|we conducted|we used|we compared|we collected|we analy|\
        is not known|little is known|has not been studied|are not known",
    );
    /// What asks for more research, whatever it stands by.
    pub(in crate::claims) static WISHES: Phrases = Phrases::new(
        "confirmed by others|confirmed by other |confirmed by further|confirmed by independent|confirmed in further|\
        confirmed in larger|confirmed in other |confirmed in future|confirmed in independent|confirmed by larger|\
        verified by others|verified in larger|replicated by others|replicated in larger|replicated in other |\
        remains to be seen|remains to be determined|remain to be determined|remains to be established|\
        remains to be investigated|remain to be investigated|remains to be elucidated|remain to be elucidated|\
        remains to be confirmed|warrants further|warrant further|deserves further|deserve further|merits further|\
        merit further|requires further study|requires further investigation|requires further research|\
        require further study|require further investigation|require further research|need for further research|\
        need for further stud|need for further investigation|need for further trial|need for more research|\
        need for more studies|needs further research|needs further study|needs further investigation|\
        need further study|need further investigation|need further research|\
        should be studied further|should be investigated further|interpreted with caution|interpreted cautiously|\
        future studies should|future research should|future trials should|future work should|further studies should|\
        further research should|further trials should|more work is needed|more data are needed|more data is needed|further data are|more work remains",
    );
    /// What research is said to be when there is not enough of it.
    pub(in crate::claims) const NEEDS: &str = " is needed| are needed| is required| are required| is warranted|\
        are warranted| is necessary| are necessary| will be needed| will be required| is essential| are essential|\
        should be confirmed| should be replicated| should be verified| should be repeated| should be interpreted|\
        must be confirmed| must be replicated| must be verified| must be interpreted| needs to be confirmed|\
        need to be confirmed| needs to be replicated| need to be replicated| needs to be verified| need to be verified|\
        needs confirmation| need confirmation| needs replication| need replication| awaits confirmation| await confirmation";
    pub(in crate::claims) static RESEARCH: Words = Words::new(
        "research|study|studies|trial|trials|investigation|investigations|finding|findings|results|\
        observation|observations|conclusion|conclusions|replication|work|evidence|analyses|experiments|follow-up|\
        meta-analyses|rcts",
    );
    pub(in crate::claims) static METHODS: Phrases = Phrases::new(
        "were recruited|was recruited|were randomly assigned|were randomized|\
        were randomised|were analyzed|were analysed|was performed|were performed|was conducted|were conducted|\
        were collected|was collected|were enrolled|were assigned|were excluded|were included|was assessed|\
        were assessed|was used to|were used to|were searched|were obtained|was obtained|was approved by the|\
        were calculated|was calculated|questionnaire|informed consent|participants completed|were asked|\
        statistical analys|was measured|were measured|was evaluated|were evaluated|were interviewed|\
        were prepared|was employed to|were employed to|were treated with|were incubated|were isolated from|was examined|\
        were examined|was investigated|were investigated",
    );
}

pub(super) mod ja {
    use super::Phrases;

    pub(in crate::claims) const QUESTIONS: &str = "か|かな|かしら|でしょう|だろう";
    pub(in crate::claims) const ORDERS: &str = "ください|下さい|ましょう|なさい|お願いします|お願いいたします|願います|\
        おすすめです|お勧めです|おすすめします|お勧めします|しよう|てみて|てね|てみては|ようにしたい|てほしい|べきだ|べきである|\
        べきです|ないように|ようにする|すること|ておく|ておきたい|ておきましょう|てみよう|ご覧ください|いかが|たい";
    pub(in crate::claims) static SELF: Phrases = Phrases::new(
        "私は|私が|私の|私も|私たち|私達|わたし|僕は|僕の|僕が|俺|筆者|あなた|皆さん|みなさん|\
        皆様|みなさま|お客様|思います|思いました|と思う|と思った|感じました|感じた|感じます|嬉し|うれし|楽しかっ|楽しい|美味し|おいし|\
        素敵|すてき|かわい|可愛|ありがとう|こんにちは|はじめまして|いただき|頂き|ございます|申し上げ|いたします|我々は|われわれは|\
        お待ち|驚きました|気になり|気がし|すごく|とっても|ワクワク|わくわく|お気に入り|行ってき|食べまし|買いまし|びっくり|残念",
    );
    pub(in crate::claims) const AIMS: &str = "目的とする|目的とした|目的である|目的として|検討する|検討した|検証する|検証した|\
        調査する|調査した|調査を行|検討を行|実験を行|解析を行|分析を行|評価を行|評価した|述べる|論じる|紹介する|紹介します|解説する|\
        解説します|説明する|説明します|見ていき|みていき|考察する|提案する|まとめた|概説|取り上げ|対象とした|対象に|用いた|使用した|\
        とする。|示す。|必要がある|必要である|必要だ|必要です|収集した|実施した|募集した|測定した|記述した|今後の課題|課題である|望まれる|期待される|求められる|重要である|重要です|大切である|大切です|\
        明らかでない|明らかではない|不明である|知られていない|議論がある|注意が必要";
    /// What research asks for when it asks for more: one of each in this order makes a wish.
    pub(in crate::claims) const MORE: &str = "さらなる|更なる|さらに|今後|一層|追加|大規模|他の|別の|より多く|長期的|引き続き|もっと|独立した";
    pub(in crate::claims) const RESEARCH: &str = "研究|検討|調査|検証|解析|試験|報告|追試|データ|分析|実験|エビデンス|知見|確認|解明|追跡|評価|症例の蓄積|議論";
    pub(in crate::claims) const NEEDS: &str = "必要|望まれ|望ましい|求められ|期待され|待たれ|待ちたい|要する|課題|べきで|べきだ|不可欠|欠かせない|期待したい";
    /// What asks for it whatever it stands by.
    pub(in crate::claims) static WISHES: Phrases = Phrases::new(
        "追試が必要|追試が望|追試が待|検証が待たれ|検証が望まれ|解明が待たれ|解明が望まれ|研究が待たれ|研究が望まれ|研究が期待され|\
        研究の進展|症例の蓄積が|慎重に解釈|慎重な解釈|解釈には注意|今後の課題",
    );
    pub(in crate::claims) static CAUSES: Phrases = Phrases::new(
        "により|によって|による|原因|引き起こ|効果|影響|関連|予防|防ぐ|防い|防止|抑制|リスク|\
        要因|有効|無効|副作用|つなが|もたら|誘発|促進|阻害|改善|悪化|寄与|感染|治療|ため、|ためで|関係|作用|依存|由来|排出|吸収|\
        死亡|害|毒|安全|効か|効く|遅ら|早ま|早め|強ま|強め|弱ま|弱め|壊|危険|抗炎症|耐性|合併|発症",
    );
    pub(in crate::claims) static COMPARISONS: Phrases = Phrases::new(
        "より|に比べ|と比べ|と比較|に対し|以上|以下|未満|倍|最も|最大|最小|最多|最高|\
        最古|最長|最初|世界一|日本一|同程度|同等|同じ|差はな|差が|過半|大半|多くを占|半数|半分|約半|割|超え|上回|下回|首位",
    );
    pub(in crate::claims) static DEFINITIONS: Phrases = Phrases::new(
        "とは|を指す|をいう|という|の一種|の一つ|のひとつ|と定義|と呼ばれ|からなる|\
        から成る|で構成|に属する|に分類|と分類|を含む|含まれ|に位置|の略|に所在|の総称|に当たる|にあたる|を占め|である|であり|であった|です|\
        でした|だった|に区分",
    );
    pub(in crate::claims) static REPORTS: Phrases = Phrases::new(
        "によると|によれば|報告|示され|示し|明らかに|発表|承認|結論|確認|判明|分かっ|わかっ|\
        推定|認められ|認めら|見られ|みられ|観察|可決|制定|設立|創業|施行|公布|締結|開始|廃止|発見|発明|開発|発売|公開|指摘|勧告|\
        推奨|記録|測定|算出|撤回|訂正|決定|禁止|上場|買収|就任|開業|完成|受賞|導入|義務付け|義務づけ|定め|定義",
    );
    pub(in crate::claims) static NAMES: Phrases = Phrases::new(
        "省|庁|大学|病院|研究所|株式会社|政府|国会|裁判所|協会|学会|機構|委員会|条約|法律|県|\
        市は|市の|日本|米国|中国|欧州|英国|韓国|東京|大阪|世界保健機関|国連|厚労|文科|気象",
    );
    pub(in crate::claims) static HEDGES: Phrases = Phrases::new(
        "かもしれない|かも知れない|可能性|思われ|考えられ|らしい|ようだ|ようです|かもしれません|\
        恐れがある|おそれがある|とみられ",
    );
    pub(in crate::claims) static VAGUE: Phrases = Phrases::new(
        "いろいろ|さまざま|様々|色々|多くの人|人それぞれ|場合があり|場合がある|こともあ|\
        ケースもあ|重要な役割|なるほど|もちろん|いわゆる|魅力|人気|話題|注目され",
    );
}
