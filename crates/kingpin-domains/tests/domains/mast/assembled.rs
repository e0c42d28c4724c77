//! Trusses put together as a whole, for comparison: one dense matrix, nodes found by their places.

use kingpin_domains::truss::Truss;
use nalgebra::{DMatrix, DVector};

/// A truss without substructures.
pub struct Whole {
    pub mass: DMatrix<f64>,
    pub stiffness: DMatrix<f64>,
    /// Node of each node of each part; none at the ground.
    pub node: Vec<Vec<Option<usize>>>,
}

/// Assembles all bars; nodes of `z` below `ground` do not move.
pub fn whole(truss: &Truss, ground: f64) -> Whole {
    let (structure, rest) = (&truss.structure, truss.rest());
    let mut places: Vec<[f64; 3]> = Vec::new();
    let mut node = Vec::new();
    for part in 0..structure.parts() {
        let module = &truss.modules[structure.kind(part)];
        let own = (0..module.places.len()).map(|n| {
            let at = structure.place(part, n).map(|k| rest[k]);
            if at[2] < ground {
                return None;
            }
            let near = |p: &[f64; 3]| (0..3).all(|k| (p[k] - at[k]).abs() < 1e-9);
            Some(places.iter().position(near).unwrap_or_else(|| {
                places.push(at);
                places.len() - 1
            }))
        });
        node.push(own.collect::<Vec<_>>());
    }
    let n = 3 * places.len();
    let (mut mass, mut stiffness) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
    for part in 0..structure.parts() {
        let module = &truss.modules[structure.kind(part)];
        for bar in &module.bars {
            let at = bar.ends.map(|end| structure.place(part, end).map(|k| rest[k]));
            let d: Vec<f64> = (0..3).map(|k| at[1][k] - at[0][k]).collect();
            let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
            for (i, a) in bar.ends.iter().enumerate() {
                for (j, b) in bar.ends.iter().enumerate() {
                    let (Some(a), Some(b)) = (node[part][*a], node[part][*b]) else { continue };
                    let (share, sign) = if i == j { (2.0, 1.0) } else { (1.0, -1.0) };
                    for k in 0..3 {
                        mass[(3 * a + k, 3 * b + k)] += share * bar.density * length / 6.0;
                        for m in 0..3 {
                            stiffness[(3 * a + k, 3 * b + m)] +=
                                sign * bar.stiffness / length.powi(3) * d[k] * d[m];
                        }
                    }
                }
            }
        }
    }
    Whole { mass, stiffness, node }
}

impl Whole {
    /// Forces at copies of nodes add up.
    pub fn gathered(&self, truss: &Truss, f: &[f64]) -> DVector<f64> {
        let mut sum = DVector::zeros(self.mass.nrows());
        for (part, nodes) in self.node.iter().enumerate() {
            for (n, node) in nodes.iter().enumerate() {
                let Some(node) = node else { continue };
                for (k, at) in truss.structure.place(part, n).into_iter().enumerate() {
                    sum[3 * node + k] += f[at];
                }
            }
        }
        sum
    }

    /// The greatest difference of a solution from one of substructures, over the greatest number.
    pub fn difference(&self, truss: &Truss, whole: &DVector<f64>, x: &[f64]) -> f64 {
        let mut worst = 0.0_f64;
        for (part, nodes) in self.node.iter().enumerate() {
            for (n, node) in nodes.iter().enumerate() {
                for (k, at) in truss.structure.place(part, n).into_iter().enumerate() {
                    let expected = node.map_or(0.0, |node| whole[3 * node + k]);
                    worst = worst.max((expected - x[at]).abs());
                }
            }
        }
        worst / whole.amax()
    }
}
