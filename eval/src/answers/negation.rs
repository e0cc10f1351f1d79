//! The opposite of a statement, made by rule where the rule is sure and left out where it is not.

/// Verbs whose forms are known: base, third person, past.
const VERBS: [(&str, &str, &str); 34] = [
    ("affect", "affects", "affected"),
    ("alter", "alters", "altered"),
    ("cause", "causes", "caused"),
    ("change", "changes", "changed"),
    ("contribute", "contributes", "contributed"),
    ("correlate", "correlates", "correlated"),
    ("decrease", "decreases", "decreased"),
    ("depend", "depends", "depended"),
    ("determine", "determines", "determined"),
    ("differ", "differs", "differed"),
    ("enhance", "enhances", "enhanced"),
    ("exist", "exists", "existed"),
    ("facilitate", "facilitates", "facilitated"),
    ("help", "helps", "helped"),
    ("impact", "impacts", "impacted"),
    ("impair", "impairs", "impaired"),
    ("improve", "improves", "improved"),
    ("increase", "increases", "increased"),
    ("indicate", "indicates", "indicated"),
    ("influence", "influences", "influenced"),
    ("lead", "leads", "led"),
    ("lower", "lowers", "lowered"),
    ("make", "makes", "made"),
    ("matter", "matters", "mattered"),
    ("play", "plays", "played"),
    ("predict", "predicts", "predicted"),
    ("prevent", "prevents", "prevented"),
    ("produce", "produces", "produced"),
    ("prolong", "prolongs", "prolonged"),
    ("protect", "protects", "protected"),
    ("provide", "provides", "provided"),
    ("raise", "raises", "raised"),
    ("reduce", "reduces", "reduced"),
    ("require", "requires", "required"),
];

const AUXILIARIES: [&str; 16] = [
    "is", "are", "was", "were", "can", "could", "will", "would", "should", "has", "have", "had",
    "do", "does", "did", "may",
];

/// Words that deny already, or narrow what a "not" would deny.
const DENYING: [&str; 14] = [
    "not", "no", "never", "neither", "nor", "cannot", "without", "hardly", "rarely", "only",
    "unless", "none", "nothing", "nobody",
];

/// Words before the verb that open a clause of their own, or that "not" does not simply turn around.
const UNSURE_BEFORE: [&str; 22] = [
    "that", "which", "who", "whose", "when", "if", "because", "where", "while", "what", "how",
    "whether", "as", "all", "every", "each", "both", "some", "most", "many", "any", "either",
];

/// The opposite of a statement in English or Japanese.
pub(super) fn negated(statement: &str) -> Option<String> {
    let statement = statement.trim();
    match text::language::detect(statement).tag() {
        "ja" => japanese(statement),
        // Few words are often too few to tell the language; the rules know English words only.
        _ => english(statement),
    }
}

fn english(statement: &str) -> Option<String> {
    let words: Vec<&str> = statement.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|it| bare(it)).collect();
    let places = |wanted: &[&str]| -> Vec<usize> {
        (0..lower.len()).filter(|at| wanted.contains(&lower[*at].as_str())).collect()
    };
    let (auxiliaries, denials) = (places(&AUXILIARIES), places(&DENYING));
    if statement.contains("n't") || statement.contains("n’t") || auxiliaries.len() > 1 {
        return None;
    }
    let unsure = |at: usize| lower[..at].iter().any(|it| UNSURE_BEFORE.contains(&it.as_str()));
    let verb = match auxiliaries.first() {
        Some(at) => *at,
        None if denials.is_empty() => return without_auxiliary(&words, &lower, unsure),
        None => return None,
    };
    // A word that ends a phrase (`is:`) is not followed by what it says.
    if unsure(verb) || verb + 1 >= words.len() || bare(words[verb]) != words[verb].to_lowercase() {
        return None;
    }
    let next = lower[verb + 1].as_str();
    let with = |middle: &str, from: usize| -> Option<String> {
        Some(format!("{} {middle} {}", words[..=verb].join(" "), words[from..].join(" ")))
    };
    match (lower[verb].as_str(), &denials[..]) {
        ("was" | "were" | "is", [no]) if lower[0] == "there" && *no == verb + 1 => (next == "no"
            && lower.get(verb + 2).is_some_and(|it| it == "significant"))
        .then(|| with("a", verb + 2))
        .flatten(),
        ("did" | "does", [not]) if *not == verb + 1 && next == "not" => {
            affirmed(&words, &lower, verb)
        }
        (_, [_, ..]) => None,
        ("is" | "are" | "was" | "were", []) if lower[0] == "there" && verb == 1 => match next {
            "a" | "an" | "some" | "any" => with("no", verb + 2),
            "such" if matches!(lower.get(verb + 2).map(String::as_str), Some("a" | "an")) => {
                with("no such", verb + 3)
            }
            "one" | "two" | "three" | "many" | "more" => None,
            _ => with("no", verb + 1),
        },
        ("is" | "are" | "was" | "were" | "could" | "will" | "would" | "should", []) => {
            with("not", verb + 1)
        }
        ("can", []) => {
            let before = words[..verb].join(" ");
            Some(format!("{before} cannot {}", words[verb + 1..].join(" ")))
        }
        ("has" | "have" | "had", []) if next == "been" || next.ends_with("ed") => {
            with("not", verb + 1)
        }
        _ => None,
    }
}

