//! Exact derivatives of the reduced equations [thesis, section 3.2.1], four columns at a time.

use super::jacobian::CoordinateJacobian;
use super::mechanism::Trouble;
use super::partition::Partition;
use super::reduced::Reduced;
use crate::integrate::Linearisation;
use crate::linalg::Four;
use crate::linalg::lanes::{Lanes, Machine, on_machine};
use crate::system::{Derivatives, System, rotation_mass};

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
    /// Du/dv by columns, for predictions.
    dudv: Vec<f64>,
    /// dq/dv.
    p: Vec<Four>,
    /// dq'/dv.
    j: Vec<Four>,
    /// M dq/dv.
    mp: Vec<Four>,
    /// Derivatives of the forces less inertia forces in position and in velocity.
    f: Vec<Four>,
    g: Vec<Four>,
    /// Derivatives of the acceleration equations in position and in velocity.
    a1: Vec<Four>,
    a2: Vec<Four>,
    /// Phi_u^-T (M dq/dv)_u.
    y: Vec<Four>,
    /// Rotation part of the mass matrix of each body.
    rotation: Vec<[[f64; 4]; 4]>,
    /// Factors of Mhat and their exchanges, where accelerations depend on time.
    mass: Vec<f64>,
    exchange: Vec<usize>,
    machine: Machine,
}

impl Tangent {
    /// Structure for a partition.
    pub fn new(system: &System, jacobian: &CoordinateJacobian, partition: &Partition) -> Self {
        let (n, m, dof) = (system.coordinates(), partition.rows.len(), partition.independent.len());
        let panels = (dof + 1).div_ceil(4);
        let mut column_of = vec![usize::MAX; n];
        partition.independent.iter().enumerate().for_each(|(k, &c)| column_of[c] = k);
        let (mut first, mut entries) = (vec![0], Vec::new());
        for &row in &partition.rows {
            entries.extend(jacobian.rows[row].iter().map(|&(place, c)| (place as u32, c as u32)));
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
            dudv: vec![0.0; m * dof],
            p: room(n),
            j: room(n),
            mp: room(n),
            f: room(n),
            g: room(n),
            a1: room(m),
            a2: room(m),
            y: room(m),
            rotation: vec![[[0.0; 4]; 4]; system.normalisations()],
            mass: vec![0.0; dof * dof],
            exchange: vec![0; dof],
            machine: system.arithmetic.machine(),
        }
    }

    /// Evaluates du/dv alone, with the factors of Phi_u at hand and the numbers they were made of.
    pub fn predict_with(&mut self, partition: &Partition, values: &[f64]) {
        self.dudv.fill(0.0);
        for k in 0..self.m {
            for &(place, c) in &self.entries[self.first[k] as usize..self.first[k + 1] as usize] {
                let column = self.column_of[c as usize];
                if column != usize::MAX {
                    self.dudv[column * self.m + k] -= values[place as usize];
                }
            }
        }
        self.dudv.chunks_exact_mut(self.m.max(1)).for_each(|column| partition.lu.solve(column));
    }

    /// du/dv by columns, for predictions.
    pub fn slopes(&self) -> &Vec<f64> {
        &self.dudv
    }

    /// The same, to be replaced.
    pub fn slopes_mut(&mut self) -> &mut Vec<f64> {
        &mut self.dudv
    }

    /// Derivatives with respect to independent coordinate `k`, and to its rate, of the balance of forces in the
    /// row of a coordinate: A dq/dv - Q_q' dq'/dv with A = (M q'')_q + (Phi_q^T lam)_q - Q_q, and -Q_q' dq/dv.
    pub fn force(&self, k: usize, coordinate: usize) -> [f64; 2] {
        let at = k / 4 * self.n + coordinate;
        [self.f[at][k % 4], self.g[at][k % 4]]
    }

    /// The same of gamma - Phi_q q'' in the equation of a pivot.
    pub fn acceleration_equation(&self, k: usize, pivot: usize) -> [f64; 2] {
        let at = k / 4 * self.m + pivot;
        [self.a1[at][k % 4], self.a2[at][k % 4]]
    }

    /// Derivatives of the dependent coordinates, along the pivots, with respect to independent coordinate `k`,
    /// where they were evaluated last.
    pub fn column(&self, k: usize) -> &[f64] {
        &self.dudv[k * self.m..][..self.m]
    }
}

/// What the kernels read.
struct Numbers<'a> {
    system: &'a System,
    derivatives: &'a Derivatives,
    partition: &'a Partition,
    equation: &'a [Option<usize>],
    values: &'a [f64],
}

