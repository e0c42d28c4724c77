//! Derivatives of the equations of motion in the chart of a step, where it is based.
//!
//! In the chart, with eta = 0 and eta' = w, eta'' = a, Euler parameters and their rates change by
//!
//! ```text
//! dp   = 1/2 G^T deta                                  dp'  = 1/2 G^T deta' - 1/4 (w.deta) p
//! dp'' = 1/2 G^T deta'' - (1/2 w.deta' + 1/4 a.deta) p - G^T (1/12 (w.deta) w + 1/24 w.w deta)
//! ```
//!
//! so the derivatives in coordinates (r, p) are contracted with these. What the normalisation of p costs as a
//! constraint force is the curvature of the chart: its multiplier on the diagonal.

use super::slopes_room::{BlockSlopes, Chartered, PairSlopes};
use crate::spatial::{V3, dot, euler};
use crate::system::{Derivatives, System, Work};
use crate::threads::in_pieces;

/// Derivatives with respect to the coordinates x of the chart and their rates. Matrices with a row per equation lie
/// in the blocks of the layout; n by n matrices in its body pairs, by rows. Points move as their coordinates do.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Slopes {
    /// (Phi_x x')_x.
    pub rate: Vec<f64>,
    /// gamma - Phi_x x'' by x.
    pub position: Vec<f64>,
    /// The same by x'.
    pub velocity: Vec<f64>,
    /// M x'' + Phi_x^T lam - Q by x.
    pub stiffness: Vec<f64>,
    /// The same by x'.
    pub damping: Vec<f64>,
    /// Q by time.
    pub force_t: Vec<f64>,
    /// Parts of Phi_q along p, and radial forces.
    radial: Vec<f64>,
}

/// The four numbers of a row for the Euler parameters of a body.
#[inline(always)]
pub(super) fn four(row: &[f64]) -> [f64; 4] {
    [row[3], row[4], row[5], row[6]]
}

/// Their part along the Euler parameters themselves.
#[inline(always)]
pub(super) fn along(a: &[f64; 4], p: &[f64; 4]) -> f64 {
    a[0] * p[0] + a[1] * p[1] + a[2] * p[2] + a[3] * p[3]
}

impl Slopes {
    pub fn new(system: &System) -> Self {
        let (rows, pairs) = (system.layout.numbers, system.layout.pair_numbers);
        Self {
            rate: vec![0.0; rows],
            position: vec![0.0; rows],
            velocity: vec![0.0; rows],
            stiffness: vec![0.0; pairs],
            damping: vec![0.0; pairs],
            force_t: vec![0.0; system.velocities()],
            radial: vec![0.0; if system.dimensions() == 3 { system.bodies() } else { 0 }],
        }
    }

    /// Contracts the derivatives of an instant with accelerations `acc` and multipliers `lam`. O(blocks + pairs)
    pub fn read(&mut self, system: &System, work: &Work, acc: &[f64], lam: &[f64], d: &Derivatives) {
        if system.dimensions() == 2 {
            return self.read_planar(d);
        }
        // radial forces Q . p of each body, and Q_t; then rows, whose multipliers add to them, and pairs, which use them
        let coupled = system.is_coupled();
        for (b, radial) in self.radial.iter_mut().enumerate() {
            let node = &system.nodes[b];
            let (force, force_t) = (&d.force[node.q()], &d.force_t[node.q()]);
            let out = &mut self.force_t[node.v()];
            out[..node.places].copy_from_slice(&force_t[..node.places]);
            if node.turns() {
                *radial = along(&work.bodies[b].p, &four(force));
                let turn = euler::g_times(&work.bodies[b].p, &four(force_t));
                (0..3).for_each(|k| out[3 + k] = 0.5 * turn[k]);
            }
        }
        self.read_rows(system, &Chartered { work, acc, lam, d });
        if coupled {
            self.read_pulls(system, work, d);
        }
        self.read_pairs(system, work, d);
        if coupled {
            self.add_inertances(system, work, acc);
            self.add_floating(system, work);
        }
    }

    /// In the plane the chart is the coordinates themselves: sums and differences, term by term.
    fn read_planar(&mut self, d: &Derivatives) {
        self.rate.copy_from_slice(&d.rate_q);
        self.velocity.copy_from_slice(&d.gamma_qdot);
        let each = self.position.iter_mut().zip(&d.gamma_q).zip(&d.acc_q);
        each.for_each(|((out, gamma), acc)| *out = gamma - acc);
        let each = self.stiffness.iter_mut().zip(&d.lam_q).zip(&d.force_q);
        each.for_each(|((out, lam), force)| *out = lam - force);
        // the diagonal pairs come first, in order of the bodies; all pairs where mass couples bodies
        self.stiffness.iter_mut().zip(&d.mass_q).for_each(|(out, mass)| *out += mass);
        self.damping.iter_mut().zip(&d.force_qdot).for_each(|(out, x)| *out = -x);
        self.force_t.copy_from_slice(&d.force_t);
    }

