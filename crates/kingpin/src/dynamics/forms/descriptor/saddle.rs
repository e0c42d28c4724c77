//! The integration Jacobian of the descriptor form.

use super::memory::SaddleNumbers;
use super::pair::SaddlePair;
use crate::dynamics::forms::plane::combine;
use crate::dynamics::forms::reduced::Reduced;
use crate::integrate::{IterationMatrix, StageWeights};
use crate::system::{System, Work, moving};
use kingpin_sparse::{Pivots, SparseError, SparseLu};

/// The derivative of the equations of motion with respect to (x'', lam), where the independent coordinates and
/// their rates move with their accelerations and the dependent ones follow [Negrut 1998, section 3.3]:
///
/// ```text
/// [ M     Phi_x^T ]   plus, in the column      b (A Hh - Q_x' Jh) - g Q_x' Hh
/// [ Phi_x    0    ]   of each independent one  b (((Phi_x x'')_x - gamma_x) Hh - gamma_x' Jh) - g gamma_x' Hh
/// ```
///
/// with A = (M x'')_x + (Phi_x^T lam)_x - Q_x, Hh = dx/dv, Jh = dx'/dv and the weights g and b of the acceleration in
/// velocity and position, in the chart of the step where it is based: there Phi_x = Phi_v. Coordinates first, then
/// the equations that are kept. In the tangent plane its coordinates z = L x follow as unknowns of their own: the columns
/// are theirs, and so are the rows [-L 0 I].
#[derive(Clone, Debug, Default)]
pub struct Saddle {
    /// Coordinates chosen when the pattern was made.
    pub(super) independent: Vec<usize>,
    pub(super) lu: Option<SparseLu>,
    /// The pattern by columns.
    pub(super) columns: Vec<usize>,
    pub(super) rows: Vec<usize>,
    /// Places of the unknowns of a stage in a right side.
    pub(super) places: Vec<usize>,
    /// Numbers of the matrix without the additional columns, and of the whole.
    pub(super) fixed: Vec<f64>,
    pub(super) values: Vec<f64>,
    /// Places of the mass matrix, body by body.
    pub(super) mass: Vec<usize>,
    /// Places of the mass of inertances and flexible bodies: pairs of their velocities, by rows.
    pub(super) coupled: Vec<usize>,
    /// Of each number of Phi_x: its place among those numbers, in Phi_x and in Phi_x^T.
    pub(super) phi: Vec<[usize; 3]>,
    /// Forces that go with reactions: the reaction, coordinate, equation, and place of -Q_r R_lam.
    pub(super) reactions: Vec<[usize; 4]>,
    /// Places of -L, coordinate by coordinate, and of I; none without a plane.
    pub(super) level: Vec<usize>,
    pub(super) ones: Vec<usize>,
    /// Coordinates and equations.
    pub(super) inner: usize,
    /// An acceleration of all coordinates.
    pub(super) lifted: Vec<f64>,
    /// V of the plane.
    pub(super) basis: Option<Vec<f64>>,
    /// The additional columns.
    pub(super) added: Vec<Added>,
    /// For each of their numbers: row, coordinate, and the number for the weights at hand.
    pub(super) moves: Vec<(u32, u32, f64)>,
    /// Numbers for which the pivots were chosen.
    pub(super) pivoted: Vec<f64>,
    /// A right side and its solution.
    pub(super) right: Vec<f64>,
    pub(super) weights: StageWeights,
    pub(super) pair: SaddlePair,
    /// What time alone changes of the balance of forces and of the equations, as a right side.
    pub(super) time: Vec<f64>,
    /// Right side of a linear stage: accelerations and displacements of the independent coordinates, weight of time.
    accelerations: Vec<f64>,
    displacements: Vec<f64>,
    time_weight: f64,
    /// Numbers that wait for the equations they belong to.
    pub(super) remembered: Option<SaddleNumbers>,
}

/// A number of an additional column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Added {
    pub(super) place: usize,
    /// Independent coordinate.
    pub(super) column: usize,
    /// What it belongs to.
    pub(super) of: Of,
    /// Its parts that b and g multiply.
    pub(super) position: f64,
    pub(super) velocity: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    Coordinate(usize),
    Pivot(usize),
}

