//! The order in which lists show amounts.

/// A positive number to three digits, as something to sort by. Mechanisms are often symmetric: what differs by
/// round-off only is to come in the order of the model.
pub(super) fn rounded(x: f64) -> u64 {
    // the bits of positive numbers have the order of the numbers
    format!("{x:.2e}").parse().unwrap_or(x).to_bits()
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn round_off_does_not_decide_the_order() {
        assert_eq!(rounded(0.0118), rounded(0.0118 + 1e-12));
        assert!(
            rounded(1e-3) < rounded(1.01e-3)
                && rounded(2.0) < rounded(1e10)
                && rounded(0.0) < rounded(1e-300)
        );
    }
}
