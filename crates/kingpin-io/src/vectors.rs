//! Expressions of points and vectors. They become expressions of numbers, one for each component, before anything
//! else is done with them: `A + 0.5*(B - A)` is `A.x + 0.5*(B.x - A.x)` along x.

use kingpin::model::Space;
use std::ops::Range;

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Term {
    /// A number, as an expression of numbers.
    Scalar(String),
    /// A vector, by its components.
    Vector(Vec<String>),
}

/// What is wrong, and where in the text.
pub(crate) type VectorFault = (Range<usize>, String);

/// The functions of vectors, with what they take and what they are.
pub const FUNCTIONS: [(&str, &str, &str); 4] = [
    ("norm", "norm(a)", "length of a vector"),
    ("unit", "unit(a)", "unit vector in the direction of a vector"),
    ("dot", "dot(a, b)", "scalar product of two vectors"),
    ("cross", "cross(a, b)", "vector product of two vectors; in planar models its z component, a number"),
];

/// The names of components.
pub(crate) fn components(space: Space) -> &'static [&'static str] {
    match space {
        Space::Planar => &["x", "y"],
        Space::Spatial => &["x", "y", "z"],
    }
}

/// The points that expressions may use.
pub(crate) struct Vectors<'a> {
    pub space: Space,
    pub is_point: &'a dyn Fn(&str) -> bool,
}

