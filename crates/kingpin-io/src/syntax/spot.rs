//! What stands where the parser has stumbled: the fault is told by the text itself, not by the parser's words.

use std::ops::Range;

/// A place in a text, and what is around it.
pub(super) struct Spot<'a> {
    text: &'a str,
    range: Range<usize>,
    /// What the parser objects to.
    pub place: &'a str,
    /// The line before it.
    head: &'a str,
    /// The line after it.
    tail: &'a str,
}

impl<'a> Spot<'a> {
    pub fn new(text: &'a str, range: Range<usize>) -> Spot<'a> {
        let start = floor(text, range.start);
        let end = floor(text, range.end.max(start));
        let line = line_start(text, start);
        let rest = &text[end..];
        let tail = &rest[..rest.find('\n').unwrap_or(rest.len())];
        Spot { text, range: start..end, place: &text[start..end], head: &text[line..start], tail }
    }

    /// Nothing stands behind an equals sign.
    pub fn lacks_value(&self) -> bool {
        self.place.is_empty() && self.head.trim_end().ends_with('=')
    }

    /// A colon stands where an equals sign should.
    pub fn is_colon(&self) -> bool {
        self.place == ":" && self.in_key()
    }

    /// A key that was given before, in this table or in the braces around it.
    pub fn is_repeated(&self) -> bool {
        let names = !self.place.is_empty() && self.place.chars().all(is_key);
        let key = self.place;
        let follows = |rest: &str, ends: &[char]| rest.trim_start().starts_with(ends);
        if !names || !follows(self.tail, &['=', '.', ']']) {
            return false;
        }
        if !self.in_key() {
            let before = |(at, _): (usize, &str)| follows(&self.head[at + key.len()..], &['=']);
            return self.head.match_indices(key).any(before);
        }
        let header = self.head.trim_start().starts_with('[');
        let above = self.text[..self.range.start - self.head.len()].lines().rev();
        let own = |line: &&str| header || !line.trim_start().starts_with('[');
        let begins = |line: &str| {
            let line = if header { line.trim_start().trim_start_matches('[') } else { line };
            let rest = line.trim_start().trim_start_matches(['"', '\'']).strip_prefix(key);
            rest.is_some_and(|rest| follows(rest, &['=', '.', ']', '"', '\'']))
        };
        above.take_while(own).any(begins)
    }

    /// A flag with capital letters, in small ones.
    pub fn flag(&self) -> Option<String> {
        let small = self.place.to_lowercase();
        (!self.in_key() && ["true", "false"].contains(&small.as_str()) && small != self.place)
            .then_some(small)
    }

    /// A key without anything behind it.
    pub fn is_lone_key(&self) -> bool {
        let line = format!("{}{}{}", self.head, self.place, self.tail);
        let line = line.split('#').next().unwrap_or_default().trim();
        self.open_bracket().is_none() && !line.is_empty() && line.chars().all(is_key)
    }

    /// A string that is open at the end of its line, or of the file.
    pub fn is_open_string(&self) -> bool {
        let scan = Scan::of(self.text, self.range.start);
        let here = scan.string || {
            let line = format!("{}{}{}", self.head, self.place, self.tail);
            Scan::of(&line, line.len()).string
        };
        here && (!self.in_key() || self.head.is_empty())
    }

    /// A point without a digit before it, or behind it.
    pub fn lacks_digit(&self) -> [bool; 2] {
        let (before, after) = (self.head.chars().next_back(), self.tail.chars().next());
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let alone = self.place.is_empty() && !self.in_key();
        [
            alone && after == Some('.') && !digit(before),
            alone && before == Some('.') && !digit(after) && digit(self.head.chars().rev().nth(1)),
        ]
    }

    /// A whole value that is no number and begins like none of the others.
    pub fn is_unquoted(&self) -> bool {
        let begins = self.head.trim_end().ends_with(['=', '[', ',', '{']) && !self.in_key();
        let whole = !self.tail.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let other = self.place.starts_with(['"', '\'', '[', ']', '{', '}', ',', '=', '#']);
        let number = self.place.parse::<f64>().is_ok();
        begins && whole && !self.place.is_empty() && !other && !number
    }

    /// Something behind a value that is complete.
    pub fn follows_value(&self) -> bool {
        let value = self.head.trim_end();
        let apart = value.len() < self.head.len() || !self.place.starts_with(|c: char| is_key(c));
        let complete = value.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\'' | ']' | '}'));
        !self.place.is_empty() && !self.in_key() && complete && apart && self.open_bracket().is_none()
    }

    /// The outermost bracket that is open here.
    pub fn open_bracket(&self) -> Option<usize> {
        Scan::of(self.text, self.range.start).open
    }

    /// Before the equals sign of its line, and in no bracket.
    fn in_key(&self) -> bool {
        !self.head.contains('=') && self.open_bracket().is_none()
    }
}

/// What is open at a place, of all that begins behind the last header before it.
struct Scan {
    string: bool,
    open: Option<usize>,
}

impl Scan {
    fn of(text: &str, end: usize) -> Scan {
        let start = header_before(text, end);
        let (mut quote, mut depth, mut comment) = (None, 0_usize, false);
        let mut scan = Scan { string: false, open: None };
        let bytes = text.as_bytes();
        let mut at = start;
        while at < end {
            let byte = bytes[at];
            let triple = |q: u8| bytes[at..].starts_with(&[q; 3]);
            let mut next = at + 1;
            match (quote, byte) {
                (Some((_, false)) | None, b'\n') => (quote, comment) = (None, false),
                (Some((b'"', _)), b'\\') => next += 1,
                (Some((q, long)), _) if byte == q && (!long || triple(q)) => {
                    quote = None;
                    next += if long { 2 } else { 0 };
                }
                (Some(_), _) => {}
                (None, _) if comment => {}
                (None, b'#') => comment = true,
                (None, b'"' | b'\'') => {
                    quote = Some((byte, triple(byte)));
                    next += if triple(byte) { 2 } else { 0 };
                }
                (None, b'[' | b'{') => {
                    scan.open = scan.open.or(Some(at));
                    depth += 1;
                }
                (None, b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                scan.open = None;
            }
            at = next;
        }
        scan.string = quote.is_some();
        scan
    }
}

/// The end of the last line before a place that is a header.
fn header_before(text: &str, end: usize) -> usize {
    let mut line_end = line_start(text, end.min(text.len()));
    while line_end > 0 {
        let start = line_start(text, line_end - 1);
        let line = text[start..line_end].trim();
        let name = line.trim_start_matches('[').trim_start();
        if line.starts_with('[') && line.ends_with(']') && name.starts_with(|c: char| c.is_alphabetic()) {
            return line_end;
        }
        line_end = start;
    }
    0
}

/// What keys are made of.
pub(super) fn is_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'')
}

/// The beginning of the line of a place.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().rposition(|b| *b == b'\n').map_or(0, |k| k + 1)
}

/// The last boundary of characters up to a place.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
