//! Scalars of a run: `max(tip.z)`, `last(tip.z) - first(tip.z)`, `at(tip.z, 0.5 s)`, `at(speed, landing)`.
//!
//! A scalar is an expression over reductions; a reduction turns an expression over channels, time `t` and parameters
//! into one number. Its text is taken apart here: every call of a reduction is cut out, read by itself, and a name put
//! in its place, of the same length, so that places in messages stay where they were.

use kingpin::expr::{
    Dim, Expr, ExprError, Quantity, Scope, Unitness, closest, is_identifier, parse, parse_as,
};
use kingpin::results::Channels;
use std::collections::BTreeMap;
use std::ops::Range;

/// What a reduction makes of the values over a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReductionKind {
    Max,
    Min,
    Mean,
    Rms,
    Integral,
    First,
    Last,
    TimeOfMax,
    TimeOfMin,
    At,
}

/// The list of reductions, for reading and for documentation: name, arguments, meaning.
pub const REDUCTIONS: [(&str, &str, &str); 10] = [
    ("max", "x", "largest value of all frames"),
    ("min", "x", "smallest value of all frames"),
    ("mean", "x", "mean over time"),
    ("rms", "x", "root of the mean square over time"),
    ("integral", "x", "integral over time"),
    ("first", "x", "value at the start"),
    ("last", "x", "value at the end"),
    ("time_of_max", "x", "time at which the largest value is first reached"),
    ("time_of_min", "x", "time at which the smallest value is first reached"),
    ("at", "x, when", "value at a time, or at the first occurrence of an event of the model"),
];

const KINDS: [ReductionKind; 10] = [
    ReductionKind::Max,
    ReductionKind::Min,
    ReductionKind::Mean,
    ReductionKind::Rms,
    ReductionKind::Integral,
    ReductionKind::First,
    ReductionKind::Last,
    ReductionKind::TimeOfMax,
    ReductionKind::TimeOfMin,
    ReductionKind::At,
];

/// When a value is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum When {
    /// At all frames.
    Always,
    /// At a time.
    Time(f64),
    /// At an event of the model, by its number.
    Event(usize),
}

/// A reduction whose names are found.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    pub kind: ReductionKind,
    /// Over the time, and behind it the channels that are picked.
    pub inner: Expr,
    pub when: When,
}

/// A scalar as it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Its column: a name given before `=`, or its whole text.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// Where the expression begins.
    start: usize,
}

/// Scalars whose names are found in a mechanism.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// Names of the channels that are looked at.
    pub picked: Vec<String>,
    pub reductions: Vec<Reduction>,
    /// Over all reductions; and the unit of the result.
    pub outer: Vec<(Expr, String)>,
}

/// What names may stand for.
pub(crate) struct Names<'a> {
    pub channels: &'a Channels,
    pub parameters: &'a BTreeMap<String, Quantity>,
    pub events: Vec<&'a str>,
}

impl Scalar {
    /// A text such as `max(tip.z)` or `peak = max(tip.z)`; what it means is seen where a mechanism is at hand.
    pub fn new(text: &str) -> Scalar {
        let named = text.find('=').filter(|k| !text[k + 1..].starts_with('='));
        let named = named.filter(|k| is_identifier(text[..*k].trim()));
        match named {
            Some(equals) => {
                Scalar { name: text[..equals].trim().into(), text: text.into(), start: equals + 1 }
            }
            None => Scalar { name: text.trim().into(), text: text.into(), start: 0 },
        }
    }
}

impl Bound {
    /// Finds the names of all scalars; or the number of the one that cannot be understood, and why.
    pub fn new(scalars: &[Scalar], names: &Names) -> Result<Bound, (usize, ExprError)> {
        let mut bound = Bound { picked: Vec::new(), reductions: Vec::new(), outer: Vec::new() };
        for (k, scalar) in scalars.iter().enumerate() {
            bound.add(scalar, names).map_err(|error| (k, error))?;
        }
        Ok(bound)
    }