impl Vectors<'_> {
    /// Whether a text has points or functions of vectors in it.
    pub fn concern(&self, text: &str) -> bool {
        let calls = |range: &Range<usize>| text[range.end..].trim_start().starts_with('(');
        words(text).into_iter().any(|range| {
            let word = &text[range.clone()];
            (self.is_point)(word) || FUNCTIONS.iter().any(|(name, ..)| *name == word) && calls(&range)
        })
    }

    /// The expression in numbers.
    pub fn read(&self, text: &str) -> Result<Term, VectorFault> {
        self.sum(text, 0..text.len())
    }

    /// Terms with `+` and `-` between them.
    fn sum(&self, text: &str, range: Range<usize>) -> Result<Term, VectorFault> {
        if let Some(at) = comparison(text, &range) {
            let scalar = self.scalar(text, range.clone());
            return scalar
                .map(Term::Scalar)
                .map_err(|(place, why)| (if place.is_empty() { at } else { place }, why));
        }
        let parts = split(text, range.clone(), &['+', '-']);
        let mut sum: Option<Term> = None;
        for (operator, part) in parts.clone() {
            if text[part.clone()].trim().is_empty() {
                // the parser of numbers has a word for it
                return Ok(Term::Scalar(text[range].into()));
            }
            let term = self.product(text, part.clone())?;
            sum = Some(match (sum, operator, term) {
                (None, None, term) => term,
                (None, Some(sign), term) => map(term, |own| format!("{sign}{own}")),
                (Some(Term::Scalar(a)), Some(sign), Term::Scalar(b)) => {
                    Term::Scalar(format!("{a} {sign} {b}"))
                }
                (Some(Term::Vector(a)), Some(sign), Term::Vector(b)) => {
                    Term::Vector(a.iter().zip(&b).map(|(a, b)| format!("{a} {sign} {b}")).collect())
                }
                _ => {
                    let why = "a number and a vector cannot be added";
                    let names = parts.iter().find_map(|(_, part)| self.no_point(text, part.clone()));
                    return Err(names.map_or((part, why.into()), |(place, name)| {
                        (place, format!("`{name}` is not a point, and {why}"))
                    }));
                }
            });
        }
        Ok(sum.unwrap_or(Term::Scalar(String::new())))
    }

    /// The name that a part of a text is, if that is no point.
    fn no_point<'t>(&self, text: &'t str, part: Range<usize>) -> Option<(Range<usize>, &'t str)> {
        let part = trimmed(text, part);
        let whole = &text[part.clone()];
        let is_name = words(whole).into_iter().any(|word| word.len() == whole.len());
        (is_name && !(self.is_point)(whole)).then_some((part, whole))
    }

    /// Factors with `*` and `/` between them, one of which may be a vector.
    fn product(&self, text: &str, range: Range<usize>) -> Result<Term, VectorFault> {
        let mut before = String::new();
        let mut vector: Option<Vec<String>> = None;
        for (operator, part) in split(text, range, &['*', '/']) {
            let factor = self.factor(text, part.clone())?;
            let sign = operator.map(String::from).unwrap_or_default();
            match (factor, &mut vector) {
                (Term::Scalar(own), None) => before = format!("{before}{sign}{own}"),
                (Term::Scalar(own), Some(vector)) => {
                    vector.iter_mut().for_each(|component| *component = format!("{component}{sign}{own}"));
                }
                (Term::Vector(_), _) if sign == "/" => {
                    return Err((part, "division by a vector is not defined".into()));
                }
                (Term::Vector(_), Some(_)) => {
                    let why = "products of vectors are `dot(a, b)` and `cross(a, b)`";
                    return Err((part, why.into()));
                }
                (Term::Vector(own), None) => {
                    vector = Some(own.into_iter().map(|own| format!("{before}{sign}({own})")).collect());
                }
            }
        }
        Ok(vector.map_or(Term::Scalar(before), Term::Vector))
    }

    /// A point, a call, something in parentheses, or a number.
    fn factor(&self, text: &str, range: Range<usize>) -> Result<Term, VectorFault> {
        let range = trimmed(text, range);
        let own = &text[range.clone()];
        if let Some(rest) = own.strip_prefix(['-', '+']) {
            let sign = &own[..1];
            let inner = self.factor(text, range.end - rest.len()..range.end)?;
            return Ok(map(inner, |inner| format!("{sign}{inner}")));
        }
        if (self.is_point)(own) {
            let each = components(self.space).iter().map(|axis| format!("{own}.{axis}"));
            return Ok(Term::Vector(each.collect()));
        }
        // a name and parentheses, or parentheses alone, perhaps with a unit behind
        let open = range.start + own.find('(').unwrap_or(own.len());
        let name = text[range.start..open.min(range.end)].trim();
        let Some(close) = partner(text, open, range.end) else { return Ok(Term::Scalar(own.into())) };
        let inner = open + 1..close;
        let rest = &text[close + 1..range.end];
        let call = FUNCTIONS.iter().any(|(known, ..)| *known == name);
        if !name.is_empty() && !call || rest.contains('(') {
            return self.scalar(text, range).map(Term::Scalar);
        }
        let term = if call { self.call(text, name, inner)? } else { self.sum(text, inner)? };
        match term {
            Term::Vector(_) if rest.trim_start().starts_with('^') => {
                Err((range, "powers of a vector are not defined: use `dot(a, a)`".into()))
            }
            Term::Vector(own) if rest.trim().is_empty() => Ok(Term::Vector(own)),
            term => Ok(map(term, |own| format!("({own}){rest}"))),
        }
    }

    /// A function of vectors.
    fn call(&self, text: &str, name: &str, inner: Range<usize>) -> Result<Term, VectorFault> {
        let count = if matches!(name, "norm" | "unit") { 1 } else { 2 };
        let parts = split(text, inner.clone(), &[',']);
        let whole = || inner.start.saturating_sub(name.len() + 1)..inner.end + 1;
        if parts.len() != count {
            let vectors = if count == 1 { "one vector" } else { "two vectors" };
            return Err((whole(), format!("`{name}` takes {vectors}")));
        }
        let mut vectors = Vec::new();
        for (_, part) in parts {
            match self.sum(text, part.clone())? {
                Term::Vector(vector) => vectors.push(vector),
                Term::Scalar(_) => {
                    let why = format!("`{name}` takes vectors, not numbers");
                    let found = self.no_point(text, part.clone());
                    return Err(found.map_or((trimmed(text, part), why.clone()), |(place, own)| {
                        (place, format!("{why}: `{own}` is not a point"))
                    }));
                }
            }
        }
        let square = |a: &[String], b: &[String]| {
            a.iter().zip(b).map(|(a, b)| format!("({a})*({b})")).collect::<Vec<_>>().join(" + ")
        };
        let minor = |i: usize, j: usize| {
            let (a, b) = (&vectors[0], &vectors[1]);
            format!("({})*({}) - ({})*({})", a[i], b[j], a[j], b[i])
        };
        let first = &vectors[0];
        Ok(match name {
            "norm" => Term::Scalar(format!("sqrt({})", square(first, first))),
            "unit" => {
                let length = format!("sqrt({})", square(first, first));
                Term::Vector(first.iter().map(|own| format!("({own})/{length}")).collect())
            }
            "dot" => Term::Scalar(square(first, &vectors[1])),
            _ if self.space == Space::Planar => Term::Scalar(minor(0, 1)),
            _ => Term::Vector(vec![minor(1, 2), minor(2, 0), minor(0, 1)]),
        })
    }

    /// A text that is a number whatever is in it: calls of functions of vectors are replaced.
    fn scalar(&self, text: &str, range: Range<usize>) -> Result<String, VectorFault> {
        let mut out = String::new();
        let mut at = range.start;
        for word in words(text).into_iter().filter(|word| word.start >= range.start && word.end <= range.end)
        {
            if word.start < at {
                continue;
            }
            let name = &text[word.clone()];
            if (self.is_point)(name) {
                return Err((
                    word,
                    format!(
                        "`{name}` is a vector where a number is needed: use a component such as \
                         `{name}.x`"
                    ),
                ));
            }
            let open = word.end + text[word.end..].len() - text[word.end..].trim_start().len();
            if !FUNCTIONS.iter().any(|(known, ..)| *known == name) || !text[open..].starts_with('(') {
                continue;
            }
            let Some(close) = partner(text, open, range.end) else { continue };
            match self.call(text, name, open + 1..close)? {
                Term::Scalar(own) => out.push_str(&format!("{}({own})", &text[at..word.start])),
                Term::Vector(_) => {
                    return Err((word.start..close + 1, "a vector is given where a number is needed".into()));
                }
            }
            at = close + 1;
        }
        out.push_str(&text[at..range.end]);
        Ok(out)
    }
}

