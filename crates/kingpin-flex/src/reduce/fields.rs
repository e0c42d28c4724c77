//! Displacement fields that a structure is reduced to.

use super::interface::Tie;
use super::{Frame, Hold};
use crate::FlexError;
use crate::structure::Structure;
use nalgebra::{DMatrix, DVector};

/// Fields of all coordinates with reduced matrices.
pub(super) struct Fields {
    pub shapes: DMatrix<f64>,
    pub stiffness: DMatrix<f64>,
    pub mass: DMatrix<f64>,
    pub hertz: Vec<f64>,
    /// motions of each interface by the amplitudes
    pub motions: Vec<DMatrix<f64>>,
}

impl Fields {
    /// The interfaces with their motions in space.
    pub fn frames(&self, ties: &[Tie]) -> Vec<Frame> {
        let frame = |(tie, own): (&Tie, &DMatrix<f64>)| {
            let mut motion = DMatrix::zeros(6, own.ncols());
            (0..own.nrows()).for_each(|k| motion.set_row(tie.row(k), &own.row(k)));
            Frame { name: tie.name.clone(), turns: tie.hold != Hold::Point, place: tie.place, motion }
        };
        ties.iter().zip(&self.motions).map(frame).collect()
    }
}

/// Displacements of chosen nodes, three rows for each.
pub(super) fn in_space(structure: &Structure, shapes: &DMatrix<f64>, nodes: &[usize]) -> DMatrix<f64> {
    let (axes, each) = (structure.space.axes(), structure.per_node());
    DMatrix::from_fn(3 * nodes.len(), shapes.ncols(), |row, column| {
        if row % 3 < axes { shapes[(each * nodes[row / 3] + row % 3, column)] } else { 0.0 }
    })
}

/// Motions of an interface by amplitudes of fields, in the mean of its nodes.
pub(super) fn mean_motion(tie: &Tie, shapes: &DMatrix<f64>) -> DMatrix<f64> {
    tie.mean() * shapes.select_rows(&tie.coordinates())
}

/// Checks that rigid motions and fields move every interface on its own.
pub(super) fn check_enough(
    structure: &Structure,
    ties: &[Tie],
    shapes: &DMatrix<f64>,
) -> Result<(), FlexError> {
    let rigid = structure.rigid_motions();
    let reach = structure.places.iter().map(|place| place.norm()).fold(0.0, f64::max);
    let needed: usize = ties.iter().map(Tie::motions).sum();
    let mut rows: Vec<DVector<f64>> = Vec::new();
    for tie in ties {
        let size = tie.size().max(1e-3 * reach);
        let (own, moved) = (mean_motion(tie, &rigid), mean_motion(tie, shapes));
        for k in 0..tie.motions() {
            // turns as displacements at the size of the interface, fields as those of unit size
            let scale = if k < tie.space.axes() { 1.0 } else { size };
            let number = |j: usize, _| match j.checked_sub(own.ncols()) {
                None => own[(k, j)],
                Some(j) => moved[(k, j)] / shapes.column(j).amax().max(f64::MIN_POSITIVE),
            };
            let mut row = DVector::from_fn(own.ncols() + moved.ncols(), number) * scale;
            let length = row.norm();
            for _ in 0..2 {
                for before in &rows {
                    row -= before * before.dot(&row);
                }
            }
            if row.norm() <= 1e-8 * length {
                return Err(FlexError::TooFewModes {
                    interface: tie.name.clone(),
                    given: shapes.ncols(),
                    needed: needed.saturating_sub(rigid.ncols()),
                });
            }
            row /= row.norm();
            rows.push(row);
        }
    }
    Ok(())
}
