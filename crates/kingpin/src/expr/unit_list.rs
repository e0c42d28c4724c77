//! The units that are known.

use super::dim::Dim;
use super::unit::Unit;
use std::f64::consts::PI;

/// A unit and its name.
pub(super) struct UnitRow {
    pub(super) name: &'static str,
    pub(super) unit: Unit,
    /// Decimal prefixes it takes; a further letter of the name.
    prefixes: &'static str,
}

const fn row(name: &'static str, mul: f64, div: f64, dim: Dim, prefixes: &'static str) -> UnitRow {
    UnitRow { name, unit: Unit { mul, div, dim }, prefixes }
}

const POUND: f64 = 0.453_592_37;
const GRAVITY: f64 = 9.806_65;
const POUND_FORCE: f64 = POUND * GRAVITY;
const FOOT: f64 = 0.3048;
const RATE: Dim = Dim::new(0, 0, -1);
const POWER: Dim = Dim::new(1, 2, -3);
const PRESSURE: Dim = Dim::new(1, -1, -2);
/// Prefixes of everything metric; `µ` is read as `u`.
const METRIC: &str = "numkMG";

/// A unit as it is listed.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedUnit {
    /// Its name.
    pub name: &'static str,
    /// How much one of it is in SI units.
    pub factor: f64,
    /// What it measures.
    pub dim: Dim,
    /// Letters that may stand before it: `n`, `u`, `m`, `c`, `d`, `k`, `M`, `G`.
    pub prefixes: &'static str,
}

impl ListedUnit {
    /// What it measures in words; a joule has the dimension of a torque, and is an energy.
    pub fn noun(&self) -> String {
        if self.name == "J" { "an energy (J)".into() } else { self.dim.noun() }
    }
}

/// All units that expressions know.
pub fn units() -> impl Iterator<Item = ListedUnit> {
    UNITS.iter().map(|row| ListedUnit {
        name: row.name,
        factor: row.unit.mul / row.unit.div,
        dim: row.unit.dim,
        prefixes: row.prefixes,
    })
}

/// All units by name. `t` is time and never a unit; `g` is the gram, `g0` standard gravity.
pub(super) const UNITS: &[UnitRow] = &[
    row("m", 1.0, 1.0, Dim::LENGTH, "numcdk"),
    row("s", 1.0, 1.0, Dim::TIME, "num"),
    row("g", 1.0, 1000.0, Dim::MASS, "umkM"),
    row("tonne", 1000.0, 1.0, Dim::MASS, ""),
    row("min", 60.0, 1.0, Dim::TIME, ""),
    row("h", 3600.0, 1.0, Dim::TIME, ""),
    row("rad", 1.0, 1.0, Dim::ANGLE, "um"),
    row("deg", PI, 180.0, Dim::ANGLE, ""),
    row("°", PI, 180.0, Dim::ANGLE, ""),
    row("rev", 2.0 * PI, 1.0, Dim::ANGLE, ""),
    row("turn", 2.0 * PI, 1.0, Dim::ANGLE, ""),
    row("rpm", PI, 30.0, Dim::ANGULAR_VELOCITY, ""),
    row("Hz", 1.0, 1.0, RATE, "mkMG"),
    row("N", 1.0, 1.0, Dim::FORCE, METRIC),
    row("J", 1.0, 1.0, Dim::TORQUE, METRIC),
    row("W", 1.0, 1.0, POWER, METRIC),
    row("Pa", 1.0, 1.0, PRESSURE, METRIC),
    row("bar", 1e5, 1.0, PRESSURE, "m"),
    row("in", 254.0, 10_000.0, Dim::LENGTH, ""),
    row("ft", 3048.0, 10_000.0, Dim::LENGTH, ""),
    row("yd", 9144.0, 10_000.0, Dim::LENGTH, ""),
    row("mi", 1_609_344.0, 1000.0, Dim::LENGTH, ""),
    row("mph", 44_704.0, 100_000.0, Dim::VELOCITY, ""),
    row("kph", 1000.0, 3600.0, Dim::VELOCITY, ""),
    row("knot", 1852.0, 3600.0, Dim::VELOCITY, ""),
    row("lb", POUND, 1.0, Dim::MASS, ""),
    row("lbm", POUND, 1.0, Dim::MASS, ""),
    row("slug", POUND_FORCE, FOOT, Dim::MASS, ""),
    row("lbf", POUND_FORCE, 1.0, Dim::FORCE, ""),
    row("ozf", POUND_FORCE, 16.0, Dim::FORCE, ""),
    row("kgf", GRAVITY, 1.0, Dim::FORCE, ""),
    row("psi", POUND_FORCE, 0.0254 * 0.0254, PRESSURE, ""),
    row("g0", GRAVITY, 1.0, Dim::ACCELERATION, ""),
];

