//! Steady motions: axes that turn and move steadily, in which no place moves, and bodies that at most spin.
//!
//! Small motions about a steady motion have constant coefficients if they are seen in such axes: places in the axes
//! themselves, turns of a body in axes that follow the body less its spin s relative to them. A change of the
//! coordinates of the chart is dx(t) = S(t) y with S = 1 at the instant, and block by block
//!
//! ```text
//! place of a node in space    S' = Omega~              S'' = Omega~ Omega~
//! turn of a node in space     S' = w~/2 - s~           S'' = w~w~/6 + s~s~ - w~s~ + a~/2,  a = -s x w
//! place of a node in a plane  S' = Omega [0 -1; 1 0]   S'' = -Omega^2
//! all other coordinates       S' = S'' = 0
//! ```
//!
//! with w = A^T Omega + s the angular velocity of the body in its own axes.

mod balance;
mod search;

use crate::analysis::length_scale;
use crate::spatial::rotation_vector::exponential;
use crate::spatial::{M3, V3, add, apply, apply_t, cross, dot, euler, scale, sub};
use crate::system::{Node, NodeKind, State, System};
use nalgebra::{DMatrix, Matrix3, Vector3};
use std::fmt;

pub use balance::{NoSteadyMotion, steady_state};
pub(in crate::dynamics) use search::steady_motion;

/// The axes in which small motions are seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axes {
    /// Their angular velocity in axes of the ground, rad/s.
    pub rate: [f64; 3],
    /// The body whose angular velocity it is, if they turn.
    pub body: Option<String>,
}

impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.body {
            None => write!(f, "axes that do not turn"),
            Some(body) => write!(f, "axes that turn with body `{body}`"),
        }
    }
}

/// Differences of velocities below this part of the fastest are round-off.
const STEADY: f64 = 1e-7;

/// A motion as axes see it in which no place moves.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct SteadyMotion {
    pub axes: Axes,
    /// Velocity of the point of the axes at the origin.
    drift: V3,
    /// Of each node: spin relative to the axes, and angular velocity, both in axes of the body. In the plane along z.
    spins: Vec<V3>,
    rates: Vec<V3>,
    /// The fastest of all turns and shifts, 1/s.
    pub fastest: f64,
}

impl SteadyMotion {
    /// A state of rest.
    pub fn rest(system: &System) -> Self {
        let zeros = vec![[0.0; 3]; system.nodes.len()];
        let axes = Axes::default();
        Self { axes, drift: [0.0; 3], spins: zeros.clone(), rates: zeros, fastest: 0.0 }
    }

    /// The motion of a state in axes of some angular velocity; `None` if places move in them. O(nodes)
    pub fn seen_in(system: &System, state: &State, axes: Axes) -> Option<Self> {
        let moving = || system.nodes.iter().filter(|node| node.kind != NodeKind::State);
        let size = |x: &V3| dot(x, x).sqrt();
        let turns = moving().filter(|node| node.turns());
        let fastest_turn = turns.map(|node| size(&angular_velocity(node, state))).fold(0.0, f64::max);
        // the velocity of the axes' own point at the origin, seen from each place
        let places: Vec<V3> = moving()
            .filter(|node| node.kind != NodeKind::Scalar)
            .map(|node| sub(&velocity(node, state), &cross(&axes.rate, &place(node, state))))
            .collect();
        let speeds = moving().map(|node| size(&velocity(node, state)));
        let length = length_scale(system);
        let small = STEADY * speeds.fold(fastest_turn * length, f64::max);
        let count = places.len().max(1) as f64;
        let drift = scale(1.0 / count, &places.iter().fold([0.0; 3], |sum, v| add(&sum, v)));
        let scalar = |node: &Node| node.kind == NodeKind::Scalar && state.v[node.v].abs() > small;
        if places.iter().any(|v| size(&sub(v, &drift)) > small) || moving().any(scalar) {
            return None;
        }
        let rates: Vec<V3> = system.nodes.iter().map(|node| angular_velocity(node, state)).collect();
        let spin = |(node, rate): (&Node, &V3)| {
            let spin =
                if node.turns() { sub(rate, &apply_t(&attitude(node, state), &axes.rate)) } else { [0.0; 3] };
            if size(&spin) <= STEADY * fastest_turn { [0.0; 3] } else { spin }
        };
        let spins: Vec<V3> = system.nodes.iter().zip(&rates).map(spin).collect();
        let fastest = spins.iter().map(size).fold(size(&axes.rate).max(size(&drift) / length), f64::max);
        Some(Self { axes, drift, spins, rates, fastest })
    }

