//! What is varied: a parameter and the values that it takes.
//!
//! | text | values |
//! |---|---|
//! | `k=10..100 N/m:20` | twenty, evenly spaced, both ends among them |
//! | `k=1..1000 N/m:4 log` | four, each so many times the one before |
//! | `c=[1, 2, 5]`, `c=[1, 2, 5] N*s/m` | these |
//! | `k=10..100 N/m` | drawn at random between the ends, as many as samples are asked for |
//! | `k=10..1000 N/m log` | the same, evenly in its logarithm |
//! | `k=normal(50, 5) N/m` | drawn from the normal distribution of that mean and deviation |

use kingpin::expr::{ExprError, Unit, is_identifier};
use std::ops::Range;

/// A parameter and the values that it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    /// The text that it was read from.
    pub text: String,
    /// Name of the parameter.
    pub name: String,
    /// The unit that its values are in; empty for SI units or pure numbers.
    pub unit: String,
    /// The values.
    pub values: Values,
}

/// Values of a parameter, in the unit that goes with them.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// From one end to the other.
    Grid {
        /// Both ends.
        ends: (f64, f64),
        /// How many.
        count: usize,
        /// Whether ratios are the same, not differences.
        log: bool,
    },
    /// These.
    List(Vec<f64>),
    /// Drawn between two ends.
    Between {
        /// Both ends.
        ends: (f64, f64),
        /// Whether logarithms are spread evenly.
        log: bool,
    },
    /// Drawn from a normal distribution.
    Normal {
        /// Its mean.
        mean: f64,
        /// Its standard deviation.
        deviation: f64,
    },
}

/// Most values of one parameter.
const MOST: usize = 10_000_000;

impl Variation {
    /// Reads a text such as `k=10..100 N/m:20`; or what is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Variation, ExprError> {
        let Some(equals) = text.find('=') else {
            let hint = "write `name=10..100 N/m:20`, `name=[1, 2, 5]` or `name=10..100 N/m` with samples";
            return Err(fault(0..text.len(), "this does not define values of a parameter").with_hint(hint));
        };
        let name = text[..equals].trim();
        if !is_identifier(name) || name.contains('.') {
            let message = format!("`{}` is not a parameter name", name.escape_debug());
            return Err(fault(0..equals.max(1), message));
        }
        let words = Words { text, range: equals + 1..text.len() }.trimmed();
        let (unit, values) = if words.str().starts_with('[') {
            list(words)?
        } else if words.str().starts_with("normal") {
            normal(words)?
        } else {
            span(words)?
        };
        Ok(Variation { text: text.into(), name: name.into(), unit, values })
    }

    /// How many values there are; none if they are drawn.
    pub fn count(&self) -> Option<usize> {
        match &self.values {
            Values::Grid { count, .. } => Some(*count),
            Values::List(list) => Some(list.len()),
            Values::Between { .. } | Values::Normal { .. } => None,
        }
    }

    /// The value of that number, of those that are not drawn.
    pub fn value(&self, k: usize) -> f64 {
        match &self.values {
            Values::Grid { ends, count, log } => {
                let last = count.saturating_sub(1).max(1);
                // ends are as they were given, to the last bit
                match k {
                    0 => ends.0,
                    k if k == last => ends.1,
                    k => between(*ends, k as f64 / last as f64, *log),
                }
            }
            Values::List(list) => list.get(k).copied().unwrap_or(f64::NAN),
            Values::Between { .. } | Values::Normal { .. } => f64::NAN,
        }
    }

    /// The value at a place between 0 and 1 of the distribution that it is drawn from.
    pub fn quantile(&self, place: f64) -> f64 {
        match &self.values {
            Values::Between { ends, log } => between(*ends, place, *log),
            Values::Normal { mean, deviation } => mean + deviation * crate::draw::normal(place),
            Values::Grid { .. } | Values::List(_) => f64::NAN,
        }
    }

    /// The assignment that gives the parameter a value.
    pub fn assignment(&self, value: f64) -> String {
        // brackets keep a sign and the unit together
        match self.unit.as_str() {
            "" => format!("{}={value:?}", self.name),
            unit => format!("{}=({value:?}) {unit}", self.name),
        }
    }
}

/// A number with a unit or without one, such as `2.5 kN/m`; none if a text is something else.
pub fn quantity(text: &str) -> Option<(f64, String)> {
    let (value, rest) = Words { text, range: 0..text.len() }.trimmed().number().ok()?;
    Some((value, rest.unit().ok()?))
}

fn between(ends: (f64, f64), part: f64, log: bool) -> f64 {
    if log {
        return (ends.0.ln() + part * (ends.1.ln() - ends.0.ln())).exp();
    }
    ends.0 + part * (ends.1 - ends.0)
}