impl Saddle {
    /// Copies the linearised equations of a tangent just evaluated. Symbolic work where the coordinates are new.
    pub(super) fn read(&mut self, reduced: &Reduced) -> Result<(), SparseError> {
        if self.lu.is_none() || self.independent != reduced.partition.independent {
            self.analyse(reduced)?;
        }
        let (system, d) = (reduced.mechanism.system, reduced.mechanism.system.dimensions());
        // [M Phi_x^T; Phi_x 0], which the weights of a step leave as it is
        self.coupled.iter().for_each(|&place| self.fixed[place] = 0.0);
        let mut places = self.mass.iter();
        let mut put = |x: f64| places.next().into_iter().for_each(|&place| self.fixed[place] = x);
        for (node, inertia) in system.nodes.iter().zip(&system.inertia) {
            (0..node.places).for_each(|_| put(inertia.mass));
            if !node.turns() {
                continue;
            }
            if d == 2 {
                put(inertia.tensor[0][0]);
            } else {
                inertia.tensor.as_flattened().iter().for_each(|x| put(*x));
            }
        }
        self.reactions.iter().for_each(|&[.., place]| self.fixed[place] = 0.0);
        for &[number, row, column] in &self.phi {
            let x = reduced.mechanism.work.phi_v[number];
            (self.fixed[row], self.fixed[column]) = (x, x);
        }
        self.add_inertances(system, &reduced.mechanism.work);
        let (n, m) = (system.velocities(), system.layout.rows);
        for &[k, coordinate, equation, place] in &self.reactions {
            let own = &reduced.reactions;
            self.fixed[place] -= own.push[k * n + coordinate] * own.by_lam[k * m + equation];
        }
        if let Some(plane) = &reduced.plane {
            self.level.iter().zip(plane.rows()).for_each(|(&place, l)| self.fixed[place] = -l);
            self.ones.iter().for_each(|&place| self.fixed[place] = 1.0);
            self.basis.iter_mut().for_each(|basis| basis.clone_from(plane.basis()));
        }
        // what positions and velocities add to it, in the columns of the independent accelerations
        for added in &mut self.added {
            [added.position, added.velocity] = match added.of {
                Of::Coordinate(c) => reduced.tangent.force(added.column, c),
                Of::Pivot(e) => reduced.tangent.acceleration_equation(added.column, e).map(|x| -x),
            };
        }
        let (forces, equations) = self.time.split_at_mut(reduced.x.len());
        let last = self.independent.len();
        forces.iter_mut().enumerate().for_each(|(c, x)| *x = -reduced.tangent.force(last, c)[0]);
        for (e, &row) in reduced.partition.rows.iter().enumerate() {
            equations[row] = reduced.tangent.acceleration_equation(last, e)[0];
        }
        Ok(())
    }

    /// b g_v^T g_v of inertances and the mass of flexible bodies, added to that of the nodes.
    fn add_inertances(&mut self, system: &System, work: &Work) {
        let mut places = self.coupled.iter();
        for (inertance, rate) in system.inertances.iter().zip(&work.rates) {
            for (a, _, rows) in moving(system, &inertance.basic) {
                for (b, _, columns) in moving(system, &inertance.basic) {
                    for i in &rate.row[a][..rows.len()] {
                        for (j, &place) in rate.row[b][..columns.len()].iter().zip(&mut places) {
                            self.fixed[place] += inertance.amount * i * j;
                        }
                    }
                }
            }
        }
        for (body, own) in system.floating.iter().zip(&work.floating) {
            system.floating_entries(body, own, |_, _, m| {
                if let Some(&place) = places.next() {
                    self.fixed[place] += m;
                }
            });
        }
    }

    /// Solves for the right side at hand in place; no numbers where that fails.
    pub(super) fn solve(&mut self) {
        let solved = self.lu.as_mut().is_some_and(|lu| lu.solve(&mut self.right).is_ok());
        if !solved {
            self.right.fill(f64::NAN);
        }
    }

    /// Adds to the right side what the additional columns make of the solution `x`.
    pub(super) fn add_columns(&mut self, x: &[f64]) {
        for &(row, coordinate, number) in &self.moves {
            self.right[row as usize] += number * x[coordinate as usize];
        }
    }

    /// Adds `weight [M; Phi_x] x` of accelerations x of the independent coordinates to the right side.
    fn add_inertia(&mut self, weight: f64, x: &[f64]) {
        let Self { basis, lifted, independent, columns, rows, fixed, right, inner, .. } = self;
        match basis {
            Some(basis) => combine(basis, x, lifted),
            None => independent.iter().zip(x).for_each(|(&c, x)| lifted[c] = *x),
        }
        for (c, x) in lifted.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            for place in (columns[c]..columns[c + 1]).filter(|&place| rows[place] < *inner) {
                right[rows[place]] += weight * fixed[place] * x;
            }
        }
    }

    /// Adds `weight [A Hh - Q_x' Jh; ...] x` of displacements x of the independent coordinates to the right side.
    fn add_stiffness(&mut self, weight: f64, x: &[f64]) {
        for added in &self.added {
            self.right[self.rows[added.place]] += weight * added.position * x[added.column];
        }
    }

    /// Solves for the right side at hand; the part of the independent coordinates.
    fn solve_independent(&mut self, out: &mut [f64]) {
        self.solve();
        out.iter_mut().zip(&self.places).for_each(|(out, &c)| *out = self.right[c]);
    }
}

