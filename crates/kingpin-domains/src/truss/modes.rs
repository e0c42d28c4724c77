//! Lowest frequencies of trusses, with nothing assembled: subspace iteration on `(M + weight K)^-1 M`.

use super::bars::{At, Bars, Law};
use super::mast::Truss;
use crate::range::lanes::Machine;
use crate::range::{Matrix, Method, RangeError, Solver};
use nalgebra::{DMatrix, SymmetricEigen};

/// Vectors that are iterated beside those asked for.
const GUARDS: usize = 6;
/// Most iterations.
const MOST: usize = 200;
/// Change of the square of a frequency that ends the iteration, over it.
const SETTLED: f64 = 1e-13;

/// The lowest frequencies in Hz, as many as asked for; zero for rigid motions of a free truss. O(parts) per
/// iteration.
pub fn lowest_frequencies(truss: &Truss, count: usize, method: Method) -> Result<Vec<f64>, RangeError> {
    let structure = &truss.structure;
    let (bars, machine, starts) = (Bars::new(truss), Machine::detect(), structure.starts());
    // a time longer than any period of interest: waves go to and fro a hundred times
    let slowest = truss.pace() / (100.0 * structure.parts() as f64);
    let weight = slowest.powi(-2);
    let mut solver = Solver::new(structure, Matrix::Effective, method)?;
    solver.tolerance = 1e-13;
    solver.factor(weight)?;
    let times = |x: &[f64], stiff: bool| {
        let mut y = vec![0.0; x.len()];
        for batch in 0..structure.batches.len() {
            let own = starts[batch] as usize..starts[batch + 1] as usize;
            let at = At { structure, machine, batch };
            if stiff {
                let attitudes = structure.attitudes(batch);
                let mut local = x[own.clone()].to_vec();
                at.turn(&attitudes, &mut local, false);
                bars.pull(at, Law::Linear, &local, &mut y[own.clone()]);
                at.turn(&attitudes, &mut y[own.clone()], true);
                y[own].iter_mut().for_each(|f| *f = -*f);
            } else {
                bars.add_mass(at, 1.0, &x[own.clone()], &mut y[own]);
            }
        }
        y
    };
    let mut vectors = start(structure.vector_len(), count + GUARDS);
    vectors.iter_mut().for_each(|vector| structure.clear_spare(vector));
    let (mut squares, mut x) = (vec![0.0; count], vec![0.0; structure.vector_len()]);
    for _ in 0..MOST {
        for vector in &mut vectors {
            solver.solve(&times(vector, false), &mut x)?;
            vector.copy_from_slice(&x);
        }
        let found = ritz(&mut vectors, &times);
        let scale = found[count - 1].abs();
        let settled =
            squares.iter().zip(&found).all(|(a, b): (&f64, &f64)| (a - b).abs() <= SETTLED * scale.max(*b));
        squares.copy_from_slice(&found[..count]);
        if settled {
            break;
        }
    }
    let floor = 1e-9 * squares[count - 1].abs();
    let hertz = |square: f64| if square < floor { 0.0 } else { square.sqrt() / std::f64::consts::TAU };
    Ok(squares.into_iter().map(hertz).collect())
}

/// Vectors that have parts of all motions.
fn start(len: usize, count: usize) -> Vec<Vec<f64>> {
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..count).map(|_| (0..len).map(|_| next()).collect()).collect()
}

/// Replaces vectors by those of their space that are next to modes; squares of frequencies, rising.
fn ritz(vectors: &mut Vec<Vec<f64>>, times: &impl Fn(&[f64], bool) -> Vec<f64>) -> Vec<f64> {
    let n = vectors.len();
    // lengths of one, lest the small matrices be scaled badly
    for vector in vectors.iter_mut() {
        let length = dot(vector, &times(vector, false)).sqrt();
        vector.iter_mut().for_each(|x| *x /= length);
    }
    let product = |stiff: bool| {
        let images: Vec<Vec<f64>> = vectors.iter().map(|vector| times(vector, stiff)).collect();
        DMatrix::from_fn(n, n, |i, j| 0.5 * (dot(&vectors[i], &images[j]) + dot(&vectors[j], &images[i])))
    };
    let (k, m) = (product(true), product(false));
    // directions of the space that rounding has left nothing of are given no weight
    let mass = SymmetricEigen::new(m);
    let scale = mass.eigenvalues.max();
    let scaled = DMatrix::from_fn(n, n, |i, j| {
        let value = mass.eigenvalues[j].max(1e-12 * scale);
        mass.eigenvectors[(i, j)] / value.sqrt()
    });
    let small = SymmetricEigen::new(scaled.transpose() * k * &scaled);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| small.eigenvalues[a].total_cmp(&small.eigenvalues[b]));
    let mix = scaled * &small.eigenvectors;
    let mixed = |&column: &usize| {
        let mut sum = vec![0.0; vectors[0].len()];
        for (row, vector) in vectors.iter().enumerate() {
            sum.iter_mut().zip(vector).for_each(|(sum, x)| *sum += mix[(row, column)] * x);
        }
        sum
    };
    let found = order.iter().map(mixed).collect();
    *vectors = found;
    order.iter().map(|&k| small.eigenvalues[k]).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
