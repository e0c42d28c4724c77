//! Units of measurement: `mm`, `kN/mm`, `lbf*s/in`, `rpm`.

use super::dim::Dim;
use super::error::{ExprError, closest, quoted};
use super::token::{Tok, Token, tokens};
use super::unit_list::{UNITS, prefixed};

/// A unit: its size in SI units as the fraction `mul / div`, and its dimension.
///
/// The fraction keeps decimal prefixes exact: 1.1 mm is 1.1 / 1000, rounded once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    pub(super) mul: f64,
    pub(super) div: f64,
    pub(super) dim: Dim,
}

impl Unit {
    const ONE: Unit = Unit { mul: 1.0, div: 1.0, dim: Dim::NONE };

    /// Reads a unit text such as `kN/mm`, `1/s` or `1`.
    pub fn parse(text: &str) -> Result<Unit, ExprError> {
        let tokens = tokens(text)?;
        let mut rest = UnitReader { text, tokens: &tokens, used: 0 };
        // a leading 1 stands for the absent numerator
        let start = match tokens[0].tok {
            Tok::Number(1.0) => {
                rest.used = 1;
                Unit::ONE
            }
            _ => rest.factor()?,
        };
        let unit = rest.more(start)?;
        let next = rest.peek();
        if !matches!(next.tok, Tok::End) {
            let what = quoted(text, &next.span);
            return Err(ExprError::new(next.span.clone(), format!("{what} is not allowed in a unit"))
                .with_hint("units look like `N`, `kN/mm` or `kg*m^2`"));
        }
        Ok(unit)
    }

    /// The dimension.
    pub fn dim(self) -> Dim {
        self.dim
    }

    /// A number of this unit in SI units.
    pub fn to_si(self, value: f64) -> f64 {
        value * self.mul / self.div
    }

    /// An SI value counted in this unit.
    pub fn from_si(self, value: f64) -> f64 {
        value * self.div / self.mul
    }

    fn times(self, o: Unit) -> Unit {
        Unit { mul: self.mul * o.mul, div: self.div * o.div, dim: self.dim.times(o.dim) }
    }

    fn powi(self, n: i32) -> Unit {
        let (up, down) = if n < 0 { (self.div, self.mul) } else { (self.mul, self.div) };
        let n_abs = n.saturating_abs();
        Unit { mul: up.powi(n_abs), div: down.powi(n_abs), dim: self.dim.powi(n) }
    }
}

/// The unit of a single name, prefix included: `mm`, `kN`, `deg`.
pub(super) fn unit_named(name: &str) -> Option<Unit> {
    UNITS.iter().find(|row| row.name == name).map(|row| row.unit).or_else(|| prefixed(name))
}

/// Largest exponent a unit may carry.
const MAX_EXPONENT: f64 = 12.0;

/// A unit text being read: `unit (^int)? (('*'|'/') unit (^int)?)*`. `used` counts the tokens taken.
pub(super) struct UnitReader<'a> {
    pub(super) text: &'a str,
    /// Ends with [`Tok::End`].
    pub(super) tokens: &'a [Token<'a>],
    pub(super) used: usize,
}

impl<'a> UnitReader<'a> {
    fn peek(&self) -> &'a Token<'a> {
        self.ahead(0)
    }

    fn ahead(&self, n: usize) -> &'a Token<'a> {
        &self.tokens[(self.used + n).min(self.tokens.len() - 1)]
    }

    /// One unit name with its exponent.
    pub(super) fn factor(&mut self) -> Result<Unit, ExprError> {
        let token = self.peek();
        let Tok::Name(name) = token.tok else {
            let what =
                if matches!(token.tok, Tok::End) { "nothing".into() } else { quoted(self.text, &token.span) };
            return Err(ExprError::new(token.span.clone(), format!("expected a unit, found {what}")));
        };
        let Some(unit) = unit_named(name) else {
            let error = ExprError::new(token.span.clone(), format!("there is no unit `{name}`"));
            return Err(match unit_suggestion(name) {
                Some(meant) => error.with_hint(format!("did you mean `{meant}`?")),
                None => error,
            });
        };
        self.used += 1;
        Ok(if matches!(self.peek().tok, Tok::Caret) { unit.powi(self.exponent()?) } else { unit })
    }

    /// `^` and a whole number.
    fn exponent(&mut self) -> Result<i32, ExprError> {
        let caret = self.peek().span.clone();
        self.used += 1;
        let negative = matches!(self.peek().tok, Tok::Minus);
        self.used += usize::from(negative);
        let token = self.peek();
        let n = match token.tok {
            Tok::Number(n) if n.fract() == 0.0 && n <= MAX_EXPONENT => n as i32,
            _ => {
                let span = caret.start..token.span.end;
                return Err(ExprError::new(span, "the exponent of a unit is an integer, as in `m/s^2`")
                    .with_hint("to raise the whole quantity to a power, put it in parentheses: `(2 m)^n`"));
            }
        };
        self.used += 1;
        if matches!(self.peek().tok, Tok::Caret) {
            let span = caret.start..self.peek().span.end;
            return Err(ExprError::new(span, "a unit can have only one exponent"));
        }
        Ok(if negative { -n } else { n })
    }

