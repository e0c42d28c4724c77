//! Transfer functions.

use super::sampled::LinearLaw;
use super::{ControllerElement, Realised, Workshop};
use crate::described;
use crate::model::function::Function;

described! {
    /// A transfer function: polynomials in s, or with a `period` in z, given by their coefficients with the highest
    /// power first. It is realised in controllable canonical form, with zero initial states. Functions read the
    /// output by the name of the controller.
    pub struct TransferFunction {
        /// Input: any function of time, measures and states.
        input: Function [Kind::Function { unit: "*", variables: &[("t", "s")], measures: true }];
        /// Coefficients of the numerator, highest power first; at most as many as the denominator has.
        numerator: Vec<f64> [Kind::Numbers("*")];
        /// Coefficients of the denominator, highest power first.
        denominator: Vec<f64> [Kind::Numbers("*")];
        /// Sampling period; continuous if not given.
        period: Option<f64> [Kind::Number("s"), range = Range::Positive] = None;
        /// Delay from a sample to its output, for controllers with a `period`.
        delay: f64 [Kind::Number("s"), range = Range::NonNegative] = 0.0;
    }
}

impl TransferFunction {
    /// Coefficients of both without leading zeros; `None` after a complaint.
    fn polynomials(&self, shop: &mut Workshop) -> Option<(&[f64], &[f64])> {
        let stripped = |list: &'static str, all: &'_ [f64]| {
            let first = all.iter().position(|x| *x != 0.0);
            (list, first)
        };
        let (field, first) = stripped("denominator", &self.denominator);
        let Some(first) = first else {
            shop.complain(field, "all coefficients of `denominator` are zero", "");
            return None;
        };
        let below = &self.denominator[first..];
        let above = &self.numerator[self.numerator.iter().position(|x| *x != 0.0).unwrap_or(self.numerator.len())..];
        if above.len() > below.len() {
            let message = format!(
                "the transfer function is improper: its numerator has degree {}, its denominator {}",
                above.len() - 1,
                below.len() - 1
            );
            shop.complain("numerator", message, "add fast poles, such as a filter");
            return None;
        }
        Some((above, below))
    }
}

impl ControllerElement for TransferFunction {
    fn clock(&self) -> (Option<f64>, f64) {
        (self.period, self.delay)
    }

    fn realise(&self, shop: &mut Workshop) -> Option<Realised> {
        let input = shop.expression("input", &self.input);
        let (above, below) = self.polynomials(shop)?;
        let (n, lead) = (below.len() - 1, below[0]);
        // powers of s from zero on, made monic
        let a: Vec<f64> = below.iter().rev().map(|x| x / lead).collect();
        let b: Vec<f64> = (0..=n).map(|k| above.iter().rev().nth(k).map_or(0.0, |x| x / lead)).collect();
        let through = b[n];
        let row = |k: usize| -> Vec<f64> {
            if k + 1 == n {
                return a[..n].iter().map(|a| -a).collect();
            }
            (0..n).map(|j| f64::from(u8::from(j == k + 1))).collect()
        };
        let law = LinearLaw {
            a: (0..n).map(row).collect(),
            b: (0..n).map(|k| vec![f64::from(u8::from(k + 1 == n))]).collect(),
            c: vec![(0..n).map(|k| b[k] - a[k] * through).collect()],
            d: vec![vec![through]],
            initial: vec![0.0; n],
        };
        Some(shop.linear(self, law, vec![input?]))
    }
}
