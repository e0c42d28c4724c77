//! Exact derivatives of the reduced equations [Negrut 1998, section 3.2.1], four columns at a time.

mod kernels;

use super::jacobian::CoordinateJacobian;
use super::partition::Partition;
use super::plane::Plane;
use super::reduced::Reduced;
use super::slopes::Slopes;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::element::basic::First;
use crate::integrate::Linearisation;
use crate::linalg::FourWide;
use crate::linalg::lanes::{Machine, on_machine};
use crate::system::{Derivatives, FloatingInstant, System};
use kernels::differentiate;

/// Room for the derivatives of all dependent quantities with respect to the independent coordinates and, in one
/// more column, to time. Matrices are panels of four columns, one after the other.
#[derive(Clone, Debug)]
pub struct Tangent {
    /// Coordinates, equations, independent coordinates, panels.
    n: usize,
    m: usize,
    dof: usize,
    panels: usize,
    /// Column in which each coordinate is the variable; `usize::MAX` for dependent ones.
    column_of: Vec<usize>,
    /// (place, coordinate) of the entries of each row of the Jacobian, along the pivots.
    first: Vec<u32>,
    entries: Vec<(u32, u32)>,
    /// The same of those in independent coordinates alone.
    free: Vec<u32>,
    free_entries: Vec<(u32, u32)>,
    /// dx/dv.
    p: Vec<FourWide>,
    /// dx'/dv.
    j: Vec<FourWide>,
    /// M dx/dv.
    mp: Vec<FourWide>,
    /// Derivatives of the forces less inertia forces in position and in velocity.
    f: Vec<FourWide>,
    g: Vec<FourWide>,
    /// Derivatives of the acceleration equations in position and in velocity.
    a1: Vec<FourWide>,
    a2: Vec<FourWide>,
    /// Phi_u^-T (M dx/dv)_u.
    y: Vec<FourWide>,
    /// Factors of Mhat and their exchanges, where accelerations depend on time.
    mass: Vec<f64>,
    exchange: Vec<usize>,
    /// What panels have of the coordinates of a plane.
    z: Vec<FourWide>,
    machine: Machine,
}

impl Tangent {
    /// Structure for a partition.
    pub fn new(system: &System, jacobian: &CoordinateJacobian, partition: &Partition) -> Self {
        let (n, m, dof) = (system.velocities(), partition.rows.len(), partition.independent.len());
        let panels = (dof + 1).div_ceil(4);
        let mut column_of = vec![usize::MAX; n];
        partition.independent.iter().enumerate().for_each(|(k, &c)| column_of[c] = k);
        let (mut first, mut entries) = (vec![0], Vec::new());
        let (mut free, mut free_entries) = (vec![0], Vec::new());
        for &row in &partition.rows {
            let own = jacobian.rows[row].iter().map(|&(place, c)| (place as u32, c as u32));
            free_entries.extend(own.clone().filter(|&(_, c)| column_of[c as usize] != usize::MAX));
            free.push(free_entries.len() as u32);
            entries.extend(own);
            first.push(entries.len() as u32);
        }
        let room = |rows: usize| vec![[0.0; 4]; rows * panels];
        Self {
            n,
            m,
            dof,
            panels,
            column_of,
            first,
            entries,
            free,
            free_entries,
            p: room(n),
            j: room(n),
            mp: room(n),
            f: room(n),
            g: room(n),
            a1: room(m),
            a2: room(m),
            y: room(m),
            mass: vec![0.0; dof * dof],
            exchange: vec![0; dof],
            z: vec![[0.0; 4]; dof],
            machine: system.arithmetic.machine(),
        }
    }

    /// Place and coordinate of the entries of the equation of a pivot.
    pub fn row(&self, pivot: usize) -> &[(u32, u32)] {
        &self.entries[self.first[pivot] as usize..self.first[pivot + 1] as usize]
    }

    /// The same of its entries in independent coordinates.
    pub fn free_row(&self, pivot: usize) -> &[(u32, u32)] {
        &self.free_entries[self.free[pivot] as usize..self.free[pivot + 1] as usize]
    }

    /// Derivatives with respect to independent coordinate `k`, and to its rate, of the balance of forces in the
    /// row of a coordinate: A dx/dv - Q_x' dx'/dv with A = (M x'')_x + (Phi_x^T lam)_x - Q_x, and -Q_x' dx/dv.
    pub fn force(&self, k: usize, coordinate: usize) -> [f64; 2] {
        let at = k / 4 * self.n + coordinate;
        [self.f[at][k % 4], self.g[at][k % 4]]
    }

    /// The same of gamma - Phi_x x'' in the equation of a pivot.
    pub fn acceleration_equation(&self, k: usize, pivot: usize) -> [f64; 2] {
        let at = k / 4 * self.m + pivot;
        [self.a1[at][k % 4], self.a2[at][k % 4]]
    }

    /// Subtracts `push (by_x dx/dv)` from the balance of forces, for each of several forces that go with positions.
    pub(super) fn add_to_forces(&mut self, push: &[f64], by_x: &[f64]) {
        let n = self.n.max(1);
        for (push, by_x) in push.chunks_exact(n).zip(by_x.chunks_exact(n)) {
            for panel in 0..self.panels {
                let own = panel * n..(panel + 1) * n;
                let mut along = [0.0; 4];
                for (p, x) in self.p[own.clone()].iter().zip(by_x).filter(|(_, x)| **x != 0.0) {
                    along.iter_mut().zip(p).for_each(|(sum, p)| *sum += x * p);
                }
                for (f, push) in self.f[own].iter_mut().zip(push).filter(|(_, push)| **push != 0.0) {
                    f.iter_mut().zip(along).for_each(|(f, along)| *f -= push * along);
                }
            }
        }
    }

