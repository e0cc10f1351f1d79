//! The name a text goes by: equal texts, equal hashes, in the graph and before it.

/// Hash under which equal texts are recognised: 128 bits of BLAKE3.
pub fn text_hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_a_text_never_changes_because_stored_graphs_hold_it() {
        assert_eq!(text_hash(""), "af1349b9f5f9a1a6a0404dea36dcc949");
        assert_eq!(text_hash("abc"), "6437b3ac38465133ffb63b75273a8db5");
    }
}
