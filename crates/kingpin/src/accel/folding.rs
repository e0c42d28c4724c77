//! Bodies of points that share constant mass, folded: their mass matrix is factored once.
//!
//! Per axis, the points of such a body have the mass matrix M = L L^T that pairs of them make. In u = L^T v it is the
//! unit matrix: rows become Phi_v L^-T, forces L^-1 Q, and v' = L^-T u'. So solvers see points of mass one, and a joint
//! on one point of the body acts on all that come behind it in the order of L: the body is the clique that couples its
//! joints. That pays where few joints hold many points; else the shared mass stays rows that yield
//! ([`Coupled`](super::Coupled)).

use super::problem::{Numbers, Problem};
use crate::element::basic::Basic;
use crate::element::equation::Inertance;
use crate::system::{Block, Inertia, Node, NodeKind, Nodes, System, moving};
use crate::topology::Sets;

/// A body is folded if its joints then act on no more points than this times the elements that it is made of.
const ROOM: usize = 8;

/// A body as it is folded: its points and the factor of its mass matrix, row by row from the first that is not zero.
#[derive(Clone, Debug)]
struct FoldedBody {
    /// Nodes, in order.
    points: Vec<usize>,
    /// First column of each row.
    first: Vec<usize>,
    /// Where each row starts among the numbers of the factor.
    start: Vec<usize>,
    factor: Vec<f64>,
}

/// Numbers of Phi_v that go to another block: to += weight from.
#[derive(Clone, Copy, Debug)]
struct FoldedBlock {
    from: usize,
    to: usize,
    len: usize,
    weight: f64,
}

/// The bodies that are folded, and where the numbers of Phi_v go.
#[derive(Clone, Debug, Default)]
pub(super) struct Folding {
    bodies: Vec<FoldedBody>,
    blocks: Vec<FoldedBlock>,
    /// For each group of inertances, whether it is part of a folded body.
    pub folded: Vec<bool>,
}

/// Mass that two points share, constant and the same along all axes: group of inertances, points, and how much.
struct SharedMass {
    group: usize,
    points: [usize; 2],
    mass: f64,
}

fn shared(system: &System) -> Vec<SharedMass> {
    let groups = system.grouped_inertances().enumerate();
    let of = |(group, rows): (usize, &[Inertance])| {
        let Basic::Midpoint(midpoint) = &rows.first()?.basic else { return None };
        let points = midpoint.bodies;
        let is_point = |&body: &usize| body < system.bodies() && system.nodes[body].kind == NodeKind::Point;
        let whole = points.iter().all(is_point) && rows.len() == system.dimensions();
        // 4 c at the midpoint
        whole.then(|| SharedMass { group, points, mass: 0.25 * rows[0].amount })
    };
    groups.filter_map(of).collect()
}

