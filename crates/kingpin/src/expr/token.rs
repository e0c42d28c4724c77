//! The words of an expression.

use super::error::ExprError;
use std::ops::Range;

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tok<'a> {
    /// A finite number.
    Number(f64),
    /// An identifier, perhaps dotted, or a unit.
    Name(&'a str),
    Plus,
    Minus,
    Star,
    Slash,
    Caret,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Not,
    Open,
    Close,
    Comma,
    End,
}

/// A token and its bytes in the text.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) tok: Tok<'a>,
    pub(super) span: Range<usize>,
}

/// Cuts a text into tokens; the last one is [`Tok::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, ExprError> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (tok, len) = next(text, at, c)?;
        out.push(Token { tok, span: at..at + len });
        at += len;
    }
    out.push(Token { tok: Tok::End, span: text.len()..text.len() });
    Ok(out)
}

/// Whether a text is an identifier, dots allowed between its parts.
pub fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name_length(name) == name.len() && name.is_ascii()
}

/// The token that starts at byte `at` with the character `c`, and its length.
fn next(text: &str, at: usize, c: char) -> Result<(Tok<'_>, usize), ExprError> {
    let rest = &text[at..];
    let second = rest[c.len_utf8()..].chars().next();
    if c.is_ascii_digit() || (c == '.' && second.is_some_and(|d| d.is_ascii_digit())) {
        return number(text, at);
    }
    if is_letter(c) {
        let len = name_length(rest);
        return Ok((Tok::Name(&rest[..len]), len));
    }
    Ok(match (c, second) {
        ('<', Some('=')) => (Tok::LessEqual, 2),
        ('>', Some('=')) => (Tok::GreaterEqual, 2),
        ('=', Some('=')) => (Tok::Equal, 2),
        ('!', Some('=')) => (Tok::NotEqual, 2),
        ('&', Some('&')) => (Tok::And, 2),
        ('|', Some('|')) => (Tok::Or, 2),
        ('*', Some('*')) => return Err(unexpected(at, "**", Some("powers are written with `^`"))),
        ('<', _) => (Tok::Less, 1),
        ('>', _) => (Tok::Greater, 1),
        ('!', _) => (Tok::Not, 1),
        ('+', _) => (Tok::Plus, 1),
        ('-', _) => (Tok::Minus, 1),
        ('*', _) => (Tok::Star, 1),
        ('/', _) => (Tok::Slash, 1),
        ('^', _) => (Tok::Caret, 1),
        ('(', _) => (Tok::Open, 1),
        (')', _) => (Tok::Close, 1),
        (',', _) => (Tok::Comma, 1),
        _ => return Err(unexpected(at, &rest[..c.len_utf8()], replacement(c))),
    })
}

/// What to write instead of a character that is often met and not understood.
fn replacement(c: char) -> Option<&'static str> {
    Some(match c {
        '=' => "equality is tested with `==`",
        '&' => "\"and\" is written `&&`",
        '|' => "\"or\" is written `||`; the magnitude is `abs(x)`",
        '%' => "the remainder is `mod(a, b)`; a percentage is a number divided by 100",
        '\u{2212}' | '\u{2013}' | '\u{2014}' => "this is a typographic dash; type a plain `-`",
        '\u{d7}' | '\u{b7}' | '\u{22c5}' => "multiply with `*`",
        '\u{f7}' => "divide with `/`",
        '\u{b2}' => "write `^2`",
        '\u{b3}' => "write `^3`",
        '\u{3c0}' => "write `pi`",
        '[' | ']' | '{' | '}' => "group with `(` and `)`",
        ';' => "arguments are separated by `,`",
        '?' => "a choice is written `if(condition, a, b)`",
        _ => return None,
    })
}

fn unexpected(at: usize, what: &str, hint: Option<&str>) -> ExprError {
    let shown: String = what
        .chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] })
        .collect();
    let error = ExprError::new(at..at + what.len(), format!("`{shown}` has no meaning here"));
    match hint {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// Letters a name may start with; micro and degree signs occur in units.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '_' | '\u{b5}' | '\u{3bc}' | '\u{b0}')
}

