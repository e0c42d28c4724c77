//! Unit motions of interfaces with the inside in equilibrium, and modes with all interfaces held.

use super::fields::Fields;
use super::interface::Tie;
use super::partition::Partition;
use super::{Choice, within};
use crate::FlexError;
use crate::modes::{Modes, Pencil};
use crate::structure::Structure;
use nalgebra::DMatrix;

/// Rigid motions come back with at most this error, in parts of themselves; more comes from a mechanism inside.
const RIGID: f64 = 1e-6;

/// Modes of a choice; `skip` counts those that come before the first.
pub(super) fn chosen(pencil: &Pencil, choice: &Choice, skip: usize) -> Result<Modes, FlexError> {
    match choice {
        Choice::Count(count) => pencil.slowest(count + skip),
        Choice::UpTo(hertz) => {
            let there = pencil.count_below(*hertz)?;
            within(there)?;
            pencil.all_slower(there, *hertz)
        }
        Choice::Numbers(numbers) => {
            let last = numbers.iter().copied().max().unwrap_or(0);
            let all = pencil.slowest(last + skip)?;
            let mut own: Vec<usize> = (0..skip).collect();
            for (k, &number) in numbers.iter().enumerate() {
                if number == 0 || numbers[..k].contains(&number) {
                    return Err(FlexError::ModesDepend { mode: k + 1 });
                }
                own.push(skip + number - 1);
            }
            Ok(all.select(&own))
        }
    }
}

/// O(a factorisation, and solutions for motions and modes)
pub(super) fn fields(structure: &Structure, ties: &[Tie], choice: &Choice) -> Result<Fields, FlexError> {
    let partition = Partition::new(structure, ties);
    let (k, m) = (partition.parts(&structure.stiffness), partition.parts(&structure.mass));
    let pencil =
        Pencil::held(&k.inner, &m.inner).map_err(|error| structure.loose(error, &partition.inner))?;
    // K_ii X = -K_ib
    let mut x = -&k.mixed;
    pencil.solve(&mut x)?;
    check_rigid(structure, ties, &partition, &x)?;
    let modes = chosen(&pencil, choice, 0)?;
    let (outer, count) = (partition.outer, modes.squares.len());
    let n = outer + count;
    let mut stiffness = DMatrix::zeros(n, n);
    stiffness.view_mut((0, 0), (outer, outer)).copy_from(&symmetric(&k.outer + k.mixed.tr_mul(&x)));
    modes.squares.iter().enumerate().for_each(|(j, &square)| stiffness[(outer + j, outer + j)] = square);
    // M_ii X + M_ib, then both with X and with modes
    let carried = m.inner.times(&x) + &m.mixed;
    let mut mass = DMatrix::zeros(n, n);
    let own = &m.outer + m.mixed.tr_mul(&x) + x.tr_mul(&carried);
    mass.view_mut((0, 0), (outer, outer)).copy_from(&symmetric(own));
    let coupling = modes.shapes.tr_mul(&carried);
    mass.view_mut((outer, 0), (count, outer)).copy_from(&coupling);
    mass.view_mut((0, outer), (outer, count)).copy_from(&coupling.transpose());
    let own = modes.shapes.tr_mul(&m.inner.times(&modes.shapes));
    mass.view_mut((outer, outer), (count, count)).copy_from(&symmetric(own));
    let hertz = modes.hertz();
    let mut inside = x.resize_horizontally(n, 0.0);
    inside.columns_mut(outer, count).copy_from(&modes.shapes);
    let unit = DMatrix::identity(outer, n);
    let shapes = partition.fields(&inside, &unit);
    let mut start = 0;
    let motion = |tie: &Tie| {
        start += tie.motions();
        unit.rows(start - tie.motions(), tie.motions()).into_owned()
    };
    let motions = ties.iter().map(motion).collect();
    Ok(Fields { shapes, stiffness, mass, hertz, motions })
}

fn symmetric(a: DMatrix<f64>) -> DMatrix<f64> {
    (&a + a.transpose()) * 0.5
}

/// Rigid motions of the interfaces must move all nodes as one body.
fn check_rigid(
    structure: &Structure,
    ties: &[Tie],
    partition: &Partition,
    x: &DMatrix<f64>,
) -> Result<(), FlexError> {
    let wanted = structure.rigid_motions();
    let mut moved = DMatrix::zeros(partition.outer, wanted.ncols());
    let mut start = 0;
    for tie in ties {
        let own = tie.mean() * wanted.select_rows(&tie.coordinates());
        moved.rows_mut(start, tie.motions()).copy_from(&own);
        start += tie.motions();
    }
    let error = partition.fields(&(x * &moved), &moved) - &wanted;
    let each = structure.per_node();
    for motion in 0..wanted.ncols() {
        let most = wanted.column(motion).amax();
        let (worst, size) = (error.column(motion).iamax(), error.column(motion).amax());
        // not a number is no rigid motion either
        if size.is_nan() || size > RIGID * most {
            return Err(FlexError::Mechanism { node: structure.numbers[worst / each] });
        }
    }
    Ok(())
}
