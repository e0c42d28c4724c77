//! The structure of matrices over all coordinates and multipliers: nodes, order, and where every number goes.

use super::bordered::Slope;
use super::grouping::Grouping;
use super::products::Products;
use super::writing::{JacobianEntry, PairPlace, Writing};
use crate::dynamics::forms::jacobian::CoordinateJacobian;
use crate::linalg::{BlockCoupling, BlockLu, DomainTree, NodeSite, Subdivision};
use crate::system::System;
use crate::topology::{CutGraph, FillingGraph, SeenEdge, cut_by_names, cut_into_domains, filling_order};

/// Where the numbers of matrices of the form
///
/// ```text
/// [ n by n, by pairs of bodies   Phi_x^T ]
/// [ Phi_x                           0    ]
/// ```
///
/// lie in a [`BlockLu`]. A node holds the coordinates of a body, then the multipliers of its equations. With more
/// copies, each is there as often: first all coordinates of a node in all copies, then all multipliers.
#[derive(Clone, Debug)]
pub(super) struct Skeleton {
    pub lu: BlockLu,
    /// Row of each coordinate and of each kept equation in vectors, of the first copy; how far the next is from it.
    pub(super) coordinates: Vec<[u32; 2]>,
    pub(super) equations: Vec<[u32; 2]>,
    /// Where numbers of matrices go, piece by piece.
    pub(super) writing: Writing,
    /// Products of matrices with vectors.
    pub(super) products: Products,
}

/// A node of the elimination.
#[derive(Clone, Copy)]
struct Spot {
    node: usize,
    /// Place among its coordinates or its equations.
    local: usize,
}

/// Nodes in all: how many coordinates and equations each has.
struct Sizes {
    heads: Vec<usize>,
    tails: Vec<usize>,
}

impl Skeleton {
    /// Structure for a system over the equations that are kept, in so many copies.
    pub fn new(system: &System, jacobian: &CoordinateJacobian, grouping: &Grouping, copies: usize) -> Self {
        let bodies = system.bodies();
        let heads = system.nodes.iter().take(bodies).map(|node| node.nv);
        let sizes = Sizes {
            heads: heads.chain(grouping.closing.iter().map(|_| 0)).collect(),
            tails: grouping
                .of_body
                .iter()
                .chain(grouping.closing.iter().map(|c| &c.0))
                .map(Vec::len)
                .collect(),
        };
        let mut rows = vec![Spot { node: 0, local: 0 }; jacobian.rows.len()];
        let lists = grouping.of_body.iter().chain(grouping.closing.iter().map(|c| &c.0)).enumerate();
        for (node, list) in lists {
            list.iter().enumerate().for_each(|(local, &row)| rows[row] = Spot { node, local });
        }
        let couplings = couplings(system, jacobian, &sizes, &rows, copies);
        let all: Vec<usize> =
            (0..sizes.heads.len()).map(|k| copies * (sizes.heads[k] + sizes.tails[k])).collect();
        let mut after = vec![Vec::new(); bodies];
        after.extend(grouping.closing.iter().map(|(_, bodies)| bodies.clone()));
        let edges = couplings.iter().map(|c| SeenEdge { nodes: c.nodes, extents: c.extents });
        let (edges, sites) = (edges.collect::<Vec<_>>(), sites(system, all.len()));
        let places: Vec<[f64; 3]> = sites[..bodies].iter().map(|site| site.place).collect();
        let graph = FillingGraph { sizes: &all, places: &places, edges: &edges, after: &after };
        let lu = match &system.subdivision {
            None => {
                let order = filling_order(&graph, &vec![0; all.len()], |_| false);
                BlockLu::analyse(&all, &couplings, &order, system.grain)
            }
            Some(cut) => {
                let pairs: Vec<[usize; 2]> = couplings.iter().map(|c| c.nodes).collect();
                let domain = domains(system, &all, (&pairs, &after), cut);
                let tree = DomainTree::halving(domain.iter().flatten().max().map_or(0, |last| last + 1));
                let part = tree.place(&domain, &pairs, &after);
                let order = filling_order(&graph, &part, |node| domain[node].is_none());
                let (order, ends) = in_parts(order, &part, tree.parts());
                BlockLu::analyse_cut(&all, &couplings, (&order, &ends), (&tree, &sites, system.grain), cut)
            }
        };
        Self::place(system, jacobian, (lu.with(system.arithmetic), copies), &sizes, &rows)
    }

