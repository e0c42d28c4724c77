//! Flexible bodies in floating frames: their share of mass and forces, and its derivatives.
//!
//! The nodes of a body have half of its inertia and of the masses of its amplitudes; what depends on amplitudes, and the
//! other halves, is a mass over all of them: `[J(z), H(z); H(z)^T, m]` on the turning of the frame and the amplitudes. It
//! stays definite while deformations are small, so that solvers can have it as rows that yield ([`FloatingInstant::rows`]).

use super::derivatives::Derivatives;
use super::{System, Work};
use crate::element::floating::{FloatingBody, FloatingForce, FloatingMass, FloatingMotion, FloatingSlopes};
use crate::spatial::{BodyState, Coords, M3, V3, apply, dot};
use std::cmp::Ordering::{Greater, Less};

/// A flexible body at an instant.
#[derive(Clone, Debug)]
pub struct FloatingInstant {
    /// Amplitudes.
    pub z: Vec<f64>,
    /// Their rates.
    pub rates: Vec<f64>,
    /// The mass.
    pub mass: FloatingMass,
    /// What acts on the amplitudes.
    forces: Vec<f64>,
}

/// Room for the derivatives of one body.
#[derive(Clone, Debug, Default)]
pub(super) struct FloatingRoom {
    acc: Vec<f64>,
    slopes: FloatingSlopes,
}

impl FloatingInstant {
    fn new(amplitudes: usize) -> FloatingInstant {
        let zeros = || vec![0.0; amplitudes];
        FloatingInstant { z: zeros(), rates: zeros(), mass: FloatingMass::new(amplitudes), forces: zeros() }
    }

    /// Rows L^T with L L^T the mass, over the turning of the frame and the amplitudes, those of the amplitudes first: row j
    /// of these is H_j / sqrt(m_j) and sqrt(m_j), the last ones have the frame alone. No numbers where the mass is not
    /// definite. O(amplitudes)
    pub fn rows(&self, masses: &[f64], axes: usize, mut put: impl FnMut(usize, V3, f64)) {
        for (j, (h, m)) in self.mass.turning.iter().zip(masses).enumerate() {
            let root = m.sqrt();
            put(j, h.map(|x| x / root), root);
        }
        let (c, _) = self.of_frame(masses, axes);
        for k in 0..axes {
            put(masses.len() + k, [c[0][k], c[1][k], c[2][k]], 0.0);
        }
    }

    /// C with C C^T = J - H m^-1 H^T, column by column, and the least square of its diagonal in parts of what J has there.
    fn of_frame(&self, masses: &[f64], axes: usize) -> (M3, f64) {
        let mut rest = self.mass.inertia;
        for (h, m) in self.mass.turning.iter().zip(masses) {
            for a in 0..3 {
                (0..3).for_each(|b| rest[a][b] -= h[a] * h[b] / m);
            }
        }
        let (mut c, mut least) = ([[0.0; 3]; 3], f64::INFINITY);
        for k in 0..axes {
            let square = rest[k][k] - (0..k).map(|l| c[k][l] * c[k][l]).sum::<f64>();
            // what is no number is the least
            least = if square >= least * self.mass.inertia[k][k].abs() {
                least
            } else {
                square / self.mass.inertia[k][k].abs()
            };
            c[k][k] = square.sqrt();
            for i in k + 1..axes {
                c[i][k] = (rest[i][k] - (0..k).map(|l| c[i][l] * c[k][l]).sum::<f64>()) / c[k][k];
            }
        }
        (c, least)
    }
}

