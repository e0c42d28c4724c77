//! How readings of reactions change with multipliers and with coordinates.
//!
//! A reading is linear in the wrench w = -Phi_v^T lam on a body, R = l(x) . w, or the length of vectors that are. With
//! multipliers held, w changes with the second derivatives of the basic functions, and l with the attitudes of the body, whose
//! arm and axes it has, and of the body in whose axes components are. Coordinates are those of a chart where it is based:
//! dp = 1/2 G^T deta.

use super::reaction::{ActingPoint, Reaction, reaction};
use crate::element::basic::{Basic, Coincide, Jet};
use crate::element::equation::{Direction, EquationForm};
use crate::element::reading::{Reading, ReadingPart};
use crate::element::switch::Flag;
use crate::spatial::{Coords, M3, V3, apply, cross, dot, sub};
use crate::system::{System, Work, in_space};

impl System {
    /// How a reading at multipliers `lam` changes with each multiplier, and with each coordinate of a chart based where
    /// constraints were evaluated. O(equations of the joint)
    pub fn reading_slopes(
        &self,
        own: &Reading,
        work: &Work,
        lam: &[f64],
        by_lam: &mut [f64],
        by_x: &mut [f64],
    ) {
        by_lam.fill(0.0);
        by_x.fill(0.0);
        let rows = self.layout.groups[own.group].rows.clone();
        if own.part == ReadingPart::Drive {
            by_lam[rows.start] = -1.0;
            return;
        }
        let Some(point) = self.acting_point(own.group) else { return };
        let here = self.reaction(own.group, work, lam);
        for row in rows {
            let one = self.reaction_of(own.group, work, &|k| f64::from(u8::from(k == row)));
            by_lam[row] = self.reading_change(own.part, work, &here, &one);
        }
        in_space!(self.space, C => {
            let of = ReadingAt { system: self, own, work, lam, point, here };
            of.turn_arm::<C>(by_x);
            of.turn_axes::<C>(by_x);
            of.bend::<C>(by_x);
        });
    }

    /// Makes the readings of multipliers inputs of an instant; constraints have been evaluated.
    pub fn take_readings(&self, lam: &[f64], work: &mut Work) {
        for (k, own) in self.readings.iter().enumerate() {
            work.inputs[self.first_reading() + k] = self.reading(own, work, lam);
        }
    }

    /// Velocities that forces act on which go with a reading, and perhaps others.
    pub fn read_by(&self, reading: usize) -> impl Iterator<Item = usize> + '_ {
        let flag = Flag::Input(self.first_reading() + reading);
        let terms = self.terms.iter().filter(move |term| term.flags.contains(&flag));
        let bodies = terms.flat_map(|term| match &term.direction {
            Direction::Along(basic, _) => basic.bodies(),
            Direction::BodyForce { body, .. } | Direction::Torque { body, .. } => [*body; 2],
        });
        bodies.filter(|body| *body < self.bodies()).flat_map(|body| self.nodes.v(body))
    }

    /// How a reading of the reaction `here` changes by a change of that.
    pub fn reading_change(&self, part: ReadingPart, work: &Work, here: &Reaction, change: &Reaction) -> f64 {
        let stretch = |at: V3, by: V3| {
            let length = dot(&at, &at).sqrt();
            if length > 0.0 { dot(&at, &by) / length } else { 0.0 }
        };
        match part {
            ReadingPart::ForceSize => stretch(here.force, change.force),
            ReadingPart::TorqueSize => stretch(here.torque, change.torque),
            ReadingPart::Force { along, frame } => self.component(change.force, frame, &along, work),
            ReadingPart::Torque { along, frame } => self.component(change.torque, frame, &along, work),
            ReadingPart::Drive => 0.0,
        }
    }
}

/// A reading at an instant.
struct ReadingAt<'a> {
    system: &'a System,
    own: &'a Reading,
    work: &'a Work,
    lam: &'a [f64],
    point: ActingPoint,
    here: Reaction,
}

