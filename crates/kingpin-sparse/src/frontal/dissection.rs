//! Nested dissection: a thin layer of vertices parts the rest in two and is eliminated last [George and Liu 1981].

use crate::amd;
use std::collections::VecDeque;

/// Parts of at most so many vertices are ordered by degrees.
const LEAF: usize = 120;
/// A part is not divided where one side would have less than one vertex in so many.
const UNEVEN: usize = 20;

/// The order in which the vertices are eliminated. O(edges * log vertices)
pub(super) fn order(neighbours: &[Vec<u32>], weight: &[usize]) -> Vec<u32> {
    let n = neighbours.len();
    let mut cut = Cut { neighbours, weight, part: vec![0; n], level: vec![0; n], parts: 1 };
    // what is eliminated last comes first here: layers before the parts they divide
    let mut waiting = vec![((0..n as u32).collect::<Vec<_>>(), 0)];
    let mut backwards = Vec::with_capacity(n);
    while let Some((vertices, part)) = waiting.pop() {
        if vertices.len() <= LEAF {
            backwards.extend(cut.leaf(&vertices, part).into_iter().rev());
            continue;
        }
        let [near, far, layer] = cut.divide(&vertices, part);
        // nothing is gained where hardly anything is cut off
        if UNEVEN * near.0.len().min(far.0.len()) < vertices.len() {
            let whole = cut.named(vertices);
            backwards.extend(cut.leaf(&whole.0, whole.1).into_iter().rev());
            continue;
        }
        backwards.extend(layer.0.iter().rev());
        waiting.extend([near, far]);
    }
    backwards.reverse();
    backwards
}

/// Vertices and the number of the part that they are.
type Part = (Vec<u32>, u32);

struct Cut<'a> {
    neighbours: &'a [Vec<u32>],
    weight: &'a [usize],
    /// part that each vertex belongs to
    part: Vec<u32>,
    level: Vec<u32>,
    parts: u32,
}

impl Cut<'_> {
    /// The vertices of a part in an order of small degrees.
    fn leaf(&mut self, vertices: &[u32], part: u32) -> Vec<u32> {
        vertices.iter().enumerate().for_each(|(k, &i)| self.level[i as usize] = k as u32);
        let inside = |i: u32| self.neighbours[i as usize].iter().filter(|&&k| self.part[k as usize] == part);
        let own: Vec<Vec<u32>> =
            vertices.iter().map(|&i| inside(i).map(|&k| self.level[k as usize]).collect()).collect();
        let weight: Vec<usize> = vertices.iter().map(|&i| self.weight[i as usize]).collect();
        amd::order(&own, &weight).into_iter().map(|k| vertices[k as usize]).collect()
    }

    /// Vertices that can be reached from one, by their distance from it.
    fn spread(&mut self, from: u32, part: u32) -> Vec<u32> {
        let (mut reached, mut queue) = (Vec::new(), VecDeque::from([from]));
        self.level[from as usize] = 0;
        while let Some(i) = queue.pop_front() {
            reached.push(i);
            for &k in &self.neighbours[i as usize] {
                if self.part[k as usize] == part && self.level[k as usize] == u32::MAX {
                    self.level[k as usize] = self.level[i as usize] + 1;
                    queue.push_back(k);
                }
            }
        }
        reached
    }

    fn forget(&mut self, vertices: &[u32]) {
        vertices.iter().for_each(|&i| self.level[i as usize] = u32::MAX);
    }

    /// Two parts without edges between them, and the layer that parts them.
    fn divide(&mut self, vertices: &[u32], part: u32) -> [Part; 3] {
        // from end to end: the last vertex reached is far away
        self.forget(vertices);
        let mut reached = self.spread(vertices[0], part);
        for _ in 0..3 {
            let last = reached[reached.len() - 1];
            self.forget(&reached);
            reached = self.spread(last, part);
        }
        if reached.len() < vertices.len() {
            // another component stands apart already
            let rest: Vec<u32> =
                vertices.iter().copied().filter(|&i| self.level[i as usize] == u32::MAX).collect();
            return [self.named(reached), self.named(rest), (Vec::new(), part)];
        }
        let cut = self.best_level(&reached);
        let (mut near, mut far, mut layer) = (Vec::new(), Vec::new(), Vec::new());
        for &i in &reached {
            let level = self.level[i as usize];
            // a vertex of the layer without neighbours beyond it belongs to the near part
            let beyond = |k: &&u32| self.part[**k as usize] == part && self.level[**k as usize] == cut + 1;
            match level.cmp(&cut) {
                std::cmp::Ordering::Less => near.push(i),
                std::cmp::Ordering::Greater => far.push(i),
                _ if self.neighbours[i as usize].iter().any(|k| beyond(&k)) => layer.push(i),
                _ => near.push(i),
            }
        }
        [self.named(near), self.named(far), self.named(layer)]
    }

    fn named(&mut self, vertices: Vec<u32>) -> Part {
        let part = self.parts;
        self.parts += 1;
        vertices.iter().for_each(|&i| self.part[i as usize] = part);
        (vertices, part)
    }

    /// The level of least weight among those that leave at least a third on either side; the middle one of a graph
    /// without such a level.
    fn best_level(&self, reached: &[u32]) -> u32 {
        let last = self.level[reached[reached.len() - 1] as usize] as usize;
        let mut weights = vec![0; last + 1];
        reached.iter().for_each(|&i| weights[self.level[i as usize] as usize] += self.weight[i as usize]);
        let total: usize = weights.iter().sum();
        let (mut below, mut best) = (0, None);
        let mut middle = 0;
        for (level, &own) in weights.iter().enumerate() {
            if below < total / 2 {
                middle = level;
            }
            let above = total - below - own;
            let fair = 3 * below >= total - own && 3 * above >= total - own;
            if fair && best.is_none_or(|(weight, _)| own < weight) {
                best = Some((own, level));
            }
            below += own;
        }
        best.map_or(middle, |(_, level)| level) as u32
    }
}
