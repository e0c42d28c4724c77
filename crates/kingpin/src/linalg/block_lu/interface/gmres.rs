//! Flexible generalised minimal residuals, for real and complex numbers [Saad 2003, 9.4.1].

use crate::linalg::block_lu::PivotScalar;

/// A matrix that is known by its products, and what is nearly its inverse.
pub(crate) trait InterfaceOperator<T> {
    fn apply(&self, x: &[T]) -> Vec<T>;
    fn precondition(&self, r: &[T]) -> Vec<T>;
}

/// What an iteration has found.
pub(crate) struct ResidualSolution<T> {
    pub x: Vec<T>,
    pub iterations: usize,
    pub converged: bool,
}

/// What may be left of a residual: a part of the right side, and of what rounding errors of products are a part of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    pub part: f64,
    pub rounding: f64,
    pub most: usize,
}

pub(crate) fn norm<T: PivotScalar>(x: &[T]) -> f64 {
    x.iter().map(|x| x.square()).sum::<f64>().sqrt()
}

/// The sum of conj(a) b.
fn dot<T: PivotScalar>(a: &[T], b: &[T]) -> T {
    a.iter().zip(b).fold(T::ZERO, |sum, (a, b)| sum.plus(a.conjugate().times(*b)))
}

/// `y += a x`
pub(crate) fn add_scaled<T: PivotScalar>(a: T, x: &[T], y: &mut [T]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = y.plus(a.times(*x)));
}

/// Solves `A x = b` from zero. O(iterations^2 n) besides products
pub(crate) fn minimal_residuals<T: PivotScalar>(
    operator: &impl InterfaceOperator<T>,
    b: &[T],
    rest: Rest,
) -> ResidualSolution<T> {
    let first = norm(b);
    let mut x = vec![T::ZERO; b.len()];
    if first == 0.0 || !first.is_finite() {
        return ResidualSolution { x, iterations: 0, converged: first == 0.0 };
    }
    let mut basis = vec![scaled(b, 1.0 / first)];
    let mut directions: Vec<Vec<T>> = Vec::new();
    // columns of the triangle, rotations, and the turned right side
    let mut triangle: Vec<Vec<T>> = Vec::new();
    let mut turns: Vec<(f64, T)> = Vec::new();
    let mut right = vec![T::real(first)];
    let (mut largest, mut size, mut converged) = (0.0_f64, 0.0_f64, false);
    while directions.len() < rest.most {
        let k = directions.len();
        let direction = operator.precondition(&basis[k]);
        let mut next = operator.apply(&direction);
        let length = norm(&direction);
        largest = largest.max(norm(&next) / length);
        let before = norm(&next);
        let mut column = vec![T::ZERO; k + 1];
        for _ in 0..2 {
            for (other, part) in basis.iter().zip(&mut column) {
                let more = dot(other, &next);
                add_scaled(more.times(T::real(-1.0)), other, &mut next);
                *part = part.plus(more);
            }
        }
        let left = norm(&next);
        if !left.is_finite() || !length.is_finite() {
            break;
        }
        directions.push(direction);
        for (i, (c, s)) in turns.iter().enumerate() {
            let (a, b) = (column[i], column[i + 1]);
            column[i] = a.times(T::real(*c)).plus(s.times(b));
            column[i + 1] = s.conjugate().times(a).times(T::real(-1.0)).plus(b.times(T::real(*c)));
        }
        let (c, s, pivot) = rotation(column[k], left);
        column[k] = pivot;
        turns.push((c, s));
        right.push(s.conjugate().times(right[k]).times(T::real(-1.0)));
        right[k] = right[k].times(T::real(c));
        triangle.push(column);
        size = size.max(right[k].square().sqrt() * length / triangle[k][k].square().sqrt());
        let residual = right[k + 1].square().sqrt();
        // the last is a guess of the size of the solution
        converged = residual <= rest.part * first + rest.rounding * largest * size;
        if converged || left <= 1e-14 * before {
            break;
        }
        basis.push(scaled(&next, 1.0 / left));
    }
    let k = triangle.len();
    let mut y = right[..k].to_vec();
    for i in (0..k).rev() {
        y[i] = y[i].times(triangle[i][i].inverse());
        let known = y[i].times(T::real(-1.0));
        (0..i).for_each(|j| y[j] = y[j].plus(known.times(triangle[i][j])));
    }
    y.iter().zip(&directions).for_each(|(y, direction)| add_scaled(*y, direction, &mut x));
    ResidualSolution { x, iterations: k, converged }
}

fn scaled<T: PivotScalar>(x: &[T], by: f64) -> Vec<T> {
    x.iter().map(|x| x.times(T::real(by))).collect()
}

/// The rotation that takes (a, b), b real, to (r, 0): cosine, sine and r.
fn rotation<T: PivotScalar>(a: T, b: f64) -> (f64, T, T) {
    let size = a.square().sqrt();
    let both = size.hypot(b);
    if size == 0.0 {
        return (0.0, T::real(1.0), T::real(b));
    }
    // the phase of a
    let phase = a.times(T::real(1.0 / size));
    (size / both, phase.times(T::real(b / both)), phase.times(T::real(both)))
}
