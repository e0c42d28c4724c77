//! States and controllers become scalar bodies, expressions and held numbers.

use super::{Controller, OutputPart, Realised, SamplerPart, StatePart, Workshop};
use crate::expr::Expr;
use crate::model::finding::{Finding, Subject};
use crate::model::value::Vec3;
use crate::model::{Body, Function, Model};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How the variables of functions are numbered: first their own, then value and rate of each measure, states, outputs of
/// controllers, events, inputs, states inside controllers, held numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// Variables that a function has of its own.
    pub own: usize,
    /// Measures.
    pub measures: usize,
    /// States of the user.
    pub states: usize,
    /// Outputs of controllers.
    pub outputs: usize,
    /// Events.
    pub events: usize,
    /// Inputs.
    pub inputs: usize,
    /// States inside controllers.
    pub inner: usize,
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// One of those that a function has of its own.
    Own(usize),
    /// The value of a measure, or its rate.
    Measure(usize, bool),
    /// A state: those of the user first, then those inside controllers.
    State(usize),
    /// An output of a controller.
    Output(usize),
    /// An event.
    Event(usize),
    /// An input, or behind these a held number.
    Input(usize),
}

impl Numbering {
    /// That of functions of a model with so many variables of their own.
    pub fn of(model: &Model, own: usize) -> Numbering {
        let made = model.made.as_ref();
        let outputs = match made {
            Some(made) => made.outputs.len(),
            None => model.controllers.iter().map(|own| own.kind.element().outputs().len()).sum(),
        };
        Numbering {
            own,
            measures: model.measures.len(),
            states: model.states.len(),
            outputs,
            events: model.events.len(),
            inputs: model.inputs.len(),
            inner: made.map_or(0, |made| made.states.len().saturating_sub(model.states.len())),
        }
    }

    fn first_state(&self) -> usize {
        self.own + 2 * self.measures
    }

    fn first_output(&self) -> usize {
        self.first_state() + self.states
    }

    fn first_event(&self) -> usize {
        self.first_output() + self.outputs
    }

    fn first_input(&self) -> usize {
        self.first_event() + self.events
    }

    /// The variable of a state inside a controller.
    pub fn inner(&self, k: usize) -> usize {
        self.first_input() + self.inputs + k
    }

    /// The variable of an input.
    pub fn input(&self, k: usize) -> usize {
        self.first_input() + k
    }

    /// The variable of a held number.
    fn held(&self, k: usize) -> usize {
        self.inner(self.inner) + k
    }

    /// The rate of a variable that is the value of a measure.
    pub fn rate_of(&self, variable: usize) -> Option<usize> {
        matches!(self.what(variable), Variable::Measure(_, false)).then_some(variable + 1)
    }

    /// What a variable is.
    pub fn what(&self, v: usize) -> Variable {
        if v < self.own {
            return Variable::Own(v);
        }
        if v < self.first_state() {
            return Variable::Measure((v - self.own) / 2, (v - self.own) % 2 == 1);
        }
        if v < self.first_output() {
            return Variable::State(v - self.first_state());
        }
        if v < self.first_event() {
            return Variable::Output(v - self.first_output());
        }
        if v < self.first_input() {
            return Variable::Event(v - self.first_event());
        }
        let k = v - self.first_input();
        if k < self.inputs {
            return Variable::Input(k);
        }
        if k < self.inputs + self.inner {
            return Variable::State(self.states + k - self.inputs);
        }
        Variable::Input(k - self.inner)
    }
}

/// What became of states and controllers.
pub(in crate::model) struct MadeStates {
    pub states: Vec<StatePart>,
    pub outputs: Vec<OutputPart>,
    pub samplers: Vec<SamplerPart>,
}

/// Most samples under way.
const MOST_PENDING: f64 = 10_000.0;

/// Adds the scalar bodies that states are, behind all that the model has.
pub(in crate::model) fn take_apart(model: &mut Model) -> (MadeStates, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut made = MadeStates { states: Vec::new(), outputs: Vec::new(), samplers: Vec::new() };
    for (k, own) in model.states.iter().enumerate() {
        made.states.push(StatePart {
            name: own.name.clone(),
            subject: Subject::State(k),
            body: 0..0,
            rate: own.rate.clone(),
            unit: own.shown_unit(),
            scale: own.scale,
        });
    }
    let mut initial: Vec<f64> = model.states.iter().map(|own| own.initial).collect();
    let mut numbering = Numbering::of(model, 1);
    let mut held = Vec::new();
    for (k, own) in model.controllers.iter().enumerate() {
        let inner = made.states.len() - model.states.len();
        let mut shop = Workshop {
            numbering: &numbering,
            subject: Subject::Controller(k),
            name: &own.name,
            inner,
            findings: &mut findings,
        };
        let realised = realise(own, &mut shop);
        add(own, k, realised, &mut made, (&mut initial, &mut held));
    }
    // held numbers come behind all states inside controllers, whose number is known now
    numbering.inner = made.states.len() - model.states.len();
    for &(output, place) in &held {
        let part: &mut OutputPart = &mut made.outputs[output];
        part.expr = Expr::variable(&part.name, numbering.held(place));
    }
    findings.extend(resolve(&mut made.outputs, &numbering));
    for (part, x) in made.states.iter_mut().zip(initial) {
        part.body = model.bodies.len()..model.bodies.len() + 1;
        let velocity = Vec3::new(x, 0.0, 0.0);
        model.bodies.push(Body { velocity, ..Body::scalar(&format!("state {}", part.name), 1.0) });
    }
    (made, findings)
}

