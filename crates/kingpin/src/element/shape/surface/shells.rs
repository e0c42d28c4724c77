//! Shells of surfaces: triangles that look the wrong way, and what lies inside of what.
//!
//! Triangles that share edges make a piece, and look the same way. A closed piece that no other contains looks outwards;
//! within it others may be cavities, which look the other way. Pieces that are closed together alone, as where four
//! triangles meet at an edge, are taken as one.

use super::Triangles;
use crate::model::value::Vec3;

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

/// A closed part of a surface.
pub(super) struct Shell {
    pub triangles: Vec<usize>,
    /// Six times what it encloses, below zero where it looks inwards.
    volume: f64,
    pub low: Vec3,
    pub high: Vec3,
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

    /// Closed pieces, and all others as one.
    fn shells(&self, pieces: Vec<Vec<usize>>, flips: &[bool]) -> Vec<Shell> {
        let (closed, open): (Vec<_>, Vec<_>) = pieces.into_iter().partition(|piece| self.is_closed(piece));
        let rest: Vec<usize> = open.concat();
        let all = closed.into_iter().chain((!rest.is_empty()).then_some(rest));
        all.map(|triangles| self.shell(triangles, flips)).collect()
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
}

impl Shell {
    fn size(&self) -> f64 {
        self.volume.abs()
    }
}
