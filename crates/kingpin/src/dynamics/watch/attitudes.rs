//! Measures and forces that tell attitudes by angles or a rotation vector, near the positions where these fold.

use crate::element::basic::{Basic, Fold};
use crate::element::law::Strength;
use crate::model::Subject;
use crate::system::{State, System};

/// What tells an attitude by coordinates that fold somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldingAttitude {
    /// The function.
    pub basic: Basic,
    /// Whose it is: a measure, or a force that has it of its own.
    pub subject: Subject,
    /// The name of that.
    pub name: String,
    /// Whether forces, states, drivers or switches read it.
    pub is_read: bool,
}

/// Where it came nearest to its fold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearFold {
    /// When.
    pub t: f64,
    /// The angle that was left.
    pub left: f64,
}

/// All that tells attitudes by coordinates that fold, in the order of the model; of a force that reads several
/// components the first.
pub fn told(system: &System) -> Vec<FoldingAttitude> {
    let read = |basic: &Basic| {
        let by_terms = system.terms.iter().any(|term| term.inputs.contains(basic));
        by_terms || system.switches.iter().any(|switch| switch.inputs.contains(basic))
    };
    let mut all = Vec::new();
    for (k, measure) in system.measures.iter().enumerate() {
        let Some(basic) = measure.probe().filter(|basic| basic.folds()) else { continue };
        let (subject, name) = (Subject::Measure(k), measure.name.clone());
        all.push(FoldingAttitude { basic: *basic, subject, name, is_read: read(basic) });
    }
    for (k, force) in system.forces.iter().enumerate() {
        let springs = system.terms[force.terms.clone()].iter();
        let own = springs.filter(|term| matches!(term.strength, Strength::Spring(_)));
        let first = own.filter_map(|term| term.inputs.first()).find(|basic| basic.folds());
        if let Some(basic) = first {
            let (subject, name) = (Subject::Force(k), force.name.clone());
            all.push(FoldingAttitude { basic: *basic, subject, name, is_read: true });
        }
    }
    all
}

/// Watches them from instant to instant: ends of steps, and frames in between.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct Attitudes {
    told: Vec<Basic>,
    /// The instant looked at last, one fold each.
    last: (f64, Vec<Fold>),
}

impl Attitudes {
    /// Those of a system, and room for what becomes of them.
    pub fn new(system: &System, state: &State, found: &mut Vec<NearFold>) -> Attitudes {
        let told: Vec<Basic> = told(system).into_iter().map(|told| told.basic).collect();
        found.resize(told.len(), NearFold { t: 0.0, left: f64::INFINITY });
        let last = told.iter().filter_map(|basic| fold(system, basic, state)).collect();
        Attitudes { told, last: (state.t, last) }
    }

    /// Whether a later state is so far from the last instant that there should be looks in between.
    pub fn are_far(&self, system: &System, state: &State) -> bool {
        let mut both = self.told.iter().zip(&self.last.1);
        both.any(|(basic, from)| fold(system, basic, state).is_some_and(|to| from.is_far(&to)))
    }

    /// Looks at the way from the last instant to the next.
    pub fn look(&mut self, system: &System, state: &State, found: &mut [NearFold]) {
        let (t, last) = &mut self.last;
        for ((basic, from), found) in self.told.iter().zip(last).zip(found) {
            let Some(to) = fold(system, basic, state) else { continue };
            let (at, left) = from.nearest(&to);
            if left < found.left {
                *found = NearFold { t: *t + at * (state.t - *t), left };
            }
            *from = to;
        }
        *t = state.t;
    }
}

fn fold(system: &System, basic: &Basic, state: &State) -> Option<Fold> {
    let p = basic.bodies().map(|body| {
        let mut p = [1.0, 0.0, 0.0, 0.0];
        if body < system.bodies() && system.nodes[body].turns() {
            p.copy_from_slice(system.nodes[body].split(&state.q[system.nodes.q(body)]).1);
        }
        p
    });
    basic.fold([&p[0], &p[1]])
}
