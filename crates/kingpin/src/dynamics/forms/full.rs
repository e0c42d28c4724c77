//! The equations of motion in all coordinates, for explicit methods.

use crate::dynamics::instant::projection::Projection;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::Ode;

/// y = (q, v) with v the velocities of all bodies: q' from v, v' from the acceleration problem. The constraints
/// are invariants of this equation; accepted states are moved back onto them.
pub struct Full<'a> {
    /// The mechanism.
    pub mechanism: Dynamics<'a>,
    projection: Projection,
}

impl<'a> Full<'a> {
    /// Structure for a mechanism.
    pub fn new(mechanism: Dynamics<'a>) -> Self {
        Self { projection: Projection::new(&mechanism), mechanism }
    }

    /// Moves a state onto the constraints; whether it had to move.
    pub fn project(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Trouble> {
        let (q, v) = y.split_at_mut(self.mechanism.system.coordinates());
        self.projection.apply(&mut self.mechanism, t, q, v)
    }
}

impl Ode for Full<'_> {
    type Error = Trouble;

    fn dim(&self) -> usize {
        self.mechanism.system.coordinates() + self.mechanism.system.velocities()
    }

    fn rhs(&mut self, t: f64, y: &[f64], f: &mut [f64]) -> Result<(), Trouble> {
        derivative(&mut self.mechanism, t, y, f)
    }
}

/// The derivative of (q, v) at a time.
pub(in crate::dynamics) fn derivative(
    mechanism: &mut Dynamics,
    t: f64,
    y: &[f64],
    f: &mut [f64],
) -> Result<(), Trouble> {
    let system = mechanism.system;
    let (q, v) = y.split_at(system.coordinates());
    mechanism.accelerate_only(t, q, v)?;
    let (qdot, vdot) = f.split_at_mut(q.len());
    vdot.copy_from_slice(&mechanism.result.acc);
    if system.dimensions() == 2 {
        qdot.copy_from_slice(v);
    } else {
        for (node, body) in system.nodes.iter().zip(&mechanism.work.bodies) {
            let out = &mut qdot[node.q()];
            out[..3].copy_from_slice(&body.rdot);
            if node.turns() {
                out[3..].copy_from_slice(&body.pdot);
            }
        }
    }
    Ok(())
}
