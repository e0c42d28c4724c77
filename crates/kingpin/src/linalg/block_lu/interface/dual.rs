//! Iterations on forces between copies of unknowns: FETI-DP, mixed multipliers, range space.

use super::gmres::{InterfaceOperator, ResidualSolution, Rest, minimal_residuals};
use super::locals::{LocalFactor, ShareMatrix};
use super::{AtInterfaces, each};
use crate::linalg::InterfaceWay;
use crate::linalg::block_lu::{BlockLu, PivotScalar};

/// What may be left of gaps between copies; rounds on what is left of forces go on from there.
const GAPS: Rest = Rest { part: 1e-9, rounding: 1e-15, most: 300 };

/// What preconditions forces between copies: blocks of single interfaces, for who has no primal motions.
#[derive(Debug, Default)]
pub(super) struct DualLinks<T> {
    groups: Vec<Option<LocalFactor<T>>>,
}

impl<T: PivotScalar> DualLinks<T> {
    /// The metric C A^-1 C^T interface by interface.
    pub fn new(lu: &BlockLu, at: &AtInterfaces<T>) -> Self {
        if at.team.way() != InterfaceWay::Range {
            return Self::default();
        }
        // for each group and each owner, what its copies of the links of the group do to each other
        let (plan, team) = (at.plan, at.team);
        let of_domain = |domain: usize| {
            plan.groups.iter().enumerate().flat_map(move |(group, links)| {
                let own = links.iter().enumerate().filter_map(move |(k, &link)| {
                    let link = &plan.links[link];
                    let end = link.domains.iter().position(|&d| d == domain)?;
                    Some((k, link.unknowns[end], if end == 0 { 1.0 } else { -1.0 }))
                });
                // a link in the middle of three owners has one end here, and so has the next
                Some((group, own.collect::<Vec<_>>())).filter(|(_, own)| !own.is_empty())
            })
        };
        let Some(tied) = &at.factor.tied else { return Self::default() };
        let found: Vec<Vec<T>> = each(team, |place, domain| {
            let mut out = Vec::new();
            for (_, own) in of_domain(domain) {
                for &(_, unknown, sign) in &own {
                    let mut x = vec![T::ZERO; plan.parts[domain].size];
                    x[unknown] = T::real(sign);
                    let n = x.len();
                    tied[place].solve(n, &mut x);
                    out.extend(own.iter().map(|&(_, other, sign)| x[other].times(T::real(sign))));
                }
            }
            out
        });
        let lengths: Vec<usize> = (0..plan.parts.len())
            .map(|domain| of_domain(domain).map(|(_, own)| own.len().pow(2)).sum())
            .collect();
        let all = team.gather(found.into_iter().flatten(), |domain| lengths[domain]);
        let mut metrics: Vec<ShareMatrix<T>> =
            plan.groups.iter().map(|links| ShareMatrix::zero(links.len())).collect();
        let mut given = all.into_iter();
        for domain in 0..plan.parts.len() {
            for (group, own) in of_domain(domain) {
                let metric = &mut metrics[group];
                for &(j, ..) in &own {
                    for (&(i, ..), x) in own.iter().zip(&mut given) {
                        let to = &mut metric.numbers[i * metric.n + j];
                        *to = to.plus(x);
                    }
                }
            }
        }
        Self { groups: metrics.iter().map(|metric| LocalFactor::new(metric, lu)).collect() }
    }
}

/// Forces between copies as unknowns.
struct Forces<'a, T>(&'a AtInterfaces<'a, T>);

