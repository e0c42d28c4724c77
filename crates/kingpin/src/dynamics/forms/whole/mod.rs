//! The equations of motion in all coordinates, for implicit methods on systems of any size.

mod balance;
mod bordered;
mod cost;
mod form;
mod grouping;
mod instants;
mod locked;
mod measure;
mod memory;
mod notes;
mod pair;
mod pencil;
mod products;
mod recover;
mod second_order;
mod skeleton;
mod writing;

pub use bordered::Bordered;
pub(in crate::dynamics) use cost::sparse_pays;
pub(in crate::dynamics) use pencil::{BoundFactor, BoundPencil, ComplexBoundFactor, StiffnessSide, Swing};

use super::chart::Chart;
use super::jacobian::CoordinateJacobian;
use super::reduced::StepEnd;
use super::slopes::Slopes;
use super::turning::Turning;
use crate::analysis::length_scale;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::scales::Yardstick;
use crate::linalg::{BlockFactor, FourWide};
use crate::system::{Derivatives, State, System};
use bordered::Structure;
use grouping::Grouping;
use locked::LockedParts;
use notes::StageNotes;
use skeleton::Skeleton;
use std::sync::Arc;

/// All coordinates x of the chart of a step and their rates, of which only what is tangent to the constraints where
/// the step starts counts: x is known up to D mu with D = W Phi_x^T there, and mu follows from the constraints. What is
/// discretised is the motion in the tangent plane, z = V^T W^-1 (x - x0), for any basis V of it: a linear formula for z
/// holds if and only if what it leaves in x is of the form D mu [Negrut 1998, appendix B]. No basis is formed, no
/// coordinates are chosen, and every matrix is sparse.
///
/// The metric W^-1 decides which coordinates give way to the constraints. Turns are heavy (`HEAVY`), and places give
/// way: forces in joints depend on turns, motions are smooth functions of them, and what is stiff stays linear. In the
/// metric of the mass, where matrices would be smaller, long chains of stiff hinges need many times the steps.
pub struct Whole<'a, const EXACT: bool> {
    /// The mechanism.
    pub mechanism: Dynamics<'a>,
    /// What errors are measured against; the norm of the stepper if there is none.
    pub yardstick: Option<Arc<Yardstick>>,
    jacobian: CoordinateJacobian,
    structure: Structure,
    chart: Chart,
    turning: Turning,
    base: LevelBase,
    end: StepEnd,
    /// What was asked for at the end of the step, and at the instant at hand.
    end_asked: Vec<f64>,
    asked: Vec<f64>,
    /// The instant at hand in the chart; whether `xddot` belongs to it.
    t: f64,
    x: Vec<f64>,
    xdot: Vec<f64>,
    xddot: Vec<f64>,
    solved: bool,
    /// The same instant in coordinates and velocities.
    q: Vec<f64>,
    velocity: Vec<f64>,
    /// Phi_x in the configuration of the last recovery, and the factor of [W^-1 Phi_0^T; Phi_x 0] somewhere in the step,
    /// if that of the base was not good enough.
    values: Vec<f64>,
    here: BlockFactor<f64>,
    renewed: bool,
    /// The stages of the step; whether they and the factor are good for something.
    notes: StageNotes,
    warm: bool,
    /// Room for an error, and what has none.
    error: Vec<f64>,
    locked: LockedParts,
    /// Whether the instant at hand satisfies the constraints; a failure leaves it somewhere else.
    recovered: bool,
    room: WholeRoom,
    derivatives: Derivatives,
    slopes: Slopes,
    qddot: Vec<f64>,
    multipliers: Vec<f64>,
}

/// The accepted state at which the chart is based.
#[derive(Clone, Debug, Default)]
struct LevelBase {
    t: f64,
    x: Vec<f64>,
    xdot: Vec<f64>,
    xddot: Vec<f64>,
    /// M, W^-1, Phi_x and the factor of [W^-1 Phi_x^T; Phi_x 0] there.
    mass: Vec<f64>,
    metric: Vec<f64>,
    phi: Vec<f64>,
    factor: BlockFactor<f64>,
    /// Whether there is one: the constraints are independent.
    regular: bool,
    /// Multipliers of the kept equations, if the last stage of a step has left any.
    lam: Vec<f64>,
    has_lam: bool,
    /// Size of corrections that count as none.
    still: f64,
}

