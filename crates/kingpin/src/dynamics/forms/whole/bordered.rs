//! The iteration matrix over all coordinates and multipliers.

use super::pair::ComplexBorder;
use super::skeleton::Skeleton;
use super::writing::MatrixPart;
use crate::integrate::{IterationMatrix, StageWeights, add};
use crate::linalg::BlockFactor;
use std::sync::Arc;

/// Pivots below this part of their block are none.
pub(super) const VANISHING: f64 = 1e-15;

/// The same where turns may be heavy.
pub(super) const VANISHING_LEVEL: f64 = 1e-23;

/// The equations of motion linearised in all coordinates x of the chart where it is based, for tangent vectors: those
/// that Phi_x takes to zero. With K = (M x'')_x + (Phi_x^T lam)_x - Q_x, C = -Q_x', B = (Phi_x x')_x and the normal
/// directions D = W Phi_x^T, for weights g and b of the acceleration in velocity and position,
///
/// ```text
/// [ M + g C + b K    g C D    M D      Phi_x^T ] [ U   ]   [ r1 ]
/// [ Phi_x            0        0        0       ] [ xi  ] = [ 0  ]
/// [ g B              Phi_x D  0        0       ] [ eta ]   [ r3 ]
/// [ g A4 + b A3      g A4 D   Phi_x D  0       ] [ lam ]   [ r4 ]
/// ```
///
/// with A3 = (Phi_x x'')_x - gamma_x and A4 = -gamma_x' solves for what independent coordinates would, without choosing
/// any. If the matrix need not be `EXACT`, derivatives of the velocity and acceleration equations are left out, and xi
/// and eta with them. Else X = D xi and Y = D eta are kept as unknowns, with W^-1 X - Phi_x^T xi = 0 and the like, so
/// that no clique arises in bodies with many joints.
#[derive(Clone, Debug, Default)]
pub struct Bordered<const EXACT: bool> {
    pub(super) structure: Option<Structure>,
    pub(super) numbers: Slope,
    /// [W^-1 Phi_x^T; Phi_x 0].
    level: BlockFactor<f64>,
    factor: BlockFactor<f64>,
    pub(super) weights: StageWeights,
    pub(super) pair: ComplexBorder,
    /// Room: forces, a right side of each structure, values of the equations.
    pub(super) force: Vec<f64>,
    right: Vec<f64>,
    equations: Vec<f64>,
    /// r4, where it matters.
    fourth: Vec<f64>,
    /// Right side of a linear stage.
    accelerations: Vec<f64>,
    displacements: Vec<f64>,
    time_weight: f64,
}

/// The structures of a form's matrices.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    /// Coordinates and multipliers.
    pub single: Arc<Skeleton>,
    /// The same three times, where a matrix must be exact.
    pub triple: Option<Arc<Skeleton>>,
}

/// The numbers of linearised equations: pairs of bodies, equations, and what time alone changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Slope {
    pub mass: Vec<f64>,
    pub metric: Vec<f64>,
    pub stiffness: Vec<f64>,
    pub damping: Vec<f64>,
    pub phi: Vec<f64>,
    pub rate: Vec<f64>,
    /// A3 and A4, where a matrix must be exact.
    pub acceleration: Vec<f64>,
    pub acceleration_rate: Vec<f64>,
    pub force_t: Vec<f64>,
    pub phi_tt: Vec<f64>,
    pub gamma_t: Vec<f64>,
}

impl Slope {
    /// Writes a part of the matrix for weights of a stage, with X and Y or without.
    fn write(&self, weights: StageWeights, exact: bool, part: &mut MatrixPart<f64>) {
        let (g, b) = (weights.velocity, weights.position());
        part.put_sums(&self.mass, (g, &self.damping), (b, &self.stiffness));
        part.put_border(&self.phi, |to, x| *to = x);
        if exact {
            // X, xi and the velocity equations
            part.add_pairs(g, &self.damping, [0, 1]);
            part.add_pairs(1.0, &self.metric, [1, 1]);
            part.put_below(g, &self.rate, [1, 0]);
            part.put_below(1.0, &self.phi, [1, 1]);
            part.put_beside(-1.0, &self.phi, 1);
            // Y, eta and the acceleration equations
            part.add_pairs(1.0, &self.mass, [0, 2]);
            part.add_pairs(1.0, &self.metric, [2, 2]);
            part.put_below(g, &self.acceleration_rate, [2, 1]);
            part.put_below(g, &self.acceleration_rate, [2, 0]);
            part.add_below(b, &self.acceleration, [2, 0]);
            part.put_below(1.0, &self.phi, [2, 2]);
            part.put_beside(-1.0, &self.phi, 2);
        }
    }
}

