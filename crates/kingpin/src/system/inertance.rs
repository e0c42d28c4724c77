//! Mass beyond that of the bodies: inertances, each on the rate of a basic function g of two of them.
//!
//! The kinetic energy 1/2 b g'^2 gives the bodies the mass b g_v^T g_v, a block per pair of them that changes with
//! the configuration, and the force -b (g_v v)' g_v^T at v' = 0 that goes with that change: together -b g'' g_v^T.

use super::derivatives::Derivatives;
use super::evaluate::pair;
use super::{System, Work, in_space};
use crate::element::basic::{Basic, First, Jet, W};
use crate::element::equation::Inertance;
use crate::spatial::Coords;
use std::ops::Range;

/// The two sides of a basic function that move: which, and their velocities.
pub(crate) fn moving<'a>(
    system: &'a System,
    basic: &Basic,
) -> impl Iterator<Item = (usize, usize, Range<usize>)> + 'a {
    let of = basic.bodies();
    let moves = move |&(_, body): &(usize, usize)| body < system.bodies();
    (0..2).map(move |side| (side, of[side])).filter(moves).map(|(side, b)| (side, b, system.nodes.v(b)))
}

impl System {
    /// Whether mass couples bodies: the mass matrix is not that of the bodies alone.
    pub fn is_coupled(&self) -> bool {
        !self.inertances.is_empty() || !self.floating.is_empty()
    }

    /// Whether there are elements of beams or cells.
    pub fn is_strained(&self) -> bool {
        !self.beams.is_empty() || !self.cells.is_empty()
    }

    /// The inertances, those together that are rows of one mass: as many groups of equations for solvers.
    pub(crate) fn grouped_inertances(&self) -> impl Iterator<Item = &[Inertance]> {
        let one = |a: &Inertance, b: &Inertance| {
            !a.is_shown() && !b.is_shown() && a.basic.bodies() == b.basic.bodies()
        };
        self.inertances.chunk_by(one)
    }

    /// Rows and curvatures of what inertances act on.
    #[inline]
    pub(super) fn rates_in<C: Coords>(&self, work: &mut Work) {
        for (inertance, rate) in self.inertances.iter().zip(&mut work.rates) {
            let two = pair(&work.bodies, inertance.basic.bodies());
            *rate = inertance.basic.first::<C>(two, &work.turns);
        }
    }

    /// g_v x of an inertance whose rate was evaluated.
    fn along(&self, inertance: &Inertance, rate: &First, x: &[f64]) -> f64 {
        let side = |(side, _, v): (usize, usize, Range<usize>)| {
            x[v].iter().zip(&rate.row[side]).map(|(x, g)| x * g).sum::<f64>()
        };
        moving(self, &inertance.basic).map(side).sum()
    }

    /// The force b g'' of inertance `k` against what it acts on, for accelerations `acc`; constraints have been
    /// evaluated.
    pub fn inertance_force(&self, k: usize, work: &Work, acc: &[f64]) -> f64 {
        let (inertance, rate) = (&self.inertances[k], &work.rates[k]);
        inertance.amount * (self.along(inertance, rate, acc) + rate.curvature)
    }

    /// out = M x with the mass of inertances and flexible bodies. Constraints have been evaluated.
    pub fn whole_mass_times(&self, work: &Work, x: &[f64], out: &mut [f64]) {
        self.mass_times(x, out);
        for (inertance, rate) in self.inertances.iter().zip(&work.rates) {
            let sides = || moving(self, &inertance.basic);
            let each = sides().flat_map(|(side, _, v)| x[v].iter().zip(&rate.row[side]));
            let along: f64 = each.map(|(x, g)| x * g).sum();
            for (side, _, v) in sides() {
                let each = out[v].iter_mut().zip(&rate.row[side]);
                each.for_each(|(out, g)| *out += inertance.amount * along * g);
            }
        }
        self.add_floating_mass_times(work, x, out);
    }