impl ReadingAt<'_> {
    fn change(&self, by: &Reaction) -> f64 {
        self.system.reading_change(self.own.part, self.work, &self.here, by)
    }

    /// The wrench stays, and turns with the body that feels it, as the arm does.
    fn turn_arm<C: Coords>(&self, by_x: &mut [f64]) {
        let node = &self.system.nodes[self.point.feels];
        if !node.turns() {
            return;
        }
        let wrench = self.system.wrench(self.own.group, &self.point, self.work, &|row| self.lam[row]);
        let (a, force) = (&self.work.bodies[self.point.feels].a, &self.here.force);
        for k in 0..C::M {
            let turn = turned::<C>(a, k);
            let moment = if C::M == 1 { [0.0; 3] } else { apply(&turn, &[wrench[3], wrench[4], wrench[5]]) };
            let torque = sub(&moment, &cross(&C::image(&turn, &self.point.s), force));
            by_x[node.v + C::D + k] += self.change(&Reaction { torque, ..Reaction::default() });
        }
    }

    /// Components go with the axes they are along.
    fn turn_axes<C: Coords>(&self, by_x: &mut [f64]) {
        let (vector, axis, frame) = match self.own.part {
            ReadingPart::Force { along, frame } => (self.here.force, along, frame),
            ReadingPart::Torque { along, frame } => (self.here.torque, along, frame),
            _ => return,
        };
        if frame == self.system.bodies() || C::D == 2 && axis[2] != 0.0 || !self.system.nodes[frame].turns() {
            return;
        }
        for k in 0..C::M {
            let turn = turned::<C>(&self.work.bodies[frame].a, k);
            by_x[self.system.nodes[frame].v + C::D + k] += dot(&C::image(&turn, &axis), &vector);
        }
    }

    /// Phi_v changes in the wrench.
    fn bend<C: Coords>(&self, by_x: &mut [f64]) {
        let (a, point) = (&self.work.bodies[self.point.feels].a, &self.point);
        let along: [f64; 6] = std::array::from_fn(|k| {
            let one = std::array::from_fn(|j| f64::from(u8::from(j == k)));
            self.change(&reaction::<C>(&one, a, &point.s))
        });
        let (system, mut jet) = (self.system, Jet::default());
        let group = &system.layout.groups[self.own.group];
        for numbered in &system.layout.equations[group.equations.clone()] {
            let lam = &self.lam[group.rows.start + numbered.row..];
            let mut one = |k: f64, basic: &Basic| {
                self.bend_basic::<C>(-point.sign * k * lam[0], basic, &along, &mut jet, by_x);
            };
            match &numbered.equation.form {
                EquationForm::Single(basic, _) | EquationForm::Held(basic, _) => one(1.0, basic),
                EquationForm::Sum(terms, _) => terms.iter().for_each(|(k, basic)| one(*k, basic)),
                EquationForm::Coincide(c) => self.bend_point::<C>(c, lam, &along, by_x),
            }
        }
    }

    /// Adds `weight along . (g_v)_x` of a basic function g, whose row g_v is that of the body that feels the wrench.
    fn bend_basic<C: Coords>(
        &self,
        weight: f64,
        basic: &Basic,
        along: &[f64; 6],
        jet: &mut Jet,
        by_x: &mut [f64],
    ) {
        let (bodies, states) = (basic.bodies(), &self.work.bodies);
        let Some(side) = bodies.iter().position(|body| *body == self.point.feels) else { return };
        basic.jet::<C>([&states[bodies[0]], &states[bodies[1]]], &self.work.turns, true, jet);
        let (first, p) = (side * C::NQ, &states[self.point.feels].p);
        for (other, &body) in bodies.iter().enumerate().filter(|(_, body)| **body < self.system.bodies()) {
            let node = &self.system.nodes[body];
            for k in 0..node.nv {
                let step = direction::<C>(&states[body].p, k);
                let column = |row: usize| -> f64 {
                    let row = &jet.hessian[first + row][other * C::NQ..][..C::NQ];
                    row.iter().zip(&step).map(|(h, x)| h * x).sum()
                };
                let mut turn = [0.0; 4];
                turn[..C::K].iter_mut().enumerate().for_each(|(row, x)| *x = column(C::D + row));
                let mut moment = C::to_velocity(p, &turn);
                if C::NORMALISED && other == side {
                    // 1/2 G goes with the attitude itself
                    let mut grad = [0.0; 4];
                    grad[..C::K].copy_from_slice(&jet.grad[first + C::D..][..C::K]);
                    let own = [step[C::D], step[C::D + 1], step[C::D + 2], step[C::D + 3]];
                    let more = C::to_velocity(&own, &grad);
                    (0..C::M).for_each(|m| moment[m] += more[m]);
                }
                let places: f64 = (0..C::D).map(|row| along[row] * column(row)).sum();
                let turns: f64 = (0..C::M).map(|row| along[C::D + row] * moment[row]).sum();
                by_x[node.v + k] += weight * (places + turns);
            }
        }
    }

    /// The same of points that coincide, with a multiplier for each axis: their arm turns with the body.
    fn bend_point<C: Coords>(&self, c: &Coincide, lam: &[f64], along: &[f64; 6], by_x: &mut [f64]) {
        let node = &self.system.nodes[self.point.feels];
        let Some(side) = c.bodies.iter().position(|body| *body == self.point.feels) else { return };
        if !node.turns() {
            return;
        }
        let sign = [1.0, -1.0][side] * self.point.sign;
        let force: V3 = std::array::from_fn(|k| if k < C::D { sign * lam[k] } else { 0.0 });
        for k in 0..C::M {
            let turn = turned::<C>(&self.work.bodies[self.point.feels].a, k);
            let moment = C::moment(&turn, &c.s[side], &force);
            by_x[node.v + C::D + k] += (0..C::M).map(|row| along[C::D + row] * moment[row]).sum::<f64>();
        }
    }
}

fn unit(axis: usize) -> V3 {
    std::array::from_fn(|k| f64::from(u8::from(k == axis)))
}

/// How a rotation matrix changes with a turn about an axis of its body.
fn turned<C: Coords>(a: &M3, axis: usize) -> M3 {
    let columns: [V3; 3] = std::array::from_fn(|k| C::spin(a, &unit(axis), &unit(k)));
    std::array::from_fn(|row| std::array::from_fn(|k| columns[k][row]))
}

/// How coordinates (r, p) change with one of the chart.
fn direction<C: Coords>(p: &[f64; 4], k: usize) -> [f64; 7] {
    let mut out = [0.0; 7];
    match k.checked_sub(C::D) {
        None => out[k] = 1.0,
        Some(axis) => out[C::D..C::NQ].copy_from_slice(&C::rates(p, &unit(axis))[..C::K]),
    }
    out
}