impl Folding {
    /// Chooses the bodies that are folded.
    pub fn new(system: &System, plain: &Problem) -> Folding {
        let (shared, mut folding, nodes) = (shared(system), Folding::default(), system.bodies());
        folding.folded = vec![false; system.grouped_inertances().count()];
        let mut sets = Sets::new(nodes);
        shared.iter().for_each(|pair| sets.join(pair.points[0], pair.points[1]));
        // points and elements of each body, and the points behind those that rows act on
        let (mut points, mut pairs) = (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        let (mut place, mut reached) = (vec![0; nodes], vec![0; nodes]);
        for node in 0..nodes {
            let own = &mut points[sets.find(node)];
            place[node] = own.len();
            own.push(node);
        }
        shared.iter().for_each(|pair| pairs[sets.find(pair.points[0])].push(pair));
        // of joints, and of mass that is not constant
        let groups = system.grouped_inertances().enumerate();
        let constant = |group: usize| shared.binary_search_by_key(&group, |pair| pair.group).is_ok();
        let changing = groups.filter(|(group, _)| !constant(*group)).flat_map(|(_, rows)| &rows[..1]);
        let changing = changing.flat_map(|one| moving(system, &one.basic)).map(|(_, node, _)| node);
        for node in plain.blocks.iter().map(|block| block.body).chain(changing) {
            let set = sets.find(node);
            reached[set] += points[set].len() - place[node];
        }
        for (set, points) in points.into_iter().enumerate() {
            if pairs[set].is_empty() || reached[set] > ROOM * pairs[set].len() {
                continue;
            }
            pairs[set].iter().for_each(|pair| folding.folded[pair.group] = true);
            let own: Vec<_> =
                pairs[set].iter().map(|pair| (pair.points.map(|p| place[p]), pair.mass)).collect();
            let masses: Vec<f64> = points.iter().map(|&point| system.inertia[point].mass).collect();
            folding.bodies.push(FoldedBody::new(points, &masses, &own));
        }
        folding
    }

    /// The groups of inertances that are not folded.
    pub fn remaining<'a>(&'a self, system: &'a System) -> impl Iterator<Item = &'a [Inertance]> {
        let all = system.grouped_inertances().zip(&self.folded);
        all.filter(|(_, folded)| !**folded).map(|(rows, _)| rows)
    }

    /// Whether nothing is folded.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The problem in u, of a problem in v whose folded points have their own mass alone.
    pub fn fold(&mut self, problem: &Problem) -> Problem {
        let mut of = vec![None; problem.bodies()];
        for (k, body) in self.bodies.iter().enumerate() {
            body.points.iter().enumerate().for_each(|(place, &point)| of[point] = Some((k, place)));
        }
        let mut folded = problem.unsearched();
        folded.blocks.clear();
        folded.nonzero.clear();
        folded.numbers = 0;
        for &point in self.bodies.iter().flat_map(|body| &body.points) {
            folded.inertia[point] = Inertia::point(1.0);
        }
        let mut weights = vec![0.0; problem.bodies()];
        let mut target =
            FoldTarget { blocks: Vec::new(), known: vec![(usize::MAX, 0); problem.bodies()], folded };
        for group in 0..problem.groups.len() {
            let own = target.folded.blocks.len();
            for block in problem.blocks_of(group) {
                let Some((k, place)) = of[block.body] else {
                    target.send(problem, block, block.body, 1.0);
                    continue;
                };
                let body = &self.bodies[k];
                body.column(place, &mut weights);
                target.folded.links[group].freedoms = None;
                target.folded.whole[group] = true;
                for (&point, &weight) in body.points.iter().zip(&weights).skip(place) {
                    target.send(problem, block, point, weight);
                }
            }
            let bodies = target.folded.blocks[own..].iter().map(|block| block.body);
            target.folded.links[group].bodies = bodies.collect();
        }
        self.blocks = target.blocks;
        target.folded.renumber();
        target.folded
    }

    /// Rows and forces in u, from those in v. No allocation. O(numbers).
    pub fn apply(&self, nodes: &Nodes, numbers: &Numbers, phi_v: &mut [f64], force: &mut [f64]) {
        phi_v.fill(0.0);
        for block in &self.blocks {
            let from = &numbers.phi_v[block.from..block.from + block.len];
            let to = &mut phi_v[block.to..block.to + block.len];
            to.iter_mut().zip(from).for_each(|(to, from)| *to += block.weight * from);
        }
        force.copy_from_slice(numbers.force);
        self.bodies.iter().for_each(|body| body.forward(nodes, force));
    }

    /// v' from u'. No allocation. O(numbers of the factors).
    pub fn unfold(&self, nodes: &Nodes, acc: &mut [f64]) {
        self.bodies.iter().for_each(|body| body.backward(nodes, acc));
    }
}

/// The problem in u while its blocks are made.
struct FoldTarget {
    folded: Problem,
    blocks: Vec<FoldedBlock>,
    /// For each body the group that it had a block in last, and where.
    known: Vec<(usize, usize)>,
}

impl FoldTarget {
    /// Sends the numbers of a block to that of a body in the same group, which is made if there is none.
    fn send(&mut self, problem: &Problem, block: &Block, body: usize, weight: f64) {
        let (folded, from) = (&mut self.folded, &problem.nonzero[block.numbers()]);
        if self.known[body].0 != block.group {
            let (at, node) = (folded.numbers, &problem.nodes[body]);
            self.known[body] = (block.group, at);
            folded.blocks.push(Block { body, at, at_q: 0, v: node.v, nv: node.nv, nq: node.nq, ..*block });
            folded.nonzero.extend(from.iter().map(|_| false));
            folded.numbers += from.len();
        }
        let (to, len) = (self.known[body].1, from.len());
        folded.nonzero[to..to + len].iter_mut().zip(from).for_each(|(to, from)| *to |= from);
        self.blocks.push(FoldedBlock { from: block.at, to, len, weight });
    }
}

impl FoldedBody {
    /// Factors the mass matrix with `masses` on its diagonal and what pairs of points share: c [1 1; 1 1] each, which
    /// is definite where no mass is negative.
    fn new(points: Vec<usize>, masses: &[f64], shared: &[([usize; 2], f64)]) -> FoldedBody {
        let mut first: Vec<usize> = (0..points.len()).collect();
        for ([a, b], _) in shared {
            let (low, high) = (*a.min(b), *a.max(b));
            first[high] = first[high].min(low);
        }
        let mut start = Vec::with_capacity(points.len());
        let mut numbers = 0;
        for (i, first) in first.iter().enumerate() {
            start.push(numbers);
            numbers += i + 1 - first;
        }
        let mut body = FoldedBody { points, first, start, factor: vec![0.0; numbers] };
        masses.iter().enumerate().for_each(|(i, mass)| *body.entry(i, i) += mass);
        for &([a, b], mass) in shared {
            *body.entry(a, a) += mass;
            *body.entry(b, b) += mass;
            *body.entry(a.max(b), a.min(b)) += mass;
        }
        for i in 0..body.points.len() {
            for j in body.first[i]..=i {
                let common = body.first[i].max(body.first[j])..j;
                let sum: f64 = common.map(|k| body.at(i, k) * body.at(j, k)).sum();
                let left = body.at(i, j) - sum;
                *body.entry(i, j) = if i == j { left.sqrt() } else { left / body.at(j, j) };
            }
        }
        body
    }

