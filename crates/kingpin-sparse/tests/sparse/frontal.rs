//! Matrices of meshes: fronts against dense elimination, orders, inertia, what is singular.

use kingpin_sparse::{FrontalLdlt, SparseError};
use nalgebra::{DMatrix, DVector};

/// A symmetric matrix by its upper triangle.
struct Upper {
    n: usize,
    columns: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
}

fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
}

/// Blocks of `width` coordinates at the points of a grid, coupled to all points next to them; `excess` times the
/// sums of rows on the diagonal.
fn grid(sides: [usize; 3], width: usize, excess: f64) -> Upper {
    let (points, mut state) = (sides.iter().product::<usize>(), 7);
    let place = |k: usize| [k % sides[0], k / sides[0] % sides[1], k / sides[0] / sides[1]];
    let n = points * width;
    let mut full = DMatrix::<f64>::zeros(n, n);
    let mut pattern = vec![Vec::new(); n];
    for b in 0..points {
        for a in 0..=b {
            let near = (0..3).all(|axis| place(a)[axis].abs_diff(place(b)[axis]) <= 1);
            for (i, j) in (0..width * width).map(|k| (a * width + k / width, b * width + k % width)) {
                if near && i <= j {
                    let value = random(&mut state);
                    (full[(i, j)], full[(j, i)]) = (value, value);
                    pattern[j].push(i);
                }
            }
        }
    }
    for i in 0..n {
        full[(i, i)] = excess * full.row(i).abs().sum();
    }
    let columns = (0..=n).map(|j| pattern[..j].iter().map(Vec::len).sum()).collect();
    let rows: Vec<usize> = pattern.concat();
    let ends = pattern.iter().enumerate().flat_map(|(j, rows)| rows.iter().map(move |&i| (i, j)));
    let values = ends.map(|place| full[place]).collect();
    Upper { n, columns, rows, values }
}

impl Upper {
    fn dense(&self) -> DMatrix<f64> {
        let mut full = DMatrix::zeros(self.n, self.n);
        for j in 0..self.n {
            for k in self.columns[j]..self.columns[j + 1] {
                full[(self.rows[k], j)] = self.values[k];
                full[(j, self.rows[k])] = self.values[k];
            }
        }
        full
    }

    fn analysed(&self) -> FrontalLdlt {
        FrontalLdlt::analyse(self.n, &self.columns, &self.rows).unwrap()
    }
}

#[test]
fn solutions_are_those_of_dense_elimination() {
    for (sides, width) in [([1, 1, 1], 1), ([7, 1, 1], 2), ([9, 8, 1], 2), ([12, 4, 3], 3), ([6, 6, 6], 3)] {
        let matrix = grid(sides, width, 1.05);
        let (mut factor, full) = (matrix.analysed(), matrix.dense());
        factor.factor(&matrix.values).unwrap();
        assert_eq!(factor.negatives(), 0);
        let mut state = 3;
        for sides in [1, 5, 37] {
            let right = DMatrix::from_fn(matrix.n, sides, |_, _| random(&mut state));
            let mut x = right.clone();
            factor.solve(x.as_mut_slice()).unwrap();
            let error = (&full * &x - &right).amax();
            assert!(error < 1e-13, "{sides} right sides of {} unknowns: {error:e}", matrix.n);
        }
    }
}

#[test]
fn negative_pivots_count_negative_eigenvalues() {
    let matrix = grid([8, 4, 2], 2, 0.3);
    let mut factor = matrix.analysed();
    factor.factor(&matrix.values).unwrap();
    let eigenvalues = matrix.dense().symmetric_eigenvalues();
    let negative = eigenvalues.iter().filter(|&&value| value < 0.0).count();
    assert!(negative > 3 && negative < matrix.n / 2, "{negative}");
    assert_eq!(factor.negatives(), negative);
    let mut other = factor.unfactored();
    assert_eq!(other.solve(&mut vec![1.0; matrix.n]), Err(SparseError::NotFactored));
    let opposite: Vec<f64> = matrix.values.iter().map(|value| -value).collect();
    other.factor(&opposite).unwrap();
    assert_eq!(other.negatives(), matrix.n - negative);
}

#[test]
fn a_long_grid_fills_little_more_than_its_sections() {
    // 40 x 4 x 4 points of 3: a section has 48 coordinates, so a band of two of them would hold 96 in each column
    let matrix = grid([40, 4, 4], 3, 1.1);
    let entries = matrix.analysed().factor_entries();
    assert!(entries < matrix.n * 90, "{entries}");
}

