//! Nested dissection: an elimination order for graphs that fill much, like those of solids.
//!
//! A part is cut in two along an axis of space or along the levels of the graph, wherever the fewest nodes separate two
//! halves; these come last, and each half is cut in the same way. For a solid of n nodes O(n^(4/3)) numbers fill, where
//! minimum degree leaves about twice as many and is itself slow. [George and Liu 1981]

use super::waiting_degree::{SeenEdge, minimum_degree_within, staged_minimum_degree};
use std::collections::VecDeque;

/// Nodes whose unknowns are eliminated.
pub struct FillingGraph<'a> {
    /// Unknowns of each node.
    pub sizes: &'a [usize],
    /// Where the first nodes are; others have no place, and come behind those they are named with in `after`.
    pub places: &'a [[f64; 3]],
    /// Nodes that share equations.
    pub edges: &'a [SeenEdge],
    /// For each node those that must go before it.
    pub after: &'a [Vec<usize>],
}

/// Visits of minimum degree for each node beyond which it is given up, and in all at least.
const VISITS: usize = 2_000;
const LEAST_VISITS: usize = 4_000_000;

/// Nodes of a part that is not cut.
const FEW: usize = 16;

/// The larger half of a part, at most.
const LARGER: f64 = 0.75;

/// An elimination order with little fill where nodes of each part stay together: minimum degree, nodes that are `last` behind
/// all others, or, where that takes too long, nested dissection of one part after the other.
pub fn filling_order(graph: &FillingGraph, part: &[usize], last: impl Fn(usize) -> bool) -> Vec<usize> {
    let n = graph.sizes.len();
    let most = LEAST_VISITS.max(n * VISITS);
    let short = minimum_degree_within(n, graph.edges.iter().copied(), graph.after, last, most);
    short.unwrap_or_else(|| dissected(graph, part))
}

/// The order by nested dissection, part after part. O(edges log nodes)
pub fn dissected(graph: &FillingGraph, part: &[usize]) -> Vec<usize> {
    let placed = graph.places.len();
    let mut nodes: Vec<usize> = (0..placed).collect();
    nodes.sort_by_key(|&node| part[node]);
    let mut cut = Dissection::new(graph);
    for own in nodes.chunk_by(|&a, &b| part[a] == part[b]) {
        cut.part(own.to_vec());
    }
    // others right behind the last of those they wait for
    let mut at = vec![0; graph.sizes.len()];
    cut.order.iter().enumerate().for_each(|(k, &node)| at[node] = k + 1);
    let mut order = cut.order;
    for node in placed..graph.sizes.len() {
        let before = graph.after.get(node).into_iter().flatten();
        at[node] = before.map(|&other| at[other]).max().unwrap_or(0);
        order.push(node);
    }
    order.sort_by_key(|&node| (part[node], at[node], node >= placed));
    order
}

/// What separates two halves, and these.
struct Halves {
    cost: f64,
    first: Vec<usize>,
    second: Vec<usize>,
    between: Vec<usize>,
}

struct Dissection<'a> {
    graph: &'a FillingGraph<'a>,
    /// Neighbours of node k with places, from `first[k]` to `first[k + 1]`.
    first: Vec<usize>,
    list: Vec<usize>,
    /// The side of each node of a part: 1 or 2, 0 elsewhere; and its place among those of a part that is not cut.
    side: Vec<u8>,
    local: Vec<usize>,
    order: Vec<usize>,
}

impl<'a> Dissection<'a> {
    fn new(graph: &'a FillingGraph<'a>) -> Self {
        let placed = graph.places.len();
        let inside =
            |edge: &&SeenEdge| edge.nodes[0] != edge.nodes[1] && edge.nodes.iter().all(|&k| k < placed);
        let both = |edge: &SeenEdge| [edge.nodes, [edge.nodes[1], edge.nodes[0]]];
        let mut pairs: Vec<[usize; 2]> = graph.edges.iter().filter(inside).flat_map(both).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut first = vec![0; placed + 1];
        pairs.iter().for_each(|[a, _]| first[a + 1] += 1);
        (0..placed).for_each(|k| first[k + 1] += first[k]);
        let list = pairs.into_iter().map(|[_, b]| b).collect();
        let (side, local) = (vec![0; placed], vec![usize::MAX; placed]);
        Self { graph, first, list, side, local, order: Vec::with_capacity(placed) }
    }

    fn neighbours(&self, node: usize) -> &[usize] {
        &self.list[self.first[node]..self.first[node + 1]]
    }