    fn entry(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.factor[self.start[i] + j - self.first[i]]
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.factor[self.start[i] + j - self.first[i]]
    }

    /// Row i of the factor without its diagonal, from its first column on, and the diagonal.
    fn row(&self, i: usize) -> (&[f64], f64) {
        let row = &self.factor[self.start[i]..self.start[i] + i - self.first[i]];
        (row, self.factor[self.start[i] + i - self.first[i]])
    }

    /// Column `place` of L^-1, from there on.
    fn column(&self, place: usize, out: &mut [f64]) {
        for i in place..self.points.len() {
            let (row, diagonal) = self.row(i);
            let known = self.first[i].max(place);
            let sum: f64 = (known..i).map(|k| row[k - self.first[i]] * out[k]).sum();
            out[i] = (f64::from(u8::from(i == place)) - sum) / diagonal;
        }
    }

    /// x = L^-1 x along each axis.
    fn forward(&self, nodes: &Nodes, x: &mut [f64]) {
        for (i, &point) in self.points.iter().enumerate() {
            let ((row, diagonal), own) = (self.row(i), &nodes[point]);
            for axis in 0..own.nv {
                let sum: f64 = row.iter().zip(&self.points[self.first[i]..]).map(part(nodes, x, axis)).sum();
                x[own.v + axis] = (x[own.v + axis] - sum) / diagonal;
            }
        }
    }

    /// x = L^-T x along each axis.
    fn backward(&self, nodes: &Nodes, x: &mut [f64]) {
        for (i, &point) in self.points.iter().enumerate().rev() {
            let ((row, diagonal), own) = (self.row(i), &nodes[point]);
            for axis in 0..own.nv {
                let solved = x[own.v + axis] / diagonal;
                x[own.v + axis] = solved;
                for (l, &other) in row.iter().zip(&self.points[self.first[i]..]) {
                    x[nodes[other].v + axis] -= l * solved;
                }
            }
        }
    }
}

/// The part of a point in a row of the factor times x.
fn part<'a>(nodes: &'a Nodes, x: &'a [f64], axis: usize) -> impl Fn((&f64, &usize)) -> f64 + 'a {
    let at = move |node: &Node| x[node.v + axis];
    move |(l, &other)| l * at(&nodes[other])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Space;

    /// A ring of four points: L L^T is the matrix, and both substitutions invert it.
    #[test]
    fn factors_and_substitutes() {
        let (n, shared) = (4, [([0, 1], 1.0), ([1, 2], 0.5), ([3, 2], 2.0), ([0, 3], 0.25)]);
        let masses = [0.1, 0.2, 0.3, 0.4];
        let body = FoldedBody::new((0..n).collect(), &masses, &shared);
        let mut matrix = [[0.0; 4]; 4];
        (0..n).for_each(|i| matrix[i][i] += masses[i]);
        for ([a, b], c) in shared {
            for (i, j) in [(a, a), (b, b), (a, b), (b, a)] {
                matrix[i][j] += c;
            }
        }
        assert_eq!(body.first, [0, 0, 1, 0]);
        let nodes = Nodes::new(Space::Planar, [NodeKind::Point; 4]);
        let x = [1.0, -2.0, 0.5, 3.0, 4.0, 0.25, -1.0, 7.0];
        // M x, then L^-1 and L^-T of it
        let mut y: Vec<f64> =
            (0..2 * n).map(|i| (0..n).map(|k| matrix[i / 2][k] * x[2 * k + i % 2]).sum()).collect();
        body.forward(&nodes, &mut y);
        let mut column = vec![0.0; n];
        body.column(1, &mut column);
        let mut unit = vec![0.0; 2 * n];
        unit[2] = 1.0;
        body.forward(&nodes, &mut unit);
        assert!((1..n).all(|i| (column[i] - unit[2 * i]).abs() < 1e-15), "{column:?} {unit:?}");
        body.backward(&nodes, &mut y);
        assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-12), "{y:?}");
    }
}
