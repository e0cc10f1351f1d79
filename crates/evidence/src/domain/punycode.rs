//! Punycode (RFC 3492): how a label with letters beyond ASCII is written in the DNS, and back.

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_CODE: u32 = 128;

/// Encodes one label, without the `xn--` in front; `None` when the arithmetic would overflow.
pub(super) fn encode(label: &str) -> Option<String> {
    let letters: Vec<u32> = label.chars().map(u32::from).collect();
    let mut output: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(output.len()).ok()?;
    let total = u32::try_from(letters.len()).ok()?;
    if basic > 0 {
        output.push('-');
    }
    let (mut code, mut delta, mut bias, mut handled) = (INITIAL_CODE, 0_u32, INITIAL_BIAS, basic);
    while handled < total {
        let next = letters.iter().copied().filter(|it| *it >= code).min()?;
        delta = delta.checked_add((next - code).checked_mul(handled + 1)?)?;
        code = next;
        for letter in letters.iter().copied() {
            if letter < code {
                delta = delta.checked_add(1)?;
            }
            if letter == code {
                let mut rest = delta;
                for k in (BASE..).step_by(BASE as usize) {
                    let threshold = threshold(k, bias);
                    if rest < threshold {
                        break;
                    }
                    output.push(digit(threshold + (rest - threshold) % (BASE - threshold)));
                    rest = (rest - threshold) / (BASE - threshold);
                }
                output.push(digit(rest));
                bias = adapt(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        delta = delta.checked_add(1)?;
        code += 1;
    }
    Some(output)
}

/// Decodes one label without its `xn--`; `None` for text no encoder writes.
pub(super) fn decode(encoded: &str) -> Option<String> {
    let (basic, extended) = encoded.rsplit_once('-').unwrap_or(("", encoded));
    let mut output: Vec<char> = basic.chars().collect();
    let (mut code, mut index, mut bias) = (INITIAL_CODE, 0_u32, INITIAL_BIAS);
    let mut digits = extended.chars();
    while !digits.as_str().is_empty() {
        let (start, mut weight) = (index, 1_u32);
        for k in (BASE..).step_by(BASE as usize) {
            let value = digits.next()?.to_digit(BASE)?;
            // Punycode counts letters first: a = 0 ... z = 25, 0 = 26 ... 9 = 35.
            let value = if value < 10 { value + 26 } else { value - 10 };
            index = index.checked_add(value.checked_mul(weight)?)?;
            let threshold = threshold(k, bias);
            if value < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
        }
        let length = u32::try_from(output.len()).ok()? + 1;
        bias = adapt(index - start, length, start == 0);
        code = code.checked_add(index / length)?;
        index %= length;
        output.insert(index as usize, char::from_u32(code)?);
        index += 1;
    }
    Some(output.into_iter().collect())
}

fn threshold(k: u32, bias: u32) -> u32 {
    k.saturating_sub(bias).clamp(T_MIN, T_MAX)
}

fn digit(value: u32) -> char {
    let value = u8::try_from(value).expect("a digit is below 36");
    char::from(if value < 26 { b'a' + value } else { b'0' + value - 26 })
}

fn adapt(delta: u32, length: u32, first: bool) -> u32 {
    let mut delta = if first { delta / DAMP } else { delta / 2 };
    delta += delta / length;
    let mut k = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_labels_are_written_as_registries_write_them() {
        for (label, encoded) in [
            ("日本語", "wgv71a119e"),
            ("例え", "r8jz45g"),
            ("総務省", "lhr645fjve"),
            ("bücher", "bcher-kva"),
            ("münchen", "mnchen-3ya"),
            ("рф", "p1ai"),
            ("みんな", "q9jyb4c"),
        ] {
            assert_eq!(encode(label).as_deref(), Some(encoded), "{label}");
            assert_eq!(decode(encoded).as_deref(), Some(label), "{encoded}");
        }
    }

    #[test]
    fn text_no_encoder_writes_is_refused() {
        for encoded in ["!", "9999999999999999", "a b", "日"] {
            assert_eq!(decode(encoded), None, "{encoded}");
        }
    }

    proptest! {
        #[test]
        fn decoding_gives_back_what_was_encoded(label in "[a-z\u{3041}-\u{3096}\u{4e00}-\u{9fff}]{1,30}") {
            prop_assert_eq!(decode(&encode(&label).unwrap()).unwrap(), label);
        }

        #[test]
        fn decoding_never_panics(encoded in ".{0,40}") {
            decode(&encoded);
        }
    }
}
