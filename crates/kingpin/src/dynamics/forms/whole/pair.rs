//! The matrix over all coordinates for a complex weight, as methods need it that solve for several stages together.

use super::bordered::{Bordered, Structure, VANISHING};
use super::writing::MatrixPart;
use crate::linalg::{BlockFactor, ComplexNumber};

/// The factor for a complex weight, with room for a right side; empty until one is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct ComplexBorder {
    factor: BlockFactor<ComplexNumber>,
    right: Vec<ComplexNumber>,
    /// Its weight; zero if there is none.
    pub weight: (f64, f64),
}

impl<const EXACT: bool> Bordered<EXACT> {
    /// Factors M + g C + g^2 K, bordered by Phi_x, for the complex weight g; the node without a pivot is the error.
    pub(super) fn factor_complex(&mut self, (re, im): (f64, f64)) -> Result<(), usize> {
        let Some(Structure { single, .. }) = &self.structure else { return Err(0) };
        let (numbers, ComplexBorder { factor, right, weight }) = (&self.numbers, &mut self.pair);
        if right.is_empty() {
            *factor = BlockFactor::iterating(&single.lu);
            right.resize(single.lu.rows(), ComplexNumber::default());
        }
        let square = (re * re - im * im, 2.0 * re * im);
        *weight = (0.0, 0.0);
        let write = |part: &mut MatrixPart<ComplexNumber>| {
            part.put_pairs(&numbers.mass, [0, 0], |to, x| to.re += x);
            part.put_pairs(&numbers.damping, [0, 0], |to, x| {
                (to.re, to.im) = (to.re + re * x, to.im + im * x);
            });
            part.put_pairs(&numbers.stiffness, [0, 0], |to, x| {
                (to.re, to.im) = (to.re + square.0 * x, to.im + square.1 * x);
            });
            part.put_border(&numbers.phi, |to, x| to.re = x);
        };
        single.factor(factor, VANISHING, &write).map_err(|singular| singular.node)?;
        *weight = (re, im);
        Ok(())
    }

    /// Tangent accelerations by a complex force, in place.
    pub(super) fn solve_complex(&mut self, re: &mut [f64], im: &mut [f64]) {
        let (Some(Structure { single, .. }), ComplexBorder { factor, right, .. }) =
            (&self.structure, &mut self.pair)
        else {
            re.fill(f64::NAN);
            return;
        };
        let given = |c: usize| ComplexNumber { re: re[c], im: im[c] };
        single.write_right(right, given, |_| ComplexNumber::default());
        single.lu.solve(factor, right);
        single.with_coordinates(right, re, |to, x| *to = x.re);
        single.with_coordinates(right, im, |to, x| *to = x.im);
    }

    /// Adds parts of the multipliers of the complex solution at hand.
    pub(super) fn add_complex_multipliers(&self, [re, im]: [f64; 2], to: &mut [f64]) {
        if let Some(Structure { single, .. }) = &self.structure {
            single.with_multipliers(&self.pair.right, to, |lam, by| *lam += re * by.re + im * by.im);
        }
    }
}
