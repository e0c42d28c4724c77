//! Numbers and lists as a reader wants them.

use std::borrow::Cow;

/// How a setting with a value is written where advice is read: in a program, or on a command line.
pub type Spelling = fn(&str, &str) -> String;

/// As fields of [`Settings`](crate::dynamics::Settings): `` `rtol = 1e-6` ``.
pub fn in_settings(name: &str, value: &str) -> String {
    format!("`{name} = {value}`")
}

/// A count with separators: `9,970`.
pub fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many of something: `1 equation`, `5 equations`, `2 bodies`.
pub fn many(n: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if n == 1 => format!("1 {noun}"),
        Some(stem) => format!("{} {stem}ies", count(n)),
        None => format!("{} {noun}s", count(n)),
    }
}

/// A number with at most `digits` significant digits: `0.04325`, `1200`, `1.2e-16`.
pub fn number(x: f64, digits: usize) -> String {
    if x == 0.0 || !x.is_finite() {
        return if x == 0.0 { "0".into() } else { x.to_string() };
    }
    // rounding first: it may add a digit, and the exponent must be that of the result
    let rounded = format!("{x:.*e}", digits.max(1) - 1);
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        let places = (digits as i32 - 1 - exponent).max(0) as usize;
        return trimmed(&format!("{:.*}", places, rounded.parse().unwrap_or(x))).into();
    }
    format!("{}e{exponent}", trimmed(mantissa))
}

/// Without zeros that say nothing.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// A quantity with its unit, small ones in thousandths: `1.2 mm`, `3 m`.
pub fn quantity(x: f64, unit: &str) -> String {
    let scaled: &[(f64, &str)] = match unit {
        "m" | "s" | "rad" | "m/s" | "rad/s" => &[(1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")],
        _ => &[(1.0, "")],
    };
    let size = x.abs();
    let fitting = scaled.iter().find(|(scale, _)| size >= *scale * 0.9995);
    match fitting {
        Some((scale, prefix)) => format!("{} {prefix}{unit}", number(x / scale, 3)),
        None => format!("{} {unit}", number(x, 3)),
    }
}

/// Whether a terminal would obey a character, or a reader could not see it: control characters, those that change the
/// direction of writing, and those of no width.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A text of lines in which every hidden character is shown by its number, such as `\u{1b}`: names and texts come from
/// files, and may hold what a terminal would obey.
pub fn visible(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| is_hidden(c) && !matches!(c, '\n' | '\t');
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// The same on one line.
pub fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' | '\r' => shown.extend(c.escape_default()),
            c if is_hidden(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

/// A JSON text in which hidden characters are escaped. Outside of its strings it has none but those of its layout.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    let hidden = |c: char| is_hidden(c) && !matches!(c, '\n' | '\t');
    if !text.contains(hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut units = [0; 2];
    for c in text.chars() {
        if hidden(c) {
            c.encode_utf16(&mut units).iter().for_each(|unit| shown.push_str(&format!("\\u{unit:04x}")));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Names in backquotes: `` `a` ``, `` `a` and `b` ``, `` `a`, `b` and 3 more ``.
pub fn names(names: &[String]) -> String {
    const SHOWN: usize = 4;
    let quoted = |names: &[String]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    match names {
        [] => String::new(),
        [only] => format!("`{only}`"),
        [init @ .., last] if names.len() <= SHOWN => format!("{} and `{last}`", quoted(init)),
        _ => format!("{} and {} more", quoted(&names[..SHOWN - 1]), count(names.len() - SHOWN + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_shown() {
        let text = "a\u{1b}[31m\u{9b}2J\u{7f}\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}é\n\tb\r";
        let shown = r"a\u{1b}[31m\u{9b}2J\u{7f}\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}é";
        assert_eq!(visible(text), format!("{shown}\n\tb\\u{{d}}"));
        assert_eq!(plain(text), format!(r"{shown}\n\tb\r"));
        assert_eq!(visible_json("{\n \"\u{9b}\u{e0041}é\" }"), "{\n \"\\u009b\\udb40\\udc41é\" }");
        for text in ["", "plain é ⠿ text\n", "日本語 ✓"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn counts_have_separators() {
        assert_eq!([0, 999, 1000, 1234567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(many(1, "body"), "1 body");
        assert_eq!(many(10_000, "body"), "10,000 bodies");
        assert_eq!(many(2, "joint"), "2 joints");
    }

    #[test]
    fn numbers_are_short_and_right() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (-9.81, "-9.81"),
            (0.04325, "0.04325"),
            (1200.0, "1200"),
            (123456.0, "123500"),
            (9.99996, "10"),
            (1e-5, "1e-5"),
            (1.23456e-16, "1.235e-16"),
            (7.85e9, "7.85e9"),
            (f64::NAN, "NaN"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x, 4), text);
        }
    }

    #[test]
    fn quantities_take_a_fitting_prefix() {
        assert_eq!(quantity(1.2e-3, "m"), "1.2 mm");
        assert_eq!(quantity(-3.0, "m"), "-3 m");
        assert_eq!(quantity(0.99999e-3, "s"), "1 ms");
        assert_eq!(quantity(2e-14, "rad"), "2e-14 rad");
        assert_eq!(quantity(0.0, "s"), "0 s");
        assert_eq!(quantity(0.02, "kg"), "0.02 kg");
    }

    #[test]
    fn terminals_are_not_commanded() {
        assert_eq!(plain("a\u{1b}[31m\nö"), "a\\u{1b}[31m\\nö");
    }

    #[test]
    fn long_lists_are_cut() {
        let list = |n: usize| (1..=n).map(|k| format!("j{k}")).collect::<Vec<_>>();
        assert_eq!(names(&list(1)), "`j1`");
        assert_eq!(names(&list(2)), "`j1` and `j2`");
        assert_eq!(names(&list(4)), "`j1`, `j2`, `j3` and `j4`");
        assert_eq!(names(&list(5)), "`j1`, `j2`, `j3` and 2 more");
    }
}
