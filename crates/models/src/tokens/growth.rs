//! How much longer a tokenizer's own rules can make a text.
//!
//! A `tokenizer.json` may replace a letter by many, and do so again and again: thirty short steps make gigabytes of
//! a page. What a rule can do at most is read off the rule before it is used.

use serde_json::Value;
use tokenizers::Tokenizer;

/// How many times as long a text may become. Real tokenizers stay below fifty.
const MOST: f64 = 256.0;
/// Steps one after the other.
const MOST_STEPS: usize = 64;
/// Bytes that one character may become in a table of characters; U+FDFA becomes 33 in Unicode's own.
const LONGEST_MAPPING: usize = 96;
/// Bytes put before a text.
const LONGEST_PREFIX: usize = 64;

/// Refuses a tokenizer whose rules can make a text much longer than it is.
pub(super) fn check(tokenizer: &Tokenizer) -> Result<(), String> {
    let mut growth = Growth { factor: 1.0, steps: 0 };
    if let Some(rules) = tokenizer.get_normalizer() {
        growth.add(&serde_json::to_value(rules).map_err(|error| error.to_string())?)?;
    }
    if let Some(rules) = tokenizer.get_pre_tokenizer() {
        growth.add(&serde_json::to_value(rules).map_err(|error| error.to_string())?)?;
    }
    Ok(())
}

struct Growth {
    factor: f64,
    steps: usize,
}

impl Growth {
    fn add(&mut self, step: &Value) -> Result<(), String> {
        for list in ["normalizers", "pretokenizers"] {
            for step in step[list].as_array().into_iter().flatten() {
                self.add(step)?;
            }
        }
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(format!("it changes a text in more than {MOST_STEPS} steps"));
        }
        self.factor *= match step["type"].as_str() {
            Some("Replace") => replaced(step),
            Some("Precompiled") => mapped(step)?,
            // Each byte that is no ASCII becomes a character of two.
            Some("ByteLevel") => 2.0,
            Some("Prepend") => {
                let prefix = step["prepend"].as_str().map_or(0, str::len);
                if prefix > LONGEST_PREFIX {
                    return Err(format!("it puts {prefix} bytes before a text"));
                }
                1.0
            }
            // The forms of Unicode and letter case: a text that has been through them stays as it is.
            _ => 1.0,
        };
        if self.factor > MOST {
            return Err(format!("it can make a text more than {MOST} times as long"));
        }
        Ok(())
    }
}

fn replaced(step: &Value) -> f64 {
    let content = step["content"].as_str().map_or(0, str::len) as f64;
    match step["pattern"]["String"].as_str().map_or(0, str::len) {
        // An expression, or nothing at all, can be found between any two bytes.
        0 => 1.0 + content,
        pattern => (content / pattern as f64).max(1.0),
    }
}

/// A table of characters: the size of an index, the index, and the texts it points at, each ended by a zero.
fn mapped(step: &Value) -> Result<f64, String> {
    let table = base64(step["precompiled_charsmap"].as_str().unwrap_or_default())
        .ok_or("its table of characters cannot be read")?;
    let texts = table
        .first_chunk()
        .and_then(|size| table.get(4 + u32::from_le_bytes(*size) as usize..))
        .unwrap_or_default();
    let longest = texts.split(|it| *it == 0).map(<[u8]>::len).max().unwrap_or_default();
    if longest > LONGEST_MAPPING {
        return Err(format!("its table of characters makes {longest} bytes of one character"));
    }
    // What becomes long in real tables takes three bytes itself.
    Ok((longest as f64 / 3.0).max(1.0))
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    Some(bytes)
}