/// Room for a right side, equations, forces, and changes or accelerations of all bodies.
#[derive(Clone, Debug, Default)]
struct WholeRoom {
    right: Vec<f64>,
    four: Vec<FourWide>,
    equations: Vec<f64>,
    force: Vec<f64>,
    acc: Vec<f64>,
    change: Vec<f64>,
    rate_change: Vec<f64>,
    /// Zeros.
    nothing: Vec<f64>,
}

impl<'a, const EXACT: bool> Whole<'a, EXACT> {
    /// The form at a consistent state; an error where the constraints are dependent there.
    pub fn new(mechanism: Dynamics<'a>, state: &State) -> Result<Self, Trouble> {
        let system = mechanism.system;
        let jacobian = CoordinateJacobian::new(system, &mechanism.redundant);
        let structure = structure(system, &jacobian, EXACT);
        structure.has_room(system)?;
        let skeleton = &structure.single;
        let n = system.velocities();
        let room = || vec![0.0; n];
        let (values, factor) = (vec![0.0; jacobian.len], BlockFactor::new(&skeleton.lu));
        let mut whole = Self {
            yardstick: None,
            chart: Chart::new(system),
            turning: Turning::new(system),
            base: LevelBase {
                x: room(),
                xdot: room(),
                xddot: room(),
                mass: constant_mass(system),
                metric: giving_way(system),
                phi: values.clone(),
                factor,
                lam: vec![0.0; skeleton.equations()],
                ..LevelBase::default()
            },
            end: StepEnd { x: room(), xdot: room(), xddot: room(), acc: room(), ..StepEnd::default() },
            end_asked: vec![0.0; 2 * n],
            asked: vec![0.0; 2 * n],
            t: state.t,
            x: room(),
            xdot: room(),
            xddot: room(),
            solved: false,
            q: state.q.clone(),
            velocity: state.v.clone(),
            values,
            here: BlockFactor::new(&skeleton.lu),
            renewed: false,
            notes: StageNotes::default(),
            warm: false,
            error: vec![0.0; 2 * n],
            locked: LockedParts::new(system, &jacobian),
            recovered: true,
            room: WholeRoom {
                right: vec![0.0; skeleton.lu.rows()],
                four: vec![[0.0; 4]; skeleton.lu.rows()],
                equations: vec![0.0; skeleton.equations()],
                force: room(),
                acc: room(),
                change: room(),
                rate_change: room(),
                nothing: room(),
            },
            derivatives: system.derivatives(),
            slopes: Slopes::new(system),
            qddot: vec![0.0; system.coordinates()],
            multipliers: vec![0.0; system.constraints()],
            structure,
            jacobian,
            mechanism,
        };
        whole.begin(state);
        if whole.base.regular { Ok(whole) } else { Err(Trouble::Partition) }
    }

    /// Sets the state from which the next step starts.
    pub fn begin(&mut self, state: &State) {
        let Dynamics { system, work, .. } = &mut self.mechanism;
        system.set_state(work, state);
        system.evaluate_constraints(work);
        self.t = state.t;
        self.q.copy_from_slice(&state.q);
        self.velocity.copy_from_slice(&state.v);
        (self.solved, self.base.has_lam) = (false, false);
        self.room.acc.fill(0.0);
        self.set_base();
    }

    /// The instant at hand as the coordinates of a stepper: x, then x'.
    pub fn coordinates(&self, y: &mut [f64]) {
        let (x, xdot) = y.split_at_mut(self.x.len());
        x.copy_from_slice(&self.x);
        xdot.copy_from_slice(&self.xdot);
    }

    /// The instant at hand as a state.
    pub fn write_state(&self, state: &mut State) {
        state.t = self.t;
        state.q.copy_from_slice(&self.q);
        state.v.copy_from_slice(&self.velocity);
        state.turns.copy_from_slice(&self.mechanism.work.turns);
        state.pieces.copy_from_slice(&self.mechanism.work.pieces);
    }
}

