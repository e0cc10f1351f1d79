use library::Refusal;

#[test]
fn a_refusal_has_the_code_that_clients_know() {
    assert_eq!(Refusal::InvalidPath.because("").code(), Some("invalid_path"));
    assert_eq!(Refusal::InvalidScope.because("").code(), Some("invalid_scope"));
}
