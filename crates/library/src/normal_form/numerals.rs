//! Numerals: 第三条, 第Ⅲ条 and 第3条 are the same article, 5万円 and 50,000円 the same sum.
//!
//! Kanji are numerals only in the right company: after 第, or before a counter. 三重県, 一般, 万一 and 十分 stay as
//! they are. Numbers that do not fit or are not well formed stay as they are, too.

use std::sync::LazyLock;

use serde::Deserialize;
use text::script::is_kanji;
use text::word_list::{self, WordList, WordSet};

use super::normal::Traced;

/// The words of `data/numbers.toml`, which says what each list is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NumberWords {
    counters: WordList,
    not_numbers: WordList,
    roman_after: WordSet,
    pub(crate) units: WordList,
}

pub(crate) static NUMBER_WORDS: LazyLock<NumberWords> =
    LazyLock::new(|| word_list::read(include_str!("../../data/numbers.toml")));

/// The little words between a number and a month or place, all said the same.
const KA: [char; 5] = ['ヶ', 'ケ', 'カ', 'ヵ', '箇'];
const KA_BEFORE: [char; 4] = ['月', '所', '国', '年'];

/// Rewrites the numerals of a line in place until nothing changes; each change leaves fewer signs.
pub(super) fn fold(line: &mut Vec<Traced>) {
    if !line.iter().any(|it| may_be_numeral(it.c)) {
        return;
    }
    while fold_once(line) {}
}

fn may_be_numeral(c: char) -> bool {
    c.is_ascii_digit() || kanji_digit(c).is_some() || kanji_unit(c).is_some() || roman(c).is_some()
}

fn fold_once(line: &mut Vec<Traced>) -> bool {
    let mut out: Vec<Traced> = Vec::with_capacity(line.len());
    let mut changed = false;
    let mut at = 0;
    while at < line.len() {
        if !may_be_numeral(line[at].c) && !KA.contains(&line[at].c) {
            out.push(line[at]);
            at += 1;
            continue;
        }
        match rewritten(line, at) {
            Some((length, digits)) => {
                let (start, end) = (line[at].start, line[at + length - 1].end);
                out.extend(digits.chars().map(|c| Traced { c, start, end }));
                at += length;
                changed = true;
            }
            None => {
                // A number is read from its beginning or not at all.
                let length = token(&line[at..]).max(1);
                out.extend_from_slice(&line[at..at + length]);
                at += length;
            }
        }
    }
    *line = out;
    changed
}

/// How many characters from here on are a number in another form, and how it is written.
fn rewritten(line: &[Traced], at: usize) -> Option<(usize, String)> {
    let rest = &line[at..];
    let before = at.checked_sub(1).map(|it| line[it].c);
    if KA.contains(&rest[0].c)
        && before.is_some_and(|it| it.is_ascii_digit())
        && rest.get(1).is_some_and(|it| KA_BEFORE.contains(&it.c))
    {
        return Some((1, "か".to_owned()));
    }
    if let Some(found) = roman_numeral(line, at) {
        return Some(found);
    }
    let length = token(rest);
    // 数万円 is no number, and 5万 in 1.5万円 only half of one.
    if length == 0 || before.is_some_and(|it| matches!(it, '数' | '何' | '幾' | '.')) {
        return None;
    }
    let written: String = rest[..length].iter().map(|it| it.c).collect();
    let in_kanji = written.chars().any(|it| !it.is_ascii_digit() && it != ',');
    if in_kanji {
        let ordinal = before == Some('第') || is_branch(line, at, length);
        if !ordinal && (!counts(&rest[length..]) || is_word(rest)) {
            return None;
        }
    }
    let value = value(&written)?;
    let digits = if in_kanji { value.to_string() } else { written.replace(',', "") };
    (digits != written).then_some((length, digits))
}

/// 第21条の三: the branch of an article.
fn is_branch(line: &[Traced], at: usize, length: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map(|it| line[it].c);
    let ends = line
        .get(at + length)
        .is_none_or(|it| !is_kanji(it.c) || matches!(it.c, '第' | '項' | '号'));
    before(1) == Some('の') && matches!(before(2), Some('条' | '項' | '号' | '章')) && ends
}

fn counts(after: &[Traced]) -> bool {
    NUMBER_WORDS.counters.iter().any(|it| begins_with(after, it))
}

