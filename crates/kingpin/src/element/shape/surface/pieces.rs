//! Pieces of surfaces: triangles that hang together.

use super::Triangles;
use std::collections::HashMap;

impl Triangles {
    /// Pieces of triangles that hang together by edges of two, and which triangles look another way than most of theirs:
    /// neighbours run along their edge in opposite senses.
    pub(super) fn pieces(&self) -> (Vec<bool>, Vec<Vec<usize>>) {
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

    /// Whether every edge of a piece belongs to an even number of its triangles.
    pub(super) fn is_closed(&self, piece: &[usize]) -> bool {
        let mut edges: HashMap<[u32; 2], usize> = HashMap::new();
        for own in piece.iter().map(|&k| self.triangles[k]) {
            for k in 0..3 {
                let (a, b) = (own[k], own[(k + 1) % 3]);
                *edges.entry([a.min(b), a.max(b)]).or_default() += 1;
            }
        }
        edges.values().all(|count| count % 2 == 0)
    }
}