impl<const EXACT: bool> Bordered<EXACT> {
    /// Room for the matrices of a structure, unless there is.
    pub(super) fn shape(&mut self, structure: &Structure) {
        if self.structure.is_some() {
            return;
        }
        let whole = structure.triple.as_ref().unwrap_or(&structure.single);
        self.level = BlockFactor::new(&structure.single.lu);
        // three copies have equations of which preconditioners know nothing
        let room = if structure.triple.is_some() { BlockFactor::new } else { BlockFactor::iterating };
        self.factor = room(&whole.lu);
        self.right = vec![0.0; whole.lu.rows()];
        self.equations = vec![0.0; structure.single.equations()];
        self.fourth = vec![0.0; structure.single.equations()];
        self.structure = Some(structure.clone());
    }

    /// Takes over the factor of [W^-1 Phi_x^T; Phi_x 0].
    pub(super) fn set_level(&mut self, level: &BlockFactor<f64>) {
        if self.structure.as_ref().is_some_and(|structure| structure.single.equations() > 0) {
            self.level.copy_numbers(level);
        }
    }

    /// Makes that factor from the numbers at hand; whether there is one.
    pub(super) fn make_level(&mut self) -> bool {
        let (Some(structure), numbers) = (&self.structure, &self.numbers) else { return false };
        level(&structure.single, &numbers.metric, [&numbers.phi, &numbers.phi], &mut self.level)
    }

    /// The tangent part of x, in place.
    fn flatten(&mut self, x: &mut [f64]) {
        let Some(Structure { single, .. }) = &self.structure else { return };
        single.equations_times(&self.numbers.phi, x, &mut self.equations);
        let right = &mut self.right[..single.lu.rows()];
        lift(single, &self.level, &self.equations, right);
        single.with_coordinates(right, x, |x, normal| *x -= normal);
    }

    /// Solves for tangent accelerations `out` by the forces at hand; `equations` holds r3 and `fourth` r4, where they
    /// matter.
    fn solve(&mut self, out: &mut [f64]) {
        let Some(Structure { single, triple }) = &self.structure else {
            return out.fill(f64::NAN);
        };
        let whole = triple.as_ref().unwrap_or(single);
        let force = &self.force;
        whole.write_right(&mut self.right, |c| force[c], |_| 0.0);
        if triple.is_some() {
            whole.spread(1, &self.equations, &mut self.right);
            whole.spread(2, &self.fourth, &mut self.right);
        }
        whole.lu.solve(&self.factor, &mut self.right);
        whole.with_coordinates(&self.right, out, |out, x| *out = x);
    }

    /// Adds a part of the multipliers of the solution at hand.
    pub(super) fn add_multipliers(&self, part: f64, to: &mut [f64]) {
        if let Some(Structure { single, triple }) = &self.structure {
            let whole = triple.as_ref().unwrap_or(single);
            whole.with_multipliers(&self.right, to, |lam, by| *lam += part * by);
        }
    }

    /// Takes away the forces that rates cause: `out -= C dx'`.
    pub(super) fn subtract_damping(&self, rates: &[f64], out: &mut [f64]) {
        if let Some(Structure { single, .. }) = &self.structure {
            single.add_product(-1.0, &self.numbers.damping, rates, out);
        }
    }

    /// As [`solve_first_order`](IterationMatrix::solve_first_order), for a force M r_v instead of r_v. What is normal of r_p
    /// comes with it, with the opposite sign: the matrix may be that of an earlier base.
    pub(super) fn solve_multiplied(
        &mut self,
        (position, normal): (&mut [f64], &[f64]),
        force: &[f64],
        out: &mut [f64],
    ) {
        self.fourth.fill(0.0);
        add(1.0, normal, position);
        self.force.copy_from_slice(force);
        self.respond(position, out);
        add(-1.0, normal, position);
    }

    /// The same for a tangent r_p and the force at hand, where `fourth` holds Phi_x r_v.
    fn respond(&mut self, position: &mut [f64], out: &mut [f64]) {
        let g = self.weights.ratio;
        if let Some(Structure { single, .. }) = &self.structure {
            single.add_product(-g, &self.numbers.stiffness, position, &mut self.force);
            single.equations_times(&self.numbers.rate, position, &mut self.equations);
            self.equations.iter_mut().for_each(|x| *x = -*x);
        }
        self.set_fourth(-g, position, 0.0);
        self.solve(out);
        add(g, out, position);
    }

    /// M x into `force`, and Phi_x x into `fourth`.
    fn multiply_by_mass(&mut self, weight: f64, x: &[f64]) {
        self.force.fill(0.0);
        if let Some(Structure { single, .. }) = &self.structure {
            single.add_product(weight, &self.numbers.mass, x, &mut self.force);
            if EXACT {
                single.equations_times(&self.numbers.phi, x, &mut self.fourth);
                self.fourth.iter_mut().for_each(|e| *e *= weight);
            }
        }
    }

    /// Adds `weight A3 x + time gamma_t` to `fourth`. No room of `equations` is touched.
    fn set_fourth(&mut self, weight: f64, x: &[f64], time: f64) {
        let (true, Some(Structure { single, .. })) = (EXACT, &self.structure) else { return };
        let room = &mut self.right[..self.fourth.len()];
        single.equations_times(&self.numbers.acceleration, x, room);
        for ((fourth, bent), gamma_t) in self.fourth.iter_mut().zip(room).zip(&self.numbers.gamma_t) {
            *fourth += weight * *bent + time * gamma_t;
        }
    }
}

