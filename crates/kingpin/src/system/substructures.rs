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
        // a body inside of each tells which sub-domain it became, and each sub-domain counts its bodies
        let mut became = vec![None; self.substructures.len()];
        let mut inside = vec![0; domain.iter().flatten().max().map_or(0, |last| last + 1)];
        for (own, domain) in self.substructure_of.iter().zip(&domain) {
            if let Some(domain) = *domain {
                inside[domain] += 1;
                own.iter().for_each(|&own| became[own] = became[own].or(Some(domain)));
            }
        }
        let both = edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)]);
        let mut beside: Vec<(usize, usize)> =
            both.filter_map(|(a, b)| domain[a].filter(|_| domain[b].is_none()).map(|own| (own, b))).collect();
        beside.sort_unstable();
        beside.dedup();
        let mut interface = vec![0; inside.len()];
        beside.iter().for_each(|(own, _)| interface[*own] += 1);
        let size = |(own, name): (&Option<usize>, &String)| SubstructureSize {
            name: name.clone(),
            bodies: own.map_or(0, |own| inside[own]),
            interface: own.map_or(0, |own| interface[own]),
        };
        became.iter().zip(&self.substructures).map(size).collect()
    }
}
