//! Names of files, and names of works in texts.

use library::SafePath;

/// Any text as the name of a file in a vault: what is taken stays inside.
pub fn names(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(path) = SafePath::file(&text) {
        let path = path.to_string();
        assert!(!path.starts_with('/') && !path.contains('\\') && !path.contains('\0'));
        assert!(path.split('/').all(|it| !it.is_empty() && it != "." && it != ".."));
    }
}

/// Identifiers, cleaning and sketches of any text: positions hold, and what is clean stays as it is.
pub fn identifiers(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let length = text.chars().count();
    for identifier in text::identifiers::find(&text) {
        let (start, end) = identifier.position.expect("found in a text");
        assert!(start < end && end <= length);
    }
    let clean = text::sanitise::clean(&text);
    assert_eq!(text::sanitise::clean(clean.text()).text(), clean.text());
    for flag in text::sanitise::flags(&text, false) {
        assert!(flag.char_start < flag.char_end && flag.char_end <= length);
    }
    for window in text::machine_talk::windows(&text) {
        let fits = |(it, value): (usize, f32)| {
            it < text::machine_talk::TRAITS && value > 0.0 && value.is_finite()
        };
        assert!(window.traits().all(fits));
    }
    extract::near_duplicate::sketch(&text);
}
