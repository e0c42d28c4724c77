//! Approximate minimum degree on a graph of weighted vertices [Amestoy, Davis and Duff 1996].

use std::collections::{BTreeMap, BTreeSet};

/// The graph while it is eliminated: vertices have neighbours that are vertices, and elements, which stand for the
/// cliques that eliminated vertices have left.
struct Elimination {
    /// weight of a vertex and of those merged into it; zero once it is eliminated or merged
    weight: Vec<usize>,
    vertices: Vec<Vec<u32>>,
    elements: Vec<Vec<u32>>,
    /// vertices of each element; an element has the number of the vertex that left it
    clique: Vec<Vec<u32>>,
    clique_weight: Vec<usize>,
    absorbed: Vec<bool>,
    degree: Vec<usize>,
    waiting: BTreeSet<(usize, u32)>,
    /// vertices merged into each, itself first
    merged: Vec<Vec<u32>>,
    left: usize,
    order: Vec<u32>,
}

/// The order in which the vertices are eliminated. O(fill) and about O(edges * log vertices)
pub(crate) fn order(neighbours: &[Vec<u32>], weight: &[usize]) -> Vec<u32> {
    let n = neighbours.len();
    let degree: Vec<usize> =
        neighbours.iter().map(|list| list.iter().map(|&k| weight[k as usize]).sum()).collect();
    let mut elimination = Elimination {
        weight: weight.to_vec(),
        vertices: neighbours.to_vec(),
        elements: vec![Vec::new(); n],
        clique: vec![Vec::new(); n],
        clique_weight: vec![0; n],
        absorbed: vec![false; n],
        waiting: degree.iter().enumerate().map(|(k, &d)| (d, k as u32)).collect(),
        degree,
        merged: (0..n as u32).map(|k| vec![k]).collect(),
        left: weight.iter().sum(),
        order: Vec::with_capacity(n),
    };
    let (mut mark, mut outside) = (vec![false; n], vec![usize::MAX; n]);
    while let Some((_, pivot)) = elimination.waiting.pop_first() {
        elimination.eliminate(pivot as usize, &mut mark, &mut outside);
    }
    elimination.order
}

impl Elimination {
    /// Puts a vertex and those merged into it behind all that came before.
    fn put(&mut self, vertex: usize) {
        self.left -= self.weight[vertex];
        self.weight[vertex] = 0;
        self.order.append(&mut self.merged[vertex]);
    }

    fn eliminate(&mut self, pivot: usize, mark: &mut [bool], outside: &mut [usize]) {
        let clique = self.clique_of(pivot, mark);
        self.put(pivot);
        self.clique_weight[pivot] = clique.iter().map(|&i| self.weight[i as usize]).sum();
        self.measure(pivot, &clique, outside);
        clique.iter().for_each(|&i| mark[i as usize] = true);
        for &i in &clique {
            self.renew(i as usize, pivot, mark, outside);
        }
        clique.iter().for_each(|&i| mark[i as usize] = false);
        // what was measured is forgotten
        for &i in &clique {
            self.elements[i as usize].iter().for_each(|&e| outside[e as usize] = usize::MAX);
        }
        self.merge(&clique);
        self.clique[pivot] = clique.into_iter().filter(|&i| self.weight[i as usize] > 0).collect();
        self.clique_weight[pivot] = self.clique[pivot].iter().map(|&i| self.weight[i as usize]).sum();
    }

    /// All that a vertex reaches; elements it belongs to are absorbed.
    fn clique_of(&mut self, pivot: usize, mark: &mut [bool]) -> Vec<u32> {
        let mut clique = Vec::new();
        mark[pivot] = true;
        let mut add = |list: &[u32], weight: &[usize]| {
            for &i in list {
                if weight[i as usize] > 0 && !mark[i as usize] {
                    mark[i as usize] = true;
                    clique.push(i);
                }
            }
        };
        add(&std::mem::take(&mut self.vertices[pivot]), &self.weight);
        for element in std::mem::take(&mut self.elements[pivot]) {
            if !self.absorbed[element as usize] {
                self.absorbed[element as usize] = true;
                add(&std::mem::take(&mut self.clique[element as usize]), &self.weight);
            }
        }
        mark[pivot] = false;
        clique.iter().for_each(|&i| mark[i as usize] = false);
        clique.sort_unstable();
        clique
    }

    /// How much of each element next to the clique lies outside of it.
    fn measure(&mut self, pivot: usize, clique: &[u32], outside: &mut [usize]) {
        for &i in clique {
            let absorbed = &self.absorbed;
            self.elements[i as usize].retain(|&e| !absorbed[e as usize]);
            for &e in &self.elements[i as usize] {
                let rest = &mut outside[e as usize];
                if *rest == usize::MAX {
                    *rest = self.clique_weight[e as usize];
                }
                *rest -= self.weight[i as usize];
            }
            self.elements[i as usize].push(pivot as u32);
        }
        outside[pivot] = 0;
    }

