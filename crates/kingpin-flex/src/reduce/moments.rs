//! Second moments of fields over the mass: all that the kinetic energy of a floating frame needs.

use super::Invariants;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// `m`, `sum m W_a` and `sum m W_a W_b^T` of fields W: the place X first, then displacements.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moments {
    pub mass: f64,
    pub first: Vec<Vector3<f64>>,
    /// at `a * fields + b`
    pub second: Vec<Matrix3<f64>>,
}

/// A field made of others: `sum c_a W_a + B X + t`, where c has nothing for X itself.
pub(super) struct Mixed {
    pub amounts: Vec<f64>,
    pub turned: Matrix3<f64>,
    pub shift: Vector3<f64>,
}

/// The matrix with `cross(v) x = v x x`.
pub(super) fn cross(v: &Vector3<f64>) -> Matrix3<f64> {
    v.cross_matrix()
}

/// A matrix from what it makes of an inertia, `tr G I - (G + G^T) / 2`, and from `G_12 - G_21` and the like.
fn whole(inertia: &Matrix3<f64>, twist: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::identity() * (0.5 * inertia.trace()) - inertia - cross(&(twist * 0.5))
}

impl Moments {
    /// How many fields there are, X counted.
    pub fn fields(&self) -> usize {
        self.first.len()
    }

    pub fn at(&self, a: usize, b: usize) -> &Matrix3<f64> {
        &self.second[a * self.fields() + b]
    }

    /// Those that the invariants of displacements were made of.
    pub fn of(from: &Invariants) -> Moments {
        let n = from.amplitudes.nrows();
        let column =
            |table: &DMatrix<f64>, k: usize| Vector3::new(table[(0, k)], table[(1, k)], table[(2, k)]);
        let mut second = vec![Matrix3::zeros(); (n + 1) * (n + 1)];
        second[0] = whole(&from.inertia, &Vector3::zeros());
        for j in 0..n {
            // X x F_j, and half of what changes the inertia
            let own = whole(&(from.first_inertias[j] * 0.5), &column(&from.turning, j));
            second[j + 1] = own;
            second[(j + 1) * (n + 1)] = own.transpose();
            for k in 0..n {
                let twist = column(&from.turnings[j], k);
                second[(j + 1) * (n + 1) + k + 1] = whole(&from.second_inertias[j * n + k], &twist);
            }
        }
        let first = std::iter::once(from.moment).chain((0..n).map(|k| column(&from.moments, k))).collect();
        Moments { mass: from.mass, first, second }
    }

    /// Those of so many displacements without any mass.
    pub fn none(displacements: usize) -> Moments {
        let n = displacements + 1;
        Moments { mass: 0.0, first: vec![Vector3::zeros(); n], second: vec![Matrix3::zeros(); n * n] }
    }

    /// The invariants of the displacements. O(fields^2)
    pub fn invariants(&self) -> Invariants {
        let n = self.fields() - 1;
        let twists = |a: usize| {
            let columns: Vec<Vector3<f64>> = (1..=n).map(|b| twist(self.at(a, b))).collect();
            DMatrix::from_fn(3, n, |row, column| columns[column][row])
        };
        let pairs = || (0..n * n).map(|k| self.at(k / n + 1, k % n + 1));
        Invariants {
            mass: self.mass,
            moment: self.first[0],
            moments: DMatrix::from_fn(3, n, |row, column| self.first[column + 1][row]),
            inertia: self.inertia(),
            turning: twists(0),
            turnings: (1..=n).map(twists).collect(),
            amplitudes: DMatrix::from_fn(n, n, |i, j| self.at(i + 1, j + 1).trace()),
            first_inertias: (1..=n).map(|j| spun(self.at(0, j)) * 2.0).collect(),
            second_inertias: pairs().map(spun).collect(),
        }
    }