    fn add(&mut self, scalar: &Scalar, names: &Names) -> Result<(), ExprError> {
        let calls = calls(&scalar.text, scalar.start)?;
        let mut text: Vec<u8> = scalar.text.as_bytes().to_vec();
        text[..scalar.start].fill(b' ');
        let mut scope = Scope::new();
        for (name, quantity) in names.parameters {
            scope.constant(name, *quantity);
        }
        let mut placeholders = Vec::new();
        for call in &calls {
            let (reduction, dim) = self.reduction(&scalar.text, call, names)?;
            // as long as what it stands for, so that places are those in the text of the user
            let name =
                format!("{:_<width$}", format!("_{:x}", self.reductions.len()), width = call.whole.len());
            scope.variable(&name, self.reductions.len() as u32, dim);
            self.reductions.push(reduction);
            text[call.whole.clone()].copy_from_slice(&name.as_bytes()[..call.whole.len()]);
            placeholders.push((name, &scalar.text[call.whole.clone()]));
        }
        let text = String::from_utf8(text).unwrap_or_default();
        let outer = parse(&text, &scope).map_err(|errors| {
            let mut error = outside(first(errors), &scalar.text, names);
            error.message = restored(error.message, &placeholders);
            error.hint = error.hint.map(|hint| restored(hint, &placeholders));
            error
        })?;
        let unit = match outer.unit() {
            Unitness::Known(dim) => Some(dim.to_string()).filter(|unit| unit != "1").unwrap_or_default(),
            _ => String::new(),
        };
        self.outer.push((outer, unit));
        Ok(())
    }

    fn reduction(
        &mut self,
        text: &str,
        call: &Call,
        names: &Names,
    ) -> Result<(Reduction, Option<Dim>), ExprError> {
        let inner = self.inner(text, &call.arguments[0], names)?;
        let own = inner.unit().dim();
        let when = match call.arguments.get(1) {
            Some(range) => when(text, range, names)?,
            None => When::Always,
        };
        let dim = match call.kind {
            ReductionKind::Integral => own.map(|dim| dim.times(Dim::TIME)),
            ReductionKind::TimeOfMax | ReductionKind::TimeOfMin => Some(Dim::TIME),
            _ => own,
        };
        Ok((Reduction { kind: call.kind, inner, when }, dim))
    }

    /// An expression over channels; those it names are picked.
    fn inner(&mut self, text: &str, range: &Range<usize>, names: &Names) -> Result<Expr, ExprError> {
        let mut scope = Scope::new();
        for (name, quantity) in names.parameters {
            scope.constant(name, *quantity);
        }
        scope.variable("t", TIME, Some(Dim::TIME));
        for (name, _) in identifiers(&text[range.clone()]) {
            let Some(k) = names.channels.find(name) else { continue };
            let place = self.picked.iter().position(|other| other == name).unwrap_or_else(|| {
                self.picked.push(name.into());
                self.picked.len() - 1
            });
            let unit = names.channels.list()[k].unit;
            scope.variable(
                name,
                TIME + 1 + place as u32,
                Dim::parse(if unit.is_empty() { "1" } else { unit }).ok(),
            );
        }
        parse(&text[range.clone()], &scope).map_err(|errors| {
            let error = first(errors);
            let span = range.start + error.span.start..range.start + error.span.end;
            let unknown = text.get(span.clone()).filter(|name| is_identifier(name) && !scope.contains(name));
            let hint = match unknown.map(|name| names.channels.closest(name)) {
                Some(Some(channel)) => Some(format!("did you mean `{channel}`?")),
                Some(None) => Some(channels_of(names, text.get(span.clone()).unwrap_or_default())),
                None => error.hint,
            };
            ExprError { span, hint, ..error }
        })
    }
}

/// What an item has, or where channels are named.
fn channels_of(names: &Names, name: &str) -> String {
    let item = name.rsplit_once('.').map(|(item, _)| item);
    let all = names.channels.list().iter().map(|channel| channel.name.as_str());
    let own: Vec<&str> = all.filter(|own| own.rsplit_once('.').map(|(owner, _)| owner) == item).collect();
    match item {
        Some(item) if !own.is_empty() => format!("`{item}` has {}", own.join(", ")),
        _ => "`kingpin plot RESULTS` lists all channels".into(),
    }
}

/// A message in which reductions stand in place of the names that were put in for them. A message cuts long pieces, so the
/// beginning of a name may stand there.
fn restored(message: String, placeholders: &[(String, &str)]) -> String {
    placeholders.iter().fold(message, |message, (name, text)| {
        let shorter = (3..name.len()).rev().filter(|cut| text.is_char_boundary(*cut));
        let mut message = message.replace(name.as_str(), text);
        for cut in shorter {
            message = message.replace(&format!("{}…", &name[..cut]), &format!("{}…", &text[..cut]));
        }
        message
    })
}

/// The number of the time among variables; channels that are picked come behind it.
const TIME: u32 = 0;

fn first(errors: Vec<ExprError>) -> ExprError {
    errors.into_iter().next().unwrap_or_else(|| ExprError::new(0..0, "this cannot be parsed"))
}

