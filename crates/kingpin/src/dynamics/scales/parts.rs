//! The parts of a mechanism and their extents.

use crate::element::basic::Basic;
use crate::element::equation::{Direction, EquationForm};
use crate::spatial::V3;
use crate::system::System;

/// Bodies that joints or forces connect, ground left out. First-order states are parts of their own, the last: what reads them
/// has other scales.
#[derive(Clone, Debug, PartialEq)]
pub struct Parts {
    /// Bodies, part after part.
    bodies: Vec<usize>,
    /// Where each part starts in that list, and the end.
    starts: Vec<usize>,
}

impl Parts {
    /// The parts of a system, in the order of their first bodies.
    pub fn new(system: &System) -> Parts {
        let n = system.bodies();
        let mut root: Vec<usize> = (0..n).collect();
        for pair in &system.layout.pairs {
            let [a, b] = pair.bodies;
            if a.max(b) >= system.masses() {
                continue;
            }
            let (a, b) = (find(&mut root, a), find(&mut root, b));
            root[a.max(b)] = a.min(b);
        }
        let mut part = vec![usize::MAX; n];
        let mut lists: Vec<Vec<usize>> = Vec::new();
        for body in 0..n {
            let first = find(&mut root, body);
            if part[first] == usize::MAX {
                part[first] = lists.len();
                lists.push(Vec::new());
            }
            lists[part[first]].push(body);
        }
        let mut starts = vec![0];
        for list in &lists {
            starts.push(starts[starts.len() - 1] + list.len());
        }
        Parts { bodies: lists.concat(), starts }
    }

    /// Number of parts.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Bodies of a part.
    pub fn of(&self, part: usize) -> &[usize] {
        &self.bodies[self.starts[part]..self.starts[part + 1]]
    }

    /// Extent of each part: the diagonal of the box around its centres of mass, the points of its joints and forces
    /// (as far from them as they can get) and where these are fixed to the ground; or the radius of gyration of
    /// its largest body where all that is one point.
    pub fn sizes(&self, system: &System, q: &[f64]) -> Vec<f64> {
        let (d, ground) = (system.dimensions(), system.bodies());
        let mut arms = vec![0.0f64; ground];
        let mut part_of = vec![0; ground];
        for part in 0..self.len() {
            self.of(part).iter().for_each(|&body| part_of[body] = part);
        }
        let mut boxes = vec![[[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]]; self.len()];
        // amplitudes and states are nowhere
        let mut nowhere = vec![false; ground + 1];
        system.amplitudes().chain(system.state_nodes()).for_each(|node| nowhere[node] = true);
        points(system, |bodies, s| {
            if bodies.iter().any(|&body| nowhere[body]) {
                return;
            }
            for (body, s) in bodies.into_iter().zip(s) {
                let length = s[..d].iter().map(|x| x * x).sum::<f64>().sqrt();
                if body < ground {
                    arms[body] = arms[body].max(length);
                } else if let Some(&fixed) = bodies.iter().find(|&&b| b < ground) {
                    grow(&mut boxes[part_of[fixed]], &s[..d], 0.0);
                }
            }
        });
        for body in (0..ground).filter(|&body| !nowhere[body]) {
            let node = &system.nodes[body];
            grow(&mut boxes[part_of[body]], node.split(&q[node.q()]).0, arms[body]);
        }
        let diagonal = |b: &[V3; 2]| {
            // scalars alone fill one axis
            let along = (0..d).map(|k| b[1][k] - b[0][k]).filter(|x| *x > f64::NEG_INFINITY);
            along.map(|x| x * x).sum::<f64>().sqrt()
        };
        let sizes = boxes.iter().map(diagonal).enumerate();
        sizes.map(|(part, size)| if size > 0.0 { size } else { gyration(system, self.of(part)) }).collect()
    }
}

fn find(root: &mut [usize], mut body: usize) -> usize {
    while root[body] != body {
        root[body] = root[root[body]];
        body = root[body];
    }
    body
}

fn grow(bounds: &mut [V3; 2], point: &[f64], arm: f64) {
    for (k, x) in point.iter().enumerate() {
        bounds[0][k] = bounds[0][k].min(x - arm);
        bounds[1][k] = bounds[1][k].max(x + arm);
    }
}

/// Calls with the two bodies of every joint and force and its points on them.
fn points(system: &System, mut f: impl FnMut([usize; 2], [V3; 2])) {
    let mut basic = |basic: &Basic| match basic {
        Basic::Dot2(x) => f(x.bodies, x.s),
        Basic::Distance(x) => f(x.bodies, x.s),
        Basic::Midpoint(x) => f(x.bodies, x.s),
        _ => {}
    };
    for numbered in &system.layout.equations {
        match &numbered.equation.form {
            EquationForm::Single(one, _) | EquationForm::Held(one, _) => basic(one),
            EquationForm::Sum(terms, _) => terms.iter().for_each(|(_, one)| basic(one)),
            EquationForm::Coincide(_) => {}
        }
    }
    for term in &system.terms {
        term.inputs.iter().for_each(&mut basic);
        if let Direction::Along(one, _) = &term.direction {
            basic(one);
        }
    }
    system.inertances.iter().for_each(|inertance| basic(&inertance.basic));
    for numbered in &system.layout.equations {
        if let EquationForm::Coincide(c) = &numbered.equation.form {
            f(c.bodies, c.s);
        }
    }
    for beam in &system.beams {
        beam.bodies.iter().zip(&beam.offsets).for_each(|(&body, s)| f([body, body], [*s, *s]));
    }
    for term in &system.terms {
        if let Direction::BodyForce { body, s, .. } = term.direction {
            f([body, body], [s, s]);
        }
    }
}

/// The largest radius of gyration of some bodies.
fn gyration(system: &System, bodies: &[usize]) -> f64 {
    let axes = if system.dimensions() == 3 { 3 } else { 1 };
    let radius = |body: &usize| {
        let inertia = &system.inertia[*body];
        let largest = (0..axes).map(|k| inertia.tensor[k][k]).fold(0.0, f64::max);
        (largest / inertia.mass).sqrt()
    };
    bodies.iter().map(radius).filter(|r| r.is_finite()).fold(0.0, f64::max)
}
