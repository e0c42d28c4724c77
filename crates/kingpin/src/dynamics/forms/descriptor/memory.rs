//! What the saddle matrix remembers from step to step.

use super::{Inflated, Saddle};
use crate::dynamics::forms::reduced::Reduced;
use crate::integrate::{Snapshot, SnapshotReader, SnapshotWriter, Unfit, Weights, snapshot};

/// The numbers of the matrix. Its pattern follows from the choice of coordinates, its factor from the numbers and
/// from those for which the pivots were chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    independent: Vec<usize>,
    fixed: Vec<f64>,
    values: Vec<f64>,
    pivoted: Vec<f64>,
    added: Vec<[f64; 2]>,
    moves: Vec<f64>,
    weights: Weights,
}
snapshot!(Numbers as "saddle" { independent, fixed, values, pivoted, added, moves, weights });

impl Numbers {
    fn of(saddle: &Saddle) -> Numbers {
        Numbers {
            independent: saddle.independent.clone(),
            fixed: saddle.fixed.clone(),
            values: saddle.values.clone(),
            pivoted: saddle.pivoted.clone(),
            added: saddle.added.iter().map(|added| [added.position, added.velocity]).collect(),
            moves: saddle.moves.iter().map(|moved| moved.2).collect(),
            weights: saddle.weights,
        }
    }

    /// Back into a matrix; `None` if they do not fit.
    fn put(self, saddle: &mut Saddle, reduced: &Reduced) -> Option<()> {
        saddle.analyse(reduced).ok()?;
        // of other coordinates than those at hand only the old choice matters: the pattern is made anew
        if self.independent != saddle.independent {
            saddle.independent = self.independent;
            return Some(());
        }
        let fits = self.fixed.len() == saddle.fixed.len()
            && self.values.len() == saddle.values.len()
            && self.added.len() == saddle.added.len()
            && self.moves.len() == saddle.moves.len();
        if !fits {
            return None;
        }
        if !self.pivoted.is_empty() {
            let lu = saddle.lu.as_mut()?;
            lu.factor(&self.pivoted).ok()?;
            // numbers without a factor make none again
            let _ = lu.refactor(&self.values);
        }
        (saddle.fixed, saddle.values, saddle.pivoted) = (self.fixed, self.values, self.pivoted);
        saddle.weights = self.weights;
        for (to, from) in saddle.added.iter_mut().zip(self.added) {
            [to.position, to.velocity] = from;
        }
        saddle.moves.iter_mut().zip(self.moves).for_each(|(to, from)| to.2 = from);
        Some(())
    }
}

/// The numbers of the matrix wait for `Inflated::fit`.
impl<S: Snapshot> Snapshot for Inflated<S> {
    fn save(&self, out: &mut SnapshotWriter) {
        self.stepper.save(out);
        self.saddle.lu.is_some().then(|| Numbers::of(&self.saddle)).save(out);
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        self.stepper.restore(from)?;
        self.remembered.restore(from)
    }
}

impl<S> Inflated<S> {
    /// Makes the matrix for the equations as they were restored.
    pub(in crate::dynamics) fn fit(&mut self, reduced: &Reduced) -> Result<(), Unfit> {
        match self.remembered.take() {
            Some(numbers) => numbers.put(&mut self.saddle, reduced).ok_or_else(|| Unfit::new("saddle")),
            None => Ok(()),
        }
    }
}
