use library::LibraryError;

#[test]
fn a_refusal_has_the_code_that_clients_know() {
    assert_eq!(LibraryError::InvalidPath(String::new()).code(), Some("invalid_path"));
    assert_eq!(LibraryError::InvalidScope(String::new()).code(), Some("invalid_scope"));
}
