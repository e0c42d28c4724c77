//! The matrix over all coordinates for a complex weight, as methods need it that solve for several stages together.

use super::bordered::{Bordered, Structure, VANISHING};
use crate::linalg::{BlockFactor, ComplexNumber};

/// The factor for a complex weight, with room for its parts and for a right side; empty until one is asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct ComplexBorder {
    factor: BlockFactor<ComplexNumber>,
    part: Vec<f64>,
    right: Vec<ComplexNumber>,
    /// Its weight; zero if there is none.
    pub weight: (f64, f64),
}

impl<const EXACT: bool> Bordered<EXACT> {
    /// Factors M + g C + g^2 K, bordered by Phi_x, for the complex weight g; the node without a pivot is the error.
    pub(super) fn factor_complex(&mut self, (re, im): (f64, f64)) -> Result<(), usize> {
        let Some(Structure { single, .. }) = &self.structure else { return Err(0) };
        let (numbers, ComplexBorder { factor, part, right, weight }) = (&self.numbers, &mut self.pair);
        if part.is_empty() {
            *factor = BlockFactor::new(&single.lu);
            part.resize(single.lu.len(), 0.0);
            right.resize(single.lu.rows(), ComplexNumber::default());
        }
        part.fill(0.0);
        single.add_pairs(1.0, &numbers.mass, [0, 0], part);
        single.add_pairs(re, &numbers.damping, [0, 0], part);
        single.add_pairs(re * re - im * im, &numbers.stiffness, [0, 0], part);
        single.put_below(1.0, &numbers.phi, [0, 0], part);
        single.put_beside(1.0, &numbers.phi, 0, part);
        factor.values.iter_mut().zip(&*part).for_each(|(to, re)| *to = ComplexNumber { re: *re, im: 0.0 });
        part.fill(0.0);
        single.add_pairs(im, &numbers.damping, [0, 0], part);
        single.add_pairs(2.0 * re * im, &numbers.stiffness, [0, 0], part);
        factor.values.iter_mut().zip(&*part).for_each(|(to, im)| to.im = *im);
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
