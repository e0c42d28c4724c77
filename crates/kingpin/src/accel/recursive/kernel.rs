//! Motions, forces and inertias of one body, moved between reference points; eliminations of one coordinate.
//!
//! Everything is in global axes: `N` = 6 numbers, translations first, or 3 in the plane. Motions are classical
//! accelerations of the point of the body at the reference point, so that only differences of positions and
//! relative velocities enter: a mechanism far from the origin, or fast as a whole, loses no digits.

use crate::linalg::lanes::{Lanes, RowLanes};
use crate::spatial::{M3, V3, apply, cross};

/// A symmetric matrix by rows, both triangles.
pub(super) type Square<const N: usize> = [[f64; N]; N];

/// The vector of translations and that of rotations, together.
#[inline(always)]
pub(super) fn pack<const N: usize>(lin: &V3, ang: &V3) -> [f64; N] {
    let mut x = [0.0; N];
    if N == 6 {
        x[..3].copy_from_slice(lin);
        x[3..].copy_from_slice(ang);
    } else {
        x[..2].copy_from_slice(&lin[..2]);
        x[2] = ang[2];
    }
    x
}

/// Numbers of a body that may have fewer velocities than a frame: what it does not have is zero.
#[inline(always)]
pub(super) fn widen<const N: usize>(x: &[f64], from: usize, width: usize) -> [f64; N] {
    let mut out = [0.0; N];
    if width == N {
        out.copy_from_slice(&x[from..from + N]);
    } else {
        out[..width].copy_from_slice(&x[from..from + width]);
    }
    out
}

/// The same without a copy where there is nothing to fill in; `room` is for the others.
#[inline(always)]
pub(super) fn wide<'a, const N: usize>(
    x: &'a [f64],
    from: usize,
    width: usize,
    room: &'a mut [f64; N],
) -> &'a [f64; N] {
    if width == N
        && let Some(full) = x[from..].first_chunk::<N>()
    {
        return full;
    }
    *room = widen(x, from, width);
    room
}

/// Puts as many of the numbers of a frame as a body has.
#[inline(always)]
pub(super) fn put_narrow<const N: usize>(x: &[f64; N], to: &mut [f64]) {
    match to.first_chunk_mut::<N>() {
        Some(to) => *to = *x,
        None => to.copy_from_slice(&x[..to.len()]),
    }
}

/// The two vectors again.
#[inline(always)]
pub(super) fn unpack<const N: usize>(x: &[f64]) -> (V3, V3) {
    if N == 6 { ([x[0], x[1], x[2]], [x[3], x[4], x[5]]) } else { ([x[0], x[1], 0.0], [0.0, 0.0, x[2]]) }
}

/// `a . b`.
#[inline(always)]
pub(super) fn inner<L: Lanes, const N: usize>(lanes: L, a: &[f64; N], b: &[f64; N]) -> f64 {
    // two sums, so that additions wait less for each other
    let mut sums = [0.0; 2];
    for k in 0..N {
        sums[k % 2] = lanes.mul_add(a[k], b[k], sums[k % 2]);
    }
    sums[0] + sums[1]
}

/// `a x b + c`.
#[inline(always)]
pub(super) fn cross_add<L: Lanes>(l: L, a: &V3, b: &V3, c: &V3) -> V3 {
    [
        l.mul_add(a[1], b[2], l.mul_add(-a[2], b[1], c[0])),
        l.mul_add(a[2], b[0], l.mul_add(-a[0], b[2], c[1])),
        l.mul_add(a[0], b[1], l.mul_add(-a[1], b[0], c[2])),
    ]
}

/// A force at a point, taken about another that the point is `d` away from.
#[inline(always)]
pub(super) fn force_from<L: Lanes, const N: usize>(lanes: L, p: &[f64; N], d: &V3) -> [f64; N] {
    let (lin, ang) = unpack::<N>(p);
    if N == 6 {
        pack(&lin, &cross_add(lanes, d, &lin, &ang))
    } else {
        let turn = lanes.mul_add(d[0], lin[1], lanes.mul_add(-d[1], lin[0], ang[2]));
        pack(&lin, &[0.0, 0.0, turn])
    }
}

/// The acceleration, but for the centrifugal part, of the point `d` away from one with acceleration `a`.
#[inline(always)]
pub(super) fn motion_at<L: Lanes, const N: usize>(lanes: L, a: &[f64; N], d: &V3) -> [f64; N] {
    let (lin, ang) = unpack::<N>(a);
    if N == 6 {
        pack(&cross_add(lanes, &ang, d, &lin), &ang)
    } else {
        let (x, y) = (lanes.mul_add(-ang[2], d[1], lin[0]), lanes.mul_add(ang[2], d[0], lin[1]));
        pack(&[x, y, 0.0], &ang)
    }
}

