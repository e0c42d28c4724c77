//! Mass that couples bodies, for solvers that know the mass of single bodies alone.
//!
//! M + J^T B J with the rates J v of inertances and B = diag(b): their forces lam = B (J v)' are further unknowns, and
//!
//! ```text
//! [ M  Phi_v^T  J^T ] [ v' ]   [ Q     ]
//! [ Phi_v           ] [lam ] = [ gamma ]
//! [ J         -B^-1 ] [lam ]   [ -J' v ]
//! ```
//!
//! is the same problem over the block-diagonal M: rows that yield. S has B^-1 more on its diagonal, so every solver
//! takes them, no body grows, and what is definite stays so. Constant mass that points share is factored once instead
//! where that pays ([`Folding`]): it needs no rows. What a flexible body has of mass over its nodes is L L^T, so that its
//! rows are L^T, with an amount of one each, and all that is quadratic in velocities is among the forces.

use super::folding::Folding;
use super::problem::{Numbers, Problem};
use crate::element::floating::FloatingBody;
use crate::system::{Block, System, Work, moving};
use crate::topology::{Link, Wish};

/// A problem with coupled mass as solvers see it, and the way there.
#[derive(Clone, Debug)]
pub(super) struct CoupledProblem {
    /// What solvers see.
    pub problem: Problem,
    /// Numbers of Phi_v with those of inertances, before bodies are folded.
    numbers: usize,
    folding: Folding,
}

impl CoupledProblem {
    /// For a system with inertances.
    pub fn new(system: &System, plain: &Problem) -> CoupledProblem {
        let mut folding = Folding::new(system, plain);
        let rows = with_rows(system, plain, &folding);
        let numbers = rows.numbers;
        let problem = if folding.is_empty() { rows } else { folding.fold(&rows) };
        CoupledProblem { problem, numbers, folding }
    }
}

/// The force lam = b g'' of each inertance is one more unknown, and g_v v' - lam / b = -(g_v v)' at v' = 0 its equation.
fn with_rows(system: &System, plain: &Problem, folding: &Folding) -> Problem {
    let mut problem = plain.unsearched();
    for inertances in folding.remaining(system) {
        let (group, rows) = (problem.groups.len(), inertances.len());
        let mut bodies = Vec::with_capacity(2);
        for (_, body, columns) in moving(system, &inertances[0].basic) {
            let (at, nv, nq) = (problem.numbers, columns.len(), problem.nodes[body].nq);
            problem.blocks.push(Block { group, body, rows, at, at_q: 0, v: columns.start, nv, nq });
            problem.nonzero.extend(std::iter::repeat_n(true, rows * nv));
            problem.numbers += rows * nv;
            bodies.push(body);
        }
        let first = problem.rows;
        let yields = inertances.iter().enumerate().map(|(k, one)| (first + k, 1.0 / one.amount));
        problem.compliance.extend(yields);
        problem.groups.push(first..first + rows);
        problem.rows += rows;
        problem.links.push(Link { bodies, equations: rows, freedoms: None, wish: Wish::Either });
        problem.whole.push(!inertances[0].basic.is_relative());
    }
    for body in &system.floating {
        floating_rows(system, body, &mut problem);
    }
    problem.all_rows = problem.rows;
    problem.renumber();
    problem
}

/// Rows of a flexible body: one per amplitude, then those of its frame alone.
fn floating_rows(system: &System, body: &FloatingBody, problem: &mut Problem) {
    let (group, d, axes) = (problem.groups.len(), system.dimensions(), system.turning_axes());
    let (count, rows) = (body.amplitudes.len(), body.amplitudes.len() + axes);
    for (k, node) in body.nodes().enumerate() {
        let (at, columns, nq) = (problem.numbers, system.nodes.v(node), problem.nodes[node].nq);
        let nv = columns.len();
        problem.blocks.push(Block { group, body: node, rows, at, at_q: 0, v: columns.start, nv, nq });
        let filled = |row: usize, column: usize| {
            if k > 0 { row + 1 == k } else { column >= d && (row < count || column - d >= row - count) }
        };
        problem.nonzero.extend((0..rows * nv).map(|number| filled(number / nv, number % nv)));
        problem.numbers += rows * nv;
    }
    let first = problem.rows;
    problem.compliance.extend((first..first + rows).map(|row| (row, 1.0)));
    problem.groups.push(first..first + rows);
    problem.rows += rows;
    let bodies = body.nodes().collect();
    problem.links.push(Link { bodies, equations: rows, freedoms: None, wish: Wish::Either });
    problem.whole.push(true);
}