fn realise(own: &Controller, shop: &mut Workshop) -> Option<Realised> {
    if matches!(own.kind.element().clock(), (None, delay) if delay > 0.0) {
        let message = "`delay` is the time from a sample to its output and needs a `period`";
        shop.complain("delay", message, "add a `period`");
        return None;
    }
    if let Some((period, delay)) = own.kind.element().sampling()
        && delay / period > MOST_PENDING
    {
        shop.complain("delay", format!("`delay` is {:.1} periods, more than 10000", delay / period), "");
        return None;
    }
    own.kind.element().realise(shop)
}

/// Adds what a controller is made of; outputs of one that something is wrong with are zero.
fn add(
    own: &Controller,
    k: usize,
    realised: Option<Realised>,
    made: &mut MadeStates,
    (initial, held): (&mut Vec<f64>, &mut Vec<(usize, usize)>),
) {
    let (subject, names) = (Subject::Controller(k), own.output_names());
    let first = made.outputs.len();
    let zero = Expr::number(0.0);
    made.outputs.extend(names.into_iter().map(|name| OutputPart {
        name,
        subject: subject.clone(),
        expr: zero.clone(),
    }));
    match realised {
        Some(Realised::States { states, outputs }) => {
            for (name, rate, start) in states {
                made.states.push(StatePart {
                    name: format!("{}.{name}", own.name),
                    subject: subject.clone(),
                    body: 0..0,
                    rate: Function::Expr(rate),
                    unit: "",
                    scale: 1e-9,
                });
                initial.push(start);
            }
            made.outputs[first..].iter_mut().zip(outputs).for_each(|(part, expr)| part.expr = expr);
        }
        Some(Realised::Samples { inputs, law }) => {
            let (period, delay) = own.kind.element().sampling().unwrap_or((1.0, 0.0));
            let at = made.samplers.last().map_or(0, |last| last.held + last.width());
            held.extend((0..law.outputs()).map(|output| (first + output, at + output)));
            made.samplers.push(SamplerPart {
                name: own.name.clone(),
                subject,
                period,
                delay,
                inputs,
                law,
                held: at,
            });
        }
        None => {}
    }
}

/// Puts outputs that read outputs in terms of what is known without them; complains of those that depend on themselves.
/// O(outputs log outputs), beside the lengths of expressions.
fn resolve(outputs: &mut [OutputPart], numbering: &Numbering) -> Vec<Finding> {
    let reads = |expr: &Expr| -> Vec<usize> {
        let output = |v: usize| match numbering.what(v) {
            Variable::Output(k) => Some(k),
            _ => None,
        };
        expr.variables().filter_map(output).collect()
    };
    let mut findings = Vec::new();
    let mut done = vec![false; outputs.len()];
    // how many outputs each one still waits for, and who waits for it
    let mut missing = vec![0; outputs.len()];
    let mut readers = vec![Vec::new(); outputs.len()];
    for (k, output) in outputs.iter().enumerate() {
        for other in reads(&output.expr) {
            missing[k] += 1;
            readers[other].push(k);
        }
    }
    // the first one that waits for none is next
    let free = (0..outputs.len()).filter(|&k| missing[k] == 0);
    let mut ready: BinaryHeap<Reverse<usize>> = free.map(Reverse).collect();
    while let Some(Reverse(k)) = ready.pop() {
        let part = |v: usize| match numbering.what(v) {
            Variable::Output(other) => Some(&outputs[other].expr),
            _ => None,
        };
        let whole = outputs[k].expr.with_parts(part);
        let OutputPart { name, subject, .. } = &outputs[k];
        if whole.is_none() {
            let message = format!("the output `{name}` needs too many intermediate values at once");
            let finding = Finding::error(subject.clone(), "", message);
            findings.push(finding.hint("define a part of it as a `[[state]]`"));
        }
        outputs[k].expr = whole.unwrap_or_else(|| Expr::number(0.0));
        done[k] = true;
        for reader in std::mem::take(&mut readers[k]) {
            missing[reader] -= 1;
            if missing[reader] == 0 {
                ready.push(Reverse(reader));
            }
        }
    }
    if let Some(first) = done.iter().position(|done| !done) {
        findings.push(algebraic_loop(outputs, first, &|k| {
            let next = reads(&outputs[k].expr).into_iter().find(|&other| !done[other]);
            next.unwrap_or(first)
        }));
        for (part, _) in outputs.iter_mut().zip(&done).filter(|(_, done)| !**done) {
            part.expr = Expr::number(0.0);
        }
    }
    findings
}

/// The complaint about outputs that depend on each other at once, from one of them along what it reads.
fn algebraic_loop(outputs: &[OutputPart], first: usize, next: &dyn Fn(usize) -> usize) -> Finding {
    // after so many steps it is inside of the loop
    let inside = (0..outputs.len()).fold(first, |k, _| next(k));
    let mut names = vec![format!("`{}`", outputs[inside].name)];
    let mut k = next(inside);
    while k != inside {
        names.push(format!("`{}`", outputs[k].name));
        k = next(k);
    }
    names.push(format!("`{}`", outputs[inside].name));
    let message = format!(
        "the output {} depends on itself without delay (algebraic loop): {}",
        names[0],
        names.join(" reads ")
    );
    let finding = Finding::error(outputs[inside].subject.clone(), "", message);
    finding.hint("break the loop by a filter, a `[[state]]` or a `period`")
}
