//! Unknowns at interfaces by iterations: nothing of all sub-domains together is factored but a coarse problem.
//!
//! Each sub-domain has copies of the unknowns that it shares, and a matrix S over them: what it has of the trunk, less what
//! its inside makes of it. With copies tied together where motions are primal, [S C^T; C 0] gives the solution T r of a
//! sub-domain, the fields Phi that primal motions cause in it, and its part of the coarse problem. Out of these come
//! `bddc`, iterations on the unknowns themselves, and `feti-dp`, `mixed`, `range` and `global`, iterations on forces between
//! copies (without primal motions for the last two). Matrices need be neither symmetric nor definite.

mod balancing;
mod dual;
mod gmres;
mod locals;
mod plan;
mod predicted;

pub(super) use locals::inner_sums;
pub(crate) use plan::InterfacePlan;

use super::border::DomainBorder;
use super::team::DomainTeam;
use super::{BlockFactor, BlockLu, PivotScalar};
use crate::linalg::InterfaceWay;
use crate::threads::{Each, in_pieces};
use dual::DualLinks;
use gmres::{ResidualSolution, Rest, add_scaled, minimal_residuals, norm};
use locals::{LocalFactor, ShareMatrix, TiedFactor, TrunkShares};
use std::sync::OnceLock;

/// What may be left of residuals at interfaces: little beside what a direct solution leaves.
const REST: Rest = Rest { part: 1e-12, rounding: 1e-15, most: 200 };
/// Rounds of iterations on what the last has left.
const ROUNDS: usize = 4;

/// Unknowns of borders that are not worth another thread.
const SMALL: usize = 100;

/// The matrices of sub-domains at their interfaces, factored.
pub(crate) struct InterfaceFactor<T> {
    locals: Vec<ShareMatrix<T>>,
    /// [S C^T; C 0] of each sub-domain of this rank; none where one is singular.
    tied: Option<Vec<TiedFactor<T>>>,
    coarse: Option<LocalFactor<T>>,
    /// What each copy counts for, of all sub-domains: together one for each row.
    weights: Vec<Vec<f64>>,
    links: DualLinks<T>,
    /// The trunk eliminated, where iterations fail.
    eliminated: OnceLock<Option<Box<BlockFactor<T>>>>,
}

impl<T> std::fmt::Debug for InterfaceFactor<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} sub-domains at their interfaces", self.locals.len())
    }
}

/// All that an iteration at interfaces needs.
pub(super) struct AtInterfaces<'a, T> {
    team: &'a DomainTeam,
    plan: &'a InterfacePlan,
    factor: &'a InterfaceFactor<T>,
}

impl<T: PivotScalar> InterfaceFactor<T> {
    /// From the trunk, whose values begin at `base`, and what sub-domains of this rank leave there.
    pub(super) fn new(
        lu: &BlockLu,
        team: &DomainTeam,
        plan: &InterfacePlan,
        (trunk, base): (&[T], usize),
        left: (&[Vec<T>], &[Vec<T>]),
    ) -> Self {
        let (locals, diagonals) = TrunkShares { team, plan, trunk: (trunk, base) }.matrices(left);
        let weights = weights(plan, diagonals);
        let tied: Vec<Option<TiedFactor<T>>> =
            each(team, |at, domain| TiedFactor::new(&locals[at], &plan.parts[domain], lu));
        // all ranks must agree
        let found = tied.iter().map(|own| f64::from(u8::from(own.is_some())));
        let all = team.gather(found, |_| 1).iter().all(|&found| found == 1.0);
        let tied = tied.into_iter().collect::<Option<Vec<_>>>().filter(|_| all);
        let mut factor = Self {
            locals,
            tied,
            coarse: None,
            weights,
            links: DualLinks::default(),
            eliminated: OnceLock::new(),
        };
        factor.make_coarse(lu, team, plan);
        if factor.tied.is_some() && !plan.links.is_empty() {
            factor.links = DualLinks::new(lu, &AtInterfaces { team, plan, factor: &factor });
        }
        factor
    }

