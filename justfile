# Recipes for people. What needs code lives in `cargo xtask`.

# Show the recipes.
default:
    @just --list

# Everything a change must pass: tests, format, clippy, dependencies, docs.
[group('check')]
check:
    cargo xtask test
    cargo xtask lint

# Run the tests; `just test views` runs those whose name contains it.
[group('check')]
test *FILTER:
    cargo xtask test {{FILTER}}

# Format the code.
[group('check')]
fmt:
    cargo fmt --all

# Look at changed snapshots one by one (needs cargo-insta).
[group('check')]
review:
    cargo insta review

# Ask the advisory database about our dependencies (needs the network).
[group('check')]
audit:
    cargo xtask audit

# Measure speed as ratios in one run; see docs/benchmarks.md. `just bench --small` skips the large sets.
[group('measure')]
bench *ARGS:
    cargo xtask bench {{ARGS}}

# Ask the real services once each (needs the network): 0 all passed, 1 one failed, 2 one could not be asked.
[group('check')]
verify:
    cargo xtask verify

# Show what the graph can answer, on the bundled example.
[group('run')]
demo:
    cargo run --release -- demo

# Say what is there, what is missing and how to get it.
[group('run')]
doctor:
    cargo run --release -- doctor
