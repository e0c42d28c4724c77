//! Numbers of charts as text.

/// With a number of decimals and a real minus; no negative zero.
pub(super) fn plain(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|b| matches!(b, b'0' | b'.')) => digits.into(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

/// Four digits, for axes that show only their ends.
pub(super) fn short(x: f64) -> String {
    let magnitude = if x == 0.0 { 0.0 } else { x.abs().log10().floor() };
    if !(-4.0..6.0).contains(&magnitude) {
        return format!("{x:.2e}").replace('-', "−");
    }
    let text = plain(x, (3.0 - magnitude).clamp(0.0, 7.0) as usize);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// `name [unit]`.
pub(super) fn titled(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.into() } else { format!("{name} [{unit}]") }
}

#[cfg(test)]
mod tests {
    use super::{plain, short};

    #[test]
    fn texts_of_numbers() {
        assert_eq!([plain(-0.001, 2), plain(-1.5, 1), plain(2.0, 0)], ["0.00", "−1.5", "2"]);
        let said = [0.0, 1.0, -12.3456, 123456.0, 1e-5, 0.000123456, 2.5e7].map(short);
        assert_eq!(said, ["0", "1", "−12.35", "123456", "1.00e−5", "0.0001235", "2.50e7"]);
    }
}
