//! JSON out of what models write: with thoughts before it, prose around it, fences, commas too many,
//! or cut off in the middle.

use serde_json::{Map, Value};

/// Deeper than this nothing asked for here goes.
const MAX_DEPTH: usize = 32;
/// Places in an answer that are tried as the beginning of the JSON.
const MAX_STARTS: usize = 64;

/// An answer without what the model thought aloud: `<think>...</think>`, also where one end is missing.
pub(super) fn without_thoughts(answer: &str) -> String {
    const NAMES: [&str; 4] = ["think>", "thinking>", "thought>", "reasoning>"];
    let name_at = |at: usize| {
        let rest = &answer.as_bytes()[at..];
        NAMES.into_iter().find(|it| {
            rest.get(..it.len()).is_some_and(|found| found.eq_ignore_ascii_case(it.as_bytes()))
        })
    };
    let mut kept = String::with_capacity(answer.len());
    // Where the text that is kept next begins, and the thought it is inside of.
    let (mut start, mut inside) = (0, None);
    for (at, _) in answer.match_indices('<') {
        if at < start {
            continue;
        }
        let closes = answer[at + 1..].starts_with('/');
        let Some(name) = name_at(at + 1 + usize::from(closes)) else { continue };
        let end = at + 1 + usize::from(closes) + name.len();
        match (closes, inside) {
            (false, None) => {
                kept.push_str(&answer[start..at]);
                inside = Some(name);
            }
            (true, Some(open)) if open == name => {
                inside = None;
                start = end;
            }
            // The template held the opening mark: everything before the end is reasoning.
            (true, None) => {
                kept.clear();
                start = end;
            }
            _ => {}
        }
    }
    if inside.is_none() {
        kept.push_str(&answer[start..]);
    }
    kept
}

/// Finds the first JSON in a text that `accept` can use, and says whether it had to be mended.
pub(super) fn find<T>(text: &str, accept: impl Fn(&Value) -> Option<T>) -> Option<(T, bool)> {
    let text = text.trim();
    if let Ok(value) = serde_json::from_str::<Value>(text)
        && let Some(found) = accept(&value)
    {
        return Some((found, false));
    }
    let starts = text.char_indices().filter(|it| matches!(it.1, '{' | '['));
    starts.take(MAX_STARTS).find_map(|(start, _)| {
        let mut reader = Reader { text: &text[start..], at: 0, depth: 0 };
        let value = reader.value()?;
        accept(&value).map(|it| (it, true))
    })
}

