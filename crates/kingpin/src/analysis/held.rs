//! Initial joint coordinates as equations of their own, for the time of assembly.

use super::assembly::{AssemblyFailure, GivenCoordinate};
use crate::element::equation::{Equation, EquationForm};
use crate::expr::{Curve, Extrapolate};
use crate::model::describe::Described;
use crate::model::finding::Subject;
use crate::model::{Function, Start};
use crate::system::{Held, Layout, System};
use std::borrow::Cow;

/// What of the given coordinates is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HeldPart {
    /// Their values.
    Values,
    /// Their rates.
    Rates,
}

impl HeldPart {
    fn of(self, held: &Held) -> Option<f64> {
        if self == HeldPart::Values { held.value } else { held.rate }
    }
}

/// The system with an equation for every given coordinate or rate; itself if there is none.
pub(super) fn holding(system: &System, what: HeldPart) -> Cow<'_, System> {
    let all: Vec<&Held> = system.held.iter().filter(|held| what.of(held).is_some()).collect();
    with_rows(system, &all, what)
}

fn with_rows<'a>(system: &'a System, held: &[&Held], what: HeldPart) -> Cow<'a, System> {
    if held.is_empty() {
        return Cow::Borrowed(system);
    }
    let old = &system.layout;
    let own = old.groups.iter().map(|group| {
        let equations = old.equations[group.equations.clone()].iter().map(|n| n.equation.clone()).collect();
        (group.subject.clone(), group.name.clone(), equations)
    });
    let more = held.iter().map(|held| {
        let motion = motion(what, what.of(held).unwrap_or(0.0));
        let equation =
            Equation { form: EquationForm::Single(held.probe, motion), label: "initial value kept" };
        (Subject::Joint(held.joint), name(system, held, what), vec![equation])
    });
    let groups = own.chain(more).collect();
    let mut target = system.clone();
    target.layout = Layout::new(
        &system.nodes,
        groups,
        &system.terms,
        &system.inertances,
        (&system.beams, &system.cells, &system.floating),
    );
    Cow::Owned(target)
}

/// A value, or a motion with that rate at the start.
fn motion(what: HeldPart, x: f64) -> Function {
    match what {
        HeldPart::Values => Function::Constant(x),
        HeldPart::Rates => Curve::new(vec![-1.0, 1.0], vec![-x, x], Extrapolate::Linear)
            .map_or(Function::Constant(0.0), Function::Table),
    }
}

fn name(system: &System, held: &Held, what: HeldPart) -> String {
    let rate = if what == HeldPart::Rates { "_rate" } else { "" };
    format!("{}.{}{rate}", system.layout.groups[held.joint].name, held.name)
}

/// The given coordinates that contradict each other: the fewest that cannot be kept together. `None` if none are
/// given, or if it is not their fault. One assembly per coordinate.
pub(super) fn contradiction(
    system: &System,
    what: HeldPart,
    closes: impl Fn(&System) -> bool,
) -> Option<AssemblyFailure> {
    let mut set: Vec<&Held> = system.held.iter().filter(|held| what.of(held).is_some()).collect();
    if set.is_empty() || !closes(system) {
        return None;
    }
    // one after the other is left out: what fails without it, fails for the sake of the others
    let mut k = 0;
    while k < set.len() {
        let without: Vec<&Held> = set.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, h)| *h).collect();
        if closes(&with_rows(system, &without, what)) {
            k += 1;
        } else {
            set = without;
        }
    }
    let given = set.iter().map(|held| {
        let name = name(system, held, what);
        let field = Start::fields().iter().map(|f| f.name).find(|f| name.ends_with(&format!(".{f}")));
        GivenCoordinate { subject: Subject::Joint(held.joint), field: field.unwrap_or(""), name }
    });
    Some(AssemblyFailure::Contradiction { given: given.collect() })
}