/// A fault outside of reductions: most often a channel of which no value is named.
fn outside(error: ExprError, text: &str, names: &Names) -> ExprError {
    let name = text.get(error.span.clone()).unwrap_or_default();
    if names.channels.find(name).is_some() {
        let message = format!("`{name}` has many values over a run");
        let hint = format!(
            "reduce it to one number: `max({name})`, `last({name})`, `rms({name})`, `at({name}, 0.5 \
                 s)`"
        );
        return ExprError::new(error.span, message).with_hint(hint);
    }
    let known = REDUCTIONS.iter().map(|(name, _, _)| *name);
    let function = text[error.span.end.min(text.len())..].trim_start().starts_with('(');
    match closest(name, known).filter(|_| function && error.hint.is_none()) {
        Some(other) => error.with_hint(format!("did you mean `{other}`?")),
        None => error,
    }
}

fn when(text: &str, range: &Range<usize>, names: &Names) -> Result<When, ExprError> {
    let word = text[range.clone()].trim();
    if let Some(event) = names.events.iter().position(|event| *event == word) {
        return Ok(When::Event(event));
    }
    let mut scope = Scope::new();
    for (name, quantity) in names.parameters {
        scope.constant(name, *quantity);
    }
    let hint = match &names.events[..] {
        [] => "give a time, such as `0.5 s`; the model has no events".into(),
        events => format!("give a time, such as `0.5 s`, or an event: `{}`", events.join("`, `")),
    };
    let fault = |message: String| ExprError::new(range.clone(), message).with_hint(hint);
    match parse_as(word, &scope, Dim::TIME).map(|expr| expr.constant_value()) {
        Ok(Some(t)) if t.is_finite() && t >= 0.0 => Ok(When::Time(t)),
        _ => Err(fault(format!("`{word}` is neither a time nor an event"))),
    }
}

/// A call of a reduction.
struct Call {
    kind: ReductionKind,
    whole: Range<usize>,
    arguments: Vec<Range<usize>>,
}

/// All calls of reductions in a text, none inside of another one.
fn calls(text: &str, start: usize) -> Result<Vec<Call>, ExprError> {
    let mut found: Vec<Call> = Vec::new();
    for (name, at) in identifiers(&text[start..]) {
        let (at, end) = (start + at, start + at + name.len());
        let Some(k) = REDUCTIONS.iter().position(|(known, _, _)| *known == name) else { continue };
        let open = end + text[end..].len() - text[end..].trim_start().len();
        if !text[open..].starts_with('(') {
            continue;
        }
        let Some((arguments, close)) = arguments(text, open) else {
            return Err(ExprError::new(at..text.len(), "a `)` is missing"));
        };
        let needed = if KINDS[k] == ReductionKind::At { 2 } else { 1 };
        // of several numbers these are functions like any other
        if arguments.len() > 1 && matches!(KINDS[k], ReductionKind::Max | ReductionKind::Min) {
            continue;
        }
        if arguments.len() != needed {
            let message = format!("`{name}` takes {needed} arguments").replace("1 arguments", "one argument");
            let hint = format!("write `{name}({})`", REDUCTIONS[k].1);
            return Err(ExprError::new(at..close, message).with_hint(hint));
        }
        if let Some(outer) = found.iter().find(|call| call.whole.contains(&at)) {
            let message =
                format!("`{name}` is one number for the whole run, but values over time are needed here");
            let whole = &text[outer.whole.clone()];
            let hint = format!("`{whole}` cannot be nested; combine its result outside");
            return Err(ExprError::new(at..close, message).with_hint(hint));
        }
        found.push(Call { kind: KINDS[k], whole: at..close, arguments });
    }
    Ok(found)
}

/// The arguments in brackets that open at a place, and the place behind the closing one.
fn arguments(text: &str, open: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let (mut depth, mut start, mut arguments) = (0, open + 1, Vec::new());
    for (k, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => {
                arguments.push(start..k);
                return Some((arguments, k + 1));
            }
            b')' => depth -= 1,
            b',' if depth == 1 => {
                arguments.push(start..k);
                start = k + 1;
            }
            _ => {}
        }
    }
    None
}

/// All names in a text with their places, digits of numbers left out.
fn identifiers(text: &str) -> Vec<(&str, usize)> {
    let mut names = Vec::new();
    let bytes = text.as_bytes();
    let part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.';
    let mut k = 0;
    while k < bytes.len() {
        let start = k;
        while k < bytes.len() && part(bytes[k]) {
            k += 1;
        }
        if k > start && (bytes[start].is_ascii_alphabetic() || bytes[start] == b'_') {
            names.push((&text[start..k], start));
        }
        k += usize::from(k == start);
    }
    names
}
