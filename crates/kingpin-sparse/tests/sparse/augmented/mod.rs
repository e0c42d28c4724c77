//! Random augmented matrices `[M Phi^T; Phi 0]` of mechanisms; deterministic. Shared by tests and benches.
#![allow(dead_code)]

use std::collections::BTreeMap;

use nalgebra::DMatrix;

pub use kingpin_testing::Random;

/// A sparse matrix in column order with sorted rows.
#[derive(Clone)]
pub struct Matrix {
    pub n: usize,
    pub columns: Vec<usize>,
    pub rows: Vec<usize>,
    pub values: Vec<f64>,
}

impl Matrix {
    /// Sums the entries of equal place; zeros are kept.
    pub fn from_entries(n: usize, entries: &[(usize, usize, f64)]) -> Matrix {
        let mut places = BTreeMap::new();
        for &(row, column, value) in entries {
            *places.entry((column, row)).or_insert(0.0) += value;
        }
        let mut columns = vec![0; n + 1];
        for &(column, _) in places.keys() {
            columns[column + 1] += 1;
        }
        for j in 0..n {
            columns[j + 1] += columns[j];
        }
        let rows = places.keys().map(|&(_, row)| row).collect();
        Matrix { n, columns, rows, values: places.into_values().collect() }
    }

    /// `(row, column, value)` in storage order.
    pub fn entries(&self) -> Vec<(usize, usize, f64)> {
        let column = |j: usize| (self.columns[j]..self.columns[j + 1]).map(move |p| (j, p));
        (0..self.n).flat_map(column).map(|(j, p)| (self.rows[p], j, self.values[p])).collect()
    }

    /// The upper triangle and the diagonal.
    pub fn upper(&self) -> Matrix {
        let upper: Vec<_> = self.entries().into_iter().filter(|&(i, j, _)| i <= j).collect();
        Matrix::from_entries(self.n, &upper)
    }

    pub fn dense(&self) -> DMatrix<f64> {
        let mut dense = DMatrix::zeros(self.n, self.n);
        for (i, j, value) in self.entries() {
            dense[(i, j)] = value;
        }
        dense
    }

    /// `A x`
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut b = vec![0.0; self.n];
        for (i, j, value) in self.entries() {
            b[i] += value * x[j];
        }
        b
    }

    /// `A^T x`
    pub fn transposed_times(&self, x: &[f64]) -> Vec<f64> {
        let mut b = vec![0.0; self.n];
        for (i, j, value) in self.entries() {
            b[j] += value * x[i];
        }
        b
    }
}

/// The largest difference; not a number if any component is not.
pub fn worst(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, |most, d| if d <= most { most } else { d })
}

/// Small mechanisms of every kind, in the plane and in space.
pub fn mechanisms() -> Vec<(String, Mechanism)> {
    let mut all = Vec::new();
    for bodies in [1, 2, 5, 17] {
        all.push((format!("plane chain {bodies}"), Mechanism::chain(3, bodies, 2)));
        all.push((format!("space chain {bodies}"), Mechanism::chain(6, bodies, 3)));
        all.push((format!("hinged chain {bodies}"), Mechanism::chain(6, bodies, 5)));
    }
    for bodies in [3, 8, 25] {
        all.push((format!("plane star {bodies}"), Mechanism::star(3, bodies, 2)));
        all.push((format!("space star {bodies}"), Mechanism::star(6, bodies, 3)));
        all.push((format!("plane loops {bodies}"), Mechanism::loops(3, bodies, 2)));
    }
    all.push(("driven chain".into(), Mechanism::chain(6, 6, 3).drive(0, 0).drive(4, 5)));
    all.push(("vehicle".into(), Mechanism::vehicle(4)));
    all.push(("net".into(), Mechanism::net(4)));
    all
}

/// The augmented matrix with one equation more, the sum of multiples of up to three others: singular.
pub fn with_redundant_equation(mechanism: &Mechanism, random: &mut Random) -> Matrix {
    let a = mechanism.augmented(random);
    let coordinates = mechanism.coordinates();
    let mut entries = a.entries();
    for _ in 0..3 {
        let (equation, factor) = (coordinates + random.below(mechanism.equations()), random.signed());
        for (i, j, value) in a.entries().into_iter().filter(|&(i, _, _)| i == equation) {
            assert!(i >= coordinates && j < coordinates);
            entries.push((a.n, j, factor * value));
            entries.push((j, a.n, factor * value));
        }
    }
    Matrix::from_entries(a.n + 1, &entries)
}

/// Bodies of `dof` coordinates and joints between them; `None` is the ground.
pub struct Mechanism {
    pub dof: usize,
    pub bodies: usize,
    /// first body, second body, number of equations
    pub joints: Vec<(Option<usize>, usize, usize)>,
    /// one equation on one coordinate of one body: body, coordinate
    pub drivers: Vec<(usize, usize)>,
}