/// `X significantly increased Y` becomes `X did not significantly increase Y`.
fn without_auxiliary(
    words: &[&str],
    lower: &[String],
    unsure: impl Fn(usize) -> bool,
) -> Option<String> {
    let form = |word: &str| {
        VERBS.iter().find_map(|(base, third, past)| match word {
            it if it == *third => Some((*base, "does not")),
            it if it == *past => Some((*base, "did not")),
            _ => None,
        })
    };
    let mut found = (1..words.len()).filter_map(|at| Some((at, form(&lower[at])?)));
    let (at, (base, auxiliary)) = found.next()?;
    // A second form may be the verb and the first a participle; a noun is followed by its own words.
    if found.next().is_some() || unsure(at) || bare(words[at]) != words[at].to_lowercase() {
        return None;
    }
    if matches!(lower.get(at + 1).map(String::as_str), None | Some("of" | "in")) {
        return None;
    }
    let is_adverb = |at: usize| lower[at].ends_with("ly");
    let from = if at > 1 && is_adverb(at - 1) { at - 1 } else { at };
    let parts = [&words[..from], &[auxiliary], &words[from..at], &[base], &words[at + 1..]];
    Some(parts.concat().join(" "))
}

/// `X did not significantly change Y` becomes `X significantly changed Y`.
fn affirmed(words: &[&str], lower: &[String], auxiliary: usize) -> Option<String> {
    let at = (auxiliary + 2..words.len()).find(|at| !lower[*at].ends_with("ly"))?;
    let (_, third, past) = VERBS.iter().find(|it| it.0 == lower[at])?;
    let form = if lower[auxiliary] == "does" { third } else { past };
    let end = words[at].strip_prefix(lower[at].as_str())?;
    let form = format!("{form}{end}");
    let parts =
        [&words[..auxiliary], &words[auxiliary + 2..at], &[form.as_str()], &words[at + 1..]];
    Some(parts.concat().join(" "))
}

/// A word without what surrounds it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Endings of a Japanese statement and what denies them, the longer first where one ends in another.
const ENDINGS: [(&str, &str); 34] = [
    ("ではありませんでした", "でした"),
    ("ではありません", "です"),
    ("ではなかった", "だった"),
    ("ではない", "である"),
    ("ませんでした", "ました"),
    ("ません", "ます"),
    ("しなかった", "した"),
    ("しない", "する"),
    ("でした", "ではありませんでした"),
    ("です", "ではありません"),
    ("ました", "ませんでした"),
    ("ます", "ません"),
    ("である", "ではない"),
    ("だった", "ではなかった"),
    ("できる", "できない"),
    ("できた", "できなかった"),
    ("られる", "られない"),
    ("られた", "られなかった"),
    ("される", "されない"),
    ("された", "されなかった"),
    ("減らす", "減らさない"),
    ("減らした", "減らさなかった"),
    ("減る", "減らない"),
    ("なる", "ならない"),
    ("なった", "ならなかった"),
    ("している", "していない"),
    ("していた", "していなかった"),
    ("げる", "げない"),
    ("げた", "げなかった"),
    ("める", "めない"),
    ("めた", "めなかった"),
    ("がある", "はない"),
    ("する", "しない"),
    ("した", "しなかった"),
];

