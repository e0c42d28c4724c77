//! The matrix [M Phi^T; Phi 0] of joint coordinates and multipliers of the cut, by blocks or dense.

use super::super::elimination::VANISHING;
use super::cut::Cut;
use super::tree::{GROUND, LinkTree};
use crate::linalg::{Arithmetic, BlockCholesky, BlockPattern, DenseCholesky, Entry, ZeroPivot};
use std::ops::Range;

/// How the matrix is stored and solved.
pub(super) enum Matrix {
    /// Blocks without fill in the inertia and only between ground and bodies in the equations
    /// [Negrut 1998, Lemmas 2 and 3].
    Sparse(Sparse),
    /// Two dense Cholesky factorisations [Negrut 1998, Algorithm 4].
    Dense(Dense),
}

/// Blocks of links with coordinates, then of groups of the cut. Links and groups with the same neighbours share a
/// block of up to [`LARGEST`] rows: fewer operations on larger blocks.
pub(super) struct Sparse {
    pub factor: BlockCholesky,
    /// Block of each link and the place of its first coordinate there; none for links without coordinates.
    link_at: Vec<Option<[usize; 2]>>,
    /// Block of each group and the place of its first row there.
    group_at: Vec<[usize; 2]>,
    /// First link of each block of links.
    links: Vec<usize>,
    /// Places of rows that yield on the diagonal, and by how much.
    yielding: Vec<(usize, f64)>,
}

/// Rows of a block, at most: what kernels of fixed size are made for.
const LARGEST: usize = 6;

/// M by rows, then Phi^T by rows.
pub(super) struct Dense {
    inertia: DenseCholesky,
    schur: DenseCholesky,
    s: Vec<f64>,
    columns: usize,
    rows: usize,
    /// First coordinate of each link, first row of each group.
    first: [Vec<usize>; 2],
}

impl Matrix {
    /// By blocks: a link is coupled to all that carry it, a group of the cut to the links on its paths; leaves first, then the
    /// cut, so that nothing fills in among the links [Negrut 1998, section 3.4.3].
    pub fn sparse(
        tree: &LinkTree,
        cut: &Cut,
        arithmetic: Arithmetic,
        between: &dyn Fn(usize) -> Vec<usize>,
    ) -> Matrix {
        let paths: Vec<Vec<usize>> = cut.groups.iter().map(|g| between(g.group)).collect();
        let (link_at, mut sizes, links) = blocks_of_links(tree, &paths);
        let bundles = bundles(tree, cut, &paths);
        let mut pairs = Vec::new();
        for (link, &at) in link_at.iter().enumerate() {
            let Some([block, _]) = at else { continue };
            let carriers = carriers(tree, link).filter_map(|k| link_at[k]);
            pairs.extend(carriers.filter(|[b, _]| *b != block).map(|[b, _]| (block, b)));
        }
        let mut group_at = vec![[0; 2]; cut.groups.len()];
        for bundle in &bundles {
            let (block, mut rows) = (sizes.len(), 0);
            for g in bundle.clone() {
                group_at[g] = [block, rows];
                rows += cut.groups[g].rows.len();
                pairs.extend(paths[g].iter().filter_map(|&l| link_at[l]).map(|[b, _]| (block, b)));
            }
            sizes.push(rows);
        }
        let order: Vec<usize> = (0..links.len()).rev().chain(links.len()..sizes.len()).collect();
        let pattern = BlockPattern::new(sizes, &pairs).with(arithmetic);
        let factor = BlockCholesky::analyse_saddle(&pattern, &order, bundles.len());
        let place = |&(row, c): &(usize, f64)| {
            let group = cut.groups.iter().position(|g| g.rows.contains(&row))?;
            let [block, first] = group_at[group];
            let at = first + row - cut.groups[group].rows.start;
            Some((factor.locate(block, block)?.index(at, at), c))
        };
        let yielding = cut.compliance.iter().filter_map(place).collect();
        Matrix::Sparse(Sparse { factor, link_at, group_at, links, yielding })
    }

    pub fn dense(tree: &LinkTree, cut: &Cut, arithmetic: Arithmetic) -> Matrix {
        let whole = |n: usize| DenseCholesky::analyse(&BlockPattern::new(vec![n], &[]).with(arithmetic));
        let schur = whole(cut.rows);
        Matrix::Dense(Dense {
            inertia: whole(tree.columns),
            s: vec![0.0; schur.len()],
            schur,
            columns: tree.columns,
            rows: cut.rows,
            first: [
                tree.links.iter().map(|l| l.columns.start).collect(),
                cut.groups.iter().map(|g| g.rows.start).collect(),
            ],
        })
    }

    /// Numbers in all.
    pub fn len(&self) -> usize {
        match self {
            Matrix::Sparse(m) => m.factor.len(),
            Matrix::Dense(m) => m.columns * (m.columns + m.rows),
        }
    }

