//! The matrix [M Phi^T; Phi 0] of joint coordinates and multipliers of the cut, by blocks or dense.

use super::super::elimination::VANISHING;
use super::cut::Cut;
use super::tree::{GROUND, Tree};
use crate::linalg::{BlockCholesky, BlockPattern, DenseCholesky, Entry, ZeroPivot};

/// How the matrix is stored and solved.
pub(super) enum Matrix {
    /// Blocks without fill in the inertia and only between ground and bodies in the equations
    /// [thesis, Lemmas 2 and 3].
    Sparse(Sparse),
    /// Two dense Cholesky factorisations [thesis, Algorithm 4].
    Dense(Dense),
}

/// Blocks of links with coordinates, then of groups of the cut.
pub(super) struct Sparse {
    pub factor: BlockCholesky,
    /// Block of each link.
    block_of: Vec<usize>,
    /// Link of each block.
    links: Vec<usize>,
}

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
    pub fn sparse(tree: &Tree, cut: &Cut, between: &dyn Fn(usize) -> Vec<usize>) -> Matrix {
        let links: Vec<usize> =
            (0..tree.links.len()).filter(|&k| !tree.links[k].columns.is_empty()).collect();
        let mut block_of = vec![usize::MAX; tree.links.len()];
        links.iter().enumerate().for_each(|(block, &link)| block_of[link] = block);
        let mut sizes: Vec<usize> = links.iter().map(|&k| tree.links[k].columns.len()).collect();
        let mut pairs = Vec::new();
        for (block, &link) in links.iter().enumerate() {
            let mut at = tree.links[link].inboard;
            while at != GROUND {
                if block_of[at] != usize::MAX {
                    pairs.push((block, block_of[at]));
                }
                at = tree.links[at].inboard;
            }
        }
        for group in &cut.groups {
            let block = sizes.len();
            sizes.push(group.rows.len());
            let path = between(group.group);
            pairs.extend(path.iter().map(|&l| block_of[l]).filter(|&b| b != usize::MAX).map(|b| (block, b)));
        }
        let order: Vec<usize> = (0..links.len()).rev().chain(links.len()..sizes.len()).collect();
        let pattern = BlockPattern::new(sizes, &pairs);
        let factor = BlockCholesky::analyse_saddle(&pattern, &order, cut.groups.len());
        Matrix::Sparse(Sparse { factor, block_of, links })
    }

    pub fn dense(tree: &Tree, cut: &Cut) -> Matrix {
        let whole = |n: usize| DenseCholesky::analyse(&BlockPattern::new(vec![n], &[]));
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
    pub fn inertia(&self, tree: &Tree, i: usize, j: usize) -> Option<Entry> {
        match self {
            Matrix::Sparse(m) => m.factor.locate(m.block_of[i], m.block_of[j]),
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
    pub fn equation(&self, tree: &Tree, cut: &Cut, group: usize, link: usize) -> Option<Entry> {
        match self {
            Matrix::Sparse(m) => m.factor.locate(m.links.len() + group, m.block_of[link]),
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
    pub fn solve(&mut self, tree: &Tree, cut: &Cut, values: &mut [f64], x: &mut [f64]) -> Result<(), ZeroPivot> {
        match self {
            Matrix::Sparse(m) => {
                m.factor.factor(values, VANISHING).map_err(|pivot| m.failure(tree, cut, &pivot))?;
                m.factor.solve(values, x);
                Ok(())
            }
            Matrix::Dense(m) => m.solve(tree, cut, values, x),
        }
    }
}

impl Sparse {
    /// Blocks of links in the factor that are zero in the matrix.
    pub fn inertia_fill(&self, tree: &Tree) -> usize {
        let mut fill = 0;
        for (i, &outer) in self.links.iter().enumerate() {
            let mut carriers = Vec::new();
            let mut at = tree.links[outer].inboard;
            while at != GROUND {
                carriers.push(at);
                at = tree.links[at].inboard;
            }
            let held = |j: &usize| self.factor.locate(i, *j).is_some() && !carriers.contains(&self.links[*j]);
            fill += (0..i).filter(held).count();
        }
        fill
    }

    fn failure(&self, tree: &Tree, cut: &Cut, pivot: &ZeroPivot) -> ZeroPivot {
        let of_link = |&k: &usize| (tree.links[k].hold.map_or(usize::MAX, |hold| hold.group), 0);
        let of_cut = || (cut.groups[pivot.block - self.links.len()].group, pivot.row);
        let (block, row) = self.links.get(pivot.block).map_or_else(of_cut, of_link);
        ZeroPivot { block, row, ..*pivot }
    }
}

impl Dense {
    fn solve(&mut self, tree: &Tree, cut: &Cut, values: &mut [f64], x: &mut [f64]) -> Result<(), ZeroPivot> {
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
                    lam[i] += row[i] * z;
                    let k = row[i];
                    for (s, t) in self.s[i * m..=i * m + i].iter_mut().zip(row) {
                        *s += k * t;
                    }
                }
            }
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
