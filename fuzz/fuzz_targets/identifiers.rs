//! Identifiers, cleaning and sketches of any text: no panic, positions that hold, cleaning is stable.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let length = text.chars().count();
    for identifier in text::identifiers::find(text) {
        let (start, end) = identifier.position.expect("found in a text");
        assert!(start < end && end <= length);
    }
    let clean = text::sanitise::clean(text);
    assert_eq!(text::sanitise::clean(clean.text()).text(), clean.text());
    for flag in text::sanitise::flags(text, false) {
        assert!(flag.char_start < flag.char_end && flag.char_end <= length);
    }
    extract::near_duplicate::sketch(text);
});