fn is_word(rest: &[Traced]) -> bool {
    NUMBER_WORDS.not_numbers.iter().any(|it| begins_with(rest, it))
}

fn begins_with(line: &[Traced], word: &str) -> bool {
    let mut characters = line.iter().map(|it| it.c);
    word.chars().all(|it| characters.next() == Some(it))
}

/// The length of the number in digits and kanji that begins here, with well-placed commas.
fn token(rest: &[Traced]) -> usize {
    let digit = |at: usize| rest.get(at).is_some_and(|it| it.c.is_ascii_digit());
    let mut length = 0;
    let mut run = 0;
    while let Some(it) = rest.get(length) {
        if it.c.is_ascii_digit() {
            run += 1;
        } else if kanji_digit(it.c).is_some() || kanji_unit(it.c).is_some() {
            run = 0;
        } else if it.c == ','
            && (1..=3).contains(&run)
            && (1..=3).all(|ahead| digit(length + ahead))
            && !digit(length + 4)
        {
            length += 4;
            run = 3;
            continue;
        } else {
            break;
        }
        length += 1;
    }
    length
}

/// 二〇二四, 三十, 5万, 1万5千, 12: `None` where the signs make no number.
fn value(written: &str) -> Option<u64> {
    let mut characters: Vec<char> = written.chars().filter(|it| *it != ',').collect();
    if characters.iter().all(|it| digit(*it).is_some()) {
        let digits: String =
            characters.iter().filter_map(|c| digit(*c)).map(|value| value.to_string()).collect();
        return digits.parse().ok();
    }
    // The last part has no unit of its own.
    characters.push('\0');
    let (mut total, mut part, mut number) = (0_u64, 0_u64, None::<u64>);
    let (mut last_small, mut last_large) = (u64::MAX, u64::MAX);
    for c in characters {
        if let Some(digit) = digit(c) {
            let digit = u64::from(digit);
            number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
        } else if let Some(unit) = kanji_unit(c).filter(|it| *it < 10_000) {
            if unit >= last_small || number.is_some_and(|it| it > 9) {
                return None;
            }
            part = part.checked_add(unit.checked_mul(number.take().unwrap_or(1))?)?;
            last_small = unit;
        } else {
            let unit = kanji_unit(c).unwrap_or(1);
            part = part.checked_add(number.take().unwrap_or(0))?;
            if unit >= last_large || (part == 0 && unit > 1) {
                return None;
            }
            total = total.checked_add(part.checked_mul(unit)?)?;
            (part, last_small, last_large) = (0, u64::MAX, unit);
        }
    }
    Some(total)
}

fn digit(c: char) -> Option<u32> {
    c.to_digit(10).or_else(|| kanji_digit(c))
}

fn kanji_digit(c: char) -> Option<u32> {
    Some(match c {
        '〇' | '零' => 0,
        '一' | '壱' => 1,
        '二' | '弐' => 2,
        '三' | '参' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return None,
    })
}

fn kanji_unit(c: char) -> Option<u64> {
    Some(match c {
        '十' | '拾' => 10,
        '百' => 100,
        '千' => 1_000,
        '万' => 10_000,
        '億' => 100_000_000,
        '兆' => 1_000_000_000_000,
        _ => return None,
    })
}

/// Roman letters after 第 and before a counter, or after `part`, `section` and the like.
///
/// The characters made for Roman numerals (Ⅲ) are read by [`sign_value`] before letters are folded.
fn roman_numeral(line: &[Traced], at: usize) -> Option<(usize, String)> {
    let rest = &line[at..];
    if !at.checked_sub(1).is_some_and(|it| matches!(line[it].c, '第' | ' ')) {
        return None;
    }
    let length = rest.iter().take_while(|it| roman(it.c).is_some()).count();
    let after = rest.get(length).map(|it| it.c);
    if length == 0 || length > 8 || after.is_some_and(|it| it.is_ascii_alphanumeric()) {
        return None;
    }
    let letters: Vec<u32> = rest[..length].iter().filter_map(|it| roman(it.c)).collect();
    let before = at.checked_sub(1).map(|it| line[it].c)?;
    let ordinal = before == '第' && counts(&rest[length..]);
    // One letter may be a name, and `section i` the beginning of a sentence.
    let numbered = before == ' '
        && length > 1
        && letters.iter().all(|it| *it <= 10)
        && follows_part(&line[..at]);
    if !ordinal && !numbered {
        return None;
    }
    Some((length, roman_value(&letters)?.to_string()))
}