impl System {
    /// Nodes that are amplitudes of flexible bodies.
    pub fn amplitudes(&self) -> impl Iterator<Item = usize> + '_ {
        self.floating.iter().flat_map(|body| body.amplitudes.iter().copied())
    }

    /// Axes that a frame turns about.
    pub(crate) fn turning_axes(&self) -> usize {
        if self.dimensions() == 3 { 3 } else { 1 }
    }

    /// The flexible body whose mass is next to being indefinite, and how much is left, as a part: one where nothing is
    /// deformed, nothing where deformation has gone too far for solvers.
    pub fn most_deformed(&self, work: &Work) -> Option<(&str, f64)> {
        let left = |(body, own): (&FloatingBody, &FloatingInstant)| {
            own.of_frame(&body.constants.masses, self.turning_axes()).1
        };
        let all = self.floating.iter().zip(&work.floating).map(|both| (both.0.name.as_str(), left(both)));
        // what is no number comes first
        all.min_by(|a, b| a.1.partial_cmp(&b.1).unwrap_or(if a.1.is_nan() { Less } else { Greater }))
    }

    /// Room for all bodies.
    pub(crate) fn floating_instants(&self) -> Vec<FloatingInstant> {
        self.floating.iter().map(|body| FloatingInstant::new(body.amplitudes.len())).collect()
    }

    pub(super) fn floating_room(&self) -> FloatingRoom {
        let most = self.floating.iter().map(|body| body.amplitudes.len()).max().unwrap_or(0);
        FloatingRoom { acc: vec![0.0; most], slopes: FloatingSlopes::new(most) }
    }

    /// Amplitudes and masses of the instant. O(amplitudes^2)
    pub fn set_floating(&self, work: &mut Work) {
        for (body, own) in self.floating.iter().zip(&mut work.floating) {
            for (k, &node) in body.amplitudes.iter().enumerate() {
                (own.z[k], own.rates[k]) = (work.bodies[node].r[0], work.bodies[node].rdot[0]);
            }
            body.constants.mass(&own.z, &mut own.mass);
        }
    }

    /// Adds what goes with the change of mass, and inner forces, to the forces in velocities.
    pub(super) fn add_floating_forces<C: Coords>(
        &self,
        bodies: &[BodyState],
        instants: &mut [FloatingInstant],
        force: &mut [f64],
    ) {
        for (body, own) in self.floating.iter().zip(instants) {
            let FloatingInstant { z, rates, mass, forces } = own;
            let mut out = FloatingForce { torque: [0.0; 3], forces };
            body.constants.forces((z, rates, &bodies[body.frame].w), mass, C::M == 3, &mut out);
            let first = self.nodes[body.frame].v + C::D;
            (0..C::M).for_each(|k| force[first + k] += out.torque[k]);
            for (&node, x) in body.amplitudes.iter().zip(out.forces.iter()) {
                force[self.nodes[node].v] += x;
            }
        }
    }

    /// Entries of the mass of a body in velocities: row, column, number; in an order that does not change.
    pub(crate) fn floating_entries(
        &self,
        body: &FloatingBody,
        own: &FloatingInstant,
        mut put: impl FnMut([usize; 2], [usize; 2], f64),
    ) {
        let axes = self.turning_axes();
        let d = self.dimensions();
        let frame = body.frame;
        for i in 0..axes {
            for j in 0..axes {
                put([frame, frame], [d + i, d + j], own.mass.inertia[i][j]);
            }
        }
        for ((&node, h), m) in body.amplitudes.iter().zip(&own.mass.turning).zip(&body.constants.masses) {
            for i in 0..axes {
                put([frame, node], [d + i, 0], h[i]);
                put([node, frame], [0, d + i], h[i]);
            }
            put([node, node], [0, 0], *m);
        }
    }

    /// Adds the mass of flexible bodies times x. O(amplitudes)
    pub(super) fn add_floating_mass_times(&self, work: &Work, x: &[f64], out: &mut [f64]) {
        for (body, own) in self.floating.iter().zip(&work.floating) {
            let nodes = &self.nodes;
            self.floating_entries(body, own, |[a, b], [i, j], m| {
                out[nodes[a].v + i] += m * x[nodes[b].v + j];
            });
        }
    }

    /// x.M x of flexible bodies.
    pub(super) fn twice_floating_energy(&self, work: &Work, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (body, own) in self.floating.iter().zip(&work.floating) {
            let nodes = &self.nodes;
            self.floating_entries(body, own, |[a, b], [i, j], m| {
                sum += x[nodes[a].v + i] * m * x[nodes[b].v + j];
            });
        }
        sum
    }

    /// Kinetic energy of their share of mass at the instant of the work.
    pub(super) fn floating_energy(&self, work: &Work) -> f64 {
        let energy = |(body, own): (&FloatingBody, &FloatingInstant)| {
            let w = &work.bodies[body.frame].w;
            let turned =
                own.mass.turning.iter().zip(&own.rates).map(|(h, rate)| dot(h, w) * rate).sum::<f64>();
            let own_rates = own.rates.iter().zip(&body.constants.masses).map(|(x, m)| m * x * x).sum::<f64>();
            0.5 * dot(w, &apply(&own.mass.inertia, w)) + turned + 0.5 * own_rates
        };
        self.floating.iter().zip(&work.floating).map(energy).sum()
    }

    /// What is stored in strained flexible bodies.
    pub(super) fn floating_strain(&self, work: &Work) -> f64 {
        let all = self.floating.iter().zip(&work.floating);
        all.map(|(body, own)| body.constants.strain_energy(&own.z[..])).sum()
    }

    /// The power that their damping takes.
    pub(super) fn floating_dissipate(&self, work: &Work) -> f64 {
        let all = self.floating.iter().zip(&work.floating);
        all.map(|(body, own)| body.constants.dissipated(&own.rates)).sum()
    }

    /// Adds what acts along the Euler parameters of their frames: 2 w.(J w + H z').
    pub(crate) fn add_floating_radials(&self, work: &Work, radial: &mut [f64]) {
        for (body, own) in self.floating.iter().zip(&work.floating) {
            let w = &work.bodies[body.frame].w;
            let turned =
                own.mass.turning.iter().zip(&own.rates).map(|(h, rate)| dot(h, w) * rate).sum::<f64>();
            radial[body.frame] += 2.0 * (dot(w, &apply(&own.mass.inertia, w)) + turned);
        }
    }

    /// Derivatives of their forces and inertia in coordinates. O(amplitudes^2)
    pub(super) fn floating_derivatives<C: Coords>(&self, work: &Work, qddot: &[f64], out: &mut Derivatives) {
        let mut room = std::mem::take(&mut out.floating);
        for ((body, own), map) in self.floating.iter().zip(&work.floating).zip(&self.layout.floating_pairs) {
            let frame = &work.bodies[body.frame];
            let first = self.nodes[body.frame].q + C::D;
            let mut turn_acc = [0.0; 4];
            turn_acc[..C::K].copy_from_slice(&qddot[first..first + C::K]);
            let pdot = if C::NORMALISED { frame.pdot } else { [frame.w[0], 0.0, 0.0, 0.0] };
            let m = body.amplitudes.len();
            let acc = &mut room.acc[..m];
            acc.iter_mut().zip(&body.amplitudes).for_each(|(x, &node)| *x = qddot[self.nodes[node].q]);
            let spatial = C::NORMALISED;
            let at =
                FloatingMotion { turn: [&frame.p, &pdot, &turn_acc], z: [&own.z, &own.rates, acc], spatial };
            body.constants.slopes(&at, &own.mass, &mut room.slopes);
            // the place of each local coordinate: its node, and its number there
            let local = |k: usize| if k < C::K { (0, C::D + k) } else { (k - C::K + 1, 0) };
            let n = C::K + m;
            for row in 0..n {
                let (a, i) = local(row);
                out.force[self.nodes[map.bodies[a]].q + i] += room.slopes.force[row];
                for col in 0..n {
                    let (b, j) = local(col);
                    let pair = &self.layout.pairs[map.pairs[a * (m + 1) + b] as usize];
                    let to = pair.at_q + i * pair.nq[1] + j;
                    out.force_q[to] += room.slopes.force_q[row * n + col];
                    out.force_qdot[to] += room.slopes.force_qdot[row * n + col];
                    out.mass_q[to] += room.slopes.mass_q[row * n + col];
                }
            }
        }
        out.floating = room;
    }
}
