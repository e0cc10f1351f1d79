//! Identifiers, cleaning and sketches of any text: no panic, positions that hold, cleaning is stable.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let length = text.chars().count();
    for identifier in extract::identifiers::find(text) {
        let (start, end) = identifier.position.expect("found in a text");
        assert!(start < end && end <= length);
    }
    let clean = extract::sanitise::clean(text);
    assert_eq!(extract::sanitise::clean(clean.text()).text(), clean.text());
    for flag in extract::sanitise::flags(text, false) {
        assert!(flag.char_start < flag.char_end && flag.char_end <= length);
    }
    extract::near::sketch(text);
});
