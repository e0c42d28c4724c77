//! Edges of surfaces: holes, and triangles that look the wrong way.

use super::Triangles;
use crate::model::value::Vec3;
use std::collections::HashMap;

/// Where a surface is open.
#[derive(Clone, Debug, PartialEq)]
pub struct Gap {
    /// How many holes there are: rows of free edges that hang together.
    pub holes: usize,
    /// How many edges belong to an odd number of triangles.
    pub edges: usize,
    /// One of these edges, m.
    pub edge: [Vec3; 2],
}

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

/// The triangles at each edge, by its lower and higher corner, and whether they run from the lower one.
type SurfaceEdges = HashMap<[u32; 2], Vec<(u32, bool)>>;

impl Triangles {
    fn edges(&self) -> SurfaceEdges {
        let mut edges = SurfaceEdges::with_capacity(3 * self.triangles.len() / 2);
        for (number, own) in self.triangles.iter().enumerate() {
            for k in 0..3 {
                let (a, b) = (own[k], own[(k + 1) % 3]);
                edges.entry([a.min(b), a.max(b)]).or_default().push((number as u32, a < b));
            }
        }
        edges
    }

    /// Where it is open; `None` if every edge belongs to an even number of triangles.
    pub fn gap(&self) -> Option<Gap> {
        let edges = self.edges();
        let mut free: Vec<[u32; 2]> =
            edges.iter().filter(|(_, own)| own.len() % 2 == 1).map(|(edge, _)| *edge).collect();
        free.sort_unstable();
        let first = free.first()?;
        let edge = first.map(|corner| self.points[corner as usize]);
        Some(Gap { holes: rows(&free), edges: free.len(), edge })
    }

    /// Makes all triangles of a piece look the same way and the whole enclose a positive volume.
    pub fn turn_outwards(&mut self) -> Turned {
        let flips = self.flips();
        let wrong = flips.iter().filter(|flip| **flip).count();
        for (own, _) in self.triangles.iter_mut().zip(&flips).filter(|(_, flip)| **flip) {
            own.swap(1, 2);
        }
        if self.gap().is_none() && self.volume().volume < 0.0 {
            self.triangles.iter_mut().for_each(|own| own.swap(1, 2));
            // those that were turned looked outwards before
            return if wrong == 0 { Turned::All } else { Turned::Some(self.triangles.len() - wrong) };
        }
        if wrong == 0 { Turned::None } else { Turned::Some(wrong) }
    }

    /// Which triangles look another way than most of their piece: neighbours run along their edge in opposite senses.
    fn flips(&self) -> Vec<bool> {
        let edges = self.edges();
        let (mut flips, mut seen) = (vec![false; self.triangles.len()], vec![false; self.triangles.len()]);
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
        }
        flips
    }
}

/// How many rows edges make that hang together.
fn rows(edges: &[[u32; 2]]) -> usize {
    let mut parent: HashMap<u32, u32> = edges.iter().flatten().map(|&corner| (corner, corner)).collect();
    fn root(parent: &mut HashMap<u32, u32>, mut corner: u32) -> u32 {
        while parent[&corner] != corner {
            let above = parent[&parent[&corner]];
            parent.insert(corner, above);
            corner = above;
        }
        corner
    }
    for [a, b] in edges {
        let (a, b) = (root(&mut parent, *a), root(&mut parent, *b));
        parent.insert(a, b);
    }
    parent.iter().filter(|(corner, above)| corner == above).count()
}
