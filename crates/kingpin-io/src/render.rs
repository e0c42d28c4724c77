//! Diagnostics as text: message, place with the line underlined, advice.

use crate::diagnostic::Diagnostic;
use crate::source::{Location, SourceFile, Sources};
use annotate_snippets::{Annotation, AnnotationKind, Level, Renderer, Snippet};
use kingpin::model::Severity;
use kingpin::words::visible;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

/// Renders diagnostics one below the other, with ANSI colours if wanted.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let files: Vec<Lines<'_>> = sources.files().iter().map(Lines::new).collect();
    let blocks = diagnostics.iter().map(|d| block(d, &files, &renderer));
    blocks.collect::<Vec<_>>().join("\n\n") + if diagnostics.is_empty() { "" } else { "\n" }
}

/// A file and the starts of its lines, found when first needed.
struct Lines<'a> {
    file: &'a SourceFile,
    starts: OnceCell<Vec<usize>>,
}

impl<'a> Lines<'a> {
    fn new(file: &'a SourceFile) -> Lines<'a> {
        Lines { file, starts: OnceCell::new() }
    }

    /// The bytes of the lines that hold all spans, and the number of the first line.
    fn excerpt(&self, spans: &[Range<usize>]) -> (Range<usize>, usize) {
        let text = self.file.text.as_str();
        let starts = self.starts.get_or_init(|| {
            let after = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(k, _)| k + 1);
            std::iter::once(0).chain(after).collect()
        });
        let start = spans.iter().map(|s| s.start).min().unwrap_or(0);
        let end = spans.iter().map(|s| s.end).max().unwrap_or(0);
        let line = starts.partition_point(|s| *s <= start).max(1);
        let to = text[end..].find('\n').map_or(text.len(), |k| end + k);
        (starts[line - 1]..to, line)
    }
}

/// One diagnostic.
fn block(diagnostic: &Diagnostic, files: &[Lines<'_>], renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut title = level.primary_title(brief(&diagnostic.message));
    if !diagnostic.code.is_empty() {
        title = title.id(diagnostic.code);
    }
    let mut group = title.elements(snippets(diagnostic, files));
    if let Some(hint) = &diagnostic.hint {
        group = group.element(Level::HELP.message(brief(hint)));
    }
    if diagnostic.repeats > 0 {
        let of =
            if diagnostic.assembly.is_some() { "other assemblies or patterns" } else { "the same pattern" };
        let more = format!("{} more messages like this from {of}", diagnostic.repeats);
        group = group.element(Level::NOTE.message(more));
    }
    renderer.render(&[group])
}

/// The lines to show: one piece of a file if both places stand in the same file, else one for each.
fn snippets<'a>(diagnostic: &'a Diagnostic, files: &[Lines<'a>]) -> Vec<Snippet<'a, Annotation<'a>>> {
    let primary = diagnostic.place.map(|place| (place, diagnostic.label.clone(), AnnotationKind::Primary));
    let related = diagnostic.related.as_ref();
    let context = related.map(|(place, label)| (*place, label.clone(), AnnotationKind::Context));
    let assembly = diagnostic.assembly.as_ref();
    let assembly =
        assembly.map(|(place, name)| (*place, format!("in assembly `{name}`"), AnnotationKind::Context));
    let mut snippets = Vec::new();
    let mut pending: Vec<_> = primary.into_iter().chain(context).chain(assembly).collect();
    while let Some((Location { file, .. }, _, _)) = pending.first() {
        let file = *file;
        let (here, elsewhere): (Vec<_>, Vec<_>) = pending.into_iter().partition(|(p, _, _)| p.file == file);
        pending = elsewhere;
        let Some(lines_of) = files.get(file as usize) else { continue };
        let source = lines_of.file;
        let spans: Vec<_> = here.iter().map(|(place, _, _)| within(source, place)).collect();
        let (lines, first) = lines_of.excerpt(&spans);
        let own = spans.iter().map(|span| span.start - lines.start..span.end - lines.start).collect();
        let (text, spans) = cut(&source.text[lines], own);
        let shown = |at: usize| shown_lines(&text[..at]).len();
        let annotations = spans.into_iter().zip(here).map(|(span, (_, label, kind))| {
            let span = shown(span.start)..shown(span.end);
            let annotation = kind.span(span);
            if label.is_empty() { annotation } else { annotation.label(visible(&label).into_owned()) }
        });
        let text = shown_lines(&text);
        let snippet = Snippet::source(text).path(visible(&source.name)).line_start(first);
        snippets.push(snippet.annotations(annotations.collect::<Vec<_>>()));
    }
    snippets
}

/// Bytes of a message at most: names and values in it may be of any length.
const MESSAGE: usize = 2_000;

/// A message with hidden characters shown, and of a length that can be read.
fn brief(message: &str) -> String {
    let shown = visible(message);
    match shown.char_indices().find(|(at, _)| *at >= MESSAGE) {
        Some((at, _)) => format!("{}…", &shown[..at]),
        None => shown.into_owned(),
    }
}

/// Bytes of a line that are shown at most, and how many of them stand before what is marked.
const LINE: usize = 400;
const BEFORE: usize = 100;

/// A text whose lines are not longer than a reader can see, and where the spans are in it: of a long line the part around
/// the first span stays. O(length).
fn cut(text: &str, spans: Vec<Range<usize>>) -> (Cow<'_, str>, Vec<Range<usize>>) {
    if text.lines().all(|line| line.len() <= LINE) {
        return (Cow::Borrowed(text), spans);
    }
    let floor = |at: usize| (0..=at).rev().find(|&k| text.is_char_boundary(k)).unwrap_or(0);
    let (mut shown, mut moved, mut start) = (String::new(), spans.clone(), 0);
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let here = |span: &Range<usize>| (start..end).contains(&span.start);
        let first = spans.iter().filter(|span| here(span)).map(|span| span.start).min().unwrap_or(start);
        // the part of the line that stays
        let (from, to) = match line.len() > LINE {
            true => {
                let from = floor(first.saturating_sub(BEFORE).max(start));
                (from, floor((from + LINE).min(end)))
            }
            false => (start, end),
        };
        if from > start {
            shown.push('…');
        }
        let offset = shown.len();
        let place = |at: usize| offset + at.clamp(from, to) - from;
        for (span, new) in spans.iter().zip(&mut moved) {
            if here(span) {
                new.start = place(span.start);
            }
            if (start..=end).contains(&span.end) || (here(span) && line.len() > LINE) {
                new.end = place(span.end).max(new.start);
            }
        }
        shown.push_str(&text[from..to]);
        if to < end {
            shown.push_str(if line.ends_with('\n') { "…\n" } else { "…" });
        }
        start = end;
    }
    (Cow::Owned(shown), moved)
}