    /// Rows of equations: what lies along p itself comes from the curvature of the chart, and its forces are summed up per
    /// body.
    fn read_rows(&mut self, system: &System, at: &Chartered) {
        let layout = &system.layout;
        for block in layout.blocks.iter().filter(|block| block.nq == 7) {
            let (p, first) = (&at.work.bodies[block.body].p, layout.groups[block.group].rows.start);
            for r in 0..block.rows {
                let phi = four(&at.d.phi_q[block.row_q(r).start..]);
                self.radial[block.body] -= at.lam[first + r] * along(&phi, p);
            }
        }
        let room = BlockSlopes {
            layout,
            rate: &mut self.rate,
            position: &mut self.position,
            velocity: &mut self.velocity,
            first: 0,
        };
        in_pieces(0..layout.blocks.len(), system.grain, room, &|blocks, room: BlockSlopes| {
            room.read(&layout.blocks[blocks], at);
        });
    }

    fn read_pairs(&mut self, system: &System, work: &Work, d: &Derivatives) {
        let pairs = &system.layout.pairs[..];
        let room = PairSlopes { pairs, stiffness: &mut self.stiffness, damping: &mut self.damping, first: 0 };
        in_pieces(0..pairs.len(), system.grain, room, &|own, room: PairSlopes| {
            room.read(&pairs[own], work, d);
        });
        // the diagonal pairs come first, in order of the bodies: M dx'' and the curvature of the chart
        for b in system.nodes.normalised() {
            let (radial, at) = (self.radial[b], system.layout.pairs[b].at);
            let (w, j) = (&work.bodies[b].w, &system.inertia[b].tensor);
            let w2 = dot(w, w) / 12.0;
            for i in 0..3 {
                let spin = dot(&j[i], w) / 6.0;
                for l in 0..3 {
                    self.stiffness[at + (3 + i) * 6 + 3 + l] -= spin * w[l] + w2 * j[i][l];
                }
                self.stiffness[at + (3 + i) * 6 + 3 + i] += 0.25 * radial;
            }
        }
    }

    /// Radial parts of what inertances need for accelerations.
    fn read_pulls(&mut self, system: &System, work: &Work, d: &Derivatives) {
        for (inertance, pull) in system.inertances.iter().zip(&d.pulls) {
            let radial = system.inertance_radial(inertance, work);
            for (side, body) in inertance.basic.bodies().into_iter().enumerate() {
                if body < system.bodies() {
                    self.radial[body] -= pull * radial[side];
                }
            }
        }
    }

    /// b g_v^T (g_q dp'') of inertances, for what dp'' has of deta and deta'.
    fn add_inertances(&mut self, system: &System, work: &Work, acc: &[f64]) {
        for (k, inertance) in system.inertances.iter().enumerate() {
            let (rate, of) = (&work.rates[k], inertance.basic.bodies());
            let radial = system.inertance_radial(inertance, work);
            let map = &system.layout.inertance_pairs[k];
            for (j, &b) in map.bodies.iter().enumerate().filter(|(_, b)| system.nodes[**b].turns()) {
                let side = usize::from(of[0] != b);
                let (w, first) = (&work.bodies[b].w, system.nodes[b].v + 3);
                // the row in velocities is 1/2 G g_p
                let turn: V3 = std::array::from_fn(|l| 2.0 * rate.row[side][3 + l]);
                let (curl, w2) = (dot(&turn, w) / 12.0, dot(w, w) / 24.0);
                let by_turn: V3 = std::array::from_fn(|l| {
                    0.25 * radial[side] * acc[first + l] + curl * w[l] + w2 * turn[l]
                });
                for (i, &a) in map.bodies.iter().enumerate() {
                    let pair = &system.layout.pairs[map.pairs[i * map.bodies.len() + j] as usize];
                    let row = &rate.row[usize::from(of[0] != a)];
                    for (r, g) in row[..pair.nv[0]].iter().enumerate() {
                        let at = pair.at + r * pair.nv[1] + 3;
                        for l in 0..3 {
                            self.stiffness[at + l] -= inertance.amount * g * by_turn[l];
                            self.damping[at + l] -= inertance.amount * g * 0.5 * radial[side] * w[l];
                        }
                    }
                }
            }
        }
    }
    /// M dp'' of flexible bodies, whose mass has nothing along p, for what dp'' has of deta.
    fn add_floating(&mut self, system: &System, work: &Work) {
        let all = system.floating.iter().zip(&work.floating).zip(&system.layout.floating_pairs);
        for ((body, own), map) in all {
            let w = &work.bodies[body.frame].w;
            let w2 = dot(w, w) / 12.0;
            let mut add = |at: usize, row: &V3| {
                let spin = dot(row, w) / 6.0;
                (0..3).for_each(|l| self.stiffness[at + l] -= spin * w[l] + w2 * row[l]);
            };
            let column = |a: usize| &system.layout.pairs[map.pairs[a * map.bodies.len()] as usize];
            for (i, row) in own.mass.inertia.iter().enumerate() {
                add(column(0).at + (3 + i) * 6 + 3, row);
            }
            for (j, row) in own.mass.turning.iter().enumerate() {
                add(column(j + 1).at + 3, row);
            }
        }
    }
}
