//! The kingpin command.
fn main() {}
