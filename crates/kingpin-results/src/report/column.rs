//! Columns of numbers.

use super::data::Column;
use crate::base64::encode;

/// A range so much smaller than the numbers in it needs more digits than single precision has.
const NARROW: f64 = 1e-3;

/// Single precision, or one number where all are the same. Numbers that differ little are counted from one of them:
/// what a chart makes of them must be theirs, not that of single precision.
pub(super) fn single(numbers: &[f64]) -> Column {
    let letters = |from: f64| {
        let bytes = numbers.iter().flat_map(|x| ((x - from) as f32).to_le_bytes());
        encode(&bytes.collect::<Vec<u8>>())
    };
    constant(numbers).unwrap_or_else(|| match narrow(numbers) {
        Some(offset) => Column::Shifted { f32: letters(offset), offset },
        None => Column::F32(letters(0.0)),
    })
}

/// Where to count from, if numbers lie in a narrow range.
fn narrow(numbers: &[f64]) -> Option<f64> {
    let mut finite = numbers.iter().copied().filter(|x| x.is_finite());
    let first = finite.next()?;
    let (low, high) = finite.fold((first, first), |(low, high), x| (low.min(x), high.max(x)));
    (high - low < NARROW * low.abs().max(high.abs())).then_some(first)
}

/// Letters of base64 for so many bytes.
pub(super) fn encoded(bytes: usize) -> usize {
    4 * bytes.div_ceil(3)
}

/// Double precision, for times.
pub(super) fn double(numbers: &[f64]) -> Column {
    Column::F64(encode(&numbers.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>()))
}

/// One finite number for all; more than one, so that tests of a length stay meaningful.
fn constant(numbers: &[f64]) -> Option<Column> {
    let (first, rest) = numbers.split_first()?;
    (first.is_finite() && rest.iter().all(|x| x == first)).then_some(Column::Constant(*first))
}

/// Such as `2,001 of 40,000 frames are shown`.
pub(super) fn note(shown: u64, all: u64, what: &str) -> Option<String> {
    (shown < all).then(|| format!("{} of {} {what} are shown", grouped(shown), grouped(all)))
}

/// Digits in threes.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_small_as_they_can_be() {
        assert_eq!(single(&[2.5, 2.5]), Column::Constant(2.5));
        assert_eq!(single(&[1.0, 2.0]), Column::F32("AACAPwAAAEA=".into()));
        assert_eq!(double(&[1.0]), Column::F64("AAAAAAAA8D8=".into()));
        // where single precision is too coarse, only differences are kept in it
        let close = [1.0, 1.0 + 1e-9, f64::NAN, 1.0 - 1e-12];
        let Column::Shifted { f32, offset } = single(&close) else { panic!("not shifted") };
        assert_eq!((f32.len(), offset), (encoded(16), 1.0));
        let text = serde_json::to_string(&single(&[4.0, 4.0 + 2f64.powi(-20)])).unwrap();
        assert_eq!(text, r#"{"f32":"AAAAAAAAgDU=","offset":4.0}"#);
        assert!(matches!(single(&[-1.0, 1.0]), Column::F32(_)));
        // gaps stay gaps
        assert!(matches!(single(&[f64::NAN, f64::NAN]), Column::F32(_)));
        assert_eq!(serde_json::to_string(&single(&[1.0, 2.0])).unwrap(), r#"{"f32":"AACAPwAAAEA="}"#);
    }

    #[test]
    fn notes_tell_how_many_of_how_many() {
        assert_eq!(note(20, 20, "frames"), None);
        let said = note(999, 1_234_567, "frames");
        assert_eq!(said.as_deref(), Some("999 of 1,234,567 frames are shown"));
        assert_eq!(grouped(1_000), "1,000");
    }
}