/// Lines of a file without carriage returns at their ends, and with hidden characters shown.
fn shown_lines(text: &str) -> String {
    visible(&text.strip_suffix('\r').unwrap_or(text).replace("\r\n", "\n")).into_owned()
}

/// The span, made to lie in the text and between characters.
fn within(source: &SourceFile, place: &Location) -> Range<usize> {
    let text = source.text.as_str();
    let floor = |mut k: usize| {
        k = k.min(text.len());
        while !text.is_char_boundary(k) {
            k -= 1;
        }
        k
    };
    let start = floor(place.span.start as usize);
    start..floor(place.span.end as usize).max(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceMap, Span};

    fn source(name: &str, text: &str) -> Sources {
        Sources::new(vec![SourceFile { name: name.into(), text: text.into() }], SourceMap::default())
    }

    #[test]
    fn a_message_shows_its_line_and_advice() {
        let text = "[[joint]]\nname = \"uca_fl\"\nbody2 = \"chasis\"\n";
        let (sources, file) = (source("car.toml", text), 0);
        let at = text.find("\"chasis\"").unwrap();
        let place = Location { file, span: Span::new(at, at + 8) };
        let diagnostic = Diagnostic::error(place, "joint `uca_fl` refers to unknown body `chasis`");
        let diagnostic = diagnostic.hint("did you mean `chassis`?");
        let expected = "\
error: joint `uca_fl` refers to unknown body `chasis`
 --> car.toml:3:9
  |
3 | body2 = \"chasis\"
  |         ^^^^^^^^
  |
  = help: did you mean `chassis`?
";
        assert_eq!(render(std::slice::from_ref(&diagnostic), &sources, false), expected);
        assert!(render(&[diagnostic], &sources, true).contains("\u{1b}["));
    }

    #[test]
    fn of_long_lines_the_part_around_the_place_is_shown() {
        let text = format!("a = 1\nb = \"{}here{}\"\nc = 2\n", "é".repeat(5_000), "x".repeat(100_000));
        let (sources, file) = (source("long.toml", &text), 0);
        let at = text.find("here").unwrap();
        let place = Location { file, span: Span::new(at, at + 4) };
        let told = render(&[Diagnostic::error(place, "x")], &sources, false);
        assert!(told.len() < 2_000 && told.contains("éhere") && told.contains("…"), "{told}");
        let marked = told.lines().find(|line| line.contains('^')).unwrap();
        assert_eq!(marked.matches('^').count(), 4, "{told}");
        // a place that is as long as the line
        let place = Location { file, span: Span::new(at - 9_999, at + 90_000) };
        let first = Location { file, span: Span::new(0, 1) };
        let told = render(&[Diagnostic::error(place, "x").related(first, "y")], &sources, false);
        assert!(told.len() < 3_000 && told.contains("a = 1"), "{told}");
    }

    #[test]
    fn hidden_characters_of_the_file_are_shown() {
        let text = "a = 1 # \u{1b}[31m\u{202e}\nb = \u{9b}x\n";
        let (sources, file) = (source("h\u{1b}.toml", text), 0);
        let at = text.find('x').unwrap();
        let place = Location { file, span: Span::new(at, at + 1) };
        let told =
            render(&[Diagnostic::error(place, "m\u{1b}").hint("h\u{7}").label("l\u{8}")], &sources, false);
        assert!(!told.contains(|c: char| c.is_control() && c != '\n'), "{told:?}");
        assert!(
            told.contains(r"b = \u{9b}x") && told.contains(r"m\u{1b}") && told.contains(r"h\u{1b}.toml"),
            "{told}"
        );
        let (line, mark) = (told.lines().find(|l| l.contains("x")), told.lines().find(|l| l.contains("^")));
        assert_eq!(line.and_then(|l| l.find('x')), mark.and_then(|l| l.find('^')), "{told}");
    }

    #[test]
    fn places_outside_the_text_do_no_harm() {
        let (sources, file) = (source("é.toml", "é = 1"), 0);
        for span in [Span::new(1, 1), Span::new(1, 400), Span::new(90, 91), Span::new(0, 0)] {
            let far = Location { file: 7, span };
            let diagnostic = Diagnostic::error(Location { file, span }, "x").related(far, "y");
            assert!(render(&[diagnostic], &sources, false).contains("é.toml:1"));
        }
        assert_eq!(render(&[], &sources, false), "");
    }
}
