//! Values of described fields, and the Rust types that hold them.

use super::beam::Stations;
use super::function::Function;
use crate::expr::Curve;
use nalgebra::{Matrix3, Vector3};

/// A vector of space; planar models use the first two components.
pub type Vec3 = Vector3<f64>;
/// A 3 by 3 matrix.
pub type Mat3 = Matrix3<f64>;

/// One checked value: units converted to SI, expressions over parameters evaluated.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A vector, a direction, or an angular velocity (planar: the z component).
    Vector(Vec3),
    /// A name, a text, or a choice.
    Text(String),
    /// A flag.
    Flag(bool),
    /// A whole number.
    Count(usize),
    /// An inertia tensor about the centre of mass (planar: the zz entry counts).
    Inertia(Mat3),
    /// An orientation.
    Orientation(Orientation),
    /// Words.
    Texts(Vec<String>),
    /// A function of time and measures.
    Function(Function),
    /// Functions of time and measures.
    Functions(Vec<Function>),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Rows of numbers.
    Matrix(Vec<Vec<f64>>),
    /// A table.
    Curve(Curve),
    /// Points.
    Path(Vec<Vec3>),
    /// Named places.
    Places(Vec<(String, f64)>),
    /// Named sets of whole numbers.
    Sets(Vec<(String, Vec<usize>)>),
    /// Whole numbers.
    Counts(Vec<usize>),
    /// A matrix of a section, all along or at stations.
    Section(Stations),
}

/// How the orientation of a frame can be said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Orientation {
    /// Euler parameters e0, e1, e2, e3; any length but zero (model files: length 1).
    EulerParameters([f64; 4]),
    /// Turn by `angle` about `axis`.
    AxisAngle {
        /// Axis of the turn.
        axis: Vec3,
        /// Angle in radians.
        angle: f64,
    },
    /// Two axes of the frame; the second is made perpendicular to the first.
    Axes {
        /// Which axis the first vector gives: 0, 1, 2 for x, y, z.
        first: (usize, Vec3),
        /// Which axis the second vector gives approximately.
        second: (usize, Vec3),
    },
    /// Turn by an angle in the plane.
    Angle(f64),
}

impl Orientation {
    /// No turn at all.
    pub const IDENTITY: Orientation = Orientation::EulerParameters([1.0, 0.0, 0.0, 0.0]);

    /// The rotation matrix, or what is wrong with the data.
    pub fn matrix(&self) -> Result<Mat3, &'static str> {
        match *self {
            Orientation::EulerParameters(p) => {
                let n = p.iter().map(|x| x * x).sum::<f64>().sqrt();
                if n < 1e-12 || !n.is_finite() {
                    return Err("Euler parameters must not all be zero");
                }
                Ok(crate::spatial::euler::rotation(&p.map(|x| x / n)))
            }
            Orientation::AxisAngle { axis, angle } => {
                let n = axis.norm();
                if n < 1e-12 || !n.is_finite() {
                    return Err("the axis has zero length");
                }
                let (s, c) = (0.5 * angle).sin_cos();
                let e = axis * (s / n);
                Ok(crate::spatial::euler::rotation(&[c, e.x, e.y, e.z]))
            }
            Orientation::Axes { first: (i, a), second: (j, b) } => axes_matrix(i, a, j, b),
            Orientation::Angle(angle) => {
                let (s, c) = angle.sin_cos();
                Ok(Mat3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0))
            }
        }
    }
}

/// The right-handed frame whose axis `i` is along `a` and whose axis `j` is as near `b` as can be.
fn axes_matrix(i: usize, a: Vec3, j: usize, b: Vec3) -> Result<Mat3, &'static str> {
    let n = a.norm();
    if i == j {
        return Err("two different axes are needed");
    }
    if n < 1e-12 || !n.is_finite() {
        return Err("an axis has zero length");
    }
    let a = a / n;
    let b = b - a * a.dot(&b);
    let n = b.norm();
    if n < 1e-9 || !n.is_finite() {
        return Err("the two axes are parallel");
    }
    let b = b / n;
    // i, j, k cyclic: c = a x b, otherwise c = b x a
    let c = if (i + 1) % 3 == j { a.cross(&b) } else { b.cross(&a) };
    let mut m = Mat3::zeros();
    m.set_column(i, &a);
    m.set_column(j, &b);
    m.set_column(3 - i - j, &c);
    Ok(m)
}

/// A Rust type that can be the type of a described field.
pub trait FieldType: Sized {
    /// From a value of the right kind.
    fn from_value(value: Value) -> Option<Self>;
    /// As a value; `None` if the field is not set.
    fn to_value(&self) -> Option<Value>;
}

macro_rules! field_type {
    ($($ty:ty => $variant:ident),* $(,)?) => { $(
        impl FieldType for $ty {
            fn from_value(value: Value) -> Option<Self> {
                match value { Value::$variant(x) => Some(x), _ => None }
            }
            fn to_value(&self) -> Option<Value> {
                Some(Value::$variant(self.clone()))
            }
        }
    )* };
}

field_type! {
    f64 => Number,
    Vec3 => Vector,
    String => Text,
    bool => Flag,
    usize => Count,
    Mat3 => Inertia,
    Orientation => Orientation,
    Vec<String> => Texts,
    Function => Function,
    Vec<Function> => Functions,
    Vec<f64> => Numbers,
    Vec<Vec<f64>> => Matrix,
    Curve => Curve,
    Vec<Vec3> => Path,
    Vec<(String, f64)> => Places,
    Vec<(String, Vec<usize>)> => Sets,
    Vec<usize> => Counts,
}

impl<T: FieldType> FieldType for Option<T> {
    fn from_value(value: Value) -> Option<Self> {
        T::from_value(value).map(Some)
    }
    fn to_value(&self) -> Option<Value> {
        self.as_ref().and_then(FieldType::to_value)
    }
}
