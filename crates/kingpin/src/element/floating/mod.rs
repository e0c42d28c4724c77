//! Linear flexible bodies that follow a floating frame: `r = R + A (X + F z)`.
//!
//! The frame is a node with the mass of the body, z are scalar nodes. X is counted from the centre of mass, and the fields
//! F are at right angles to all rigid motions in the metric of the mass and to each other, so that the frame follows the
//! body in the mean. What is left of the kinetic energy besides that of the nodes is, for any z [Shabana 1997],
//!
//! ```text
//! w.J(z) w / 2 + w.H(z) z' + sum m_j z_j'^2 / 2        J(z) = J + sum z_j J1_j + sum z_i z_j J2_ij     H_k(z) = sum z_j h_jk
//! ```
//!
//! with w in the axes of the frame and h_jk = -h_kj. In the plane there is one axis, the first of what is stored here.

mod definition;
mod forces;
mod slopes;

pub use forces::FloatingForce;
pub use slopes::{FloatingMotion, FloatingSlopes};

use crate::spatial::{M3, V3};
use std::ops::Range;
use std::sync::Arc;

/// A flexible body among the nodes of a system.
#[derive(Clone, Debug)]
pub struct FloatingBody {
    /// Its name.
    pub name: String,
    /// The node that is its floating frame.
    pub frame: usize,
    /// The nodes that are its amplitudes.
    pub amplitudes: Vec<usize>,
    /// The nodes that are its interfaces, which joints hold on it.
    pub interfaces: Vec<usize>,
    /// The joints that hold them on it.
    pub joints: Range<usize>,
    /// Its constants.
    pub constants: Arc<FloatingConstants>,
}

impl FloatingBody {
    /// Its frame, then its amplitudes.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::once(self.frame).chain(self.amplitudes.iter().copied())
    }
}

/// What does not change of a flexible body. Tables over two amplitudes hold all j of the first i, then those of the next.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FloatingConstants {
    /// J at rest, less what the node of the frame has of it.
    pub inertia: M3,
    /// Mass of each amplitude, less what its node has of it.
    pub masses: Vec<f64>,
    /// J1_j.
    pub first: Vec<M3>,
    /// J2_ij = J2_ji.
    pub second: Vec<M3>,
    /// h_ij = -h_ji.
    pub turning: Vec<V3>,
    /// Stiffness of each amplitude.
    pub stiffness: Vec<f64>,
    /// Damping between amplitudes, symmetric.
    pub damping: Vec<f64>,
    /// How bending shortens the body.
    pub foreshortening: Option<Foreshortening>,
}

/// A body that bends is shorter by `q = z.G z / 2` between two interfaces, which strains it as if it was stretched by that
/// much: its strain energy is that of z + q e, where e stretches it by one.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Foreshortening {
    /// G, symmetric.
    pub shortening: Vec<f64>,
    /// e.
    pub stretch: Vec<f64>,
}

/// The mass of an instant, in velocities: of the frame's turning J(z), of it with each amplitude H(z).
#[derive(Clone, Debug, PartialEq)]
pub struct FloatingMass {
    /// J(z).
    pub inertia: M3,
    /// H_j(z).
    pub turning: Vec<V3>,
}

impl FloatingMass {
    /// Room for a body.
    pub fn new(amplitudes: usize) -> FloatingMass {
        FloatingMass { inertia: [[0.0; 3]; 3], turning: vec![[0.0; 3]; amplitudes] }
    }
}

/// a += k b.
#[inline(always)]
fn add(a: &mut M3, k: f64, b: &M3) {
    a.iter_mut().flatten().zip(b.iter().flatten()).for_each(|(a, b)| *a += k * b);
}

/// a += k b.
#[inline(always)]
fn add3(a: &mut V3, k: f64, b: &V3) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += k * b);
}

impl FloatingConstants {
    /// How many amplitudes there are.
    pub fn amplitudes(&self) -> usize {
        self.masses.len()
    }

    /// J_z_j.
    fn inertia_by(&self, j: usize, z: &[f64]) -> M3 {
        let (n, mut sum) = (z.len(), self.first[j]);
        z.iter().zip(&self.second[j * n..]).for_each(|(z, own)| add(&mut sum, 2.0 * z, own));
        sum
    }

    /// h_j0 x_0 + h_j1 x_1 + ...
    fn turning_along(&self, j: usize, x: &[f64]) -> V3 {
        let mut sum = [0.0; 3];
        x.iter().zip(&self.turning[j * x.len()..]).for_each(|(x, own)| add3(&mut sum, *x, own));
        sum
    }

    /// The mass for amplitudes. O(amplitudes^2)
    pub fn mass(&self, z: &[f64], out: &mut FloatingMass) {
        let n = z.len();
        out.inertia = self.inertia;
        for (i, zi) in z.iter().enumerate() {
            add(&mut out.inertia, *zi, &self.first[i]);
            for (zj, own) in z.iter().zip(&self.second[i * n..]) {
                add(&mut out.inertia, zi * zj, own);
            }
        }
        for (k, h) in out.turning.iter_mut().enumerate() {
            // h_jk = -h_kj
            *h = self.turning_along(k, z).map(|x| -x);
        }
    }
}
