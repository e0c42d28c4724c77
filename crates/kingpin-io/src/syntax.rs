//! Reads TOML so that one fault does not hide the next, and says what is wrong in words of the trade.

mod spot;

use crate::deep::without_deep_keys;
use crate::source::Span;
use crate::tree::{self, Table};
use spot::{Spot, is_key, line_start};
use toml::de::DeTable;

/// A fault of the TOML syntax.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fault {
    pub span: Span,
    pub message: String,
    pub hint: Option<String>,
}

/// How many brackets left open are repaired before giving up.
const REPAIRS: usize = 50;

/// The tree of all that could be understood, and all faults in the order of the file.
pub(crate) fn parse(text: &str) -> (Table, Vec<Fault>) {
    let (mut repaired, deep) = match without_deep_keys(text) {
        Some((repaired, faults)) => (Some(repaired), faults),
        None => (None, Vec::new()),
    };
    let mut faults = Vec::new();
    let (parsed, errors) = loop {
        let current = repaired.as_deref().unwrap_or(text);
        let (parsed, errors) = DeTable::parse_recoverable(current);
        // a bracket left open swallows what follows: put something harmless of the same length in its place
        let open = errors.iter().find_map(|e| open_array(current, e).or_else(|| open_header(current, e)));
        let Some(open) = open.filter(|_| faults.len() < REPAIRS) else {
            // the tree borrows the repaired text, so it is copied here
            break (tree::table(parsed.into_inner()), faults_of(current, &errors));
        };
        let what = if open.is_header { "header" } else { "array" };
        faults.push(Fault {
            span: Span::new(open.bytes.start, open.bytes.start + 1),
            message: format!("this {what} is not closed"),
            hint: Some("a `]` is missing".into()),
        });
        repaired = Some(patched(current, &open, faults.len()));
    };
    faults.extend(errors);
    faults.extend(deep);
    faults.sort_by_key(|fault| fault.span);
    (parsed, faults)
}

/// An opening bracket without its partner, and all that belongs to it.
struct Open {
    bytes: std::ops::Range<usize>,
    is_header: bool,
}

/// The header of a table that is open on the line of an error.
fn open_header(text: &str, error: &toml::de::Error) -> Option<Open> {
    let start = line_start(text, error.span()?.start.min(text.len()));
    let line = text[start..].lines().next()?;
    let (indent, header) = (line.len() - line.trim_start().len(), line.trim());
    let brackets = header.len() - header.trim_start_matches('[').len();
    let name = header[brackets..].trim_start();
    let named = name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '"' | '\''));
    let closed = name.split(['#', '"', '\'']).next().unwrap_or_default().matches(']').count() >= brackets;
    if brackets == 0 || brackets > 2 || !named || closed || is_inside(text, start) {
        return None;
    }
    let end = start + line.trim_end().len();
    (end > start + indent + 2).then_some(Open { bytes: start + indent..end, is_header: true })
}

/// Whether a bracket is still open where its table ends.
fn never_closes(text: &str, bracket: usize) -> bool {
    let end = text[bracket..].find("\n[").map_or(text.len(), |k| bracket + k);
    Spot::new(text, end..end).open_bracket() == Some(bracket)
}

/// Whether a place lies in brackets that are open.
fn is_inside(text: &str, at: usize) -> bool {
    Spot::new(text, at..at).open_bracket().is_some()
}

/// The bytes of an array that is open where an error stands: on a line that begins a new statement.
fn open_array(text: &str, error: &toml::de::Error) -> Option<Open> {
    let here = line_start(text, error.span()?.start.min(text.len()));
    if !begins_statement(&text[here..]) {
        return None;
    }
    let mut end = here;
    while end > 0 {
        let start = line_start(text, end - 1);
        let line = &text[start..end];
        if begins_statement(line) {
            let open = start + line.find('=')? + 1;
            let value = text[open..end].trim_start();
            let bytes = open + text[open..end].len() - value.len()..here;
            let unclosed = Spot::new(&text[..here], here..here).open_bracket() == Some(bytes.start);
            return (value.starts_with('[') && unclosed).then_some(Open { bytes, is_header: false });
        }
        end = start;
    }
    None
}

/// Whether a line begins with a header or with a key and an equals sign.
fn begins_statement(line: &str) -> bool {
    let line = line.lines().next().unwrap_or("").trim_start();
    if let Some(header) = line.strip_prefix('[') {
        let name = header.trim_start_matches('[').trim_start();
        return name.starts_with(|c: char| c.is_ascii_alphabetic()) && header.contains(']');
    }
    let after = line.trim_start_matches(is_key);
    after.len() < line.len() && after.trim_start().starts_with('=')
}

