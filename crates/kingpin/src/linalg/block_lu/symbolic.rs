//! The symbolic phase: which blocks fill, where they lie, and what is subtracted where.

use super::team::DomainTeam;
use super::{BlockCoupling, BlockLu, BlockTarget, Neighbour, PivotBlock};
use crate::linalg::branches::{Branches, NO_PARENT};
use crate::linalg::lanes::Machine;
use crate::linalg::{DomainTree, NodeSite, Subdivision};
use std::sync::Arc;

/// Pieces of a trunk, at most.
const PIECES: usize = 16;

impl BlockLu {
    /// Symbolic phase for nodes of the given sizes; `order` names the nodes in the order of elimination. Where there are
    /// many, branches of the elimination tree that threads can do at once are put one after the other, which fills no
    /// more; `grain` is about the least number of nodes in one. O(updates)
    ///
    /// # Panics
    /// If `order` does not name every node once, or a coupling another node or more than it has.
    pub fn analyse(sizes: &[usize], couplings: &[BlockCoupling], order: &[usize], grain: usize) -> BlockLu {
        let mut lu = BlockLu::along(sizes, couplings, order);
        let first = |k: usize| lu.neighbours_of(k).first().map_or(NO_PARENT, |n| n.position);
        let parent: Vec<u32> = (0..order.len()).map(first).collect();
        let work: Vec<f64> = (0..order.len()).map(|k| lu.column_work(k)[0]).collect();
        let cut = Branches::cut(&parent, &work, grain);
        if cut.ends.is_empty() {
            lu.schedule(|_| true);
            return lu.in_pieces(grain);
        }
        let order: Vec<usize> = cut.order.iter().map(|&k| order[k as usize]).collect();
        let mut lu = BlockLu::along(sizes, couplings, &order);
        lu.schedule(|_| true);
        lu.in_branches(cut.ends).in_pieces(grain)
    }

    /// The same where sub-domains are given: nodes of one follow each other in `order` up to its entry of `ends`, have
    /// nothing to do with those of others, and those at interfaces are last, bough by bough of the tree.
    ///
    /// # Panics
    /// As above, and if nodes of two sub-domains, or of two boughs on different sides of a third, are coupled.
    pub(crate) fn analyse_cut(
        sizes: &[usize],
        couplings: &[BlockCoupling],
        (order, ends): (&[usize], &[usize]),
        (tree, sites, grain): (&DomainTree, &[NodeSite], usize),
        cut: &Subdivision,
    ) -> BlockLu {
        let domains = ends[..tree.domains.min(ends.len())].to_vec();
        let mut lu = BlockLu::along(sizes, couplings, order).in_branches(domains).in_pieces(grain);
        for part in 0..ends.len() {
            let columns = part.checked_sub(1).map_or(0, |before| ends[before])..ends[part];
            let own = |position: usize| {
                columns.contains(&position)
                    || tree.is_behind(part, ends.partition_point(|&end| end <= position))
            };
            let mut reached = columns.clone().flat_map(|k| lu.neighbours_of(k));
            assert!(reached.all(|n| own(n.position as usize)), "nodes of two sub-domains are coupled");
        }
        let team = DomainTeam::new(&lu, couplings, (order, ends), (tree, sites), cut);
        // a rank has nothing of columns that others do
        let (own, trunk) = (lu.columns_in(&team.own()), lu.trunk());
        let own_boughs: Vec<bool> = team.boughs.iter().map(|bough| team.does(bough)).collect();
        let of_trunk = |k: usize| {
            let bough = team.boughs.partition_point(|bough| bough.columns.end <= k);
            team.plan.is_some() || own_boughs.get(bough).is_none_or(|own| *own)
        };
        lu.schedule(|k| own.contains(&k) || k >= trunk && of_trunk(k));
        lu.team = Some(Arc::new(team));
        lu
    }

    fn in_branches(mut self, ends: Vec<usize>) -> BlockLu {
        let trunk = ends.last().copied().unwrap_or(0);
        let reaches =
            |&k: &u32| self.neighbours_of(k as usize).last().is_some_and(|n| n.position as usize >= trunk);
        self.bordering = (0..trunk as u32).filter(reaches).collect();
        self.branches = ends;
        self
    }

    /// Cuts the values into pieces for those who write them: branches, and the trunk in several if it is long.
    fn in_pieces(mut self, grain: usize) -> BlockLu {
        let (trunk, end) = (self.branches.last().copied().unwrap_or(0), self.position.len());
        let pieces = ((end - trunk) / grain.max(1)).clamp(1, PIECES);
        let ends = (1..=pieces).map(|piece| trunk + (end - trunk) * piece / pieces);
        let ends = self.branches.iter().copied().chain(ends);
        self.cuts = std::iter::once(0).chain(ends.map(|end| self.columns[end].at)).collect();
        self
    }