fn fault(span: Range<usize>, message: impl Into<String>) -> ExprError {
    ExprError::new(span, message)
}

/// A part of a text.
#[derive(Clone)]
struct Words<'a> {
    text: &'a str,
    range: Range<usize>,
}

impl<'a> Words<'a> {
    fn str(&self) -> &'a str {
        &self.text[self.range.clone()]
    }

    fn part(&self, part: Range<usize>) -> Words<'a> {
        Words { text: self.text, range: self.range.start + part.start..self.range.start + part.end }.trimmed()
    }

    fn trimmed(self) -> Words<'a> {
        let (text, start) = (self.str(), self.range.start);
        let left = text.len() - text.trim_start().len();
        let length = text.trim().len();
        Words { range: start + left..start + left + length, ..self }
    }

    fn fault(&self, message: impl Into<String>) -> ExprError {
        let end = self.range.end.max(self.range.start + 1);
        fault(self.range.start..end, message)
    }

    /// A number, and the words behind it.
    fn number(&self) -> Result<(f64, Words<'a>), ExprError> {
        let text = self.str();
        let mut end = text.len();
        let is_number = |end: &usize| text[..*end].trim().parse::<f64>().is_ok_and(f64::is_finite);
        while end > 0
            && !(text.is_char_boundary(end) && text.as_bytes()[end - 1].is_ascii() && is_number(&end))
        {
            end -= 1;
        }
        match text[..end].trim().parse::<f64>() {
            Ok(value) => Ok((value, self.part(end..text.len()))),
            Err(_) if text.is_empty() => Err(self.fault("a number is missing here")),
            Err(_) => Err(self.fault(format!("`{text}` does not begin with a number"))),
        }
    }

    /// A unit, or nothing.
    fn unit(&self) -> Result<String, ExprError> {
        let text = self.str();
        if text.is_empty() {
            return Ok(String::new());
        }
        Unit::parse(text).map(|_| text.to_string()).map_err(|error| {
            let start = self.range.start;
            ExprError { span: start + error.span.start..start + error.span.end, ..error }
        })
    }
}

/// Such as `10..100 N/m:20 log`.
fn span(words: Words) -> Result<(String, Values), ExprError> {
    let text = words.str();
    let Some(dots) = text.find("..") else {
        let hint = "write a range with a number of values, `10..100 N/m:20`, or a list, `[1, 2, 5]`";
        return Err(words.fault("these are not values of a parameter").with_hint(hint));
    };
    let (text, log) = match text.strip_suffix("log") {
        Some(rest) if rest.ends_with([' ', ':']) || rest.ends_with(|c: char| c.is_ascii_digit()) => {
            (rest, true)
        }
        _ => (text, false),
    };
    let colon = text.rfind(':').filter(|colon| *colon > dots);
    let upper = words.part(dots + 2..colon.unwrap_or(text.len()));
    let ((from, first), (to, second)) = (words.part(0..dots).number()?, upper.number()?);
    let (own, unit) = (first.unit()?, second.unit()?);
    let from = match own.is_empty() || own == unit {
        true => from,
        false => converted(from, &own, &unit, &first)?,
    };
    if log && (from <= 0.0 || to <= 0.0) {
        return Err(words
            .fault("logarithmic spacing needs ends greater than zero")
            .with_hint("leave `log` away"));
    }
    let ends = (from, to);
    let Some(colon) = colon else { return Ok((unit, Values::Between { ends, log })) };
    let number = words.part(colon + 1..text.len());
    match number.str().parse::<usize>() {
        Ok(count) if (2..=MOST).contains(&count) => Ok((unit, Values::Grid { ends, count, log })),
        Ok(1) => Err(number.fault("a range has at least two values").with_hint("write `[…]` for one value")),
        _ => Err(number.fault("this is not a number of values").with_hint("write `10..100 N/m:20`")),
    }
}

/// A value in another unit than it was given in.
fn converted(value: f64, from: &str, to: &str, words: &Words) -> Result<f64, ExprError> {
    let (own, other) = (Unit::parse(from)?, Unit::parse(if to.is_empty() { "1" } else { to })?);
    if own.dim() != other.dim() {
        let said = if to.is_empty() { "has no unit".into() } else { format!("is in {to}") };
        return Err(words.fault(format!("the first end is in {from}, the second {said}")));
    }
    Ok(other.from_si(own.to_si(value)))
}

