//! Texts as outlines, from a typeface that comes with the program: pictures look the same everywhere.

use super::super::chart::{Anchor, LETTER, RAISED};
use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, OutlineBuilder};

/// Inter, reduced to Latin and Greek letters; its licence stands beside it.
const TYPEFACE: &[u8] = include_bytes!("../../../fonts/inter.ttf");

/// Draws texts.
pub struct Letters {
    face: Face<'static>,
    scale: f32,
}

impl Letters {
    /// None if the typeface is not one, which a test would notice.
    pub fn new() -> Option<Letters> {
        let face = Face::parse(TYPEFACE, 0).ok()?;
        let scale = LETTER as f32 / f32::from(face.units_per_em());
        Some(Letters { face, scale })
    }

    /// The outline of a text on a line through the origin; none if it is blank.
    pub fn path(&self, text: &str, anchor: Anchor) -> Option<Path> {
        let width: f32 = text.chars().map(|letter| self.advance(letter)).sum();
        let x = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -0.5 * width,
            Anchor::End => -width,
        };
        let mut pen = Pen { path: PathBuilder::new(), x, y: 0.0, scale: self.scale };
        for letter in text.chars() {
            let (shown, raised) = base(letter);
            pen.scale = self.scale * if raised { SMALL } else { 1.0 };
            pen.y = if raised { -0.4 * LETTER as f32 } else { 0.0 };
            // what the typeface does not hold is drawn as a box, by its first glyph
            self.face.outline_glyph(self.face.glyph_index(shown).unwrap_or_default(), &mut pen);
            pen.x += self.advance(letter);
        }
        pen.path.finish()
    }

    fn advance(&self, letter: char) -> f32 {
        let (shown, raised) = base(letter);
        let glyph = self.face.glyph_index(shown).unwrap_or_default();
        let scale = self.scale * if raised { SMALL } else { 1.0 };
        f32::from(self.face.glyph_hor_advance(glyph).unwrap_or(0)) * scale
    }
}

/// Size of raised digits.
const SMALL: f32 = 0.68;

/// The letter drawn for a letter, and whether it is raised.
fn base(letter: char) -> (char, bool) {
    match RAISED.iter().position(|&raised| raised == letter) {
        Some(digit) => (char::from(b'0' + digit as u8), true),
        None if letter == '⁻' => ('−', true),
        None => (letter, false),
    }
}

struct Pen {
    path: PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen {
    /// Outlines have y up, pages down.
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, self.y - self.scale * y)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_where_they_belong() {
        let letters = Letters::new().unwrap();
        let bounds = |text: &str, anchor| letters.path(text, anchor).unwrap().bounds();
        let start = bounds("crank.wz [rad/s]", Anchor::Start);
        assert!(start.left() > 0.0 && start.width() > 80.0 && start.width() < 110.0, "{start:?}");
        assert!((bounds("0.5", Anchor::Middle).left() + bounds("0.5", Anchor::Middle).right()).abs() < 1.0);
        assert!(bounds("0.5", Anchor::End).right() < 0.0);
        // exponents are small and high
        let (plain, raised) = (bounds("6", Anchor::Start), bounds("⁶", Anchor::Start));
        assert!(raised.height() < 0.75 * plain.height() && raised.top() < plain.top() - 1.0, "{raised:?}");
        assert!(letters.path("  ", Anchor::Start).is_none());
        assert!(letters.path("字", Anchor::Start).is_some());
    }
}