fn japanese(statement: &str) -> Option<String> {
    let (body, stop) = match statement.strip_suffix('。') {
        Some(body) => (body, "。"),
        None => (statement, ""),
    };
    let (start, denied) =
        ENDINGS.iter().find_map(|(ending, denied)| Some((body.strip_suffix(ending)?, denied)))?;
    // A second denial, sentence or question is more than a rule can be sure of.
    let is_unsure = ["ない", "なか", "ません", "ずに", "。", "？", "?", "か、"];
    if start.is_empty() || is_unsure.iter().any(|it| start.contains(it)) {
        return None;
    }
    // `増加した` is of `する`, `示した` and `起こした` are not: a word of two characters at least goes before it.
    let is_noun = |c: char| matches!(c, '\u{30a1}'..='\u{30fc}' | '\u{4e00}'..='\u{9fff}');
    let has_noun = start.chars().rev().take(2).filter(|it| is_noun(*it)).count() == 2;
    if denied.starts_with("しな") || matches!(*denied, "する" | "した") {
        return has_noun.then(|| format!("{start}{denied}{stop}"));
    }
    // An adjective before `です` is denied in another way.
    let is_adjective = start.ends_with('い') && body.ends_with("です");
    (!is_adjective).then(|| format!("{start}{denied}{stop}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn english_statements_are_turned_around() {
        let cases = [
            ("Tea is good for sleep.", "Tea is not good for sleep."),
            ("Masks can reduce infections.", "Masks cannot reduce infections."),
            ("There is a season 4 of the show.", "There is no season 4 of the show."),
            ("There is such a place as Avalon.", "There is no such place as Avalon."),
            ("There is overlap between them.", "There is no overlap between them."),
            (
                "Drug A significantly increased pain compared with placebo.",
                "Drug A did not significantly increase pain compared with placebo.",
            ),
            ("Exercise reduces the risk of falls.", "Exercise does not reduce the risk of falls."),
            ("Drug A did not significantly change pain.", "Drug A significantly changed pain."),
            (
                "Pain did not differ significantly between A and B.",
                "Pain differed significantly between A and B.",
            ),
            (
                "There was no significant difference in pain between A and B.",
                "There was a significant difference in pain between A and B.",
            ),
            (
                "Compared with A, B led to a significant decrease in pain.",
                "Compared with A, B did not lead to a significant decrease in pain.",
            ),
            ("The film has been released in Japan.", "The film has not been released in Japan."),
        ];
        for (statement, opposite) in cases {
            assert_eq!(negated(statement).as_deref(), Some(opposite), "{statement}");
        }
    }

    #[test]
    fn what_the_rules_are_not_sure_of_is_left_out() {
        let cases = [
            "All swans are white animals.",
            "Tea may help people to fall asleep.",
            "The roof has a hole in it.",
            "People who are old can sleep well.",
            "The answer to the question \"Who was first?\" is: Amundsen.",
            "Minute maid stadium seats many people.",
            "Tea is not good for sleep.",
            "Increases in the price of tea matter to people in the north.",
        ];
        for statement in cases {
            assert_eq!(negated(statement), None, "{statement}");
        }
    }

    #[test]
    fn japanese_statements_are_turned_around() {
        let cases = [
            ("在宅勤務は生産性を上げる。", Some("在宅勤務は生産性を上げない。")),
            ("この薬は安全である。", Some("この薬は安全ではない。")),
            ("売上は増加した", Some("売上は増加しなかった")),
            ("事故は減った。", None),
            ("調査は改善を示した。", None),
            ("この薬は新しいです。", None),
            ("運動は転倒を減らした。", Some("運動は転倒を減らさなかった。")),
            ("喫煙は肺がんの原因になる。", Some("喫煙は肺がんの原因にならない。")),
            ("差はなかったが、増加した。", None),
            ("この薬は安全ではない。", Some("この薬は安全である。")),
        ];
        for (statement, opposite) in cases {
            assert_eq!(negated(statement).as_deref(), opposite, "{statement}");
        }
    }
}
