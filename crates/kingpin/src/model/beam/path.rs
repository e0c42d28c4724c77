//! The line that a beam follows, by the length of its arc.

use super::spline::Spline;
use super::{Beam, BeamFault};
use crate::model::value::Vec3;

/// Lines, arcs and curves, one behind the other.
pub(super) struct BeamPath {
    pieces: Vec<PathPiece>,
    /// Where the pieces end, along the whole.
    ends: Vec<f64>,
}

enum PathPiece {
    Line { from: Vec3, along: Vec3 },
    Arc { centre: Vec3, radius: f64, first: Vec3, second: Vec3 },
    Curve(Spline),
}

/// Parts of a length below which two points are one.
const SAME: f64 = 1e-9;
/// Sine of the angle below which a corner is none.
const STRAIGHT: f64 = 1e-9;

impl BeamPath {
    /// The line of a beam, or what is wrong with it.
    pub fn of(beam: &Beam) -> Result<BeamPath, BeamFault> {
        let fault = BeamFault::new;
        if beam.smooth && beam.path.is_empty() {
            return Err(fault("smooth", "`smooth` needs a `path`").hint("give the points as `path`"));
        }
        match (beam.from, beam.to, &beam.path[..]) {
            (None, None, []) => {
                Err(fault("", "its line is missing").hint("give `from` and `to`, or a `path`"))
            }
            (Some(from), Some(to), []) => line(from, beam.through, to),
            (_, None, []) => Err(fault("from", "it has no end").hint("give `to` beside `from`")),
            (None, _, []) => Err(fault("to", "it has no start").hint("give `from` beside `to`")),
            (None, None, [_]) => Err(fault("path", "a path needs at least two points")),
            (None, None, points) if beam.through.is_none() => path(points, beam.smooth),
            _ => Err(fault("path", "a path already defines the ends")
                .hint("leave `from`, `through` and `to` away")),
        }
    }

    fn new(pieces: Vec<(PathPiece, f64)>) -> BeamPath {
        let (mut all, mut ends, mut length) = (Vec::new(), Vec::new(), 0.0);
        for (piece, own) in pieces {
            length += own;
            all.push(piece);
            ends.push(length);
        }
        BeamPath { pieces: all, ends }
    }

    /// Its whole length.
    pub fn length(&self) -> f64 {
        self.ends.last().copied().unwrap_or(0.0)
    }

    /// The piece at some length.
    pub fn piece_at(&self, s: f64) -> usize {
        self.ends.partition_point(|end| *end <= s).min(self.pieces.len() - 1)
    }

    /// Place and direction at some length, on a given piece.
    pub fn on(&self, piece: usize, s: f64) -> (Vec3, Vec3) {
        let start = if piece == 0 { 0.0 } else { self.ends[piece - 1] };
        let s = s - start;
        match &self.pieces[piece] {
            PathPiece::Line { from, along } => (from + along * s, *along),
            PathPiece::Arc { centre, radius, first, second } => {
                let (sin, cos) = (s / radius).sin_cos();
                (centre + (first * cos + second * sin) * *radius, second * cos - first * sin)
            }
            PathPiece::Curve(spline) => spline.at(s),
        }
    }

    /// Lengths at which it has corners.
    pub fn corners(&self) -> impl Iterator<Item = f64> + '_ {
        (1..self.pieces.len()).filter_map(|k| {
            let s = self.ends[k - 1];
            let (before, behind) = (self.on(k - 1, s).1, self.on(k, s).1);
            let turns = before.cross(&behind).norm() > STRAIGHT || before.dot(&behind) < 0.0;
            turns.then_some(s)
        })
    }
}

fn line(from: Vec3, through: Option<Vec3>, to: Vec3) -> Result<BeamPath, BeamFault> {
    let size = from.amax().max(to.amax());
    let length = (to - from).norm();
    // also what is no number is no length
    let apart = length > SAME * size;
    if !apart {
        let message = "it has no length: `from` and `to` are the same point";
        return Err(BeamFault::new("to", message));
    }
    let Some(through) = through else {
        return Ok(BeamPath::new(vec![(PathPiece::Line { from, along: (to - from) / length }, length)]));
    };
    let (a, b) = (through - from, to - from);
    let normal = a.cross(&b);
    let bent = normal.norm() > SAME * a.norm() * b.norm();
    if !bent {
        let message = "`from`, `through` and `to` are collinear, so they do not define an arc";
        return Err(BeamFault::new("through", message).hint("for a straight beam, omit `through`"));
    }
    // the centre of the circle through three points, from the first of them
    let offset = (b.cross(&normal) * a.norm_squared() + normal.cross(&a) * b.norm_squared())
        / (2.0 * normal.norm_squared());
    let (centre, radius) = (from + offset, offset.norm());
    let first = -offset / radius;
    let second = normal.cross(&first) / normal.norm();
    let end = to - centre;
    let angle = end.dot(&second).atan2(end.dot(&first)).rem_euclid(std::f64::consts::TAU);
    Ok(BeamPath::new(vec![(PathPiece::Arc { centre, radius, first, second }, radius * angle)]))
}

fn path(points: &[Vec3], smooth: bool) -> Result<BeamPath, BeamFault> {
    let size = points.iter().fold(0.0_f64, |size, p| size.max(p.amax()));
    let mut lines = Vec::new();
    for (k, pair) in points.windows(2).enumerate() {
        let way = pair[1] - pair[0];
        let length = way.norm();
        let apart = length > SAME * size;
        if !apart {
            let message = format!("points {} and {} of `path` are the same", k + 1, k + 2);
            return Err(BeamFault::new("path", message));
        }
        lines.push((PathPiece::Line { from: pair[0], along: way / length }, length));
    }
    if !smooth || points.len() == 2 {
        return Ok(BeamPath::new(lines));
    }
    let spline = Spline::through(points);
    let length = spline.length();
    Ok(BeamPath::new(vec![(PathPiece::Curve(spline), length)]))
}
