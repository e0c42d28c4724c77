//! How far the equations of a mechanism with loops are from being dependent.

use super::mechanism::Mechanism;
use crate::accel::{Elimination, Gathered, Problem};

/// Measures the distance from dependence at one state after the other; about as costly as one acceleration problem.
#[derive(Clone, Debug)]
pub(super) struct Independence {
    elimination: Elimination,
    gathered: Gathered,
    room: Vec<f64>,
}

impl Independence {
    /// Structure for a mechanism; none for a tree, whose equations are independent everywhere.
    pub fn new(mechanism: &Mechanism) -> Option<Self> {
        let problem = &mechanism.accelerator.problem;
        has_loops(problem).then(|| Self {
            elimination: Elimination::quick(problem),
            gathered: Gathered::default(),
            room: Vec::new(),
        })
    }

    /// The sine of the least angle between an equation and those before it, where the constraints were evaluated
    /// last: zero where equations are dependent.
    pub fn measure(&mut self, mechanism: &Mechanism) -> f64 {
        let problem = &mechanism.accelerator.problem;
        let numbers = problem.gather(&mechanism.work, &mut self.gathered);
        self.elimination.least_pivot(problem, numbers.phi_v, &mut self.room).max(0.0).sqrt()
    }
}

/// Whether some joint relates bodies that are connected without it.
fn has_loops(problem: &Problem) -> bool {
    let ground = problem.bodies();
    let mut root: Vec<usize> = (0..=ground).collect();
    fn find(root: &mut [usize], mut body: usize) -> usize {
        while root[body] != body {
            root[body] = root[root[body]];
            body = root[body];
        }
        body
    }
    for group in 0..problem.groups.len() {
        let mut bodies: Vec<usize> = problem.blocks_of(group).iter().map(|block| block.body).collect();
        if bodies.len() < 2 {
            bodies.push(ground);
        }
        let first = find(&mut root, bodies[0]);
        for &body in &bodies[1..] {
            let other = find(&mut root, body);
            if other == first {
                return true;
            }
            root[other] = first;
        }
    }
    false
}