/// A smaller letter before a larger one counts against it.
fn roman_value(letters: &[u32]) -> Option<u32> {
    let mut total: i64 = 0;
    for (place, letter) in letters.iter().enumerate() {
        let next = letters.get(place + 1).copied().unwrap_or(0);
        total += if *letter < next { -i64::from(*letter) } else { i64::from(*letter) };
    }
    u32::try_from(total).ok().filter(|it| *it > 0)
}

/// The value of a run of the characters made for Roman numerals, Ⅰ to Ⅿ and ⅰ to ⅿ.
pub(super) fn sign_value(signs: &[char]) -> Option<u32> {
    const VALUES: [u32; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 50, 100, 500, 1_000];
    let value = |c: &char| Some(VALUES[(u32::from(*c).checked_sub(0x2160)? % 16) as usize]);
    roman_value(&signs.iter().map(value).collect::<Option<Vec<u32>>>()?)
}

pub(super) fn is_sign(c: char) -> bool {
    ('\u{2160}'..='\u{217f}').contains(&c)
}

fn follows_part(before: &[Traced]) -> bool {
    let words: String = before.iter().rev().skip(1).take(9).map(|it| it.c).collect();
    let mut word: Vec<char> = words.chars().take_while(char::is_ascii_alphabetic).collect();
    word.reverse();
    let word: String = word.into_iter().collect();
    NUMBER_WORDS.roman_after.contains(&word)
}

fn roman(c: char) -> Option<u32> {
    Some(match c {
        'i' => 1,
        'v' => 5,
        'x' => 10,
        'l' => 50,
        'c' => 100,
        'd' => 500,
        'm' => 1_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::normalised;

    #[test]
    fn kanji_are_numbers_before_counters_and_after_dai() {
        for (written, plain) in [
            ("第三十条", "第30条"),
            ("第百二十三号", "第123号"),
            ("二〇二四年四月一日", "2024年4月1日"),
            ("三十日以内", "30日以内"),
            ("二十四時間", "24時間"),
            ("十円", "10円"),
            ("第三", "第3"),
            ("第五条の二", "第5条の2"),
            ("二要素認証", "2要素認証"),
            ("三営業日", "3営業日"),
        ] {
            assert_eq!(normalised(written), plain);
        }
    }

    #[test]
    fn kanji_in_words_stay_as_they_are() {
        for word in [
            "三重県",
            "一般",
            "万一",
            "十分な",
            "一部の",
            "千葉",
            "四半期",
            "一時的",
            "数万円",
            "何十年",
            "統一",
            "八百屋",
        ] {
            assert_eq!(normalised(word), word);
        }
    }

    #[test]
    fn sums_have_one_form() {
        for written in ["50,000円", "5万円", "５万円", "五万円", "50000円", "５０，０００円"]
        {
            assert_eq!(normalised(written), "50000円", "{written}");
        }
        assert_eq!(normalised("1万5千円"), "15000円");
        assert_eq!(normalised("1,000,000円"), "1000000円");
    }

    #[test]
    fn what_is_no_well_formed_number_stays() {
        for written in ["1,00円", "1,0000", "十十円", "1.5万円", "千億兆円"] {
            assert_eq!(normalised(written), written);
        }
    }

    #[test]
    fn months_and_places_are_counted_in_one_way() {
        for written in ["3か月", "3ヶ月", "３ヵ月", "三箇月", "3カ月", "三ケ月"] {
            assert_eq!(normalised(written), "3か月", "{written}");
        }
    }

    #[test]
    fn roman_numerals_count_parts_in_english() {
        assert_eq!(normalised("Section IV"), "section 4");
        assert_eq!(normalised("see Part XII."), "see part 12.");
        assert_eq!(normalised("表Ⅲ"), "表3");
        assert_eq!(normalised("クラスⅡ"), "クラス2");
    }

    #[test]
    fn letters_that_are_no_numerals_stay() {
        for written in
            ["appendix c", "vitamin d", "section i agree", "mix", "part xylem", "ビタミンc"]
        {
            assert_eq!(normalised(written), written);
        }
    }
}