impl Reduced<'_> {
    /// Mhat, M1, M2 and f_t at the instant at hand, whose accelerations are solved.
    pub(super) fn linearise_exact(&mut self, out: &mut Linearisation) -> Result<(), Trouble> {
        self.differentiate(Some(out))?;
        self.solve_time_column(out)
    }

    /// The tangent at the instant at hand, whose accelerations are solved, and Mhat, M1, M2 if they are wanted.
    pub(super) fn differentiate(&mut self, out: Option<&mut Linearisation>) -> Result<(), Trouble> {
        let system = self.mechanism.system;
        let joints = system.layout.rows;
        self.multipliers[..joints].copy_from_slice(&self.mechanism.result.lam);
        self.multipliers[joints..].fill(0.0);
        let (work, derivatives) = (&self.mechanism.work, &mut self.derivatives);
        system.evaluate_derivatives(work, &self.qddot, &self.multipliers, derivatives);
        add_normalisation_multipliers(system, &self.q, &self.multipliers, derivatives);
        self.factor_exact()?;
        let mut tangent = std::mem::replace(&mut self.tangent, Tangent::empty());
        for (b, rotation) in tangent.rotation.iter_mut().enumerate() {
            *rotation = rotation_mass(&self.mechanism.work.bodies[b].p, &system.inertia[b].tensor);
        }
        let numbers = &Numbers {
            system,
            derivatives: &self.derivatives,
            partition: &self.partition,
            equation: &self.jacobian.equation,
            values: self.values(),
        };
        let to = &mut tangent;
        on_machine!(to.machine, differentiate, (to: &mut Tangent, numbers: &Numbers, out: Option<&mut Linearisation>));
        self.tangent = tangent;
        Ok(())
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
            dudv: Vec::new(),
            p: Vec::new(),
            j: Vec::new(),
            mp: Vec::new(),
            f: Vec::new(),
            g: Vec::new(),
            a1: Vec::new(),
            a2: Vec::new(),
            y: Vec::new(),
            rotation: Vec::new(),
            mass: Vec::new(),
            exchange: Vec::new(),
            machine: Machine::detect(),
        }
    }
}

/// The multipliers of the normalisations from the balance of forces along p, and what they add to
/// (Phi_q^T lam)_q: inertia forces have no component along p.
fn add_normalisation_multipliers(system: &System, q: &[f64], lam: &[f64], d: &mut Derivatives) {
    if system.normalisations() == 0 {
        return;
    }
    for b in 0..system.bodies() {
        let p = &q[b * 7 + 3..b * 7 + 7];
        let radial: f64 = (0..4).map(|k| p[k] * d.force[b * 7 + 3 + k]).sum();
        for k in 3..7 {
            d.lam_q[(b * 7 + k) * 7 + k] += radial;
        }
    }
    for block in &system.layout.blocks {
        let first = system.layout.groups[block.group].rows.start;
        let p = &q[block.body * 7 + 3..block.body * 7 + 7];
        let mut radial = 0.0;
        for r in 0..block.rows {
            let row = &d.phi_q[(block.before + r) * 7 + 3..][..4];
            radial += lam[first + r] * (0..4).map(|k| p[k] * row[k]).sum::<f64>();
        }
        for k in 3..7 {
            d.lam_q[(block.body * 7 + k) * 7 + k] -= radial;
        }
    }
}

#[inline(always)]
fn add<L: Lanes>(lanes: L, k: f64, x: Four, to: &mut Four) {
    *to = lanes.store4(lanes.mul_add4(lanes.splat4(k), lanes.load4(x), lanes.load4(*to)));
}

#[inline(always)]
fn differentiate<L: Lanes>(lanes: L, to: &mut Tangent, of: &Numbers, out: Option<&mut Linearisation>) {
    let (n, m) = (to.n, to.m);
    for panel in 0..to.panels {
        let (q, e) = (panel * n..(panel + 1) * n, panel * m..(panel + 1) * m);
        positions(to, of, panel, q.clone(), e.clone());
        velocities(lanes, to, of, panel, q.clone(), e.clone());
        if out.is_some() {
            masses(lanes, to, of, q.clone(), e.clone());
        }
        forces(lanes, to, of, panel, q);
    }
    for k in 0..to.dof {
        let (panel, lane) = (k / 4, k % 4);
        for (u, &c) in to.dudv[k * m..(k + 1) * m].iter_mut().zip(&of.partition.dependent) {
            *u = to.p[panel * n + c][lane];
        }
    }
    if let Some(out) = out {
        contract(lanes, to, out);
    }
}

