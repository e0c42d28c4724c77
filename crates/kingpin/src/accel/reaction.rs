//! What multipliers mean: reaction forces and torques of joints, accelerations and multipliers of Euler parameters.

use super::accelerator::Accelerations;
use crate::element::basic::Basic;
use crate::element::equation::{Direction, EquationForm};
use crate::element::place::Place;
use crate::element::reading::{Reading, ReadingPart};
use crate::spatial::{Coords, V3, apply, cross, dot, euler, sub};
use crate::system::{Block, EquationGroup, Node, NodeKind, System, Work, in_space};

/// Force and torque that a joint exerts on its second body, at the joint point of that body, in global axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reaction {
    /// The body it acts on; the number of bodies stands for ground.
    pub body: usize,
    /// Force.
    pub force: V3,
    /// Torque about the joint point (planar: the third entry).
    pub torque: V3,
}

/// Where a joint or driver acts.
#[derive(Clone, Debug)]
pub(super) struct ActingPoint {
    /// Its equations on the body that feels it.
    block: Block,
    /// That body, and one for a force on it, minus one where it feels what the other end does.
    pub feels: usize,
    pub sign: f64,
    /// The point, on that body.
    pub s: V3,
    /// The body whose reaction it is.
    pub on: usize,
}

impl System {
    /// The reaction of each group of equations; see [`System::reaction`].
    pub fn reactions(&self, work: &Work, lam: &[f64]) -> Vec<Reaction> {
        (0..self.layout.groups.len()).map(|k| self.reaction(k, work, lam)).collect()
    }

    /// The reaction of a joint or driver on the second body of its ends; a driver on a joint shares the ends of
    /// the joint. A coupling acts on the second body of one of the joints it couples, at the centre of mass: the rack
    /// of a rack and pinion, the first wheel of gears. The force of the multipliers, -Phi_v^T lam, is moved to the
    /// joint point.
    pub fn reaction(&self, group: usize, work: &Work, lam: &[f64]) -> Reaction {
        self.reaction_of(group, work, &|row| lam[row])
    }

    /// The same for multipliers by their rows.
    pub(super) fn reaction_of(&self, group: usize, work: &Work, lam: &dyn Fn(usize) -> f64) -> Reaction {
        let Some(point) = self.acting_point(group) else {
            return Reaction { body: self.bodies(), ..Reaction::default() };
        };
        let wrench = self.wrench(group, &point, work, lam);
        let reaction =
            in_space!(self.space, C => reaction::<C>(&wrench, &work.bodies[point.feels].a, &point.s));
        Reaction { body: point.on, ..reaction }
    }

    /// Where a joint or driver acts; `None` if it moves nothing.
    pub(super) fn acting_point(&self, group: usize) -> Option<ActingPoint> {
        let places = self.group_places(group);
        let group = &self.layout.groups[group];
        let blocks = &self.layout.blocks[group.blocks.clone()];
        // the second end if it moves, else minus what acts on the first
        let (block, sign) = match places {
            Some(p) => match blocks.iter().find(|b| b.body == p[1].body) {
                Some(block) => (block, 1.0),
                None => (blocks.first()?, -1.0),
            },
            None => {
                let coupled = self.coupled_body(group.equations.start);
                (blocks.iter().find(|b| Some(b.body) == coupled).or(blocks.first())?, 1.0)
            }
        };
        let feels = block.body;
        let s = places.map_or([0.0; 3], |p| p[usize::from(p[1].body == feels)].s);
        Some(ActingPoint { block: *block, feels, sign, s, on: places.map_or(feels, |p| p[1].body) })
    }

    /// The wrench -Phi_v^T lam of a joint or driver on the body that feels it, with the sign of its reaction.
    pub(super) fn wrench(
        &self,
        group: usize,
        point: &ActingPoint,
        work: &Work,
        lam: &dyn Fn(usize) -> f64,
    ) -> [f64; 6] {
        let group = &self.layout.groups[group];
        if self.nodes[point.feels].kind == NodeKind::Scalar {
            return self.push_on(point.feels, group, work, lam).map(|x| point.sign * x);
        }
        let mut wrench = [0.0; 6];
        for r in 0..point.block.rows {
            let lam = point.sign * lam(group.rows.start + r);
            for (wrench, x) in wrench.iter_mut().zip(&work.phi_v[point.block.row(r)]) {
                *wrench -= lam * x;
            }
        }
        wrench
    }

