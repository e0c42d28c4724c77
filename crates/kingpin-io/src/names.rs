//! The names that occur in the text of an expression.

use kingpin::expr::is_unit;
use std::ops::Range;

/// The names in an expression that may stand for parameters, variables or functions, with their places.
/// Units are left out: the name right behind a number or a closing parenthesis, and the units that follow it
/// after `*` or `/`, as the grammar of expressions has it.
pub(crate) fn names_in(text: &str) -> Vec<(Range<usize>, &str)> {
    let mut names = Vec::new();
    let (mut at, mut state) = (0, State::Start);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let len = match c {
            _ if c.is_ascii_digit() => number_length(rest),
            _ if is_letter(c) => name_length(rest),
            _ => c.len_utf8(),
        };
        let word = &rest[..len];
        let calls = || rest[len..].trim_start().starts_with('(');
        if !c.is_whitespace() {
            state = match state {
                State::Value if is_letter(c) => State::Unit,
                State::Joined if is_letter(c) && is_unit(word) && !calls() => State::Unit,
                _ if is_letter(c) => {
                    names.push((at..at + len, word));
                    State::Start
                }
                State::Unit if matches!(c, '*' | '/') => State::Joined,
                State::Unit if c == '^' => State::Exponent,
                State::Exponent if c == '-' => State::Exponent,
                State::Exponent if c.is_ascii_digit() => State::Unit,
                _ if c.is_ascii_digit() || c == ')' => State::Value,
                _ => State::Start,
            };
        }
        at += len;
    }
    names
}

/// What was read last, as far as it tells whether a unit may follow.
#[derive(Clone, Copy)]
enum State {
    Start,
    /// A number or a closing parenthesis.
    Value,
    /// A unit, perhaps with its exponent.
    Unit,
    /// `*` or `/` behind a unit.
    Joined,
    /// `^` behind a unit.
    Exponent,
}

/// The text with every use of `name` replaced by a number in parentheses.
pub(crate) fn with_value(text: &str, name: &str, value: i64) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut done = 0;
    for (range, _) in names_in(text).into_iter().filter(|(_, found)| *found == name) {
        out.push_str(&text[done..range.start]);
        out.push_str(&format!("({value})"));
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '°'
}

/// Letters and digits, in parts joined by dots.
fn name_length(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let joins = c == '.' && chars.peek().is_some_and(|&(_, next)| is_letter(next));
        if !(is_letter(c) || c.is_ascii_digit() || joins) {
            return at;
        }
    }
    text.len()
}

/// Digits with a point and an exponent.
fn number_length(text: &str) -> usize {
    let digits = |from: usize| from + text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let last = digits(end + 1 + sign);
        if last > end + 1 + sign {
            end = last;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        names_in(text).into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn units_and_exponents_are_no_names() {
        assert_eq!(names("2 m + L*3e5/s"), ["L", "s"]);
        assert_eq!(names("100 N/m*x"), ["x"]);
        assert_eq!(names("10 m/s^-2 * s*m + (x) N/m/L"), ["x", "L"]);
        assert_eq!(names("10 m/min(2, s)/x*m"), ["min", "s", "x", "m"]);
        assert_eq!(names("sin(w*t) deg + gap.rate"), ["sin", "w", "t", "gap.rate"]);
        assert_eq!(names("2e + .5e3x"), [""; 0]);
        assert_eq!(names("é_1+µ"), ["é_1", "µ"]);
        assert!(names("{ 3.").is_empty());
    }

    #[test]
    fn a_value_takes_the_place_of_a_name() {
        assert_eq!(with_value("i*sin(i2*t) + 3 i + i", "i", -2), "(-2)*sin(i2*t) + 3 i + (-2)");
        assert_eq!(with_value("100 N/m*m2/m + m", "m", 3), "100 N/m*m2/(3) + (3)");
    }
}
