//! A mechanism without some of what depends on time.

use super::System;
use crate::element::equation::EquationForm;
use crate::element::law::Strength;
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

    /// The system without loads that are functions of time alone, and the names of these. O(terms).
    pub fn without_loads_of_time(&self) -> (System, Vec<String>) {
        let (mut without, mut names) = (self.clone(), Vec::new());
        for force in &self.forces {
            for term in &mut without.terms[force.terms.clone()] {
                if term.inputs.is_empty()
                    && term.flags.is_empty()
                    && let Strength::Magnitude(magnitude) = &mut term.strength
                    && magnitude.constant_value().is_none()
                {
                    *magnitude = Function::Constant(0.0);
                    names.push(force.name.clone());
                }
            }
        }
        names.dedup();
        (without, names)
    }

    /// The system of [`System::frozen`] with first-order states for coordinates: where it is at rest their rates are zero too. O(equations + terms).
    pub fn standing(&self, t: f64) -> System {
        let mut standing = self.frozen(t);
        standing.stand_still();
        standing
    }
}