    /// The coarse problem: what primal motions of all sub-domains cause.
    fn make_coarse(&mut self, lu: &BlockLu, team: &DomainTeam, plan: &InterfacePlan) {
        let Some(tied) = &self.tied else { return };
        let ties = |domain: usize| plan.parts[domain].primal.len();
        let parts: Vec<Vec<T>> = each(team, |at, domain| {
            let (n, ties) = (plan.parts[domain].size, ties(domain));
            let mut out = Vec::with_capacity(ties * ties);
            for tie in 0..ties {
                let mut x = vec![T::ZERO; n + ties];
                x[n + tie] = T::real(1.0);
                tied[at].solve(n, &mut x);
                // by columns
                out.extend(x[n..].iter().map(|mu| mu.times(T::real(-1.0))));
            }
            out
        });
        let all = team.gather(parts.into_iter().flatten(), |domain| ties(domain).pow(2));
        let mut coarse = ShareMatrix::<T>::zero(plan.primal.len());
        let (n, mut rest) = (coarse.n, &all[..]);
        for (domain, part) in plan.parts.iter().enumerate() {
            let (own, behind) = rest.split_at(ties(domain).pow(2));
            for (column, (j, _)) in own.chunks_exact(ties(domain).max(1)).zip(&part.primal) {
                for (x, (i, _)) in column.iter().zip(&part.primal) {
                    coarse.numbers[i * n + j] = coarse.numbers[i * n + j].plus(*x);
                }
            }
            rest = behind;
        }
        team.cut.tally.note_coarse(n);
        if n > 0 {
            self.coarse = LocalFactor::new(&coarse, lu);
            if self.coarse.is_none() {
                self.tied = None;
            }
        }
    }

    /// Solves for the unknowns of the trunk, in place; `with` has the trunk as it is, and what sub-domains leave there.
    pub(super) fn solve(&self, lu: &BlockLu, team: &DomainTeam, with: &BlockFactor<T>, x: &mut [T]) {
        let Some(plan) = &team.plan else { return };
        let at = AtInterfaces { team, plan, factor: self };
        if x.iter().all(|x| *x == T::ZERO) {
            return;
        }
        let iterated = if self.tied.is_some() { at.iterate(x) } else { None };
        match iterated {
            Some((found, iterations)) => {
                team.cut.tally.note_solution(iterations, true);
                x.copy_from_slice(&found);
            }
            None => {
                team.cut.tally.note_solution(0, false);
                self.eliminate(lu, team, with, x);
            }
        }
    }

    /// By elimination, where iterations fail.
    fn eliminate(&self, lu: &BlockLu, team: &DomainTeam, with: &BlockFactor<T>, x: &mut [T]) {
        let made = self.eliminated.get_or_init(|| {
            let mut factor = BlockFactor::new(lu);
            let (trunk, all) = (lu.trunk(), lu.position.len());
            let base = lu.columns[trunk].at;
            factor.values[base..].copy_from_slice(&with.values[base..]);
            factor.borders = with.borders.clone();
            lu.add_complements(team, &mut factor);
            lu.factor_trunk(&mut factor, trunk..all, 0.0).ok()?;
            Some(Box::new(factor))
        });
        match made {
            Some(factor) => lu.solve_trunk(factor, x),
            None => x.fill(T::real(f64::NAN)),
        }
    }
}

