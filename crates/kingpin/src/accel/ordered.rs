//! The envelope solver along an order of one's own, to see what numbering is worth.

use super::accelerator::Accelerator;
use super::method::Solver;
use super::problem::Problem;
use super::reduced::ReducedCholesky;
use crate::system::System;
use crate::topology::{Permutation, TopologyError};

impl Accelerator {
    /// The envelope solver with the joints in the given order, which must name all joints and drivers.
    pub fn envelope_along(
        system: &System,
        redundant: &[bool],
        order: &Permutation,
    ) -> Result<Accelerator, TopologyError> {
        let joints = system.layout.groups.len();
        if order.len() != joints {
            return Err(TopologyError::NotAPermutation { index: order.len().min(joints) });
        }
        let build = |problem: &Problem| Box::new(ReducedCholesky::envelope(problem, order.order())) as _;
        let mut accelerator = Accelerator::with_solver(system, redundant, build);
        accelerator.method = Solver::ReducedEnvelope;
        Ok(accelerator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::element::joint::Revolute;
    use crate::model::{Body, Ends, Model, Space};

    fn chain(links: usize) -> System {
        let mut model = Model::new("chain", Space::Planar);
        model.gravity.y = -9.81;
        for k in 0..links {
            let (name, x) = (format!("b{k}"), k as f64);
            model.body(Body::planar(&name, 1.0, 0.1).at([x + 0.5, 0.0, 0.0]));
            let before = if k == 0 { "ground".into() } else { format!("b{}", k - 1) };
            model.joint(&format!("pin{k}"), Ends::at(&before, &name, [x, 0.0, 0.0]), Revolute {});
        }
        System::compile(&model).expect("valid").0
    }

    #[test]
    fn every_order_gives_the_same_accelerations() {
        let system = chain(6);
        let mut work = system.work();
        system.set_state(&mut work, &system.given);
        let mut reference = Accelerator::new(&system, &[], Solver::Elimination);
        let mut expected = reference.result();
        reference.evaluate(&system, &mut work, &mut expected).expect("solved");
        for order in [[0, 1, 2, 3, 4, 5], [0, 5, 1, 4, 2, 3]] {
            let order = Permutation::new(order.into()).expect("an order");
            let mut other = Accelerator::envelope_along(&system, &[], &order).expect("as long as the chain");
            let mut out = other.result();
            other.evaluate(&system, &mut work, &mut out).expect("solved");
            let far = out.acc.iter().zip(&expected.acc).any(|(a, b)| (a - b).abs() > 1e-9);
            assert!(!far && other.method == Solver::ReducedEnvelope);
        }
    }

    #[test]
    fn an_order_of_other_joints_is_refused() {
        for length in [5, 7] {
            let order = Permutation::identity(length);
            assert!(Accelerator::envelope_along(&chain(6), &[], &order).is_err());
        }
    }
}
