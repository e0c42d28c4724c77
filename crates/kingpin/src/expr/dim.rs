//! Physical dimensions: powers of kilogram, metre and second, and how to speak of them.

use super::unit::Unit;
use std::fmt;

/// The dimension of a quantity: exponents of kg, m and s.
///
/// The radian is dimensionless. Its exponent is kept as a note, so that messages can tell an angle from a
/// pure number and a torsional stiffness from a torque; comparison ignores it.
#[derive(Clone, Copy, Debug)]
pub struct Dim {
    kg: i8,
    m: i8,
    s: i8,
    angle: i8,
}

impl PartialEq for Dim {
    fn eq(&self, o: &Dim) -> bool {
        (self.kg, self.m, self.s) == (o.kg, o.m, o.s)
    }
}
impl Eq for Dim {}

impl Dim {
    /// A pure number.
    pub const NONE: Dim = Dim::new(0, 0, 0);
    /// rad
    pub const ANGLE: Dim = Dim::NONE.with_angle(1);
    /// m
    pub const LENGTH: Dim = Dim::new(0, 1, 0);
    /// kg
    pub const MASS: Dim = Dim::new(1, 0, 0);
    /// s
    pub const TIME: Dim = Dim::new(0, 0, 1);
    /// m/s
    pub const VELOCITY: Dim = Dim::new(0, 1, -1);
    /// m/s^2
    pub const ACCELERATION: Dim = Dim::new(0, 1, -2);
    /// rad/s
    pub const ANGULAR_VELOCITY: Dim = Dim::new(0, 0, -1).with_angle(1);
    /// rad/s^2
    pub const ANGULAR_ACCELERATION: Dim = Dim::new(0, 0, -2).with_angle(1);
    /// N
    pub const FORCE: Dim = Dim::new(1, 1, -2);
    /// N*m
    pub const TORQUE: Dim = Dim::new(1, 2, -2);
    /// N/m
    pub const STIFFNESS: Dim = Dim::new(1, 0, -2);
    /// N*s/m
    pub const DAMPING: Dim = Dim::new(1, 0, -1);
    /// N*m/rad
    pub const TORSIONAL_STIFFNESS: Dim = Dim::new(1, 2, -2).with_angle(-1);
    /// N*m*s/rad
    pub const TORSIONAL_DAMPING: Dim = Dim::new(1, 2, -1).with_angle(-1);
    /// kg*m^2
    pub const INERTIA: Dim = Dim::new(1, 2, 0);

    /// kg^`kg` m^`m` s^`s`.
    pub const fn new(kg: i8, m: i8, s: i8) -> Dim {
        Dim { kg, m, s, angle: 0 }
    }

    const fn with_angle(self, angle: i8) -> Dim {
        Dim { angle, ..self }
    }

    /// The dimension of a unit text such as `N*m/rad`; its scale is of no matter.
    pub fn parse(text: &str) -> Result<Dim, super::ExprError> {
        Unit::parse(text).map(Unit::dim)
    }

    /// No dimension but perhaps an angle.
    pub fn is_pure(self) -> bool {
        self == Dim::NONE
    }

    /// A pure number that was given in an angle unit.
    pub fn is_angle(self) -> bool {
        self.is_pure() && self.angle != 0
    }

    /// Dimension of the product.
    #[must_use]
    pub fn times(self, o: Dim) -> Dim {
        Dim {
            kg: self.kg.saturating_add(o.kg),
            m: self.m.saturating_add(o.m),
            s: self.s.saturating_add(o.s),
            angle: self.angle.saturating_add(o.angle),
        }
    }

    /// Dimension of the quotient.
    #[must_use]
    pub fn over(self, o: Dim) -> Dim {
        self.times(o.powi(-1))
    }

    /// Dimension of an integer power.
    #[must_use]
    pub fn powi(self, n: i32) -> Dim {
        let raise = |e: i8| (i64::from(e) * i64::from(n)).clamp(i8::MIN.into(), i8::MAX.into()) as i8;
        Dim { kg: raise(self.kg), m: raise(self.m), s: raise(self.s), angle: raise(self.angle) }
    }

