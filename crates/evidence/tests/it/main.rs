//! All tests of the public interface, in one binary.

mod public_suffixes;
