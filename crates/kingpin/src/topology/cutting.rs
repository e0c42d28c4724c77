//! Sub-domains of a graph and the separators between them: recursive bisection, each time along the axis of space or the
//! levels of the graph that cut least.

use std::collections::VecDeque;

/// What is cut.
pub struct CutGraph<'a> {
    /// What each node weighs.
    pub weights: &'a [f64],
    /// Where it is, as far as that is known.
    pub places: &'a [[f64; 3]],
    /// Nodes that have to do with each other; a pair may be named more than once.
    pub edges: &'a [[usize; 2]],
}

/// Divides items among parts of nearly equal weight: `sort` puts those of a part in an order, which is cut in proportion to
/// the parts that either side will have, and so on. Returns the part of each item. There are as many parts as asked for,
/// none empty, where there are as many items; else each item is a part.
pub fn divide(weights: &[f64], parts: usize, mut sort: impl FnMut(&mut [usize], f64)) -> Vec<usize> {
    let n = weights.len();
    let mut part_of = vec![0; n];
    let mut waiting = vec![((0..n).collect::<Vec<_>>(), 0, parts.clamp(1, n.max(1)))];
    while let Some((mut own, first, parts)) = waiting.pop() {
        if parts == 1 {
            own.iter().for_each(|&k| part_of[k] = first);
            continue;
        }
        let low = parts / 2;
        sort(&mut own, low as f64 / parts as f64);
        let high = own.split_off(balanced_cut(&own, weights, low, parts));
        waiting.push((own, first, low));
        waiting.push((high, first + low, parts - low));
    }
    part_of
}

/// How many of the sorted items belong to the lower `low` of `parts` parts, at least one for each part.
fn balanced_cut(own: &[usize], weights: &[f64], low: usize, parts: usize) -> usize {
    let total: f64 = own.iter().map(|&k| weights[k]).sum();
    let cut = heavier(own, weights, total * low as f64 / parts as f64);
    cut.clamp(low, own.len() - (parts - low))
}

/// How many of the first items weigh about as much as wanted: the one in the middle goes where it exceeds less.
fn heavier(own: &[usize], weights: &[f64], wanted: f64) -> usize {
    let (mut sum, mut cut) = (0.0, 0);
    while cut < own.len() && sum + 0.5 * weights[own[cut]] < wanted {
        sum += weights[own[cut]];
        cut += 1;
    }
    cut
}

/// The sub-domain of each node, `None` for the separators: nodes of different sub-domains have nothing to do with each
/// other. At most so many sub-domains, none empty. The same graph gives the same cut. O(n log n log parts)
pub fn cut_into_domains(graph: &CutGraph, parts: usize) -> Vec<Option<usize>> {
    let neighbours = Neighbourhood::new(graph);
    let mut side = vec![0_u8; graph.weights.len()];
    let part_of = divide(graph.weights, parts, |own, part| {
        let orders = (0..3).map(|axis| by_axis(graph, own, axis)).chain([neighbours.by_levels(own)]);
        let mut best: Option<(usize, Vec<usize>)> = None;
        for order in orders.flatten() {
            let cost = neighbours.cut_edges(&order, graph.weights, part, &mut side);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, order));
            }
        }
        if let Some((_, order)) = best {
            own.copy_from_slice(&order);
        }
    });
    without_empty(separated(graph, &neighbours, &part_of, false))
}

/// The same where nodes of some sub-domains are named. Nodes of none that hang together and have to do with one sub-domain
/// alone go with it; others make a part of their own, of which may be left nothing but separators. O(n log n)
pub fn cut_by_names(graph: &CutGraph, named: &[Option<usize>]) -> Vec<Option<usize>> {
    let neighbours = Neighbourhood::new(graph);
    let mut left: Vec<bool> = named.iter().map(Option::is_none).collect();
    let mut part_of: Vec<usize> = named.iter().map(|part| part.unwrap_or(usize::MAX)).collect();
    let mut parts = named.iter().flatten().max().map_or(0, |last| last + 1);
    for start in 0..named.len() {
        if !left[start] {
            continue;
        }
        let together = neighbours.reached(start, &mut left);
        let beside = together.iter().flat_map(|&k| neighbours.of(k)).filter_map(|&other| named[other]);
        let (least, most) = beside.fold((usize::MAX, 0), |(a, b), part| (a.min(part), b.max(part)));
        let part = if least == most { least } else { parts };
        parts = parts.max(part + 1);
        together.iter().for_each(|&k| part_of[k] = part);
    }
    without_empty(separated(graph, &neighbours, &part_of, true))
}