/// `w x d`; in the plane `w` has the third component alone, and `d` none.
#[inline(always)]
pub(super) fn turn_times<const N: usize>(w: &V3, d: &V3) -> V3 {
    if N == 6 { cross(w, d) } else { [-w[2] * d[1], w[2] * d[0], 0.0] }
}

/// `w x (w x d)`.
#[inline(always)]
pub(super) fn centrifugal<const N: usize>(w: &V3, d: &V3) -> V3 {
    turn_times::<N>(w, &turn_times::<N>(w, d))
}

/// `A s`: a vector of a body in global axes.
#[inline(always)]
pub(super) fn image<const N: usize>(a: &M3, s: &V3) -> V3 {
    if N == 6 { apply(a, s) } else { [a[0][0] * s[0] + a[0][1] * s[1], a[1][0] * s[0] + a[1][1] * s[1], 0.0] }
}

/// Adds an inertia about a point to one about another that the point is `d` away from: `X^T I X`.
#[inline(always)]
pub(super) fn add_inertia<L: Lanes, const N: usize>(l: L, from: &Square<N>, d: &V3, to: &mut Square<N>) {
    if N == 6 {
        // lower rows X^T I: rotations gain d x translations
        let rows: [RowLanes<L, N>; N] = std::array::from_fn(|k| RowLanes::load(l, &from[k]));
        let mut low = [[0.0; N]; 3];
        for k in 0..3 {
            let (a, b) = ((k + 1) % 3, (k + 2) % 3);
            rows[3 + k].plus(rows[b], d[a]).plus(rows[a], -d[b]).store_from(0, &mut low[k]);
        }
        for k in 0..3 {
            for c in 0..3 {
                to[k][c] += from[k][c];
                to[k][3 + c] += low[c][k];
                to[3 + k][c] += low[k][c];
            }
        }
        // the same from the right, where both factors turn
        for k in 0..3 {
            let (lin, ang) = ([low[k][0], low[k][1], low[k][2]], [low[k][3], low[k][4], low[k][5]]);
            let turned = cross_add(l, d, &lin, &ang);
            for c in 0..3 {
                to[3 + k][3 + c] += turned[c];
            }
        }
    } else {
        let lever = [-d[1], d[0]];
        // x and y of the force that turning causes, then its moment
        let b: [f64; 2] = std::array::from_fn(|k| from[k][2] + from[k][0] * lever[0] + from[k][1] * lever[1]);
        let c = from[2][2] + lever[0] * (b[0] + from[0][2]) + lever[1] * (b[1] + from[1][2]);
        for i in 0..2 {
            for j in 0..2 {
                to[i][j] += from[i][j];
            }
            to[i][2] += b[i];
            to[2][i] += b[i];
        }
        to[2][2] += c;
    }
}

/// `m x` for a symmetric matrix.
#[inline(always)]
pub(super) fn times<L: Lanes, const N: usize>(lanes: L, m: &Square<N>, x: &[f64; N]) -> [f64; N] {
    combine::<L, N>(lanes, m, x, 0)
}

/// The rows from `from` on, each times its entry of `x`, summed.
#[inline(always)]
pub(super) fn combine<L: Lanes, const N: usize>(
    lanes: L,
    m: &Square<N>,
    x: &[f64; N],
    from: usize,
) -> [f64; N] {
    let mut sum = RowLanes::load(lanes, &m[from]).times(x[from]);
    for k in from + 1..N {
        sum = sum.plus(RowLanes::load(lanes, &m[k]), x[k]);
    }
    let mut out = [0.0; N];
    sum.store_from(0, &mut out);
    out
}

/// A coordinate eliminated from the inertia of its link.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointColumn<const N: usize> {
    /// The motion it stands for.
    pub h: [f64; N],
    /// Inertia times motion.
    pub u: [f64; N],
    /// One over the inertia felt by the coordinate.
    pub r: f64,
    /// Force on the coordinate.
    pub f: f64,
}

impl<const N: usize> JointColumn<N> {
    pub const ZERO: Self = Self { h: [0.0; N], u: [0.0; N], r: 0.0, f: 0.0 };
}

/// Takes a coordinate with `u`, `r` and `f` known out of an inertia and its force.
#[inline(always)]
pub(super) fn eliminate<L: Lanes, const N: usize>(
    lanes: L,
    column: &JointColumn<N>,
    inertia: &mut Square<N>,
    p: &mut [f64; N],
) {
    let u = RowLanes::load(lanes, &column.u);
    for k in 0..N {
        RowLanes::load(lanes, &inertia[k]).plus(u, -column.u[k] * column.r).store_from(0, &mut inertia[k]);
    }
    RowLanes::load(lanes, p).plus(u, column.r * column.f).store_from(0, p);
}
