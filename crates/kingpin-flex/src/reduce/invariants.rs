//! Integrals of the mass of a body that moves with a frame and deforms: `r = R + A (X + F z)`.

use super::fields::in_space;
use super::moments::Moments;
use crate::FlexError;
use crate::structure::{Structure, SymmetricMatrix};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

/// Constants of the kinetic energy of a flexible body in a floating frame. With `s = s0 + S z`,
/// `J = J0 + sum z_j J1_j + sum z_i z_j J2_ij` and `H = H0 + sum z_j H_j` it is, for any z,
/// `m V.V/2 + V.(w x s) + V.S z' + w.J w/2 + w.H z' + z'.Mzz z'/2`, V and w in the axes of the frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Invariants {
    /// m0
    pub mass: f64,
    /// s0, mass times the centre of mass.
    pub moment: Vector3<f64>,
    /// S, three rows.
    pub moments: DMatrix<f64>,
    /// J0 about the origin.
    pub inertia: Matrix3<f64>,
    /// H0, three rows.
    pub turning: DMatrix<f64>,
    /// H_j, three rows each.
    pub turnings: Vec<DMatrix<f64>>,
    /// Mzz
    pub amplitudes: DMatrix<f64>,
    /// J1_j
    pub first_inertias: Vec<Matrix3<f64>>,
    /// J2_ij at `i * columns + j`.
    pub second_inertias: Vec<Matrix3<f64>>,
}

/// What `x.y` and `x y^T` summed over nodes make of an inertia: `sym2(tr G I - G)`.
fn inertia(g: Matrix3<f64>) -> Matrix3<f64> {
    let own = Matrix3::identity() * g.trace() - g;
    own + own.transpose()
}

impl Invariants {
    /// Of the fields of all coordinates. O(nodes * columns^2)
    pub(super) fn of(structure: &Structure, shapes: &DMatrix<f64>) -> Result<Invariants, FlexError> {
        if let Some(pieces) = &structure.pieces {
            let mut moments = Moments::none(shapes.ncols());
            for own in pieces {
                moments.add_body(own.mass, &own.spread, &own.place, &own.moved(structure, shapes));
            }
            return Ok(moments.invariants());
        }
        let node_mass = structure.node_mass()?;
        let count = structure.places.len();
        let all: Vec<usize> = (0..count).collect();
        let space = in_space(structure, shapes, &all);
        let (nodes, columns) = (count, shapes.ncols());
        let axis = |k: usize| DMatrix::from_fn(nodes, columns, |node, column| space[(3 * node + k, column)]);
        let f = [axis(0), axis(1), axis(2)];
        let mf = [0, 1, 2].map(|k| node_mass.times(&f[k]));
        let x =
            [0, 1, 2].map(|k| DVector::from_iterator(nodes, structure.places.iter().map(|place| place[k])));
        Ok(Invariants::from_products(&node_mass, &x, &f, &mf))
    }

    fn from_products(
        node_mass: &SymmetricMatrix,
        x: &[DVector<f64>; 3],
        f: &[DMatrix<f64>; 3],
        mf: &[DMatrix<f64>; 3],
    ) -> Invariants {
        let (nodes, columns) = f[0].shape();
        let mx = [0, 1, 2].map(|k| node_mass.times(&DMatrix::from_column_slice(nodes, 1, x[k].as_slice())));
        let ones = node_mass.times(&DMatrix::repeat(nodes, 1, 1.0));
        let g0 = Matrix3::from_fn(|a, b| mx[a].column(0).dot(&x[b]));
        // sums over nodes of X^b m F^a, and of F^a m F^b
        let g1: [[DVector<f64>; 3]; 3] = [0, 1, 2].map(|a| [0, 1, 2].map(|b| mf[a].tr_mul(&x[b])));
        let g2: [[DMatrix<f64>; 3]; 3] = [0, 1, 2].map(|a| [0, 1, 2].map(|b| f[a].tr_mul(&mf[b])));
        let next = |k: usize| ((k + 1) % 3, (k + 2) % 3);
        let turning = |j: usize| {
            DMatrix::from_fn(3, columns, |k, c| {
                g2[next(k).0][next(k).1][(j, c)] - g2[next(k).1][next(k).0][(j, c)]
            })
        };
        let first = |j: usize| inertia(Matrix3::from_fn(|a, b| g1[a][b][j]));
        let second = |k: usize| inertia(Matrix3::from_fn(|a, b| g2[a][b][(k / columns, k % columns)])) * 0.5;
        Invariants {
            mass: ones.sum(),
            moment: Vector3::from_fn(|k, _| mx[k].sum()),
            moments: DMatrix::from_fn(3, columns, |k, c| mf[k].column(c).sum()),
            inertia: inertia(g0) * 0.5,
            turning: DMatrix::from_fn(3, columns, |k, c| {
                g1[next(k).1][next(k).0][c] - g1[next(k).0][next(k).1][c]
            }),
            turnings: (0..columns).map(turning).collect(),
            amplitudes: &g2[0][0] + &g2[1][1] + &g2[2][2],
            first_inertias: (0..columns).map(first).collect(),
            second_inertias: (0..columns * columns).map(second).collect(),
        }
    }

    /// Mass times the centre of mass: s0 + S z.
    pub fn moment_at(&self, z: &DVector<f64>) -> Vector3<f64> {
        let moved = &self.moments * z;
        self.moment + Vector3::new(moved[0], moved[1], moved[2])
    }

    /// J(z) about the origin of the frame. O(columns^2)
    pub fn inertia_at(&self, z: &DVector<f64>) -> Matrix3<f64> {
        let columns = z.len();
        let mut all = self.inertia;
        for (j, own) in self.first_inertias.iter().enumerate() {
            all += own * z[j];
        }
        for (k, own) in self.second_inertias.iter().enumerate() {
            all += own * (z[k / columns] * z[k % columns]);
        }
        all
    }

    /// H(z), three rows. O(columns^2)
    pub fn turning_at(&self, z: &DVector<f64>) -> DMatrix<f64> {
        self.turnings.iter().zip(z.iter()).fold(self.turning.clone(), |sum, (own, &z)| sum + own * z)
    }

    /// Kinetic energy of velocity and angular velocity in the axes of the frame, amplitudes and their rates.
    pub fn kinetic_energy(
        &self,
        v: &Vector3<f64>,
        w: &Vector3<f64>,
        z: &DVector<f64>,
        rates: &DVector<f64>,
    ) -> f64 {
        let three = |x: DVector<f64>| Vector3::new(x[0], x[1], x[2]);
        0.5 * self.mass * v.norm_squared()
            + v.dot(&w.cross(&self.moment_at(z)))
            + v.dot(&three(&self.moments * rates))
            + 0.5 * w.dot(&(self.inertia_at(z) * w))
            + w.dot(&three(self.turning_at(z) * rates))
            + 0.5 * rates.dot(&(&self.amplitudes * rates))
    }
}