    /// A number of a reaction, from multipliers; constraints have been evaluated.
    pub fn reading(&self, own: &Reading, work: &Work, lam: &[f64]) -> f64 {
        let length = |x: V3| dot(&x, &x).sqrt();
        let reaction = self.reaction(own.group, work, lam);
        match own.part {
            ReadingPart::ForceSize => length(reaction.force),
            ReadingPart::TorqueSize => length(reaction.torque),
            ReadingPart::Force { along, frame } => self.component(reaction.force, frame, &along, work),
            ReadingPart::Torque { along, frame } => self.component(reaction.torque, frame, &along, work),
            ReadingPart::Drive => -lam[self.layout.groups[own.group].rows.start],
        }
    }

    /// A component of a vector along an axis on a body or on ground.
    pub(super) fn component(&self, x: V3, frame: usize, axis: &V3, work: &Work) -> f64 {
        // bodies of the plane turn about z
        if frame == self.bodies() || self.dimensions() == 2 && axis[2] != 0.0 {
            return dot(axis, &x);
        }
        in_space!(self.space, C => dot(&C::image(&work.bodies[frame].a, axis), &x))
    }

    /// -Phi_v^T lam of a group on a body as if that were a frame: what its node does not feel is carried by its line.
    fn push_on(
        &self,
        body: usize,
        group: &EquationGroup,
        work: &Work,
        lam: &dyn Fn(usize) -> f64,
    ) -> [f64; 6] {
        let mut push = [0.0; 6];
        let mut add = |k: f64, row: &[f64; 6]| push.iter_mut().zip(row).for_each(|(push, x)| *push -= k * x);
        for numbered in &self.layout.equations[group.equations.clone()] {
            let first = group.rows.start + numbered.row;
            let mut along = |k: f64, basic: &Basic| {
                let sides = basic.bodies().into_iter().zip(self.basic_row(basic, work));
                sides.filter(|(on, _)| *on == body).for_each(|(_, row)| add(k * lam(first), &row));
            };
            match &numbered.equation.form {
                EquationForm::Single(basic, _) | EquationForm::Held(basic, _) => along(1.0, basic),
                EquationForm::Sum(terms, _) => terms.iter().for_each(|(k, basic)| along(*k, basic)),
                EquationForm::Coincide(c) => {
                    let sides = c.bodies.into_iter().zip([-1.0, 1.0]).filter(|(on, _)| *on == body);
                    for (_, sign) in sides {
                        let axes = std::array::from_fn(|k| {
                            if k < self.dimensions() { sign * lam(first + k) } else { 0.0 }
                        });
                        add(1.0, &axes);
                    }
                }
            }
        }
        push
    }

    /// The body whose motion a coupling counts first.
    fn coupled_body(&self, equation: usize) -> Option<usize> {
        match &self.layout.equations.get(equation)?.equation.form {
            EquationForm::Sum(terms, _) => terms.first().map(|(_, basic)| basic.bodies()[1]),
            _ => None,
        }
    }

    /// The two frames of a joint or driver; `None` for couplings.
    pub fn group_places(&self, group: usize) -> Option<[Place; 2]> {
        let joints = self.joint_places.len();
        let places = match group.checked_sub(joints) {
            None => self.joint_places.get(group),
            Some(driver) => self.driver_places.get(driver),
        };
        places.copied().flatten()
    }

    /// Angular accelerations of the bodies in global axes, A w' (planar: the third entry).
    pub fn angular_accelerations(&self, work: &Work, acc: &[f64]) -> Vec<V3> {
        let of = |(b, node): (usize, &Node)| match acc[node.v()] {
            [_, _, _, x, y, z] => apply(&work.bodies[b].a, &[x, y, z]),
            [_, _, turn] if node.turns() => [0.0, 0.0, turn],
            _ => [0.0; 3],
        };
        self.nodes.iter().enumerate().map(of).collect()
    }

