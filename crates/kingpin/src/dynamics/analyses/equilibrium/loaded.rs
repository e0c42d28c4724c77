//! A mechanism at rest under a part of its loads, in all coordinates.
//!
//! Where a beam turns, what is linear in a step stretches it, and its axial stiffness answers with forces that have
//! nothing to do with the equilibrium. So resultants are iterates of their own: the part of the stiffness that comes from
//! them is taken with those that the last step predicts, not with those of the strains it has caused
//! [Magisano, Leonetti and Garcea 2017]. Long steps then take few iterations.

use super::ground::settle;
use super::yardstick::RestYardstick;
use crate::dynamics::forms::whole::{BoundPencil, StiffnessSide, Whole};
use crate::dynamics::instant::projection::Projection;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::system::{State, System};
use nalgebra::DVector;

/// Ways beyond this lead nowhere.
const LOST: f64 = 100.0;
/// Steps below this are at the end.
pub(super) const STILL: f64 = 1e-9;

pub(super) struct UnderLoad<'a> {
    whole: Whole<'a, false>,
    projection: Projection,
    pub yardstick: RestYardstick,
    /// Where it is.
    pub state: State,
}

impl<'a> UnderLoad<'a> {
    pub fn new(mechanism: Dynamics<'a>, start: &State) -> Result<Self, Trouble> {
        let whole = Whole::new(mechanism, start)?;
        let projection = Projection::new(&whole.mechanism);
        let yardstick = RestYardstick::new(whole.mechanism.system, &start.q);
        Ok(Self { whole, projection, yardstick, state: start.clone() })
    }

    pub fn system(&self) -> &'a System {
        self.whole.mechanism.system
    }

    /// Accelerations and multipliers last solved for.
    pub fn mechanism(&self) -> &Dynamics<'a> {
        &self.whole.mechanism
    }

    /// Accelerations where it is, under that part of the loads, on the pieces of forces that are valid there.
    pub fn accelerate(&mut self, load: f64) -> Result<DVector<f64>, Trouble> {
        self.whole.mechanism.work.load = load;
        self.whole.begin(&self.state);
        if settle(&mut self.whole.mechanism) {
            self.state.pieces.copy_from_slice(&self.whole.mechanism.work.pieces);
        }
        self.whole.solve_again()?;
        Ok(DVector::from_column_slice(self.whole.accelerations()))
    }

    /// The same, and by how much they grow with the loads.
    pub fn accelerate_and_grow(&mut self, load: f64) -> Result<[DVector<f64>; 2], Trouble> {
        let more = self.accelerate(load + 1.0)?;
        let here = self.accelerate(load)?;
        let grown = more - &here;
        Ok([here, grown])
    }

    /// The linearised equations where accelerations were solved for last.
    pub fn pencil(&mut self) -> Result<BoundPencil, Trouble> {
        self.whole.pencil()
    }

    /// Linearises beams as if they had no resultants.
    pub fn relax(&mut self) {
        let Dynamics { system, work, .. } = &mut self.whole.mechanism;
        system.relax_beams(work);
    }

    /// Linearises beams with the resultants of their strains.
    pub fn trust(&mut self) {
        let Dynamics { system, work, .. } = &mut self.whole.mechanism;
        system.trust_strains(work);
    }

    /// Takes a step from where accelerations were solved for last; beams are linearised with the resultants it predicts.
    pub fn go(&mut self, step: &DVector<f64>) -> Result<(), Trouble> {
        let system = self.system();
        self.relax();
        system.predict_beams(&mut self.whole.mechanism.work, step.as_slice());
        let State { t, q, v, .. } = &mut self.state;
        system.displace(q, step.as_slice());
        self.projection.apply(&mut self.whole.mechanism, *t, q, v)?;
        system.count_turns(&mut self.whole.mechanism.work);
        self.state.turns.copy_from_slice(&self.whole.mechanism.work.turns);
        Ok(())
    }

    /// Newton's iteration to rest under that part of the loads, with steps no longer than that: how many there were;
    /// `None` where it finds nothing.
    pub fn rest(&mut self, load: f64, longest: f64, most: usize) -> Option<usize> {
        for steps in 0..most {
            let f = self.accelerate(load).ok()?;
            let pencil = self.pencil().ok()?;
            let factor = pencil.factor(0.0, StiffnessSide::Given)?;
            let mut step = pencil.solve(&factor, &pencil.mass_times(&f));
            let way = self.yardstick.way(step.as_slice());
            if way.is_nan() || way > LOST {
                return None;
            }
            if way <= STILL {
                return Some(steps);
            }
            step *= (longest / way).min(1.0);
            self.go(&step).ok()?;
        }
        None
    }
}
