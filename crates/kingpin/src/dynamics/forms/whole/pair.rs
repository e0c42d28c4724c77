//! The matrix over all coordinates for a complex weight, as methods need it that solve for several stages together.

use super::bordered::{Bordered, Structure, VANISHING};
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
            *factor = BlockFactor::new(&single.lu);
            right.resize(single.lu.rows(), ComplexNumber::default());
        }
        let (square, values) = ((re * re - im * im, 2.0 * re * im), &mut factor.values);
        values.fill(ComplexNumber::default());
        single.put_pairs(&numbers.mass, [0, 0], values, |to, x| to.re += x);
        single.put_pairs(&numbers.damping, [0, 0], values, |to, x| {
            (to.re, to.im) = (to.re + re * x, to.im + im * x);
        });
        single.put_pairs(&numbers.stiffness, [0, 0], values, |to, x| {
            (to.re, to.im) = (to.re + square.0 * x, to.im + square.1 * x);
        });
        single.put_border(&numbers.phi, values, |to, x| to.re = x);
        *weight = (0.0, 0.0);
        single.lu.factor(factor, VANISHING).map_err(|singular| singular.node)?;
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
        right.fill(ComplexNumber::default());
        for (place, (re, im)) in single.places().zip(re.iter().zip(&*im)) {
            right[place] = ComplexNumber { re: *re, im: *im };
        }
        single.lu.solve(factor, right);
        for (place, (re, im)) in single.places().zip(re.iter_mut().zip(im)) {
            (*re, *im) = (right[place].re, right[place].im);
        }
    }
}
