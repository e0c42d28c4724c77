//! What is large and what is small for a mechanism.

use crate::analysis::length_scale;
use crate::element::law::Strength;
use crate::spatial::V3;
use crate::system::{Nodes, System, Work};

/// Sizes to compare with.
pub(super) struct RestYardstick {
    /// Ranges of velocities of the bodies.
    nodes: Nodes,
    /// Nodes that are no states, which come last.
    masses: usize,
    /// A length typical of the bodies.
    pub length: f64,
    /// Size of the whole mechanism, at least the length.
    reach: f64,
}

/// Rates of states that are none, in parts of their size or of a small one, per second.
const NO_RATE: f64 = 1e-9;
const SMALL_STATE: f64 = 1e-3;

/// A turn that is as far as the size of the mechanism.
const TURN: f64 = 0.5;

impl RestYardstick {
    /// For a system at given coordinates.
    pub fn new(system: &System, q: &[f64]) -> Self {
        let masses = system.masses();
        let (d, length, n) = (system.dimensions(), length_scale(system), masses.max(1) as f64);
        let places = || system.nodes.split_q(q).take(masses).map(|(place, _)| place);
        let centre: Vec<f64> = (0..d).map(|k| places().filter_map(|r| r.get(k)).sum::<f64>() / n).collect();
        let from = |r: &[f64]| norm(&r.iter().zip(&centre).map(|(r, c)| r - c).collect::<Vec<f64>>());
        Self { nodes: system.nodes.clone(), masses, length, reach: places().map(from).fold(length, f64::max) }
    }

    /// What squares of the steps of all coordinates count, for the mean over bodies of the square of their way.
    pub fn weights(&self) -> Vec<f64> {
        let (place, turn) = (self.reach.powi(-2), TURN.powi(-2));
        let bodies = self.nodes.len().max(1) as f64;
        self.nodes.turning().map(|turns| if turns { turn } else { place } / bodies).collect()
    }

    /// The longest way of a body, in sizes of the mechanism, or half radians if that is more.
    pub fn way(&self, motion: &[f64]) -> f64 {
        let each = self.nodes.split_v(motion).take(self.masses);
        each.map(|(moves, turns)| (norm(moves) / self.reach).max(norm(turns) / TURN)).fold(0.0, f64::max)
    }

    /// The body with the largest acceleration, and that acceleration.
    pub fn acceleration(&self, acc: &[f64]) -> (usize, f64) {
        let each = self.nodes.split_v(acc).take(self.masses).enumerate();
        let sizes = each.map(|(b, (moves, turns))| (b, norm(moves).max(self.length * norm(turns))));
        sizes.fold((0, 0.0), |most, one| if one.1 > most.1 { one } else { most })
    }

    /// The state that is pushed most and held by nothing, with its rate, where states are coordinates.
    pub fn pushed_state(&self, rates: &[f64], q: &[f64]) -> Option<(usize, f64)> {
        let each = (self.masses..self.nodes.len()).map(|k| {
            let node = &self.nodes[k];
            (k, rates[node.v].abs(), q[node.q].abs() + SMALL_STATE)
        });
        let pushed = each.filter(|(_, rate, size)| *rate > NO_RATE * size);
        pushed.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(k, rate, _)| (k, rate))
    }

    /// Accelerations that the applied forces, or strains of beams next to nothing, would cause without joints.
    pub fn natural(&self, system: &System, work: &Work) -> f64 {
        let each = self.nodes.split_v(&work.force).take(self.masses).zip(&system.inertia);
        let sizes = each.map(|((push, twist), inertia)| {
            let turn: f64 = twist.iter().enumerate().map(|(k, q)| (q * inertia.inverse[k][k]).abs()).sum();
            (norm(push) * inertia.inverse_mass).max(self.length * turn)
        });
        let inner = strained(system).chain(stretched(system, work)).chain(stressed(system, work));
        sizes.chain(inner).fold(norm(&system.gravity), f64::max)
    }
}

/// A strain of beams that is as good as none, beside which round-off of their forces is small.
const NO_STRAIN: f64 = 1e-7;

/// What that strain accelerates the lightest body of each element of a beam with.
fn strained(system: &System) -> impl Iterator<Item = f64> {
    system.beams.iter().map(|beam| {
        let inverse = |&body: &usize| system.inertia[body].inverse_mass;
        let axial = beam.stiffness.iter().map(|section| section[0][0]).fold(0.0, f64::max);
        NO_STRAIN * axial * beam.bodies.iter().map(inverse).fold(0.0, f64::max)
    })
}

/// How many times the strain that rounding errors of places make is as good as none, over accelerations that are none.
const ROUGH: f64 = 1e8;

/// The same of bars, on the lighter of their ends. Places that are rounded strain short bars by more.
fn stretched<'a>(system: &'a System, work: &'a Work) -> impl Iterator<Item = f64> + 'a {
    system.terms.iter().filter_map(|term| {
        let (Strength::Bar(law), Some(length)) = (&term.strength, term.inputs.first()) else { return None };
        let ends = length.bodies().into_iter().filter(|&body| body < system.bodies());
        let far = ends.clone().map(|body| norm(&work.bodies[body].r)).fold(0.0, f64::max);
        let strain = NO_STRAIN.max(ROUGH * f64::EPSILON * far / law.rest);
        let inverse = ends.map(|body| system.inertia[body].inverse_mass).fold(0.0, f64::max);
        Some(strain * law.stiffness * inverse)
    })
}

/// The same of cells, with the resultant of the stress over a side of about their size. Places that are rounded strain small
/// cells by more.
fn stressed<'a>(system: &'a System, work: &'a Work) -> impl Iterator<Item = f64> + 'a {
    system.cells.iter().map(|cell| {
        let inverse = |&body: &usize| system.inertia[body].inverse_mass;
        let steepest = |gradients: &Vec<V3>| gradients.iter().map(|g| norm(g)).fold(0.0, f64::max);
        let (mut side, mut slope) = (0.0, 0.0_f64);
        for at in &cell.places {
            let own = steepest(&at.gradients);
            (side, slope) = (side + at.volume * own, slope.max(own));
        }
        let far = cell.bodies.first().map_or(0.0, |&body| norm(&work.bodies[body].r));
        let strain = NO_STRAIN.max(ROUGH * f64::EPSILON * far * slope);
        let stiffness = cell.lambda + 2.0 * cell.mu;
        strain * stiffness * side * cell.bodies.iter().map(inverse).fold(0.0, f64::max)
    })
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