/// dq/dv: units in the independent rows, -Phi_u^-1 Phi_v (and -Phi_u^-1 Phi_t) in the others.
#[inline(always)]
fn positions(
    to: &mut Tangent,
    of: &Numbers,
    panel: usize,
    q: std::ops::Range<usize>,
    e: std::ops::Range<usize>,
) {
    let x = &mut to.a1[e];
    for (k, x) in x.iter_mut().enumerate() {
        *x = [0.0; 4];
        for &(place, c) in &to.entries[to.first[k] as usize..to.first[k + 1] as usize] {
            let column = to.column_of[c as usize];
            if column / 4 == panel {
                x[column % 4] -= of.values[place as usize];
            }
        }
        if to.dof / 4 == panel {
            let phi_t = of.equation[of.partition.rows[k]].map_or(0.0, |row| of.derivatives.phi_t[row]);
            x[to.dof % 4] -= phi_t;
        }
    }
    of.partition.lu.solve_four(x);
    let p = &mut to.p[q];
    p.fill([0.0; 4]);
    for (x, &c) in x.iter().zip(&of.partition.dependent) {
        p[c] = *x;
    }
    for (k, &c) in of.partition.independent.iter().enumerate() {
        if k / 4 == panel {
            p[c][k % 4] = 1.0;
        }
    }
}

/// dq'/dv = -Phi_u^-1 (Phi_q q')_q dq/dv, and the derivatives of gamma - Phi_q q''.
#[inline(always)]
fn velocities<L: Lanes>(
    lanes: L,
    to: &mut Tangent,
    of: &Numbers,
    panel: usize,
    q: std::ops::Range<usize>,
    e: std::ops::Range<usize>,
) {
    let (d, blocks) = (of.derivatives, of.derivatives.phi_q.len());
    let (p, j) = (&to.p[q.clone()], &mut to.j[q]);
    let (a1, a2, rate) = (&mut to.a1[e.clone()], &mut to.a2[e.clone()], &mut to.y[e]);
    let time = to.dof / 4 == panel;
    for k in 0..to.m {
        let (mut r, mut x1, mut x2) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        for &(place, c) in &to.entries[to.first[k] as usize..to.first[k + 1] as usize] {
            let (place, x) = (place as usize, p[c as usize]);
            let (by_rate, by_q, by_qdot) = if place < blocks {
                (d.rate_q[place], d.gamma_q[place] - d.acc_q[place], d.gamma_qdot[place])
            } else {
                let norm = &d.normalisation[(place - blocks) / 4];
                let k = (place - blocks) % 4;
                (norm.rate_p[k], -norm.acc_p[k], norm.gamma_pdot[k])
            };
            add(lanes, -by_rate, x, &mut r);
            add(lanes, by_q, x, &mut x1);
            add(lanes, by_qdot, x, &mut x2);
        }
        if time && let Some(row) = of.equation[of.partition.rows[k]] {
            r[to.dof % 4] -= d.phi_tt[row];
            x1[to.dof % 4] += d.gamma_t[row];
        }
        (rate[k], a1[k], a2[k]) = (r, x1, x2);
    }
    of.partition.lu.solve_four(rate);
    j.fill([0.0; 4]);
    for (x, &c) in rate.iter().zip(&of.partition.dependent) {
        j[c] = *x;
    }
    // gamma depends on the velocities too
    for k in 0..to.m {
        for &(place, c) in &to.entries[to.first[k] as usize..to.first[k + 1] as usize] {
            let place = place as usize;
            let by_qdot = if place < blocks {
                d.gamma_qdot[place]
            } else {
                d.normalisation[(place - blocks) / 4].gamma_pdot[(place - blocks) % 4]
            };
            add(lanes, by_qdot, j[c as usize], &mut a1[k]);
        }
    }
}

