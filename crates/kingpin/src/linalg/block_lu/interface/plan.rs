//! Who shares which unknowns at interfaces, and which of their motions are solved for by all together.

use crate::linalg::block_lu::{BlockCoupling, BlockLu, BlockTarget};
use crate::linalg::{InterfaceWay, NodeSite};

/// The unknowns at interfaces by sub-domains: each has copies of those that it shares.
#[derive(Clone, Debug, Default)]
pub(crate) struct InterfacePlan {
    pub parts: Vec<LocalPart>,
    /// Blocks of the trunk between two of its nodes, the first not behind the second.
    pub blocks: Vec<SharedBlock>,
    /// Motions that all copies have in common, solved for together.
    pub primal: Vec<PrimalMotion>,
    /// Copies that forces between sub-domains hold together.
    pub links: Vec<CopyLink>,
    /// Groups of links, those of an interface each, for who preconditions interface by interface.
    pub groups: Vec<Vec<usize>>,
    /// Rows of the trunk.
    pub rows: usize,
}

/// What a sub-domain has of the interfaces.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocalPart {
    pub nodes: Vec<LocalNode>,
    pub size: usize,
    /// Rows of the trunk by its unknowns.
    pub rows: Vec<usize>,
    /// Its unknown for each unknown of its border.
    pub of_border: Vec<usize>,
    /// Its primal motions, each with its weights by unknowns.
    pub primal: Vec<(usize, Vec<(usize, f64)>)>,
}

/// A node of the trunk as a sub-domain has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalNode {
    /// Its place behind the first of the trunk.
    pub place: usize,
    pub at: usize,
}

/// A block of the trunk: its nodes, where its number is and that of the transposed, and who shares it.
#[derive(Clone, Debug)]
pub(crate) struct SharedBlock {
    pub nodes: [usize; 2],
    pub extents: [usize; 2],
    pub(in crate::linalg::block_lu) targets: [BlockTarget; 2],
    pub owners: Vec<usize>,
    /// Directions of space that both have.
    pub directions: usize,
}

/// A motion of an interface: weights by rows of the trunk.
#[derive(Clone, Debug)]
pub(crate) struct PrimalMotion {
    pub owners: Vec<usize>,
    pub weights: Vec<(usize, f64)>,
}

/// Two copies of an unknown: sub-domains and their unknowns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CopyLink {
    pub domains: [usize; 2],
    pub unknowns: [usize; 2],
}

/// Interface nodes with the same owners.
struct InterfaceClass {
    owners: Vec<usize>,
    nodes: Vec<usize>,
}

/// Nodes of the trunk.
struct TrunkNodes<'a> {
    first_row: Vec<usize>,
    sizes: Vec<usize>,
    sites: Vec<&'a NodeSite>,
    owners: Vec<Vec<usize>>,
}

impl InterfacePlan {
    /// For a structure with its sub-domains; `order` names nodes in the order of elimination.
    pub(in crate::linalg::block_lu) fn new(
        lu: &BlockLu,
        couplings: &[BlockCoupling],
        (order, sites): (&[usize], &[NodeSite]),
        borders: &[super::DomainBorder],
        way: InterfaceWay,
    ) -> Self {
        let trunk = lu.trunk();
        let base = lu.columns[trunk].start;
        let mut nodes = TrunkNodes {
            first_row: (trunk..order.len()).map(|k| lu.columns[k].start - base).collect(),
            sizes: (trunk..order.len()).map(|k| lu.columns[k].size).collect(),
            sites: order[trunk..].iter().map(|&node| &sites[node]).collect(),
            owners: vec![Vec::new(); order.len() - trunk],
        };
        for (domain, border) in borders.iter().enumerate() {
            border.nodes.iter().for_each(|node| nodes.owners[node.position - trunk].push(domain));
        }
        let place = |node: usize| (lu.position[node] as usize).checked_sub(trunk);
        let pairs: Vec<([usize; 2], [usize; 2])> = couplings
            .iter()
            .filter_map(|c| Some(([place(c.nodes[0])?, place(c.nodes[1])?], c.extents)))
            .filter(|(nodes, _)| nodes[0] != nodes[1])
            .map(|([a, b], [x, y])| if a < b { ([a, b], [x, y]) } else { ([b, a], [y, x]) })
            .collect();
        nodes.complete(&pairs);
        let mut plan = InterfacePlan { rows: lu.rows - base, ..InterfacePlan::default() };
        plan.blocks = nodes.blocks(lu, &pairs, &order[trunk..]);
        plan.parts = borders.iter().enumerate().map(|(d, border)| nodes.part(d, border, trunk)).collect();
        let classes = nodes.classes();
        if !matches!(way, InterfaceWay::Range | InterfaceWay::Global) {
            plan.primal = classes.iter().flat_map(|class| nodes.primal(class, way)).collect();
        }
        plan.give_primal();
        if !matches!(way, InterfaceWay::Bddc | InterfaceWay::Interface) {
            plan.link(&nodes, &classes, way);
        }
        plan
    }