    /// Appends the nodes of a part to the order.
    fn part(&mut self, own: Vec<usize>) {
        let halves = if own.len() > FEW { self.halves(&own) } else { None };
        let Some(Halves { first, second, between, .. }) = halves else { return self.whole(&own) };
        self.part(first);
        self.part(second);
        self.order.extend(between);
    }

    /// The best halves of a part, if it falls into any.
    fn halves(&mut self, own: &[usize]) -> Option<Halves> {
        let middle = own.len() / 2;
        let mut best = None;
        for axis in 0..3 {
            let place = |k: usize| self.graph.places[k][axis];
            let mut order = own.to_vec();
            order.sort_by(|&a, &b| place(a).total_cmp(&place(b)).then(a.cmp(&b)));
            // a layer of nodes at the same place stays together
            let at = place(order[middle]);
            let (below, above) =
                (order.partition_point(|&k| place(k) < at), order.partition_point(|&k| place(k) <= at));
            self.compare(&order, &[below, above], &mut best);
        }
        let levels = self.levels(own);
        self.compare(&levels, &[middle], &mut best);
        best
    }

    /// Cuts an order in two, and keeps what is better than the best so far.
    fn compare(&mut self, order: &[usize], cuts: &[usize], best: &mut Option<Halves>) {
        for &cut in cuts.iter().filter(|&&cut| 0 < cut && cut < order.len()) {
            order.iter().enumerate().for_each(|(at, &k)| self.side[k] = if at < cut { 1 } else { 2 });
            for side in [1, 2] {
                let beside = |&k: &usize| {
                    self.side[k] == side
                        && self.neighbours(k).iter().any(|&other| self.side[other] == 3 - side)
                };
                let between: Vec<usize> = order.iter().copied().filter(beside).collect();
                let weight: usize = between.iter().map(|&k| self.graph.sizes[k]).sum();
                let own = if side == 1 { cut } else { order.len() - cut } - between.len();
                let larger = own.max(order.len() - between.len() - own) as f64;
                let part = larger / (order.len() - between.len()).max(1) as f64;
                let cost = weight as f64 * (1.0 + 4.0 * (part - 0.5).max(0.0));
                if part <= LARGER && best.as_ref().is_none_or(|best| cost < best.cost) {
                    let stays = |half: u8, k: &usize| self.side[*k] == half && !(half == side && beside(k));
                    let left = |half: u8| order.iter().copied().filter(|k| stays(half, k)).collect();
                    let (first, second) = (left(1), left(2));
                    *best = Some(Halves { cost, first, second, between });
                }
            }
            order.iter().for_each(|&k| self.side[k] = 0);
        }
    }

