//! A mechanism whose drivers stand still.

use super::System;
use crate::element::equation::EquationForm;
use crate::model::function::Function;

impl System {
    /// The system with all prescribed motions stopped where they are at time `t`. Rest is a consistent motion of
    /// it. Forces still know the time. O(equations).
    pub fn frozen(&self, t: f64) -> System {
        let mut frozen = self.clone();
        for numbered in &mut frozen.layout.equations {
            if let EquationForm::Single(_, motion) = &mut numbered.equation.form
                && motion.constant_value().is_none()
            {
                *motion = Function::Constant(motion.eval(&[t]));
            }
        }
        frozen
    }

    /// The same with first-order states for coordinates: where it is at rest their rates are zero too. O(equations + terms).
    pub fn standing(&self, t: f64) -> System {
        let mut standing = self.frozen(t);
        standing.stand_still();
        standing
    }
}
