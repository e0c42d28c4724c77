//! What `auto` goes on with where it is stiff, and when stiffness is over.

use super::Run;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::stepping::Method;
use crate::system::{State, System};

/// Steps between two looks; twice as many after every return that was in vain.
const EVERY: usize = 16;
/// Iterations of a look.
const ITERATIONS: usize = 6;
/// An explicit method is worth another try where the step is at most this many of the fastest times. Its own limit
/// of stability is six, and its steps cost less.
const WORTH: f64 = 4.0;
/// Displacement that accelerations are probed with, as a part of the size.
const PROBE: f64 = 1e-7;

/// Tolerances from which on a method without iterations takes less work than the one that takes the fewest steps: with
/// dense matrices alone, exact sparse ones cost several times those that need not be.
const LOOSE: f64 = 1e-4;

/// The implicit method for a tolerance, with matrices of one kind.
pub(in crate::dynamics) fn implicit(rtol: f64, sparse: bool) -> Method {
    if sparse || rtol < LOOSE { Method::Radau } else { Method::ForRosen }
}

/// Looks whether an implicit method under way takes steps that an explicit one could take too. It remembers nothing:
/// when it looks follows from the number of steps and of methods used so far.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct Relief {
    start: Vec<f64>,
    along: Vec<f64>,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Relief {
    /// Room for a mechanism.
    pub fn new(mechanism: &Dynamics) -> Self {
        let (nq, nv) = (mechanism.system.coordinates(), mechanism.system.velocities());
        Self { start: vec![0.0; nv], along: vec![0.0; nv], q: vec![0.0; nq], v: vec![0.0; nv] }
    }

    /// Whether it is time for a look.
    pub fn due(run: &Run, steps: usize) -> bool {
        let returns = run.methods.len().saturating_sub(1) / 2;
        let implicit = run.methods.last().is_some_and(|(_, method)| !method.is_explicit());
        implicit && run.methods.len() > 1 && steps.is_multiple_of(EVERY << returns.min(20))
    }

    /// Whether steps of size `h` are short enough for an explicit method; leaves the accelerations at the state.
    pub fn look(&mut self, mechanism: &mut Dynamics, run: &Run, h: f64) -> Result<bool, Trouble> {
        let state = &run.state;
        let size = run.scales.parts.iter().map(|part| part.size).fold(0.0, f64::max);
        let size = if size > 0.0 { size } else { 1.0 };
        mechanism.accelerate_only(state.t, &state.q, &state.v)?;
        self.start.copy_from_slice(&mechanism.result.acc);
        let stiffness = self.largest(mechanism, state, size, false);
        let damping = self.largest(mechanism, state, size, true);
        mechanism.accelerate(state.t, &state.q, &state.v)?;
        let (Ok(k), Ok(c)) = (stiffness, damping) else { return Ok(false) };
        // the larger root of s^2 - c s - k = 0
        let rate = 0.5 * (c + (c * c + 4.0 * k).sqrt());
        Ok(rate * h.abs() <= WORTH)
    }

    /// The largest rate at which accelerations change with positions or velocities, by iterated differences.
    fn largest(
        &mut self,
        mechanism: &mut Dynamics,
        state: &State,
        size: f64,
        velocities: bool,
    ) -> Result<f64, Trouble> {
        let system = mechanism.system;
        // all bodies, each in a direction of its own
        for ((k, x), turns) in self.along.iter_mut().enumerate().zip(system.nodes.turning()) {
            *x = (0.3 + ((k * 7919) % 101) as f64 / 101.0) * if turns { 1.0 } else { size };
        }
        let speed = measure(system, &state.v, size);
        let mut most = 0.0;
        for _ in 0..ITERATIONS {
            let length = measure(system, &self.along, size);
            if length == 0.0 || !length.is_finite() {
                break;
            }
            // velocities are probed by a small part of those at hand
            let probe = if velocities { PROBE * if speed > 0.0 { speed } else { 1.0 } } else { PROBE };
            self.along.iter_mut().for_each(|x| *x *= probe / length);
            self.q.copy_from_slice(&state.q);
            self.v.copy_from_slice(&state.v);
            if velocities {
                self.v.iter_mut().zip(&self.along).for_each(|(v, x)| *v += x);
            } else {
                system.displace(&mut self.q, &self.along);
            }
            mechanism.accelerate_only(state.t, &self.q, &self.v)?;
            for (along, (a, b)) in self.along.iter_mut().zip(mechanism.result.acc.iter().zip(&self.start)) {
                *along = a - b;
            }
            most = measure(system, &self.along, size) / probe;
        }
        Ok(most)
    }
}

/// The largest translation over a size, or rotation.
fn measure(system: &System, x: &[f64], size: f64) -> f64 {
    let length = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let body = |(moves, turns): (&[f64], &[f64])| (length(moves) / size).max(length(turns));
    system.nodes.split_v(x).map(body).fold(0.0, f64::max)
}
