//! Trusses that turn: bars with the forces of their lengths, substructures with axes that go with them.

use super::attitude::nearest_rotation;
use super::bars::{At, Bars, Law};
use super::mast::Truss;
use crate::range::lanes::Machine;
use crate::range::pieces::GRAIN;
use crate::range::{Matrix, Method, RangeError, Solver};
use kingpin::integrate::Ode;
use kingpin::threads::{Spans, in_pieces};

/// The equations of motion of a truss under constant outer forces: `M x'' + C^T lam = f + f_bars(x)`, `C x = 0`.
#[derive(Debug, Clone)]
pub struct Motion {
    pub(super) truss: Truss,
    pub(super) bars: Bars,
    pub(super) machine: Machine,
    pub(super) starts: Vec<u32>,
    mass: Solver,
    /// Outer forces; those on copies of a node add up.
    pub force: Vec<f64>,
    right: Vec<f64>,
    attitudes: Vec<[f64; 9]>,
}

impl Motion {
    /// Under gravity alone. O(parts).
    pub fn new(truss: &Truss, gravity: [f64; 3]) -> Result<Motion, RangeError> {
        let structure = &truss.structure;
        let mut mass = Solver::new(structure, Matrix::Mass, Method::BlockJacobi)?;
        mass.tolerance = 1e-12;
        mass.factor(0.0)?;
        let mut force = vec![0.0; structure.vector_len()];
        for part in 0..structure.parts() {
            let module = &truss.modules[structure.kind(part)];
            for bar in &module.bars {
                let half = 0.5 * bar.density * module.along(bar).1;
                for node in bar.ends {
                    let places = structure.place(part, node);
                    (0..3).for_each(|k| force[places[k]] += half * gravity[k]);
                }
            }
        }
        Ok(Motion {
            bars: Bars::new(truss),
            machine: Machine::detect(),
            starts: structure.starts(),
            mass,
            right: vec![0.0; force.len()],
            force,
            attitudes: (0..structure.parts()).map(|part| *structure.attitude(part)).collect(),
            truss: truss.clone(),
        })
    }

    /// Forces on all nodes at these places.
    pub(super) fn forces(&self, x: &[f64], out: &mut [f64]) {
        let (structure, starts) = (&self.truss.structure, &self.starts[..]);
        in_pieces(0..structure.batches.len(), GRAIN, Spans::new(starts, out), &|some, mut out| {
            for batch in some {
                let own = starts[batch] as usize..starts[batch + 1] as usize;
                let out = out.of(batch);
                out.copy_from_slice(&self.force[own.clone()]);
                self.bars.pull(At { structure, machine: self.machine, batch }, Law::Exact, &x[own], out);
            }
        });
    }

    /// `out -= M a`.
    pub(super) fn less_inertia(&self, a: &[f64], out: &mut [f64]) {
        let (structure, starts) = (&self.truss.structure, &self.starts[..]);
        in_pieces(0..structure.batches.len(), GRAIN, Spans::new(starts, out), &|some, mut out| {
            for batch in some {
                let own = starts[batch] as usize..starts[batch + 1] as usize;
                let at = At { structure, machine: self.machine, batch };
                self.bars.add_mass(at, -1.0, &a[own], out.of(batch));
            }
        });
    }

    /// Accelerations at these places.
    pub fn accelerations(&mut self, x: &[f64], a: &mut [f64]) -> Result<(), RangeError> {
        let mut right = std::mem::take(&mut self.right);
        self.forces(x, &mut right);
        let found = self.mass.solve(&right, a);
        self.right = right;
        found.map(|_| ())
    }

    /// Axes of all parts at these places: the rotations that fit their nodes best.
    pub fn attitudes(&mut self, x: &[f64]) -> &[[f64; 9]] {
        let structure = &self.truss.structure;
        for (part, to) in self.attitudes.iter_mut().enumerate() {
            let places = &self.truss.modules[structure.kind(part)].places;
            let mean = |of: &dyn Fn(usize) -> [f64; 3]| -> [f64; 3] {
                let mut sum = [0.0; 3];
                (0..places.len()).for_each(|n| (0..3).for_each(|k| sum[k] += of(n)[k]));
                sum.map(|s| s / places.len() as f64)
            };
            let now = |node: usize| structure.place(part, node).map(|k| x[k]);
            let rest = |node: usize| places[node];
            let (centre, origin) = (mean(&now), mean(&rest));
            let mut h = [0.0; 9];
            for node in 0..places.len() {
                let (y, x) = (now(node), rest(node));
                (0..9).for_each(|k| h[k] += (y[k / 3] - centre[k / 3]) * (x[k % 3] - origin[k % 3]));
            }
            *to = nearest_rotation(h, to);
        }
        &self.attitudes
    }

    /// Kinetic energy at these velocities, and energy in the bars at these places less the work of outer forces.
    pub fn energies(&self, x: &[f64], v: &[f64]) -> [f64; 2] {
        let structure = &self.truss.structure;
        let mut momentum = vec![0.0; v.len()];
        self.less_inertia(v, &mut momentum);
        let kinetic = -0.5 * v.iter().zip(&momentum).map(|(v, p)| v * p).sum::<f64>();
        let mut potential = -x.iter().zip(&self.force).map(|(x, f)| x * f).sum::<f64>();
        for part in 0..structure.parts() {
            let module = &self.truss.modules[structure.kind(part)];
            for bar in &module.bars {
                let [a, b] = bar.ends.map(|node| structure.place(part, node).map(|k| x[k]));
                let length = (0..3).map(|k| (b[k] - a[k]).powi(2)).sum::<f64>().sqrt();
                let rest = module.along(bar).1;
                potential += 0.5 * bar.stiffness / rest * (length - rest).powi(2);
            }
        }
        [kinetic, potential]
    }
}

/// Places and velocities of all nodes, for explicit methods.
impl Ode for Motion {
    type Error = RangeError;

    fn dim(&self) -> usize {
        2 * self.truss.structure.vector_len()
    }

    fn rhs(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), RangeError> {
        let (x, v) = y.split_at(y.len() / 2);
        let (rate, acceleration) = f.split_at_mut(v.len());
        rate.copy_from_slice(v);
        self.accelerations(x, acceleration)
    }
}
