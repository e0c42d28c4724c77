//! First-order states among the nodes.
//!
//! A state x with x' = f is the velocity of a scalar node with mass one and the force f, so every form, method and solver
//! takes it as it is. Nothing depends on the coordinate of that node, the integral of x. State nodes are the last; whoever
//! asks for masses, energies or motions looks at those before them.

use super::{NodeKind, System};
use crate::element::basic::Basic;
use crate::element::bind::state_probe;
use crate::element::equation::{Direction, Term};
use crate::element::law::Strength;
use crate::element::switch::Switch;
use crate::model::Model;
use crate::model::finding::Subject;
use crate::model::function::Function;
use std::ops::Range;

/// A first-order state.
#[derive(Clone, Debug, PartialEq)]
pub struct StateNode {
    /// What users call it.
    pub name: String,
    /// The item it belongs to.
    pub subject: Subject,
    /// Its node.
    pub node: usize,
    /// What it is measured in.
    pub unit: &'static str,
    /// A size below which it does not matter.
    pub scale: f64,
    /// Whether any force, state or switch reads it.
    pub read: bool,
}

/// The states of a model that was taken apart, with what reads them.
pub(super) fn nodes(model: &Model, terms: &[Term], switches: &[Switch]) -> Vec<StateNode> {
    let ground = model.bodies.len();
    let inputs = terms.iter().flat_map(|term| &term.inputs);
    let all: Vec<&Basic> = inputs.chain(switches.iter().flat_map(|switch| &switch.inputs)).collect();
    let each = model.state_parts().iter().map(|part| StateNode {
        name: part.name.clone(),
        subject: part.subject.clone(),
        node: part.body.start,
        unit: part.unit,
        scale: part.scale,
        read: all.iter().any(|basic| **basic == state_probe(ground, part.body.start)),
    });
    each.collect()
}

impl System {
    /// Nodes that are no states: these come first.
    pub fn masses(&self) -> usize {
        self.bodies() - self.states.len()
    }

    /// The nodes of states.
    pub fn state_nodes(&self) -> Range<usize> {
        self.masses()..self.bodies()
    }

    /// Whether what is probed is the node of a state.
    pub fn is_state(&self, basic: &Basic) -> bool {
        basic.bodies().iter().any(|&body| self.state_nodes().contains(&body))
    }

    /// Whether a velocity is a state.
    pub fn is_state_velocity(&self, velocity: usize) -> bool {
        self.nodes[self.nodes.of_velocity(velocity).0].kind == NodeKind::State
    }

    /// Whether all velocities but states are zero.
    pub fn is_at_rest(&self, v: &[f64]) -> bool {
        v.iter().enumerate().all(|(k, v)| *v == 0.0 || self.is_state_velocity(k))
    }

    /// Where reactions begin among the inputs of a state.
    pub fn first_reading(&self) -> usize {
        self.given.inputs.len() - self.readings.len()
    }

    /// The name of an input, of the controller whose held number it is, or of the joint whose reaction.
    pub(crate) fn input_name(&self, k: usize) -> String {
        if let Some(own) = k.checked_sub(self.first_reading()).and_then(|k| self.readings.get(k)) {
            return format!("reaction of `{}`", self.layout.groups[own.group].name);
        }
        let held = |k: usize| self.samplers.iter().rev().find(|sampler| sampler.held <= k);
        match self.inputs.get(k) {
            Some(name) => name.clone(),
            None => held(k).map_or_else(String::new, |sampler| sampler.name.clone()),
        }
    }

    /// The system with states for coordinates: the coordinate of each node is the state, which moves no more where its rate
    /// is zero. Whoever looks for an equilibrium finds them with it. O(terms)
    pub(super) fn stand_still(&mut self) {
        if self.states.is_empty() {
            return;
        }
        self.nodes.stand_still();
        let (ground, nodes) = (self.bodies(), self.state_nodes());
        let is_state = |basic: &Basic| nodes.clone().any(|node| *basic == state_probe(ground, node));
        // what nobody reads is of no interest: its rate need not be zero
        let idle: Vec<Basic> =
            self.states.iter().filter(|own| !own.read).map(|own| state_probe(ground, own.node)).collect();
        for Term { strength, inputs, direction, .. } in &mut self.terms {
            if let (Strength::Rate(rate), Direction::Along(own, _)) = (&mut *strength, &*direction)
                && idle.contains(own)
            {
                *rate = Function::Constant(0.0);
            }
            let states: Vec<bool> = inputs.iter().map(is_state).collect();
            match strength {
                Strength::Magnitude(f) | Strength::Rate(f) => stilled(f, &states),
                Strength::Spring(law) => stilled(&mut law.actuator, &states),
                _ => {}
            }
        }
        for switch in &mut self.switches {
            let states: Vec<bool> = switch.inputs.iter().map(is_state).collect();
            switch.renumber(|v| still_place(v, &states));
        }
    }
}

/// Where a variable is read instead: the coordinate of a state in place of its rate.
fn still_place(v: usize, states: &[bool]) -> usize {
    let is_rate = v > 0 && v.is_multiple_of(2);
    if is_rate && states.get(v / 2 - 1).copied().unwrap_or(false) { v - 1 } else { v }
}

fn stilled(f: &mut Function, states: &[bool]) {
    f.renumbered(|v| still_place(v, states));
}