/// Such as `[1, 2, 5] N/m`.
fn list(words: Words) -> Result<(String, Values), ExprError> {
    let text = words.str();
    let Some(end) = text.find(']') else {
        return Err(words.fault("the list is not closed").with_hint("write `[1, 2, 5]`"));
    };
    let mut unit = words.part(end + 1..text.len()).unit()?;
    let (mut values, mut start) = (Vec::new(), 1);
    for item in text[1..end].split(',') {
        let item_words = words.part(start..start + item.len());
        start += item.len() + 1;
        let (value, rest) = item_words.number()?;
        let own = rest.unit()?;
        if values.is_empty() && unit.is_empty() {
            unit.clone_from(&own);
        }
        values.push(if own.is_empty() || own == unit {
            value
        } else {
            converted(value, &own, &unit, &rest)?
        });
    }
    Ok((unit, Values::List(values)))
}

/// Such as `normal(50, 5) N/m`.
fn normal(words: Words) -> Result<(String, Values), ExprError> {
    let text = words.str();
    let hint = "write `normal(mean, deviation) unit`";
    let inner = text.strip_prefix("normal").and_then(|rest| rest.trim_start().strip_prefix('('));
    let (Some(inner), Some(end)) = (inner, text.find(')')) else {
        return Err(words.fault("a distribution needs a mean and a standard deviation").with_hint(hint));
    };
    let (start, comma) = (text.len() - inner.len(), text.find(','));
    let Some(comma) = comma.filter(|comma| *comma > start && *comma < end) else {
        return Err(words.part(start..end).fault("the standard deviation is missing").with_hint(hint));
    };
    let bare = |words: Words| -> Result<f64, ExprError> {
        let (value, rest) = words.number()?;
        if rest.str().is_empty() {
            Ok(value)
        } else {
            Err(rest.fault("the unit follows the closing bracket").with_hint(hint))
        }
    };
    let mean = bare(words.part(start..comma))?;
    let deviation = bare(words.part(comma + 1..end))?;
    if deviation < 0.0 {
        return Err(words.part(comma + 1..end).fault("a standard deviation must not be negative"));
    }
    let unit = words.part(end + 1..text.len()).unit()?;
    Ok((unit, Values::Normal { mean, deviation }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Variation {
        Variation::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn spans_lists_and_distributions() {
        let grid = read("k=10..100 N/m:4");
        assert_eq!((grid.unit.as_str(), grid.count()), ("N/m", Some(4)));
        assert_eq!((0..4).map(|k| grid.value(k)).collect::<Vec<_>>(), [10.0, 40.0, 70.0, 100.0]);
        assert_eq!(grid.assignment(40.0), "k=(40.0) N/m");
        let log = read("k = 1 .. 1000 : 4 log");
        assert!((log.value(1) - 10.0).abs() < 1e-13 && log.value(3) == 1000.0);
        let list = read("c=[1, 2,5] N*s/m");
        assert_eq!((list.values, list.unit.as_str()), (Values::List(vec![1.0, 2.0, 5.0]), "N*s/m"));
        assert_eq!(read("l=[1 m, 20 cm]").values, Values::List(vec![1.0, 0.2]));
        assert_eq!(read("l=50 cm..2 m:3").values, Values::Grid { ends: (0.5, 2.0), count: 3, log: false });
        assert_eq!(read("x=-1..1e3").values, Values::Between { ends: (-1.0, 1e3), log: false });
        assert_eq!(read("m=normal(50, 5) kg").quantile(0.5), 50.0);
        assert_eq!(quantity(" 2.5 kN/m"), Some((2.5, "kN/m".into())));
        assert_eq!(
            (quantity("-3"), quantity("2*l"), quantity("l")),
            (Some((-3.0, String::new())), None, None)
        );
        assert_eq!(read("x=[-5]").assignment(-5.0), "x=-5.0");
    }

    #[test]
    fn what_is_wrong_is_said_where_it_stands() {
        for (text, place, said) in [
            ("k", 0..1, "does not define values"),
            ("3k=1..2:3", 0..2, "is not a parameter name"),
            ("k=5", 2..3, "not values of a parameter"),
            ("k=a..2:3", 2..3, "does not begin with a number"),
            ("k=1..2:x", 7..8, "not a number of values"),
            ("k=1..2:1", 7..8, "at least two values"),
            ("k=1..2 Nm:4", 7..9, "unit"),
            ("k=1 m..2 kg:4", 4..5, "the first end is in m"),
            ("k=[1, 2", 2..7, "not closed"),
            ("k=[1,,2]", 5..6, "a number is missing"),
            ("k=0..2:4 log", 2..12, "greater than zero"),
            ("k=normal(3)", 9..10, "the standard deviation is missing"),
        ] {
            let error = Variation::parse(text).expect_err(text);
            assert!(error.message.contains(said), "{text}: {error}");
            assert_eq!(error.span, place, "{text}: {error}");
        }
    }
}
