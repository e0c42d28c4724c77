//! Bodies placed by joint coordinates that the model gives, before assembly.

use super::start_beams::carried;
use super::{Measured, System, Work, in_space};
use crate::element::articulation::{Articulation, COORDINATES, MotionKind};
use crate::element::basic::{Angle, Basic};
use crate::element::compose::{COINCIDENT, NO_DISTANCE};
use crate::element::equation::{Direction, EquationForm, Inertance, Term};
use crate::model::finding::{Finding, Subject};
use crate::model::{Body, Model};
use crate::spatial::{BodyState, Coords};
use crate::topology::{SpanningError, SpanningTree, Wish, check_wishes, grow_from};

/// A joint coordinate that the model gives, or its rate, or both: the assembly keeps them.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The joint.
    pub joint: usize,
    /// Its place among the coordinates of the joint that results show.
    pub number: usize,
    /// The name of the coordinate.
    pub name: &'static str,
    /// What is probed.
    pub probe: Basic,
    /// Its value.
    pub value: Option<f64>,
    /// Its rate.
    pub rate: Option<f64>,
}

/// The given coordinates of all joints.
pub(super) fn held(model: &Model, system: &System) -> Vec<Held> {
    let mut all = Vec::new();
    for (joint, (of, observed)) in model.joints.iter().zip(&system.joint_coordinates).enumerate() {
        let given = of.start.given();
        for (number, observed) in observed.iter().enumerate().filter(|_| !given.is_empty()) {
            let find = |name: &str| given.iter().find(|(key, _)| *key == name).map(|(_, x)| *x);
            let (name, probe) = (observed.name, observed.probe);
            let (value, rate) = (find(name), find(&format!("{name}_rate")));
            if value.is_some() || rate.is_some() {
                all.push(Held { joint, number, name, probe, value, rate });
            }
        }
    }
    all
}

/// Distances without direction where given coordinates have placed the bodies.
pub(super) fn coincident(system: &System) -> Vec<Finding> {
    let mut work = system.work();
    system.set_state(&mut work, &system.given);
    let none =
        |basic: &Basic| matches!(basic, Basic::Distance(_)) && system.basic_value(basic, &work) < NO_DISTANCE;
    let mut subjects = Vec::new();
    for group in &system.layout.groups {
        let equations = &system.layout.equations[group.equations.clone()];
        if equations.iter().any(|n| matches!(&n.equation.form, EquationForm::Single(basic, _) if none(basic)))
        {
            subjects.push(group.subject.clone());
        }
    }
    for (k, force) in system.forces.iter().enumerate() {
        let acts = |term: &Term| matches!(&term.direction, Direction::Along(basic, _) if none(basic));
        let heavy = |inertance: &Inertance| none(&inertance.basic);
        if system.terms[force.terms.clone()].iter().any(acts)
            || system.inertances[force.inertances.clone()].iter().any(heavy)
        {
            subjects.push(Subject::Force(k));
        }
    }
    let measures =
        system.measures.iter().enumerate().filter(|(_, measure)| measure.probe().is_some_and(none));
    subjects.extend(measures.map(|(k, _)| Subject::Measure(k)));
    let mut findings: Vec<Finding> =
        subjects.into_iter().map(|subject| Finding::error(subject, "", COINCIDENT)).collect();
    findings.extend(singular(system, &work));
    findings
}

/// Measures of rotation sequences that start in their singular position.
fn singular(system: &System, work: &Work) -> Vec<Finding> {
    let finding = |(k, measure): (usize, &Measured)| {
        let Some(Basic::Sequence(sequence)) = measure.probe() else { return None };
        let attitudes = sequence.bodies().map(|body| &work.bodies[body].p);
        sequence.is_singular(attitudes).then(|| {
            let message = format!(
                "measure `{}` starts in the singular position of the rotation sequence `{}`: its \
                     first and last axis are parallel, so only the sum of the angles about them is \
                     determined",
                measure.name,
                sequence.name()
            );
            let hint = "choose another rotation sequence, or markers with other axes";
            Finding::error(Subject::Measure(k), "sequence", message).hint(hint)
        })
    };
    system.measures.iter().enumerate().filter_map(finding).collect()
}

