//! Rotation matrices and Euler parameters.

/// A matrix by rows.
pub type Matrix = [[f64; 3]; 3];

/// The identity.
pub const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The product of two matrices.
pub fn times(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

/// The transposed matrix.
pub fn transposed(a: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

/// A matrix times a vector.
pub fn apply(a: &Matrix, x: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| (0..3).map(|k| a[i][k] * x[k]).sum())
}

/// The vector product.
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The rotation by an angle about a unit axis.
pub fn about(axis: [f64; 3], angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    let [x, y, z] = axis;
    let skew = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
    std::array::from_fn(|i| {
        std::array::from_fn(|j| c * IDENTITY[i][j] + s * skew[i][j] + (1.0 - c) * axis[i] * axis[j])
    })
}

/// Rotation about the z axis, then about the new x axis, then about the new z axis.
pub fn euler_angles(precession: f64, tilt: f64, spin: f64) -> Matrix {
    let z = |angle| about([0.0, 0.0, 1.0], angle);
    times(&times(&z(precession), &about([1.0, 0.0, 0.0], tilt)), &z(spin))
}

/// Euler parameters of a rotation matrix, by its largest one.
pub fn euler_parameters(a: &Matrix) -> [f64; 4] {
    let trace = a[0][0] + a[1][1] + a[2][2];
    let squares = [trace, a[0][0], a[1][1], a[2][2]];
    let largest = (0..4).max_by(|&i, &j| squares[i].total_cmp(&squares[j])).unwrap_or(0);
    let mut p = match largest {
        0 => [1.0 + trace, a[2][1] - a[1][2], a[0][2] - a[2][0], a[1][0] - a[0][1]],
        1 => [a[2][1] - a[1][2], 1.0 + 2.0 * a[0][0] - trace, a[0][1] + a[1][0], a[0][2] + a[2][0]],
        2 => [a[0][2] - a[2][0], a[0][1] + a[1][0], 1.0 + 2.0 * a[1][1] - trace, a[1][2] + a[2][1]],
        _ => [a[1][0] - a[0][1], a[0][2] + a[2][0], a[1][2] + a[2][1], 1.0 + 2.0 * a[2][2] - trace],
    };
    let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
    p.iter_mut().for_each(|x| *x /= length);
    p
}

/// The angle of the rotation between two attitudes given by Euler parameters.
pub fn angle_between(a: &[f64], b: &[f64]) -> f64 {
    // the vector part of conj(a) b: small angles keep their digits
    let (av, bv) = ([a[1], a[2], a[3]], [b[1], b[2], b[3]]);
    let turned = cross(av, bv);
    let vector: [f64; 3] = std::array::from_fn(|k| a[0] * bv[k] - b[0] * av[k] - turned[k]);
    let scalar = a[0] * b[0] + av.iter().zip(bv).map(|(x, y)| x * y).sum::<f64>();
    2.0 * vector.iter().map(|x| x * x).sum::<f64>().sqrt().atan2(scalar.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_between_attitudes() {
        let axis = [0.6, 0.0, 0.8];
        for angle in [1e-9, 0.3, 2.0, 3.1] {
            for base in [0.0, 1.0, 2.5, -3.0] {
                let start = about([0.0, 1.0, 0.0], base);
                let other = times(&start, &about(axis, angle));
                let found = angle_between(&euler_parameters(&start), &euler_parameters(&other));
                assert!((found - angle).abs() < 1e-15 + 1e-14 * angle, "{angle} {base} {found}");
            }
        }
        let twist = euler_angles(0.3, 0.4, 0.5);
        let back = times(&twist, &transposed(&twist));
        assert!((0..3).all(|i| (0..3).all(|j| (back[i][j] - IDENTITY[i][j]).abs() < 1e-15)));
        assert!((apply(&twist, [0.0, 0.0, 1.0])[2] - 0.4_f64.cos()).abs() < 1e-15);
    }
}