    /// The factors after the first, as long as the name after `*` or `/` is a unit and no function call.
    pub(super) fn more(&mut self, mut unit: Unit) -> Result<Unit, ExprError> {
        loop {
            let inverse = match self.peek().tok {
                Tok::Star => false,
                Tok::Slash => true,
                _ => return Ok(unit),
            };
            match self.ahead(1).tok {
                Tok::Name(name) if unit_named(name).is_some() => {}
                _ => return Ok(unit),
            }
            if matches!(self.ahead(2).tok, Tok::Open) {
                return Ok(unit);
            }
            self.used += 1;
            let factor = self.factor()?;
            unit = unit.times(if inverse { factor.powi(-1) } else { factor });
        }
    }
}

/// Whether a name is that of a unit, prefix included: `m`, `kN`, `deg`.
pub fn is_unit(name: &str) -> bool {
    unit_named(name).is_some()
}

/// A unit that may be meant by a name that is none: `Nm` is `N*m`, `degrees` is `deg`.
pub(super) fn unit_suggestion(name: &str) -> Option<String> {
    // two units written together
    for (cut, _) in name.char_indices().skip(1) {
        let (a, b) = (&name[..cut], name[cut..].trim_start_matches('.'));
        if unit_named(a).is_some() && unit_named(b).is_some() {
            return Some(format!("{a}*{b}"));
        }
    }
    // written-out names
    const WORDS: &[(&str, &str)] = &[
        ("degree", "deg"),
        ("radian", "rad"),
        ("meter", "m"),
        ("metre", "m"),
        ("second", "s"),
        ("sec", "s"),
        ("hour", "h"),
        ("hr", "h"),
        ("minute", "min"),
        ("newton", "N"),
        ("inch", "in"),
        ("inches", "in"),
        ("feet", "ft"),
        ("foot", "ft"),
        ("pound", "lb"),
        ("kmh", "km/h"),
        ("ton", "tonne"),
    ];
    let word = name.to_ascii_lowercase();
    let stem = word.strip_suffix('s').unwrap_or(&word);
    if let Some((_, unit)) = WORDS.iter().find(|(long, _)| *long == stem || *long == word) {
        return Some((*unit).into());
    }
    closest(name, UNITS.iter().map(|row| row.name).chain(["mm", "cm", "km", "kN", "kPa", "MPa", "kHz"]))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn si(text: &str) -> (f64, String) {
        let unit = Unit::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        (unit.to_si(1.0), unit.dim().to_string())
    }

    #[test]
    fn compound_units_read_left_to_right() {
        assert_eq!(si("kN/mm"), (1e6, "N/m".into()));
        assert_eq!(si("m/s^2"), (1.0, "m/s^2".into()));
        assert_eq!(si("m*s^-2"), (1.0, "m/s^2".into()));
        assert_eq!(si("1/s"), (1.0, "1/s".into()));
        assert_eq!(si("1/min"), (1.0 / 60.0, "1/s".into()));
        assert_eq!(si("1"), (1.0, "1".into()));
        assert_eq!(si("kg*m^2"), (1.0, "kg*m^2".into()));
        assert_eq!(si("N*m/rad"), (1.0, "N*m/rad".into()));
        assert_eq!(si("km/h").0, 1000.0 / 3600.0);
        let (lbf_s_in, dim) = si("lbf*s/in");
        assert!((lbf_s_in - 175.126_835_246).abs() < 1e-8);
        assert_eq!(dim, "N*s/m");
    }

    #[test]
    fn conversions_go_back() {
        for text in ["mm", "mph", "deg", "psi", "lbf*s/in", "rpm"] {
            let unit = Unit::parse(text).unwrap();
            assert!((unit.from_si(unit.to_si(3.7)) - 3.7).abs() < 1e-14);
        }
    }

    #[test]
    fn faults_are_named() {
        let message = |text: &str| Unit::parse(text).unwrap_err().to_string();
        assert_eq!(message("Nm"), "there is no unit `Nm` (did you mean `N*m`?)");
        assert_eq!(message("kNmm"), "there is no unit `kNmm` (did you mean `kN*mm`?)");
        assert_eq!(message("N.m"), "there is no unit `N.m` (did you mean `N*m`?)");
        assert_eq!(message("degrees"), "there is no unit `degrees` (did you mean `deg`?)");
        assert_eq!(message("newtons"), "there is no unit `newtons` (did you mean `N`?)");
        assert_eq!(message("kn"), "there is no unit `kn` (did you mean `kN`?)");
        assert_eq!(message(""), "expected a unit, found nothing");
        assert!(message("m/s^2.5").starts_with("the exponent of a unit is an integer"));
        assert!(message("m^2^2").starts_with("a unit can have only one exponent"));
        assert!(message("m/t").starts_with("`/` is not allowed in a unit"));
        assert!(message("m^999").starts_with("the exponent of a unit"));
    }
}
