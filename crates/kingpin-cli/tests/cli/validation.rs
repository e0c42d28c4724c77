//! The validation page says what the command computes today.

use crate::run::root;
use kingpin_trust::validation::{Kingpin, differences, quick, quick_part};

#[test]
fn values_and_counts_are_those_of_today() {
    let kingpin = Kingpin { binary: env!("CARGO_BIN_EXE_kingpin").into(), root: root() };
    let new = quick(&kingpin).expect("all values within what is allowed");
    let page = std::fs::read_to_string(root().join("docs/validation.md")).expect("docs/validation.md");
    let differ = differences(quick_part(&page), &new);
    assert!(differ.is_empty(), "run `make validation`:\n{}", differ.join("\n"));
}
