//! Small motions about a state: eigenvalues of the exactly linearised equations, and who takes part.

mod directions;
mod eigen;
mod freedom;
mod moved;
mod participation;
mod sparse;

use super::pencil::{Linearised, Pencil};
use super::shares::{Share, body_shares};
use super::steady::{Axes, SteadyMotion, steady_motion};
use crate::accel::{Problem, Solver};
use crate::analysis::{Diagnosis, length_scale};
use crate::dynamics::analyses::held::{not_linear, without_reactions};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::stepping::Matrices;
use crate::integrate::SecondOrder;
use crate::model::{Finding, Subject};
use crate::system::{State, System};
use directions::RoundOff;
use freedom::freedom;
use nalgebra::Complex;
use participation::{coordinate_shares, force_shares};
use sparse::sparse_modes;
use std::fmt;

pub use freedom::Freedom;

/// All modes of a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Modes {
    /// Degrees of freedom.
    pub dof: usize,
    /// Modes whose eigenvalue is not zero, largest magnitude first; a conjugate pair is one mode.
    pub modes: Vec<Mode>,
    /// Eigenvalues that are zero: two for a motion without stiffness and damping, one for one with damping.
    pub zeros: usize,
    /// Motions without stiffness, by name.
    pub free: Vec<Freedom>,
    /// Largest acceleration of a centre of mass at the state, beyond those of the steady motion, m/s^2: far from zero,
    /// eigenvalues tell of the instant only.
    pub acceleration: f64,
    /// The axes in which small motions are seen: those in which the coefficients of their equations are constant.
    pub axes: Axes,
    /// Whether the mechanism moves at the state.
    pub moving: bool,
    /// Loads that are functions of time alone: they excite a steady motion and are no part of it.
    pub left_out: Vec<String>,
    /// Whether these are all modes; with sparse matrices, some next to a place.
    pub all: bool,
    /// Whether they were found with sparse matrices.
    pub sparse: bool,
}

/// Which modes to look for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModeChoice {
    /// Dense matrices give all modes of up to 2,000 degrees of freedom, sparse ones some modes of any mechanism at rest.
    pub matrices: Matrices,
    /// How many; if not given, all with dense matrices and 20 with sparse ones.
    pub count: Option<usize>,
    /// Those next to this frequency, Hz. With sparse matrices the slowest, if not given.
    pub near: Option<f64>,
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
    /// The motion, in the order of velocities: displacements of places, and turns about the axes of their bodies. Only
    /// ratios and differences of phase mean something.
    pub motion: Vec<Complex<f64>>,
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
    NoConvergence {
        /// How many were looked for.
        wanted: usize,
        /// How many were found.
        found: usize,
    },
    /// Sparse matrices know mechanisms at rest alone.
    Moving,
    /// There are no axes in which the mechanism moves steadily and the coefficients of small motions are constant.
    Varying,
    /// Sparse matrices do not know first-order states.
    States {
        /// The first of them.
        name: String,
    },
    /// A controller works at samples: there are no eigenvalues.
    Sampled {
        /// The controller.
        name: String,
    },
    /// More motions without stiffness than the iteration can do without.
    ManyFree {
        /// At least so many.
        least: usize,
    },
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
            NoModes::NoConvergence { wanted, found } => {
                write!(f, "the eigenvalue iteration did not converge: {found} of {wanted} found")
            }
            NoModes::Moving => {
                write!(f, "sparse matrices require a mechanism at rest, and this one moves")
            }
            NoModes::Varying => {
                write!(
                    f,
                    "the mechanism moves, and the linearised equations have time-varying coefficients, both in axes that do \
                     not turn and in axes that turn with a body"
                )
            }
            NoModes::States { name } => {
                write!(f, "sparse matrices are not available for models with states, such as `{name}`")
            }
            NoModes::Sampled { name } => {
                write!(f, "controller `{name}` is sampled, so eigenvalues are not defined")
            }
            NoModes::ManyFree { least } => {
                write!(f, "{least} or more motions without stiffness are too many for sparse matrices")
            }
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
        let finding = Finding::error(subject, "", format!("no modes: {self}"));
        match self {
            NoModes::Trouble(Trouble::TooLarge { .. }) => {
                finding.hint("use sparse matrices, at a state at rest such as the equilibrium")
            }
            NoModes::Moving => finding.hint("linearise at the equilibrium, or use dense matrices"),
            NoModes::Varying => finding.hint(
                "linearise at the equilibrium or at a steady motion (`--at equilibrium`, `--at steady`)",
            ),
            NoModes::States { .. } => finding.hint("use dense matrices"),
            NoModes::Sampled { .. } => finding.hint("omit its `period` to analyse the continuous controller"),
            NoModes::ManyFree { .. } => finding.hint("constrain the free motions by joints or springs"),
            NoModes::NoConvergence { .. } => {
                finding.hint("request fewer modes, or those near another frequency")
            }
            _ => finding,
        }
    }
}

/// Eigenvalues of lambda^2 Mhat + lambda M1 + M2 at a consistent state, in the metric of the mass and in axes in which
/// these coefficients are constant. `redundant`
/// marks the equations that the assembly found to follow from others. Motions without stiffness are taken out
/// first, so their eigenvalues are exactly zero. O(n^3) in the degrees of freedom n, O(n^4) with the shapes; with sparse
/// matrices O(entries of the factor) for each mode.
pub fn modes(system: &System, state: &State, redundant: &[bool]) -> Result<Modes, NoModes> {
    modes_of(system, &Problem::new(system, redundant), state, &ModeChoice::default())
}

