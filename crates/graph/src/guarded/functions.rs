//! Functions of SQLite whose time grows with the product of their arguments, in a form that ends.
//!
//! The engine looks at the clock between its instructions, and one call is one instruction: `instr` of half a
//! megabyte in a megabyte takes half a minute. Those of here give the same answers; searching is linear, and
//! patterns look at the clock themselves.

use std::borrow::Cow;
use std::collections::HashSet;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Error, Result, ffi};

use super::pattern::{Pattern, Syntax};

/// Puts them in the place of SQLite's.
pub(super) fn register(connection: &Connection, longest: usize) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8
        | FunctionFlags::SQLITE_DETERMINISTIC
        | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("instr", 2, flags, instr)?;
    connection.create_scalar_function("replace", 3, flags, move |it| replace(it, longest))?;
    connection.create_scalar_function("trim", 2, flags, |it| trim(it, true, true))?;
    connection.create_scalar_function("ltrim", 2, flags, |it| trim(it, true, false))?;
    connection.create_scalar_function("rtrim", 2, flags, |it| trim(it, false, true))?;
    connection.create_scalar_function("like", 2, flags, |it| like(it, Syntax::Like(None)))?;
    connection.create_scalar_function("like", 3, flags, |it| match text(it.get_raw(2)) {
        None => Ok(None),
        Some(escape) => {
            let escape = String::from_utf8_lossy(&escape).into_owned();
            let mut letters = escape.chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) => like(it, Syntax::Like(Some(letter))),
                _ => Err(failed("ESCAPE expression must be a single character")),
            }
        }
    })?;
    connection.create_scalar_function("glob", 2, flags, |it| like(it, Syntax::Glob))?;
    // What else is quadratic is rarely asked for.
    connection.create_scalar_function("unhex", 2, flags, |_| {
        Err::<Option<i64>, _>(failed("unhex takes one argument here"))
    })
}

fn failed(message: &str) -> Error {
    Error::UserFunctionError(message.into())
}

fn too_big() -> Error {
    Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_TOOBIG), None)
}

fn instr(context: &Context<'_>) -> Result<Option<i64>> {
    let (whole, part) = (context.get_raw(0), context.get_raw(1));
    let bytes_alone = matches!((whole, part), (ValueRef::Blob(_), ValueRef::Blob(_)));
    let (Some(whole), Some(part)) = (text(whole), text(part)) else { return Ok(None) };
    let Some(start) = places(&whole, &part).next() else { return Ok(Some(0)) };
    let before = &whole[..start];
    let place = if bytes_alone {
        before.len()
    } else {
        before.iter().filter(|it| !is_continuation(**it)).count()
    };
    Ok(i64::try_from(place + 1).ok())
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

fn replace(context: &Context<'_>, longest: usize) -> Result<Value> {
    let (Some(whole), Some(part)) = (text(context.get_raw(0)), text(context.get_raw(1))) else {
        return Ok(Value::Null);
    };
    if part.first().is_none_or(|it| *it == 0) {
        return Ok(Value::Text(into_text(whole.into_owned())));
    }
    let Some(other) = text(context.get_raw(2)) else { return Ok(Value::Null) };
    let mut result = Vec::new();
    let mut end = 0;
    for start in places(&whole, &part) {
        result.extend_from_slice(&whole[end..start]);
        result.extend_from_slice(&other);
        end = start + part.len();
        if result.len() > longest {
            return Err(too_big());
        }
    }
    result.extend_from_slice(&whole[end..]);
    if result.len() > longest {
        return Err(too_big());
    }
    Ok(Value::Text(into_text(result)))
}

fn trim(context: &Context<'_>, start: bool, end: bool) -> Result<Option<String>> {
    let (Some(whole), Some(letters)) = (text(context.get_raw(0)), text(context.get_raw(1))) else {
        return Ok(None);
    };
    let (whole, letters) = (String::from_utf8_lossy(&whole), String::from_utf8_lossy(&letters));
    let letters: HashSet<char> = letters.chars().collect();
    let ascii: [bool; 128] = std::array::from_fn(|it| {
        u8::try_from(it).is_ok_and(|it| letters.contains(&char::from(it)))
    });
    let goes = |it: char| ascii.get(it as usize).copied().unwrap_or_else(|| letters.contains(&it));
    let mut rest = &*whole;
    if start {
        rest = rest.trim_start_matches(goes);
    }
    if end {
        rest = rest.trim_end_matches(goes);
    }
    Ok(Some(rest.to_owned()))
}

fn like(context: &Context<'_>, syntax: Syntax) -> Result<Option<bool>> {
    let (Some(pattern), Some(whole)) = (text(context.get_raw(0)), text(context.get_raw(1))) else {
        return Ok(None);
    };
    let (pattern, whole) = (String::from_utf8_lossy(&pattern), String::from_utf8_lossy(&whole));
    let pattern =
        Pattern::new(&pattern, syntax).ok_or_else(|| failed("LIKE or GLOB pattern too complex"))?;
    pattern.matches(&whole).map(Some).ok_or_else(|| failed("the pattern takes too long"))
}

/// A value as SQLite makes text of it.
fn text(value: ValueRef<'_>) -> Option<Cow<'_, [u8]>> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string().into_bytes().into()),
        ValueRef::Real(number) => Some(real(number).into_bytes().into()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(bytes.into()),
    }
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A number as SQLite writes it, with a point. The digits are the shortest that read back the same; SQLite writes one
/// more of some numbers of 16 digits.
fn real(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..17).contains(&exponent) {
        let plain = if number == 0.0 { "0".to_owned() } else { number.to_string() };
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let point = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}{point}e{sign}{:02}", exponent.abs())
}

/// Where `part` begins in `whole`, one after the other and not overlapping, in linear time (Knuth, Morris, Pratt).
fn places<'a>(whole: &'a [u8], part: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    // For each prefix of `part`, how much of its beginning it ends with.
    let mut borders = vec![0; part.len()];
    let mut border = 0;
    for at in 1..part.len() {
        while border > 0 && part[at] != part[border] {
            border = borders[border - 1];
        }
        border += usize::from(part[at] == part[border]);
        borders[at] = border;
    }
    let (mut at, mut found, mut done) = (0, 0, false);
    std::iter::from_fn(move || {
        if part.is_empty() {
            return (!std::mem::replace(&mut done, true)).then_some(0);
        }
        while at < whole.len() {
            while found > 0 && whole[at] != part[found] {
                found = borders[found - 1];
            }
            found += usize::from(whole[at] == part[found]);
            at += 1;
            if found == part.len() {
                found = 0;
                return Some(at - part.len());
            }
        }
        None
    })
}