/// Nodes by their places along an axis; none if all are at the same place.
fn by_axis(graph: &CutGraph, own: &[usize], axis: usize) -> Option<Vec<usize>> {
    let place = |k: usize| graph.places[k][axis];
    let first = place(*own.first()?);
    if own.iter().all(|&k| place(k) == first) {
        return None;
    }
    let mut order = own.to_vec();
    // places that differ by rounding alone are the same
    let size = own.iter().fold(0.0, |most: f64, &k| most.max(place(k).abs()));
    let key = |k: usize| (place(k) / (1e-9 * size)).round();
    order.sort_by(|&a, &b| key(a).total_cmp(&key(b)).then(a.cmp(&b)));
    Some(order)
}

/// Takes out nodes until no edge is left between different parts: of each two parts, those of the side that has fewer; of
/// equal ones those of the first part, or of the `last`.
fn separated(
    graph: &CutGraph,
    neighbours: &Neighbourhood,
    part_of: &[usize],
    last: bool,
) -> Vec<Option<usize>> {
    let mut cut: Vec<[usize; 4]> = Vec::new();
    for &[a, b] in graph.edges {
        let (p, q) = (part_of[a], part_of[b]);
        match p.cmp(&q) {
            std::cmp::Ordering::Less => cut.push([p, q, a, b]),
            std::cmp::Ordering::Greater => cut.push([q, p, b, a]),
            std::cmp::Ordering::Equal => {}
        }
    }
    cut.sort_unstable();
    cut.dedup();
    let mut domain: Vec<Option<usize>> = part_of.iter().map(|&part| Some(part)).collect();
    for pair in cut.chunk_by(|a, b| a[..2] == b[..2]) {
        let left: Vec<&[usize; 4]> =
            pair.iter().filter(|e| domain[e[2]].is_some() && domain[e[3]].is_some()).collect();
        let sides = [2, 3].map(|end| {
            let mut side: Vec<usize> = left.iter().map(|e| e[end]).collect();
            side.sort_unstable();
            side.dedup();
            side
        });
        let [a, b] = &sides;
        let chosen = if b.len() < a.len() || last && b.len() == a.len() { b } else { a };
        chosen.iter().for_each(|&k| domain[k] = None);
    }
    // nodes that need not separate anything go back, lest there be more of them than need be
    for k in 0..domain.len() {
        if domain[k].is_none() {
            domain[k] = neighbours.only_domain(k, &domain, part_of[k]);
        }
    }
    domain
}

/// Numbers without gaps.
fn without_empty(domain: Vec<Option<usize>>) -> Vec<Option<usize>> {
    let mut used: Vec<usize> = domain.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    domain.into_iter().map(|part| part.and_then(|part| used.binary_search(&part).ok())).collect()
}

/// The neighbours of all nodes.
struct Neighbourhood {
    first: Vec<usize>,
    list: Vec<usize>,
}

impl Neighbourhood {
    fn new(graph: &CutGraph) -> Self {
        let n = graph.weights.len();
        let mut pairs: Vec<[usize; 2]> =
            graph.edges.iter().filter(|[a, b]| a != b).flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut first = vec![0; n + 1];
        pairs.iter().for_each(|[a, _]| first[a + 1] += 1);
        (0..n).for_each(|k| first[k + 1] += first[k]);
        Self { first, list: pairs.into_iter().map(|[_, b]| b).collect() }
    }

    fn of(&self, node: usize) -> &[usize] {
        &self.list[self.first[node]..self.first[node + 1]]
    }

    /// The sub-domain of a separator's neighbours, if they are all of the same one.
    fn only_domain(&self, node: usize, domain: &[Option<usize>], own: usize) -> Option<usize> {
        let mut others = self.of(node).iter().filter_map(|&k| domain[k]);
        let first = others.next().unwrap_or(own);
        others.all(|other| other == first).then_some(first)
    }

    /// Edges that a cut of an order leaves between its sides; sides of nodes are 1 and 2, 0 elsewhere, for the time.
    fn cut_edges(&self, order: &[usize], weights: &[f64], part: f64, side: &mut [u8]) -> usize {
        let total: f64 = order.iter().map(|&k| weights[k]).sum();
        let cut = heavier(order, weights, part * total);
        order.iter().enumerate().for_each(|(at, &k)| side[k] = if at < cut { 1 } else { 2 });
        let across = |&k: &usize| self.of(k).iter().filter(|&&other| side[other] == 2).count();
        let count = order[..cut].iter().map(across).sum();
        order.iter().for_each(|&k| side[k] = 0);
        count
    }