    fn place(
        system: &System,
        jacobian: &CoordinateJacobian,
        (lu, copies): (BlockLu, usize),
        sizes: &Sizes,
        rows: &[Spot],
    ) -> Self {
        let coordinates = (0..system.velocities()).map(|c| {
            let (body, local) = system.nodes.of_velocity(c);
            [(lu.start(body) + local) as u32, sizes.heads[body] as u32]
        });
        let equations = rows.iter().map(|&Spot { node, local }| {
            [(lu.start(node) + copies * sizes.heads[node] + local) as u32, sizes.tails[node] as u32]
        });
        let (coordinates, equations): (Vec<_>, Vec<_>) = (coordinates.collect(), equations.collect());
        let pairs = system.layout.pairs.iter().filter_map(|pair| {
            let [a, b] = pair.bodies;
            let place = lu.locate(a, b)?;
            let next = [sizes.heads[a] * place.by_row, sizes.heads[b] * place.by_column];
            Some(PairPlace { pair: *pair, place, next })
        });
        let mut entries = Vec::new();
        for (list, &Spot { node, local }) in jacobian.rows.iter().zip(rows) {
            let row = copies * sizes.heads[node] + local;
            for &(number, c) in list {
                let (body, column) = system.nodes.of_velocity(c);
                // an equation and its bodies are coupled
                if let (Some(below), Some(beside)) = (lu.locate(node, body), lu.locate(body, node)) {
                    let [by_row, by_column] = [sizes.tails[node], sizes.heads[body]];
                    entries.push(JacobianEntry {
                        number: number as u32,
                        below: (below.at + row * below.by_row + column * below.by_column) as u32,
                        beside: (beside.at + column * beside.by_row + row * beside.by_column) as u32,
                        next: [
                            (by_row * below.by_row) as u32,
                            (by_column * below.by_column) as u32,
                            (by_column * beside.by_row + by_row * beside.by_column) as u32,
                        ],
                    });
                }
            }
        }
        let writing = Writing::new(pairs.collect(), entries, lu.cuts());
        let products = Products::new(system, jacobian, lu.rows(), [&coordinates, &equations]);
        Self { lu, coordinates, equations, writing, products }
    }

    /// Whether numbers have the lengths that the structure has.
    pub fn fits(&self, numbers: &Slope) -> bool {
        let Slope { mass, metric, stiffness, damping, phi, rate, force_t, phi_tt, .. } = numbers;
        let [pairs, reach] = self.writing.reach();
        mass.len() <= pairs
            && metric.len() == mass.len()
            && [stiffness, damping].iter().all(|list| list.len() == pairs)
            && phi.len() >= reach
            && phi.len() == rate.len()
            && [&numbers.acceleration, &numbers.acceleration_rate]
                .iter()
                .all(|a| a.len() == phi.len() || a.is_empty())
            && force_t.len() == self.coordinates.len()
            && phi_tt.len() == self.equations.len()
    }

    /// Kept equations.
    pub fn equations(&self) -> usize {
        self.equations.len()
    }
}

/// Where nodes are in the model: bodies have places, equations that close loops have none.
fn sites(system: &System, nodes: usize) -> Vec<NodeSite> {
    let body = |k: usize| {
        let (node, q) = (&system.nodes[k], &system.given.q);
        let place = [0, 1, 2].map(|axis| node.along(q, node.q, axis));
        NodeSite { place, directions: node.places.min(system.dimensions()) }
    };
    let mut all: Vec<NodeSite> = (0..system.bodies()).map(body).collect();
    all.resize(nodes, NodeSite::default());
    all
}

/// The sub-domain of each node, none at interfaces: bodies by their places in the model and by what couples them; equations
/// that close a loop in that of all its bodies, or at the interfaces.
fn domains(
    system: &System,
    sizes: &[usize],
    (pairs, after): (&[[usize; 2]], &[Vec<usize>]),
    cut: &Subdivision,
) -> Vec<Option<usize>> {
    let bodies = system.bodies();
    let places: Vec<[f64; 3]> = sites(system, bodies).iter().map(|site| site.place).collect();
    let weights: Vec<f64> = sizes[..bodies].iter().map(|&size| (size * size) as f64).collect();
    let edges: Vec<[usize; 2]> = pairs.iter().copied().filter(|[a, b]| *a.max(b) < bodies).collect();
    let graph = CutGraph { weights: &weights, places: &places, edges: &edges };
    let mut domain = match &system.substructure_of {
        named if cut.named && named.iter().any(Option::is_some) => cut_by_names(&graph, named),
        _ => cut_into_domains(&graph, cut.domains),
    };
    for loops in &after[bodies..] {
        let first = loops.first().and_then(|&body| domain[body]);
        domain.push(first.filter(|_| loops.iter().all(|&body| domain[body] == first)));
    }
    domain
}

/// Nodes sub-domain after sub-domain and bough after bough, each in its order; and where these end.
fn in_parts(mut order: Vec<usize>, part: &[usize], parts: usize) -> (Vec<usize>, Vec<usize>) {
    order.sort_by_key(|&node| part[node]);
    let ends = (0..parts).map(|p| order.partition_point(|&node| part[node] <= p)).collect();
    (order, ends)
}

/// Nodes that share a joint, a force or an inertance.
fn couplings(
    system: &System,
    jacobian: &CoordinateJacobian,
    Sizes { heads, tails }: &Sizes,
    rows: &[Spot],
    copies: usize,
) -> Vec<BlockCoupling> {
    let mut list = Vec::new();
    for pair in system.layout.pairs.iter().filter(|pair| pair.bodies[0] < pair.bodies[1]) {
        list.push(BlockCoupling { nodes: pair.bodies, extents: pair.bodies.map(|b| copies * heads[b]) });
    }
    for (entries, spot) in jacobian.rows.iter().zip(rows) {
        for &(_, c) in entries {
            let (body, node) = (system.nodes.of_velocity(c).0, spot.node);
            if body != node {
                let whole = copies * (heads[node] + tails[node]);
                list.push(BlockCoupling { nodes: [node, body], extents: [whole, copies * heads[body]] });
            }
        }
    }
    list.sort_unstable_by_key(|c| (c.nodes, c.extents));
    list.dedup();
    list
}
