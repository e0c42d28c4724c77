//! What controllers are made with.

use super::{ControllerElement, Numbering, SampledLaw};
use crate::expr::Expr;
use crate::model::Function;
use crate::model::finding::{Finding, Subject};

/// What a controller is made of.
pub enum Realised {
    /// States, each with name, rate and value at the start, and outputs.
    States {
        /// The states, in the order in which the workshop gave their variables.
        states: Vec<(String, Expr, f64)>,
        /// The outputs.
        outputs: Vec<Expr>,
    },
    /// A law that is followed at samples, with what it reads.
    Samples {
        /// What it reads.
        inputs: Vec<Expr>,
        /// The law.
        law: SampledLaw,
    },
}

/// Where a controller is made: it knows how variables are numbered and takes complaints.
pub struct Workshop<'a> {
    pub(super) numbering: &'a Numbering,
    pub(super) subject: Subject,
    pub(super) name: &'a str,
    /// States inside controllers before those of this one.
    pub(super) inner: usize,
    pub(super) findings: &'a mut Vec<Finding>,
}

impl Workshop<'_> {
    /// Notes what is wrong with a field.
    pub fn complain(&mut self, field: &'static str, message: impl Into<String>, hint: &str) {
        let finding = Finding::error(self.subject.clone(), field, message);
        self.findings.push(if hint.is_empty() { finding } else { finding.hint(hint) });
    }

    /// A function as an expression; `None` after a complaint.
    pub fn expression(&mut self, field: &'static str, function: &Function) -> Option<Expr> {
        match function {
            Function::Constant(x) => Some(Expr::number(*x)),
            Function::Expr(expr) => Some(expr.clone()),
            Function::Table(_) | Function::Closure(_) => {
                let message = format!("`{field}` of controller `{}` must be an expression", self.name);
                let hint = "use `step`, `smooth5`, `if` and similar functions, or a `[[state]]` that \
                         follows a table";
                self.complain(field, message, hint);
                None
            }
        }
    }

    /// The variable of a state of this controller.
    pub fn state(&self, k: usize) -> Expr {
        Expr::variable(&format!("{}.x{}", self.name, k + 1), self.numbering.inner(self.inner + k))
    }

    /// The rate of an expression that is a measure or a number.
    pub fn rate_of(&self, expr: &Expr) -> Option<Expr> {
        if expr.constant_value().is_some() {
            return Some(Expr::number(0.0));
        }
        let variable = expr.as_variable()?;
        let rate = self.numbering.rate_of(variable)?;
        Some(Expr::variable(&format!("{}.rate", expr.text()), rate))
    }

    /// States x' = A x + B u and outputs y = C x + D u, all along or from sample to sample.
    pub fn linear(
        &self,
        element: &dyn ControllerElement,
        law: super::sampled::LinearLaw,
        inputs: Vec<Expr>,
    ) -> Realised {
        if element.sampling().is_some() {
            return Realised::Samples { inputs, law: SampledLaw::Linear(law) };
        }
        let variables: Vec<Expr> = (0..law.a.len()).map(|k| self.state(k)).collect();
        let row = |own: &[f64], by: &[f64], text: &str| {
            let terms = own.iter().copied().zip(&variables).chain(by.iter().copied().zip(&inputs));
            Expr::sum(text, &terms.collect::<Vec<_>>())
        };
        let states = law.a.iter().zip(&law.b).zip(&law.initial).enumerate();
        let states = states.map(|(k, ((a, b), initial))| {
            (format!("x{}", k + 1), row(a, b, &format!("rate of {}.x{}", self.name, k + 1)), *initial)
        });
        let outputs = law.c.iter().zip(&law.d).map(|(c, d)| row(c, d, self.name));
        Realised::States { states: states.collect(), outputs: outputs.collect() }
    }
}
