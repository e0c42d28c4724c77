//! The symbolic phase: which blocks fill, where they lie, and what is subtracted where.

use super::panels::{PivotPanel, RowRun, SINGLE, are_many, children_first, gathered};
use super::team::DomainTeam;
use super::{BlockCoupling, BlockLu, BlockTarget, Neighbour, PivotBlock};
use crate::linalg::branches::{Branches, NO_PARENT};
use crate::linalg::lanes::Machine;
use crate::linalg::{DomainTree, NodeSite, Subdivision};
use std::ops::Range;
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
        let mut lu = BlockLu::along(sizes, couplings, order, None);
        let (parent, neighbours) = lu.tree();
        let work: Vec<f64> = (0..order.len()).map(|k| lu.column_work(k)[0]).collect();
        let cut = Branches::cut(&parent, &work, grain);
        let in_panels = neighbours.iter().any(|&count| are_many(count));
        if cut.ends.is_empty() && !in_panels {
            lu.schedule(|_| true);
            return lu.in_pieces(grain);
        }
        let mut order = order.to_vec();
        if !cut.ends.is_empty() {
            order = cut.order.iter().map(|&k| order[k as usize]).collect();
        }
        if in_panels {
            order = BlockLu::in_tree_order(sizes, couplings, &order, &cut.ends);
        }
        let mut lu = BlockLu::along(sizes, couplings, &order, in_panels.then_some(&cut.ends));
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
        let order = &BlockLu::in_tree_order(sizes, couplings, order, ends)[..];
        let mut lu =
            BlockLu::along(sizes, couplings, order, Some(ends)).in_branches(domains).in_pieces(grain);
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
        let begin = |k: usize| self.panel_of(&self.columns[k]).map_or(k, |panel| panel.columns.start);
        let ends = (1..=pieces).map(|piece| begin(trunk + (end - trunk) * piece / pieces));
        let ends = self.branches.iter().copied().chain(ends);
        self.cuts = std::iter::once(0).chain(ends.map(|end| self.columns[end].at)).collect();
        self
    }

    /// The parent of each column in the elimination tree, and how many neighbours it has.
    fn tree(&self) -> (Vec<u32>, Vec<usize>) {
        let list = |k: usize| self.neighbours_of(k);
        let first = |k: usize| list(k).first().map_or(NO_PARENT, |n| n.position);
        let all = 0..self.position.len();
        (all.clone().map(first).collect(), all.map(|k| list(k).len()).collect())
    }

    /// The same order, in which columns that belong together follow each other where there are panels.
    fn in_tree_order(
        sizes: &[usize],
        couplings: &[BlockCoupling],
        order: &[usize],
        ends: &[usize],
    ) -> Vec<usize> {
        let (parent, neighbours) = BlockLu::along(sizes, couplings, order, None).tree();
        if !neighbours.iter().any(|&count| are_many(count)) {
            return order.to_vec();
        }
        children_first(&parent, &neighbours, ends).into_iter().map(|k| order[k]).collect()
    }

    /// Nodes in an order, in panels where these end at the latest where given.
    fn along(
        sizes: &[usize],
        couplings: &[BlockCoupling],
        order: &[usize],
        ends: Option<&[usize]>,
    ) -> BlockLu {
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
            panels: Vec::new(),
            runs: Vec::new(),
            branches: Vec::new(),
            bordering: Vec::new(),
            cuts: Vec::new(),
            len: 0,
            rows: 0,
            machine: Machine::detect(),
            team: None,
        };
        let sizes: Vec<usize> = order.iter().map(|&node| sizes[node]).collect();
        let panels = ends.map_or_else(Vec::new, |ends| gathered(&lists, &sizes, ends));
        let mut panel_of = vec![SINGLE; n];
        panels.iter().enumerate().for_each(|(number, own)| panel_of[own.clone()].fill(number as u32));
        for (k, list) in lists.into_iter().enumerate() {
            if let Some(own) = panels.get(panel_of[k] as usize) {
                if k + 1 == own.end {
                    lu.push_panel((panel_of[k], own.clone()), &list, &sizes);
                }
                continue;
            }
            let size = sizes[k];
            lu.columns.push(PivotBlock {
                at: lu.len,
                size,
                start: lu.rows,
                neighbours: lu.neighbours.len(),
                updates: 0,
                panel: SINGLE,
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
        let (at, start, neighbours) = (lu.len, lu.rows, lu.neighbours.len());
        lu.columns.push(PivotBlock { at, size: 0, start, neighbours, updates: 0, panel: SINGLE });
        lu.find_runs();
        lu
    }

    /// Puts a panel behind what there is; `list` has the neighbours of its last column.
    fn push_panel(&mut self, (number, columns): (u32, Range<usize>), list: &[(u32, u32)], sizes: &[usize]) {
        let width: usize = sizes[columns.clone()].iter().sum();
        let reach = list.iter().map(|entry| entry.1 as usize).sum();
        let panel =
            PivotPanel { columns: columns.clone(), at: self.len, width, start: self.rows, reach, runs: 0..0 };
        let [lower, upper, all] = panel.parts().map(|part| panel.at + part);
        let first = self.neighbours.len();
        let mut place = 0;
        for &(position, extent) in list {
            self.neighbours.push(Neighbour { position, extent, lower: lower + place, upper: upper + place });
            place += extent as usize;
        }
        for k in columns.clone() {
            let neighbours = if k == columns.start { first } else { self.neighbours.len() };
            let (size, start, inside) = (sizes[k], self.rows, self.rows - panel.start);
            let at = panel.at + inside * (width + 1);
            self.columns.push(PivotBlock { at, size, start, neighbours, updates: 0, panel: number });
            self.rows += size;
        }
        self.len = all;
        self.panels.push(panel);
    }

    /// The runs of rows that panels reach, once all columns have their places.
    fn find_runs(&mut self) {
        for number in 0..self.panels.len() {
            let (first, upper) = (self.runs.len(), self.panels[number].at + self.panels[number].parts()[1]);
            for neighbour in self.neighbours_of(self.panels[number].columns.start).to_vec() {
                let PivotBlock { start: row, panel, .. } = self.columns[neighbour.position as usize];
                let at = (neighbour.upper - upper) as u32;
                match self.runs[first..].last_mut() {
                    Some(run) if run.panel == panel && run.row + run.len as usize == row => {
                        run.len += neighbour.extent;
                    }
                    _ => self.runs.push(RowRun { row, len: neighbour.extent, at, panel }),
                }
            }
            self.panels[number].runs = first..self.runs.len();
        }
    }

    /// Targets of the products of all columns that are wanted, one after the other, rows of L before columns of U.
    fn schedule(&mut self, wanted: impl Fn(usize) -> bool) {
        let mut updates = Vec::new();
        for k in 0..self.position.len() {
            self.columns[k].updates = updates.len();
            if wanted(k) && self.columns[k].panel == SINGLE {
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
            let PivotBlock { at, size, panel, .. } = self.columns[own.position as usize];
            if panel != SINGLE {
                for (j, later) in list.iter().enumerate().skip(i) {
                    let [own, later] = [own.position, later.position].map(|position| position as usize);
                    let place = |row, column| self.locate_in_order(row, column).map(BlockTarget::from);
                    targets[j * n + i] = place(later, own).unwrap_or(targets[j * n + i]);
                    targets[i * n + j] = place(own, later).unwrap_or(targets[i * n + j]);
                }
                continue;
            }
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