    /// Gives each sub-domain its primal motions.
    fn give_primal(&mut self) {
        for (number, motion) in self.primal.iter().enumerate() {
            for &domain in &motion.owners {
                let part = &mut self.parts[domain];
                let local = |&(row, weight): &(usize, f64)| Some((part.unknown(row)?, weight));
                let weights = motion.weights.iter().filter_map(local).collect();
                part.primal.push((number, weights));
            }
        }
    }

    /// Holds copies together: each with the next where interfaces precondition, else each with all others.
    fn link(&mut self, nodes: &TrunkNodes, classes: &[InterfaceClass], way: InterfaceWay) {
        // what is primal as it is needs no force
        let mut held = vec![false; self.rows];
        for motion in self.primal.iter().filter(|motion| motion.weights.len() == 1) {
            held[motion.weights[0].0] = true;
        }
        for class in classes {
            let first = self.links.len();
            for &node in &class.nodes {
                for row in nodes.rows_of(node).filter(|&row| !held[row]) {
                    for (k, &a) in class.owners.iter().enumerate() {
                        let others = if way == InterfaceWay::Range { 1 } else { class.owners.len() };
                        for &b in class.owners.iter().skip(k + 1).take(others) {
                            let both = [a, b].map(|domain| self.parts[domain].unknown(row));
                            if let [Some(one), Some(other)] = both {
                                self.links.push(CopyLink { domains: [a, b], unknowns: [one, other] });
                            }
                        }
                    }
                }
            }
            if self.links.len() > first {
                self.groups.push((first..self.links.len()).collect());
            }
        }
    }
}

impl LocalPart {
    /// Its unknown for a row of the trunk.
    pub fn unknown(&self, row: usize) -> Option<usize> {
        // rows are in order
        self.rows.binary_search(&row).ok()
    }

    /// Which of its nodes one of the trunk is.
    pub fn place_of(&self, place: usize) -> Option<usize> {
        self.nodes.binary_search_by_key(&place, |node| node.place).ok()
    }
}

