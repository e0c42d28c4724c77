//! Where an assembly stands: a turn, perhaps a mirror image, and a shift.

use kingpin::model::{Mat3, Orientation, Space, Vec3};

/// The way from the axes of an assembly to those of the model: x goes to p + G x. Where G mirrors, axes of bodies are
/// mirrored too, by the diagonal F: a body turned by A is turned by G A F then, which is a rotation again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    /// p.
    position: Vec3,
    /// G, orthogonal.
    turn: Mat3,
    /// F, entries of 1 and -1.
    flip: Vec3,
}

impl Placement {
    /// Nothing moves.
    pub const HERE: Placement = Placement {
        position: Vec3::new(0.0, 0.0, 0.0),
        turn: Mat3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
        flip: Vec3::new(1.0, 1.0, 1.0),
    };

    /// Mirrored across the plane normal to an axis, if one is given, then turned, then shifted.
    pub fn new(position: Vec3, rotation: Mat3, mirror: Option<usize>) -> Placement {
        let mut flip = Vec3::new(1.0, 1.0, 1.0);
        if let Some(axis) = mirror {
            flip[axis] = -1.0;
        }
        Placement { position, turn: rotation * Mat3::from_diagonal(&flip), flip }
    }

    /// First the other, then this one.
    pub fn after(&self, other: &Placement) -> Placement {
        Placement {
            position: self.point(&other.position),
            turn: self.turn * other.turn,
            flip: self.flip.component_mul(&other.flip),
        }
    }

    /// Whether nothing moves.
    pub fn is_here(&self) -> bool {
        *self == Placement::HERE
    }

    /// Whether axes stay where they are, but for a mirror image.
    pub fn is_upright(&self) -> bool {
        self.turn == Mat3::from_diagonal(&self.flip)
    }

    /// Whether it is a mirror image.
    pub fn is_mirrored(&self) -> bool {
        self.sign() < 0.0
    }

    /// -1 for a mirror image.
    pub fn sign(&self) -> f64 {
        self.flip.product()
    }

    /// A point in global axes.
    pub fn point(&self, x: &Vec3) -> Vec3 {
        self.position + self.turn * x
    }

    /// A direction or velocity in global axes.
    pub fn direction(&self, x: &Vec3) -> Vec3 {
        self.turn * x
    }

    /// A vector in the axes of a body.
    pub fn within(&self, x: &Vec3) -> Vec3 {
        self.flip.component_mul(x)
    }

    /// A vector in the axes of a marker, whose x and y axes are mirrored and whose z axis is one of rotation.
    pub fn within_marker(&self, x: &Vec3, space: Space) -> Vec3 {
        self.marker_flip(space).component_mul(x)
    }

    /// An axis of rotation in the axes of a body: turns about it keep their sense.
    pub fn spin_within(&self, x: &Vec3) -> Vec3 {
        self.sign() * self.within(x)
    }

    /// An axis of rotation in global axes.
    pub fn spin(&self, x: &Vec3) -> Vec3 {
        self.sign() * self.direction(x)
    }

    /// An inertia in the axes of a body.
    pub fn inertia(&self, j: &Mat3) -> Mat3 {
        let f = Mat3::from_diagonal(&self.flip);
        f * j * f
    }

    /// How a body is turned.
    pub fn orientation(&self, given: &Orientation) -> Orientation {
        turned(&self.turn, given, &self.flip)
    }

    /// How a marker is turned against the global axes, or against its body.
    pub fn marker(&self, given: &Orientation, global: bool, space: Space) -> Orientation {
        let outer = if global { self.turn } else { Mat3::from_diagonal(&self.flip) };
        turned(&outer, given, &self.marker_flip(space))
    }

    /// The angle of a planar body.
    pub fn angle(&self, angle: f64) -> f64 {
        self.turned_angle(&self.turn, &self.flip) + self.sign() * angle
    }

    /// The angle of a planar marker against the global axes, or against its body.
    pub fn marker_angle(&self, angle: f64, global: bool) -> f64 {
        let outer = if global { self.turn } else { Mat3::from_diagonal(&self.flip) };
        self.turned_angle(&outer, &self.marker_flip(Space::Planar)) + self.sign() * angle
    }

    /// The angle by which the rotation G F turns.
    fn turned_angle(&self, outer: &Mat3, flip: &Vec3) -> f64 {
        let m = outer * Mat3::from_diagonal(flip);
        m[(1, 0)].atan2(m[(0, 0)])
    }

    fn marker_flip(&self, space: Space) -> Vec3 {
        match space {
            Space::Planar => Vec3::new(1.0, self.sign(), 1.0),
            Space::Spatial => Vec3::new(1.0, 1.0, self.sign()),
        }
    }
}