impl<T: PivotScalar> Forces<'_, T> {
    /// What forces do to the copies of each sub-domain of this rank, with weights of the other copy or without.
    fn spread(&self, forces: &[T], weighed: bool) -> Vec<Vec<T>> {
        let (plan, team) = (self.0.plan, self.0.team);
        let mut out: Vec<Vec<T>> = team.own().map(|domain| vec![T::ZERO; plan.parts[domain].size]).collect();
        let first = team.own().start;
        for (link, force) in plan.links.iter().zip(forces) {
            for end in [0, 1] {
                let (domain, other) = (link.domains[end], link.domains[1 - end]);
                if team.own().contains(&domain) {
                    let weight =
                        if weighed { self.0.factor.weights[other][link.unknowns[1 - end]] } else { 1.0 };
                    let sign = if end == 0 { weight } else { -weight };
                    let to = &mut out[domain - first][link.unknowns[end]];
                    *to = to.plus(force.times(T::real(sign)));
                }
            }
        }
        out
    }

    /// Gaps between copies of what all sub-domains have.
    fn gaps(&self, own: Vec<Vec<T>>, weighed: bool) -> Vec<T> {
        let (plan, team) = (self.0.plan, self.0.team);
        let size = |domain: usize| plan.parts[domain].size;
        let cut = own.into_iter().zip(team.own()).flat_map(|(x, domain)| x.into_iter().take(size(domain)));
        let all = team.gather(cut, size);
        let starts: Vec<usize> = plan
            .parts
            .iter()
            .scan(0, |start, part| Some(std::mem::replace(start, *start + part.size)))
            .collect();
        let of = |link: &super::plan::CopyLink| {
            let ends = [0, 1].map(|end| {
                let (domain, other) = (link.domains[end], link.domains[1 - end]);
                let weight = if weighed { self.0.factor.weights[other][link.unknowns[1 - end]] } else { 1.0 };
                all[starts[domain] + link.unknowns[end]].times(T::real(if end == 0 {
                    weight
                } else {
                    -weight
                }))
            });
            ends[0].plus(ends[1])
        };
        plan.links.iter().map(of).collect()
    }
}

impl<T: PivotScalar> InterfaceOperator<T> for Forces<'_, T> {
    /// Gaps that forces open.
    fn apply(&self, x: &[T]) -> Vec<T> {
        self.gaps(self.0.tied(&self.spread(x, false)), false)
    }

    fn precondition(&self, r: &[T]) -> Vec<T> {
        let groups = &self.0.factor.links.groups;
        if groups.is_empty() {
            // forces that the sub-domains need for the gaps, each held elsewhere
            let copies = self.spread(r, true);
            let locals = &self.0.factor.locals;
            return self.gaps(each(self.0.team, |at, _| locals[at].times(&copies[at])), true);
        }
        let mut out = r.to_vec();
        for (links, metric) in self.0.plan.groups.iter().zip(groups) {
            if let Some(metric) = metric {
                let mut own: Vec<T> = links.iter().map(|&link| r[link]).collect();
                metric.solve(&mut own);
                links.iter().zip(own).for_each(|(&link, x)| out[link] = x);
            }
        }
        out
    }
}

impl<T: PivotScalar> AtInterfaces<'_, T> {
    /// Displacements at interfaces by forces on them, through the forces between copies.
    pub(super) fn dual(&self, b: &[T]) -> ResidualSolution<T> {
        let forces = Forces(self);
        let mut given = self.weighed_copies(b);
        let free = self.tied(&given);
        let gaps = forces.gaps(free, false);
        let between = if gaps.is_empty() {
            ResidualSolution { x: Vec::new(), iterations: 0, converged: true }
        } else {
            minimal_residuals(&forces, &gaps, GAPS)
        };
        let spread = forces.spread(&between.x, false);
        for (given, spread) in given.iter_mut().zip(&spread) {
            given.iter_mut().zip(spread).for_each(|(x, by)| *x = x.plus(by.times(T::real(-1.0))));
        }
        let own = self.tied(&given).into_iter().zip(self.team.own());
        let cut = own.map(|(mut x, domain)| {
            x.truncate(self.plan.parts[domain].size);
            x
        });
        ResidualSolution { x: self.sum(cut.collect(), true), ..between }
    }
}
