//! Edges of surfaces, and where these are open.

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

/// The triangles at each edge, by its lower and higher corner, and whether they run from the lower one.
pub(super) type SurfaceEdges = HashMap<[u32; 2], Vec<(u32, bool)>>;

impl Triangles {
    pub(super) fn edges(&self) -> SurfaceEdges {
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