/// G A F, by two of its columns; what cannot be turned is left for others to complain of.
fn turned(outer: &Mat3, given: &Orientation, flip: &Vec3) -> Orientation {
    let axes = match *given {
        Orientation::Axes { first, second } => [first, second],
        _ => match given.matrix() {
            Ok(a) if *outer == Mat3::from_diagonal(flip) && a == Mat3::identity() => return *given,
            Ok(a) => [(0, a.column(0).into_owned()), (1, a.column(1).into_owned())],
            Err(_) => return *given,
        },
    };
    let [first, second] = axes.map(|(k, axis)| (k, outer * axis * flip[k]));
    Orientation::Axes { first, second }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> (Placement, Placement, Orientation) {
        let turn = |axis, angle| Orientation::AxisAngle { axis, angle }.matrix().unwrap();
        let first = Placement::new(Vec3::new(1.0, 2.0, 3.0), turn(Vec3::new(1.0, -2.0, 0.5), 0.7), Some(1));
        let second = Placement::new(Vec3::new(-1.0, 0.2, 0.0), turn(Vec3::new(0.3, 1.0, 1.5), 2.0), Some(0));
        (first, second, Orientation::AxisAngle { axis: Vec3::new(1.0, 1.0, 0.2), angle: 1.1 })
    }

    #[test]
    fn bodies_stay_bodies_and_their_points_are_mirrored_with_them() {
        let (first, second, given) = some();
        for placement in [first, second, first.after(&second)] {
            let (a, b) = (given.matrix().unwrap(), placement.orientation(&given).matrix().unwrap());
            assert!((b.determinant() - 1.0).abs() < 1e-14);
            let (r, s) = (Vec3::new(0.5, 0.6, -0.7), Vec3::new(0.1, -0.3, 0.2));
            let whole = placement.point(&(r + a * s));
            let parts = placement.point(&r) + b * placement.within(&s);
            assert!((whole - parts).norm() < 1e-14);
            // the inertia about the global axes is mirrored
            let j = Mat3::new(3.0, 0.1, 0.2, 0.1, 4.0, 0.3, 0.2, 0.3, 5.0);
            let g = placement.turn;
            let difference =
                b * placement.inertia(&j) * b.transpose() - g * (a * j * a.transpose()) * g.transpose();
            assert!(difference.amax() < 1e-14);
        }
    }

    #[test]
    fn rotations_keep_their_sense() {
        let (first, second, given) = some();
        let axis = Vec3::new(0.6, 0.0, 0.8);
        let spun = |axis: Vec3| Orientation::AxisAngle { axis, angle: 0.4 }.matrix().unwrap();
        for placement in [first, second, first.after(&second)] {
            // a turn of the body about an axis of its own, mirrored, is one about the mirrored axis by the same angle
            let (a, b) = (given.matrix().unwrap(), placement.orientation(&given).matrix().unwrap());
            let s = Vec3::new(0.1, -0.3, 0.2);
            let before = placement.direction(&(a * spun(axis) * s));
            let after = b * spun(placement.spin_within(&axis)) * placement.within(&s);
            assert!((before - after).norm() < 1e-14);
            let marked = placement.marker(&given, true, Space::Spatial).matrix().unwrap();
            assert!((marked.column(2) - placement.spin(&a.column(2).into_owned())).norm() < 1e-14);
            let fixed = placement.marker(&given, false, Space::Spatial).matrix().unwrap();
            assert!(
                (b * fixed - placement.marker(&compose(a, a), true, Space::Spatial).matrix().unwrap()).amax()
                    < 1e-14
            );
        }
    }

    fn compose(a: Mat3, b: Mat3) -> Orientation {
        let m = a * b;
        Orientation::Axes { first: (0, m.column(0).into_owned()), second: (1, m.column(1).into_owned()) }
    }

    #[test]
    fn planar_angles_follow() {
        for (mirror, angle) in [(None, 0.3), (Some(0), 0.3), (Some(1), -2.0)] {
            let placement = Placement::new(Vec3::zeros(), Orientation::Angle(0.5).matrix().unwrap(), mirror);
            let turned = Orientation::Angle(placement.angle(angle)).matrix().unwrap();
            let expected = placement.orientation(&Orientation::Angle(angle)).matrix().unwrap();
            assert!((turned - expected).amax() < 1e-14, "{mirror:?}");
            let marked = Orientation::Angle(placement.marker_angle(angle, true)).matrix().unwrap();
            let x = Orientation::Angle(angle).matrix().unwrap().column(0).into_owned();
            assert!((marked.column(0) - placement.direction(&x)).norm() < 1e-14);
        }
    }
}
