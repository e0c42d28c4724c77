//! Small motions about a state: eigenvalues of the exactly linearised equations, and who takes part.

mod eigen;
mod freedom;
mod participation;

use super::pencil::Pencil;
use super::shares::{Share, body_shares};
use crate::accel::{Problem, Solver};
use crate::analysis::{Diagnosis, length_scale};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::SecondOrder;
use crate::model::{Finding, Subject};
use crate::system::{State, System};
use freedom::freedom;
use nalgebra::Complex;
use participation::{coordinate_shares, force_shares};
use std::fmt;

pub use freedom::Freedom;

/// All modes of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Degrees of freedom.
    pub dof: usize,
    /// Modes whose eigenvalue is not zero, largest magnitude first; a conjugate pair is one mode.
    pub modes: Vec<Mode>,
    /// Eigenvalues that are zero: two for a motion without stiffness and damping, one for one with damping.
    pub zeros: usize,
    /// Motions without stiffness, by name.
    pub free: Vec<Freedom>,
    /// Largest acceleration of a centre of mass at the state, m/s^2: far from zero, eigenvalues tell of the
    /// instant only.
    pub acceleration: f64,
}

/// One eigenvalue, or a conjugate pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// Real part of the eigenvalue, 1/s.
    pub real: f64,
    /// Imaginary part, 1/s; positive for a conjugate pair, else zero.
    pub imaginary: f64,
    /// Parts of the bodies in the kinetic energy, largest first.
    pub bodies: Vec<Share>,
    /// Independent coordinates, by the magnitude of their amplitudes (lengths in typical lengths of the
    /// mechanism), largest first.
    pub coordinates: Vec<Share>,
    /// Forces, by what they add to the inertia forces of the mode, largest first: about one for the force that
    /// makes a fast mode fast.
    pub forces: Vec<Share>,
    /// Residual of the eigenvector, relative to the terms of the equation.
    pub residual: f64,
}

impl Mode {
    /// Magnitude of the eigenvalue: the undamped angular frequency of a pair, rad/s.
    pub fn magnitude(&self) -> f64 {
        self.real.hypot(self.imaginary)
    }

    /// Oscillations per second.
    pub fn frequency(&self) -> f64 {
        self.imaginary / std::f64::consts::TAU
    }

    /// One for motions that just creep back, zero for undamped ones, negative for growing ones.
    pub fn damping_ratio(&self) -> f64 {
        -self.real / self.magnitude()
    }

    /// Time in which it decays (or grows) by a factor of e; `None` if it does neither.
    pub fn time_constant(&self) -> Option<f64> {
        (self.real != 0.0).then(|| 1.0 / self.real.abs())
    }
}

/// Why there are no modes.
#[derive(Clone, Debug, PartialEq)]
pub enum NoModes {
    /// The equations cannot be evaluated.
    Trouble(Trouble),
    /// The iteration for the eigenvalues has not converged.
    NoConvergence,
}

impl From<Trouble> for NoModes {
    fn from(trouble: Trouble) -> Self {
        NoModes::Trouble(trouble)
    }
}

impl fmt::Display for NoModes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoModes::Trouble(trouble) => trouble.fmt(f),
            NoModes::NoConvergence => write!(f, "the iteration for the eigenvalues has not converged"),
        }
    }
}

impl std::error::Error for NoModes {}

impl NoModes {
    /// The message, at the item where it shows.
    pub fn finding(&self, diagnosis: &Diagnosis) -> Finding {
        let subject = match self {
            NoModes::Trouble(trouble) => trouble.subject(diagnosis),
            _ => Subject::Model,
        };
        Finding::error(subject, "", format!("no modes: {self}"))
    }
}

/// Eigenvalues of lambda^2 Mhat + lambda M1 + M2 at a consistent state, in the metric of the mass. `redundant`
/// marks the equations that the assembly found to follow from others. Motions without stiffness are taken out
/// first, so their eigenvalues are exactly zero. O(n^3) in the degrees of freedom n, O(n^4) with the shapes.
pub fn modes(system: &System, state: &State, redundant: &[bool]) -> Result<Modes, NoModes> {
    modes_of(system, &Problem::new(system, redundant), state)
}

/// The same for a problem whose structure may have been looked at before.
pub fn modes_of(system: &System, problem: &Problem, state: &State) -> Result<Modes, NoModes> {
    let mut reduced = Reduced::new(Dynamics::of(system, problem, Solver::Elimination), state)?;
    let dof = reduced.dim();
    if dof == 0 {
        return Ok(Modes { dof, modes: Vec::new(), zeros: 0, free: Vec::new(), acceleration: 0.0 });
    }
    reduced.solve()?;
    let pencil = Pencil::new(&mut reduced)?;
    let scale = length_scale(system);
    let natural = system.gravity.iter().map(|g| g * g).sum::<f64>().sqrt() / scale;
    let eigen = eigen::eigenvalues(&pencil, natural).ok_or(NoModes::NoConvergence)?;
    let work = &reduced.mechanism.work;
    let modes = eigen.values.iter().enumerate().map(|(k, &lambda)| {
        let (x, residual) = eigen::vector(&pencil, lambda, k);
        let motion = pencil.motions.map(|x| Complex::new(x, 0.0)) * &x;
        Mode {
            real: lambda.re,
            imaginary: lambda.im,
            bodies: body_shares(system, &motion),
            coordinates: coordinate_shares(&reduced, &pencil, &x, scale),
            forces: force_shares(system, work, &motion, lambda),
            residual,
        }
    });
    Ok(Modes {
        dof,
        modes: modes.collect(),
        zeros: eigen.zeros,
        free: freedom(system, work, &pencil, &eigen.free),
        acceleration: fastest(system, &reduced.mechanism.result.acc),
    })
}

/// Largest acceleration of a centre of mass.
fn fastest(system: &System, acc: &[f64]) -> f64 {
    let each = system.nodes.split_v(acc);
    each.map(|(a, _)| a.iter().map(|x| x * x).sum::<f64>().sqrt()).fold(0.0, f64::max)
}