    /// Nodes by their distance from one at an end of the graph, part after part of it.
    fn by_levels(&self, own: &[usize]) -> Option<Vec<usize>> {
        let mut left = vec![false; self.first.len() - 1];
        own.iter().for_each(|&k| left[k] = true);
        let mut order = Vec::with_capacity(own.len());
        for &start in own {
            if left[start] {
                // twice to the far end
                let far = self.reached(start, &mut left.clone()).pop()?;
                let far = self.reached(far, &mut left.clone()).pop()?;
                order.extend(self.reached(far, &mut left));
            }
        }
        Some(order)
    }

    /// Nodes that are left, from a start on, nearest first; takes them away.
    fn reached(&self, start: usize, left: &mut [bool]) -> Vec<usize> {
        let (mut order, mut waiting) = (Vec::new(), VecDeque::from([start]));
        left[start] = false;
        while let Some(k) = waiting.pop_front() {
            order.push(k);
            for &other in self.of(k) {
                if std::mem::replace(&mut left[other], false) {
                    waiting.push_back(other);
                }
            }
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(side: usize) -> (Vec<[f64; 3]>, Vec<[usize; 2]>) {
        let at = |i: usize, j: usize| i * side + j;
        let places = (0..side * side).map(|k| [(k / side) as f64, (k % side) as f64, 0.0]).collect();
        let across = (0..side).flat_map(|i| (1..side).map(move |j| [at(i, j - 1), at(i, j)]));
        let down = (1..side).flat_map(|i| (0..side).map(move |j| [at(i - 1, j), at(i, j)]));
        (places, across.chain(down).collect())
    }

    fn check(edges: &[[usize; 2]], domain: &[Option<usize>]) {
        for &[a, b] in edges {
            assert!(domain[a] == domain[b] || domain[a].is_none() || domain[b].is_none(), "{a} and {b}");
        }
    }

    #[test]
    fn named_nodes_stay_together() {
        // a chain of nine: three named, a node between, three named, two that hang on these
        let (weights, places) = (vec![1.0; 9], vec![[0.0; 3]; 9]);
        let edges: Vec<[usize; 2]> = (1..9).map(|k| [k - 1, k]).collect();
        let named = [Some(0), Some(0), Some(0), None, Some(1), Some(1), Some(1), None, None];
        let graph = CutGraph { weights: &weights, places: &places, edges: &edges };
        let cut = cut_by_names(&graph, &named);
        assert_eq!(cut, [Some(0), Some(0), Some(0), None, Some(1), Some(1), Some(1), Some(1), Some(1)]);
        // where two of them have to do with each other, one side is taken out
        let touching = named.map(|part| part.or(Some(2)));
        let cut = cut_by_names(&graph, &touching);
        assert!(
            edges.iter().all(|&[a, b]| cut[a].is_none() || cut[b].is_none() || cut[a] == cut[b]),
            "{cut:?}"
        );
        assert!((1..=3).contains(&cut.iter().filter(|part| part.is_none()).count()), "{cut:?}");
    }

    #[test]
    fn a_grid_is_cut_into_quarters() {
        let (places, edges) = grid(15);
        let weights = vec![1.0; 225];
        let domain = cut_into_domains(&CutGraph { weights: &weights, places: &places, edges: &edges }, 4);
        check(&edges, &domain);
        assert!((28..=32).contains(&domain.iter().filter(|d| d.is_none()).count()));
        for part in 0..4 {
            let size = domain.iter().filter(|d| **d == Some(part)).count();
            assert!((36..=64).contains(&size), "{size}: {domain:?}");
        }
    }

    #[test]
    fn without_places_the_levels_of_the_graph_tell() {
        let n = 100;
        // a chain whose nodes are numbered in no order
        let name = |k: usize| k * 37 % n;
        let edges: Vec<[usize; 2]> = (1..n).map(|k| [name(k - 1), name(k)]).collect();
        let places = vec![[0.0; 3]; n];
        let weights = vec![1.0; n];
        let domain = cut_into_domains(&CutGraph { weights: &weights, places: &places, edges: &edges }, 5);
        check(&edges, &domain);
        assert_eq!(domain.iter().filter(|d| d.is_none()).count(), 4);
        assert_eq!(domain.iter().flatten().max(), Some(&4));
    }

    #[test]
    fn few_nodes_have_few_domains() {
        let graph = CutGraph { weights: &[1.0; 3], places: &[[0.0; 3]; 3], edges: &[[0, 1], [1, 2], [0, 2]] };
        let domain = cut_into_domains(&graph, 7);
        check(graph.edges, &domain);
        assert!(domain.iter().flatten().all(|&d| d == 0), "{domain:?}");
        let nothing = CutGraph { weights: &[], places: &[], edges: &[] };
        assert!(cut_into_domains(&nothing, 3).is_empty());
    }
}