    /// The steady motion that is looked for near a state: axes that move as the body moves that they turn with, and spins
    /// about axes of symmetry. Axes that do not turn move as the centre of mass. O(nodes)
    fn wanted(system: &System, state: &State, axes: Axes) -> Self {
        let reference = axes.body.as_ref().and_then(|name| system.body_names.iter().position(|b| b == name));
        let drift = match reference.and_then(|body| system.nodes.iter().nth(body)) {
            Some(node) => sub(&velocity(node, state), &cross(&axes.rate, &place(node, state))),
            None => {
                let masses = || system.nodes.iter().zip(&system.inertia);
                let total: f64 = masses().map(|(_, inertia)| inertia.weight).sum();
                let places = masses().filter(|(node, _)| node.kind != NodeKind::Scalar);
                let momentum = places.fold([0.0; 3], |sum, (node, inertia)| {
                    add(&sum, &scale(inertia.weight, &velocity(node, state)))
                });
                scale(1.0 / total.max(f64::MIN_POSITIVE), &momentum)
            }
        };
        let spin = |(k, node): (usize, &Node)| {
            let turning = angular_velocity(node, state);
            // what does not turn at the start goes along with the axes
            if turning == [0.0; 3] {
                return turning;
            }
            let own = sub(&turning, &apply_t(&attitude(node, state), &axes.rate));
            let planar = node.nv < 6;
            let round = system.inertia.get(k).is_none_or(|inertia| is_round(&inertia.tensor, &own));
            if node.turns() && (planar || round) { own } else { [0.0; 3] }
        };
        let spins: Vec<V3> = system.nodes.iter().enumerate().map(spin).collect();
        Self { axes, drift, rates: spins.clone(), spins, fastest: 0.0 }
    }

    /// Gives a state the velocities of the motion at its places. O(nodes)
    fn carry(&self, system: &System, state: &mut State) {
        for (node, spin) in system.nodes.iter().zip(&self.spins) {
            match node.kind {
                NodeKind::State => continue,
                NodeKind::Scalar => state.v[node.v] = 0.0,
                NodeKind::Frame | NodeKind::Point => {
                    let speed = add(&self.drift, &cross(&self.axes.rate, &place(node, state)));
                    let turn = add(&apply_t(&attitude(node, state), &self.axes.rate), spin);
                    let own = &mut state.v[node.v()];
                    own[..node.places].copy_from_slice(&speed[..node.places]);
                    match node.nv - node.places {
                        1 => own[2] = turn[2],
                        3 => own[3..].copy_from_slice(&turn),
                        _ => {}
                    }
                }
            }
        }
    }

    /// Whether nothing moves.
    pub fn is_still(&self) -> bool {
        self.fastest == 0.0
    }

    /// S' and S'' times columns of velocities. O(nodes columns)
    pub fn transport(&self, system: &System, columns: &DMatrix<f64>) -> [DMatrix<f64>; 2] {
        let mut out = [columns * 0.0, columns * 0.0];
        for (k, node) in system.nodes.iter().enumerate() {
            let blocks = self.blocks(node, k);
            for (out, [of_place, of_turn]) in out.iter_mut().zip(&blocks) {
                for (first, count, block) in
                    [(node.v, node.places, of_place), (node.v + 3, node.nv - node.places, of_turn)]
                {
                    if count > 1 {
                        let own = block.view((0, 0), (count, count)) * columns.rows(first, count);
                        out.rows_mut(first, count).copy_from(&own);
                    }
                }
            }
        }
        out
    }

    /// The blocks of S' and of S'' of a node: of its place, and of its turn in space.
    fn blocks(&self, node: &Node, k: usize) -> [[Matrix3<f64>; 2]; 2] {
        if matches!(node.kind, NodeKind::Scalar | NodeKind::State) {
            return [[Matrix3::zeros(); 2]; 2];
        }
        let tilde = |x: &V3| Vector3::from(*x).cross_matrix();
        let omega = tilde(&self.axes.rate);
        let (w, s, a) =
            (tilde(&self.rates[k]), tilde(&self.spins[k]), tilde(&cross(&self.rates[k], &self.spins[k])));
        [[omega, w / 2.0 - s], [omega * omega, w * w / 6.0 + s * s - w * s + a / 2.0]]
    }

    /// Accelerations that the motion goes on with.
    pub fn accelerations(&self, system: &System, v: &[f64]) -> Vec<f64> {
        let mut acc = vec![0.0; v.len()];
        for (k, node) in system.nodes.iter().enumerate() {
            if matches!(node.kind, NodeKind::Scalar | NodeKind::State) {
                continue;
            }
            let mut speed = [0.0; 3];
            speed[..node.places].copy_from_slice(&v[node.v..][..node.places]);
            let own = cross(&self.axes.rate, &speed);
            acc[node.v..][..node.places].copy_from_slice(&own[..node.places]);
            if node.nv == 6 {
                acc[node.v + 3..][..3].copy_from_slice(&cross(&self.rates[k], &self.spins[k]));
            }
        }
        acc
    }