    fn along(sizes: &[usize], couplings: &[BlockCoupling], order: &[usize]) -> BlockLu {
        let n = sizes.len();
        let mut position = vec![u32::MAX; n];
        order.iter().enumerate().for_each(|(k, &node)| position[node] = k as u32);
        assert!(order.len() == n && position.iter().all(|&p| p != u32::MAX), "an order of all nodes");
        let lists = fill(sizes, couplings, &position);
        let mut lu = BlockLu {
            position,
            columns: Vec::with_capacity(n + 1),
            neighbours: Vec::with_capacity(lists.iter().map(Vec::len).sum()),
            updates: Vec::new(),
            branches: Vec::new(),
            bordering: Vec::new(),
            cuts: Vec::new(),
            len: 0,
            rows: 0,
            machine: Machine::detect(),
            team: None,
        };
        for (k, list) in lists.into_iter().enumerate() {
            let size = sizes[order[k]];
            lu.columns.push(PivotBlock {
                at: lu.len,
                size,
                start: lu.rows,
                neighbours: lu.neighbours.len(),
                updates: 0,
            });
            lu.len += size * size;
            lu.rows += size;
            for (position, extent) in list {
                let lower = lu.len;
                let upper = lower + size * extent as usize;
                lu.len = upper + size * extent as usize;
                lu.neighbours.push(Neighbour { position, extent, lower, upper });
            }
        }
        let end =
            PivotBlock { at: lu.len, start: lu.rows, neighbours: lu.neighbours.len(), ..Default::default() };
        lu.columns.push(end);
        lu
    }

    /// Targets of the products of all columns that are wanted, one after the other, rows of L before columns of U.
    fn schedule(&mut self, wanted: impl Fn(usize) -> bool) {
        let mut updates = Vec::new();
        for k in 0..self.position.len() {
            self.columns[k].updates = updates.len();
            if wanted(k) {
                self.targets_of(k, &mut updates);
            }
        }
        if let Some(end) = self.columns.last_mut() {
            end.updates = updates.len();
        }
        self.updates = updates;
    }

    /// Targets of the products of a column. Two neighbours of it are coupled with each other, so that the later ones are
    /// among those of each, in the same order.
    fn targets_of(&self, k: usize, updates: &mut Vec<BlockTarget>) {
        let (list, first) = (self.neighbours_of(k), updates.len());
        let n = list.len();
        updates.resize(first + n * n, BlockTarget { at: 0, by_row: 0, by_column: 0 });
        let targets = &mut updates[first..];
        for (i, own) in list.iter().enumerate() {
            let PivotBlock { at, size, .. } = self.columns[own.position as usize];
            targets[i * n + i] = BlockTarget { at, by_row: size as u32, by_column: 1 };
            let mut others = self.neighbours_of(own.position as usize).iter();
            for (j, later) in list.iter().enumerate().skip(i + 1) {
                if let Some(both) = others.find(|other| other.position == later.position) {
                    targets[j * n + i] = BlockTarget { at: both.lower, by_row: 1, by_column: both.extent };
                    targets[i * n + j] = BlockTarget { at: both.upper, by_row: both.extent, by_column: 1 };
                }
            }
        }
    }
}

/// For each place in the order, the later ones it is coupled with once all before it are eliminated, in order, with
/// how many of their unknowns.
fn fill(sizes: &[usize], couplings: &[BlockCoupling], position: &[u32]) -> Vec<Vec<(u32, u32)>> {
    let mut lists: Vec<Vec<(u32, u32)>> = vec![Vec::new(); sizes.len()];
    for BlockCoupling { nodes: [a, b], extents: [own, other] } in couplings {
        assert!(own <= &sizes[*a] && other <= &sizes[*b], "as many unknowns as a node has");
        let (pa, pb) = (position[*a], position[*b]);
        match pa.cmp(&pb) {
            std::cmp::Ordering::Less => lists[pa as usize].push((pb, *other as u32)),
            std::cmp::Ordering::Greater => lists[pb as usize].push((pa, *own as u32)),
            std::cmp::Ordering::Equal => {}
        }
    }
    for k in 0..lists.len() {
        let mut list = std::mem::take(&mut lists[k]);
        // the widest extent of each neighbour
        list.sort_unstable_by_key(|&(p, extent)| (p, std::cmp::Reverse(extent)));
        list.dedup_by_key(|entry| entry.0);
        list.retain(|entry| entry.1 > 0);
        if let Some((&(parent, _), rest)) = list.split_first() {
            lists[parent as usize].extend_from_slice(rest);
        }
        lists[k] = list;
    }
    lists
}