/// Nodes and order, from the structure alone: whatever the state, the same.
fn structure(system: &System, jacobian: &CoordinateJacobian, exact: bool) -> Structure {
    let grouping = grouping_of(system, jacobian);
    let of = |copies: usize| Arc::new(Skeleton::new(system, jacobian, &grouping, copies));
    Structure { single: of(1), triple: exact.then(|| of(3)) }
}

impl Structure {
    /// An error where the factors that are kept at once surely take more memory than there is: two, and one of three copies.
    fn has_room(&self, system: &System) -> Result<(), Trouble> {
        let numbers = 2 * self.single.lu.kept() + self.triple.as_ref().map_or(0, |triple| triple.lu.kept());
        let needed = (numbers * size_of::<f64>()) as u64;
        let Some(there) = system.memory.filter(|&there| needed > there) else { return Ok(()) };
        let (structure, name) = match &system.structures[..] {
            [only] => (Some(0), only.name.clone()),
            _ => (None, String::new()),
        };
        Err(Trouble::Memory { structure, name, needed, there })
    }
}

/// Which equations go with which bodies.
fn grouping_of(system: &System, jacobian: &CoordinateJacobian) -> Grouping {
    // a configuration without symmetry
    let spread = |k: usize| ((k * 7919 + 104_729) % 1009) as f64 / 1009.0 - 0.4;
    let q: Vec<f64> = (0..system.coordinates()).map(spread).collect();
    let mut work = system.work();
    system.set(&mut work, 0.0, &q, &vec![0.0; system.velocities()]);
    system.evaluate_constraints(&mut work);
    Grouping::new(system, jacobian, &work.phi_v)
}

/// How much more turns count than places where these are to give way to the constraints: enough for long chains, and not
/// so much that equations between turns drown in rounding errors of those between places.
const HEAVY: f64 = 1e6;

/// The metric in which places give way: the same for all bodies, turns by the size of the mechanism's parts. Amplitudes of
/// flexible bodies are stiff, and count like turns.
pub(in crate::dynamics::forms) fn heaviness(system: &System) -> Vec<f64> {
    let turn = HEAVY * length_scale(system).powi(2);
    let mut all: Vec<f64> = system.nodes.turning().map(|turns| if turns { turn } else { 1.0 }).collect();
    system.amplitudes().for_each(|node| all[system.nodes[node].v] = HEAVY);
    all
}

/// The same where the mass is.
fn giving_way(system: &System) -> Vec<f64> {
    let mut metric = vec![0.0; constant_mass(system).len()];
    let heaviness = heaviness(system);
    for pair in &system.layout.pairs[..system.bodies()] {
        let n = pair.nv[0];
        let own = &heaviness[system.nodes.v(pair.bodies[0])];
        own.iter().enumerate().for_each(|(k, heavy)| metric[pair.at + k * (n + 1)] = *heavy);
    }
    metric
}

/// Room for the mass, with the constant part of it: of the bodies alone, or of all pairs where mass couples bodies.
fn constant_mass(system: &System) -> Vec<f64> {
    let own = system.layout.pairs[..system.bodies()].iter().map(|pair| pair.nv[0] * pair.nv[1]).sum();
    let mut mass = vec![0.0; if system.is_coupled() { system.layout.pair_numbers } else { own }];
    set_constant_mass(system, &mut mass);
    mass
}

/// The constant part of the mass alone.
fn set_constant_mass(system: &System, mass: &mut [f64]) {
    mass.fill(0.0);
    let (d, diagonal) = (system.dimensions(), &system.layout.pairs[..system.bodies()]);
    for (pair, inertia) in diagonal.iter().zip(&system.inertia) {
        let n = pair.nv[0];
        (0..d.min(n)).for_each(|k| mass[pair.at + k * (n + 1)] = inertia.mass);
        for i in d..n {
            (d..n).for_each(|j| mass[pair.at + i * n + j] = inertia.tensor[i - d][j - d]);
        }
    }
}