/// The rates are a part of the solution for a right side in all coordinates and equations: no matrix of the independent
/// coordinates is formed.
impl IterationMatrix for Saddle {
    /// The pivots chosen last.
    const LASTING: bool = true;

    /// Its size follows from the equations when they are read.
    fn new(n: usize) -> Self {
        Self { accelerations: vec![0.0; n], displacements: vec![0.0; n], ..Self::default() }
    }

    fn factor(&mut self, weights: StageWeights) -> Result<(), usize> {
        let (g, b) = (weights.velocity, weights.position());
        self.weights = weights;
        self.values.copy_from_slice(&self.fixed);
        for (added, (_, _, number)) in self.added.iter().zip(&mut self.moves) {
            *number = b * added.position + g * added.velocity;
            self.values[added.place] += *number;
        }
        match self.lu.as_mut().map(|lu| lu.refactor(&self.values)) {
            Some(Ok(pivots)) => {
                if pivots == Pivots::Chosen {
                    self.pivoted.clone_from(&self.values);
                }
                Ok(())
            }
            Some(Err(SparseError::Singular { column })) => Err(column),
            _ => Err(0),
        }
    }

    fn factor_pair(&mut self, g: [f64; 2]) -> Result<(), usize> {
        self.factor_complex(g.into()).map_err(|error| match error {
            SparseError::Singular { column } => column / 2,
            _ => 0,
        })
    }

    fn weigh(&mut self, x: &mut [f64]) {
        self.right.fill(0.0);
        for (&c, x) in self.places.iter().zip(&*x) {
            for place in self.columns[c]..self.columns[c + 1] {
                self.right[self.rows[place]] += self.fixed[place] * x;
            }
        }
        x.copy_from_slice(&self.right);
    }

    fn solve_lack(&mut self, x: &mut [f64]) {
        self.right.copy_from_slice(x);
        self.solve();
        x.iter_mut().zip(&self.places).for_each(|(x, &place)| *x = self.right[place]);
    }

    fn solve_pair(&mut self, re: &mut [f64], im: &mut [f64]) {
        self.solve_complex(re, im);
    }

    fn solve_mass(&mut self, x: &mut [f64]) {
        self.right.fill(0.0);
        self.add_inertia(1.0, x);
        self.solve_independent(x);
    }

    /// For `x = (position, velocity)` the right side is `[M; Phi_x] x' - g [A Hh - Q_x' Jh; ...] x`.
    fn solve_first_order(&mut self, x: &mut [f64]) {
        let g = self.weights.ratio;
        let (position, velocity) = x.split_at_mut(self.independent.len());
        self.right.fill(0.0);
        self.add_inertia(1.0, velocity);
        self.add_stiffness(-g, position);
        self.solve_independent(velocity);
        position.iter_mut().zip(velocity).for_each(|(p, v)| *p += g * *v);
    }

    fn begin(&mut self) {
        self.accelerations.fill(0.0);
        self.displacements.fill(0.0);
        self.time_weight = 0.0;
    }

    fn add_acceleration(&mut self, weight: f64, a: &[f64]) {
        self.accelerations.iter_mut().zip(a).for_each(|(x, a)| *x += weight * a);
    }

    fn add_time(&mut self, weight: f64) {
        self.time_weight += weight;
    }

    fn add_displacement(&mut self, weight: f64, v: &[f64]) {
        self.displacements.iter_mut().zip(v).for_each(|(x, v)| *x += weight * v);
    }

    fn solve_stage(&mut self, inertia: f64, stiffness: f64, x: &mut [f64]) {
        let accelerations = std::mem::take(&mut self.accelerations);
        let displacements = std::mem::take(&mut self.displacements);
        let time = inertia * self.time_weight;
        self.right.iter_mut().zip(&self.time).for_each(|(right, t)| *right = time * t);
        self.add_inertia(inertia, &accelerations);
        self.add_stiffness(stiffness, &displacements);
        (self.accelerations, self.displacements) = (accelerations, displacements);
        self.solve_independent(x);
    }
}