/// Bytes of the identifier at the start of a text: letters and digits, in parts joined by dots.
fn name_length(text: &str) -> usize {
    let mut len = 0;
    let mut chars = text.char_indices().peekable();
    let mut starts_part = true;
    while let Some((at, c)) = chars.next() {
        let belongs = match c {
            '.' => !starts_part && chars.peek().is_some_and(|&(_, next)| is_letter(next)),
            c => is_letter(c) || (c.is_ascii_digit() && !starts_part),
        };
        if !belongs {
            break;
        }
        starts_part = c == '.';
        len = at + c.len_utf8();
    }
    len
}

/// `12`, `1.5`, `.5`, `1.5e-3`.
fn number(text: &str, at: usize) -> Result<(Tok<'_>, usize), ExprError> {
    let bytes = text.as_bytes();
    let digits = |mut k: usize| {
        while bytes.get(k).is_some_and(u8::is_ascii_digit) {
            k += 1;
        }
        k
    };
    let mut end = digits(at);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    // an exponent only when digits follow: `2 e` and `3 em` are not numbers in full
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(end + 1 + sign).is_some_and(u8::is_ascii_digit) {
            end = digits(end + 1 + sign);
        }
    }
    let literal = &text[at..end];
    if bytes.get(end) == Some(&b'.') {
        return Err(ExprError::new(
            at..end + 1,
            format!("`{literal}.` is not a number: it has two decimal points"),
        ));
    }
    match literal.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok((Tok::Number(value), end - at)),
        Ok(_) => Err(ExprError::new(at..end, format!("the number `{literal}` is too large"))),
        Err(_) => Err(ExprError::new(at..end, format!("`{literal}` is not a number"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Tok<'_>> {
        tokens(text).unwrap().into_iter().map(|t| t.tok).collect()
    }

    #[test]
    fn numbers() {
        for (text, value) in
            [("1", 1.0), ("1.5e-3", 1.5e-3), (".5", 0.5), ("2.", 2.0), ("1E+2", 100.0), ("3.e1", 30.0)]
        {
            assert_eq!(kinds(text), [Tok::Number(value), Tok::End], "{text}");
        }
        assert_eq!(kinds("2em"), [Tok::Number(2.0), Tok::Name("em"), Tok::End]);
        assert_eq!(kinds("1e3m"), [Tok::Number(1e3), Tok::Name("m"), Tok::End]);
        assert!(tokens("1.2.3").unwrap_err().message.contains("two decimal points"));
        assert!(tokens("1e999").unwrap_err().message.contains("too large"));
    }

    #[test]
    fn names_may_be_dotted() {
        assert_eq!(kinds("gap.rate_2"), [Tok::Name("gap.rate_2"), Tok::End]);
        assert_eq!(kinds("15°"), [Tok::Number(15.0), Tok::Name("°"), Tok::End]);
        assert_eq!(tokens("a.").unwrap_err().span, 1..2);
        assert_eq!(tokens("a..b").unwrap_err().span, 1..2);
        assert!(is_identifier("a.b") && is_identifier("_x1"));
        assert!(!is_identifier("1a") && !is_identifier("a.1") && !is_identifier("") && !is_identifier("a b"));
        assert!(!is_identifier("µ"));
    }

    #[test]
    fn spans_are_bytes() {
        let all = tokens(" µm <= 3").unwrap();
        let spans: Vec<_> = all.iter().map(|t| t.span.clone()).collect();
        assert_eq!(spans, [1..4, 5..7, 8..9, 9..9]);
    }

    #[test]
    fn foreign_characters_get_a_hint() {
        for (text, hint) in
            [("a = b", "`==`"), ("2 ** 3", "`^`"), ("3 − 1", "plain `-`"), ("x²", "`^2`"), ("5 % 2", "mod")]
        {
            let error = tokens(text).unwrap_err();
            assert!(error.hint.as_deref().unwrap().contains(hint), "{error}");
        }
        assert_eq!(tokens("a\u{7}").unwrap_err().message, "`\\u{7}` has no meaning here");
    }
}
