//! The integration Jacobian of the descriptor form.

use super::memory::SaddleNumbers;
use super::pair::SaddlePair;
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
/// the equations that are kept.
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
    mass: Vec<usize>,
    /// Places of the mass of inertances: pairs of their velocities, by rows.
    coupled: Vec<usize>,
    /// Of each number of Phi_x: its place among those numbers, in Phi_x and in Phi_x^T.
    phi: Vec<[usize; 3]>,
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
    column: usize,
    /// What it belongs to.
    of: Of,
    /// Its parts that b and g multiply.
    pub(super) position: f64,
    pub(super) velocity: f64,
}

#[derive(Clone, Copy, Debug)]
enum Of {
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
        for &[number, row, column] in &self.phi {
            let x = reduced.mechanism.work.phi_v[number];
            (self.fixed[row], self.fixed[column]) = (x, x);
        }
        self.add_inertances(system, &reduced.mechanism.work);
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

    /// b g_v^T g_v of inertances, added to the mass of the bodies.
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
        for (&c, x) in self.independent.iter().zip(x) {
            for place in self.columns[c]..self.columns[c + 1] {
                self.right[self.rows[place]] += weight * self.fixed[place] * x;
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
        out.iter_mut().zip(&self.independent).for_each(|(out, &c)| *out = self.right[c]);
    }

    pub(super) fn analyse(&mut self, reduced: &Reduced) -> Result<(), SparseError> {
        let system = reduced.mechanism.system;
        let (n, m) = (system.velocities(), reduced.jacobian.rows.len());
        // (column, row) of everything, in the order in which it will be read
        let mut mass = Vec::new();
        for node in system.nodes.iter() {
            mass.extend((0..node.places).map(|k| (node.v + k, node.v + k)));
            let turns = node.v + node.places..node.v + node.nv;
            mass.extend(turns.clone().flat_map(|i| turns.clone().map(move |k| (k, i))));
        }
        let mut coupled = Vec::new();
        for inertance in &system.inertances {
            for (_, _, rows) in moving(system, &inertance.basic) {
                for (_, _, columns) in moving(system, &inertance.basic) {
                    coupled.extend(rows.clone().flat_map(|r| columns.clone().map(move |c| (c, r))));
                }
            }
        }
        let mut phi = Vec::new();
        for (row, entries) in reduced.jacobian.rows.iter().enumerate() {
            phi.extend(entries.iter().map(|&(number, c)| (number, row, c)));
        }
        let added = reach(reduced);
        let place_of = |of: &Of| match *of {
            Of::Coordinate(c) => c,
            Of::Pivot(e) => n + reduced.partition.rows[e],
        };
        let column_of = |k: usize| reduced.partition.independent[k];
        let mut pattern = [&mass[..], &coupled[..]].concat();
        pattern.extend(phi.iter().flat_map(|&(_, row, c)| [(c, n + row), (n + row, c)]));
        pattern.extend(added.iter().map(|(k, of)| (column_of(*k), place_of(of))));
        pattern.sort_unstable();
        pattern.dedup();
        let place = |column: usize, row: usize| pattern.partition_point(|&e| e < (column, row));

        self.mass = mass.iter().map(|&(c, r)| place(c, r)).collect();
        self.coupled = coupled.iter().map(|&(c, r)| place(c, r)).collect();
        self.phi =
            phi.iter().map(|&(number, row, c)| [number, place(c, n + row), place(n + row, c)]).collect();
        self.added = added
            .iter()
            .map(|&(column, of)| {
                let place = place(column_of(column), place_of(&of));
                Added { place, column, of, position: 0.0, velocity: 0.0 }
            })
            .collect();
        self.moves = added.iter().map(|&(k, of)| (place_of(&of) as u32, column_of(k) as u32, 0.0)).collect();
        (self.columns, self.rows) = by_columns(n + m, &pattern);
        self.pivoted.clear();
        self.fixed = vec![0.0; pattern.len()];
        self.values = vec![0.0; pattern.len()];
        self.right = vec![0.0; n + m];
        self.time = vec![0.0; n + m];
        // the order of little fill is that of the symmetric pattern, where empty diagonals wait for their pivots
        let mut symmetric = pattern.clone();
        symmetric.extend(pattern.iter().map(|&(c, r)| (r, c)));
        symmetric.sort_unstable();
        symmetric.dedup();
        let (columns, rows) = by_columns(n + m, &symmetric);
        let order: Vec<usize> = SparseLu::analyse(n + m, &columns, &rows)?.order().collect();
        self.lu = Some(SparseLu::analyse_in_order(n + m, &self.columns, &self.rows, &order)?);
        self.independent.clone_from(&reduced.partition.independent);
        let dependent = reduced.partition.dependent.iter();
        self.places = self.independent.iter().chain(dependent).copied().chain(n..n + m).collect();
        self.pair = SaddlePair::default();
        Ok(())
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

/// What each independent coordinate acts on: the balance of forces of bodies that depend on one it moves, and the
/// equations that contain a coordinate it moves. It moves those that it is joined to by equations without passing
/// another independent one.
fn reach(reduced: &Reduced) -> Vec<(usize, Of)> {
    let (partition, system) = (&reduced.partition, reduced.mechanism.system);
    let rows: Vec<_> = partition.rows.iter().map(|&row| &reduced.jacobian.rows[row]).collect();
    let mut pivots_with = vec![Vec::new(); system.velocities()];
    for (pivot, entries) in rows.iter().enumerate() {
        entries.iter().for_each(|&(_, c)| pivots_with[c].push(pivot));
    }
    let mut dependent = vec![true; system.velocities()];
    partition.independent.iter().for_each(|&c| dependent[c] = false);
    let mut out = Vec::new();
    for (k, &start) in partition.independent.iter().enumerate() {
        // through the equations, from coordinate to dependent coordinate
        let (mut moves, mut changes) = (vec![false; dependent.len()], vec![false; rows.len()]);
        let mut waiting = vec![start];
        moves[start] = true;
        while let Some(c) = waiting.pop() {
            for &pivot in &pivots_with[c] {
                if std::mem::replace(&mut changes[pivot], true) {
                    continue;
                }
                for &(_, next) in rows[pivot] {
                    if dependent[next] && !std::mem::replace(&mut moves[next], true) {
                        waiting.push(next);
                    }
                }
            }
        }
        let mut acts = vec![false; dependent.len()];
        for pair in &system.layout.pairs {
            let [a, b] = pair.bodies.map(|body| system.nodes.v(body));
            if moves[b].contains(&true) {
                acts[a].fill(true);
            }
        }
        out.extend((0..acts.len()).filter(|&c| acts[c]).map(|c| (k, Of::Coordinate(c))));
        out.extend((0..changes.len()).filter(|&e| changes[e]).map(|e| (k, Of::Pivot(e))));
    }
    out
}

/// Starts of the columns and rows of sorted (column, row).
fn by_columns(n: usize, pattern: &[(usize, usize)]) -> (Vec<usize>, Vec<usize>) {
    let starts = (0..=n).map(|c| pattern.partition_point(|e| e.0 < c)).collect();
    (starts, pattern.iter().map(|e| e.1).collect())
}
