//! The two kinds of coordinates, behind one trait, so that every closed form is written once.
//!
//! A planar body has q = (x, y, angle), v = (x', y', angle'); a spatial one q = (r, p) with Euler parameters,
//! v = (r', w) with body-fixed angular velocity. Arrays have the spatial size; planar code uses the first entries.

use super::{M3, V3, add, apply, apply_t, cross, euler, scale, sub};
use crate::scalar::Scalar;

/// Position and rotation coordinates of one body.
#[derive(Clone, Copy, Debug)]
pub struct Pose<T> {
    /// Position of the centre of mass.
    pub r: [T; 3],
    /// Rotation coordinates: Euler parameters, or the angle in the first place.
    pub p: [T; 4],
}

/// A body at one instant, with what the elements need.
#[derive(Clone, Copy, Debug)]
pub struct BodyState {
    /// Position of the centre of mass.
    pub r: V3,
    /// Rotation coordinates.
    pub p: [f64; 4],
    /// Rotation matrix.
    pub a: M3,
    /// Velocity of the centre of mass.
    pub rdot: V3,
    /// Angular velocity (planar: first place).
    pub w: V3,
    /// Rates of the rotation coordinates.
    pub pdot: [f64; 4],
}

/// What the closed forms need to know about a kind of coordinates.
pub trait Coords: Copy + Send + Sync + 'static {
    /// Dimension of space.
    const D: usize;
    /// Rotation coordinates of a body.
    const K: usize;
    /// Rotation velocities of a body.
    const M: usize;
    /// Coordinates of a body.
    const NQ: usize = Self::D + Self::K;
    /// Velocities of a body.
    const NV: usize = Self::D + Self::M;
    /// Whether rotation coordinates carry a normalisation constraint.
    const NORMALISED: bool;

    /// A(p) s.
    fn rotate<T: Scalar>(p: &[T; 4], s: &V3) -> [T; 3];
    /// Rotation matrix.
    fn matrix(p: &[f64; 4]) -> M3;
    /// Rates of the rotation coordinates for an angular velocity.
    fn rates(p: &[f64; 4], w: &V3) -> [f64; 4];

    /// A s.
    fn image(a: &M3, s: &V3) -> V3;
    /// First time derivative of A s.
    fn spin(a: &M3, w: &V3, s: &V3) -> V3;
    /// Second time derivative of A s at zero angular acceleration.
    fn spin2(a: &M3, w: &V3, s: &V3) -> V3;
    /// Row of the variation of f . A s in rotation velocities.
    fn moment(a: &M3, s: &V3, f: &V3) -> V3;

    /// d(A s)/dp by rows.
    fn d1(p: &[f64; 4], s: &V3) -> [[f64; 4]; 3];
    /// d/dp of d(A s)/dp x.
    fn d2(p: &[f64; 4], s: &V3, x: &[f64; 4]) -> [[f64; 4]; 3];
    /// d/dp of x^T d2(A s)/dp2 x.
    fn d3(p: &[f64; 4], s: &V3, x: &[f64; 4]) -> [[f64; 4]; 3];
    /// Second derivative of f . A s.
    fn d2f(p: &[f64; 4], s: &V3, f: &V3) -> [[f64; 4]; 4];
    /// A row over rotation coordinates, turned into one over rotation velocities.
    fn to_velocity(p: &[f64; 4], row: &[f64; 4]) -> V3;

    /// The state of a body from its slice of q and v.
    #[inline(always)]
    fn body(q: &[f64], v: &[f64]) -> BodyState {
        let (mut r, mut rdot, mut p, mut w) = ([0.0; 3], [0.0; 3], [0.0; 4], [0.0; 3]);
        r[..Self::D].copy_from_slice(&q[..Self::D]);
        p[..Self::K].copy_from_slice(&q[Self::D..Self::NQ]);
        rdot[..Self::D].copy_from_slice(&v[..Self::D]);
        w[..Self::M].copy_from_slice(&v[Self::D..Self::NV]);
        BodyState { r, p, a: Self::matrix(&p), rdot, w, pdot: Self::rates(&p, &w) }
    }

    /// The body that never moves.
    fn ground() -> BodyState {
        let p = Self::identity();
        BodyState { r: [0.0; 3], p, a: Self::matrix(&p), rdot: [0.0; 3], w: [0.0; 3], pdot: [0.0; 4] }
    }

    /// Rotation coordinates of no rotation.
    fn identity() -> [f64; 4];
}

/// Position and Euler parameters.
#[derive(Clone, Copy, Debug)]
pub struct SpatialCoords;

/// Position in the plane and angle.
#[derive(Clone, Copy, Debug)]
pub struct PlanarCoords;

impl Coords for SpatialCoords {
    const D: usize = 3;
    const K: usize = 4;
    const M: usize = 3;
    const NORMALISED: bool = true;

