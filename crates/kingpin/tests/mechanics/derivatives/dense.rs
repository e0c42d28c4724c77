//! Dense matrices to compare with, and blocks of the layout as such.

use kingpin::system::System;

const TOLERANCE: f64 = 1e-10;

/// A dense matrix with a name, for comparison.
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub data: Vec<f64>,
}

impl Matrix {
    pub fn new(rows: usize, columns: usize) -> Matrix {
        Matrix { rows, columns, data: vec![0.0; rows * columns] }
    }
    pub fn from_columns(columns: Vec<Vec<f64>>) -> Matrix {
        let rows = columns.first().map_or(0, Vec::len);
        let mut m = Matrix::new(rows, columns.len());
        for (j, column) in columns.iter().enumerate() {
            for (i, x) in column.iter().enumerate() {
                m.data[i * m.columns + j] = *x;
            }
        }
        m
    }
    pub fn vector(data: Vec<f64>) -> Matrix {
        Matrix { rows: data.len(), columns: 1, data }
    }
}

pub fn compare(what: &str, closed: &Matrix, dual: &Matrix) {
    assert_eq!((closed.rows, closed.columns), (dual.rows, dual.columns), "{what}: shape");
    let size = dual.data.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for i in 0..closed.rows {
        for j in 0..closed.columns {
            let (a, b) = (closed.data[i * closed.columns + j], dual.data[i * closed.columns + j]);
            assert!(
                (a - b).abs() <= TOLERANCE * size.max(1e-3),
                "{what}: entry ({i}, {j}) is {a}, dual numbers say {b} (largest entry {size})"
            );
        }
    }
}

/// Blocks of the layout as a dense matrix, normalisation rows appended.
pub fn dense_rows(system: &System, blocks: &[f64], normalisation: impl Fn(usize) -> [f64; 4]) -> Matrix {
    let mut m = Matrix::new(system.constraints(), system.coordinates());
    for block in &system.layout.blocks {
        let first = system.layout.groups[block.group].rows.start;
        for r in 0..block.rows {
            for (k, x) in system.nodes.q(block.body).zip(&blocks[block.row_q(r)]) {
                m.data[(first + r) * m.columns + k] = *x;
            }
        }
    }
    for (number, body) in system.nodes.normalised().enumerate() {
        let row = system.joint_equations() + number;
        for (k, x) in normalisation(number).iter().enumerate() {
            m.data[row * m.columns + system.nodes[body].q + 3 + k] = *x;
        }
    }
    m
}

/// Blocks of the layout in velocities as a dense matrix.
pub fn dense_velocity_rows(system: &System, blocks: &[f64]) -> Matrix {
    let mut m = Matrix::new(system.joint_equations(), system.velocities());
    for block in &system.layout.blocks {
        let first = system.layout.groups[block.group].rows.start;
        for r in 0..block.rows {
            m.data[(first + r) * m.columns..][block.columns()].copy_from_slice(&blocks[block.row(r)]);
        }
    }
    m
}

pub fn dense_pairs(system: &System, pairs: &[f64]) -> Matrix {
    let n = system.coordinates();
    let mut m = Matrix::new(n, n);
    // the mass has the diagonal pairs alone, unless it couples bodies
    for pair in system.layout.pairs.iter().filter(|pair| pair.at_q < pairs.len()) {
        let ([rows, columns], [a, b]) = (pair.nq, pair.bodies.map(|body| system.nodes[body].q));
        for i in 0..rows {
            for j in 0..columns {
                m.data[(a + i) * n + b + j] += pairs[pair.at_q + i * columns + j];
            }
        }
    }
    m
}
