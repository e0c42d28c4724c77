//! All first derivatives of the equations of motion in coordinates q = (r, p).

use super::{System, Work, in_space};
use crate::threads::join;
use std::mem::swap;

/// Derivatives of Phi, gamma, Q and M at one instant, in coordinates and their rates.
///
/// Matrices with a row per joint equation are stored in the blocks of the layout; n by n matrices in its body
/// pairs, by rows. Subscripts are partial derivatives with everything
/// else frozen. Phi_qt vanishes: motions enter the equations as f(t) alone.
/// The normalisation constraints p.p - 1 = 0 have their own short list, one per frame in space.
#[derive(Clone, Debug, Default)]
pub struct Derivatives {
    /// Phi_q.
    pub phi_q: Vec<f64>,
    /// (Phi_q q')_q.
    pub rate_q: Vec<f64>,
    /// (Phi_q q'')_q.
    pub acc_q: Vec<f64>,
    /// gamma_q, where Phi_q q'' = gamma.
    pub gamma_q: Vec<f64>,
    /// gamma_q'.
    pub gamma_qdot: Vec<f64>,
    /// gamma.
    pub gamma: Vec<f64>,
    /// Phi_t.
    pub phi_t: Vec<f64>,
    /// Phi_tt.
    pub phi_tt: Vec<f64>,
    /// gamma_t: third derivative of the motions.
    pub gamma_t: Vec<f64>,
    /// (Phi_q^T lam)_q, normalisations included.
    pub lam_q: Vec<f64>,
    /// Q: applied forces, weight and quadratic velocity terms.
    pub force: Vec<f64>,
    /// Q_q.
    pub force_q: Vec<f64>,
    /// Q_q'.
    pub force_qdot: Vec<f64>,
    /// Q_t.
    pub force_t: Vec<f64>,
    /// (M q'')_q: one block per body, as in the diagonal pairs; all pairs where mass couples bodies.
    pub mass_q: Vec<f64>,
    /// Of each inertance: its amount times g_q q''.
    pub pulls: Vec<f64>,
    /// Of the normalisations, per frame: Phi_p = 2 p, (Phi_p p')_p = 2 p', (Phi_p p'')_p = 2 p'', gamma = -2 p'.p';
    /// gamma_p = 0 and gamma_p' = -4 p'.
    pub normalisation: Vec<Normalisation>,
    /// What each group adds to (Phi_q^T lam)_q, pair by pair of its bodies, where groups are done in pieces; and where
    /// that begins, with the end.
    pub(super) shares: Vec<f64>,
    pub(super) share_starts: Vec<usize>,
    /// Room for the derivatives of an element of a beam.
    pub(super) beams: super::beams::BeamRoom,
    /// Room for the derivatives of a cell.
    pub(super) cells: crate::element::cell::CellSlopes,
    /// Room for the derivatives of a flexible body.
    pub(super) floating: super::floating::FloatingRoom,
    /// Room for what a force depends on.
    pub(super) jets: Vec<crate::element::basic::Jet>,
}

/// Derivatives of p.p - 1 = 0 for one body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Normalisation {
    /// Phi_p.
    pub phi_p: [f64; 4],
    /// (Phi_p p')_p.
    pub rate_p: [f64; 4],
    /// (Phi_p p'')_p.
    pub acc_p: [f64; 4],
    /// gamma.
    pub gamma: f64,
    /// gamma_p'.
    pub gamma_pdot: [f64; 4],
}

impl Derivatives {
    /// Exchanges the room for forces and inertia, so that it can be filled while that of constraints is. No allocation.
    fn swap_forces(&mut self, other: &mut Derivatives) {
        swap(&mut self.force, &mut other.force);
        swap(&mut self.force_q, &mut other.force_q);
        swap(&mut self.force_qdot, &mut other.force_qdot);
        swap(&mut self.force_t, &mut other.force_t);
        swap(&mut self.mass_q, &mut other.mass_q);
        swap(&mut self.pulls, &mut other.pulls);
        swap(&mut self.jets, &mut other.jets);
        swap(&mut self.beams, &mut other.beams);
        swap(&mut self.cells, &mut other.cells);
        swap(&mut self.floating, &mut other.floating);
    }
}

impl System {
    /// Room for the derivatives.
    pub fn derivatives(&self) -> Derivatives {
        let rows = || vec![0.0; self.layout.rows];
        let blocks = || vec![0.0; self.layout.numbers_q];
        let pairs = || vec![0.0; self.layout.pair_numbers_q];
        let n = self.coordinates();
        let share_starts = self.share_starts();
        Derivatives {
            phi_q: blocks(),
            rate_q: blocks(),
            acc_q: blocks(),
            gamma_q: blocks(),
            gamma_qdot: blocks(),
            gamma: rows(),
            phi_t: rows(),
            phi_tt: rows(),
            gamma_t: rows(),
            lam_q: pairs(),
            force: vec![0.0; n],
            force_q: pairs(),
            force_qdot: pairs(),
            force_t: vec![0.0; n],
            mass_q: vec![0.0; self.mass_numbers()],
            pulls: vec![0.0; self.inertances.len()],
            normalisation: vec![Normalisation::default(); self.normalisations()],
            shares: vec![0.0; share_starts.last().copied().unwrap_or(0)],
            share_starts,
            beams: self.beam_room(),
            cells: self.cell_room(),
            floating: self.floating_room(),
            jets: Vec::new(),
        }
    }

    /// Numbers of the derivative of inertia forces.
    fn mass_numbers(&self) -> usize {
        if self.is_coupled() {
            return self.layout.pair_numbers_q;
        }
        self.nodes.iter().map(|node| node.nq * node.nq).sum()
    }

    /// Evaluates all derivatives at the instant of the work, for accelerations `qddot` and multipliers `lam`
    /// (joint equations, then normalisations).
    pub fn evaluate_derivatives(&self, work: &Work, qddot: &[f64], lam: &[f64], out: &mut Derivatives) {
        in_space!(self.space, C => {
            let mut forces = Derivatives::default();
            forces.swap_forces(out);
            join(
                || {
                    self.constraint_derivatives::<C>(work, qddot, lam, out);
                    self.normalisation_derivatives::<C>(work, qddot, &lam[self.layout.rows..], out);
                },
                || {
                    self.body_derivatives::<C>(work, qddot, &mut forces);
                    self.force_derivatives::<C>(work, &mut forces);
                    self.beam_derivatives::<C>(work, &mut forces);
                    self.cell_derivatives(work, &mut forces);
                    self.inertance_derivatives::<C>(work, qddot, &mut forces);
                    self.floating_derivatives::<C>(work, qddot, &mut forces);
                },
            );
            out.swap_forces(&mut forces);
        });
    }
}
