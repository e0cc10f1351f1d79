//! Text cut into words without a dictionary: at changes of script, at particles, at spaces.

use text::script::{is_hiragana, is_kanji, is_katakana};

/// What a character is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    Kanji,
    Katakana,
    Hiragana,
    Latin,
    Digit,
    Other,
}

pub(crate) fn script(c: char) -> Script {
    match c {
        // A counter between kanji: 三ヶ月.
        'ヶ' => Script::Kanji,
        c if is_kanji(c) => Script::Kanji,
        c if is_katakana(c) => Script::Katakana,
        c if is_hiragana(c) => Script::Hiragana,
        c if c.is_ascii_digit() => Script::Digit,
        c if c.is_alphabetic() => Script::Latin,
        _ => Script::Other,
    }
}

/// Endings between two kanji that hold a word together: 引き継ぎ, 取り扱い.
const OKURIGANA: &str = "いきぎしじちびみりえけげせぜてねべめれ";
/// What follows a noun; a kanji before any other kana is the beginning of a verb.
const PARTICLES: &str = "のをにはがともへやでかな";
/// Shorter runs of hiragana are endings and particles.
const SHORTEST_KANA: usize = 3;

/// The words of a normalised text in order. `stop_kana` are runs of hiragana that are no words of their own.
pub(crate) fn pieces(text: &str, stop_kana: &[String]) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let length = match script(characters[at]) {
            Script::Other => 1,
            Script::Hiragana => {
                let run = run(&characters[at..], Script::Hiragana);
                kana_words(&characters[at..at + run], stop_kana, &mut found);
                run
            }
            _ => {
                let length = content(&characters, at);
                found.push(characters[at..at + length].iter().collect());
                length
            }
        };
        at += length;
    }
    found
}

fn run(characters: &[char], wanted: Script) -> usize {
    characters.iter().take_while(|it| script(**it) == wanted).count()
}

/// The length of the word that begins here.
fn content(characters: &[char], start: usize) -> usize {
    let at = |place: usize| characters.get(place).copied();
    let kind = |place: usize| at(place).map_or(Script::Other, script);
    let mut end = start + 1;
    loop {
        let is_content = !matches!(kind(end), Script::Other | Script::Hiragana);
        let joins = at(end).is_some_and(|it| OKURIGANA.contains(it))
            && kind(end - 1) == Script::Kanji
            && kind(end + 1) == Script::Kanji;
        let inner = matches!(at(end), Some('-' | '.' | '_' | '・' | '/' | '\''))
            && !matches!(kind(end + 1), Script::Other | Script::Hiragana)
            && kind(end - 1) == kind(end + 1);
        if is_content {
            end += 1;
        } else if joins || inner {
            end += 2;
        } else {
            break;
        }
    }
    // 捨てる, 届け: one kanji alone is in too many words.
    let alone = end == start + 1 && kind(start) == Script::Kanji && kind(end) == Script::Hiragana;
    if alone && !at(end).is_some_and(|it| PARTICLES.contains(it)) {
        end += 1;
    }
    end - start
}

/// Words in hiragana: what is left of a run without particles and common words.
fn kana_words(run: &[char], stop: &[String], found: &mut Vec<String>) {
    let mut text: String = run.iter().collect();
    for word in stop {
        text = text.replace(word.as_str(), "\n");
    }
    for word in text.split('\n') {
        let word = word.trim_matches(|it| PARTICLES.contains(it));
        if word.chars().count() >= SHORTEST_KANA {
            found.push(word.to_owned());
        }
    }
}
