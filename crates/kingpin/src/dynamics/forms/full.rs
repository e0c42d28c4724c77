//! The equations of motion in all coordinates, for explicit methods.

use super::form::{Form, Terms};
use crate::dynamics::instant::stabilisation::{ChangeWeights, Stabilisation, Stabiliser};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::{Ode, Snapshot, SnapshotReader, SnapshotWriter, Unfit};
use crate::system::State;

/// y = (q, v) with v the velocities of all bodies: q' from v, v' from the acceleration problem. The constraints
/// are invariants of this equation; accepted states are moved back onto them.
pub struct Full<'a> {
    /// The mechanism.
    pub mechanism: Dynamics<'a>,
    stabiliser: Stabiliser,
}

impl<'a> Full<'a> {
    /// Structure for a mechanism.
    pub fn new(mechanism: Dynamics<'a>) -> Self {
        Self::stabilised(mechanism, Stabilisation::default(), &ChangeWeights::default())
    }

    /// The same with states moved back otherwise.
    pub fn stabilised(mechanism: Dynamics<'a>, kind: Stabilisation, weights: &ChangeWeights) -> Self {
        Self { stabiliser: Stabiliser::new(&mechanism, kind, weights), mechanism }
    }
}

impl Ode for Full<'_> {
    type Error = Trouble;

    fn dim(&self) -> usize {
        self.mechanism.system.coordinates() + self.mechanism.system.velocities()
    }

    fn rhs(&mut self, t: f64, y: &[f64], f: &mut [f64]) -> Result<(), Trouble> {
        let (q, v) = y.split_at(self.mechanism.system.coordinates());
        match self.stabiliser.accelerate(&mut self.mechanism, t, q, v) {
            Some(done) => done.map(|()| write_derivative(&self.mechanism, v, f)),
            None => derivative(&mut self.mechanism, t, y, f),
        }
    }

    /// Onto the constraints.
    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<(), Trouble> {
        let (q, v) = y.split_at_mut(self.mechanism.system.coordinates());
        self.stabiliser.apply(&mut self.mechanism, t, q, v)
    }
}

/// Nothing is remembered but what the mechanism does.
impl Snapshot for Full<'_> {
    fn save(&self, _: &mut SnapshotWriter) {}

    fn restore(&mut self, _: &mut SnapshotReader) -> Result<(), Unfit> {
        Ok(())
    }
}

impl<'a> Form<'a> for Full<'a> {
    const MEASURES: bool = false;
    const HAS_INSTANT: bool = false;

    fn make(mechanism: Dynamics<'a>, state: &State, terms: &Terms) -> Result<(Self, Vec<f64>), Trouble> {
        let mut full = Self::stabilised(mechanism, terms.stabilisation, &terms.weights);
        let mut y = vec![0.0; full.dim()];
        full.start(state, &mut y);
        Ok((full, y))
    }

    fn mechanism(&mut self) -> &mut Dynamics<'a> {
        &mut self.mechanism
    }

    fn held(&self) -> &Dynamics<'a> {
        &self.mechanism
    }

    fn into_mechanism(self) -> Dynamics<'a> {
        self.mechanism
    }

    fn start(&mut self, state: &State, y: &mut [f64]) {
        let Dynamics { system, work, .. } = &mut self.mechanism;
        system.set_state(work, state);
        let (q, v) = y.split_at_mut(state.q.len());
        q.copy_from_slice(&state.q);
        v.copy_from_slice(&state.v);
    }

    /// What was factored for the end of the step is not kept for whoever looks in between.
    fn accept(&mut self, _: f64, _: &[f64]) -> Result<(), Trouble> {
        self.stabiliser.forget();
        Ok(())
    }

    fn return_to(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let Dynamics { system, work, .. } = &mut self.mechanism;
        let (q, v) = y.split_at(system.coordinates());
        system.set(work, t, q, v);
        system.evaluate_constraints(work);
        Ok(())
    }

    fn place(&mut self, t: f64, y: &mut [f64]) -> Result<(), Trouble> {
        let counted = self.mechanism.corrections;
        let done = self.project(t, y);
        self.stabiliser.forget();
        self.mechanism.corrections = counted;
        done
    }

    fn glance(&mut self, _: f64, _: &mut [f64]) -> Result<(), Trouble> {
        Ok(())
    }

    fn write(&self, t: f64, y: &[f64], state: &mut State) {
        let (q, v) = y.split_at(state.q.len());
        state.t = t;
        state.q.copy_from_slice(q);
        state.v.copy_from_slice(v);
        state.turns.copy_from_slice(&self.mechanism.work.turns);
        state.pieces.copy_from_slice(&self.mechanism.work.pieces);
    }
}

/// The derivative of (q, v) at a time: q' from v, p' = 1/2 G^T w, and v' from the acceleration problem.
pub(in crate::dynamics) fn derivative(
    mechanism: &mut Dynamics,
    t: f64,
    y: &[f64],
    f: &mut [f64],
) -> Result<(), Trouble> {
    let system = mechanism.system;
    let (q, v) = y.split_at(system.coordinates());
    mechanism.accelerate_only(t, q, v)?;
    write_derivative(mechanism, v, f);
    Ok(())
}

/// The derivative of (q, v) where accelerations are known.
fn write_derivative(mechanism: &Dynamics, v: &[f64], f: &mut [f64]) {
    let system = mechanism.system;
    let (qdot, vdot) = f.split_at_mut(system.coordinates());
    vdot.copy_from_slice(&mechanism.result.acc);
    if system.dimensions() == 2 {
        qdot.copy_from_slice(v);
    } else {
        for (node, body) in system.nodes.iter().zip(&mechanism.work.bodies) {
            let out = &mut qdot[node.q()];
            out[..node.places].copy_from_slice(&body.rdot[..node.places]);
            if node.turns() {
                out[3..].copy_from_slice(&body.pdot);
            }
        }
    }
    // nothing depends on the integrals of states, which stay where they are
    let integrals = system.coordinates() - system.states.len();
    qdot[integrals..].fill(0.0);
}
