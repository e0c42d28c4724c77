//! Keys with more parts than any model file has. The parser of TOML drops them without a word, and all that follows.

use crate::source::Span;
use crate::syntax::Fault;

/// Most parts of a key; patterns within patterns have the deepest.
const MAX_PARTS: usize = 32;

/// Finds keys such as `a.b.c…` with too many parts. Where there are some, the text that is returned has `_` in
/// place of their points: it is of the same length, and the rest of it can be read.
pub(crate) fn without_deep_keys(text: &str) -> Option<(String, Vec<Fault>)> {
    let mut faults = Vec::new();
    let mut bytes = text.as_bytes().to_vec();
    for key in deep_keys(text) {
        let parts = key.parts;
        faults.push(Fault {
            span: Span::new(key.bytes.start, key.bytes.end),
            message: format!("this key has {parts} parts; no key of a model has more than {MAX_PARTS}"),
            hint: None,
        });
        for byte in &mut bytes[key.bytes] {
            if !byte.is_ascii_alphanumeric() {
                *byte = b'_';
            }
        }
    }
    // whole characters have been replaced, by ASCII
    (!faults.is_empty()).then(|| (String::from_utf8(bytes).unwrap_or_default(), faults))
}

/// A key and how many parts it has.
struct Deep {
    bytes: std::ops::Range<usize>,
    parts: usize,
}

/// All chains of names, plain or in quotes, that points join, outside strings and comments. Numbers have one
/// point at most, so a long chain is a key.
fn deep_keys(text: &str) -> Vec<Deep> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut at, mut start, mut parts, mut joined) = (0, 0, 0, false);
    while at < bytes.len() {
        let end = word_end(bytes, at);
        match bytes[at] {
            b' ' | b'\t' => {}
            b'.' => joined = parts > 0,
            byte if is_part(byte) => {
                (start, parts) = if joined { (start, parts + 1) } else { (at, 1) };
                joined = false;
                // the whole of it is found when it ends; longer ones replace shorter ones
                if parts > MAX_PARTS {
                    found.pop_if(|last: &mut Deep| last.bytes.start == start);
                    found.push(Deep { bytes: start..end, parts });
                }
            }
            _ => (parts, joined) = (0, false),
        }
        at = end;
    }
    found
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'"' | b'\'') || byte >= 0x80
}

/// Where the word, string, comment or sign that starts at `at` ends.
fn word_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    match rest[0] {
        b'#' => at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len()),
        quote @ (b'"' | b'\'') => at + string_length(rest, quote),
        byte if is_part(byte) => {
            let inside = |byte: &&u8| is_part(**byte) && !matches!(**byte, b'"' | b'\'');
            at + rest.iter().take_while(inside).count()
        }
        _ => at + 1,
    }
}

/// Length of the string at the start, quotes included; strings of one line end with it.
fn string_length(text: &[u8], quote: u8) -> usize {
    let long = text.starts_with(&[quote; 3]);
    let mut at = if long { 3 } else { 1 };
    while at < text.len() {
        match text[at] {
            b'\\' if quote == b'"' => at += 1,
            b'\n' if !long => return at,
            byte if byte == quote && !long => return at + 1,
            byte if byte == quote && text[at..].starts_with(&[quote; 3]) => return at + 3,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deep(parts: usize) -> String {
        vec!["a"; parts].join(".")
    }

    #[test]
    fn deep_keys_are_found_and_nothing_else() {
        let text = format!(
            "x = 1.5\n{} = 1\n[[{}]]\ny = \"{}\"  # {}\nz = '''\n{}'''\nw = 2\n",
            deep(40),
            deep(33),
            deep(50),
            deep(50),
            deep(50)
        );
        let (patched, faults) = without_deep_keys(&text).unwrap();
        assert_eq!(patched.len(), text.len());
        let starts: Vec<_> = faults.iter().map(|fault| fault.span.start).collect();
        assert_eq!(starts, [8, 8 + 79 + 7]);
        assert_eq!(faults[0].span.range().len(), 79);
        assert!(faults[0].message.starts_with("this key has 40 parts"), "{}", faults[0].message);
        assert!(patched.contains("a_a_a") && patched.contains("w = 2") && patched.contains("x = 1.5"));
        assert!(without_deep_keys(&deep(32)).is_none());
        assert!(without_deep_keys("'é'.\"b\".c = 'x").is_none());
        assert_eq!(without_deep_keys(&vec!["'é'"; 40].join(" . ")).unwrap().1.len(), 1);
    }
}
