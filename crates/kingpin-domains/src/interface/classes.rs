//! Nodes of interfaces that the same sub-domains have, and what of their motion is primal.

use crate::piece::{Piece, motions, orthonormal};
use nalgebra::{DMatrix, Vector3};
use std::collections::BTreeMap;

/// Nodes of a sub-domain that the same sub-domains have: a cross point, an edge or a face. All owners list them in the
/// same order.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// The sub-domains, increasing.
    pub owners: Vec<usize>,
    /// Freedoms of its nodes among those of the interface of this sub-domain.
    pub freedoms: Vec<usize>,
    /// For each freedom the place of its node and its axis.
    pub at: Vec<(Vector3<f64>, usize)>,
    /// For each freedom whether its node is chosen to be local by default: a cross point, or the end of an edge on the
    /// outside.
    pub corner: Vec<bool>,
}

/// What of the motion of interfaces belongs to the coarse problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Primal {
    /// The rigid motion of every class: needs no choice of nodes.
    #[default]
    RigidMotions,
    /// All coordinates of cross points and of the ends of edges on the outside: local nodes of the mixed method.
    Corners,
    /// Those, and every so-many-th node of the other classes.
    Every(usize),
    /// Nothing: for matrices that are regular by themselves.
    Nothing,
}

/// Classes of a sub-domain by their owners.
pub(super) fn classes(piece: &Piece) -> Vec<Class> {
    let mut freedoms_of = vec![Vec::new(); piece.nodes.len()];
    for (k, freedom) in piece.boundary().into_iter().enumerate() {
        let coordinate = piece.free[freedom];
        freedoms_of[coordinate / piece.axes].push((k, coordinate % piece.axes));
    }
    let mut by_owners: BTreeMap<&[usize], Class> = BTreeMap::new();
    let many = 1 << (piece.axes - 1);
    let mut count: BTreeMap<&[usize], usize> = BTreeMap::new();
    piece.shared.iter().for_each(|shared| *count.entry(&shared.owners).or_default() += 1);
    for shared in &piece.shared {
        let owners = shared.owners.as_slice();
        let class = by_owners.entry(owners).or_insert_with(|| Class {
            owners: owners.to_vec(),
            freedoms: Vec::new(),
            at: Vec::new(),
            corner: Vec::new(),
        });
        let cross = owners.len() > many || (count[owners] == 1 && owners.len() > 2);
        let corner = cross || (owners.len() == many && shared.outer);
        for &(freedom, axis) in &freedoms_of[shared.node] {
            class.freedoms.push(freedom);
            class.at.push((piece.places[shared.node], axis));
            class.corner.push(corner);
        }
    }
    by_owners.into_values().filter(|class| !class.freedoms.is_empty()).collect()
}

impl Class {
    /// Rows of the constraints that make the primal part of its motion, orthonormal; the same for all owners.
    pub fn rows(&self, axes: usize, primal: Primal) -> DMatrix<f64> {
        let n = self.freedoms.len();
        let unit = |chosen: Vec<usize>| {
            let mut rows = DMatrix::zeros(n, chosen.len());
            chosen.into_iter().enumerate().for_each(|(k, freedom)| rows[(freedom, k)] = 1.0);
            rows
        };
        match primal {
            Primal::Nothing => DMatrix::zeros(n, 0),
            Primal::Corners => unit((0..n).filter(|&k| self.corner[k]).collect()),
            Primal::Every(step) => {
                let mut node = 0;
                let mut chosen = Vec::new();
                for k in 0..n {
                    node += usize::from(k > 0 && self.at[k].0 != self.at[k - 1].0);
                    if self.corner[k] || (node + 1) % step.max(1) == 0 {
                        chosen.push(k);
                    }
                }
                unit(chosen)
            }
            Primal::RigidMotions => {
                let places: Vec<Vector3<f64>> = self.at.iter().map(|at| at.0).collect();
                let centre = places.iter().sum::<Vector3<f64>>() / n as f64;
                let size = places.iter().map(|place| (place - centre).norm()).fold(0.0, f64::max);
                let size = if size > 0.0 { size } else { 1.0 };
                let all = motions(axes, &places, &centre, size);
                let own: Vec<usize> = self.at.iter().enumerate().map(|(k, at)| axes * k + at.1).collect();
                orthonormal(all.select_rows(&own))
            }
        }
    }
}
