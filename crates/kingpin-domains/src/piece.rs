//! A sub-domain as it was cut: nodes, matrices, and who else has its nodes.

use kingpin_flex::structure::SymmetricMatrix;
use nalgebra::{DMatrix, Vector3};
use std::sync::Arc;

/// A node that other sub-domains have too.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedNode {
    /// Its place among the nodes of the sub-domain.
    pub node: usize,
    /// All sub-domains that have it, increasing.
    pub owners: Vec<usize>,
    /// Whether it lies on the outside of the whole structure.
    pub outer: bool,
}

/// A sub-domain: matrices of its own elements over the coordinates that may move.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// Its number among all sub-domains.
    pub number: usize,
    /// Coordinates of a node, two or three.
    pub axes: usize,
    /// Numbers of its nodes in the whole structure, increasing.
    pub nodes: Vec<u64>,
    /// Where they are.
    pub places: Vec<Vector3<f64>>,
    /// Coordinate `axes * node + axis` of each freedom, increasing; the others are held.
    pub free: Vec<usize>,
    /// Stiffness of its freedoms. Sub-domains that are alike may share it.
    pub stiffness: Arc<SymmetricMatrix>,
    /// Mass of its freedoms, with the places of entries of the stiffness.
    pub mass: Arc<SymmetricMatrix>,
    /// Nodes on its interfaces, increasing.
    pub shared: Vec<SharedNode>,
    /// Speed of the fastest waves in it, m/s.
    pub wave_speed: f64,
}

impl Piece {
    /// How many coordinates may move.
    pub fn freedoms(&self) -> usize {
        self.free.len()
    }

    /// Its longest side along the axes.
    pub fn extent(&self) -> f64 {
        let side = |axis: usize| {
            let along = || self.places.iter().map(|place| place[axis]);
            along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min)
        };
        (0..self.axes).map(side).fold(0.0, f64::max)
    }

    /// The node of a freedom, as the whole structure numbers it.
    pub fn node_of(&self, freedom: usize) -> u64 {
        self.nodes[self.free[freedom] / self.axes]
    }

    /// Freedoms of nodes on interfaces, increasing.
    pub fn boundary(&self) -> Vec<usize> {
        let mut on = vec![false; self.nodes.len()];
        self.shared.iter().for_each(|shared| on[shared.node] = true);
        (0..self.free.len()).filter(|&k| on[self.free[k] / self.axes]).collect()
    }

    /// Motions as a rigid body that its held coordinates allow, as orthonormal columns over the freedoms `of`: from
    /// places alone, never from pivots.
    pub fn rigid_motions(&self, of: &[usize]) -> DMatrix<f64> {
        let centre = self.places.iter().sum::<Vector3<f64>>() / self.places.len().max(1) as f64;
        let size = self.extent().max(f64::MIN_POSITIVE);
        let all = motions(self.axes, &self.places, &centre, size);
        let mut is_free = vec![false; all.nrows()];
        self.free.iter().for_each(|&k| is_free[k] = true);
        let held: Vec<usize> = (0..all.nrows()).filter(|&k| !is_free[k]).collect();
        let allowed = null_space(&all.select_rows(&held));
        let chosen: Vec<usize> = of.iter().map(|&k| self.free[k]).collect();
        orthonormal(all.select_rows(&chosen) * allowed)
    }
}

/// Displacements of places by rigid motions about a point, turns in parts of `size`: translations, then turns.
pub(crate) fn motions(axes: usize, places: &[Vector3<f64>], about: &Vector3<f64>, size: f64) -> DMatrix<f64> {
    let turns: &[usize] = if axes == 2 { &[2] } else { &[0, 1, 2] };
    let mut fields = DMatrix::zeros(axes * places.len(), axes + turns.len());
    for (node, place) in places.iter().enumerate() {
        let arm = (place - about) / size;
        (0..axes).for_each(|axis| fields[(axes * node + axis, axis)] = 1.0);
        for (k, &turn) in turns.iter().enumerate() {
            let moved = Vector3::ith(turn, 1.0).cross(&arm);
            (0..axes).for_each(|axis| fields[(axes * node + axis, axes + k)] = moved[axis]);
        }
    }
    fields
}

/// Combinations of columns that vanish in all rows.
fn null_space(rows: &DMatrix<f64>) -> DMatrix<f64> {
    let n = rows.ncols();
    if rows.nrows() == 0 {
        return DMatrix::identity(n, n);
    }
    let eigen = (rows.transpose() * rows).symmetric_eigen();
    let largest = eigen.eigenvalues.amax();
    let kept: Vec<usize> = (0..n).filter(|&k| eigen.eigenvalues[k] <= 1e-16 * largest).collect();
    eigen.eigenvectors.select_columns(&kept)
}

/// Orthonormal columns of the same span; what is left of a column below 1e-10 of it is dropped. O(rows * columns^2)
pub(crate) fn orthonormal(mut fields: DMatrix<f64>) -> DMatrix<f64> {
    let mut kept = Vec::new();
    for k in 0..fields.ncols() {
        let before = fields.column(k).norm();
        for _ in 0..2 {
            for &other in &kept {
                let part: f64 = fields.column(k).dot(&fields.column(other));
                let taken = fields.column(other) * part;
                let mut own = fields.column_mut(k);
                own -= taken;
            }
        }
        let left = fields.column(k).norm();
        if left > 1e-10 * before && left > 0.0 {
            let mut own = fields.column_mut(k);
            own /= left;
            kept.push(k);
        }
    }
    fields.select_columns(&kept)
}
