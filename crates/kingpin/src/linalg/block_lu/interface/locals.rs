//! The matrices of sub-domains over their copies of the unknowns at interfaces.

use super::InterfacePlan;
use super::plan::{LocalPart, SharedBlock};
use crate::linalg::block_lu::border::DomainBorder;
use crate::linalg::block_lu::team::DomainTeam;
use crate::linalg::block_lu::{BlockFactor, BlockLu, BlockTarget, PivotScalar};

/// A square matrix, by rows.
pub(crate) struct ShareMatrix<T> {
    pub n: usize,
    pub numbers: Vec<T>,
}

impl<T: PivotScalar> ShareMatrix<T> {
    pub fn zero(n: usize) -> Self {
        Self { n, numbers: vec![T::ZERO; n * n] }
    }

    fn add(&mut self, i: usize, j: usize, x: T) {
        let at = &mut self.numbers[i * self.n + j];
        *at = at.plus(x);
    }

    pub fn times(&self, x: &[T]) -> Vec<T> {
        let row = |row: &[T]| row.iter().zip(x).fold(T::ZERO, |sum, (a, x)| sum.plus(a.times(*x)));
        self.numbers.chunks_exact(self.n.max(1)).take(self.n).map(row).collect()
    }
}

/// A factor of a dense matrix.
#[derive(Debug)]
pub(crate) struct LocalFactor<T> {
    lu: BlockLu,
    factor: BlockFactor<T>,
}

impl<T: PivotScalar> LocalFactor<T> {
    /// None where it is singular.
    pub fn new(matrix: &ShareMatrix<T>, of: &BlockLu) -> Option<Self> {
        let mut lu = BlockLu::analyse(&[matrix.n], &[], &[0], usize::MAX);
        lu.machine = of.machine;
        let mut factor = BlockFactor::new(&lu);
        let fill = |_: usize, values: &mut [T]| values.copy_from_slice(&matrix.numbers);
        lu.factor_filled(&mut factor, 1e-14, &fill).ok()?;
        Some(Self { lu, factor })
    }

    pub fn solve(&self, x: &mut [T]) {
        self.lu.solve(&self.factor, x);
    }
}

/// A factor of [S C^T; C 0], where C has the primal motions of a sub-domain by rows.
pub(crate) struct TiedFactor<T> {
    factor: LocalFactor<T>,
    /// What C is multiplied by in the factor, so that its pivots are of the size of those of S.
    scale: T,
}

impl<T: PivotScalar> TiedFactor<T> {
    /// None where it is singular.
    pub fn new(local: &ShareMatrix<T>, part: &LocalPart, of: &BlockLu) -> Option<Self> {
        let (n, ties) = (part.size, part.primal.len());
        let all = n + ties;
        let largest = local.numbers.iter().fold(0.0, |most: f64, x| most.max(x.magnitude()));
        let scale = if largest > 0.0 { largest } else { 1.0 };
        let mut matrix = ShareMatrix::<T>::zero(all);
        let rows = matrix.numbers.chunks_exact_mut(all.max(1)).zip(local.numbers.chunks_exact(n.max(1)));
        rows.for_each(|(to, from)| to[..n].copy_from_slice(from));
        for (tie, (_, weights)) in part.primal.iter().enumerate() {
            for &(unknown, weight) in weights {
                matrix.numbers[(n + tie) * all + unknown] = T::real(scale * weight);
                matrix.numbers[unknown * all + n + tie] = T::real(scale * weight);
            }
        }
        Some(Self { factor: LocalFactor::new(&matrix, of)?, scale: T::real(scale) })
    }

    /// Solves for n unknowns and what ties them, in place.
    pub fn solve(&self, n: usize, x: &mut [T]) {
        x[n..].iter_mut().for_each(|x| *x = x.times(self.scale));
        self.factor.solve(x);
        x[n..].iter_mut().for_each(|x| *x = x.times(self.scale));
    }
}

/// For each node of a border the sum of its blocks with the inside, in directions of space, by rows: three by three
/// numbers each. Values are those of the sub-domain before it is factored, and begin at `base`.
pub(in crate::linalg::block_lu) fn inner_sums<T: PivotScalar>(
    lu: &BlockLu,
    border: &DomainBorder,
    (values, base): (&[T], usize),
    directions: &[u8],
) -> Vec<T> {
    let mut sums = vec![T::ZERO; 9 * border.nodes.len()];
    border.each_coupling(lu, |column, node, neighbour, length| {
        let extent = neighbour.extent as usize;
        let most = usize::from(directions[column].min(directions[border.nodes[node].position]));
        let block = &values[neighbour.lower - base..];
        for i in 0..most.min(extent) {
            for j in 0..most {
                let to = &mut sums[9 * node + 3 * i + j];
                *to = to.plus(block[j * length + i]);
            }
        }
    });
    sums
}

/// What neighbours ask of nodes in directions of space, three by three numbers each: all of them together, and those of each
/// sub-domain.
struct Asked<T> {
    of_all: Vec<[T; 9]>,
    of_domain: Vec<Vec<[T; 9]>>,
}

/// What sub-domains have of the trunk, whose values begin at a place.
pub(in crate::linalg::block_lu) struct TrunkShares<'a, T> {
    pub team: &'a DomainTeam,
    pub plan: &'a InterfacePlan,
    pub trunk: (&'a [T], usize),
}

