//! The numbers of one instant.

use super::forces::TermForce;
use super::{FloatingInstant, System};
use crate::element::basic::First;
use crate::element::beam::{BeamNode, Six};
use crate::spatial::{BodyState, Coords, M3, V3};
use crate::threads::{Each, in_pieces};

/// Time, coordinates, velocities, the reference angles from which turns are counted, the pieces of switches, and inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Coordinates: (r, p) or (x, y, angle) of each frame, r of each point.
    pub q: Vec<f64>,
    /// Velocities: (r', w) or (x', y', angle') of each frame, r' of each point.
    pub v: Vec<f64>,
    /// Reference angles.
    pub turns: Vec<f64>,
    /// The piece of each switch that forces are evaluated on.
    pub pieces: Vec<u8>,
    /// The inputs of the model.
    pub inputs: Vec<f64>,
}

impl State {
    /// Takes over the numbers of another state of the same system, without allocation.
    pub fn copy_from(&mut self, other: &State) {
        self.t = other.t;
        self.q.clone_from(&other.q);
        self.v.clone_from(&other.v);
        self.turns.clone_from(&other.turns);
        self.pieces.clone_from(&other.pieces);
        self.inputs.clone_from(&other.inputs);
    }

    /// Whether all its numbers are finite and so far from the end of the range that their squares are too.
    pub fn is_sound(&self) -> bool {
        // not so of NaN
        self.q.iter().chain(&self.v).all(|x| x.abs() < SOUND)
    }
}

/// Numbers of a state are smaller than this.
const SOUND: f64 = 1e100;

/// What has come and gone since a run began, for the balance of its energy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Exchanged {
    /// Kinetic and potential energy at the start.
    pub start: f64,
    /// Dissipated so far.
    pub dissipated: f64,
    /// Work done so far by drivers and applied forces.
    pub work: f64,
}

/// Evaluated quantities of one instant; one per thread. Allocated once.
#[derive(Clone, Debug)]
pub struct Work {
    /// Time.
    pub t: f64,
    /// Bodies, ground last.
    pub bodies: Vec<BodyState>,
    /// Reference angles.
    pub turns: Vec<f64>,
    /// The piece of each switch that forces are evaluated on.
    pub pieces: Vec<u8>,
    /// The inputs of the model.
    pub inputs: Vec<f64>,
    /// What weight and applied forces and torques are multiplied by: one, but where loads grow bit by bit.
    pub load: f64,
    /// Phi of joints and drivers.
    pub phi: Vec<f64>,
    /// Phi_v: blocks of the layout, by rows.
    pub phi_v: Vec<f64>,
    /// Right side of the velocity equations, Phi_v v = nu = -Phi_t.
    pub nu: Vec<f64>,
    /// Right side of the acceleration equations, Phi_v v' = gamma.
    pub gamma: Vec<f64>,
    /// What inertances act on: row in velocities and curvature of each.
    pub rates: Vec<First>,
    /// Generalised forces in v, gyroscopic terms included: M v' + Phi_v^T lam = force.
    pub force: Vec<f64>,
    /// What each term does to its bodies, where there are many.
    pub(super) term_forces: Vec<TermForce>,
    /// Nodes of all elements of beams, with what these do to them.
    pub(super) beam_nodes: Vec<BeamNode>,
    /// What cells do to each of their nodes.
    pub(super) cell_forces: Vec<V3>,
    /// Resultants of beams that derivatives are taken with, where these are not those of the strains.
    pub(super) beam_resultants: Vec<Six<f64>>,
    /// Strains of cells whose stress derivatives are taken with, where these are not their own.
    pub(super) cell_strains: Vec<M3>,
    /// Flexible bodies: amplitudes and masses.
    pub floating: Vec<FloatingInstant>,
    /// Energies exchanged up to the instant, where a run keeps account of them.
    pub exchanged: Exchanged,
}

impl System {
    /// Room for the numbers of one instant.
    pub fn work(&self) -> Work {
        let ground = super::in_space!(self.space, C => C::ground());
        Work {
            t: 0.0,
            bodies: vec![ground; self.bodies() + 1],
            turns: self.given.turns.clone(),
            pieces: self.given.pieces.clone(),
            inputs: self.given.inputs.clone(),
            load: 1.0,
            phi: vec![0.0; self.layout.rows],
            phi_v: vec![0.0; self.layout.numbers],
            nu: vec![0.0; self.layout.rows],
            gamma: vec![0.0; self.layout.rows],
            rates: vec![First { value: 0.0, row: [[0.0; 6]; 2], curvature: 0.0 }; self.inertances.len()],
            force: vec![0.0; self.velocities()],
            term_forces: vec![
                [[0.0; 6]; 2];
                if self.terms.len() > self.grain { self.terms.len() } else { 0 }
            ],
            beam_nodes: vec![BeamNode::default(); self.beam_nodes()],
            cell_forces: vec![[0.0; 3]; self.cell_nodes()],
            beam_resultants: Vec::new(),
            cell_strains: Vec::new(),
            floating: self.floating_instants(),
            exchanged: Exchanged::default(),
        }
    }

    /// Sets the instant that the work is about. O(bodies).
    pub fn set(&self, work: &mut Work, t: f64, q: &[f64], v: &[f64]) {
        super::in_space!(self.space, C => {
            work.t = t;
            let bodies = &mut work.bodies[..self.nodes.len()];
            in_pieces(0..self.nodes.len(), self.grain, Each(bodies, 0), &|some, room: Each<BodyState>| {
                self.place::<C>(some.start, q, v, room.0);
            });
        });
        self.set_floating(work);
    }

    /// Places the bodies from `first` on.
    #[inline(never)]
    fn place<C: Coords>(&self, first: usize, q: &[f64], v: &[f64], bodies: &mut [BodyState]) {
        if self.nodes.has_points() {
            for (body, node) in bodies.iter_mut().zip(self.nodes.iter().skip(first)) {
                *body = node.state::<C>(q, v);
            }
        } else {
            let each = q[first * C::NQ..].chunks_exact(C::NQ).zip(v[first * C::NV..].chunks_exact(C::NV));
            bodies.iter_mut().zip(each).for_each(|(body, (q, v))| *body = C::body(q, v));
        }
    }

    /// Sets the instant from a state, turns and pieces included.
    pub fn set_state(&self, work: &mut Work, state: &State) {
        work.turns.copy_from_slice(&state.turns);
        work.pieces.copy_from_slice(&state.pieces);
        work.inputs.copy_from_slice(&state.inputs);
        self.set(work, state.t, &state.q, &state.v);
    }

    /// Rates of the coordinates from velocities.
    pub fn rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        super::in_space!(self.space, C => {
            for node in self.nodes.iter() {
                let b = node.state::<C>(q, v);
                let out = &mut qdot[node.q()];
                out[..node.places].copy_from_slice(&b.rdot[..node.places]);
                if node.turns() {
                    out[C::D..].copy_from_slice(&b.pdot[..C::K]);
                }
            }
        });
    }
}
