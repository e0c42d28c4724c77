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

use crate::spatial::{V3, dot, euler};
use crate::system::{Derivatives, System, Work};

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
fn four(row: &[f64]) -> [f64; 4] {
    [row[3], row[4], row[5], row[6]]
}

fn along(a: &[f64; 4], p: &[f64; 4]) -> f64 {
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
        self.read_rows(system, work, acc, lam, d);
        if coupled {
            self.read_pulls(system, work, d);
        }
        self.read_pairs(system, work, d);
        if coupled {
            self.add_inertances(system, work, acc);
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

    /// Rows of equations: dp, dp' and dp'' of the head of this file into (Phi_q q')_q, gamma_q - (Phi_q q'')_q and gamma_q'. What
    /// lies along p itself comes from the curvature of the chart; its forces are summed up per body.
    fn read_rows(&mut self, system: &System, work: &Work, acc: &[f64], lam: &[f64], d: &Derivatives) {
        for block in &system.layout.blocks {
            let first = system.layout.groups[block.group].rows.start;
            let (b, body) = (block.body, &work.bodies[block.body]);
            let (p, w) = (&body.p, &body.w);
            let turns = block.nq == 7;
            let a: V3 = if turns { std::array::from_fn(|k| acc[block.v + 3 + k]) } else { [0.0; 3] };
            let w2 = dot(w, w);
            for r in 0..block.rows {
                let (from, to) = (block.row_q(r).start, block.row(r).start);
                for k in 0..block.nv.min(3) {
                    self.rate[to + k] = d.rate_q[from + k];
                    self.position[to + k] = d.gamma_q[from + k] - d.acc_q[from + k];
                    self.velocity[to + k] = d.gamma_qdot[from + k];
                }
                if !turns {
                    continue;
                }
                let phi = four(&d.phi_q[from..]);
                let (phi_radial, phi_turn) = (along(&phi, p), euler::g_times(p, &phi));
                self.radial[b] -= lam[first + r] * phi_radial;
                let (gamma, acc_q) = (four(&d.gamma_q[from..]), four(&d.acc_q[from..]));
                let gamma_rate = four(&d.gamma_qdot[from..]);
                let by_q = euler::g_times(p, &std::array::from_fn(|k| gamma[k] - acc_q[k]));
                let by_rate = euler::g_times(p, &gamma_rate);
                let rate = euler::g_times(p, &four(&d.rate_q[from..]));
                let rate_radial = along(&gamma_rate, p);
                let curl = dot(&phi_turn, w) / 12.0;
                for k in 0..3 {
                    self.rate[to + 3 + k] = 0.5 * rate[k] - 0.25 * phi_radial * w[k];
                    self.position[to + 3 + k] = 0.5 * by_q[k] - 0.25 * rate_radial * w[k]
                        + 0.25 * phi_radial * a[k]
                        + curl * w[k]
                        + w2 / 24.0 * phi_turn[k];
                    self.velocity[to + 3 + k] = 0.5 * by_rate[k] + 0.5 * phi_radial * w[k];
                }
            }
        }
    }

    fn read_pairs(&mut self, system: &System, work: &Work, d: &Derivatives) {
        for pair in &system.layout.pairs {
            let [a, b] = pair.bodies;
            let (left, right) = (&work.bodies[a].p, &work.bodies[b].p);
            let w = &work.bodies[b].w;
            let ([rows, columns], [to_rows, to_columns]) = (pair.nq, pair.nv);
            let (mut stiffness, mut damping) = ([[0.0; 6]; 7], [[0.0; 6]; 7]);
            for i in 0..rows {
                let at = pair.at_q + i * columns;
                let mut by_q = [0.0; 7];
                for (l, x) in by_q[..columns].iter_mut().enumerate() {
                    *x = d.lam_q[at + l] - d.force_q[at + l];
                }
                if a == b || d.mass_q.len() == d.force_q.len() {
                    by_q[..columns].iter_mut().zip(&d.mass_q[at..]).for_each(|(x, mass)| *x += mass);
                }
                let by_rate = &d.force_qdot[at..at + columns];
                for l in 0..columns.min(3) {
                    stiffness[i][l] = by_q[l];
                    damping[i][l] = -by_rate[l];
                }
                if columns == 7 {
                    let (turn, rate) = (euler::g_times(right, &four(&by_q)), four(by_rate));
                    let radial = 0.25 * along(&rate, right);
                    let rate = euler::g_times(right, &rate);
                    for l in 0..3 {
                        stiffness[i][3 + l] = 0.5 * turn[l] + radial * w[l];
                        damping[i][3 + l] = -0.5 * rate[l];
                    }
                }
            }
            for (wide, out) in [(&stiffness, &mut self.stiffness), (&damping, &mut self.damping)] {
                let out = &mut out[pair.at..pair.at + to_rows * to_columns];
                for l in 0..to_columns {
                    (0..to_rows.min(3)).for_each(|i| out[i * to_columns + l] = wide[i][l]);
                    if rows == 7 {
                        let turn = euler::g_times(left, &[wide[3][l], wide[4][l], wide[5][l], wide[6][l]]);
                        (0..3).for_each(|i| out[(3 + i) * to_columns + l] = 0.5 * turn[i]);
                    }
                }
            }
        }
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
}