    /// Dimension of a real power, if its exponents are whole numbers: sqrt is the power 0.5.
    pub fn powf(self, c: f64) -> Option<Dim> {
        let raise = |e: i8| {
            let power = f64::from(e) * c;
            let whole = power.round();
            ((power - whole).abs() < 1e-9 && whole.abs() < 127.0).then_some(whole as i8)
        };
        let angle = raise(self.angle).unwrap_or(0);
        Some(Dim { kg: raise(self.kg)?, m: raise(self.m)?, s: raise(self.s)?, angle })
    }

    /// A phrase for messages, with article and unit: "a length (m)", "a torsional stiffness (N*m/rad)".
    pub fn noun(self) -> String {
        match self.named() {
            // a pure number has no unit
            Some(Named { dim, article, noun, .. }) if dim.is_pure() && !dim.is_angle() => {
                format!("{article} {noun}")
            }
            Some(Named { article, noun, symbol, .. }) => format!("{article} {noun} ({symbol})"),
            None => format!("a quantity in {self}"),
        }
    }

    /// The kind of quantity without article and unit: "torque", "angular velocity"; `None` if it has no name.
    pub fn kind(self) -> Option<&'static str> {
        self.named().map(|row| row.noun)
    }

    /// Whether it is a kind of quantity that has a name, such as a stiffness; pure numbers and angles are none.
    pub fn has_name(self) -> bool {
        !self.is_pure() && self.named().is_some()
    }

    /// The row of the list for this dimension, with the same angle exponent if there is one.
    fn named(self) -> Option<&'static Named> {
        let same = || NAMED.iter().filter(|row| row.dim == self);
        same().find(|row| row.dim.angle == self.angle).or_else(|| same().next())
    }
}

impl fmt::Display for Dim {
    /// A readable SI unit such as `N/m`; a pure number is `1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(row) = self.named() {
            return f.write_str(row.symbol);
        }
        // kg^a*m^b over s^c, positive powers first
        let powers = [("kg", self.kg), ("m", self.m), ("s", self.s)];
        let mut first = true;
        for (unit, e) in powers.into_iter().filter(|&(_, e)| e > 0) {
            f.write_str(if first { "" } else { "*" })?;
            write_power(f, unit, e)?;
            first = false;
        }
        f.write_str(if first { "1" } else { "" })?;
        for (unit, e) in powers.into_iter().filter(|&(_, e)| e < 0) {
            f.write_str("/")?;
            write_power(f, unit, e.saturating_neg())?;
        }
        Ok(())
    }
}

fn write_power(f: &mut fmt::Formatter<'_>, unit: &str, e: i8) -> fmt::Result {
    if e == 1 { f.write_str(unit) } else { write!(f, "{unit}^{e}") }
}

/// A dimension that has a name of its own.
struct Named {
    dim: Dim,
    symbol: &'static str,
    article: &'static str,
    noun: &'static str,
}

const fn a(kg: i8, m: i8, s: i8, angle: i8, symbol: &'static str, noun: &'static str) -> Named {
    Named { dim: Dim { kg, m, s, angle }, symbol, article: "a", noun }
}

const fn an(kg: i8, m: i8, s: i8, angle: i8, symbol: &'static str, noun: &'static str) -> Named {
    Named { dim: Dim { kg, m, s, angle }, symbol, article: "an", noun }
}