    /// Block of two links.
    pub fn inertia(&self, tree: &LinkTree, i: usize, j: usize) -> Option<Entry> {
        match self {
            Matrix::Sparse(m) => m.inertia(tree, i, j),
            Matrix::Dense(m) => {
                let (rows, cols) = (tree.links[i].columns.len(), tree.links[j].columns.len());
                let (row, col) = (m.first[0][i], m.first[0][j]);
                // the lower triangle is read
                Some(if row >= col {
                    Entry { offset: row * m.columns + col, rows, cols, row_stride: m.columns, col_stride: 1 }
                } else {
                    Entry { offset: col * m.columns + row, rows, cols, row_stride: 1, col_stride: m.columns }
                })
            }
        }
    }

    /// Block of a group of the cut and a link.
    pub fn equation(&self, tree: &LinkTree, cut: &Cut, group: usize, link: usize) -> Option<Entry> {
        match self {
            Matrix::Sparse(m) => m.equation(tree, cut, group, link),
            Matrix::Dense(m) => Some(Entry {
                offset: m.columns * m.columns + m.first[0][link] * m.rows + m.first[1][group],
                rows: cut.groups[group].rows.len(),
                cols: tree.links[link].columns.len(),
                row_stride: 1,
                col_stride: m.rows,
            }),
        }
    }

    /// Solves for accelerations of the coordinates and multipliers in place; `x` holds forces and right sides.
    pub fn solve(
        &mut self,
        tree: &LinkTree,
        cut: &Cut,
        values: &mut [f64],
        x: &mut [f64],
    ) -> Result<(), ZeroPivot> {
        match self {
            Matrix::Sparse(m) => {
                m.yielding.iter().for_each(|&(place, c)| values[place] = -c);
                m.factor.factor(values, VANISHING).map_err(|pivot| m.failure(tree, cut, &pivot))?;
                m.factor.solve(values, x);
                Ok(())
            }
            Matrix::Dense(m) => m.solve(tree, cut, values, x),
        }
    }
}

/// The links that carry a link, from the next one inward.
fn carriers(tree: &LinkTree, link: usize) -> impl Iterator<Item = usize> + '_ {
    let inboard = |k: usize| Some(tree.links[k].inboard).filter(|&k| k != GROUND);
    std::iter::successors(inboard(link), move |&k| inboard(k))
}

/// Block and place of each link, sizes of blocks, and their first links. A link joins the one that carries it if it
/// is the only one there and the same equations pass both.
fn blocks_of_links(
    tree: &LinkTree,
    paths: &[Vec<usize>],
) -> (Vec<Option<[usize; 2]>>, Vec<usize>, Vec<usize>) {
    let (mut carried, mut starts) = (vec![0; tree.links.len()], vec![false; tree.links.len()]);
    for link in tree.links.iter().filter(|l| l.inboard != GROUND) {
        carried[link.inboard] += 1;
    }
    // equations end where their paths do, or go on inward as fill
    for path in paths {
        let ends = path.iter().filter(|&&l| !path.iter().any(|&k| tree.links[k].inboard == l));
        ends.for_each(|&l| starts[l] = true);
    }
    let mut at: Vec<Option<[usize; 2]>> = vec![None; tree.links.len()];
    let (mut sizes, mut links) = (Vec::<usize>::new(), Vec::new());
    for (k, link) in tree.links.iter().enumerate() {
        let own = link.columns.len();
        if own == 0 {
            continue;
        }
        let before = (link.inboard != GROUND && carried[link.inboard] == 1 && !starts[link.inboard])
            .then(|| at[link.inboard])
            .flatten();
        match before {
            Some([block, _]) if sizes[block] + own <= LARGEST => {
                at[k] = Some([block, sizes[block]]);
                sizes[block] += own;
            }
            _ => {
                at[k] = Some([sizes.len(), 0]);
                sizes.push(own);
                links.push(k);
            }
        }
    }
    (at, sizes, links)
}