    /// What a force on all coordinates does on those of the form, P^T force.
    pub(super) fn forces_along(&self, force: &[f64], out: &mut [f64]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out = self.column(k).zip(force).map(|(p, force)| p * force).sum();
        }
    }

    /// What a reaction r with W, Phi_u^-T (M W^T)_u and R_x makes of column `k`, or of the last one, time: W (M dx/dv)_u where
    /// there is mass, W g_u + .. (gamma - Phi_x x'')_x', and W f_u + .. (gamma - Phi_x x'')_x - R_x dx/dv.
    pub(super) fn reaction_column(
        &self,
        k: usize,
        dependent: &[usize],
        [row, curve]: [&[f64]; 2],
        by_x: &[f64],
        mass: bool,
    ) -> [f64; 3] {
        let (panel, lane) = (k / 4, k % 4);
        let (q, e) = (panel * self.n, panel * self.m);
        let mut sums = [0.0; 3];
        for (w, &c) in row.iter().zip(dependent) {
            if mass {
                sums[0] += w * self.mp[q + c][lane];
            }
            sums[1] += w * self.g[q + c][lane];
            sums[2] += w * self.f[q + c][lane];
        }
        for (pivot, x) in curve.iter().enumerate() {
            sums[1] += x * self.a2[e + pivot][lane];
            sums[2] += x * self.a1[e + pivot][lane];
        }
        for (x, p) in by_x.iter().zip(&self.p[q..]).filter(|(x, _)| **x != 0.0) {
            sums[2] -= x * p[lane];
        }
        sums
    }

    /// Derivatives of all coordinates with respect to independent coordinate `k`, where they were evaluated last.
    pub fn column(&self, k: usize) -> impl Iterator<Item = f64> {
        self.p[k / 4 * self.n..][..self.n].iter().map(move |x| x[k % 4])
    }
}

/// What the kernels read.
struct KernelInputs<'a> {
    system: &'a System,
    derivatives: &'a Derivatives,
    slopes: &'a Slopes,
    partition: &'a Partition,
    plane: Option<&'a Plane>,
    equation: &'a [usize],
    values: &'a [f64],
    rates: &'a [First],
    floating: &'a [FloatingInstant],
}

impl Reduced<'_> {
    /// Mhat, M1, M2 and f_t at the instant at hand, whose accelerations are solved.
    pub(in crate::dynamics) fn linearise_exact(&mut self, out: &mut Linearisation) -> Result<(), Trouble> {
        self.differentiate(Some(out))?;
        self.solve_time_column(out)
    }

    /// The tangent at the instant at hand, whose accelerations are solved and where the chart is based, and Mhat, M1,
    /// M2 if they are wanted.
    pub(in crate::dynamics) fn differentiate(
        &mut self,
        out: Option<&mut Linearisation>,
    ) -> Result<(), Trouble> {
        // derivatives in (r, p), contracted to those of the chart, contracted with dx/dv
        debug_assert!(self.is_at_base(), "equations are linearised where the chart is based");
        let Dynamics { system, work, result, .. } = &self.mechanism;
        let joints = system.layout.rows;
        self.multipliers[..joints].copy_from_slice(&result.lam);
        self.multipliers[joints..].fill(0.0);
        system.coordinate_accelerations(work, &result.acc, &mut self.qddot);
        system.evaluate_derivatives(work, &self.qddot, &self.multipliers, &mut self.derivatives);
        self.slopes.read(system, work, &result.acc, &self.multipliers, &self.derivatives);
        self.factor_here()?;
        let mut tangent = std::mem::replace(&mut self.tangent, Tangent::empty());
        let numbers = &KernelInputs {
            system: self.mechanism.system,
            derivatives: &self.derivatives,
            slopes: &self.slopes,
            partition: &self.partition,
            plane: self.plane.as_ref(),
            equation: &self.jacobian.equation,
            values: &self.values,
            rates: &self.mechanism.work.rates,
            floating: &self.mechanism.work.floating,
        };
        let (to, mut out) = (&mut tangent, out);
        let wanted = out.as_deref_mut();
        on_machine!(to.machine, differentiate, (to: &mut Tangent, numbers: &KernelInputs, wanted: Option<&mut Linearisation>));
        self.tangent = tangent;
        if self.mechanism.system.forces_read { self.add_reactions(out) } else { Ok(()) }
    }

    /// Mhat f_t = right side, which is in `f_t`.
    fn solve_time_column(&mut self, out: &mut Linearisation) -> Result<(), Trouble> {
        if out.f_t.iter().all(|x| *x == 0.0) {
            return Ok(());
        }
        let Tangent { mass, exchange, .. } = &mut self.tangent;
        let lu = crate::linalg::DenseLu::new(out.f_t.len());
        mass.copy_from_slice(&out.mhat);
        lu.factor(mass, exchange, 0.0).map_err(|_| Trouble::Partition)?;
        lu.solve(mass, exchange, &mut out.f_t);
        Ok(())
    }
}

impl Tangent {
    fn empty() -> Self {
        Self {
            n: 0,
            m: 0,
            dof: 0,
            panels: 0,
            column_of: Vec::new(),
            first: Vec::new(),
            entries: Vec::new(),
            free: Vec::new(),
            free_entries: Vec::new(),
            p: Vec::new(),
            j: Vec::new(),
            mp: Vec::new(),
            f: Vec::new(),
            g: Vec::new(),
            a1: Vec::new(),
            a2: Vec::new(),
            y: Vec::new(),
            mass: Vec::new(),
            exchange: Vec::new(),
            z: Vec::new(),
            machine: Machine::detect(),
        }
    }
}