/// What is wrong with the wishes of the model about the spanning tree.
pub(super) fn wish_findings(model: &Model, system: &System) -> Vec<Finding> {
    let name = |k: &usize| format!("`{}`", model.joints[*k].name);
    match check_wishes(system.bodies(), &system.links(&[])) {
        Err(SpanningError::CannotCarry { link }) => {
            let tag = model.joints[link].kind.tag();
            let message = format!("{} cannot be part of the spanning tree", name(&link));
            let hint = format!("a joint of type `{tag}` is always cut");
            vec![Finding::error(Subject::Joint(link), "tree", message).hint(hint)]
        }
        Err(SpanningError::Cycle { links }) => {
            let (last, others) = links.split_last().map_or((0, &links[..0]), |(l, o)| (*l, o));
            let names = others.iter().map(name).collect::<Vec<_>>().join(", ");
            let message = format!(
                "{names} and {} form a loop, so they cannot all be part of the spanning tree",
                name(&last)
            );
            vec![
                Finding::error(Subject::Joint(last), "tree", message)
                    .hint("set `tree = false` for one of them"),
            ]
        }
        Err(SpanningError::BodyOutOfRange { .. }) | Ok(()) => Vec::new(),
    }
}

impl System {
    /// Every angle that is counted over turns.
    pub(crate) fn visit_angles(&self, mut visit: impl FnMut(&Angle)) {
        self.visit_acting_angles(&mut visit);
        self.visit_seen_angles(&mut visit);
    }

    /// Those that equations, forces and switches depend on.
    pub(crate) fn visit_acting_angles(&self, mut visit: impl FnMut(&Angle)) {
        let mut see = |basic: &Basic| {
            if let Basic::Angle(angle) = basic {
                visit(angle);
            }
        };
        for numbered in &self.layout.equations {
            match &numbered.equation.form {
                EquationForm::Coincide(_) => {}
                EquationForm::Single(basic, _) | EquationForm::Held(basic, _) => see(basic),
                EquationForm::Sum(terms, _) => terms.iter().for_each(|(_, basic)| see(basic)),
            }
        }
        self.terms.iter().flat_map(|term| &term.inputs).for_each(&mut see);
        self.inertances.iter().for_each(|inertance| see(&inertance.basic));
        self.switches.iter().flat_map(|switch| &switch.inputs).for_each(&mut see);
    }

    /// Those that only results show.
    pub(crate) fn visit_seen_angles(&self, mut visit: impl FnMut(&Angle)) {
        let mut see = |basic: &Basic| {
            if let Basic::Angle(angle) = basic {
                visit(angle);
            }
        };
        self.joint_coordinates.iter().flatten().for_each(|observed| see(&observed.probe));
        self.measures.iter().filter_map(|measure| measure.probe()).for_each(see);
    }

    /// Places the bodies that given joint coordinates carry, all bodies outboard of them, and those that have no
    /// position of their own. Without given coordinates nothing is placed.
    pub(super) fn place_start(&mut self, model: &Model) {
        if self.held.is_empty() {
            return;
        }
        let tree = self.placing_tree(model);
        let mut work = self.work();
        self.set_state(&mut work, &self.given);
        self.evaluate_constraints(&mut work);
        let unplaced: Vec<bool> = model.bodies.iter().map(|body| !positioned(body)).collect();
        in_space!(self.space, C => self.place_along::<C>(&tree, &unplaced, &mut work));
        // the turns that are meant, for all that look at the same angle
        for held in &self.held {
            let (Basic::Angle(of), Some(value)) = (held.probe, held.value) else { continue };
            if (value - work.turns[of.slot]).abs() < 3.0 {
                continue;
            }
            let mut same = Vec::new();
            self.visit_angles(|angle| {
                if (Angle { slot: of.slot, ..*angle }) == of {
                    same.push(angle.slot);
                }
            });
            same.iter().for_each(|&slot| work.turns[slot] = value);
        }
        self.count_turns(&mut work);
        self.given.turns = work.turns;
    }

    /// A tree that prefers joints with given coordinates, whatever it costs.
    fn placing_tree(&self, model: &Model) -> SpanningTree {
        let mut links = self.links(&[]);
        let ground = self.bodies();
        let (mut carried, mut degree) = (vec![false; ground + 1], vec![0_usize; ground]);
        for (k, link) in links.iter_mut().enumerate() {
            let joint = self.articulations.get(k).copied().flatten();
            let all = joint.map_or(0, |a| a.freedoms());
            let given = self.held_of(k).iter().filter(|h| h.value.is_some()).count().min(all);
            link.wish = Wish::Either;
            // all given, some given, none: each rank above all numbers of equations
            link.equations += 10 * if given == 0 { 0 } else { 1 + usize::from(given == all) };
            link.bodies.iter().for_each(|&body| degree[body] += 1);
            carried[joint.map_or(ground, |a| a.outboard)] |= given > 0;
        }
        // behind the groups of equations
        links.extend(self.beam_links());
        // of a floating part, a body that the model places
        let mut bases: Vec<usize> = (0..ground).collect();
        bases.sort_by_key(|&body| {
            (!placed(&model.bodies[body]), carried[body], std::cmp::Reverse(degree[body]))
        });
        grow_from(&self.free_coordinates(), &links, &bases)
    }