impl<const EXACT: bool> IterationMatrix for Bordered<EXACT> {
    /// Its structure follows from the equations when they are read.
    fn new(n: usize) -> Self {
        let room = || vec![0.0; n];
        Self { force: room(), accelerations: room(), displacements: room(), ..Self::default() }
    }

    fn factor(&mut self, weights: StageWeights) -> Result<(), usize> {
        self.weights = weights;
        let Some(Structure { single, triple }) = &self.structure else { return Err(0) };
        let (numbers, whole) = (&self.numbers, triple.as_ref().unwrap_or(single));
        let threshold = if EXACT { VANISHING_LEVEL } else { VANISHING };
        let write = |part: &mut MatrixPart<f64>| numbers.write(weights, triple.is_some(), part);
        let singular = whole.factor(&mut self.factor, threshold, &write);
        singular.map(|_| ()).map_err(|singular| singular.node)
    }

    fn factor_pair(&mut self, g: [f64; 2]) -> Result<(), usize> {
        self.factor_complex(g.into())
    }

    fn weigh(&mut self, x: &mut [f64]) {
        self.multiply_by_mass(1.0, x);
        x.copy_from_slice(&self.force);
    }

    fn solve_lack(&mut self, x: &mut [f64]) {
        self.force.copy_from_slice(x);
        self.equations.fill(0.0);
        self.fourth.fill(0.0);
        self.solve(x);
    }

    fn solve_pair(&mut self, re: &mut [f64], im: &mut [f64]) {
        self.solve_complex(re, im);
    }

    /// O(entries of the factor).
    fn solve_mass(&mut self, x: &mut [f64]) {
        self.multiply_by_mass(1.0, x);
        self.equations.fill(0.0);
        self.fourth.fill(0.0);
        self.solve(x);
    }

    /// `dv = U`, `dp = r_p + g U` for the tangent part of r_p and the force M r_v - g K r_p.
    fn solve_first_order(&mut self, x: &mut [f64]) {
        let (position, velocity) = x.split_at_mut(self.force.len());
        self.flatten(position);
        self.multiply_by_mass(1.0, velocity);
        self.respond(position, velocity);
    }

    fn begin(&mut self) {
        self.accelerations.fill(0.0);
        self.displacements.fill(0.0);
        self.time_weight = 0.0;
    }

    fn add_acceleration(&mut self, weight: f64, a: &[f64]) {
        add(weight, a, &mut self.accelerations);
    }

    fn add_time(&mut self, weight: f64) {
        self.time_weight += weight;
    }

    fn add_displacement(&mut self, weight: f64, v: &[f64]) {
        add(weight, v, &mut self.displacements);
    }

    /// O(entries of the factor).
    fn solve_stage(&mut self, inertia: f64, stiffness: f64, x: &mut [f64]) {
        let accelerations = std::mem::take(&mut self.accelerations);
        self.multiply_by_mass(inertia, &accelerations);
        self.accelerations = accelerations;
        add(inertia * self.time_weight, &self.numbers.force_t, &mut self.force);
        let (g, time) = (self.weights.velocity, inertia * self.time_weight);
        if let Some(Structure { single, .. }) = &self.structure {
            single.add_product(stiffness, &self.numbers.stiffness, &self.displacements, &mut self.force);
            single.equations_times(&self.numbers.rate, &self.displacements, &mut self.equations);
        }
        for (e, phi_tt) in self.equations.iter_mut().zip(&self.numbers.phi_tt) {
            *e = (stiffness * *e - time * phi_tt) / g;
        }
        let displacements = std::mem::take(&mut self.displacements);
        self.set_fourth(stiffness, &displacements, time);
        self.displacements = displacements;
        self.solve(x);
    }
}

/// Factors [metric beside^T; below 0], where the metric is that of the first pairs; whether it is regular. Without equations
/// nobody needs it.
pub(super) fn level(
    skeleton: &Skeleton,
    metric: &[f64],
    [beside, below]: [&[f64]; 2],
    out: &mut BlockFactor<f64>,
) -> bool {
    if skeleton.equations() == 0 {
        return true;
    }
    let write = |part: &mut MatrixPart<f64>| {
        part.add_pairs(1.0, metric, [0, 0]);
        part.put_beside(1.0, beside, 0);
        part.put_below(1.0, below, [0, 0]);
    };
    skeleton.factor(out, VANISHING_LEVEL, &write).is_ok()
}

/// The change D (Phi_x D)^-1 e, the least in the metric that changes the equations by e, as a solution.
pub(super) fn lift(skeleton: &Skeleton, factor: &BlockFactor<f64>, e: &[f64], right: &mut [f64]) {
    if skeleton.equations() == 0 {
        return right.fill(0.0);
    }
    skeleton.write_right(right, |_| 0.0, |k| e[k]);
    skeleton.lu.solve(factor, right);
}