impl<T: PivotScalar> TrunkShares<'_, T> {
    fn number(&self, target: &BlockTarget, i: usize, j: usize) -> T {
        let (values, base) = self.trunk;
        values[target.at - base + i * target.by_row as usize + j * target.by_column as usize]
    }

    /// From sums of blocks with the inside of the sub-domains of this rank.
    fn asked(&self, sums: &[Vec<T>]) -> Asked<T> {
        let (team, parts) = (self.team, &self.plan.parts);
        let counts = |domain: usize| 9 * team.borders[domain].nodes.len();
        let all = team.gather(sums.iter().flatten().copied(), counts);
        let places = parts.iter().flat_map(|part| &part.nodes).map(|node| node.place + 1).max();
        let mut asked = Asked {
            of_all: vec![[T::ZERO; 9]; places.unwrap_or(0)],
            of_domain: parts.iter().map(|part| vec![[T::ZERO; 9]; part.nodes.len()]).collect(),
        };
        let mut each = all.chunks_exact(9);
        for (domain, border) in team.borders.iter().enumerate() {
            for (node, sum) in border.nodes.iter().zip(&mut each) {
                let place = node.position - team.trunk;
                (0..9).for_each(|k| asked.add(parts[domain].place_of(place), (domain, place), k, sum[k]));
            }
        }
        for block in self.plan.blocks.iter().filter(|block| block.nodes[0] != block.nodes[1]) {
            let part = T::real(1.0 / block.owners.len() as f64);
            for (&place, target) in block.nodes.iter().zip(&block.targets) {
                for (i, j) in (0..block.directions).flat_map(|i| (0..block.directions).map(move |j| (i, j))) {
                    let x = self.number(target, i, j).times(part);
                    for &owner in &block.owners {
                        asked.add(parts[owner].place_of(place), (owner, place), 3 * i + j, x);
                    }
                }
            }
        }
        asked
    }

    /// The matrices of the sub-domains of a rank, and for all sub-domains what weighs their copies: the diagonal of what each
    /// has of the trunk. Blocks between two nodes are shared alike by those who have both; of a block of one node each has
    /// what its own neighbours ask for, so that no force comes of a displacement of all, and an equal part of the rest.
    pub fn matrices(
        &self,
        (complements, sums): (&[Vec<T>], &[Vec<T>]),
    ) -> (Vec<ShareMatrix<T>>, Vec<Vec<f64>>) {
        let (own, parts, asked) = (self.team.own(), &self.plan.parts, self.asked(sums));
        let mut matrices: Vec<ShareMatrix<T>> =
            own.clone().map(|domain| ShareMatrix::zero(parts[domain].size)).collect();
        let mut weights: Vec<Vec<f64>> = parts.iter().map(|part| vec![0.0; part.size]).collect();
        for block in &self.plan.blocks {
            let [a, b] = block.nodes;
            for &owner in &block.owners {
                let (Some(at_a), Some(at_b)) = (parts[owner].place_of(a), parts[owner].place_of(b)) else {
                    continue;
                };
                let [row, column] = [at_a, at_b].map(|at| parts[owner].nodes[at].at);
                let share = |i: usize, j: usize| {
                    let part = T::real(1.0 / block.owners.len() as f64);
                    let x = self.number(&block.targets[0], i, j);
                    if a != b || i.max(j) >= block.directions {
                        return x.times(part);
                    }
                    let mine = asked.of_domain[owner][at_a][3 * i + j];
                    x.plus(asked.of_all[a][3 * i + j]).times(part).plus(mine.times(T::real(-1.0)))
                };
                if a == b {
                    (0..block.extents[0]).for_each(|i| weights[owner][row + i] = share(i, i).square().sqrt());
                }
                if let Some(matrix) = own.contains(&owner).then(|| &mut matrices[owner - own.start]) {
                    self.put(matrix, block, [row, column], &share);
                }
            }
        }
        for ((matrix, complement), domain) in matrices.iter_mut().zip(complements).zip(own) {
            let places = &parts[domain].of_border;
            for (row, &i) in complement.chunks_exact(places.len().max(1)).zip(places) {
                row.iter().zip(places).for_each(|(x, &j)| matrix.add(i, j, *x));
            }
        }
        (matrices, weights)
    }

    /// Adds a share in a block, and in the transposed one.
    fn put(
        &self,
        matrix: &mut ShareMatrix<T>,
        block: &SharedBlock,
        [row, column]: [usize; 2],
        share: &impl Fn(usize, usize) -> T,
    ) {
        let part = T::real(1.0 / block.owners.len() as f64);
        for i in 0..block.extents[0] {
            for j in 0..block.extents[1] {
                matrix.add(row + i, column + j, share(i, j));
                if block.nodes[0] != block.nodes[1] {
                    matrix.add(column + j, row + i, self.number(&block.targets[1], j, i).times(part));
                }
            }
        }
    }
}

impl<T: PivotScalar> Asked<T> {
    fn add(&mut self, at: Option<usize>, (domain, place): (usize, usize), k: usize, x: T) {
        if let Some(at) = at {
            let to = &mut self.of_domain[domain][at][k];
            *to = to.plus(x);
            self.of_all[place][k] = self.of_all[place][k].plus(x);
        }
    }
}