    /// The given coordinates of a joint; the list is in the order of joints.
    fn held_of(&self, joint: usize) -> &[Held] {
        let first = self.held.partition_point(|h| h.joint < joint);
        let last = self.held.partition_point(|h| h.joint <= joint);
        &self.held[first..last]
    }

    fn place_along<C: Coords>(&mut self, tree: &SpanningTree, unplaced: &[bool], work: &mut Work) {
        let described = work.bodies.clone();
        let mut moved = vec![false; self.bodies() + 1];
        for &body in tree.order.iter().rev() {
            let held = tree.link[body].and_then(|k| Some(((*self.articulations.get(k)?)?, k)));
            let Some((joint, number)) = held else {
                let beam = tree.link[body].is_some_and(|k| k >= self.layout.groups.len());
                if let Some(inboard) = tree.inboard[body].filter(|&from| beam && moved[from]) {
                    let placed = carried::<C>(&described[inboard], &described[body], &work.bodies[inboard]);
                    moved[body] = true;
                    self.give::<C>(body, placed, work);
                }
                continue;
            };
            let joint = if joint.outboard == body { joint } else { joint.reverse() };
            let rows = self.layout.groups[number].rows.clone();
            let described_well = !unplaced[body] || work.phi[rows].iter().all(|x| x.abs() < 1e-6);
            if self.held_of(number).is_empty() && !moved[joint.inboard] && described_well {
                continue;
            }
            moved[body] = true;
            let pair = [&described[joint.inboard], &described[body]];
            let (q, s) = self.start_of::<C>(&joint, number, pair, described_well);
            let placed = joint.place::<C>(&work.bodies[joint.inboard], &q, &s);
            self.give::<C>(body, placed, work);
        }
        moved.truncate(self.bodies());
        self.placed = moved;
    }

    /// Starts a body from a place.
    fn give<C: Coords>(&mut self, body: usize, placed: BodyState, work: &mut Work) {
        let node = &self.nodes[body];
        let (q, v) = (&mut self.given.q[node.q()], &mut self.given.v[node.v()]);
        q[..C::D].copy_from_slice(&placed.r[..C::D]);
        q[C::D..].copy_from_slice(&placed.p[..C::K]);
        v[..C::D].copy_from_slice(&placed.rdot[..C::D]);
        v[C::D..].copy_from_slice(&placed.w[..C::M]);
        work.bodies[body] = placed;
    }

    /// Coordinates and rates of a tree joint at the start: as given, else as described.
    fn start_of<C: Coords>(
        &self,
        joint: &Articulation,
        number: usize,
        [inboard, outboard]: [&BodyState; 2],
        described_well: bool,
    ) -> ([f64; COORDINATES], [f64; COORDINATES]) {
        let (mut q, mut s) = ([0.0; COORDINATES], [0.0; COORDINATES]);
        joint.read::<C>(inboard, outboard, &[0.0; COORDINATES], &mut q);
        joint.rates::<C>(inboard, outboard, &mut s);
        let held = self.held_of(number);
        let given = |k: usize| held.iter().find(|h| h.number == k);
        for (k, motion) in joint.motions().iter().enumerate() {
            let of = given(usize::from(motion.number));
            match motion.kind {
                MotionKind::Ball => {
                    let value = |k: usize| given(k).and_then(|h| h.value);
                    let vector = joint.rotation_vector(&q);
                    q = joint.ball_of(&std::array::from_fn(|k| value(k).unwrap_or(vector[k])));
                    continue;
                }
                MotionKind::Slide if !described_well => (q[k], s[k]) = (0.0, 0.0),
                MotionKind::Screw { lead, base } => {
                    // a screw may be given by its displacement too
                    let slide = given(1);
                    q[k] = slide.and_then(|h| h.value).map_or(q[k], |d| (d - base) / lead);
                    s[k] = slide.and_then(|h| h.rate).map_or(s[k], |d| d / lead);
                }
                MotionKind::Slide | MotionKind::Turn => {}
            }
            q[k] = of.and_then(|h| h.value).unwrap_or(q[k]);
            s[k] = of.and_then(|h| h.rate).unwrap_or(s[k]);
        }
        (q, s)
    }
}

/// Whether the model says where a body is.
fn positioned(body: &Body) -> bool {
    body.position != Body::default().position || !body.fixed.is_empty()
}

/// Whether the model says where a body is or how it is turned.
fn placed(body: &Body) -> bool {
    let free = Body::default();
    positioned(body) || (body.orientation, body.angle) != (free.orientation, free.angle)
}
