//! From states and controllers of a model to rates, outputs and samplers.

use super::compile::{Attached, Compiler};
use super::{ControllerOutput, ReadFunction, Sampler};
use crate::element::basic::Basic;
use crate::element::bind::{Bound, state_probe};
use crate::element::compose::JointPlace;
use crate::element::equation::{Direction, Term, Words};
use crate::element::law::Strength;
use crate::expr::Expr;
use crate::model::finding::Subject;
use crate::model::function::Function;

impl Compiler<'_> {
    /// The rates of states, as forces on their nodes.
    pub(super) fn states(&mut self, joints: &[JointPlace], measures: &[Option<Basic>]) -> Vec<Term> {
        let mut terms = Vec::new();
        let ground = self.given.ground();
        for part in self.model.state_parts() {
            let at = Attached { subject: part.subject.clone(), places: None, by_markers: false };
            let mut composer = self.composer(at, &part.name, joints, measures);
            let mut bound = Bound::default();
            let rate = composer.bind("rate", part.rate.clone(), &["t"], &mut bound);
            let strength = Strength::Rate(composer.switched(rate, &bound, false));
            self.finish(composer);
            let direction = Direction::Along(state_probe(ground, part.body.start), 1.0);
            let Bound { inputs, names, flags } = bound;
            terms.push(Term {
                strength,
                inputs,
                names,
                flags,
                direction,
                words: Words::strength("rate", ""),
            });
        }
        terms
    }

    /// A function that is evaluated by itself.
    fn reading(
        &mut self,
        (subject, name): (&Subject, &str),
        expr: &Expr,
        (joints, measures): (&[JointPlace], &[Option<Basic>]),
    ) -> ReadFunction {
        let at = Attached { subject: subject.clone(), places: None, by_markers: false };
        let mut composer = self.composer(at, name, joints, measures);
        let mut bound = Bound::default();
        let function = composer.bind("input", Function::Expr(expr.clone()), &["t"], &mut bound);
        self.finish(composer);
        ReadFunction { function, inputs: bound.inputs, flags: bound.flags }
    }

    /// Outputs of controllers, to be shown.
    pub(super) fn outputs(
        &mut self,
        joints: &[JointPlace],
        measures: &[Option<Basic>],
    ) -> Vec<ControllerOutput> {
        let mut all = Vec::new();
        for part in self.model.made.iter().flat_map(|made| &made.outputs) {
            let who = (&part.subject, part.name.as_str());
            let value = self.reading(who, &part.expr, (joints, measures));
            all.push(ControllerOutput { name: part.name.clone(), subject: part.subject.clone(), value });
        }
        all
    }

    /// Controllers that work at samples.
    pub(super) fn samplers(&mut self, joints: &[JointPlace], measures: &[Option<Basic>]) -> Vec<Sampler> {
        let mut all = Vec::new();
        for part in self.model.made.iter().flat_map(|made| &made.samplers) {
            let who = (&part.subject, part.name.as_str());
            let inputs = part.inputs.iter().map(|expr| self.reading(who, expr, (joints, measures))).collect();
            all.push(Sampler {
                name: part.name.clone(),
                period: part.period,
                delay: part.delay,
                inputs,
                law: part.law.clone(),
                held: self.model.inputs.len() + part.held,
                pending: part.pending(),
            });
        }
        all
    }
}
