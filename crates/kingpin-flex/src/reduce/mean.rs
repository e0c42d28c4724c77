//! Nodes that follow a frame in the mean: their coordinates are turned until the first of them are its motions.

use super::interface::Tie;
use crate::structure::SymmetricMatrix;
use nalgebra::{DMatrix, DVector};

/// Reflections of the coordinates of an interface, `Q = I - V T V^T`, such that its motions are `R^T` times the first
/// of `Q^T u`. [Businger and Golub 1965]
pub(super) struct Turned {
    pub coordinates: Vec<usize>,
    v: DMatrix<f64>,
    t: DMatrix<f64>,
    /// the first coordinates by motions of the frame: `R^-T`
    pub first: DMatrix<f64>,
}

impl Turned {
    /// From the mean `C` of displacements: `C^T = Q [R; 0]`. O(coordinates)
    pub fn new(tie: &Tie) -> Turned {
        let mut rest = tie.mean().transpose();
        let (rows, motions) = rest.shape();
        let mut v = DMatrix::zeros(rows, motions);
        let mut t = DMatrix::zeros(motions, motions);
        for k in 0..motions {
            let mut own = DVector::zeros(rows);
            own.rows_mut(k, rows - k).copy_from(&rest.view((k, k), (rows - k, 1)));
            own[k] += own[k].signum() * own.norm();
            own /= own.norm();
            let row = rest.tr_mul(&own);
            rest -= &own * row.transpose() * 2.0;
            // Q H = I - V T V^T - 2 (I - V T V^T) v v^T
            let before = v.columns(0, k).tr_mul(&own);
            let column = t.view((0, 0), (k, k)) * before * -2.0;
            t.view_mut((0, k), (k, 1)).copy_from(&column);
            t[(k, k)] = 2.0;
            v.set_column(k, &own);
        }
        let r = rest.rows(0, motions).upper_triangle();
        let first = r.transpose().try_inverse().unwrap_or_else(|| DMatrix::identity(motions, motions));
        Turned { coordinates: tie.coordinates(), v, t, first }
    }

    /// `Q^T A Q`, whose entries fill the rows and columns of the interface next to its neighbours.
    pub fn turn(&self, a: &SymmetricMatrix) -> SymmetricMatrix {
        let n = a.order();
        let mut inside = vec![None; n];
        self.coordinates.iter().enumerate().for_each(|(k, &place)| inside[place] = Some(k));
        let mut v = DMatrix::zeros(n, self.v.ncols());
        self.coordinates.iter().enumerate().for_each(|(k, &place)| v.set_row(place, &self.v.row(k)));
        // A - B V^T - V B^T with Y = A V, B = Y T - V T^T (V^T Y) T / 2
        let y = a.times(&v);
        let b = &y * &self.t - &v * (self.t.transpose() * v.tr_mul(&y) * &self.t) * 0.5;
        let mut near = vec![false; n];
        for (row, column, _) in a.entries() {
            if inside[row].is_some() || inside[column].is_some() {
                near[row] = true;
                near[column] = true;
            }
        }
        let near: Vec<usize> = (0..n).filter(|&k| near[k]).collect();
        let mut entries: Vec<(usize, usize, f64)> = a.entries().collect();
        for (k, &column) in near.iter().enumerate() {
            for &row in &near[..=k] {
                if inside[row].is_some() || inside[column].is_some() {
                    let change = b.row(row).dot(&v.row(column)) + v.row(row).dot(&b.row(column));
                    entries.push((row, column, -change));
                }
            }
        }
        SymmetricMatrix::from_entries(n, entries)
    }

    /// `Q` times the rows of an interface.
    pub fn back(&self, fields: &mut DMatrix<f64>) {
        let own = fields.select_rows(&self.coordinates);
        let turned = &own - &self.v * (&self.t * self.v.tr_mul(&own));
        self.coordinates.iter().enumerate().for_each(|(k, &place)| fields.set_row(place, &turned.row(k)));
    }
}