    /// Adds a rigid body at a place whose motions by the amplitudes are given: mass and second moment of places about
    /// its own.
    pub fn add_body(
        &mut self,
        mass: f64,
        spread: &Matrix3<f64>,
        place: &Vector3<f64>,
        motion: &DMatrix<f64>,
    ) {
        let n = self.fields();
        let shift = |a: usize| match a {
            0 => *place,
            _ => Vector3::new(motion[(0, a - 1)], motion[(1, a - 1)], motion[(2, a - 1)]),
        };
        // its inside moves by B (x - place)
        let inside = |a: usize| match a {
            0 => Matrix3::identity(),
            _ => cross(&Vector3::new(motion[(3, a - 1)], motion[(4, a - 1)], motion[(5, a - 1)])),
        };
        let (shifts, insides): (Vec<_>, Vec<_>) = (0..n).map(|a| (shift(a), inside(a))).unzip();
        self.mass += mass;
        for a in 0..n {
            self.first[a] += shifts[a] * mass;
            for b in 0..n {
                let own =
                    shifts[a] * shifts[b].transpose() * mass + insides[a] * spread * insides[b].transpose();
                self.second[a * n + b] += own;
            }
        }
    }

    /// Those of other fields, the first of which is to be the place from another origin. O(fields^3)
    pub fn mixed(&self, fields: &[Mixed]) -> Moments {
        let (n, m) = (self.fields(), fields.len());
        // sum m W_new W_old^T and sum m W_new
        let mut half = vec![Matrix3::zeros(); m * n];
        let mut first = vec![Vector3::zeros(); m];
        for (a, field) in fields.iter().enumerate() {
            for b in 0..n {
                let mut sum = field.turned * self.at(0, b) + field.shift * self.first[b].transpose();
                for (c, amount) in field.amounts.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                    sum += self.at(c + 1, b) * *amount;
                }
                half[a * n + b] = sum;
            }
            first[a] = field.turned * self.first[0] + field.shift * self.mass;
            for (c, amount) in field.amounts.iter().enumerate() {
                first[a] += self.first[c + 1] * *amount;
            }
        }
        let mut second = vec![Matrix3::zeros(); m * m];
        for a in 0..m {
            for (b, field) in fields.iter().enumerate() {
                let mut sum = half[a * n] * field.turned.transpose() + first[a] * field.shift.transpose();
                for (c, amount) in field.amounts.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                    sum += half[a * n + c + 1] * *amount;
                }
                second[a * m + b] = sum;
            }
        }
        Moments { mass: self.mass, first, second }
    }

    /// Mass between displacements, and of these with unit rigid motions about the origin: six rows.
    pub fn masses(&self) -> (DMatrix<f64>, DMatrix<f64>) {
        let n = self.fields() - 1;
        let own = DMatrix::from_fn(n, n, |i, j| self.at(i + 1, j + 1).trace());
        let rigid = DMatrix::from_fn(6, n, |k, j| match k {
            0..3 => self.first[j + 1][k],
            _ => twist(self.at(0, j + 1))[k - 3],
        });
        (own, rigid)
    }

    /// Inertia about the origin.
    pub fn inertia(&self) -> Matrix3<f64> {
        spun(self.at(0, 0))
    }

    /// Mass between unit rigid motions about the origin.
    pub fn rigid(&self) -> DMatrix<f64> {
        let (arm, inertia) = (cross(&self.first[0]), self.inertia());
        DMatrix::from_fn(6, 6, |i, j| match (i < 3, j < 3) {
            (true, true) => {
                if i == j {
                    self.mass
                } else {
                    0.0
                }
            }
            (true, false) => -arm[(i, j - 3)],
            (false, true) => arm[(i - 3, j)],
            (false, false) => inertia[(i - 3, j - 3)],
        })
    }
}

/// What `sum m x y^T` is as `sum m x cross y`.
pub(super) fn twist(g: &Matrix3<f64>) -> Vector3<f64> {
    Vector3::new(g[(1, 2)] - g[(2, 1)], g[(2, 0)] - g[(0, 2)], g[(0, 1)] - g[(1, 0)])
}

/// What it is as an inertia, made symmetric.
pub(super) fn spun(g: &Matrix3<f64>) -> Matrix3<f64> {
    Matrix3::identity() * g.trace() - (g + g.transpose()) * 0.5
}