    #[inline]
    fn rotate<T: Scalar>(p: &[T; 4], s: &V3) -> [T; 3] {
        euler::rotate(p, s)
    }
    #[inline]
    fn matrix(p: &[f64; 4]) -> M3 {
        euler::matrix(p)
    }
    #[inline]
    fn rates(p: &[f64; 4], w: &V3) -> [f64; 4] {
        euler::gt_times(p, w).map(|x| 0.5 * x)
    }
    #[inline]
    fn image(a: &M3, s: &V3) -> V3 {
        apply(a, s)
    }
    #[inline]
    fn spin(a: &M3, w: &V3, s: &V3) -> V3 {
        apply(a, &cross(w, s))
    }
    #[inline]
    fn spin2(a: &M3, w: &V3, s: &V3) -> V3 {
        apply(a, &cross(w, &cross(w, s)))
    }
    #[inline]
    fn moment(a: &M3, s: &V3, f: &V3) -> V3 {
        cross(s, &apply_t(a, f))
    }
    #[inline]
    fn d1(p: &[f64; 4], s: &V3) -> [[f64; 4]; 3] {
        euler::b_matrix(p, s)
    }
    #[inline]
    fn d2(_: &[f64; 4], s: &V3, x: &[f64; 4]) -> [[f64; 4]; 3] {
        euler::b_matrix(x, s)
    }
    #[inline]
    fn d3(_: &[f64; 4], _: &V3, _: &[f64; 4]) -> [[f64; 4]; 3] {
        [[0.0; 4]; 3]
    }
    #[inline]
    fn d2f(_: &[f64; 4], s: &V3, f: &V3) -> [[f64; 4]; 4] {
        euler::k_matrix(s, f)
    }
    #[inline]
    fn to_velocity(p: &[f64; 4], row: &[f64; 4]) -> V3 {
        scale(0.5, &euler::g_times(p, row))
    }
    fn identity() -> [f64; 4] {
        [1.0, 0.0, 0.0, 0.0]
    }
}

/// A vector turned by a right angle in the plane.
#[inline(always)]
fn perp(s: &V3) -> V3 {
    [-s[1], s[0], 0.0]
}

/// A matrix with one column, in the layout of the trait.
#[inline(always)]
fn column(s: &V3) -> [[f64; 4]; 3] {
    [[s[0], 0.0, 0.0, 0.0], [s[1], 0.0, 0.0, 0.0], [0.0; 4]]
}

impl Coords for PlanarCoords {
    const D: usize = 2;
    const K: usize = 1;
    const M: usize = 1;
    const NORMALISED: bool = false;

    #[inline]
    fn rotate<T: Scalar>(p: &[T; 4], s: &V3) -> [T; 3] {
        let (sin, cos) = (p[0].sin(), p[0].cos());
        [cos.scale(s[0]) - sin.scale(s[1]), sin.scale(s[0]) + cos.scale(s[1]), T::zero()]
    }
    #[inline]
    fn matrix(p: &[f64; 4]) -> M3 {
        let (s, c) = p[0].sin_cos();
        [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
    }
    #[inline]
    fn rates(_: &[f64; 4], w: &V3) -> [f64; 4] {
        [w[0], 0.0, 0.0, 0.0]
    }
    #[inline]
    fn image(a: &M3, s: &V3) -> V3 {
        [a[0][0] * s[0] + a[0][1] * s[1], a[1][0] * s[0] + a[1][1] * s[1], 0.0]
    }
    #[inline]
    fn spin(a: &M3, w: &V3, s: &V3) -> V3 {
        scale(w[0], &perp(&Self::image(a, s)))
    }
    #[inline]
    fn spin2(a: &M3, w: &V3, s: &V3) -> V3 {
        scale(-w[0] * w[0], &Self::image(a, s))
    }
    #[inline]
    fn moment(a: &M3, s: &V3, f: &V3) -> V3 {
        let i = Self::image(a, s);
        [i[0] * f[1] - i[1] * f[0], 0.0, 0.0]
    }
    #[inline]
    fn d1(p: &[f64; 4], s: &V3) -> [[f64; 4]; 3] {
        column(&perp(&Self::image(&Self::matrix(p), s)))
    }
    #[inline]
    fn d2(p: &[f64; 4], s: &V3, x: &[f64; 4]) -> [[f64; 4]; 3] {
        column(&scale(-x[0], &Self::image(&Self::matrix(p), s)))
    }
    #[inline]
    fn d3(p: &[f64; 4], s: &V3, x: &[f64; 4]) -> [[f64; 4]; 3] {
        column(&scale(-x[0] * x[0], &perp(&Self::image(&Self::matrix(p), s))))
    }
    #[inline]
    fn d2f(p: &[f64; 4], s: &V3, f: &V3) -> [[f64; 4]; 4] {
        let i = Self::image(&Self::matrix(p), s);
        let mut k = [[0.0; 4]; 4];
        k[0][0] = -(i[0] * f[0] + i[1] * f[1]);
        k
    }
    #[inline]
    fn to_velocity(_: &[f64; 4], row: &[f64; 4]) -> V3 {
        [row[0], 0.0, 0.0]
    }
    fn identity() -> [f64; 4] {
        [0.0; 4]
    }
}

/// Point `s` of a body.
#[inline]
pub fn point<C: Coords>(b: &BodyState, s: &V3) -> V3 {
    add(&b.r, &C::image(&b.a, s))
}

/// From point `si` of body i to point `sj` of body j, with its first derivative and its second at zero acceleration.
// whoever needs no rate does not pay for it
#[inline(always)]
pub fn gap<C: Coords>(bi: &BodyState, si: &V3, bj: &BodyState, sj: &V3) -> (V3, V3, V3) {
    let d = sub(&point::<C>(bj, sj), &point::<C>(bi, si));
    let rate = sub(&add(&bj.rdot, &C::spin(&bj.a, &bj.w, sj)), &add(&bi.rdot, &C::spin(&bi.a, &bi.w, si)));
    let curve = sub(&C::spin2(&bj.a, &bj.w, sj), &C::spin2(&bi.a, &bi.w, si));
    (d, rate, curve)
}
