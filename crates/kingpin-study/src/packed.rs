//! Rows as numbers, for those who send them: bytes travel as the bits of numbers.

use crate::gauge::Curves;
use crate::point::{Outcome, Row};
use crate::points::Points;

impl Row {
    /// Adds what [`unpack`](Self::unpack) reads.
    pub fn pack(&self, to: &mut Vec<f64>) {
        to.push(self.point as f64);
        to.push(self.scalars.len() as f64);
        for scalar in &self.scalars {
            to.extend([f64::from(u8::from(scalar.is_some())), scalar.unwrap_or(0.0)]);
        }
        pack_text(&self.outcome.words(), to);
        let Some(curves) = &self.curves else { return to.push(-1.0) };
        to.push(curves.channels.len() as f64);
        for (name, unit) in &curves.channels {
            pack_text(name, to);
            pack_text(unit, to);
        }
        to.push(curves.rows.len() as f64);
        to.extend(&curves.rows);
    }

    /// The first row of some numbers, which are behind it afterwards; none where there is no whole one.
    pub fn unpack(points: &Points, from: &mut &[f64]) -> Option<Row> {
        let point = count(from)?;
        let mut scalars = Vec::new();
        for _ in 0..count(from)? {
            let [known, value] = [number(from)?, number(from)?];
            scalars.push((known == 1.0).then_some(value));
        }
        let outcome = Outcome::from_words(&text(from)?)?;
        let mut curves = None;
        if let Some(channels) = count(from) {
            let mut own = Curves::default();
            for _ in 0..channels {
                own.channels.push((text(from)?, text(from)?));
            }
            own.rows = some(from)?.to_vec();
            curves = Some(own);
        }
        Some(Row { point, values: points.values(point), scalars, outcome, curves })
    }
}

fn pack_text(text: &str, to: &mut Vec<f64>) {
    to.push(text.len() as f64);
    for bytes in text.as_bytes().chunks(8) {
        let mut all = [0; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        to.push(f64::from_bits(u64::from_le_bytes(all)));
    }
}

fn number(from: &mut &[f64]) -> Option<f64> {
    let (first, rest) = from.split_first()?;
    *from = rest;
    Some(*first)
}

/// A number of things; none if it is negative.
fn count(from: &mut &[f64]) -> Option<usize> {
    number(from).filter(|n| *n >= 0.0).map(|n| n as usize)
}

/// As many numbers as the first says.
fn some<'a>(from: &mut &'a [f64]) -> Option<&'a [f64]> {
    let count = count(from)?;
    let (own, rest) = from.split_at_checked(count)?;
    *from = rest;
    Some(own)
}

fn text(from: &mut &[f64]) -> Option<String> {
    let length = count(from)?;
    let (own, rest) = from.split_at_checked(length.div_ceil(8))?;
    *from = rest;
    let bytes = own.iter().flat_map(|x| x.to_bits().to_le_bytes()).take(length).collect();
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vary::Variation;

    #[test]
    fn rows_arrive_as_they_were() {
        let points = Points::new(vec![Variation::parse("k=[1,2,5]").unwrap()], None).unwrap();
        let curves = Curves { channels: vec![("tip.é".into(), "m".into())], rows: vec![0.0, -0.0, 0.1] };
        let rows = [
            Row {
                point: 2,
                values: vec![5.0],
                scalars: vec![Some(0.1), None],
                outcome: Outcome::Doubtful("a long reason".into()),
                curves: Some(curves),
            },
            Row { point: 0, values: vec![1.0], scalars: vec![], outcome: Outcome::Good, curves: None },
        ];
        let mut packed = Vec::new();
        rows.iter().for_each(|row| row.pack(&mut packed));
        let mut rest = &packed[..];
        let found: Vec<Row> = std::iter::from_fn(|| Row::unpack(&points, &mut rest)).collect();
        assert_eq!(found, rows);
        assert!(Row::unpack(&points, &mut &packed[..5]).is_none());
    }
}
