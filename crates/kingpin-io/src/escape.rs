//! Where the characters of a TOML string stand in the file: escapes make text and source differ.

use crate::source::Span;

/// The bytes of the source behind some bytes of the decoded text of a string.
///
/// `source` is the string as written, quotes included; `start` its place in the file. If the two cannot be
/// matched, the place of the whole string is returned. O(length).
pub(crate) fn place_in_string(source: &str, start: u32, part: std::ops::Range<usize>) -> Span {
    let whole = Span { start, end: start + source.len() as u32 };
    let bounds = match source.as_bytes() {
        [b'\'', ..] => literal(source),
        [b'"', ..] => basic(source),
        _ => return whole,
    };
    let (Some(&from), Some(&to)) = (bounds.get(part.start), bounds.get(part.end.max(part.start))) else {
        return whole;
    };
    Span { start: start + from, end: start + to.max(from) }
}

/// For every byte of the decoded text, and for its end, the position in the source.
fn literal(source: &str) -> Vec<u32> {
    let (open, close) = quotes(source, "'''", "'");
    (open..=source.len().saturating_sub(close).max(open)).map(|k| k as u32).collect()
}

fn basic(source: &str) -> Vec<u32> {
    let (open, close) = quotes(source, "\"\"\"", "\"");
    let end = source.len().saturating_sub(close).max(open);
    let inner = source.get(open..end).unwrap_or("");
    let mut bounds = Vec::with_capacity(inner.len() + 1);
    let mut rest = inner;
    while let Some(c) = rest.chars().next() {
        let at = (end - rest.len()) as u32;
        // bytes of source taken and bytes of text given by the next character
        let (taken, given) = match rest.strip_prefix('\\') {
            Some(tail) => escape(tail),
            None => (c.len_utf8(), c.len_utf8()),
        };
        // inside of a character that stands for itself, bytes correspond; an escape is one whole
        bounds.extend((0..given).map(|k| if taken == given { at + k as u32 } else { at }));
        rest = rest.get(taken..).unwrap_or("");
    }
    bounds.push(end as u32);
    bounds
}

/// Lengths of the opening quote (with the line break that follows a long one) and of the closing quote.
fn quotes(source: &str, long: &str, short: &str) -> (usize, usize) {
    if source.len() < 6 || !source.starts_with(long) {
        return (short.len(), short.len());
    }
    let after = &source[long.len()..];
    let newline = if after.starts_with("\r\n") { 2 } else { usize::from(after.starts_with('\n')) };
    (long.len() + newline, long.len())
}

/// Source bytes taken (backslash included) and text bytes given by the escape whose backslash precedes `tail`.
fn escape(tail: &str) -> (usize, usize) {
    let hex = |digits: usize| {
        let code = tail.get(1..=digits).and_then(|d| u32::from_str_radix(d, 16).ok());
        (2 + digits, code.and_then(char::from_u32).map_or(1, char::len_utf8))
    };
    match tail.chars().next() {
        Some('x') => hex(2),
        Some('u') => hex(4),
        Some('U') => hex(8),
        // a backslash at the end of a line swallows all white space that follows
        Some(c) if c.is_ascii_whitespace() => {
            (1 + tail.len() - tail.trim_start_matches([' ', '\t', '\r', '\n']).len(), 0)
        }
        Some(c) => (1 + c.len_utf8(), 1),
        None => (1, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The source behind the first occurrence of `part` in the decoded text.
    fn behind<'a>(source: &'a str, decoded: &str, part: &str) -> &'a str {
        let at = decoded.find(part).unwrap();
        let span = place_in_string(source, 0, at..at + part.len());
        &source[span.range()]
    }

    #[test]
    fn plain_strings_correspond_byte_by_byte() {
        assert_eq!(behind("\"2*foo + 1\"", "2*foo + 1", "foo"), "foo");
        assert_eq!(behind("'2*föo + 1'", "2*föo + 1", "föo"), "föo");
        assert_eq!(behind("'''\n2*foo'''", "2*foo", "foo"), "foo");
        assert_eq!(place_in_string("\"ab\"", 10, 2..2), Span::new(13, 13));
    }

    #[test]
    fn escapes_count_as_one_character() {
        assert_eq!(behind(r#""\u00e9\t*foo""#, "é\t*foo", "foo"), "foo");
        assert_eq!(behind(r#""a\x41b""#, "aAb", "A"), r"\x41");
        assert_eq!(behind("\"\"\"\na \\\n   b*foo\"\"\"", "a b*foo", "b*foo"), "b*foo");
    }

    #[test]
    fn nonsense_gives_the_whole_string() {
        assert_eq!(place_in_string("\"ab\"", 4, 7..9), Span::new(4, 8));
        assert_eq!(place_in_string("ab", 4, 0..1), Span::new(4, 6));
        assert_eq!(place_in_string("\"", 4, 0..0), Span::new(5, 5));
        assert_eq!(place_in_string("\"\\", 0, 0..1), Span::new(0, 2));
    }
}