/// Reads JSON leniently. What is cut off in the middle is left out; what is around it stays.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        while let Some(c) = self.peek().filter(|it| skipped(*it)) {
            self.at += c.len_utf8();
        }
    }

    fn space(&mut self) {
        self.skip(char::is_whitespace);
    }

    /// The next value, or nothing if none begins or it is cut off.
    fn value(&mut self) -> Option<Value> {
        self.space();
        match self.peek()? {
            '{' => self.nested(Self::object),
            '[' => self.nested(Self::array),
            '"' | '“' | '\'' => self.string().map(Value::String),
            _ => self.word(),
        }
    }

    fn nested(&mut self, read: impl Fn(&mut Self) -> Value) -> Option<Value> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        Some(value)
    }

    fn array(&mut self) -> Value {
        let mut items = Vec::new();
        loop {
            self.skip(|c| c.is_whitespace() || c == ',');
            match self.peek() {
                None => break,
                Some(']') => {
                    self.at += 1;
                    break;
                }
                // A bracket of another kind closes an array that was never closed.
                Some('}') => break,
                Some(_) => match self.value() {
                    Some(item) => items.push(item),
                    None => break,
                },
            }
        }
        Value::Array(items)
    }

    fn object(&mut self) -> Value {
        let mut entries = Map::new();
        loop {
            self.skip(|c| c.is_whitespace() || c == ',');
            match self.peek() {
                None => break,
                Some('}') => {
                    self.at += 1;
                    break;
                }
                Some(']') => break,
                Some(_) => {
                    let Some(name) = self.name() else { break };
                    self.space();
                    if !matches!(self.peek(), Some(':' | '：')) {
                        break;
                    }
                    self.skip(|c| matches!(c, ':' | '：'));
                    let Some(value) = self.value() else { break };
                    entries.insert(name, value);
                }
            }
        }
        Value::Object(entries)
    }

    /// The name of an entry, in quotation marks or bare.
    fn name(&mut self) -> Option<String> {
        if matches!(self.peek()?, '"' | '“' | '\'') {
            return self.string();
        }
        let start = self.at;
        self.skip(|c| c.is_alphanumeric() || c == '_');
        (self.at > start).then(|| self.text[start..self.at].to_owned())
    }

    /// A string, or nothing if it does not end.
    fn string(&mut self) -> Option<String> {
        let open = self.peek()?;
        let close = if open == '“' { '”' } else { open };
        self.at += open.len_utf8();
        let mut text = String::new();
        loop {
            let c = self.peek()?;
            self.at += c.len_utf8();
            if c == close {
                return Some(text);
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            let escaped = self.peek()?;
            self.at += escaped.len_utf8();
            match escaped {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'b' | 'f' => text.push(' '),
                'u' => text.push(self.unicode()?),
                other => text.push(other),
            }
        }
    }

    fn unicode(&mut self) -> Option<char> {
        let unit = |reader: &mut Self| {
            let digits = reader.text.get(reader.at..reader.at + 4)?;
            let unit = u32::from_str_radix(digits, 16).ok()?;
            reader.at += 4;
            Some(unit)
        };
        let first = unit(self)?;
        if !(0xd800..0xdc00).contains(&first) {
            return Some(char::from_u32(first).unwrap_or('\u{fffd}'));
        }
        if !self.text[self.at..].starts_with("\\u") {
            return Some('\u{fffd}');
        }
        self.at += 2;
        let second = unit(self)?;
        let code = 0x10000 + ((first - 0xd800) << 10) + second.wrapping_sub(0xdc00);
        Some(char::from_u32(code).unwrap_or('\u{fffd}'))
    }

    /// A number or a word such as `true`; nothing if it runs to the end, for more may have followed.
    fn word(&mut self) -> Option<Value> {
        let start = self.at;
        self.skip(|c| c.is_alphanumeric() || matches!(c, '+' | '-' | '.' | '_'));
        let word = &self.text[start..self.at];
        if self.at == self.text.len() {
            return None;
        }
        match word.to_ascii_lowercase().as_str() {
            "true" | "yes" => Some(Value::Bool(true)),
            "false" | "no" => Some(Value::Bool(false)),
            "null" | "none" => Some(Value::Null),
            lower => lower.parse::<f64>().ok().filter(|it| it.is_finite()).map(Value::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn thoughts_are_left_out_with_either_end_missing() {
        assert_eq!(without_thoughts("<think>hm</think>{\"a\":1}"), "{\"a\":1}");
        assert_eq!(without_thoughts("hm</think>{\"a\":1}"), "{\"a\":1}");
        assert_eq!(without_thoughts("{\"a\":1}<THINK>hm"), "{\"a\":1}");
        assert_eq!(without_thoughts("<think>hm {\"a\":2}"), "");
        assert_eq!(without_thoughts("<thinking>a</thinking>b<think>c</think>d"), "bd");
        assert_eq!(without_thoughts("<think>a<think>b</think>c"), "c");
        assert_eq!(without_thoughts("1 < 2 <b> </ <"), "1 < 2 <b> </ <");
        assert_eq!(without_thoughts(&"<think></think>".repeat(100_000)), "");
        assert_eq!(without_thoughts(""), "");
    }

    fn read(text: &str) -> String {
        find(text, |it| Some(it.clone()))
            .map_or("none".to_owned(), |it| format!("{} {}", it.1, it.0))
    }

    #[test]
    fn json_is_found_and_mended() {
        let table = [
            (r#"{"a": [1, 2]}"#, r#"false {"a":[1,2]}"#),
            (
                "Sure! Here it is:\n```json\n{\"a\": [1, 2,],}\n```\nEnjoy.",
                r#"true {"a":[1.0,2.0]}"#,
            ),
            (r#"{"a": ["x", "y", "z"#, r#"true {"a":["x","y"]}"#),
            (r#"{"a": [{"b": "x"}, {"b": "y"#, r#"true {"a":[{"b":"x"},{}]}"#),
            (r#"{"a": "x", "b": 12"#, r#"true {"a":"x"}"#),
            (r#"{a: 'x', “b”: “y”}"#, r#"true {"a":"x","b":"y"}"#),
            (r#"{"a": "\u65e5\u672c \ud83d\ude00 \q"} tail"#, r#"true {"a":"日本 😀 q"}"#),
            (r#"{"a": True, "b": None}"#, r#"true {"a":true,"b":null}"#),
            (r#"{"a": [1, 2}"#, r#"true {"a":[1.0,2.0]}"#),
            ("no json here", "none"),
            ("", "none"),
        ];
        for (text, expected) in table {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn the_first_json_that_fits_is_taken() {
        let text = r#"{see below} [1] {"b": 1} {"a": 2}"#;
        let found = find(text, |it| it.get("a").and_then(Value::as_f64));
        assert_eq!(found, Some((2.0, true)));
    }

    #[test]
    fn brackets_without_end_are_no_trouble() {
        assert_eq!(find(&"[".repeat(100_000), |it| it.get("b").cloned()), None);
        assert_eq!(find(&"{\"a\":".repeat(100_000), |it| it.get("b").cloned()), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[{}\\[\\]\",:a1\\\\u'“” é日<>/think]{0,80}") {
            let _ = find(&without_thoughts(&text), |it| it.get("a").cloned());
        }

        #[test]
        fn json_cut_anywhere_keeps_what_was_whole(cut in 0_usize..200) {
            let whole = r#"{"claims": [{"claim": "One thing.", "quote": "one"}, {"claim": "Two \"things\".", "quote": "two"}, {"claim": "日本", "quote": "三"}]}"#;
            let cut = whole.char_indices().nth(cut).map_or(whole.len(), |it| it.0);
            let quotes = find(&whole[..cut], |it| it.get("claims")?.as_array().cloned()).map(|it| it.0).unwrap_or_default();
            let quotes: Vec<&str> = quotes.iter().filter_map(|it| it.get("quote")?.as_str()).collect();
            prop_assert!(["one", "two", "三"].starts_with(&quotes));
        }
    }
}
