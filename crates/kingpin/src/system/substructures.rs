//! Substructures that a model names: what they are as sub-domains.

use super::System;
use crate::topology::{CutGraph, cut_by_names};

/// A substructure as a sub-domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubstructureSize {
    /// Its name.
    pub name: String,
    /// Bodies inside of it, with those that hang on it alone.
    pub bodies: usize,
    /// Bodies at its interfaces.
    pub interface: usize,
}

impl System {
    /// What the substructures of the model are as sub-domains. O(n log n)
    pub fn substructure_sizes(&self) -> Vec<SubstructureSize> {
        if self.substructures.is_empty() {
            return Vec::new();
        }
        let (weights, places) = (vec![1.0; self.bodies()], vec![[0.0; 3]; self.bodies()]);
        let pairs = self.layout.pairs.iter().filter(|pair| pair.bodies[0] < pair.bodies[1]);
        let edges: Vec<[usize; 2]> = pairs.map(|pair| pair.bodies).collect();
        let graph = CutGraph { weights: &weights, places: &places, edges: &edges };
        let domain = cut_by_names(&graph, &self.substructure_of);
        // a body inside of each tells which sub-domain it became
        let became = |own: usize| {
            let bodies = self.substructure_of.iter().zip(&domain).filter(|(of, _)| **of == Some(own));
            bodies.filter_map(|(_, domain)| *domain).next()
        };
        let size = |(own, name): (usize, &String)| {
            let domain_of = became(own);
            let inside = |body: usize| domain_of.is_some() && domain[body] == domain_of;
            let mut border: Vec<usize> = edges
                .iter()
                .flat_map(|&[a, b]| [(a, b), (b, a)])
                .filter(|&(a, b)| inside(a) && domain[b].is_none())
                .map(|(_, b)| b)
                .collect();
            border.sort_unstable();
            border.dedup();
            let bodies = (0..self.bodies()).filter(|&body| inside(body)).count();
            SubstructureSize { name: name.clone(), bodies, interface: border.len() }
        };
        self.substructures.iter().enumerate().map(size).collect()
    }
}
