//! Columns of numbers.

use super::data::Column;
use crate::base64::encode;

/// Single precision, or one number where all are the same.
pub(super) fn single(numbers: &[f64]) -> Column {
    constant(numbers).unwrap_or_else(|| {
        Column::F32(encode(&numbers.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect::<Vec<u8>>()))
    })
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

/// Such as `every 10th frame is shown`.
pub(super) fn note(stride: u64, what: &str) -> Option<String> {
    let ending = match (stride % 10, stride % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    (stride > 1).then(|| format!("every {stride}{ending} {what} is shown"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_small_as_they_can_be() {
        assert_eq!(single(&[2.5, 2.5]), Column::Constant(2.5));
        assert_eq!(single(&[1.0, 2.0]), Column::F32("AACAPwAAAEA=".into()));
        assert_eq!(double(&[1.0]), Column::F64("AAAAAAAA8D8=".into()));
        // gaps stay gaps
        assert!(matches!(single(&[f64::NAN, f64::NAN]), Column::F32(_)));
        assert_eq!(serde_json::to_string(&single(&[1.0, 2.0])).unwrap(), r#"{"f32":"AACAPwAAAEA="}"#);
    }

    #[test]
    fn notes_count_in_words() {
        assert_eq!(note(1, "frame"), None);
        let said = [2, 3, 4, 11, 21, 112].map(|n| note(n, "frame").unwrap_or_default());
        assert_eq!(
            said.map(|s| s.replace(" frame is shown", "")).join(", "),
            "every 2nd, every 3rd, every 4th, every 11th, every 21st, every 112th"
        );
    }
}
