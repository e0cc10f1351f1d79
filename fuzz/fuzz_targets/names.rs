//! Any text as the name of a file in a vault: what is taken stays inside.
#![no_main]

use library::SafePath;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(path) = SafePath::file(text) {
        let path = path.to_string();
        assert!(!path.starts_with('/') && !path.contains('\\') && !path.contains('\0'));
        assert!(path.split('/').all(|it| !it.is_empty() && it != "." && it != ".."));
    }
});
