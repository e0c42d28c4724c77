//! Coordinates of a structure parted into motions of interfaces and the inside.

use super::interface::{Hold, Tie};
use super::mean::Turned;
use crate::structure::{Structure, SymmetricMatrix};
use nalgebra::DMatrix;

/// What becomes of a coordinate.
#[derive(Clone, Debug)]
enum Role {
    /// It stays, at this place.
    Inner(usize),
    /// It follows motions of interfaces by these factors.
    Outer(Vec<(usize, f64)>),
}

/// Which coordinates stay, and how the others follow the interfaces.
pub(super) struct Partition {
    roles: Vec<Role>,
    turned: Vec<Turned>,
    /// coordinates that stay
    pub inner: Vec<usize>,
    /// motions of all interfaces
    pub outer: usize,
}

/// A matrix in parts.
pub(super) struct Parts {
    pub inner: SymmetricMatrix,
    pub mixed: DMatrix<f64>,
    pub outer: DMatrix<f64>,
}

impl Partition {
    pub fn new(structure: &Structure, ties: &[Tie]) -> Partition {
        let mut roles = vec![Role::Inner(0); structure.stiffness.order()];
        let (mut outer, mut turned) = (0, Vec::new());
        for tie in ties {
            let (places, rows) = match tie.hold {
                Hold::Mean => {
                    let own = Turned::new(tie);
                    let rows = own.first.clone();
                    turned.push(own);
                    (tie.coordinates()[..tie.motions()].to_vec(), rows)
                }
                _ => (tie.coordinates(), tie.follow()),
            };
            for (row, &place) in places.iter().enumerate() {
                let factors = rows.row(row);
                let factors = factors.iter().enumerate().filter(|(_, x)| **x != 0.0);
                roles[place] = Role::Outer(factors.map(|(k, &x)| (outer + k, x)).collect());
            }
            outer += tie.motions();
        }
        let mut inner = Vec::new();
        for (place, role) in roles.iter_mut().enumerate() {
            if let Role::Inner(to) = role {
                *to = inner.len();
                inner.push(place);
            }
        }
        Partition { roles, turned, inner, outer }
    }

    /// The parts of a matrix. O(entries)
    pub fn parts(&self, matrix: &SymmetricMatrix) -> Parts {
        let mut own = matrix.clone();
        self.turned.iter().for_each(|turned| own = turned.turn(&own));
        let place: Vec<Option<usize>> =
            self.roles.iter().map(|role| if let Role::Inner(to) = role { Some(*to) } else { None }).collect();
        let mut mixed = DMatrix::zeros(self.inner.len(), self.outer);
        let mut outer = DMatrix::zeros(self.outer, self.outer);
        for (row, column, value) in own.entries() {
            match (&self.roles[row], &self.roles[column]) {
                (Role::Inner(_), Role::Inner(_)) => {}
                (Role::Inner(at), Role::Outer(list)) | (Role::Outer(list), Role::Inner(at)) => {
                    list.iter().for_each(|&(k, factor)| mixed[(*at, k)] += value * factor);
                }
                (Role::Outer(a), Role::Outer(b)) => {
                    for &(i, x) in a {
                        for &(j, y) in b {
                            outer[(i, j)] += value * x * y;
                            if row != column {
                                outer[(j, i)] += value * x * y;
                            }
                        }
                    }
                }
            }
        }
        Parts { inner: own.submatrix(&place, self.inner.len()), mixed, outer }
    }

    /// Fields of all coordinates from those of the inside and motions of interfaces.
    pub fn fields(&self, inner: &DMatrix<f64>, outer: &DMatrix<f64>) -> DMatrix<f64> {
        let mut all = DMatrix::zeros(self.roles.len(), inner.ncols());
        for (place, role) in self.roles.iter().enumerate() {
            match role {
                Role::Inner(from) => all.set_row(place, &inner.row(*from)),
                Role::Outer(list) => {
                    for &(k, factor) in list {
                        let mut row = all.row_mut(place);
                        row += outer.row(k) * factor;
                    }
                }
            }
        }
        self.turned.iter().for_each(|turned| turned.back(&mut all));
        all
    }
}
