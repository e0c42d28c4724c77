//! Inner forces, energy and resultants of an element.

use super::rule::BeamRule;
use super::strain::{Local, Six, Strained, strained};
use crate::spatial::{BodyState, Coords, V3};
use std::f64::consts::TAU;
use std::sync::Arc;

/// An element of a beam as compiled.
#[derive(Clone, Debug)]
pub struct BeamElement {
    /// Its name.
    pub name: String,
    /// The bodies at its nodes, from end to end.
    pub bodies: Vec<usize>,
    /// The nodes in the axes of their bodies, from the centres of mass.
    pub offsets: Vec<V3>,
    /// Tables of its order.
    pub rule: Arc<BeamRule>,
    /// Half of its length.
    pub half: f64,
    /// Stiffness of its section, the same all along or at each place of Gauss; planar elements have axial, shear and
    /// bending in the first three places.
    pub stiffness: Vec<[Six<f64>; 6]>,
    /// Damping as a time.
    pub damping: f64,
    /// Strains at rest, at the places of Gauss.
    pub rest: Vec<Six<f64>>,
}

/// A node of an element at an instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct BeamNode {
    /// Its place and rotation coordinates, which agree with those of its neighbours.
    pub at: [f64; 7],
    /// Their rates.
    pub rate: [f64; 7],
    /// The sign that makes Euler parameters agree.
    pub sign: f64,
    /// What acts on it: first the gradient of the energy in `at`, then the force on its body in velocities.
    pub force: [f64; 7],
}

impl BeamElement {
    /// Nodes.
    pub fn nodes(&self) -> usize {
        self.bodies.len()
    }

    /// Places of Gauss.
    pub fn places(&self) -> usize {
        self.rest.len()
    }

    /// Gives the nodes one after the other, with signs and turns that agree, and nothing that acts on them. O(p).
    #[inline(always)]
    fn walk<C: Coords>(&self, bodies: &[BodyState], mut visit: impl FnMut(usize, BeamNode)) {
        let mut before = None;
        for (k, (&body, s)) in self.bodies.iter().zip(&self.offsets).enumerate() {
            let b = &bodies[body];
            let (sign, shift) = agreement::<C>(&b.p, before.as_ref());
            let mut node = BeamNode { sign, ..BeamNode::default() };
            node.at[..C::D].copy_from_slice(&b.r[..C::D]);
            node.rate[..C::D].copy_from_slice(&b.rdot[..C::D]);
            if *s != [0.0; 3] {
                let (arm, slope) = (C::image(&b.a, s), C::d1(&b.p, s));
                for i in 0..C::D {
                    node.at[i] += arm[i];
                    node.rate[i] += (0..C::K).map(|j| slope[i][j] * b.pdot[j]).sum::<f64>();
                }
            }
            let p = b.p.map(|p| sign * p + shift);
            for j in 0..C::K {
                (node.at[C::D + j], node.rate[C::D + j]) = (p[j], sign * b.pdot[j]);
            }
            before = Some(p);
            visit(k, node);
        }
    }

    /// Places the nodes.
    pub(super) fn place<C: Coords>(&self, bodies: &[BodyState], nodes: &mut [BeamNode]) {
        self.walk::<C>(bodies, |k, node| nodes[k] = node);
    }

    /// x at a place of Gauss, or its rate.
    #[inline(always)]
    pub(super) fn local<C: Coords>(&self, place: usize, of: impl Fn(usize) -> [f64; 7]) -> Local<f64> {
        let mut x = [0.0; 11];
        for (a, shape) in self.rule.at(place).iter().enumerate() {
            self.add_node::<C>(*shape, &of(a), &mut x);
        }
        x
    }

    /// Adds to x what a node brings.
    #[inline(always)]
    fn add_node<C: Coords>(&self, [shape, slope]: [f64; 2], node: &[f64; 7], x: &mut Local<f64>) {
        let slope = slope / self.half;
        for i in 0..C::D {
            x[i] += slope * node[i];
        }
        for j in 0..C::K {
            x[C::D + j] += shape * node[C::D + j];
            x[C::D + C::K + j] += slope * node[C::D + j];
        }
    }