/// Where several rows share a dimension, the first serves for any angle exponent not listed.
const NAMED: &[Named] = &[
    a(0, 0, 0, 0, "1", "pure number"),
    an(0, 0, 0, 1, "rad", "angle"),
    a(0, 1, 0, 0, "m", "length"),
    a(0, 1, 0, -1, "m/rad", "length per angle"),
    a(0, -1, 0, 0, "1/m", "curvature"),
    an(0, 2, 0, 0, "m^2", "area"),
    a(0, 3, 0, 0, "m^3", "volume"),
    a(0, 0, 1, 0, "s", "time"),
    a(0, 0, -1, 0, "1/s", "frequency"),
    an(0, 0, -1, 1, "rad/s", "angular velocity"),
    an(0, 0, -2, 1, "rad/s^2", "angular acceleration"),
    a(0, 1, -1, 0, "m/s", "velocity"),
    an(0, 1, -2, 0, "m/s^2", "acceleration"),
    a(1, 0, 0, 0, "kg", "mass"),
    a(1, 2, 0, 0, "kg*m^2", "moment of inertia"),
    a(1, -1, 0, 0, "kg/m", "mass per length"),
    a(1, -3, 0, 0, "kg/m^3", "density"),
    a(1, 1, -2, 0, "N", "force"),
    a(1, 2, -2, 0, "N*m", "torque"),
    a(1, 2, -2, -1, "N*m/rad", "torsional stiffness"),
    a(1, 0, -2, 0, "N/m", "stiffness"),
    a(1, 0, -1, 0, "N*s/m", "damping coefficient"),
    an(1, 2, -1, 0, "N*m*s", "angular momentum"),
    a(1, 2, -1, -1, "N*m*s/rad", "torsional damping coefficient"),
    an(1, 1, -1, 0, "N*s", "impulse"),
    a(1, 2, -3, 0, "W", "power"),
    a(1, -1, -2, 0, "Pa", "pressure"),
    a(1, -1, -1, 0, "Pa*s", "viscosity"),
    a(1, -2, -2, 0, "N/m^3", "stiffness per area"),
    a(1, 3, -2, 0, "N*m^2", "bending stiffness"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_symbol_parses_to_its_own_row() {
        for named in NAMED {
            let dim = Dim::parse(named.symbol).unwrap();
            assert_eq!(dim, named.dim, "{}", named.symbol);
            assert_eq!(dim.angle, named.dim.angle, "{}", named.symbol);
            assert_eq!(dim.to_string(), named.symbol);
        }
    }

    #[test]
    fn nouns_know_angles() {
        assert_eq!(Dim::LENGTH.noun(), "a length (m)");
        assert_eq!(Dim::ANGLE.noun(), "an angle (rad)");
        assert_eq!(Dim::NONE.noun(), "a pure number");
        assert_eq!(Dim::STIFFNESS.noun(), "a stiffness (N/m)");
        assert_eq!(Dim::TORSIONAL_STIFFNESS.noun(), "a torsional stiffness (N*m/rad)");
        assert_eq!(Dim::TORSIONAL_STIFFNESS.times(Dim::ANGLE).noun(), "a torque (N*m)");
        // an angular acceleration times an inertia is a torque, the radian forgotten
        assert_eq!(Dim::INERTIA.times(Dim::ANGULAR_ACCELERATION).noun(), "a torque (N*m)");
        assert_eq!(Dim::ANGLE, Dim::NONE);
        assert!(Dim::ANGLE.is_angle() && !Dim::NONE.is_angle() && !Dim::LENGTH.is_angle());
    }

    #[test]
    fn unnamed_dimensions_are_spelt_out() {
        assert_eq!(Dim::new(2, 1, -3).to_string(), "kg^2*m/s^3");
        assert_eq!(Dim::new(0, -2, -4).to_string(), "1/m^2/s^4");
        assert_eq!(Dim::new(0, 5, 1).noun(), "a quantity in m^5*s");
        assert_eq!(Dim::parse("kg^2*m/s^3").unwrap(), Dim::new(2, 1, -3));
    }

    #[test]
    fn powers_halve_or_refuse_and_never_overflow() {
        assert_eq!(Dim::new(2, 4, -2).powf(0.5), Some(Dim::new(1, 2, -1)));
        assert_eq!(Dim::LENGTH.powf(0.5), None);
        assert_eq!(Dim::new(0, 3, 0).powf(1.0 / 3.0), Some(Dim::LENGTH));
        assert_eq!(Dim::LENGTH.powf(f64::NAN), None);
        assert_eq!(Dim::LENGTH.powf(1e300), None);
        let huge = Dim::LENGTH.powi(i32::MIN);
        assert_eq!(huge.times(huge).over(Dim::LENGTH.powi(i32::MAX)).m, i8::MIN);
        assert!(!huge.to_string().is_empty());
    }
}