impl<T: PivotScalar> AtInterfaces<'_, T> {
    /// A solution and its iterations; none where they do not converge.
    fn iterate(&self, b: &[T]) -> Option<(Vec<T>, usize)> {
        let (given, mut x, mut iterations) = (norm(b), vec![T::ZERO; b.len()], 0);
        let (mut left, mut before) = (b.to_vec(), f64::INFINITY);
        for _ in 0..ROUNDS {
            let size = norm(&left);
            if size <= REST.part * given {
                return Some((x, iterations));
            }
            // rounding errors are all that is left
            if size > 0.5 * before {
                break;
            }
            before = size;
            let ResidualSolution { x: more, iterations: took, converged } = match self.team.way() {
                InterfaceWay::Bddc | InterfaceWay::Interface | InterfaceWay::Auto => {
                    minimal_residuals(self, &left, REST)
                }
                _ => self.dual(&left),
            };
            iterations += took;
            if !converged || !norm(&more).is_finite() {
                return None;
            }
            add_scaled(T::real(1.0), &more, &mut x);
            let product = self.product(&x);
            left.iter_mut()
                .zip(b)
                .zip(&product)
                .for_each(|((left, b), p)| *left = b.plus(p.times(T::real(-1.0))));
        }
        let size = norm(&left).min(before);
        (size <= 1e-9 * given).then_some((x, iterations))
    }

    /// The copies that each sub-domain of this rank has of a vector.
    fn copies(&self, x: &[T]) -> Vec<Vec<T>> {
        each(self.team, |_, domain| self.plan.parts[domain].rows.iter().map(|&row| x[row]).collect())
    }

    /// The same with the weights of the copies.
    fn weighed_copies(&self, x: &[T]) -> Vec<Vec<T>> {
        let weights = &self.factor.weights;
        each(self.team, |_, domain| {
            let rows = self.plan.parts[domain].rows.iter().zip(&weights[domain]);
            rows.map(|(&row, weight)| x[row].times(T::real(*weight))).collect()
        })
    }

    /// The sum of what all sub-domains have for each row, in their order.
    fn sum(&self, own: Vec<Vec<T>>, weighed: bool) -> Vec<T> {
        let all = self.team.gather(own.into_iter().flatten(), |domain| self.plan.parts[domain].size);
        let mut out = vec![T::ZERO; self.plan.rows];
        let mut given = all.into_iter();
        for (part, weights) in self.plan.parts.iter().zip(&self.factor.weights) {
            for ((&row, weight), x) in part.rows.iter().zip(weights).zip(&mut given) {
                let x = if weighed { x.times(T::real(*weight)) } else { x };
                out[row] = out[row].plus(x);
            }
        }
        out
    }

    /// The trunk times a vector, sub-domain by sub-domain.
    fn product(&self, x: &[T]) -> Vec<T> {
        let copies = self.copies(x);
        self.sum(each(self.team, |at, _| self.factor.locals[at].times(&copies[at])), false)
    }

    /// Displacements of the copies that forces on them cause where primal motions are those of all.
    fn tied(&self, forces: &[Vec<T>]) -> Vec<Vec<T>> {
        let Some(tied) = &self.factor.tied else { return forces.to_vec() };
        let ties = |domain: usize| self.plan.parts[domain].primal.len();
        let held: Vec<Vec<T>> = each(self.team, |at, domain| {
            let mut x = forces[at].clone();
            let n = x.len();
            x.resize(n + ties(domain), T::ZERO);
            tied[at].solve(n, &mut x);
            x
        });
        let Some(coarse) = &self.factor.coarse else { return held };
        let size = |domain: usize| self.plan.parts[domain].size;
        let own = held.iter().zip(self.team.own()).flat_map(|(x, domain)| x[size(domain)..].iter().copied());
        let all = self.team.gather(own, ties);
        let (mut together, mut given) = (vec![T::ZERO; self.plan.primal.len()], all.into_iter());
        for part in &self.plan.parts {
            for ((number, _), x) in part.primal.iter().zip(&mut given) {
                together[*number] = together[*number].plus(x);
            }
        }
        coarse.solve(&mut together);
        each(self.team, |at, domain| {
            let (part, n) = (&self.plan.parts[domain], size(domain));
            let mut x = vec![T::ZERO; n];
            x.extend(part.primal.iter().map(|(number, _)| together[*number]));
            tied[at].solve(n, &mut x);
            x.truncate(n);
            x.iter_mut().zip(&held[at]).for_each(|(x, held)| *x = x.plus(*held));
            x
        })
    }
}

/// What comes of each sub-domain of this rank; it is told its place among them and its number.
fn each<R: Send + Sync>(team: &DomainTeam, what: impl Fn(usize, usize) -> R + Sync) -> Vec<R> {
    let first = team.own().start;
    let mut out: Vec<Option<R>> = team.own().map(|_| None).collect();
    // handing over costs as much as a product with a small matrix
    let small = team.borders.iter().all(|border| border.size < SMALL);
    let grain = if small { out.len() } else { 1 };
    in_pieces(0..out.len(), grain, Each(&mut out, 0), &|some, room: Each<Option<R>>| {
        some.zip(room.0).for_each(|(at, to)| *to = Some(what(at, first + at)));
    });
    out.into_iter().flatten().collect()
}

/// What each copy counts for: its part of the stiffness.
fn weights(plan: &InterfacePlan, mut diagonals: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let (mut sums, mut counts) = (vec![0.0; plan.rows], vec![0.0; plan.rows]);
    for (part, diagonal) in plan.parts.iter().zip(&diagonals) {
        for (&row, x) in part.rows.iter().zip(diagonal) {
            sums[row] += x;
            counts[row] += 1.0;
        }
    }
    for (part, diagonal) in plan.parts.iter().zip(&mut diagonals) {
        for (&row, x) in part.rows.iter().zip(diagonal) {
            *x = if sums[row] > 0.0 { *x / sums[row] } else { 1.0 / counts[row] };
        }
    }
    diagonals
}
