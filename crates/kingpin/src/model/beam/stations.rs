//! Matrices of a section along a beam.

use super::{Beam, BeamFault, SectionMatrix};
use crate::model::value::{FieldType, Value};

/// A matrix of the section at stations along a beam, linear between them; with one station it is the same all along.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Stations(pub Vec<(f64, SectionMatrix)>);

impl From<SectionMatrix> for Stations {
    fn from(matrix: SectionMatrix) -> Stations {
        Stations(vec![(0.0, matrix)])
    }
}

impl FieldType for Stations {
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Section(stations) => Some(stations),
            _ => None,
        }
    }
    fn to_value(&self) -> Option<Value> {
        Some(Value::Section(self.clone()))
    }
}

impl Stations {
    /// Whether it is the same all along.
    pub fn is_uniform(&self) -> bool {
        self.0.len() < 2
    }

    /// The matrix at a place, a part of the length.
    pub fn at(&self, x: f64) -> SectionMatrix {
        let behind = self.0.partition_point(|(station, _)| *station <= x);
        match (behind.checked_sub(1).and_then(|k| self.0.get(k)), self.0.get(behind)) {
            (Some((from, a)), Some((to, b))) => {
                let part = (x - from) / (to - from);
                let mix = |i: usize, j: usize| (1.0 - part) * a.0[i][j] + part * b.0[i][j];
                SectionMatrix(std::array::from_fn(|i| std::array::from_fn(|j| mix(i, j))))
            }
            (Some((_, only)), None) | (None, Some((_, only))) => *only,
            (None, None) => SectionMatrix::default(),
        }
    }

    /// Stations between the ends.
    fn inner(&self) -> impl Iterator<Item = f64> {
        self.0.iter().map(|(x, _)| *x).filter(|x| *x > 0.0 && *x < 1.0)
    }

    /// What is wrong with the places of the stations of a field.
    fn fault(&self, field: &'static str) -> Option<BeamFault> {
        let fault = |message: String| {
            let hint = "x is a fraction of the length: stations must increase from 0 to 1";
            Some(BeamFault::new(field, message).hint(hint))
        };
        if self.is_uniform() {
            return None;
        }
        let (first, last) = (self.0[0].0, self.0[self.0.len() - 1].0);
        if first != 0.0 || last != 1.0 {
            return fault(format!("the stations of `{field}` range from {first} to {last}"));
        }
        // also what is no number does not ascend
        let ascends = |pair: &[(f64, SectionMatrix)]| pair[1].0 - pair[0].0 > CLOSEST;
        let k = self.0.windows(2).position(|pair| !ascends(pair))?;
        fault(format!("stations {} and {} of `{field}` do not increase", k + 1, k + 2))
    }
}

/// Parts of the length that two stations are apart.
const CLOSEST: f64 = 1e-6;

/// Places between the ends at which a table of a beam has its stations, or what is wrong with them.
pub(super) fn stations(beam: &Beam) -> Result<Vec<f64>, BeamFault> {
    let mut all = Vec::new();
    for (field, table) in [("stiffness", &beam.stiffness), ("mass_matrix", &beam.mass_matrix)] {
        let Some(table) = table else { continue };
        if let Some(fault) = table.fault(field) {
            return Err(fault);
        }
        all.extend(table.inner());
    }
    Ok(all)
}