    /// Second derivatives of the coordinates, p'' = 1/2 G^T w' - 1/4 (w.w) p [Negrut 2003, Eq 8].
    pub fn coordinate_accelerations(&self, work: &Work, acc: &[f64], qddot: &mut [f64]) {
        for (node, body) in self.nodes.iter().zip(&work.bodies) {
            let (q, a) = (&mut qddot[node.q()], &acc[node.v()]);
            if node.nq != 7 {
                q.copy_from_slice(a);
                continue;
            }
            q[..3].copy_from_slice(&a[..3]);
            let turn = euler::gt_times(&body.p, &[a[3], a[4], a[5]]);
            let w2 = dot(&body.w, &body.w);
            for k in 0..4 {
                q[3 + k] = 0.5 * turn[k] - 0.25 * w2 * body.p[k];
            }
        }
    }

    /// Multipliers of the normalisations: the radial part p . (Q_p - Phi_p^T lam) / 2 of the equations in
    /// Euler parameters [Serban 1997, Eq 16]. All basic functions are homogeneous in p, so their radial derivatives are known.
    pub fn normalisation_multipliers(&self, work: &Work, result: &Accelerations) -> Vec<f64> {
        if self.normalisations() == 0 {
            return Vec::new();
        }
        in_space!(self.space, C => self.radial_balance::<C>(work, result))
    }

    fn radial_balance<C: Coords>(&self, work: &Work, result: &Accelerations) -> Vec<f64> {
        let (n, lam) = (self.bodies(), &result.lam);
        // p . 8 G'^T J G' p = 2 w . J w
        let mut radial: Vec<f64> = (0..n)
            .map(|b| {
                let w = &work.bodies[b].w;
                2.0 * dot(w, &apply(&self.inertia[b].tensor, w))
            })
            .collect();
        radial.push(0.0);
        for group in &self.layout.groups {
            for numbered in &self.layout.equations[group.equations.clone()] {
                let row = group.rows.start + numbered.row;
                match &numbered.equation.form {
                    EquationForm::Coincide(c) => {
                        for a in 0..2 {
                            let image = C::image(&work.bodies[c.bodies[a]].a, &c.s[a]);
                            let force: f64 = (0..C::D).map(|k| lam[row + k] * image[k]).sum();
                            radial[c.bodies[a]] -= [-2.0, 2.0][a] * force;
                        }
                    }
                    EquationForm::Single(basic, _) | EquationForm::Held(basic, _) => {
                        self.add_radial::<C>(basic, -lam[row], work, &mut radial)
                    }
                    EquationForm::Sum(terms, _) => {
                        for (k, basic) in terms {
                            self.add_radial::<C>(basic, -k * lam[row], work, &mut radial);
                        }
                    }
                }
            }
        }
        for (term, strength) in self.terms.iter().zip(self.strengths(work)) {
            match &term.direction {
                Direction::Along(basic, sign) => {
                    self.add_radial::<C>(basic, sign * strength, work, &mut radial)
                }
                Direction::BodyForce { body, s, dir } => {
                    let a = &work.bodies[*body].a;
                    radial[*body] += 2.0 * strength * dot(&C::image(a, s), &C::image(a, dir));
                }
                // 2 G^T n and 2 E^T n have no radial part
                Direction::Torque { .. } => {}
            }
        }
        self.add_beam_radials::<C>(work, &mut radial);
        self.add_floating_radials(work, &mut radial);
        for (k, inertance) in self.inertances.iter().enumerate() {
            let force = self.inertance_force(k, work, &result.acc);
            self.add_radial::<C>(&inertance.basic, -force, work, &mut radial);
        }
        self.nodes.normalised().map(|body| 0.5 * radial[body]).collect()
    }

    fn add_radial<C: Coords>(
        &self,
        basic: &crate::element::basic::Basic,
        k: f64,
        work: &Work,
        radial: &mut [f64],
    ) {
        let of = basic.bodies();
        let parts = basic.radial::<C>([&work.bodies[of[0]], &work.bodies[of[1]]]);
        for a in 0..2 {
            radial[of[a]] += k * parts[a];
        }
    }
}

pub(super) fn reaction<C: Coords>(wrench: &[f64; 6], a: &[[f64; 3]; 3], s: &V3) -> Reaction {
    let mut force = [0.0; 3];
    force[..C::D].copy_from_slice(&wrench[..C::D]);
    let arm = C::image(a, s);
    let moment = if C::M == 1 { [0.0, 0.0, wrench[2]] } else { apply(a, &[wrench[3], wrench[4], wrench[5]]) };
    Reaction { body: 0, force, torque: sub(&moment, &cross(&arm, &force)) }
}
