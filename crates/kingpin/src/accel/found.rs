//! What is searched for in the structure of a problem: once, when it is first asked for.

use super::choice::{Choice, choose_method};
use super::coupled::CoupledProblem;
use super::elimination;
use super::method::Solver;
use super::problem::Problem;
use crate::tally;
use crate::topology::{Link, Plan, SpanningTree, Wish, span};
use std::sync::OnceLock;

/// Bodies with more joints than this are split in any case.
pub const MANY_JOINTS: usize = 32;

/// Orders, trees and choices, searched for when they are first asked for.
#[derive(Debug, Default)]
pub(super) struct Searched {
    pub(super) spanning: OnceLock<SpanningTree>,
    pub(super) whole: OnceLock<Plan>,
    pub(super) split: OnceLock<Plan>,
    pub(super) choice: OnceLock<Choice>,
    /// The problem with coupled mass, where there is any.
    pub(super) coupled: OnceLock<CoupledProblem>,
}

impl Problem {
    /// The spanning tree of least predicted work for the recursive solvers.
    pub fn spanning(&self) -> &SpanningTree {
        self.found.spanning.get_or_init(|| {
            tally::note(|tally| &mut tally.trees);
            self.search_spanning()
        })
    }

    /// The order of least predicted work, with or without split bodies.
    pub fn plan(&self, split: bool) -> &Plan {
        let room = if split { &self.found.split } else { &self.found.whole };
        room.get_or_init(|| {
            tally::note(|tally| &mut tally.orders);
            elimination::brief_plan(self, split)
        })
    }

    /// The solver of least predicted time.
    pub fn choice(&self) -> &Choice {
        if let Some(coupled) = self.coupled() {
            return coupled.choice();
        }
        self.found.choice.get_or_init(|| {
            tally::note(|tally| &mut tally.choices);
            choose_method(self)
        })
    }

    /// The solver for few instants, for which a search for splits does not pay unless it must be.
    pub fn brief_method(&self) -> Solver {
        if self.graph().topology_index() > MANY_JOINTS {
            Solver::Elimination
        } else {
            Solver::EliminationUnsplit
        }
    }

    fn search_spanning(&self) -> SpanningTree {
        let own: Vec<usize> = self.nodes.iter().map(|node| node.nv).collect();
        let whole = span(&own, &self.links);
        whole.unwrap_or_else(|_| {
            // wishes that cannot be granted
            let free: Vec<Link> =
                self.links.iter().map(|link| Link { wish: Wish::Either, ..link.clone() }).collect();
            span(&own, &free).unwrap_or_else(|_| unreachable!("links are on bodies"))
        })
    }
}
