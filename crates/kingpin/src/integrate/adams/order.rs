//! Which order and step size the Adams method takes next.

use super::{Adams, Errors};
use crate::integrate::pace::PaceRule;

impl Adams {
    /// Whether the errors advise a lower order.
    pub(super) fn lower(&self, errors: Errors) -> bool {
        match self.k {
            1 => false,
            2 => errors.below <= 0.5 * errors.at_k,
            _ => errors.below.max(errors.two_below) <= errors.at_k,
        }
    }

    /// Sets the order of the next step; returns the error it would have with this step size.
    pub(super) fn choose_order(&mut self, h: f64, errors: Errors) -> f64 {
        let (n, k) = (self.y.len(), self.k);
        let lower = self.lower(errors);
        if lower || k >= self.highest {
            self.starting = false;
        }
        if self.starting {
            self.k = k + 1;
            return 0.0;
        }
        if !lower && k < self.equal {
            let above = h.abs()
                * self.constants[k + 1]
                * self.norm.of_step(h.abs(), &self.phi[(k + 1) * n..][..n], &self.y, &self.y);
            let falls = k > 1 && errors.below <= errors.at_k.min(above);
            let rises = !falls && k < self.highest && above < errors.at_k * if k == 1 { 0.5 } else { 1.0 };
            if rises {
                self.k = k + 1;
                return above;
            }
            if !falls {
                return errors.at_k;
            }
        } else if !lower {
            return errors.at_k;
        }
        self.k = k - 1;
        errors.below
    }

    /// Double if that is safe, the same if possible, else shorter by 0.5 to 0.9.
    pub(super) fn choose_size(&self, h: f64, error: f64) -> f64 {
        if self.pace.control.controller == PaceRule::Fixed {
            return h;
        }
        let doubled = 2f64.powi(self.k as i32 + 1);
        if self.starting || 0.5 >= error * doubled {
            2.0 * h
        } else if 0.5 >= error {
            h
        } else {
            h * (0.5 / error).powf(1.0 / (self.k + 1) as f64).clamp(0.5, 0.9)
        }
    }
}