/// The text with a zero in place of an array, or a header of no meaning in place of a header; of the same
/// length and with the same lines.
fn patched(text: &str, open: &Open, number: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let range = open.bytes.clone();
    for byte in &mut bytes[range.clone()] {
        if !matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    if open.is_header {
        // a number that no other header of the file is likely to be
        let name = format!("{:0width$}", number, width = range.len() - 2);
        bytes[range.start] = b'[';
        bytes[range.end - 1] = b']';
        bytes[range.start + 1..range.end - 1]
            .copy_from_slice(&name.as_bytes()[name.len() + 2 - range.len()..]);
    } else {
        bytes[range.start] = b'0';
    }
    // only whole characters have been replaced, by ASCII
    String::from_utf8(bytes).unwrap_or_default()
}

/// The faults behind errors of the parser.
fn faults_of(text: &str, errors: &[toml::de::Error]) -> Vec<Fault> {
    // what stands below a header that was given before is taken for more of the table above
    let below_repeated = |error: &&toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start.min(text.len()));
        let header = text[..line_start(text, at)].rfind("\n[").map_or(0, |k| k + 1);
        !begins_header(&text[line_start(text, at)..]) && repeated_header(text, header).is_some()
    };
    let own = errors.iter().filter(|error| !below_repeated(error));
    distinct(text, own.filter_map(|error| fault(text, error)).collect())
}

/// Whether a line begins with a bracket.
fn begins_header(line: &str) -> bool {
    line.trim_start().starts_with('[')
}

/// A fault in words that help: by what the text has there, and by the words of the parser where nothing is known.
fn fault(text: &str, error: &toml::de::Error) -> Option<Fault> {
    let range = error.span()?;
    let range_start = range.start.min(text.len());
    let (span, spot) = (Span::new(range.start, range.end), Spot::new(text, range));
    let [before, behind] = spot.lacks_digit();
    let pointed = text.get(range_start..).and_then(|rest| rest.lines().next()).unwrap_or("").trim();
    let (message, hint): (String, Option<String>) = if let Some(header) = repeated_header(text, range_start) {
        let hint = format!("each item of a list has a header in double brackets: `[{header}]`");
        (format!("`{header}` is given twice"), Some(hint))
    } else if pointed.starts_with('.') && pointed[1..].starts_with(|c: char| c.is_ascii_digit()) {
        ("a digit is missing before the point".into(), Some("write `0.5`, not `.5`".into()))
    } else if spot.lacks_value() {
        ("a value is missing after `=`".into(), None)
    } else if spot.is_colon() {
        ("keys and values are joined by `=`".into(), Some("write `=` instead of `:`".into()))
    } else if spot.is_repeated() {
        (format!("`{}` is given twice", spot.place), None)
    } else if let Some(small) = spot.flag() {
        ("`true` and `false` are written in lower case".into(), Some(format!("write `{small}`")))
    } else if spot.is_lone_key() {
        ("`=` and a value are missing after the key".into(), None)
    } else if spot.is_open_string() {
        ("this string is not closed".into(), Some("close it with the same quote".into()))
    } else if before {
        ("a digit is missing before the point".into(), Some("write `0.5`, not `.5`".into()))
    } else if behind {
        ("a digit is missing after the point".into(), Some("write `5.0`, not `5.`".into()))
    } else if spot.is_unquoted() {
        unquoted(spot.place)
    } else if spot.follows_value() {
        ("the value must be the last item on its line".into(), None)
    } else {
        (error.message().into(), None)
    };
    Some(Fault { span, message, hint })
}

/// The header of a table on the line of a place, if the same stands above.
fn repeated_header(text: &str, at: usize) -> Option<&str> {
    let start = line_start(text, at);
    let line = text[start..].lines().next()?.trim();
    let whole = line.starts_with('[') && !line.starts_with("[[") && line.ends_with(']');
    let above = || text[..start].lines().any(|other| other.trim() == line);
    (whole && above()).then_some(line)
}

