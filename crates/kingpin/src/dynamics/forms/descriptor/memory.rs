//! What the saddle matrix remembers from step to step.

use super::{Descriptor, Saddle};
use crate::dynamics::forms::reduced::Reduced;
use crate::integrate::{Snapshot, SnapshotReader, SnapshotWriter, StageWeights, Unfit, snapshot};

/// The numbers of the matrix. Its pattern follows from the choice of coordinates, its factor from the numbers and
/// from those for which the pivots were chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct SaddleNumbers {
    independent: Vec<usize>,
    fixed: Vec<f64>,
    values: Vec<f64>,
    pivoted: Vec<f64>,
    added: Vec<[f64; 2]>,
    moves: Vec<f64>,
    weights: StageWeights,
    pair: (f64, f64),
    time: Vec<f64>,
}
snapshot!(SaddleNumbers as "saddle" { independent, fixed, values, pivoted, added, moves, weights, pair, time });

impl SaddleNumbers {
    fn of(saddle: &Saddle) -> SaddleNumbers {
        SaddleNumbers {
            independent: saddle.independent.clone(),
            fixed: saddle.fixed.clone(),
            values: saddle.values.clone(),
            pivoted: saddle.pivoted.clone(),
            added: saddle.added.iter().map(|added| [added.position, added.velocity]).collect(),
            moves: saddle.moves.iter().map(|moved| moved.2).collect(),
            weights: saddle.weights,
            pair: saddle.pair.weight,
            time: saddle.time.clone(),
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
            && self.moves.len() == saddle.moves.len()
            && self.time.len() == saddle.time.len();
        if !fits {
            return None;
        }
        if !self.pivoted.is_empty() {
            let lu = saddle.lu.as_mut()?;
            lu.factor(&self.pivoted).ok()?;
            // a factor whose pivots were just chosen has other last bits than one along them; numbers without a factor
            // make none again
            if self.values != self.pivoted {
                let _ = lu.refactor(&self.values);
            }
        }
        (saddle.fixed, saddle.values, saddle.pivoted) = (self.fixed, self.values, self.pivoted);
        (saddle.weights, saddle.time) = (self.weights, self.time);
        for (to, from) in saddle.added.iter_mut().zip(self.added) {
            [to.position, to.velocity] = from;
        }
        if self.pair != (0.0, 0.0) {
            let _ = saddle.factor_complex(self.pair);
        }
        saddle.moves.iter_mut().zip(self.moves).for_each(|(to, from)| to.2 = from);
        Some(())
    }
}

/// Its numbers wait for [`Saddle::fit`].
impl Snapshot for Saddle {
    fn save(&self, out: &mut SnapshotWriter) {
        self.lu.is_some().then(|| SaddleNumbers::of(self)).save(out);
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        self.remembered.restore(from)
    }
}

impl Saddle {
    /// Makes the matrix for the equations as they were restored.
    pub(super) fn fit(&mut self, reduced: &Reduced) -> Result<(), Unfit> {
        match self.remembered.take() {
            Some(numbers) => numbers.put(self, reduced).ok_or_else(|| Unfit::new("saddle")),
            None => Ok(()),
        }
    }
}

/// All that is remembered is that of the independent coordinates.
impl Snapshot for Descriptor<'_> {
    fn save(&self, out: &mut SnapshotWriter) {
        self.reduced.save(out);
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        self.reduced.restore(from)
    }
}
