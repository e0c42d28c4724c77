//! Whether a mesh hangs together.

use super::Mesh;
use crate::FlexError;

/// Sets that grow together.
struct Union(Vec<usize>);

impl Union {
    fn root(&mut self, mut k: usize) -> usize {
        while self.0[k] != k {
            self.0[k] = self.0[self.0[k]];
            k = self.0[k];
        }
        k
    }

    fn join(&mut self, list: &[usize]) {
        for pair in list.windows(2) {
            let (a, b) = (self.root(pair[0]), self.root(pair[1]));
            self.0[a.max(b)] = a.min(b);
        }
    }
}

impl Mesh {
    /// Checks that elements, and groups of nodes that are held together, make one part of the mesh.
    pub fn check_connected(&self, groups: &[&[usize]]) -> Result<(), FlexError> {
        let mut union = Union((0..self.nodes.len()).collect());
        self.elements.iter().for_each(|element| union.join(&element.nodes));
        groups.iter().for_each(|group| union.join(group));
        let mut parts: Vec<(usize, u64, usize)> = Vec::new();
        for element in &self.elements {
            let root = union.root(element.nodes[0]);
            if parts.iter().all(|part| part.0 != root) {
                parts.push((root, element.number, 0));
            }
        }
        if parts.len() < 2 {
            return Ok(());
        }
        let used = self.used_nodes();
        for node in (0..self.nodes.len()).filter(|&node| used[node]) {
            let root = union.root(node);
            parts.iter_mut().filter(|part| part.0 == root).for_each(|part| part.2 += 1);
        }
        Err(FlexError::Unconnected { parts: parts.into_iter().map(|(_, e, n)| (e, n)).collect() })
    }
}
