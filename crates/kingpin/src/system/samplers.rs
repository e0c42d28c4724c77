//! Controllers that work at samples: at multiples of their period they read, remember, and renew what functions read.
//!
//! All that they hold is in the inputs of a state, behind those of the model, so checkpoints have it: outputs, the number of
//! samples taken, memory of the law, outputs under way.

use super::forces::inputs;
use super::{State, System, Work, in_space};
use crate::element::basic::Basic;
use crate::element::law::MAX_VARIABLES;
use crate::element::switch::Flag;
use crate::model::controller::SampledLaw;
use crate::model::finding::Subject;
use crate::model::function::Function;

/// A function that is evaluated by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadFunction {
    /// The function: of t, value and rate of each input, flags.
    pub function: Function,
    /// What it depends on besides time.
    pub inputs: Vec<Basic>,
    /// Events, inputs and held numbers that it reads.
    pub flags: Vec<Flag>,
}

/// An output of a controller.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerOutput {
    /// The name by which functions read it.
    pub name: String,
    /// The controller.
    pub subject: Subject,
    /// Its value.
    pub value: ReadFunction,
}

/// A controller that works at samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampler {
    /// Its name.
    pub name: String,
    /// Time between samples.
    pub period: f64,
    /// Time from a sample to its output.
    pub delay: f64,
    /// What it reads.
    pub inputs: Vec<ReadFunction>,
    /// What it does.
    pub law: SampledLaw,
    /// Where its held numbers begin among the inputs of a state.
    pub held: usize,
    /// Samples that may be under way.
    pub pending: usize,
}

/// The next sample and the next output of a controller, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleCount {
    sample: u64,
    output: u64,
}

/// Times that differ by less than this part of a period are the same.
const SAME: f64 = 1e-9;

impl Sampler {
    /// The first sample and output after a time.
    pub(super) fn after(&self, t: f64) -> SampleCount {
        let first = |offset: f64| {
            let near = ((t - offset) / self.period).floor().max(-1.0) - 1.0;
            let mut k = near.max(0.0) as u64;
            while self.period * k as f64 + offset <= t + SAME * self.period {
                k += 1;
            }
            k
        };
        SampleCount { sample: first(0.0), output: first(self.delay) }
    }

    /// When they come.
    pub(super) fn times(&self, next: SampleCount) -> [f64; 2] {
        let output =
            if self.delay > 0.0 { self.period * next.output as f64 + self.delay } else { f64::INFINITY };
        [self.period * next.sample as f64, output]
    }

    /// Takes what is due up to a time: how many of both, and which sample and output come after.
    pub(super) fn pass(&self, next: &mut SampleCount, t: f64) -> [Option<u64>; 2] {
        let [sample, output] = self.times(*next);
        let mut due = [None; 2];
        if sample <= t {
            due[0] = Some(next.sample);
            next.sample += 1;
        }
        if output <= t {
            due[1] = Some(next.output);
            next.output += 1;
        }
        due
    }

    /// What it holds at the start.
    pub(super) fn start(&self) -> Vec<f64> {
        let outputs = self.law.outputs();
        let mut all = vec![0.0; outputs + 1];
        all.extend(self.law.initial());
        all.resize(all.len() + outputs * self.pending, 0.0);
        all
    }

    /// Works at a sample with what it has read.
    fn sample(&self, k: u64, read: &[f64], held: &mut [f64]) {
        let (outputs, memory) = (self.law.outputs(), self.law.memory());
        let (shown, rest) = held.split_at_mut(outputs);
        let (taken, rest) = rest.split_at_mut(1);
        let (own, under_way) = rest.split_at_mut(memory);
        let given = self.law.step(own, read);
        taken[0] += 1.0;
        if self.pending == 0 {
            shown.copy_from_slice(&given);
        } else {
            let place = (k % self.pending as u64) as usize * outputs;
            under_way[place..place + outputs].copy_from_slice(&given);
        }
    }

    /// Shows the output of a sample.
    fn show(&self, k: u64, held: &mut [f64]) {
        let (outputs, memory) = (self.law.outputs(), self.law.memory());
        let place = outputs + 1 + memory + (k % self.pending.max(1) as u64) as usize * outputs;
        held.copy_within(place..place + outputs, 0);
    }
}

impl System {
    /// The value of a function at the instant of the work. No allocation.
    pub fn read(&self, of: &ReadFunction, work: &Work) -> f64 {
        let mut vars = [0.0; MAX_VARIABLES];
        in_space!(self.space, C => inputs::<C>(&of.inputs, &work.bodies, &work.turns, work.t, &mut vars));
        let first = 1 + 2 * of.inputs.len();
        for (flag, variable) in of.flags.iter().zip(&mut vars[first..]) {
            *variable = flag.value(&work.pieces, &work.inputs);
        }
        of.function.eval(&vars[..first + of.flags.len()])
    }

    /// Samples and outputs that are due at the instant of the work, by sampler: all read what was held before. Whether
    /// anything was.
    pub fn sample(&self, due: &[[Option<u64>; 2]], work: &mut Work) -> bool {
        let reads = |(sampler, due): (&Sampler, &[Option<u64>; 2])| match due[0] {
            Some(_) => sampler.inputs.iter().map(|input| self.read(input, work)).collect(),
            None => Vec::new(),
        };
        let read: Vec<Vec<f64>> = self.samplers.iter().zip(due).map(reads).collect();
        let mut any = false;
        for ((sampler, due), read) in self.samplers.iter().zip(due).zip(&read) {
            let held = &mut work.inputs[sampler.held..];
            if let Some(k) = due[1] {
                sampler.show(k, held);
            }
            if let Some(k) = due[0] {
                sampler.sample(k, read, held);
            }
            any |= due.iter().any(Option::is_some);
        }
        any
    }

    /// The first samples, of controllers that have taken none, where a run sets off at a multiple of their period.
    pub fn sample_start(&self, state: &mut State, work: &mut Work) {
        if self.samplers.is_empty() {
            return;
        }
        self.set_state(work, state);
        let due = |sampler: &Sampler| {
            let taken = state.inputs[sampler.held + sampler.law.outputs()];
            let k = (state.t / sampler.period).round();
            let apart = (k * sampler.period - state.t).abs();
            let now = taken == 0.0 && k >= 0.0 && apart <= SAME * sampler.period;
            [now.then_some(k as u64), None]
        };
        let due: Vec<[Option<u64>; 2]> = self.samplers.iter().map(due).collect();
        self.sample(&due, work);
        state.inputs.copy_from_slice(&work.inputs);
    }
}