impl Mechanism {
    fn new(dof: usize, bodies: usize) -> Mechanism {
        Mechanism { dof, bodies, joints: Vec::new(), drivers: Vec::new() }
    }

    /// Bodies one after the other, the first on the ground.
    pub fn chain(dof: usize, bodies: usize, equations: usize) -> Mechanism {
        let mut chain = Mechanism::new(dof, bodies);
        chain.joints = (0..bodies).map(|i| (i.checked_sub(1), i, equations)).collect();
        chain
    }

    /// Body 0 carries all others.
    pub fn star(dof: usize, bodies: usize, equations: usize) -> Mechanism {
        let mut star = Mechanism::new(dof, bodies);
        star.joints = (1..bodies).map(|i| (Some(0), i, equations)).collect();
        star
    }

    /// A chain on the ground at both ends, with a further joint between every third body and its next but one.
    pub fn loops(dof: usize, bodies: usize, equations: usize) -> Mechanism {
        let mut loops = Mechanism::chain(dof, bodies, equations);
        loops.joints.push((None, bodies - 1, 1));
        loops.joints.extend((0..bodies.saturating_sub(2)).step_by(3).map(|i| (Some(i), i + 2, 1)));
        loops
    }

    /// A chassis with `corners` wheels, each on two arms, a knuckle, a tie rod and a strut: space, closed loops.
    pub fn vehicle(corners: usize) -> Mechanism {
        let mut vehicle = Mechanism::new(6, 1 + 5 * corners);
        for corner in 0..corners {
            let [upper, lower, knuckle, wheel, rod] = std::array::from_fn(|k| 1 + 5 * corner + k);
            vehicle.joints.extend([
                (Some(0), upper, 5),
                (Some(0), lower, 5),
                (Some(upper), knuckle, 3),
                (Some(lower), knuckle, 3),
                (Some(knuckle), wheel, 5),
                (Some(0), rod, 4),
                (Some(rod), knuckle, 3),
            ]);
        }
        vehicle
    }

    /// A net of `side * side` bodies, two equations between neighbours: many loops, much fill.
    pub fn net(side: usize) -> Mechanism {
        let mut net = Mechanism::new(6, side * side);
        for i in 0..side {
            for j in 0..side {
                let body = i * side + j;
                if j + 1 < side {
                    net.joints.push((Some(body), body + 1, 2));
                }
                if i + 1 < side {
                    net.joints.push((Some(body), body + side, 2));
                }
            }
        }
        net
    }

    /// Drives one coordinate of a body.
    pub fn drive(mut self, body: usize, coordinate: usize) -> Mechanism {
        self.drivers.push((body, coordinate));
        self
    }

    pub fn coordinates(&self) -> usize {
        self.dof * self.bodies
    }

    pub fn equations(&self) -> usize {
        self.joints.iter().map(|joint| joint.2).sum::<usize>() + self.drivers.len()
    }

    /// Coordinates first, then multipliers. The inertia blocks are full and positive definite.
    pub fn augmented(&self, random: &mut Random) -> Matrix {
        self.matrix(random, true)
    }

    /// Mass as about the centre of mass in space: translations uncoupled, inertia block of the rotations full.
    pub fn augmented_central(&self, random: &mut Random) -> Matrix {
        self.matrix(random, false)
    }

    fn matrix(&self, random: &mut Random, coupled: bool) -> Matrix {
        let (dof, coordinates) = (self.dof, self.coordinates());
        let mut entries = Vec::new();
        for body in 0..self.bodies {
            for i in 0..dof {
                entries.push((dof * body + i, dof * body + i, 2.0 + random.signed()));
                let first = if coupled { 0 } else { dof - dof / 2 };
                for j in first..i {
                    let value = 0.2 * random.signed();
                    entries.push((dof * body + i, dof * body + j, value));
                    entries.push((dof * body + j, dof * body + i, value));
                }
            }
        }
        let mut row = coordinates;
        for &(a, b, equations) in &self.joints {
            for equation in 0..equations {
                for body in a.into_iter().chain([b]) {
                    // the first dof/2 equations fix a point: one translation and all rotations each
                    let half = dof - dof / 2;
                    let point = |i: usize| equation >= half || i >= half || i == equation;
                    for i in (0..dof).filter(|&i| point(i)) {
                        let value = random.signed() + if i == equation { 1.5 } else { 0.0 };
                        entries.push((row, dof * body + i, value));
                        entries.push((dof * body + i, row, value));
                    }
                }
                row += 1;
            }
        }
        for &(body, coordinate) in &self.drivers {
            entries.push((row, dof * body + coordinate, 1.0));
            entries.push((dof * body + coordinate, row, 1.0));
            row += 1;
        }
        Matrix::from_entries(row, &entries)
    }
}
