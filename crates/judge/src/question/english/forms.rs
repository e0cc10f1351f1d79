//! Verbs in the form a statement needs: "does cause" is "causes", "did stop" is "stopped".

use super::WORDS;

pub(super) fn third_person(verb: &str) -> String {
    let ends = |it: &[&str]| it.iter().any(|it| verb.ends_with(it));
    match verb {
        "have" => "has".to_owned(),
        "be" => "is".to_owned(),
        _ if ends(&["s", "x", "z", "ch", "sh", "o"]) => format!("{verb}es"),
        _ if after_consonant(verb, 'y') => format!("{}ies", &verb[..verb.len() - 1]),
        _ => format!("{verb}s"),
    }
}

pub(super) fn past(verb: &str) -> String {
    if let Some([_, past, _]) = WORDS.irregular.iter().find(|it| it[0] == verb) {
        return past.clone();
    }
    let letters: Vec<char> = verb.chars().collect();
    let is_vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    let short = match letters[..] {
        [.., a, b, c] => {
            let one = letters.iter().filter(|it| is_vowel(**it)).count() == 1;
            one && !is_vowel(a) && is_vowel(b) && !is_vowel(c) && !matches!(c, 'w' | 'x' | 'y')
        }
        _ => false,
    };
    if verb.ends_with('e') {
        format!("{verb}d")
    } else if after_consonant(verb, 'y') {
        format!("{}ied", &verb[..verb.len() - 1])
    } else if short || WORDS.doubling.contains(verb) {
        format!("{verb}{}ed", &verb[verb.len() - 1..])
    } else {
        format!("{verb}ed")
    }
}

fn after_consonant(verb: &str, last: char) -> bool {
    let before = verb.strip_suffix(last).and_then(|it| it.chars().next_back());
    before.is_some_and(|it| !matches!(it, 'a' | 'e' | 'i' | 'o' | 'u'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_take_the_form_of_their_subject_and_time() {
        for (verb, present, before) in [
            ("cause", "causes", "caused"),
            ("have", "has", "had"),
            ("go", "goes", "went"),
            ("reach", "reaches", "reached"),
            ("carry", "carries", "carried"),
            ("play", "plays", "played"),
            ("stop", "stops", "stopped"),
            ("occur", "occurs", "occurred"),
            ("fix", "fixes", "fixed"),
            ("open", "opens", "opened"),
            ("rise", "rises", "rose"),
        ] {
            assert_eq!((third_person(verb), past(verb)), (present.to_owned(), before.to_owned()));
        }
    }
}
