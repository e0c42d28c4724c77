//! Linear systems in state space.

use super::sampled::LinearLaw;
use super::{ControllerElement, Realised, Workshop};
use crate::described;
use crate::model::function::Function;

described! {
    /// A linear system x' = A x + B u, y = C x + D u, or with a `period` x(k+1) = A x(k) + B u(k), y(k) = C x(k) + D
    /// u(k). Functions read an output as CONTROLLER.OUTPUT; a single output without a name is read by the name of the
    /// controller.
    pub struct StateSpace {
        /// Inputs: functions of time, measures and states.
        inputs: Vec<Function> [Kind::Functions { unit: "*", variables: &[("t", "s")], measures: true }];
        /// Names of the outputs; not needed if there is one.
        outputs: Vec<String> [Kind::Words] = Vec::new();
        /// Matrix A, by rows.
        a: Vec<Vec<f64>> [Kind::Matrix];
        /// Matrix B, by rows.
        b: Vec<Vec<f64>> [Kind::Matrix];
        /// Matrix C, by rows.
        c: Vec<Vec<f64>> [Kind::Matrix];
        /// Matrix D, by rows; default zero.
        d: Option<Vec<Vec<f64>>> [Kind::Matrix] = None;
        /// Initial states; default zero.
        initial: Vec<f64> [Kind::Numbers("*")] = Vec::new();
        /// Sampling period; continuous if not given.
        period: Option<f64> [Kind::Number("s"), range = Range::Positive] = None;
        /// Delay from a sample to its output, for controllers with a `period`.
        delay: f64 [Kind::Number("s"), range = Range::NonNegative] = 0.0;
    }
}

impl StateSpace {
    /// Whether all matrices fit; complains if not.
    fn fits(&self, shop: &mut Workshop) -> bool {
        let (n, m, p) = (self.a.len(), self.inputs.len(), self.outputs().len());
        let sizes = [
            ("a", Some(&self.a), [n, n]),
            ("b", Some(&self.b), [n, m]),
            ("c", Some(&self.c), [p, n]),
            ("d", self.d.as_ref(), [p, m]),
        ];
        let mut good = true;
        for (field, matrix, [rows, columns]) in sizes {
            let Some(matrix) = matrix else { continue };
            let wide = matrix.iter().map(Vec::len).find(|wide| *wide != columns);
            if matrix.len() == rows && wide.is_none() {
                continue;
            }
            let has = format!("{} by {}", matrix.len(), wide.unwrap_or(columns));
            let message = format!("`{field}` is {has}, but must be {rows} by {columns}");
            let hint = format!("states: {n}, inputs: {m}, outputs: {p}");
            shop.complain(field, message, &hint);
            good = false;
        }
        if !self.initial.is_empty() && self.initial.len() != n {
            let message = format!("`initial` has {} numbers for {n} states", self.initial.len());
            shop.complain("initial", message, "");
            good = false;
        }
        good
    }
}

impl ControllerElement for StateSpace {
    fn outputs(&self) -> Vec<String> {
        if self.outputs.is_empty() { vec![String::new()] } else { self.outputs.clone() }
    }

    fn clock(&self) -> (Option<f64>, f64) {
        (self.period, self.delay)
    }

    fn realise(&self, shop: &mut Workshop) -> Option<Realised> {
        let inputs: Vec<_> =
            self.inputs.iter().map(|function| shop.expression("inputs", function)).collect();
        if !self.fits(shop) {
            return None;
        }
        let inputs = inputs.into_iter().collect::<Option<Vec<_>>>()?;
        let n = self.a.len();
        let law = LinearLaw {
            a: self.a.clone(),
            b: self.b.clone(),
            c: self.c.clone(),
            d: self.d.clone().unwrap_or_else(|| vec![vec![0.0; self.inputs.len()]; self.c.len()]),
            initial: if self.initial.is_empty() { vec![0.0; n] } else { self.initial.clone() },
        };
        Some(shop.linear(self, law, inputs))
    }
}