    /// x and its rate at a place of Gauss, without room for nodes.
    pub(super) fn locals<C: Coords>(&self, place: usize, bodies: &[BodyState]) -> [Local<f64>; 2] {
        let (mut x, mut rate) = ([0.0; 11], [0.0; 11]);
        self.walk::<C>(bodies, |k, node| {
            let shape = self.rule.at(place)[k];
            self.add_node::<C>(shape, &node.at, &mut x);
            self.add_node::<C>(shape, &node.rate, &mut rate);
        });
        [x, rate]
    }

    /// Stiffness of the section at a place of Gauss.
    #[inline(always)]
    pub fn section(&self, place: usize) -> &[Six<f64>; 6] {
        &self.stiffness[place.min(self.stiffness.len() - 1)]
    }

    /// C times strains.
    #[inline(always)]
    pub(super) fn stress<C: Coords>(&self, place: usize, strain: &Six<f64>) -> Six<f64> {
        let (c, mut out) = (self.section(place), [0.0; 6]);
        for i in 0..C::NV {
            out[i] = (0..C::NV).map(|k| c[i][k] * strain[k]).sum();
        }
        out
    }

    /// Strains beyond those at rest, and the rates of strains.
    pub(super) fn strains<C: Coords>(
        &self,
        place: usize,
        at: &Strained<f64>,
        rate: &Local<f64>,
    ) -> [Six<f64>; 2] {
        let (mut strain, mut rates) = ([0.0; 6], [0.0; 6]);
        for i in 0..C::NV {
            strain[i] = at.strain[i] - self.rest[place][i];
            rates[i] = (0..C::D + 2 * C::K).map(|k| at.by[i][k] * rate[k]).sum();
        }
        [strain, rates]
    }

    /// Resultants N and M for strains and their derivatives at a place of Gauss, and the rate of x there.
    #[inline(always)]
    pub(super) fn resultants<C: Coords>(
        &self,
        place: usize,
        at: &Strained<f64>,
        rate: impl Fn() -> Local<f64>,
    ) -> Six<f64> {
        let mut felt = [0.0; 6];
        (0..C::NV).for_each(|i| felt[i] = at.strain[i] - self.rest[place][i]);
        if self.damping != 0.0 {
            let [_, rates] = self.strains::<C>(place, at, &rate());
            (0..C::NV).for_each(|i| felt[i] += self.damping * rates[i]);
        }
        self.stress::<C>(place, &felt)
    }

    /// Adds weight times a gradient in x to the gradients of the nodes.
    #[inline(always)]
    pub(super) fn spread<C: Coords>(&self, place: usize, gradient: &Local<f64>, nodes: &mut [BeamNode]) {
        for (node, [shape, slope]) in nodes.iter_mut().zip(self.rule.at(place)) {
            let slope = slope / self.half;
            for i in 0..C::D {
                node.force[i] += slope * gradient[i];
            }
            for j in 0..C::K {
                node.force[C::D + j] += shape * gradient[C::D + j] + slope * gradient[C::D + C::K + j];
            }
        }
    }

    /// Places the nodes, with the gradient of the energy as what acts on them.
    fn gradients<C: Coords>(&self, bodies: &[BodyState], nodes: &mut [BeamNode]) {
        self.place::<C>(bodies, nodes);
        for place in 0..self.places() {
            let at = strained::<C, f64>(&self.local::<C>(place, |a| nodes[a].at));
            let rate = || self.local::<C>(place, |a| nodes[a].rate);
            let resultants = self.resultants::<C>(place, &at, rate);
            let gradient = pulled::<C>(&at, &resultants, self.rule.gauss[place] * self.half);
            self.spread::<C>(place, &gradient, nodes);
        }
    }

    /// What the element does to its bodies, in their coordinates. O(p^2).
    pub fn coordinate_forces<C: Coords>(&self, bodies: &[BodyState], nodes: &mut [BeamNode]) {
        self.gradients::<C>(bodies, nodes);
        self.to_coordinates::<C>(bodies, nodes);
    }

