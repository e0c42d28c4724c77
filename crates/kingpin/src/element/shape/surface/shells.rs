//! Shells of surfaces: triangles that look the wrong way, and what lies inside of what.
//!
//! Triangles that share edges make a piece, and look the same way. A closed piece that no other contains looks outwards;
//! within it others may be cavities, which look the other way. Pieces that are closed together alone, as where four
//! triangles meet at an edge, are taken as one.

use super::Triangles;
use crate::model::value::Vec3;
use std::collections::HashMap;
use std::f64::consts::PI;

/// What was done to triangles that looked inwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turned {
    /// None did.
    None,
    /// So many did, among others that did not.
    Some(usize),
    /// All did.
    All,
}

/// Places of a shell that are looked for inside of another.
const SAMPLES: usize = 16;

/// A closed part of a surface.
struct Shell {
    triangles: Vec<usize>,
    /// Six times what it encloses, below zero where it looks inwards.
    volume: f64,
    low: Vec3,
    high: Vec3,
}

impl Triangles {
    /// Makes all triangles of a piece look the same way, and shells that no other contains look outwards, with all that is
    /// in them. O(triangles), and as much for each shell in another's box.
    pub fn turn_outwards(&mut self) -> Turned {
        let (mut flips, pieces) = self.pieces();
        if self.gap().is_none() {
            let shells = self.shells(pieces, &flips);
            for shell in &shells {
                // what lies in others goes with the outermost of them
                let outermost = self.around(&shells, shell).max_by(|a, b| a.size().total_cmp(&b.size()));
                if outermost.unwrap_or(shell).volume < 0.0 {
                    shell.triangles.iter().for_each(|&own| flips[own] = !flips[own]);
                }
            }
        }
        for (own, _) in self.triangles.iter_mut().zip(&flips).filter(|(_, flip)| **flip) {
            own.swap(1, 2);
        }
        match flips.iter().filter(|flip| **flip).count() {
            0 => Turned::None,
            wrong if wrong == flips.len() => Turned::All,
            wrong => Turned::Some(wrong),
        }
    }

    /// How many closed shells look outwards inside of another that does: what these enclose counts twice.
    pub fn doubled(&self) -> usize {
        if self.gap().is_some() {
            return 0;
        }
        let shells = self.shells(self.pieces().1, &vec![false; self.triangles.len()]);
        let twice = |shell: &&Shell| {
            let innermost = self.around(&shells, shell).min_by(|a, b| a.size().total_cmp(&b.size()));
            shell.volume > 0.0 && innermost.is_some_and(|around| around.volume > 0.0)
        };
        shells.iter().filter(twice).count()
    }

    /// Pieces of triangles that hang together by edges of two, and which triangles look another way than most of theirs:
    /// neighbours run along their edge in opposite senses.
    fn pieces(&self) -> (Vec<bool>, Vec<Vec<usize>>) {
        let edges = self.edges();
        let (mut flips, mut seen) = (vec![false; self.triangles.len()], vec![false; self.triangles.len()]);
        let mut pieces = Vec::new();
        for start in 0..self.triangles.len() {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let (mut piece, mut next) = (vec![start], 0);
            while next < piece.len() {
                let here = piece[next];
                next += 1;
                let own = self.triangles[here];
                for k in 0..3 {
                    let (a, b) = (own[k], own[(k + 1) % 3]);
                    // where more than two meet, no one can say which belong together
                    let Some([one, two]) = edges.get(&[a.min(b), a.max(b)]).map(Vec::as_slice) else {
                        continue;
                    };
                    let (other, same) = (if one.0 as usize == here { two.0 } else { one.0 }, one.1 == two.1);
                    let other = other as usize;
                    if !seen[other] {
                        seen[other] = true;
                        flips[other] = flips[here] != same;
                        piece.push(other);
                    }
                }
            }
            if 2 * piece.iter().filter(|own| flips[**own]).count() > piece.len() {
                piece.iter().for_each(|own| flips[*own] = !flips[*own]);
            }
            pieces.push(piece);
        }
        (flips, pieces)
    }

    /// Closed pieces, and all others as one.
    fn shells(&self, pieces: Vec<Vec<usize>>, flips: &[bool]) -> Vec<Shell> {
        let (closed, open): (Vec<_>, Vec<_>) = pieces.into_iter().partition(|piece| self.is_closed(piece));
        let rest: Vec<usize> = open.concat();
        let all = closed.into_iter().chain((!rest.is_empty()).then_some(rest));
        all.map(|triangles| self.shell(triangles, flips)).collect()
    }

    fn is_closed(&self, piece: &[usize]) -> bool {
        let mut edges: HashMap<[u32; 2], usize> = HashMap::new();
        for own in piece.iter().map(|&k| self.triangles[k]) {
            for k in 0..3 {
                let (a, b) = (own[k], own[(k + 1) % 3]);
                *edges.entry([a.min(b), a.max(b)]).or_default() += 1;
            }
        }
        edges.values().all(|count| count % 2 == 0)
    }

    fn shell(&self, triangles: Vec<usize>, flips: &[bool]) -> Shell {
        let none = f64::INFINITY;
        let mut own = Shell { triangles, volume: 0.0, low: Vec3::repeat(none), high: Vec3::repeat(-none) };
        let first = own.triangles.first().map_or(0, |&k| self.triangles[k][0]);
        let from = self.points.get(first as usize).copied().unwrap_or_default();
        for &k in &own.triangles {
            let corners = self.corners(&self.triangles[k]);
            for corner in corners {
                (own.low, own.high) = (own.low.inf(&corner), own.high.sup(&corner));
            }
            let [a, b, c] = corners.map(|corner| corner - from);
            let volume = a.dot(&b.cross(&c));
            own.volume += if flips[k] { -volume } else { volume };
        }
        own
    }

    /// The shells that contain one.
    fn around<'s>(&'s self, shells: &'s [Shell], own: &'s Shell) -> impl Iterator<Item = &'s Shell> {
        let others = shells.iter().filter(move |other| !std::ptr::eq(*other, own));
        others.filter(move |other| self.contains(other, own))
    }

    /// Whether one shell lies inside of another; shells may touch, but not go through each other.
    fn contains(&self, outer: &Shell, inner: &Shell) -> bool {
        let inside = |k: usize| outer.low[k] <= inner.low[k] && inner.high[k] <= outer.high[k];
        if !(0..3).all(inside) {
            return false;
        }
        // the place that says it most clearly: some may lie on the other shell
        let step = inner.triangles.len().div_ceil(SAMPLES);
        let windings = inner.triangles.iter().step_by(step).map(|&k| {
            let [a, b, c] = self.corners(&self.triangles[k]);
            self.winding(outer, (a + b + c) / 3.0).abs()
        });
        let clear = |w: &f64| (w - 0.5).abs();
        windings.max_by(|a, b| clear(a).total_cmp(&clear(b))).is_some_and(|winding| winding > 0.5 + 1e-6)
    }

    /// How often a shell winds around a place: the solid angles of its triangles over that of a sphere
    /// [van Oosterom and Strackee 1983, Eq 8].
    fn winding(&self, shell: &Shell, place: Vec3) -> f64 {
        let angle = |&k: &usize| {
            let [a, b, c] = self.corners(&self.triangles[k]).map(|corner| corner - place);
            let [la, lb, lc] = [a.norm(), b.norm(), c.norm()];
            let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * a.dot(&b.cross(&c)).atan2(below)
        };
        shell.triangles.iter().map(angle).sum::<f64>() / (4.0 * PI)
    }
}

impl Shell {
    fn size(&self) -> f64 {
        self.volume.abs()
    }
}
