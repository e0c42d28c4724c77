//! Binding of functions: what they read becomes inputs and flags of a term, where they bend become switches.

use super::basic::{Basic, Dot2};
use super::compose::Composer;
use super::law::MAX_VARIABLES;
use super::measure::MeasureKind;
use super::switch::{Flag, Gauge, HAPPENED, Switch};
use super::turned::is_part;
use crate::expr::{Curve, Expr, closest};
use crate::model::controller::{Numbering, Variable};
use crate::model::describe::{Described, Kind};
use crate::model::event::{EventAction, EventDirection as Crossing};
use crate::model::finding::{Finding, Subject};
use crate::model::function::Function;
use crate::model::{Event, Measure, Model, StateVariable};
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
        let whole =
            self.with_outputs(field, f, own.len()).and_then(|f| self.with_turned(field, f, own.len()));
        let Some(f) = whole else { return Function::default() };
        let variables: Vec<usize> = match &f {
            Function::Expr(expr) => expr.variables().collect(),
            Function::Closure(closure) => match self.named_variables(field, own, closure.names()) {
                Some(variables) => variables,
                None => return Function::default(),
            },
            Function::Constant(_) | Function::Table(_) => return f,
        };
        let numbering = Numbering::of(self.model, own.len());
        let own = own.len();
        // measures with states behind them, and events with inputs behind them, ascending and once each
        let measures = self.model.measures.len();
        let (model, reactions) = (self.model, self.first_reading());
        let reading = |k: usize| reading_place(model, k).map(|place| numbering.events + reactions + place);
        let flag_at = |what: Variable| match what {
            Variable::Measure(k, _) => reading(k),
            Variable::Event(k) => Some(k),
            Variable::Input(k) => Some(numbering.events + k),
            _ => None,
        };
        let is_rate = |k: usize| model.measures[k].kind.element().is_rate();
        let (mut used, mut switched) = (BTreeSet::new(), BTreeSet::new());
        for what in variables.iter().filter(|&&v| !is_part(v)).map(|&variable| numbering.what(variable)) {
            match what {
                Variable::Measure(k, true) if reading(k).is_some() => return self.no_rate(field, k),
                Variable::Measure(k, true) if is_rate(k) => return self.no_acceleration(field, k),
                Variable::Measure(k, _) if self.turned(k).is_some() => return self.no_parts(field, k),
                Variable::Measure(k, false) if reading(k).is_some() => switched.extend(reading(k)),
                Variable::Measure(k, _) => drop(used.insert(k)),
                Variable::State(k) => drop(used.insert(measures + k)),
                other => switched.extend(flag_at(other)),
            }
        }
        let (used, switched): (Vec<usize>, Vec<usize>) =
            (used.into_iter().collect(), switched.into_iter().collect());
        let rates: Vec<usize> = used.iter().copied().filter(|&k| k < measures && is_rate(k)).collect();
        for &k in &used {
            // a faulty one has been complained about where it stands
            let Some((probe, name)) = self.readable(k) else { return Function::default() };
            bound.inputs.push(probe);
            bound.names.push(name);
        }
        let parts: Vec<(usize, usize)> =
            variables.iter().filter_map(|&v| Some((v, self.part_of_velocity(v, bound)?))).collect();
        for &event in &switched {
            let Some(flag) = self.flag(field, event) else { return Function::default() };
            bound.flags.push(flag);
        }
        let first_flag = 1 + 2 * bound.inputs.len();
        if first_flag + bound.flags.len() > MAX_VARIABLES {
            let most = (MAX_VARIABLES - 1) / 2 - (own - 1) / 2;
            self.complain(field, format!("`{field}` depends on more than {most} measures and states"));
            return Function::default();
        }
        let at = |list: &[usize], k: usize| list.iter().position(|&x| x == k).unwrap_or(0);
        let part = |variable: usize| parts.iter().find(|(v, _)| *v == variable).map(|(_, place)| *place);
        let place = |variable: usize| match numbering.what(variable) {
            _ if is_part(variable) => part(variable).unwrap_or(0),
            Variable::Own(v) => v,
            Variable::Measure(k, _) if reading(k).is_some() => {
                first_flag + at(&switched, reading(k).unwrap_or(0))
            }
            Variable::Measure(k, rate) => own + 2 * at(&used, k) + usize::from(rate || rates.contains(&k)),
            // the state is the velocity of its node
            Variable::State(k) => own + 2 * at(&used, measures + k) + 1,
            other => first_flag + at(&switched, flag_at(other).unwrap_or(0)),
        };
        match &f {
            Function::Expr(expr) => Function::Expr(expr.renumber(place)),
            Function::Closure(closure) => {
                Function::Closure(closure.at(variables.into_iter().map(place).collect()))
            }
            Function::Constant(_) | Function::Table(_) => f,
        }
    }

    /// What a measure, or behind these a state, is probed by, with its name.
    fn readable(&self, k: usize) -> Option<(Basic, String)> {
        let measures = &self.model.measures;
        if let Some(measure) = measures.get(k) {
            return self.measures.get(k).copied().flatten().map(|probe| (probe, measure.name.clone()));
        }
        let part = self.model.state_parts().get(k - measures.len())?;
        Some((state_probe(self.given.ground(), part.body.start), part.name.clone()))
    }

    /// Where reactions begin among the inputs of a state: behind those of the model and the held numbers of controllers.
    pub fn first_reading(&self) -> usize {
        let samplers = self.model.made.iter().flat_map(|made| &made.samplers);
        self.model.inputs.len() + samplers.map(|sampler| sampler.width()).sum::<usize>()
    }

    /// The value of some measures is the rate of what they probe, and has no rate that functions could read.
    fn no_acceleration(&mut self, field: &'static str, k: usize) -> Function {
        let name = &self.model.measures[k].name;
        let message = format!("`{name}.rate` is an acceleration, which functions cannot read");
        self.complain(field, message);
        Function::default()
    }

    /// A velocity in the axes of a third body is put into expressions, which a closure is none of.
    fn no_parts(&mut self, field: &'static str, k: usize) -> Function {
        let name = &self.model.measures[k].name;
        let message = format!(
            "the closure reads `{name}`, a velocity in the axes of another body, which only \
                 expressions can use"
        );
        self.complain_with_hint(
            field,
            message,
            "measure the velocity in the axes of its observer and transform it in the closure",
        );
        Function::default()
    }

    /// A complaint about the rate of a reaction.
    fn no_rate(&mut self, field: &'static str, measure: usize) -> Function {
        let name = &self.model.measures[measure].name;
        let message = format!("`{field}` uses `{name}.rate`, but a reaction has no rate");
        let hint = "filter it by a `[[state]]`, whose rate is an expression";
        self.complain_with_hint(field, message, hint);
        Function::default()
    }

    /// A function with the outputs of controllers that it reads put into it; `None` after a complaint.
    fn with_outputs(&mut self, field: &'static str, f: Function, own: usize) -> Option<Function> {
        let Some(made) = self.model.made.as_ref().filter(|made| !made.outputs.is_empty()) else {
            return Some(f);
        };
        let Function::Expr(expr) = &f else { return Some(f) };
        let numbering = Numbering::of(self.model, own);
        let output = |v: usize| match numbering.what(v) {
            Variable::Output(k) => Some(k),
            _ => None,
        };
        if expr.variables().all(|v| output(v).is_none()) {
            return Some(f);
        }
        // outputs are functions of time, which comes first, and of what follows the variables of the field
        let moved: Vec<Expr> = made
            .outputs
            .iter()
            .map(|part| part.expr.renumber(|v| if v == 0 { 0 } else { v - 1 + own }))
            .collect();
        let whole = expr.with_parts(|v| output(v).map(|k| &moved[k]));
        if whole.is_none() {
            let message =
                format!("`{field}` and the outputs that it reads need too many intermediate values");
            self.complain(field, message);
        }
        whole.map(Function::Expr)
    }

    /// A bound function on pieces; the places where it is not smooth become switches.
    pub(crate) fn switched(&mut self, f: Function, bound: &Bound, drives: bool) -> Function {
        let expr = match f {
            Function::Constant(_) => return f,
            Function::Table(curve) => return self.held_table(curve, drives),
            Function::Closure(_) => return f,
            Function::Expr(expr) => expr,
        };
        let flags = 1 + 2 * bound.inputs.len();
        // motions are differentiated twice: what is smooth enough for a force is not for them
        let (first, is_flat) = (self.switches.len(), |k| k >= flags);
        let split = if drives {
            expr.split(first, Some(0), is_flat)
        } else {
            expr.split_where_rough(first, Some(0), is_flat)
        };
        let Some((on_pieces, sites)) = split else { return Function::Expr(expr) };
        let kind = match self.subject {
            Subject::Driver(_) => "driver",
            Subject::State(_) => "state",
            Subject::Controller(_) => "controller",
            _ => "force",
        };
        let of = format!("{kind} `{}`", self.name);
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
            gauge: Gauge::Knots { x: curve.knots().to_vec(), drives, steps: curve.jumps() },
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
            Subject::State(_) => StateVariable::fields(),
            _ => Event::fields(),
        };
        let own: Vec<&str> = match fields.iter().find(|f| f.name == field).map(|f| f.kind) {
            Some(Kind::Function { variables, .. }) => variables.iter().map(|(name, _)| *name).collect(),
            _ => own.to_vec(),
        };
        let measures = model.measures.iter().flat_map(|m| [m.name.clone(), format!("{}.rate", m.name)]);
        let states = model.states.iter().map(|x| x.name.clone());
        let outputs: Vec<String> = model.controllers.iter().flat_map(|x| x.output_names()).collect();
        let own = own.into_iter().map(String::from).chain(measures).chain(states).chain(outputs.clone());
        let events = model.events.iter().map(|event| event.name.clone());
        let all: Vec<String> = own.chain(events).chain(model.inputs.iter().map(|x| x.name.clone())).collect();
        let mut numbers = Vec::with_capacity(names.len());
        for name in names {
            let Some(number) = all.iter().position(|known| known == name) else {
                let message = format!("the closure reads `{name}`, which does not exist");
                let finding = Finding::error(self.subject.clone(), field, message);
                let other = closest(name, all.iter().map(String::as_str));
                self.findings.push(match other {
                    Some(other) => finding.hint(format!("did you mean `{other}`?")),
                    None => finding.hint(
                        "closures read variables of their field, measures, states, switches and inputs",
                    ),
                });
                return None;
            };
            if outputs.contains(name) {
                let message = format!(
                    "the closure reads `{name}`, an output of a controller, which only expressions can use"
                );
                self.complain(field, message);
                return None;
            }
            numbers.push(number);
        }
        Some(numbers)
    }

    /// The variable of an event: events are the first switches.
    fn flag(&mut self, field: &'static str, event: usize) -> Option<Flag> {
        let Some(known) = self.model.events.get(event) else {
            let input = event - self.model.events.len();
            // held numbers of controllers come behind, then reactions that measures read
            let reactions =
                (0..self.model.measures.len()).filter_map(|k| reading_place(self.model, k)).count();
            return (input < self.first_reading() + reactions).then_some(Flag::Input(input));
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

/// What the coordinate of a state is probed by: a scalar is a place on the first axis.
pub fn state_probe(ground: usize, node: usize) -> Basic {
    Basic::Dot2(Dot2 { bodies: [ground, node], a: [1.0, 0.0, 0.0], s: [[0.0; 3]; 2] })
}

/// The place of a measure among those that read reactions, if it does.
pub fn reading_place(model: &Model, measure: usize) -> Option<usize> {
    let reads = |measure: &&Measure| matches!(measure.kind, MeasureKind::MeasuredReaction(_));
    model.measures.get(measure).filter(reads)?;
    let before = &model.measures[..measure];
    Some(before.iter().filter(reads).count())
}