/// M dq/dv and y = Phi_u^-T (M dq/dv)_u.
#[inline(always)]
fn masses<L: Lanes>(
    lanes: L,
    to: &mut Tangent,
    of: &Numbers,
    q: std::ops::Range<usize>,
    e: std::ops::Range<usize>,
) {
    let (nq, d) = (of.system.nq(), of.system.dimensions());
    let (p, mp) = (&to.p[q.clone()], &mut to.mp[q]);
    for (b, inertia) in of.system.inertia.iter().enumerate() {
        let (p, mp) = (&p[b * nq..(b + 1) * nq], &mut mp[b * nq..(b + 1) * nq]);
        mp.fill([0.0; 4]);
        for k in 0..d {
            add(lanes, inertia.mass, p[k], &mut mp[k]);
        }
        match to.rotation.get(b) {
            None => add(lanes, inertia.tensor[0][0], p[2], &mut mp[2]),
            Some(rotation) => {
                for i in 0..4 {
                    for k in 0..4 {
                        add(lanes, rotation[i][k], p[3 + k], &mut mp[3 + i]);
                    }
                }
            }
        }
    }
    let y = &mut to.y[e];
    for (y, &c) in y.iter_mut().zip(&of.partition.dependent) {
        *y = mp[c];
    }
    of.partition.lu.solve_transposed_four(y);
}

/// f = ((M q'')_q + (Phi_q^T lam)_q - Q_q) dq/dv - Q_q' dq'/dv, less Q_t in the column of time; g = -Q_q' dq/dv.
#[inline(always)]
fn forces<L: Lanes>(lanes: L, to: &mut Tangent, of: &Numbers, panel: usize, q: std::ops::Range<usize>) {
    let (nq, d) = (of.system.nq(), of.derivatives);
    let (p, j) = (&to.p[q.clone()], &to.j[q.clone()]);
    let (f, g) = (&mut to.f[q.clone()], &mut to.g[q]);
    f.fill([0.0; 4]);
    g.fill([0.0; 4]);
    if to.dof / 4 == panel {
        f.iter_mut().zip(&d.force_t).for_each(|(f, q_t)| f[to.dof % 4] = -q_t);
    }
    for (k, &(a, b)) in of.system.layout.pairs.iter().enumerate() {
        let (x, xdot) = (&p[b * nq..(b + 1) * nq], &j[b * nq..(b + 1) * nq]);
        for i in 0..nq {
            let (f, g) = (&mut f[a * nq + i], &mut g[a * nq + i]);
            for l in 0..nq {
                let at = (k * nq + i) * nq + l;
                let mut by_q = d.lam_q[at] - d.force_q[at];
                if a == b {
                    by_q += d.mass_q[at];
                }
                let by_qdot = -d.force_qdot[at];
                if by_q != 0.0 {
                    add(lanes, by_q, x[l], f);
                }
                if by_qdot != 0.0 {
                    add(lanes, by_qdot, xdot[l], f);
                    add(lanes, by_qdot, x[l], g);
                }
            }
        }
    }
}

/// Mhat = P^T M P, M1 = P^T g + y^T a2, M2 = P^T f + y^T a1; minus the column of time of M2 to `f_t`.
#[inline(always)]
fn contract<L: Lanes>(lanes: L, to: &Tangent, out: &mut Linearisation) {
    let (n, m, dof) = (to.n, to.m, to.dof);
    for left in 0..to.panels {
        let (p, y) = (&to.p[left * n..(left + 1) * n], &to.y[left * m..(left + 1) * m]);
        for right in 0..to.panels {
            let (q, e) = (right * n..(right + 1) * n, right * m..(right + 1) * m);
            let mass = product(lanes, p, &to.mp[q.clone()], [[0.0; 4]; 4]);
            let damping = product(lanes, p, &to.g[q.clone()], [[0.0; 4]; 4]);
            let damping = product(lanes, y, &to.a2[e.clone()], damping);
            let stiffness = product(lanes, p, &to.f[q], [[0.0; 4]; 4]);
            let stiffness = product(lanes, y, &to.a1[e], stiffness);
            for i in 0..(dof - (4 * left).min(dof)).min(4) {
                for k in 0..(dof - (4 * right).min(dof)).min(4) {
                    let at = 4 * left + i + (4 * right + k) * dof;
                    out.mhat[at] = mass[i][k];
                    out.m1[at] = damping[i][k];
                    out.m2[at] = stiffness[i][k];
                }
                if right == dof / 4 {
                    out.f_t[4 * left + i] = -stiffness[i][dof % 4];
                }
            }
        }
    }
}

/// `start + a^T b` of two panels.
#[inline(always)]
fn product<L: Lanes>(lanes: L, a: &[Four], b: &[Four], start: [Four; 4]) -> [Four; 4] {
    let mut sums = start.map(|s| lanes.load4(s));
    for (a, b) in a.iter().zip(b) {
        let b = lanes.load4(*b);
        for i in 0..4 {
            sums[i] = lanes.mul_add4(lanes.splat4(a[i]), b, sums[i]);
        }
    }
    sums.map(|s| lanes.store4(s))
}
