//! Binding of functions: what they read becomes inputs and flags of a term, where they bend become switches.

use super::basic::Basic;
use super::compose::Composer;
use super::law::MAX_VARIABLES;
use super::switch::{Flag, Gauge, HAPPENED, Switch};
use crate::expr::{Curve, closest};
use crate::model::Event;
use crate::model::describe::{Described, Kind};
use crate::model::event::{EventAction, EventDirection as Crossing};
use crate::model::finding::{Finding, Subject};
use crate::model::function::Function;
use std::collections::BTreeSet;

/// What a function was bound to: the inputs and flags of its term.
#[derive(Default)]
pub struct Bound {
    /// Basic functions.
    pub inputs: Vec<Basic>,
    /// What users call them.
    pub names: Vec<String>,
    /// Events.
    pub flags: Vec<Flag>,
}

impl Composer<'_> {
    /// Renumbers the measures and events a function uses to the inputs and flags of its term; the first variables, its
    /// `own`, stay. Their names are those of the field, or these where an element makes the function itself.
    pub fn bind(&mut self, field: &'static str, f: Function, own: &[&str], bound: &mut Bound) -> Function {
        let variables: Vec<usize> = match &f {
            Function::Expr(expr) => expr.variables().collect(),
            Function::Closure(closure) => match self.named_variables(field, own, closure.names()) {
                Some(variables) => variables,
                None => return Function::default(),
            },
            Function::Constant(_) | Function::Table(_) => return f,
        };
        let own = own.len();
        // measures, and events with inputs behind them, ascending and once each
        let events = own + 2 * self.model.measures.len();
        let (mut used, mut switched) = (BTreeSet::new(), BTreeSet::new());
        for &variable in variables.iter().filter(|&&v| v >= own) {
            let (list, k) = if variable < events {
                (&mut used, (variable - own) / 2)
            } else {
                (&mut switched, variable - events)
            };
            list.insert(k);
        }
        let (used, switched): (Vec<usize>, Vec<usize>) =
            (used.into_iter().collect(), switched.into_iter().collect());
        for &measure in &used {
            // a faulty one has been complained about where it stands
            let Some(Some(probe)) = self.measures.get(measure) else { return Function::default() };
            bound.inputs.push(*probe);
            bound.names.push(self.model.measures[measure].name.clone());
        }
        for &event in &switched {
            let Some(flag) = self.flag(field, event) else { return Function::default() };
            bound.flags.push(flag);
        }
        let first_flag = 1 + 2 * bound.inputs.len();
        if first_flag + bound.flags.len() > MAX_VARIABLES {
            let most = (MAX_VARIABLES - 1) / 2 - (own - 1) / 2;
            self.complain(field, format!("`{field}` uses more than {most} measures"));
            return Function::default();
        }
        let at = |list: &[usize], k: usize| list.iter().position(|&x| x == k).unwrap_or(0);
        let place = |variable: usize| match variable {
            v if v < own => v,
            v if v < events => own + 2 * at(&used, (v - own) / 2) + (v - own) % 2,
            v => first_flag + at(&switched, v - events),
        };
        match &f {
            Function::Expr(expr) => Function::Expr(expr.renumber(place)),
            Function::Closure(closure) => {
                Function::Closure(closure.at(variables.into_iter().map(place).collect()))
            }
            Function::Constant(_) | Function::Table(_) => f,
        }
    }

    /// A bound function on pieces; the places where it is not smooth become switches.
    pub(super) fn switched(&mut self, f: Function, bound: &Bound, drives: bool) -> Function {
        let expr = match f {
            Function::Constant(_) => return f,
            Function::Table(curve) => return self.held_table(curve, drives),
            Function::Closure(_) => return f,
            Function::Expr(expr) => expr,
        };
        let flags = 1 + 2 * bound.inputs.len();
        let Some((on_pieces, sites)) = expr.split(self.switches.len(), Some(0), |k| k >= flags) else {
            return Function::Expr(expr);
        };
        let of = format!("{} `{}`", if drives { "driver" } else { "force" }, self.name);
        for site in sites {
            let mut reads = site.reads();
            reads.extend(bound.flags.iter().filter_map(|flag| flag.switch()));
            self.switches.push(Switch {
                gauge: Gauge::Site { site, of: of.clone(), drives },
                inputs: bound.inputs.clone(),
                flags: bound.flags.clone(),
                reads,
                name: self.name.clone(),
                road: String::new(),
            });
        }
        Function::Expr(on_pieces)
    }

    /// A table over time whose points are known to the run.
    fn held_table(&mut self, curve: Curve, drives: bool) -> Function {
        self.switches.push(Switch {
            gauge: Gauge::Knots { x: curve.knots().to_vec(), drives },
            inputs: Vec::new(),
            flags: Vec::new(),
            reads: Vec::new(),
            name: self.name.clone(),
            road: String::new(),
        });
        Function::Table(curve.held_by(self.switches.len() - 1))
    }

    /// The numbers of the variables that a closure names, or nothing after a complaint.
    fn named_variables(&mut self, field: &'static str, own: &[&str], names: &[String]) -> Option<Vec<usize>> {
        let model = self.model;
        let fields = match self.subject {
            Subject::Force(k) => model.forces[k].kind.fields(),
            Subject::Driver(k) => model.drivers[k].kind.fields(),
            _ => Event::fields(),
        };
        let own: Vec<&str> = match fields.iter().find(|f| f.name == field).map(|f| f.kind) {
            Some(Kind::Function { variables, .. }) => variables.iter().map(|(name, _)| *name).collect(),
            _ => own.to_vec(),
        };
        let measures = model.measures.iter().flat_map(|m| [m.name.clone(), format!("{}.rate", m.name)]);
        let own = own.into_iter().map(String::from).chain(measures);
        let events = model.events.iter().map(|event| event.name.clone());
        let all: Vec<String> = own.chain(events).chain(model.inputs.iter().map(|x| x.name.clone())).collect();
        let mut numbers = Vec::with_capacity(names.len());
        for name in names {
            let Some(number) = all.iter().position(|known| known == name) else {
                let message = format!("the closure reads `{name}`, and there is nothing of that name");
                let finding = Finding::error(self.subject.clone(), field, message);
                let other = closest(name, all.iter().map(String::as_str));
                self.findings.push(match other {
                    Some(other) => finding.hint(format!("did you mean `{other}`?")),
                    None => {
                        finding.hint("closures read variables of their field, measures, switches and inputs")
                    }
                });
                return None;
            };
            numbers.push(number);
        }
        Some(numbers)
    }

    /// The variable of an event: events are the first switches.
    fn flag(&mut self, field: &'static str, event: usize) -> Option<Flag> {
        let Some(known) = self.model.events.get(event) else {
            let input = event - self.model.events.len();
            return (input < self.model.inputs.len()).then_some(Flag::Input(input));
        };
        if known.action() != EventAction::Switch {
            let message = format!("event `{}` has no variable, because it is not a switch", known.name);
            let finding = Finding::error(self.subject.clone(), field, message);
            self.findings.push(finding.hint("give the event `action = \"switch\"`"));
            return None;
        }
        let piece = if known.direction() == Crossing::Any { 1 } else { HAPPENED };
        Some(Flag::Piece { switch: event, piece })
    }
}
