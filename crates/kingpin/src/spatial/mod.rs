//! Rotations and the coordinates of bodies.

pub mod coords;
pub mod euler;
pub mod rotation_vector;

pub use coords::{BodyState, Coords, PlanarCoords, Pose, SpatialCoords};

/// Three numbers; planar code uses the first two.
pub type V3 = [f64; 3];
/// A rotation matrix by rows.
pub type M3 = [[f64; 3]; 3];

/// Inner product.
#[inline(always)]
pub fn dot(a: &V3, b: &V3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Cross product.
#[inline(always)]
pub fn cross(a: &V3, b: &V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Sum.
#[inline(always)]
pub fn add(a: &V3, b: &V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Difference.
#[inline(always)]
pub fn sub(a: &V3, b: &V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Product with a number.
#[inline(always)]
pub fn scale(k: f64, a: &V3) -> V3 {
    [k * a[0], k * a[1], k * a[2]]
}

/// Matrix times vector.
#[inline(always)]
pub fn apply(m: &M3, s: &V3) -> V3 {
    [dot(&m[0], s), dot(&m[1], s), dot(&m[2], s)]
}

/// Transposed matrix times vector.
#[inline(always)]
pub fn apply_t(m: &M3, s: &V3) -> V3 {
    [
        m[0][0] * s[0] + m[1][0] * s[1] + m[2][0] * s[2],
        m[0][1] * s[0] + m[1][1] * s[1] + m[2][1] * s[2],
        m[0][2] * s[0] + m[1][2] * s[1] + m[2][2] * s[2],
    ]
}
