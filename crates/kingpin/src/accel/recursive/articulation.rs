//! What a tree joint lets its outboard body do, read off its equations.

use super::super::problem::Problem;
use crate::element::basic::Basic;
use crate::element::equation::Form;
use crate::model::finding::Subject;
use crate::spatial::{V3, cross, dot, scale};
use crate::system::System;

/// A vector fixed to a body; the number of bodies stands for ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fixed {
    pub body: usize,
    pub dir: V3,
}

/// A joint point in the axes of the outboard and of the inboard body. Accelerations go from body to body along these
/// arms and not along differences of positions: so points that have drifted apart a little accelerate alike, as
/// their equations say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Points {
    pub outboard: V3,
    pub inboard: V3,
}

/// The motion of a body relative to its inboard body. Points and vectors are in the axes of the outboard body
/// unless said otherwise; `s` is the joint point of that body, where its accelerations are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Articulation {
    /// No joint: all velocities of the centre of mass.
    Free,
    /// No joint, and nothing that turns: the velocities of a point.
    Point,
    /// No motion.
    Rigid,
    /// Turns about an axis through the point (planar: about the point).
    Hinge { s: Points, axis: Fixed },
    /// Turns about the point.
    Ball { s: Points },
    /// Turns about two pins through the point, one on the inboard and one on the outboard body.
    Universal { s: Points, inboard: Fixed, outboard: V3 },
    /// Moves along an axis.
    Slide { s: V3, axis: Fixed },
    /// Moves along an axis and turns about it.
    Cylinder { s: V3, axis: Fixed },
    /// Whatever the equations leave free: the null space of the block of the joint on its outboard body.
    Algebraic,
}

/// A tree joint: its articulation, its block on the outboard body, and how its multipliers are found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// The group of equations.
    pub group: usize,
    /// First number of the block on the outboard body.
    pub at: usize,
    /// Its rows.
    pub rows: usize,
    /// First kept row of the group.
    pub first: usize,
    /// The sign of the translations in leading equations of coincident points, with only rotations after them;
    /// zero if the equations are others.
    pub coincide: f64,
}

/// Counts the equations of a joint by form.
#[derive(Default)]
struct Census {
    coincide: Option<[V3; 2]>,
    dot1: Vec<(V3, V3)>,
    dot2: Vec<(V3, [V3; 2])>,
    angle: usize,
    other: usize,
}

/// Whether a group relates two bodies only, so that it can hold one of them on the other.
pub(in super::super) fn is_holding(system: &System, group: usize) -> bool {
    let layout = &system.layout;
    let pair = pair(system, group);
    let same = |of: [usize; 2]| pair.is_some_and(|p| of == p || of == [p[1], p[0]]);
    matches!(layout.groups[group].subject, Subject::Joint(_))
        && layout.equations[layout.groups[group].equations.clone()].iter().all(|n| match &n.equation.form {
            Form::Coincide(c) => same(c.bodies),
            Form::Single(b, _) => same(b.bodies()),
            Form::Sum(terms, _) => terms.iter().all(|(_, b)| same(b.bodies())),
        })
}

/// The two bodies of the first equation of a group.
fn pair(system: &System, group: usize) -> Option<[usize; 2]> {
    let own = &system.layout.groups[group];
    let first = system.layout.equations[own.equations.clone()].first()?;
    let bodies = match &first.equation.form {
        Form::Coincide(c) => c.bodies,
        Form::Single(b, _) => b.bodies(),
        Form::Sum(terms, _) => terms.first()?.1.bodies(),
    };
    (bodies[0] != bodies[1]).then_some(bodies)
}

/// The articulation of a joint that holds `outboard`.
pub(super) fn articulation(
    system: &System,
    problem: &Problem,
    group: usize,
    outboard: usize,
) -> Articulation {
    let own = &system.layout.groups[group];
    let complete = problem.groups[group].len() == own.rows.len();
    let Some(bodies) = pair(system, group).filter(|_| complete) else { return Articulation::Algebraic };
    let mut census = Census::default();
    for numbered in &system.layout.equations[own.equations.clone()] {
        match &numbered.equation.form {
            Form::Coincide(c) if c.bodies == bodies => census.coincide = Some(c.s),
            Form::Single(Basic::Dot1(x), _) if x.bodies == bodies => census.dot1.push((x.a, x.b)),
            Form::Single(Basic::Dot2(x), _) if x.bodies == bodies => census.dot2.push((x.a, x.s)),
            Form::Single(Basic::Angle(_), _) => census.angle += 1,
            _ => census.other += 1,
        }
    }
    let side = usize::from(outboard == bodies[1]);
    if census.other > 0 {
        return Articulation::Algebraic;
    }
    let found =
        if system.dimensions() == 3 { spatial(&census, bodies, side) } else { planar(&census, bodies, side) };
    found.unwrap_or(Articulation::Algebraic)
}