/// The problem as solvers see it, and room for its numbers.
#[derive(Clone, Debug)]
pub struct Coupled {
    /// The problem.
    pub problem: Problem,
    folding: Folding,
    phi_v: Vec<f64>,
    gamma: Vec<f64>,
    /// Phi_v and Q where bodies are folded.
    folded: [Vec<f64>; 2],
}

impl Coupled {
    /// For a system with inertances; `None` for one whose mass is that of its bodies.
    pub fn new(plain: &Problem) -> Option<Coupled> {
        let CoupledProblem { problem, numbers, folding } = plain.found.coupled.get()?.clone();
        let (phi_v, gamma) = (vec![0.0; numbers], vec![0.0; problem.rows]);
        let sizes = if folding.is_empty() { [0; 2] } else { [problem.numbers, problem.nodes.velocities()] };
        Some(Coupled { problem, folding, phi_v, gamma, folded: sizes.map(|size| vec![0.0; size]) })
    }

    /// The numbers of an instant with those of inertances. No allocation. O(numbers)
    pub fn gather<'a>(
        &'a mut self,
        system: &System,
        work: &Work,
        plain: Numbers<'a>,
    ) -> (&'a Problem, Numbers<'a>) {
        let (mut at, mut row) = (plain.phi_v.len(), plain.gamma.len());
        self.phi_v[..at].copy_from_slice(plain.phi_v);
        self.gamma[..row].copy_from_slice(plain.gamma);
        let (mut rates, mut folded) = (&work.rates[..], self.folding.folded.iter());
        for inertances in system.grouped_inertances() {
            let (own, rest) = rates.split_at(inertances.len());
            rates = rest;
            if folded.next() == Some(&true) {
                continue;
            }
            for (side, _, columns) in moving(system, &inertances[0].basic) {
                for rate in own {
                    let end = at + columns.len();
                    self.phi_v[at..end].copy_from_slice(&rate.row[side][..columns.len()]);
                    at = end;
                }
            }
            for rate in own {
                self.gamma[row] = -rate.curvature;
                row += 1;
            }
        }
        let (axes, d) = (system.turning_axes(), system.dimensions());
        for (body, own) in system.floating.iter().zip(&work.floating) {
            let (count, nv) = (body.amplitudes.len(), system.nodes[body.frame].nv);
            let rows = count + axes;
            let (frame, scalars) = self.phi_v[at..at + rows * (nv + count)].split_at_mut(rows * nv);
            frame.fill(0.0);
            scalars.fill(0.0);
            own.rows(&body.constants.masses, axes, |k, turn, own| {
                frame[k * nv + d..][..axes].copy_from_slice(&turn[..axes]);
                if k < count {
                    scalars[k * rows + k] = own;
                }
            });
            at += rows * (nv + count);
            self.gamma[row..row + rows].fill(0.0);
            row += rows;
        }
        let mut numbers = Numbers { phi_v: &self.phi_v, gamma: &self.gamma, ..plain };
        if !self.folding.is_empty() {
            let [phi_v, force] = &mut self.folded;
            self.folding.apply(&self.problem.nodes, &numbers, phi_v, force);
            (numbers.phi_v, numbers.force) = (phi_v, force);
        }
        (&self.problem, numbers)
    }

    /// Accelerations of the nodes from those that a solver gives. No allocation.
    pub fn finish(&self, acc: &mut [f64]) {
        self.folding.unfold(&self.problem.nodes, acc);
    }
}