/// The same for a problem whose structure may have been looked at before, with a choice of modes.
pub fn modes_of(
    system: &System,
    problem: &Problem,
    state: &State,
    choice: &ModeChoice,
) -> Result<Modes, NoModes> {
    if let Some(trouble) = not_linear(system, state) {
        return Err(trouble.into());
    }
    if let Some(trouble) = without_reactions(system, problem, state, choice.matrices) {
        return Err(trouble.into());
    }
    let mechanism = Dynamics::of(system, problem, Solver::Elimination);
    if let Some(sampler) = system.samplers.first() {
        return Err(NoModes::Sampled { name: sampler.name.clone() });
    }
    let moving = !system.is_at_rest(&state.v);
    if let (Matrices::Sparse, Some(own)) = (choice.matrices, system.states.first()) {
        return Err(NoModes::States { name: own.name.clone() });
    }
    if choice.matrices == Matrices::Sparse && moving {
        return Err(NoModes::Moving);
    }
    if !moving && system.states.is_empty() && choice.matrices.is_sparse(&mechanism) {
        return sparse_modes(mechanism, state, choice);
    }
    let mut modes = if moving {
        let (system, left_out) = system.without_loads_of_time();
        let evaluator = || Dynamics::of(&system, problem, Solver::Elimination);
        let motion = match steady_motion(&system, problem, state)? {
            Some(motion) => motion,
            // where nothing is free there are no coefficients that could vary
            None if Reduced::new(evaluator(), state)?.dim() == 0 => SteadyMotion::rest(&system),
            None => return Err(NoModes::Varying),
        };
        let mechanism = evaluator();
        Modes { left_out, ..dense_modes(mechanism, state, motion)? }
    } else {
        dense_modes(mechanism, state, SteadyMotion::rest(system))?
    };
    if let Some(near) = choice.near {
        let place = Complex::new(0.0, near * std::f64::consts::TAU);
        let far = |mode: &Mode| (Complex::new(mode.real, mode.imaginary) - place).norm();
        modes.modes.sort_by(|a, b| far(a).total_cmp(&far(b)));
        let shown = choice.count.unwrap_or(modes.modes.len()).min(modes.modes.len());
        modes.all = shown == modes.modes.len();
        modes.modes.truncate(shown);
        modes.modes.sort_by(|a, b| b.magnitude().total_cmp(&a.magnitude()));
    }
    Ok(modes)
}

/// About how much stiffness weight brings, 1/s^2.
fn natural_rate(system: &System) -> f64 {
    system.gravity.iter().map(|g| g * g).sum::<f64>().sqrt() / length_scale(system)
}

/// All modes, by dense matrices of independent coordinates.
fn dense_modes(mechanism: Dynamics, state: &State, motion: SteadyMotion) -> Result<Modes, NoModes> {
    let system = mechanism.system;
    let moving = !motion.is_still();
    let mut reduced = Reduced::new(mechanism, state)?;
    let dof = reduced.dim() - system.states.len();
    if reduced.dim() == 0 {
        return Ok(Modes { all: true, axes: motion.axes, moving, ..Modes::default() });
    }
    reduced.solve()?;
    let mut linearised = Linearised::new(&mut reduced)?;
    linearised.seen_in(&motion, &reduced);
    let pencil = Pencil::of(linearised, &reduced)?;
    let scale = length_scale(system);
    let states = states_among(&reduced);
    let wanted = 2 * dof + states.len();
    let sizes = RoundOff { reduced: &reduced, natural: natural_rate(system), rate: motion.fastest };
    let eigen =
        eigen::eigenvalues(&pencil, &states, &sizes).ok_or(NoModes::NoConvergence { wanted, found: 0 })?;
    let work = &reduced.mechanism.work;
    let modes = eigen.values.iter().enumerate().map(|(k, &lambda)| {
        let (x, residual) = eigen.vector(&pencil, lambda, k);
        let motion = pencil.motions.map(|x| Complex::new(x, 0.0)) * &x;
        Mode {
            real: lambda.re,
            imaginary: lambda.im,
            bodies: body_shares(system, &motion),
            coordinates: coordinate_shares(&reduced, &pencil, (&x, lambda.norm()), scale),
            forces: force_shares(system, work, &motion, lambda),
            motion: motion.iter().copied().collect(),
            residual,
        }
    });
    Ok(Modes {
        dof,
        modes: modes.collect(),
        zeros: eigen.zeros,
        free: freedom(system, work, &(&pencil.motions * &eigen.free)),
        acceleration: fastest(system, &unsteady(&motion, &reduced)),
        axes: motion.axes,
        moving,
        left_out: Vec::new(),
        all: true,
        sparse: false,
    })
}

/// Accelerations beyond those that a steady motion goes on with.
fn unsteady(motion: &SteadyMotion, reduced: &Reduced) -> Vec<f64> {
    let steady = motion.accelerations(reduced.mechanism.system, &reduced.velocity);
    reduced.mechanism.result.acc.iter().zip(&steady).map(|(acc, steady)| acc - steady).collect()
}

/// The places of first-order states among the independent coordinates.
fn states_among(reduced: &Reduced) -> Vec<usize> {
    let system = reduced.mechanism.system;
    let independent = reduced.partition.independent.iter().enumerate();
    independent.filter(|(_, c)| system.is_state_velocity(**c)).map(|(k, _)| k).collect()
}

/// Largest acceleration of a centre of mass.
fn fastest(system: &System, acc: &[f64]) -> f64 {
    let each = system.nodes.split_v(acc).take(system.masses());
    each.map(|(a, _)| a.iter().map(|x| x * x).sum::<f64>().sqrt()).fold(0.0, f64::max)
}