fn spatial(census: &Census, bodies: [usize; 2], side: usize) -> Option<Articulation> {
    if census.angle > 0 {
        return None;
    }
    if let (Some(s), []) = (census.coincide, &census.dot2[..]) {
        let s = Points { outboard: s[side], inboard: s[1 - side] };
        return match census.dot1[..] {
            [] => Some(Articulation::Ball { s }),
            [(a, b)] => {
                let pins = [a, b];
                let inboard = Fixed { body: bodies[1 - side], dir: pins[1 - side] };
                Some(Articulation::Universal { s, inboard, outboard: pins[side] })
            }
            // x1 . z2 = y1 . z2 = 0 leave turns about z2
            [(_, b), (_, d)] if b == d => {
                Some(Articulation::Hinge { s, axis: Fixed { body: bodies[1], dir: b } })
            }
            [_, _, _] => Some(Articulation::Rigid),
            _ => None,
        };
    }
    // x1 . z2 = y1 . z2 = 0 [and x1 . y2 = 0], x1 . d = y1 . d = 0
    let ([(a, s), (b, t)], Some((x, z)), Some((y, w))) =
        (&census.dot2[..], census.dot1.first(), census.dot1.get(1))
    else {
        return None;
    };
    if census.coincide.is_some() || s != t || z != w || [x, y] != [a, b] {
        return None;
    }
    let axis = Fixed { body: bodies[0], dir: unit(cross(a, b))? };
    match census.dot1.len() {
        2 => Some(Articulation::Cylinder { s: s[side], axis }),
        3 => Some(Articulation::Slide { s: s[side], axis }),
        _ => None,
    }
}

fn planar(census: &Census, bodies: [usize; 2], side: usize) -> Option<Articulation> {
    match (census.coincide, &census.dot1[..], &census.dot2[..], census.angle) {
        (Some(s), [], [], 0) => {
            let s = Points { outboard: s[side], inboard: s[1 - side] };
            let axis = Fixed { body: bodies[1], dir: [0.0, 0.0, 1.0] };
            Some(Articulation::Hinge { s, axis })
        }
        (Some(_), [], [], 1) => Some(Articulation::Rigid),
        (None, [], [(a, s)], 1) => {
            let axis = Fixed { body: bodies[0], dir: unit([a[1], -a[0], 0.0])? };
            Some(Articulation::Slide { s: s[side], axis })
        }
        _ => None,
    }
}

fn unit(x: V3) -> Option<V3> {
    let size = dot(&x, &x).sqrt();
    (size > 1e-6).then(|| scale(1.0 / size, &x))
}

/// How a joint holds its outboard body; `None` if it has no block there.
pub(super) fn hold(system: &System, problem: &Problem, group: usize, outboard: usize) -> Option<Hold> {
    let block = problem.blocks_of(group).iter().find(|b| b.body == outboard)?;
    let rows = problem.groups[group].clone();
    let own = &system.layout.groups[group];
    let mut coincide = 0.0;
    if rows.len() == own.rows.len() {
        let mut equations = system.layout.equations[own.equations.clone()].iter().map(|n| &n.equation.form);
        if let Some(Form::Coincide(c)) = equations.next() {
            let turns = |form: &Form| matches!(form, Form::Single(Basic::Dot1(_) | Basic::Angle(_), _));
            if equations.all(turns) {
                coincide = if c.bodies[1] == outboard { 1.0 } else { -1.0 };
            }
        }
    }
    Some(Hold { group, at: block.at, rows: rows.len(), first: rows.start, coincide })
}

impl Articulation {
    /// Coordinates, with `n` velocities per body and `rows` equations of the joint.
    pub fn freedoms(&self, n: usize, rows: usize) -> usize {
        match self {
            Articulation::Free | Articulation::Point => n,
            Articulation::Rigid => 0,
            Articulation::Hinge { .. } | Articulation::Slide { .. } => 1,
            Articulation::Ball { .. } => 3,
            Articulation::Universal { .. } | Articulation::Cylinder { .. } => 2,
            Articulation::Algebraic => n - rows,
        }
    }
}