fn map(term: Term, change: impl Fn(String) -> String) -> Term {
    match term {
        Term::Scalar(own) => Term::Scalar(change(own)),
        Term::Vector(own) => Term::Vector(own.into_iter().map(change).collect()),
    }
}

/// The names in a text, units among them.
fn words(text: &str) -> Vec<Range<usize>> {
    let is_letter = |c: char| c.is_alphabetic() || c == '_';
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    let mut last = ' ';
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let goes_on = is_letter(c) || c.is_ascii_digit() || c == '.';
        match start {
            Some(begin) if !goes_on => {
                found.push(begin..at);
                start = None;
            }
            // an exponent of a number is no name
            None if is_letter(c) && !last.is_ascii_digit() && last != '.' => start = Some(at),
            _ => {}
        }
        last = c;
    }
    found
}

/// Pieces between operators that stand outside of parentheses, each with the operator in front.
fn split(text: &str, range: Range<usize>, operators: &[char]) -> Vec<(Option<char>, Range<usize>)> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut operator) = (0, range.start, None);
    let mut last = None;
    for (at, c) in text[range.clone()].char_indices().map(|(at, c)| (at + range.start, c)) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 && operators.contains(&c) && !is_sign(text, at, last) => {
                parts.push((operator, start..at));
                (start, operator) = (at + c.len_utf8(), Some(c));
            }
            _ => {}
        }
        if !c.is_whitespace() {
            last = Some(c);
        }
    }
    parts.push((operator, start..range.end));
    // a sign in front is part of the first piece
    parts
}

/// Whether a plus or minus belongs to what follows it: at the start, behind an operator, or in an exponent.
fn is_sign(text: &str, at: usize, last: Option<char>) -> bool {
    if !matches!(text.as_bytes().get(at), Some(b'+' | b'-')) {
        return false;
    }
    match last {
        None => true,
        Some(c) if "+-*/^(,<>=!&|".contains(c) => true,
        Some('e' | 'E') => {
            let digits = text[..at - 1].chars().rev().take_while(|c| c.is_ascii_digit() || *c == '.').count();
            let before = text[..at - 1 - digits].chars().next_back();
            digits > 0 && !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
        }
        Some(_) => false,
    }
}

/// The place of a comparison or another operator of logic outside of parentheses.
fn comparison(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let mut depth = 0;
    for (at, c) in text[range.clone()].char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '<' | '>' | '=' | '!' | '&' | '|' if depth == 0 => {
                return Some(range.start + at..range.start + at + 1);
            }
            _ => {}
        }
    }
    None
}

/// The parenthesis that closes one.
fn partner(text: &str, open: usize, end: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.get(open..end)?.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(open + at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let own = &text[range.clone()];
    let start = range.start + own.len() - own.trim_start().len();
    start..(start + own.trim().len())
}

#[cfg(test)]
mod tests;