impl TrunkNodes<'_> {
    fn rows_of(&self, node: usize) -> std::ops::Range<usize> {
        self.first_row[node]..self.first_row[node] + self.sizes[node]
    }

    /// Sees to it that each node has an owner and each pair of coupled nodes one in common.
    fn complete(&mut self, pairs: &[([usize; 2], [usize; 2])]) {
        for _ in 0..self.owners.len() {
            let mut changed = false;
            for &([a, b], _) in pairs {
                for (a, b) in [(a, b), (b, a)] {
                    if self.owners[a].is_empty() && !self.owners[b].is_empty() {
                        self.owners[a] = vec![self.owners[b][0]];
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        self.owners.iter_mut().filter(|owners| owners.is_empty()).for_each(|owners| owners.push(0));
        for &([a, b], _) in pairs {
            if !self.owners[a].iter().any(|owner| self.owners[b].contains(owner)) {
                let owner = self.owners[a][0];
                self.owners[b].push(owner);
                self.owners[b].sort_unstable();
            }
        }
    }

    /// Blocks between coupled nodes and of single ones.
    fn blocks(&self, lu: &BlockLu, pairs: &[([usize; 2], [usize; 2])], order: &[usize]) -> Vec<SharedBlock> {
        let mut widest: Vec<([usize; 2], [usize; 2])> = pairs.to_vec();
        widest.sort_unstable();
        widest.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                first.1 = [first.1[0].max(next.1[0]), first.1[1].max(next.1[1])];
            }
            same
        });
        let single = (0..order.len()).map(|k| ([k, k], [self.sizes[k]; 2]));
        let each = single.chain(widest).filter_map(|(nodes, extents)| {
            let [a, b] = nodes;
            let place = |i: usize, j: usize| {
                let place = lu.locate(order[i], order[j])?;
                let [by_row, by_column] = [place.by_row as u32, place.by_column as u32];
                Some(BlockTarget { at: place.at, by_row, by_column })
            };
            let owners = self.owners[a].iter().copied().filter(|owner| self.owners[b].contains(owner));
            let directions = self.sites[a].directions.min(self.sites[b].directions);
            let targets = [place(a, b)?, place(b, a)?];
            Some(SharedBlock { nodes, extents, targets, owners: owners.collect(), directions })
        });
        each.collect()
    }

    fn part(&self, domain: usize, border: &super::DomainBorder, trunk: usize) -> LocalPart {
        let mut part = LocalPart::default();
        for place in (0..self.owners.len()).filter(|&k| self.owners[k].contains(&domain)) {
            part.nodes.push(LocalNode { place, at: part.size });
            part.size += self.sizes[place];
            part.rows.extend(self.rows_of(place));
        }
        for node in &border.nodes {
            let at = part.place_of(node.position - trunk).map_or(0, |own| part.nodes[own].at);
            part.of_border.extend(at..at + node.extent);
        }
        part
    }

    /// Nodes with the same owners, where there are several.
    fn classes(&self) -> Vec<InterfaceClass> {
        let mut all: Vec<usize> = (0..self.owners.len()).filter(|&k| self.owners[k].len() > 1).collect();
        all.sort_by_key(|&k| &self.owners[k]);
        let same = |a: &usize, b: &usize| self.owners[*a] == self.owners[*b];
        all.chunk_by(same)
            .map(|nodes| InterfaceClass { owners: self.owners[nodes[0]].clone(), nodes: nodes.to_vec() })
            .collect()
    }

    /// Motions of a class that are primal: single nodes whole; of several nodes their rigid motions together, or where
    /// multipliers are mixed those nodes alone that hold the class as a rigid body.
    fn primal(&self, class: &InterfaceClass, way: InterfaceWay) -> Vec<PrimalMotion> {
        let whole = |node: usize| {
            let owners = class.owners.clone();
            self.rows_of(node)
                .map(move |row| PrimalMotion { owners: owners.clone(), weights: vec![(row, 1.0)] })
        };
        match (&class.nodes[..], way) {
            (&[node], _) => whole(node).collect(),
            (nodes, InterfaceWay::Mixed) => self.corners(nodes).into_iter().flat_map(whole).collect(),
            (nodes, _) => self.rigid_motions(nodes, &class.owners),
        }
    }

    /// Nodes that hold a class: two far from each other, and one far from the line through them.
    fn corners(&self, nodes: &[usize]) -> Vec<usize> {
        let way = |from: usize, to: usize| -> [f64; 3] {
            std::array::from_fn(|x| self.sites[to].place[x] - self.sites[from].place[x])
        };
        let square = |a: [f64; 3]| a.iter().map(|x| x * x).sum::<f64>();
        let farthest = |from: &dyn Fn(usize) -> f64| {
            nodes.iter().copied().fold(nodes[0], |best, k| if from(k) > from(best) { k } else { best })
        };
        let first = farthest(&|k| square(way(nodes[0], k)));
        let second = farthest(&|k| square(way(first, k)));
        let along = way(first, second);
        let aside = |k: usize| {
            let a = way(first, k);
            square(std::array::from_fn(|x| {
                let (y, z) = ((x + 1) % 3, (x + 2) % 3);
                a[y] * along[z] - a[z] * along[y]
            }))
        };
        let third = farthest(&aside);
        let mut all = vec![first, second, third];
        all.sort_unstable();
        all.dedup();
        all
    }

    /// An orthonormal basis of the rigid motions of some nodes, in the unknowns that are directions of space.
    fn rigid_motions(&self, nodes: &[usize], owners: &[usize]) -> Vec<PrimalMotion> {
        let centre = nodes.iter().fold([0.0; 3], |sum, &k| {
            std::array::from_fn(|x| sum[x] + self.sites[k].place[x] / nodes.len() as f64)
        });
        let mut basis: Vec<Vec<(usize, f64)>> = Vec::new();
        for motion in 0..6 {
            let mut own: Vec<(usize, f64)> = Vec::new();
            for &k in nodes {
                let r: [f64; 3] = std::array::from_fn(|x| self.sites[k].place[x] - centre[x]);
                let field = match motion {
                    3 => [0.0, -r[2], r[1]],
                    4 => [r[2], 0.0, -r[0]],
                    5 => [-r[1], r[0], 0.0],
                    along => std::array::from_fn(|x| f64::from(u8::from(x == along))),
                };
                own.extend((0..self.sites[k].directions).map(|x| (self.first_row[k] + x, field[x])));
            }
            let size = |v: &[(usize, f64)]| v.iter().map(|(_, x)| x * x).sum::<f64>().sqrt();
            let before = size(&own);
            for _ in 0..2 {
                for other in &basis {
                    let part: f64 = own.iter().zip(other).map(|(a, b)| a.1 * b.1).sum();
                    own.iter_mut().zip(other).for_each(|(a, b)| a.1 -= part * b.1);
                }
            }
            let left = size(&own);
            if left > 1e-10 * before && before > 0.0 {
                own.iter_mut().for_each(|x| x.1 /= left);
                basis.push(own);
            }
        }
        let motion = |weights| PrimalMotion { owners: owners.to_vec(), weights };
        basis.into_iter().map(motion).collect()
    }
}
