//! The integration Jacobian column by column through the factor of the acceleration problem [Negrut 1998, appendix A].

use super::partition::Partition;
use super::reduced::Reduced;
use crate::accel::{Elimination, Gathered, Numbers, Problem};
use crate::dynamics::instant::Trouble;
use crate::integrate::Linearisation;

/// The factor of the acceleration problem and room for a column.
#[derive(Clone, Debug)]
pub struct Columns {
    elimination: Elimination,
    gathered: Gathered,
    /// Pivot of each kept equation.
    pivots: Vec<usize>,
    force: Vec<f64>,
    gamma: Vec<f64>,
    acc: Vec<f64>,
    lam: Vec<f64>,
}

impl Columns {
    fn new(reduced: &Reduced) -> Columns {
        let (system, problem) = (reduced.mechanism.system, &reduced.mechanism.accelerator.problem);
        let elimination = Elimination::new(problem, reduced.mechanism.accelerator.plan());
        let mut columns = Columns {
            elimination,
            gathered: Gathered::default(),
            pivots: vec![0; reduced.partition.rows.len()],
            force: vec![0.0; system.velocities()],
            gamma: vec![0.0; problem.rows],
            acc: vec![0.0; system.velocities()],
            lam: vec![0.0; problem.rows],
        };
        columns.renumber(&reduced.partition);
        columns
    }

    /// Follows another choice of coordinates.
    pub fn renumber(&mut self, partition: &Partition) {
        partition.rows.iter().enumerate().for_each(|(pivot, &row)| self.pivots[row] = pivot);
    }

    /// Multiplications of the columns of `dof` coordinates, of their rates and of time: the reduced matrix factored
    /// (`entries^2 / rows`), then for each column a forward and a backward substitution and two products with Phi_v.
    fn operations(entries: usize, problem: &Problem, dof: usize) -> usize {
        let column = 2 * entries + 2 * problem.numbers + 4 * problem.nodes.velocities();
        entries * entries / problem.rows.max(1) + (2 * dof + 1) * column
    }

    /// The column of coordinate `k` or of its rate, or of time, to `out`: the independent part of
    /// K^-1 [-f; a], where f and a are what the tangent has.
    fn column(&mut self, reduced: &Reduced, numbers: &[f64], k: usize, by: usize, out: &mut [f64]) {
        let problem = &reduced.mechanism.accelerator.problem;
        for (c, force) in self.force.iter_mut().enumerate() {
            *force = -reduced.tangent.force(k, c)[by];
        }
        for (row, gamma) in self.gamma.iter_mut().enumerate() {
            *gamma = reduced.tangent.acceleration_equation(k, self.pivots[row])[by];
        }
        let numbers = &Numbers { phi_v: numbers, gamma: &self.gamma, force: &self.force, bodies: &[] };
        problem.start(numbers, &mut self.acc, &mut self.lam);
        for block in &problem.blocks {
            let first = problem.groups[block.group].start;
            let x = &self.acc[block.columns()];
            for r in 0..block.rows {
                let row = &numbers.phi_v[block.row(r)];
                self.lam[first + r] += row.iter().zip(x).map(|(a, b)| a * b).sum::<f64>();
            }
        }
        self.elimination.solve_again(&mut self.lam);
        problem.accelerations(numbers, &self.lam, &mut self.acc);
        reduced.read(&self.acc, out);
    }
}

impl Reduced<'_> {
    /// Whether columns take less work than the reduced equations: their multiplications are counted against
    /// `D^2 (3 n + 2 m) + D (4 n + entries of Phi_u)` of the products Mhat, M1 and M2 for n coordinates, m equations
    /// and D columns, four of which are done at once.
    pub(in crate::dynamics) fn prefers_columns(&mut self) -> bool {
        if self.mechanism.system.is_coupled() || self.mechanism.system.forces_read {
            return false;
        }
        let (n, m, dof) = (self.x.len(), self.partition.rows.len(), self.partition.independent.len());
        let d = 4 * (dof + 1).div_ceil(4);
        let products = (d * d * (3 * n + 2 * m) + d * (4 * n + self.partition.lu.entries())) / 4;
        // an order of elimination takes long to find, and is not needed where blocks on the diagonal are too many
        let problem = &self.mechanism.accelerator.problem;
        let diagonal = problem.groups.iter().map(|rows| rows.len() * rows.len()).sum();
        if Columns::operations(diagonal, problem, dof) >= products {
            return false;
        }
        let columns = self.columns.take().unwrap_or_else(|| Columns::new(self));
        let entries = columns.elimination.entries();
        self.columns = Some(columns);
        Columns::operations(entries, &self.mechanism.accelerator.problem, dof) < products
    }

    /// J1, J2 and f_t at the instant at hand, whose accelerations are solved; Mhat is the identity.
    pub(in crate::dynamics) fn linearise_by_columns(
        &mut self,
        out: &mut Linearisation,
    ) -> Result<(), Trouble> {
        self.differentiate(None)?;
        let mut columns = self.columns.take().unwrap_or_else(|| Columns::new(self));
        let (work, problem) = (&self.mechanism.work, &self.mechanism.accelerator.problem);
        let mut gathered = std::mem::take(&mut columns.gathered);
        let numbers = problem.gather(work, &mut gathered).phi_v;
        let factored = columns.elimination.refactor(problem, numbers);
        if factored.is_ok() {
            let dof = self.partition.independent.len();
            out.mhat.fill(0.0);
            for k in 0..dof {
                out.mhat[k * dof + k] = 1.0;
                columns.column(self, numbers, k, 0, &mut out.m2[k * dof..(k + 1) * dof]);
                columns.column(self, numbers, k, 1, &mut out.m1[k * dof..(k + 1) * dof]);
            }
            out.m1.iter_mut().chain(&mut out.m2).for_each(|x| *x = -*x);
            columns.column(self, numbers, dof, 0, &mut out.f_t);
        }
        columns.gathered = gathered;
        self.columns = Some(columns);
        factored.map_err(|_| Trouble::Partition)
    }
}
