//! Bases without unit motions of interfaces: elastic modes of the free structure, and fields that callers give.

use super::Choice;
use super::craig_bampton::chosen;
use super::fields::{Fields, check_enough, mean_motion};
use super::interface::Tie;
use crate::FlexError;
use crate::modes::Pencil;
use crate::structure::Structure;
use nalgebra::{DMatrix, DVector};

/// A motion without stiffness has a square of its frequency below this part of the shift; rounding leaves 1e-10 of it.
const ZERO: f64 = 1e-6;

/// Elastic modes of the free structure, behind its rigid motions. O(a factorisation, and solutions for modes)
pub(super) fn fields(structure: &Structure, ties: &[Tie], choice: &Choice) -> Result<Fields, FlexError> {
    let pencil = Pencil::free(&structure.stiffness, &structure.mass)?;
    let rigid = structure.space.motions();
    let all = chosen(&pencil, choice, rigid)?;
    let zero = ZERO * pencil.shift().abs();
    let loose = all.squares.iter().filter(|&&square| square < zero).count();
    if loose > rigid {
        let worst = all.shapes.column(rigid).iamax();
        return Err(FlexError::Mechanism { node: structure.numbers[worst / structure.per_node()] });
    }
    let modes = all.select(&(loose.max(rigid)..all.squares.len()).collect::<Vec<_>>());
    check_enough(structure, ties, &modes.shapes)?;
    let count = modes.squares.len();
    Ok(Fields {
        stiffness: DMatrix::from_diagonal(&DVector::from_vec(modes.squares.clone())),
        mass: DMatrix::identity(count, count),
        hertz: modes.hertz(),
        motions: ties.iter().map(|tie| mean_motion(tie, &modes.shapes)).collect(),
        shapes: modes.shapes,
    })
}

/// Fields of a caller, which must be independent. O(entries) for each
pub(super) fn given(structure: &Structure, ties: &[Tie], shapes: &DMatrix<f64>) -> Result<Fields, FlexError> {
    let expected = structure.stiffness.order();
    if shapes.nrows() != expected {
        return Err(FlexError::WrongSize { what: "rows of fields", expected, given: shapes.nrows() });
    }
    let mass = shapes.tr_mul(&structure.mass.times(shapes));
    // pivots of the mass in parts of its diagonal
    let mut left = mass.clone();
    for k in 0..left.nrows() {
        if left[(k, k)].is_nan() || left[(k, k)] <= 1e-12 * mass[(k, k)] {
            return Err(FlexError::ModesDepend { mode: k + 1 });
        }
        let column = left.column(k).into_owned();
        left -= &column * column.transpose() / column[k];
    }
    check_enough(structure, ties, shapes)?;
    let stiffness = shapes.tr_mul(&structure.stiffness.times(shapes));
    let rate = |k: usize| (stiffness[(k, k)] / mass[(k, k)]).max(0.0).sqrt() / std::f64::consts::TAU;
    Ok(Fields {
        hertz: (0..shapes.ncols()).map(rate).collect(),
        motions: ties.iter().map(|tie| mean_motion(tie, shapes)).collect(),
        stiffness,
        mass,
        shapes: shapes.clone(),
    })
}
