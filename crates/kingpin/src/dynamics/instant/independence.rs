//! How far the equations of a mechanism with loops are from being dependent.

use super::Dynamics;
use crate::accel::{Elimination, Gathered, Problem};
use crate::system::System;

/// Measures the distance from dependence at one state after the other; about as costly as one acceleration problem.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Independence {
    elimination: Elimination,
    gathered: Gathered,
    room: Vec<f64>,
    /// Bodies that loops may go through.
    bodies: Vec<usize>,
}

impl Independence {
    /// Structure for a mechanism; none for a tree, whose equations are independent everywhere.
    pub fn new(mechanism: &Dynamics) -> Option<Self> {
        let problem = &mechanism.accelerator.problem;
        has_loops(problem).then(|| Self {
            elimination: Elimination::quick(problem),
            gathered: Gathered::default(),
            room: Vec::new(),
            bodies: bodies_of_loops(problem),
        })
    }

    /// The fastest turning of a body that loops go through, rad/s.
    pub fn fastest(&self, system: &System, v: &[f64]) -> f64 {
        let turning = |&body: &usize| {
            let turn = system.nodes[body].split(&v[system.nodes.v(body)]).1;
            turn.iter().map(|w| w * w).sum::<f64>()
        };
        self.bodies.iter().map(turning).fold(0.0, f64::max).sqrt()
    }

    /// The sine of the least angle between an equation and those before it, where the constraints were evaluated
    /// last: zero where equations are dependent.
    pub fn measure(&mut self, mechanism: &Dynamics) -> f64 {
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

/// Bodies that are left when those with a single joint are taken away, one after the other. O(joints)
fn bodies_of_loops(problem: &Problem) -> Vec<usize> {
    let mut joints = vec![Vec::new(); problem.bodies()];
    for group in 0..problem.groups.len() {
        for block in problem.blocks_of(group) {
            if joints[block.body].last() != Some(&group) {
                joints[block.body].push(group);
            }
        }
    }
    let mut left: Vec<usize> = joints.iter().map(Vec::len).collect();
    let mut gone = vec![false; problem.groups.len()];
    let mut waiting: Vec<usize> = (0..left.len()).filter(|&body| left[body] == 1).collect();
    while let Some(body) = waiting.pop() {
        let Some(&group) = joints[body].iter().find(|&&group| !gone[group]) else { continue };
        gone[group] = true;
        for block in problem.blocks_of(group) {
            left[block.body] = left[block.body].saturating_sub(1);
            if left[block.body] == 1 {
                waiting.push(block.body);
            }
        }
    }
    (0..left.len()).filter(|&body| left[body] > 0).collect()
}
