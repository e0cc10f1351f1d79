//! Questions that can be answered with yes or no, as the statement that yes would mean.
//!
//! A statement can be held against passages and a question cannot. Only what can be turned safely is turned: a wrong
//! statement would be judged with confidence, and nobody asked for it. What cannot be answered with yes or no is
//! [`Question::Open`].

mod english;
mod japanese;

use text::words::{folded, is_japanese};

/// What a question comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// It asks whether this statement holds.
    Whether(String),
    /// It asks which, why or how.
    Open,
    /// It asks for yes or no, and cannot be turned safely.
    Unclear,
    /// It is no question: words to search for.
    Topic,
}

impl Question {
    /// Reads what a person typed.
    pub fn read(text: &str) -> Self {
        let written = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let plain = folded(&written);
        if is_japanese(&plain) { japanese::read(&plain) } else { english::read(&plain) }
    }

    /// The statement a yes/no question asks about.
    pub fn statement(self) -> Option<String> {
        match self {
            Self::Whether(statement) => Some(statement),
            Self::Open | Self::Unclear | Self::Topic => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use text::word_list::words_in;

    use super::*;

    fn turned(question: &str) -> String {
        match Question::read(question) {
            Question::Whether(statement) => statement,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn english_questions_become_statements() {
        for (question, statement) in [
            (
                "Does vitamin D reduce falls in older adults?",
                "Vitamin D reduces falls in older adults.",
            ),
            ("does aspirin prevent strokes", "Aspirin prevents strokes."),
            ("Do statins cause muscle pain?", "Statins cause muscle pain."),
            (
                "Did the minimum wage stop the rise of rents?",
                "The minimum wage stopped the rise of rents.",
            ),
            ("Did Spain win the world cup in 2010?", "Spain won the world cup in 2010."),
            (
                "Does increased use of private health care reduce the demand for NHS care?",
                "Increased use of private health care reduces the demand for NHS care.",
            ),
            ("Does the test result influence treatment?", "The test result influences treatment."),
            ("Does X not cause cancer?", "X does not cause cancer."),
            ("Can ginkgo extract relieve tinnitus?", "Ginkgo extract can relieve tinnitus."),
            ("Should you take aspirin every day?", "You should take aspirin every day."),
            ("Is telework bad for productivity?", "Telework is bad for productivity."),
            ("Is exercise more effective than drugs?", "Exercise is more effective than drugs."),
            (
                "Are signs of infection associated with mortality?",
                "Signs of infection are associated with mortality.",
            ),
            ("Is a plc the same as a limited company?", "A plc is the same as a limited company."),
            (
                "is the gulf of mexico considered an ocean",
                "The gulf of mexico is considered an ocean.",
            ),
            ("Is there any evidence that masks work?", "There is some evidence that masks work."),
            ("Is it possible to reverse diabetes?", "It is possible to reverse diabetes."),
            (
                "does it cost money to renounce us citizenship",
                "It costs money to renounce us citizenship.",
            ),
            ("Did it take a year to build?", "It took a year to build."),
            ("Does it make sense to wait?", "It makes sense to wait."),
            ("Has Serbia ever won the world cup?", "Serbia has won the world cup."),
            (
                "Double reading of barium enemas: is it necessary?",
                "Double reading of barium enemas is necessary.",
            ),
            (
                "Biliary atresia: should all patients undergo surgery?",
                "Biliary atresia: all patients should undergo surgery.",
            ),
            (
                "In older women, does calcium prevent fractures?",
                "In older women, calcium prevents fractures.",
            ),
            (
                "Bypass temperature does not affect the thyroid?",
                "Bypass temperature does not affect the thyroid.",
            ),
        ] {
            assert_eq!(turned(question), statement, "{question}");
        }
    }

    #[test]
    fn what_cannot_be_turned_safely_is_left() {
        for question in [
            "Does it work?",
            "Is this safe?",
            "Should I stop taking aspirin?",
            "Is it Crohn's disease?",
            "Is coffee good or bad?",
            "Does exercise raise or lower blood pressure?",
            "Is it safe? Does it help?",
            "Does it cost money?",
            "Inhibin: a new marker of hydatidiform mole?",
            "Is treatment recommended by doctors effective?",
            "Is?",
            "?",
            "Ist Aspirin sicher?",
        ] {
            assert_eq!(Question::read(question), Question::Unclear, "{question}");
        }
    }

    #[test]
    fn words_to_search_for_are_no_question() {
        for text in [
            "vitamin D falls",
            "will smith age",
            "do not resuscitate orders",
            "",
            "ビタミンD 転倒",
            "高血圧と脳卒中の関係",
        ] {
            assert_eq!(Question::read(text), Question::Topic, "{text}");
        }
    }

    #[test]
    fn which_why_and_how_are_open() {
        for question in [
            "Which factors cause obesity?",
            "why is the sky blue",
            "In which countries is it legal?",
            "Obesity: what can be done?",
            "どのような要因が肥満を招くか",
            "なぜ空は青いのか",
            "認知症の危険因子は何ですか",
            "ワクチンの効果は？",
        ] {
            assert_eq!(Question::read(question), Question::Open, "{question}");
        }
    }

    #[test]
    fn japanese_questions_become_statements() {
        for (question, statement) in [
            ("在宅勤務は生産性を下げるか", "在宅勤務は生産性を下げる。"),
            ("在宅勤務は生産性を下げますか？", "在宅勤務は生産性を下げます。"),
            ("緑茶を飲むと血圧は下がるのでしょうか", "緑茶を飲むと血圧は下がる。"),
            ("ビタミンDは転倒予防に有効でしょうか。", "ビタミンDは転倒予防に有効である。"),
            ("ワクチンは安全なのか？", "ワクチンは安全である。"),
            ("喫煙は肺がんの原因か", "喫煙は肺がんの原因である。"),
            ("会社は残業代を支払うべきか", "会社は残業代を支払うべきである。"),
            ("裁判所は契約の解除を認めたか", "裁判所は契約の解除を認めた。"),
            ("朝食を抜くと太るかどうか", "朝食を抜くと太る。"),
            ("ビタミンCは風邪を予防する？", "ビタミンCは風邪を予防する。"),
            ("運動はうつ病を改善しないのか", "運動はうつ病を改善しない。"),
            ("牛乳を飲むと背が伸びるって本当ですか", "牛乳を飲むと背が伸びる。"),
            (
                "いつも同じ時間に寝ると睡眠の質は良くなるか",
                "いつも同じ時間に寝ると睡眠の質は良くなる。",
            ),
        ] {
            assert_eq!(turned(question), statement, "{question}");
        }
        for question in [
            "運動はうつ病に効くのではないか",
            "妊娠中にコーヒーを飲んではいけませんか",
            "在宅勤務は生産性を上げるか、下げるか",
            "これは有効か",
            "この薬は安全ですか",
            "か",
        ] {
            assert_eq!(Question::read(question), Question::Unclear, "{question}");
        }
    }

    #[test]
    fn words_are_in_the_form_they_are_compared_in() {
        for file in
            [include_str!("../data/en/question.toml"), include_str!("../data/ja/question.toml")]
        {
            for word in words_in(file).unwrap() {
                assert_eq!(word, folded(&word).to_lowercase());
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic() {
        for text in [
            "Is",
            "Does a",
            "Is a the",
            "Can (a be",
            "Did  ",
            "Are you",
            "Has it",
            "のか",
            "？",
            "Is: it",
            "do - do",
        ] {
            Question::read(text);
        }
    }
}