    /// Adds what inertances and flexible bodies need for accelerations `acc` to inertia forces: b g'' g_v^T, and mass
    /// times `acc`. Constraints have been evaluated. O(inertances + amplitudes).
    pub fn add_shared_inertia(&self, work: &Work, acc: &[f64], out: &mut [f64]) {
        for (k, (inertance, rate)) in self.inertances.iter().zip(&work.rates).enumerate() {
            let force = self.inertance_force(k, work, acc);
            for (side, _, v) in moving(self, &inertance.basic) {
                out[v].iter_mut().zip(&rate.row[side]).for_each(|(out, g)| *out += force * g);
            }
        }
        self.add_floating_mass_times(work, acc, out);
    }

    /// x^T M x of inertances and flexible bodies alone: twice their kinetic energy for velocities x. Constraints have
    /// been evaluated.
    pub fn twice_shared_energy(&self, work: &Work, x: &[f64]) -> f64 {
        let each = self.inertances.iter().zip(&work.rates);
        let sum: f64 =
            each.map(|(inertance, rate)| inertance.amount * self.along(inertance, rate, x).powi(2)).sum();
        sum + self.twice_floating_energy(work, x)
    }

    /// Kinetic energy of inertances at the instant of the work, whatever has been evaluated.
    pub(super) fn inertance_energy(&self, work: &Work) -> f64 {
        let energy = |inertance: &Inertance| {
            0.5 * inertance.amount * self.basic_value_and_rate(&inertance.basic, work).1.powi(2)
        };
        self.inertances.iter().map(energy).sum()
    }

    /// Radial derivatives g_p . p of what an inertance acts on.
    pub(crate) fn inertance_radial(&self, inertance: &Inertance, work: &Work) -> [f64; 2] {
        let two = pair(&work.bodies, inertance.basic.bodies());
        in_space!(self.space, C => inertance.basic.radial::<C>(two))
    }

    /// Derivatives of inertances in coordinates: with x = q', the mass b g_q^T g_q gives (M q'')_q the matrix
    /// b ((g_q q'') g_qq + g_q^T (g_qq q'')^T), and Q the force -b (x^T g_qq x) g_q^T.
    pub(super) fn inertance_derivatives<C: Coords>(&self, work: &Work, qddot: &[f64], out: &mut Derivatives) {
        let mut jet = Jet::default();
        for (k, (inertance, map)) in self.inertances.iter().zip(&self.layout.inertance_pairs).enumerate() {
            let (of, b) = (inertance.basic.bodies(), inertance.amount);
            inertance.basic.jet::<C>(pair(&work.bodies, of), &work.turns, true, &mut jet);
            // q'' of the two bodies; ground does not accelerate, points do not turn
            let mut acc = [0.0; W];
            for side in (0..2).filter(|&side| of[side] < self.bodies()) {
                let own = &qddot[self.nodes.q(of[side])];
                acc[side * C::NQ..][..own.len()].copy_from_slice(own);
            }
            let bent: [f64; W] =
                std::array::from_fn(|i| (0..2 * C::NQ).map(|j| jet.hessian[i][j] * acc[j]).sum());
            let pull = b * (0..2 * C::NQ).map(|j| jet.grad[j] * acc[j]).sum::<f64>();
            out.pulls[k] = pull;
            let slots = of.map(|body| map.bodies.iter().position(|&moving| moving == body));
            for (a, i) in slots.iter().enumerate().filter_map(|(a, slot)| Some((a, (*slot)?))) {
                let row = a * C::NQ;
                for (l, at) in self.nodes.q(of[a]).enumerate() {
                    out.force[at] -= b * jet.curvature * jet.grad[row + l];
                }
                for (c, j) in slots.iter().enumerate().filter_map(|(c, slot)| Some((c, (*slot)?))) {
                    let (column, pairs) = (c * C::NQ, &self.layout.pairs);
                    let to = &pairs[map.pairs[i * map.bodies.len() + j] as usize];
                    let (grad, hessian) = (&jet.grad, &jet.hessian);
                    to.add::<C>(&mut out.mass_q, |l, m| {
                        pull * hessian[row + l][column + m] + b * grad[row + l] * bent[column + m]
                    });
                    to.add::<C>(&mut out.force_q, |l, m| {
                        let turned = jet.curvature * hessian[row + l][column + m];
                        -b * (turned + grad[row + l] * jet.grad_curvature[column + m])
                    });
                    to.add::<C>(&mut out.force_qdot, |l, m| {
                        -2.0 * b * grad[row + l] * jet.grad_rate[column + m]
                    });
                }
            }
        }
    }
}