/// A name made of a decimal prefix and a unit that takes it: `mm`, `kN`, `µs`.
pub(super) fn prefixed(name: &str) -> Option<Unit> {
    let mut letters = name.chars();
    // micro sign U+00B5 and Greek mu U+03BC look alike
    let prefix = match letters.next()? {
        '\u{b5}' | '\u{3bc}' => 'u',
        letter => letter,
    };
    let (mul, div) = match prefix {
        'n' => (1.0, 1e9),
        'u' => (1.0, 1e6),
        'm' => (1.0, 1e3),
        'c' => (1.0, 1e2),
        'd' => (1.0, 1e1),
        'k' => (1e3, 1.0),
        'M' => (1e6, 1.0),
        'G' => (1e9, 1.0),
        _ => return None,
    };
    let stem = letters.as_str();
    let base = UNITS.iter().find(|row| row.name == stem && row.prefixes.contains(prefix))?.unit;
    // kg is 1000/1000 g: keep it exactly one
    let (mul, div) = (base.mul * mul, base.div * div);
    Some(if mul == div { Unit { mul: 1.0, div: 1.0, ..base } } else { Unit { mul, div, ..base } })
}

#[cfg(test)]
mod tests {
    use super::super::unit::unit_named;
    use super::*;

    /// Every unit against its value in SI units, independently written.
    #[test]
    fn values() {
        let table: &[(&str, f64, Dim)] = &[
            ("m", 1.0, Dim::LENGTH),
            ("mm", 1e-3, Dim::LENGTH),
            ("cm", 1e-2, Dim::LENGTH),
            ("dm", 1e-1, Dim::LENGTH),
            ("km", 1e3, Dim::LENGTH),
            ("um", 1e-6, Dim::LENGTH),
            ("µm", 1e-6, Dim::LENGTH),
            ("μm", 1e-6, Dim::LENGTH),
            ("nm", 1e-9, Dim::LENGTH),
            ("kg", 1.0, Dim::MASS),
            ("g", 1e-3, Dim::MASS),
            ("mg", 1e-6, Dim::MASS),
            ("tonne", 1e3, Dim::MASS),
            ("s", 1.0, Dim::TIME),
            ("ms", 1e-3, Dim::TIME),
            ("us", 1e-6, Dim::TIME),
            ("min", 60.0, Dim::TIME),
            ("h", 3600.0, Dim::TIME),
            ("rad", 1.0, Dim::ANGLE),
            ("mrad", 1e-3, Dim::ANGLE),
            ("deg", 0.017_453_292_519_943_295, Dim::ANGLE),
            ("°", 0.017_453_292_519_943_295, Dim::ANGLE),
            ("rev", std::f64::consts::TAU, Dim::ANGLE),
            ("turn", std::f64::consts::TAU, Dim::ANGLE),
            ("rpm", 0.104_719_755_119_659_77, Dim::ANGULAR_VELOCITY),
            ("N", 1.0, Dim::FORCE),
            ("kN", 1e3, Dim::FORCE),
            ("MN", 1e6, Dim::FORCE),
            ("mN", 1e-3, Dim::FORCE),
            ("J", 1.0, Dim::TORQUE),
            ("kJ", 1e3, Dim::TORQUE),
            ("W", 1.0, POWER),
            ("kW", 1e3, POWER),
            ("Pa", 1.0, PRESSURE),
            ("kPa", 1e3, PRESSURE),
            ("MPa", 1e6, PRESSURE),
            ("GPa", 1e9, PRESSURE),
            ("bar", 1e5, PRESSURE),
            ("mbar", 1e2, PRESSURE),
            ("Hz", 1.0, RATE),
            ("kHz", 1e3, RATE),
            ("in", 0.0254, Dim::LENGTH),
            ("ft", 0.3048, Dim::LENGTH),
            ("yd", 0.9144, Dim::LENGTH),
            ("mi", 1609.344, Dim::LENGTH),
            ("mph", 0.44704, Dim::VELOCITY),
            ("kph", 0.277_777_777_777_777_8, Dim::VELOCITY),
            ("knot", 0.514_444_444_444_444_5, Dim::VELOCITY),
            ("lb", 0.453_592_37, Dim::MASS),
            ("lbm", 0.453_592_37, Dim::MASS),
            ("slug", 14.593_902_937_206_364, Dim::MASS),
            ("lbf", 4.448_221_615_260_5, Dim::FORCE),
            ("ozf", 0.278_013_850_953_781_2, Dim::FORCE),
            ("kgf", 9.806_65, Dim::FORCE),
            ("psi", 6_894.757_293_168_361, PRESSURE),
            ("g0", 9.806_65, Dim::ACCELERATION),
        ];
        for &(name, value, dim) in table {
            let unit = unit_named(name).unwrap_or_else(|| panic!("{name}"));
            assert!((unit.to_si(1.0) / value - 1.0).abs() < 4e-16, "{name}: {}", unit.to_si(1.0));
            assert_eq!(unit.dim(), dim, "{name}");
            assert_eq!(unit.dim().is_angle(), dim.is_angle(), "{name}");
        }
        assert!(UNITS.iter().all(|row| table.iter().any(|t| t.0 == row.name)), "a unit without a test");
    }

    #[test]
    fn what_is_no_unit() {
        for name in ["t", "x", "kin", "cN", "mdeg", "krpm", "kh", "kmin", "Nm", "", "k", "µ", "ks", "ckg"] {
            assert!(unit_named(name).is_none(), "{name}");
        }
    }

    #[test]
    fn prefixes_round_once() {
        assert_eq!(unit_named("mm").unwrap().to_si(1.1), 0.0011);
        assert_eq!(unit_named("mm").unwrap().to_si(25.4), unit_named("in").unwrap().to_si(1.0));
        assert_eq!(unit_named("kg").unwrap().to_si(0.1), 0.1);
    }
}