    /// What the element does to its bodies, in their velocities. O(p^2).
    pub fn forces<C: Coords>(&self, bodies: &[BodyState], nodes: &mut [BeamNode]) {
        self.gradients::<C>(bodies, nodes);
        for ((node, &body), s) in nodes.iter_mut().zip(&self.bodies).zip(&self.offsets) {
            let (b, mut f, mut turn) = (&bodies[body], [0.0; 3], [0.0; 4]);
            (0..C::D).for_each(|i| f[i] = -node.force[i]);
            (0..C::K).for_each(|j| turn[j] = -node.sign * node.force[C::D + j]);
            let (torque, moment) = (C::to_velocity(&b.p, &turn), C::moment(&b.a, s, &f));
            node.force[..C::D].copy_from_slice(&f[..C::D]);
            (0..C::M).for_each(|k| node.force[C::D + k] = torque[k] + moment[k]);
        }
    }

    /// Strain energy, and twice what the rates of strains would store. O(p^2).
    pub fn energies<C: Coords>(&self, bodies: &[BodyState]) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for place in 0..self.places() {
            let [x, rate] = self.locals::<C>(place, bodies);
            let [strain, rates] = self.strains::<C>(place, &strained::<C, f64>(&x), &rate);
            let product = |x: &Six<f64>| -> f64 {
                let stress = self.stress::<C>(place, x);
                self.rule.gauss[place] * self.half * (0..C::NV).map(|i| x[i] * stress[i]).sum::<f64>()
            };
            sums[0] += 0.5 * product(&strain);
            sums[1] += product(&rates);
        }
        sums
    }

    /// Resultants in the middle, from those at the places of Gauss: axial force, shear forces, torsion and bending
    /// moments in the axes of the section. O(p^2).
    pub fn middle<C: Coords>(&self, bodies: &[BodyState]) -> Six<f64> {
        let mut sum = [0.0; 6];
        for place in 0..self.places() {
            let [x, rate] = self.locals::<C>(place, bodies);
            let resultants = self.resultants::<C>(place, &strained::<C, f64>(&x), || rate);
            (0..C::NV).for_each(|i| sum[i] += self.rule.middle[place] * resultants[i]);
        }
        sum
    }

    /// Resultants at the places of Gauss after a small step, which bodies take as their velocities, by what is linear in
    /// it.
    pub fn predict<C: Coords>(&self, bodies: &[BodyState], out: &mut [Six<f64>]) {
        for (place, out) in out.iter_mut().enumerate() {
            let [x, rate] = self.locals::<C>(place, bodies);
            let [strain, change] = self.strains::<C>(place, &strained::<C, f64>(&x), &rate);
            *out = self.stress::<C>(place, &std::array::from_fn(|i| strain[i] + change[i]));
        }
    }

    /// Takes the pose of its bodies as the one without stress.
    pub fn relax<C: Coords>(&mut self, bodies: &[BodyState]) {
        let of = |place| strained::<C, f64>(&self.locals::<C>(place, bodies)[0]).strain;
        self.rest = (0..self.rule.gauss.len()).map(of).collect();
    }
}

/// The sign of Euler parameters, or the shift of an angle by whole turns, with which they are next to those before.
pub(super) fn agreement<C: Coords>(p: &[f64; 4], before: Option<&[f64; 4]>) -> (f64, f64) {
    let Some(before) = before else { return (1.0, 0.0) };
    if C::NORMALISED {
        let product: f64 = p.iter().zip(before).map(|(a, b)| a * b).sum();
        return (if product < 0.0 { -1.0 } else { 1.0 }, 0.0);
    }
    (1.0, -TAU * ((p[0] - before[0]) / TAU).round())
}

/// Weight times the gradient of resultants times strains in x.
#[inline(always)]
pub(super) fn pulled<C: Coords>(at: &Strained<f64>, resultants: &Six<f64>, weight: f64) -> Local<f64> {
    let mut gradient = [0.0; 11];
    for (row, s) in at.by.iter().zip(resultants).take(C::NV) {
        for k in 0..C::D + 2 * C::K {
            gradient[k] += weight * s * row[k];
        }
    }
    gradient
}