    /// Nodes of a part by their distance from one at an end of it, piece after piece.
    fn levels(&mut self, own: &[usize]) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::with_capacity(own.len());
        for &start in own {
            if self.local[start] != usize::MAX {
                continue;
            }
            // to the far end, and from there
            own.iter().for_each(|&k| self.side[k] = 1);
            order.iter().for_each(|&k: &usize| self.side[k] = 0);
            let far = self.reached(start).pop().unwrap_or(start);
            own.iter().for_each(|&k| self.side[k] = 1);
            order.iter().for_each(|&k| self.side[k] = 0);
            let piece = self.reached(far);
            piece.iter().for_each(|&k| self.local[k] = 0);
            order.extend(piece);
        }
        own.iter().for_each(|&k| (self.side[k], self.local[k]) = (0, usize::MAX));
        order
    }

    /// Nodes of side 1 from a start on, nearest first; they lose their side.
    fn reached(&mut self, start: usize) -> Vec<usize> {
        let (mut order, mut waiting) = (Vec::new(), VecDeque::from([start]));
        self.side[start] = 0;
        while let Some(k) = waiting.pop_front() {
            order.push(k);
            for at in self.first[k]..self.first[k + 1] {
                let other = self.list[at];
                if std::mem::replace(&mut self.side[other], 0) == 1 {
                    waiting.push_back(other);
                }
            }
        }
        order
    }

    /// Appends a part that is not cut, by minimum degree with all that it has to do with.
    fn whole(&mut self, own: &[usize]) {
        let mut names = own.to_vec();
        names.iter().enumerate().for_each(|(at, &k)| self.local[k] = at);
        let mut edges = Vec::new();
        for (at, &k) in own.iter().enumerate() {
            for place in self.first[k]..self.first[k + 1] {
                let other = self.list[place];
                if self.local[other] == usize::MAX {
                    self.local[other] = names.len();
                    names.push(other);
                }
                let extents = [self.graph.sizes[k], self.graph.sizes[other]];
                edges.push(SeenEdge { nodes: [at, self.local[other]], extents });
            }
        }
        let order = staged_minimum_degree(names.len(), edges, &[], |node| node >= own.len());
        self.order.extend(order.into_iter().filter(|&node| node < own.len()).map(|node| own[node]));
        names.iter().for_each(|&k| self.local[k] = usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of nodes, each with its neighbours in a cube around it: their places, and pairs of neighbours.
    fn solid([a, b, c]: [usize; 3]) -> (Vec<[f64; 3]>, Vec<SeenEdge>) {
        let place = |k: usize| [k / c / b, k / c % b, k % c];
        let near = |a: usize, b: usize| (0..3).all(|axis| place(a)[axis].abs_diff(place(b)[axis]) <= 1);
        let n = a * b * c;
        let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| [a, b])).filter(|&[a, b]| near(a, b));
        let edges = pairs.map(|nodes| SeenEdge { nodes, extents: [3, 3] }).collect();
        ((0..n).map(|k| place(k).map(|x| x as f64)).collect(), edges)
    }

    /// Pairs of nodes that are coupled once all before both are eliminated.
    fn filled(edges: &[SeenEdge], order: &[usize]) -> usize {
        let n = order.len();
        let mut at = vec![usize::MAX; n];
        order.iter().enumerate().for_each(|(k, &node)| at[node] = k);
        assert!(at.iter().all(|&k| k < n), "an order of all nodes");
        let mut lists = vec![Vec::new(); n];
        for [a, b] in edges.iter().map(|edge| edge.nodes.map(|node| at[node])) {
            lists[a.min(b)].push(a.max(b));
        }
        let mut count = 0;
        for k in 0..n {
            let mut own = std::mem::take(&mut lists[k]);
            own.sort_unstable();
            own.dedup();
            count += own.len();
            if let [parent, rest @ ..] = &own[..] {
                lists[*parent].extend(rest);
            }
        }
        count
    }

    #[test]
    fn a_solid_fills_less_than_by_minimum_degree() {
        let (places, edges) = solid([11; 3]);
        let n = places.len();
        let graph = FillingGraph { sizes: &vec![3; n], places: &places, edges: &edges, after: &[] };
        let by_degree = staged_minimum_degree(n, edges.iter().copied(), &[], |_| false);
        let by_cuts = dissected(&graph, &vec![0; n]);
        let [least, most] = [&by_cuts, &by_degree].map(|order| filled(&edges, order));
        assert!(4 * least < 3 * most, "{least} and {most}");
        // it is what is taken where minimum degree takes long
        assert_eq!(filling_order(&graph, &vec![0; n], |_| false), by_cuts);
    }

    /// Without places the levels of the graph are cut.
    #[test]
    fn a_bar_without_places_is_cut_across() {
        let (places, edges) = solid([50, 4, 4]);
        let n = places.len();
        let graph = FillingGraph { sizes: &vec![3; n], places: &places, edges: &edges, after: &[] };
        let nowhere = FillingGraph { places: &vec![[0.0; 3]; n], ..graph };
        let [told, untold] = [&graph, &nowhere].map(|graph| filled(&edges, &dissected(graph, &vec![0; n])));
        assert!(untold < 2 * told, "{untold} and {told}");
    }

    #[test]
    fn a_small_graph_goes_by_minimum_degree() {
        let (places, edges) = solid([4; 3]);
        let n = places.len();
        let graph = FillingGraph { sizes: &vec![3; n], places: &places, edges: &edges, after: &[] };
        let by_degree = staged_minimum_degree(n, edges.iter().copied(), &[], |_| false);
        assert_eq!(filling_order(&graph, &vec![0; n], |_| false), by_degree);
    }

    #[test]
    fn parts_stay_together_and_who_waits_comes_later() {
        let (places, mut edges) = solid([6; 3]);
        let n = places.len();
        // two nodes without places wait for others; the halves of the solid are parts
        edges.push(SeenEdge { nodes: [n, 3], extents: [1, 3] });
        edges.push(SeenEdge { nodes: [n + 1, 200], extents: [1, 3] });
        let mut after = vec![Vec::new(); n];
        after.extend([vec![3, 7], vec![200]]);
        let part: Vec<usize> = (0..n).map(|k| usize::from(k >= n / 2)).chain([0, 1]).collect();
        let sizes: Vec<usize> = (0..n + 2).map(|k| if k < n { 3 } else { 1 }).collect();
        let graph = FillingGraph { sizes: &sizes, places: &places, edges: &edges, after: &after };
        let order = dissected(&graph, &part);
        assert!(order.is_sorted_by_key(|&node| part[node]));
        let at = |node: usize| order.iter().position(|&other| other == node);
        assert!(at(n) > at(3) && at(n) > at(7) && at(n + 1) > at(200));
        filled(&edges, &order);
    }
}