    /// Lists and degree of a vertex of the new clique; a vertex that has no other neighbours is eliminated with it.
    fn renew(&mut self, i: usize, pivot: usize, mark: &[bool], outside: &[usize]) {
        self.waiting.remove(&(self.degree[i], i as u32));
        let (absorbed, weight) = (&mut self.absorbed, &self.weight);
        self.elements[i].retain(|&e| {
            let inside = e as usize != pivot && outside[e as usize] == 0;
            absorbed[e as usize] |= inside;
            !inside
        });
        self.vertices[i].retain(|&k| weight[k as usize] > 0 && !mark[k as usize]);
        let near: usize = self.vertices[i].iter().map(|&k| weight[k as usize]).sum();
        let elements: usize = self.elements[i].iter().map(|&e| outside[e as usize]).sum();
        if near == 0 && elements == 0 {
            self.clique_weight[pivot] -= self.weight[i];
            self.put(i);
            return;
        }
        let clique = self.clique_weight[pivot] - self.weight[i];
        let most = self.left - self.weight[i];
        self.degree[i] = most.min(self.degree[i] + clique).min(near + elements + clique);
        self.waiting.insert((self.degree[i], i as u32));
    }

    /// Vertices of the clique that have the same neighbours become one.
    fn merge(&mut self, clique: &[u32]) {
        let mut alike: BTreeMap<(u64, usize, usize), Vec<u32>> = BTreeMap::new();
        for &i in clique.iter().filter(|&&i| self.weight[i as usize] > 0) {
            let (vertices, elements) = (&mut self.vertices[i as usize], &mut self.elements[i as usize]);
            vertices.sort_unstable();
            elements.sort_unstable();
            let sum = vertices.iter().chain(elements.iter()).map(|&k| u64::from(k)).sum();
            alike.entry((sum, vertices.len(), elements.len())).or_default().push(i);
        }
        for list in alike.into_values().filter(|list| list.len() > 1) {
            for (k, &first) in list.iter().enumerate() {
                let first = first as usize;
                if self.weight[first] == 0 {
                    continue;
                }
                for &other in list[k + 1..].iter() {
                    let other = other as usize;
                    let same = self.weight[other] > 0
                        && self.vertices[first] == self.vertices[other]
                        && self.elements[first] == self.elements[other];
                    if same {
                        self.join(first, other);
                    }
                }
            }
        }
    }

    fn join(&mut self, first: usize, other: usize) {
        self.waiting.remove(&(self.degree[other], other as u32));
        self.waiting.remove(&(self.degree[first], first as u32));
        self.degree[first] -= self.weight[other].min(self.degree[first]);
        self.weight[first] += self.weight[other];
        self.weight[other] = 0;
        let mut list = std::mem::take(&mut self.merged[other]);
        self.merged[first].append(&mut list);
        self.waiting.insert((self.degree[first], first as u32));
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::{factor_pattern, minimum_degree_order};
    use crate::pattern::{Pattern, checked_order};

    /// The upper triangle of a grid of `side * side` in an order.
    fn grid(side: usize, order: &[u32]) -> Pattern {
        let n = side * side;
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(k, &old)| place[old as usize] = k);
        let mut columns: Vec<Vec<usize>> = (0..n).map(|k| vec![k]).collect();
        let mut link = |a: usize, b: usize| columns[place[a].max(place[b])].push(place[a].min(place[b]));
        for k in 0..n {
            if k % side + 1 < side {
                link(k, k + 1);
            }
            if k + side < n {
                link(k, k + side);
            }
        }
        columns.iter_mut().for_each(|column| column.sort_unstable());
        let mut starts = vec![0];
        columns.iter().for_each(|column| starts.push(starts.last().unwrap() + column.len()));
        Pattern::checked(n, &starts, &columns.concat()).unwrap()
    }

    #[test]
    fn orders_are_permutations_of_little_fill() {
        let side = 15;
        let given: Vec<u32> = (0..(side * side) as u32).collect();
        let pattern = grid(side, &given);
        let found = minimum_degree_order(&pattern);
        assert!(checked_order(&found.iter().map(|&k| k as usize).collect::<Vec<_>>(), side * side).is_ok());
        let fill = |order: &[u32]| factor_pattern(&grid(side, order)).unwrap().rows.len();
        // a band of 15 has about 225 * 15 entries, of which a third can be saved
        assert!(fill(&found) * 3 < fill(&given) * 2, "{} {}", fill(&found), fill(&given));
    }
}