    /// The state some time later, but for time itself: drivers and loads that depend on time stay where they are.
    fn later(&self, system: &System, state: &State, tau: f64) -> State {
        let mut later = state.clone();
        let omega = self.axes.rate;
        let turned = turned_by(&scale(tau, &omega));
        // a point that the axes turn about, which moves along their axis
        let square = dot(&omega, &omega);
        let (centre, along) = if square > 0.0 {
            let along = scale(dot(&omega, &self.drift) / square, &omega);
            (scale(1.0 / square, &cross(&omega, &self.drift)), along)
        } else {
            ([0.0; 3], self.drift)
        };
        for (k, node) in system.nodes.iter().enumerate() {
            if matches!(node.kind, NodeKind::Scalar | NodeKind::State) {
                continue;
            }
            let arm = apply(&turned, &sub(&place(node, state), &centre));
            let at = add(&add(&centre, &arm), &scale(tau, &along));
            later.q[node.q..][..node.places].copy_from_slice(&at[..node.places]);
            let speed = apply(&turned, &velocity(node, state));
            later.v[node.v..][..node.places].copy_from_slice(&speed[..node.places]);
            match node.nv - node.places {
                // the angle of a body in the plane
                1 => later.q[node.q + 2] += tau * self.rates[k][2],
                3 => {
                    let own = &mut later.q[node.q + 3..][..4];
                    let before = [own[0], own[1], own[2], own[3]];
                    let spun = euler::product(&before, &exponential(&scale(tau, &self.spins[k])));
                    own.copy_from_slice(&euler::product(&exponential(&scale(tau, &omega)), &spun));
                    let rate = apply_t(&turned_by(&scale(tau, &self.spins[k])), &self.rates[k]);
                    later.v[node.v + 3..][..3].copy_from_slice(&rate);
                }
                _ => {}
            }
        }
        later
    }

    /// Columns of velocities of that later state as the axes saw them at first.
    fn turned_back(&self, system: &System, columns: &DMatrix<f64>, tau: f64) -> DMatrix<f64> {
        let mut back = columns.clone();
        let matrix = |m: M3| Matrix3::from_fn(|i, j| m[i][j]);
        let turned = matrix(turned_by(&scale(tau, &self.axes.rate))).transpose();
        for (k, node) in system.nodes.iter().enumerate() {
            if matches!(node.kind, NodeKind::Scalar | NodeKind::State) {
                continue;
            }
            let own = turned.view((0, 0), (node.places, node.places)) * columns.rows(node.v, node.places);
            back.rows_mut(node.v, node.places).copy_from(&own);
            if node.nv == 6 {
                let spun = matrix(turned_by(&scale(tau, &self.spins[k])));
                back.rows_mut(node.v + 3, 3).copy_from(&(spun * columns.rows(node.v + 3, 3)));
            }
        }
        back
    }
}

/// The place of a node; in the plane and of points and scalars, zero elsewhere.
fn place(node: &Node, state: &State) -> V3 {
    std::array::from_fn(|axis| node.along(&state.q, node.q, axis))
}

fn velocity(node: &Node, state: &State) -> V3 {
    std::array::from_fn(|axis| node.along(&state.v, node.v, axis))
}

/// In axes of the body; in the plane along z.
fn angular_velocity(node: &Node, state: &State) -> V3 {
    let own = &state.v[node.v()][node.places.min(node.nv)..];
    match (node.turns(), own) {
        (true, &[w]) => [0.0, 0.0, w],
        (true, &[x, y, z]) => [x, y, z],
        _ => [0.0; 3],
    }
}

/// The attitude of a frame. In the plane angular velocities are the same in all axes.
fn attitude(node: &Node, state: &State) -> M3 {
    match &state.q[node.q()][node.places..] {
        &[a, b, c, d] => euler::matrix(&[a, b, c, d]),
        _ => turned_by(&[0.0; 3]),
    }
}

/// The rotation of a rotation vector.
fn turned_by(r: &V3) -> M3 {
    euler::matrix(&exponential(r))
}

/// Parts of a tensor below this part of the largest are round-off.
const ROUND: f64 = 1e-9;

/// Whether a turn about an axis leaves an inertia as it is.
fn is_round(inertia: &M3, axis: &V3) -> bool {
    let size = dot(axis, axis).sqrt();
    if size == 0.0 {
        return true;
    }
    let axis = Vector3::from(*axis) / size;
    let inertia = Matrix3::from_fn(|i, j| inertia[i][j]);
    let about = axis * axis.transpose();
    let across = inertia - about * axis.dot(&(inertia * axis));
    let equal = (Matrix3::identity() - about) * (0.5 * across.trace());
    (across - equal).amax() <= ROUND * inertia.amax()
}