/// Neighbouring groups of the cut that share most of their coordinates.
fn bundles(tree: &LinkTree, cut: &Cut, paths: &[Vec<usize>]) -> Vec<Range<usize>> {
    // everything between the bodies and the ground: what the factor holds
    let whole = |path: &[usize]| -> Vec<usize> {
        let mut all: Vec<usize> =
            path.iter().flat_map(|&l| std::iter::once(l).chain(carriers(tree, l))).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let width = |links: &[usize]| links.iter().map(|&l| tree.links[l].columns.len()).sum::<usize>();
    let mut list: Vec<Range<usize>> = Vec::new();
    let (mut rows, mut links, mut needed) = (0, Vec::new(), 0);
    for (g, group) in cut.groups.iter().enumerate() {
        let (own, path) = (group.rows.len(), whole(&paths[g]));
        let mut union: Vec<usize> = links.iter().chain(&path).copied().collect();
        union.sort_unstable();
        union.dedup();
        let useful = needed + own * width(&path);
        let stored = (rows + own) * width(&union);
        match list.last_mut() {
            Some(last) if rows + own <= LARGEST && 4 * stored <= 5 * useful => {
                last.end = g + 1;
                (rows, links, needed) = (rows + own, union, useful);
            }
            _ => {
                list.push(g..g + 1);
                (rows, needed, links) = (own, own * width(&path), path);
            }
        }
    }
    list
}

/// Part of a block.
fn part(entry: Entry, [row, column]: [usize; 2], [rows, cols]: [usize; 2]) -> Entry {
    Entry { offset: entry.index(row, column), rows, cols, ..entry }
}

impl Sparse {
    fn inertia(&self, tree: &LinkTree, i: usize, j: usize) -> Option<Entry> {
        let ([a, r], [b, c]) = (self.link_at[i]?, self.link_at[j]?);
        let sizes = [i, j].map(|k| tree.links[k].columns.len());
        let entry = self.factor.locate(a, b)?;
        // of a block on the diagonal the lower triangle is read
        if a == b && r < c {
            let low = part(entry, [c, r], [sizes[1], sizes[0]]);
            let (row_stride, col_stride) = (low.col_stride, low.row_stride);
            return Some(Entry { rows: sizes[0], cols: sizes[1], row_stride, col_stride, ..low });
        }
        Some(part(entry, [r, c], sizes))
    }

    fn equation(&self, tree: &LinkTree, cut: &Cut, group: usize, link: usize) -> Option<Entry> {
        let ([a, r], [b, c]) = (self.group_at[group], self.link_at[link]?);
        let sizes = [cut.groups[group].rows.len(), tree.links[link].columns.len()];
        Some(part(self.factor.locate(a, b)?, [r, c], sizes))
    }

    /// Pairs of links in the factor of the inertia matrix neither of which carries the other.
    pub fn inertia_fill(&self, tree: &LinkTree) -> usize {
        let mut fill = 0;
        for outer in 0..tree.links.len() {
            let on: Vec<usize> = carriers(tree, outer).collect();
            let held = |inner: &usize| self.inertia(tree, outer, *inner).is_some() && !on.contains(inner);
            fill += (0..outer).filter(held).count();
        }
        fill
    }

    fn failure(&self, tree: &LinkTree, cut: &Cut, pivot: &ZeroPivot) -> ZeroPivot {
        let of_link = |&k: &usize| (tree.links[k].hold.map_or(usize::MAX, |hold| hold.group), 0);
        let of_cut = || {
            let found = (0..cut.groups.len()).rev().find(|&g| {
                let [block, row] = self.group_at[g];
                block == pivot.block && row <= pivot.row
            });
            found.map_or((0, 0), |g| (cut.groups[g].group, pivot.row - self.group_at[g][1]))
        };
        let (block, row) = self.links.get(pivot.block).map_or_else(of_cut, of_link);
        ZeroPivot { block, row, ..*pivot }
    }
}

impl Dense {
    fn solve(
        &mut self,
        tree: &LinkTree,
        cut: &Cut,
        values: &mut [f64],
        x: &mut [f64],
    ) -> Result<(), ZeroPivot> {
        let (n, m) = (self.columns, self.rows);
        let (inertia, t) = values.split_at_mut(n * n);
        let (z, lam) = x.split_at_mut(n);
        self.inertia.factor(inertia, VANISHING).map_err(|pivot| {
            let link = tree.links.iter().find(|l| l.columns.contains(&pivot.row));
            let block = link.and_then(|l| l.hold).map_or(usize::MAX, |hold| hold.group);
            ZeroPivot { block, row: 0, ..pivot }
        })?;
        self.inertia.forward_many(inertia, z, 1);
        if m > 0 {
            // T = L^-1 Phi^T, S = T^T T, right side T^T z - tau
            self.inertia.forward_many(inertia, t, m);
            self.s.fill(0.0);
            lam.iter_mut().for_each(|tau| *tau = -*tau);
            for (row, z) in t.chunks_exact(m).zip(&*z) {
                for i in 0..m {
                    let k = row[i];
                    // most equations do not pass most coordinates
                    if k == 0.0 {
                        continue;
                    }
                    lam[i] += k * z;
                    for (s, t) in self.s[i * m..=i * m + i].iter_mut().zip(&row[..=i]) {
                        *s += k * t;
                    }
                }
            }
            cut.compliance.iter().for_each(|&(row, c)| self.s[row * m + row] += c);
            self.schur.factor(&mut self.s, VANISHING).map_err(|pivot| cut.failure(&pivot))?;
            self.schur.solve(&self.s, lam);
            for (row, z) in t.chunks_exact(m).zip(&mut *z) {
                *z -= row.iter().zip(&*lam).map(|(t, l)| t * l).sum::<f64>();
            }
        }
        self.inertia.backward(inertia, z);
        Ok(())
    }
}
