//! Numbers with or without a dimension, and the rules by which dimensions combine.

use super::dim::Dim;

/// What is known of the dimension of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unitness {
    /// A plain number: fits any dimension (in SI units) in a sum, counts as a pure factor in a product.
    Bare,
    /// It may have a dimension, but none was stated: fits everything and makes products unknown.
    Unknown,
    /// The dimension is known.
    Known(Dim),
}

impl Unitness {
    /// The dimension, if known.
    pub fn dim(self) -> Option<Dim> {
        match self {
            Unitness::Known(dim) => Some(dim),
            _ => None,
        }
    }

    /// Acceptable where a pure number or an angle is needed.
    pub fn is_pure(self) -> bool {
        self.dim().is_none_or(Dim::is_pure)
    }

    /// The common dimension of two terms of a sum; `None` if they do not fit.
    pub fn unify(self, o: Unitness) -> Option<Unitness> {
        match (self, o) {
            (Unitness::Bare, x) | (x, Unitness::Bare) => Some(x),
            (Unitness::Unknown, x) | (x, Unitness::Unknown) => Some(x),
            (Unitness::Known(a), Unitness::Known(b)) => (a == b).then_some(self),
        }
    }

    /// Dimension of the product.
    #[must_use]
    pub fn times(self, o: Unitness) -> Unitness {
        match (self, o) {
            (Unitness::Unknown, _) | (_, Unitness::Unknown) => Unitness::Unknown,
            (Unitness::Bare, Unitness::Bare) => Unitness::Bare,
            // a plain number times a ratio may be the amplitude in front of it, in SI units
            (Unitness::Bare, Unitness::Known(d)) | (Unitness::Known(d), Unitness::Bare) => {
                if d.is_pure() && !d.is_angle() { Unitness::Bare } else { Unitness::Known(d) }
            }
            (Unitness::Known(a), Unitness::Known(b)) => Unitness::Known(a.times(b)),
        }
    }

    /// Dimension of the quotient.
    #[must_use]
    pub fn over(self, o: Unitness) -> Unitness {
        self.times(match o {
            Unitness::Known(d) => Unitness::Known(d.powi(-1)),
            other => other,
        })
    }
}

/// A number in SI units with what is known of its dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// The number, in SI units.
    pub value: f64,
    /// Its dimension.
    pub unit: Unitness,
}

impl Quantity {
    /// A plain number that counts as a pure factor, such as the index of a pattern.
    pub fn bare(value: f64) -> Quantity {
        Quantity { value, unit: Unitness::Bare }
    }

    /// A number that may stand for any dimension, such as a parameter defined without a unit.
    pub fn unknown(value: f64) -> Quantity {
        Quantity { value, unit: Unitness::Unknown }
    }

    /// A number of known dimension.
    pub fn known(value: f64, dim: Dim) -> Quantity {
        Quantity { value, unit: Unitness::Known(dim) }
    }
}

#[cfg(test)]
mod tests {
    use super::Unitness::{Bare, Known, Unknown};
    use super::*;

    #[test]
    fn sums() {
        let (m, s) = (Known(Dim::LENGTH), Known(Dim::TIME));
        assert_eq!(m.unify(s), None);
        assert_eq!(m.unify(m), Some(m));
        for loose in [Bare, Unknown] {
            assert_eq!(m.unify(loose), Some(m));
            assert_eq!(loose.unify(m), Some(m));
        }
        assert_eq!(Bare.unify(Unknown), Some(Unknown));
        assert_eq!(Known(Dim::ANGLE).unify(Known(Dim::NONE)), Some(Known(Dim::NONE)));
    }

    #[test]
    fn products() {
        let (m, s) = (Known(Dim::LENGTH), Known(Dim::TIME));
        assert_eq!(m.over(s), Known(Dim::VELOCITY));
        assert_eq!(Bare.times(m), m);
        assert_eq!(Bare.over(s), Known(Dim::new(0, 0, -1)));
        assert_eq!(Unknown.times(m), Unknown);
        assert_eq!(m.over(Unknown), Unknown);
        // an amplitude times a ratio
        assert_eq!(Bare.times(m.over(m)), Bare);
        assert_eq!(Bare.times(Known(Dim::ANGLE)), Known(Dim::ANGLE));
    }
}