/// A value that is neither number nor flag and lacks its quotes.
fn unquoted(place: &str) -> (String, Option<String>) {
    let pieces: Vec<&str> = place.split(';').map(str::trim).collect();
    if pieces.len() > 1 && pieces.iter().all(|piece| piece.parse::<f64>().is_ok()) {
        return (
            "values are separated by commas, not by semicolons".into(),
            Some(format!("write `[{}]`", pieces.join(", "))),
        );
    }
    let numbers = place.split_whitespace().all(|word| word.parse::<f64>().is_ok());
    if numbers && place.contains(' ') {
        let pieces: Vec<&str> = place.split_whitespace().collect();
        let hint = format!("write `[{}]`", pieces.join(", "));
        return ("a comma is missing between these values".into(), Some(hint));
    }
    let hint = (!place.contains(['"', '\\'])).then(|| format!("write `\"{place}\"`"));
    ("text, expressions and quantities with units must be in quotes".into(), hint)
}

/// One fault a line; of those that follow from the same open bracket, the first.
fn distinct(text: &str, mut faults: Vec<Fault>) -> Vec<Fault> {
    faults.sort_by_key(|fault| fault.span);
    let line = |fault: &Fault| line_start(text, (fault.span.start as usize).min(text.len()));
    let bracket = |fault: &Fault| {
        let at = (fault.span.start as usize).min(text.len());
        Spot::new(text, at..at).open_bracket()
    };
    let mut kept: Vec<Fault> = Vec::new();
    let mut open = None;
    for fault in faults {
        let around = bracket(&fault).filter(|open| never_closes(text, *open));
        let follows = around.is_some_and(|at| Some(at) == open && at < line(&fault));
        if follows || kept.last().is_some_and(|last| line(last) == line(&fault)) {
            continue;
        }
        open = around;
        kept.push(fault);
    }
    kept
}

/// Whether what the reader says at `at` may be a consequence of a syntax fault: a fault on the same line,
/// or anywhere in the item if a header is meant.
pub(crate) fn may_follow(text: &str, faults: &[Fault], at: u32) -> bool {
    let start = line_start(text, (at as usize).min(text.len()));
    let rest = &text[start..];
    let mut end = start + rest.find('\n').map_or(rest.len(), |k| k + 1);
    if rest.trim_start().starts_with('[') {
        end = text[end..].find("\n[").map_or(text.len(), |k| end + k);
    }
    faults.iter().any(|fault| (start..=end).contains(&(fault.span.start as usize)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<(usize, String)> {
        let lines = |at: u32| text[..at as usize].matches('\n').count() + 1;
        parse(text).1.into_iter().map(|f| (lines(f.span.start), f.message)).collect()
    }

    #[test]
    fn several_faults_are_found_at_once() {
        let text = "name = foo\nmass = \nflag = True\nx = [1 2]\ny = 3,\nok = 1\nz = \"a\nw = 2 kg\nw = 1\n";
        let found = messages(text);
        let lines: Vec<_> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 2, 3, 4, 5, 7, 8, 9], "{found:?}");
        assert_eq!(found[1].1, "a value is missing after `=`");
        assert_eq!(found[7].1, "`w` is given twice");
        assert!(parse(text).0.get("ok").is_some());
    }

    #[test]
    fn an_open_array_hides_nothing_below() {
        let text = "a = [1,\n  2\nb = 3\n[[joint]]\nx = [1, 2\ny = foo\n[ground]\nk = 1\n";
        let found = messages(text);
        let lines: Vec<_> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 5, 6], "{found:?}");
        let tree = parse(text).0;
        assert!(tree.get("b").is_some() && tree.get("joint").is_some() && tree.get("ground").is_some());
    }

    #[test]
    fn an_open_header_hides_nothing_below() {
        let text = "[[body]\nmass =\n  [[joint\nflag = True\n[é\nx = 1 2\n[[body]]\nk = 1\n";
        let found = messages(text);
        let lines: Vec<_> = found.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 2, 3, 4, 5, 6], "{found:?}");
        assert!(parse(text).0.get("body").is_some());
    }

    #[test]
    fn an_open_inline_table_is_reported_once() {
        assert_eq!(messages("a = {x = 1\ny = 2\nz = 3\n").len(), 1);
    }

    #[test]
    fn consequences_are_recognised() {
        let text = "[[body]]\nname = \nmass = 1\n[[body]]\nname = 'a'\n";
        let faults = parse(text).1;
        let at = |part: &str| text.find(part).unwrap() as u32;
        assert!(may_follow(text, &faults, 0));
        assert!(may_follow(text, &faults, at("name = \n")));
        assert!(!may_follow(text, &faults, at("mass")));
        assert!(!may_follow(text, &faults, text.rfind("[[body]]").unwrap() as u32));
    }
}
