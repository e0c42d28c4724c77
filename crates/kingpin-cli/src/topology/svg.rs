//! A page of vector graphics: a few shapes, text, and colours for light and dark viewers.

use std::fmt::Write;

/// What a shape stands for; the style sheet of the page says how that looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// A block on the diagonal.
    Diagonal,
    /// A block that is there from the start.
    Nonzero,
    /// A block that elimination creates.
    Fill,
    /// The frame of a matrix.
    Frame,
    /// Links and nodes of a tree.
    Tree,
}

impl Ink {
    fn class(self) -> &'static str {
        match self {
            Ink::Diagonal => "d",
            Ink::Nonzero => "n",
            Ink::Fill => "f",
            Ink::Frame => "g",
            Ink::Tree => "t",
        }
    }
}

/// How text is set.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// Height of the letters in pixels.
    pub size: f64,
    /// `start`, `middle` or `end`.
    pub anchor: &'static str,
    /// Less prominent.
    pub faint: bool,
    /// More prominent.
    pub bold: bool,
}

impl Type {
    /// Ordinary text of a size, from the left.
    pub const fn of(size: f64) -> Type {
        Type { size, anchor: "start", faint: false, bold: false }
    }
}

/// A viewer's own preference decides; one that knows none shows the light page.
const STYLE: &str = "\
text{font-family:system-ui,'DejaVu Sans',Helvetica,Arial,sans-serif;fill:#1f2933}\
.p{fill:#ffffff}.q{fill:#66717d}.b{font-weight:600}\
.d{fill:#1c4f80}.n{fill:#5b9bd5}.f{fill:#e8862e}\
.g{fill:none;stroke:#c3cad2;stroke-width:1}\
.t{fill:none;stroke:#66717d;stroke-width:1.2}circle.t{fill:#1c4f80;stroke:none}\
@media(prefers-color-scheme:dark){text{fill:#e4e8ec}.p{fill:#15191e}.q{fill:#98a3ae}\
.d{fill:#a9d2f7}.n{fill:#4a8fcc}.f{fill:#f0a04b}.g{stroke:#39424c}.t{stroke:#98a3ae}circle.t{fill:#a9d2f7}}";

/// Shapes on a page.
#[derive(Default)]
pub struct Page {
    body: String,
}

impl Page {
    /// Many bars of one height in one ink: corners and widths.
    pub fn bars(&mut self, ink: Ink, height: f64, bars: impl Iterator<Item = ((f64, f64), f64)>) {
        let mut path = String::new();
        let height = short(height);
        for ((x, y), width) in bars {
            let width = short(width);
            let _ = write!(path, "M{} {}h{width}v{height}h-{width}z", short(x), short(y));
        }
        if !path.is_empty() {
            let _ = writeln!(self.body, "<path class=\"{}\" d=\"{path}\"/>", ink.class());
        }
    }

    /// A frame.
    pub fn frame(&mut self, ink: Ink, x: f64, y: f64, width: f64, height: f64) {
        let [x, y, width, height] = [x, y, width, height].map(short);
        let class = ink.class();
        let _ = writeln!(
            self.body,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
    }

    /// Lines with corners, each from point to point.
    pub fn lines<'a>(&mut self, ink: Ink, lines: impl Iterator<Item = [(f64, f64); 3]> + 'a) {
        let mut path = String::new();
        for [a, b, c] in lines {
            let _ = write!(
                path,
                "M{} {}L{} {}L{} {}",
                short(a.0),
                short(a.1),
                short(b.0),
                short(b.1),
                short(c.0),
                short(c.1)
            );
        }
        if !path.is_empty() {
            let _ = writeln!(self.body, "<path class=\"{}\" d=\"{path}\"/>", ink.class());
        }
    }

    /// A dot.
    pub fn dot(&mut self, ink: Ink, x: f64, y: f64, radius: f64) {
        let [x, y, radius] = [x, y, radius].map(short);
        let _ =
            writeln!(self.body, "<circle class=\"{}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>", ink.class());
    }

    /// A line of text; `y` is its baseline.
    pub fn text(&mut self, x: f64, y: f64, text: &str, set: Type) {
        let [x, y, size] = [x, y, set.size].map(short);
        let mut class = String::new();
        for (wanted, name) in [(set.faint, "q"), (set.bold, "b")] {
            if wanted {
                class += if class.is_empty() { "" } else { " " };
                class += name;
            }
        }
        let class = if class.is_empty() { class } else { format!(" class=\"{class}\"") };
        let anchor =
            if set.anchor == "start" { String::new() } else { format!(" text-anchor=\"{}\"", set.anchor) };
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}{class}>{}</text>",
            escape(text)
        );
    }

    /// The file.
    pub fn finish(self, width: f64, height: f64, title: &str) -> String {
        let [width, height] = [width, height].map(short);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n<style>{STYLE}</style>\n\
             <rect class=\"p\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            escape(title),
            self.body
        )
    }
}

/// About how wide a line of text gets; fonts differ.
pub fn width_of(text: &str, size: f64) -> f64 {
    0.57 * size * text.chars().count() as f64
}

/// A coordinate to a hundredth of a pixel.
fn short(x: f64) -> String {
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// Names come from files: they may hold what means something in XML, or must not occur there at all.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_file() {
        let mut page = Page::default();
        page.text(1.0, 2.0, "<a & \"b\">\u{1}", Type::of(9.0));
        let file = page.finish(10.0, 20.5, "x < y");
        assert!(file.contains("&lt;a &amp; &quot;b&quot;&gt;\u{fffd}</text>"), "{file}");
        assert!(
            file.contains("<title>x &lt; y</title>") && file.contains("viewBox=\"0 0 10 20.5\""),
            "{file}"
        );
    }

    #[test]
    fn empty_shapes_leave_nothing() {
        let mut page = Page::default();
        page.bars(Ink::Fill, 1.0, std::iter::empty());
        page.lines(Ink::Tree, std::iter::empty());
        assert!(page.body.is_empty());
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!([0.0, 1.0, 2.5, 1.0 / 3.0, 100.0].map(short), ["0", "1", "2.5", "0.33", "100"]);
    }
}
