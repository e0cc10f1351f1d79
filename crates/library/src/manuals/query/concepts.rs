//! Words turned into concepts: without common words, with the parts of compounds and the words that mean the same.

use super::super::dictionary::{QueryWords, Synonyms};
use super::pieces::{Script, script};
use super::{Concept, Sense};
use crate::normal_form::Term;

/// Kanji from which a compound is cut into parts.
const COMPOUND: usize = 4;
/// What is said about a thing rather than the thing: 紛失時, 社員用.
const RELATIONS: [char; 9] = ['時', '中', '後', '前', '内', '外', '用', '等', '別'];
/// English endings are only cut off words that stay long enough.
const SHORTEST_STEM: usize = 4;

/// What a word says about the subject; `None` for words that say nothing.
pub(crate) fn subject(piece: &str, words: &QueryWords) -> Option<String> {
    if piece.is_ascii() {
        let says_nothing = words.stop_en.iter().any(|it| it == piece) || piece.len() < 2;
        return (!says_nothing).then(|| piece.to_owned());
    }
    let common: Vec<&str> = words.stop_ja.iter().map(String::as_str).collect();
    // 教えて, 調べて: one kanji and an ending.
    let mut characters = piece.chars();
    let verb = characters.next().filter(|it| script(*it) == Script::Kanji);
    let verb = verb.filter(|_| characters.all(|it| script(it) == Script::Hiragana));
    if verb.is_some_and(|it| common.contains(&it.to_string().as_str())) {
        return None;
    }
    let mut rest = piece;
    loop {
        if common.contains(&rest) {
            return None;
        }
        let long = |it: &&&str| it.chars().count() > 1;
        let shorter = common
            .iter()
            .filter(long)
            .find_map(|it| rest.strip_suffix(it).or_else(|| rest.strip_prefix(it)));
        let relation = rest.strip_suffix(RELATIONS).filter(|it| it.chars().count() > 1);
        match shorter.or(relation).filter(|it| it.chars().count() > 1) {
            Some(shorter) => rest = shorter,
            None => return Some(rest.to_owned()),
        }
    }
}

/// A word with its parts and the words that mean the same.
pub(super) fn concept(
    piece: &str,
    words: &QueryWords,
    synonyms: Option<&Synonyms>,
) -> Option<Concept> {
    let text = if piece.is_ascii() { stem(piece) } else { trim_long_vowel(piece).to_owned() };
    let term = Term::new(&text)?;
    let mut wholes = with_synonyms(term, synonyms);
    let scripts: Vec<Script> = piece.chars().map(script).collect();
    // 引き継ぎ is also written 引継ぎ and 引継.
    if scripts.contains(&Script::Hiragana)
        && scripts.iter().filter(|it| **it == Script::Kanji).count() > 1
    {
        let short: String = piece.chars().filter(|it| script(*it) != Script::Hiragana).collect();
        let short = with_synonyms(Term::new(&short)?, synonyms);
        wholes.extend(short);
    }
    Some(Concept { text: piece.to_owned(), wholes, parts: part_senses(piece, words, synonyms) })
}

/// The words of each part of a compound.
///
/// None where one of them says nothing: 個人 and 情報 apart are not 個人情報.
pub(super) fn part_senses(
    piece: &str,
    words: &QueryWords,
    synonyms: Option<&Synonyms>,
) -> Vec<Vec<Sense>> {
    let parts = parts(piece);
    if parts.iter().any(|it| words.stop_ja.contains(it)) {
        return Vec::new();
    }
    parts.iter().filter_map(|it| Some(with_synonyms(Term::new(it)?, synonyms))).collect()
}

pub(super) fn with_synonyms(term: Term, synonyms: Option<&Synonyms>) -> Vec<Sense> {
    let others = synonyms.map_or_else(Vec::new, |it| it.of(&term.loose));
    let others = others.into_iter().map(|it| Sense { term: it.clone(), synonym: true });
    let others: Vec<Sense> = others.collect();
    std::iter::once(Sense { term, synonym: false }).chain(others).collect()
}

/// The parts of a compound; none for a word that is one.
pub(crate) fn parts(piece: &str) -> Vec<String> {
    let characters: Vec<char> = piece.chars().collect();
    let mut parts: Vec<String> = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let kind = script(characters[at]);
        let run = characters[at..].iter().take_while(|it| script(**it) == kind).count();
        let text: String = characters[at..at + run].iter().collect();
        match kind {
            Script::Kanji if run >= COMPOUND => parts.extend(pairs(&characters[at..at + run])),
            // The ending of a verb stays with its kanji.
            Script::Hiragana => match parts.last_mut() {
                Some(last) => last.push_str(&text),
                None => parts.push(text),
            },
            Script::Other => {}
            Script::Katakana => parts.push(trim_long_vowel(&text).to_owned()),
            _ => parts.push(text),
        }
        at += run;
    }
    let compound = parts.len() > 1 && parts.iter().all(|it| it.chars().count() > 1);
    if compound {
        return parts;
    }
    match characters.as_slice() {
        // 出張費 may be written 出張の費用.
        [a, b, _] if characters.iter().all(|it| script(*it) == Script::Kanji) => {
            vec![[*a, *b].iter().collect()]
        }
        _ if parts.len() > 2 => parts.into_iter().filter(|it| it.chars().count() > 1).collect(),
        _ => Vec::new(),
    }
}

/// Most words of a compound have two kanji; an odd one goes with the last.
fn pairs(run: &[char]) -> Vec<String> {
    let count = run.len() / 2;
    let end = |pair: usize| if pair + 1 == count { run.len() } else { 2 * pair + 2 };
    (0..count).map(|pair| run[2 * pair..end(pair)].iter().collect()).collect()
}

/// サーバー and サーバ are the same, and the shorter is in the longer.
fn trim_long_vowel(word: &str) -> &str {
    let short = word.strip_suffix('ー').unwrap_or(word);
    if short.chars().count() >= 2 { short } else { word }
}

/// The part of an English word that stays when its ending changes.
pub(crate) fn stem(word: &str) -> String {
    if !word.bytes().all(|it| it.is_ascii_alphabetic()) {
        return word.to_owned();
    }
    let cut = |ending: &str| word.strip_suffix(ending).filter(|it| it.len() >= SHORTEST_STEM);
    let es = ["sses", "shes", "ches", "xes"].iter().any(|it| word.ends_with(it));
    let plural = !["ss", "us", "is"].iter().any(|it| word.ends_with(it));
    let stem = cut("ies")
        .or_else(|| cut("ing"))
        .or_else(|| cut("ed"))
        .or_else(|| cut("es").filter(|_| es))
        .or_else(|| word.strip_suffix('s').filter(|it| it.len() >= 3 && plural))
        .or_else(|| cut("y"))
        .or_else(|| cut("e"))
        .unwrap_or(word);
    let bytes = stem.as_bytes();
    match bytes {
        // plugging -> plug
        [.., a, b]
            if a == b && stem.len() < word.len() && stem.len() > SHORTEST_STEM && *a != b's' =>
        {
            stem[..stem.len() - 1].to_owned()
        }
        _ => stem.to_owned(),
    }
}