/// Vertices that all know each other, each with one of its own behind it, and some that know nobody: no layer parts them.
#[test]
fn what_cannot_be_divided_is_solved() {
    let (crowd, alone) = (200, 150);
    let n = 2 * crowd + alone;
    let mut pattern: Vec<Vec<usize>> = (0..n).map(|j| vec![j]).collect();
    for j in 0..crowd {
        pattern[j] = (0..=j).collect();
        pattern[crowd + j] = vec![j, crowd + j];
    }
    let columns: Vec<usize> = (0..=n).map(|j| pattern[..j].iter().map(Vec::len).sum()).collect();
    let rows = pattern.concat();
    let ends = pattern.iter().enumerate().flat_map(|(j, rows)| rows.iter().map(move |&i| (i, j)));
    let values = ends.map(|(i, j)| if i == j { 300.0 } else { 1.0 / (1 + i + j) as f64 }).collect();
    let matrix = Upper { n, columns, rows, values };
    let mut factor = matrix.analysed();
    factor.factor(&matrix.values).unwrap();
    let right = DMatrix::from_fn(n, 2, |row, column| (row + 7 * column) as f64);
    let mut x = right.clone();
    factor.solve(x.as_mut_slice()).unwrap();
    assert!((matrix.dense() * x - &right).amax() < 1e-10);
    // the crowd is full; besides that a front may hold some zeros
    let least = crowd * (crowd + 1) / 2 + 2 * crowd + alone;
    assert!((least..least + 2 * crowd).contains(&factor.factor_entries()), "{}", factor.factor_entries());
}

#[test]
fn what_is_singular_is_named() {
    // two points that only their difference holds, and one held to the ground
    let (columns, rows) = ([0, 1, 3, 4], [0, 0, 1, 2]);
    let mut factor = FrontalLdlt::analyse(3, &columns, &rows).unwrap();
    assert_eq!(factor.solve(&mut [1.0; 3]), Err(SparseError::NotFactored));
    let error = factor.factor(&[0.3, -0.3, 0.3, 1.0]).unwrap_err();
    assert!(matches!(error, SparseError::ZeroPivot { index: 0 | 1 }), "{error}");
    assert_eq!(factor.solve(&mut [1.0; 3]), Err(SparseError::NotFactored));
    factor.factor(&[0.3, -0.3, 0.5, 1.0]).unwrap();
    assert_eq!(factor.solve(&mut [1.0; 4]), Err(SparseError::WrongLength { expected: 6, given: 4 }));
    assert_eq!(factor.solve(&mut [f64::NAN, 0.0, 0.0]), Err(SparseError::SolutionNotFinite { index: 0 }));
}

#[test]
fn what_is_kept_gets_its_schur_complement_and_the_solution() {
    let upper = grid([7, 6, 1], 2, 0.5);
    let full = upper.dense();
    let n = full.nrows();
    // a side of the grid, and something in the middle
    let kept: Vec<usize> = (0..12).chain([40, 41, 57]).collect();
    let inner: Vec<usize> = (0..n).filter(|k| !kept.contains(k)).collect();
    let part = |rows: &[usize], columns: &[usize]| full.select_rows(rows).select_columns(columns);
    let inverse = part(&inner, &inner).try_inverse().unwrap();
    let schur = part(&kept, &kept) - part(&kept, &inner) * &inverse * part(&inner, &kept);
    let mut factor = FrontalLdlt::analyse_keeping(n, &upper.columns, &upper.rows, &kept).unwrap();
    assert!(factor.schur().is_empty());
    factor.factor(&upper.values).unwrap();
    let found = factor.schur();
    for j in 0..kept.len() {
        for i in j..kept.len() {
            assert!((found[j * kept.len() + i] - schur[(i, j)]).abs() < 1e-12 * full.amax(), "{i} {j}");
        }
    }
    let mut state = 5;
    let side: Vec<f64> = (0..n).map(|_| random(&mut state)).collect();
    let (mut inside, mut work, mut ends) = (Vec::new(), Vec::new(), vec![0.0; kept.len()]);
    factor.condense(&side, &mut inside, &mut ends, &mut work).unwrap();
    let ends = schur.lu().solve(&DVector::from_vec(ends)).unwrap();
    let mut solution = vec![0.0; n];
    factor.restore(ends.as_slice(), &mut inside, &mut solution, &mut work).unwrap();
    let left = &full * DVector::from_vec(solution) - DVector::from_vec(side.clone());
    assert!(left.amax() < 1e-11, "{}", left.amax());
    assert_eq!(factor.solve(&mut side.clone()), Err(SparseError::Kept { kept: kept.len() }));
    // nothing to eliminate, nothing kept
    let all: Vec<usize> = (0..n).collect();
    let mut idle = FrontalLdlt::analyse_keeping(n, &upper.columns, &upper.rows, &all).unwrap();
    idle.factor(&upper.values).unwrap();
    assert_eq!(idle.schur()[n + 3], full[(3, 1)]);
}
