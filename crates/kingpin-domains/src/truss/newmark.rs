//! Steps of fixed size by Newmark's method with beta 1/4 and gamma 1/2, for small displacements.

use super::bars::{At, Bars, Law};
use super::mast::Truss;
use crate::range::lanes::Machine;
use crate::range::pieces::GRAIN;
use crate::range::{Found, Matrix, Method, RangeError, Solver};
use kingpin::threads::{Spans, in_pieces};

/// A truss in motion, step by step. After construction nothing is allocated.
#[derive(Debug, Clone)]
pub struct Newmark {
    truss: Truss,
    bars: Bars,
    solver: Solver,
    machine: Machine,
    step: f64,
    /// Displacements, velocities and accelerations of all nodes.
    pub u: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
    /// Outer forces; those on copies of a node add up.
    pub force: Vec<f64>,
    right: Vec<f64>,
    starts: Vec<u32>,
}

impl Newmark {
    /// At rest, with steps of one size, without outer forces.
    pub fn new(truss: &Truss, method: Method, step: f64) -> Result<Newmark, RangeError> {
        let mut solver = Solver::new(&truss.structure, Matrix::Effective, method)?;
        solver.factor(0.25 * step * step)?;
        let room = || vec![0.0; truss.structure.vector_len()];
        Ok(Newmark {
            bars: Bars::new(truss),
            solver,
            machine: Machine::detect(),
            step,
            u: room(),
            v: room(),
            a: room(),
            force: room(),
            right: room(),
            starts: truss.structure.starts(),
            truss: truss.clone(),
        })
    }

    /// Factors anew for steps of another size.
    pub fn set_step(&mut self, step: f64) -> Result<(), RangeError> {
        self.step = step;
        self.solver.factor(0.25 * step * step)
    }

    /// The solver of the steps.
    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    /// One step: `(M + h^2/4 K) a = f - K (u + h v + h^2/4 a)`.
    pub fn step(&mut self) -> Result<Found, RangeError> {
        let Newmark { truss, bars, machine, u, v, a, force, right, starts, .. } = self;
        let (h, structure) = (self.step, &truss.structure);
        let (force, old, starts, bars) = (&force[..], &a[..], &starts[..], &*bars);
        let room = (Spans::new(starts, u), (Spans::new(starts, v), Spans::new(starts, &mut *right)));
        let upright = !structure.is_turned();
        in_pieces(0..structure.batches.len(), GRAIN, room, &|some, mut room| {
            for batch in some {
                let own = starts[batch] as usize..starts[batch + 1] as usize;
                let (u, v, right) = (room.0.of(batch), room.1.0.of(batch), room.1.1.of(batch));
                predict(h, u, v, &old[own.clone()]);
                let at = At { structure, machine: *machine, batch };
                if upright {
                    right.copy_from_slice(&force[own]);
                    bars.pull(at, Law::Linear, u, right);
                } else {
                    let attitudes = structure.attitudes(batch);
                    right.fill(0.0);
                    at.turn(&attitudes, u, false);
                    bars.pull(at, Law::Linear, u, right);
                    [u, &mut *right].into_iter().for_each(|x| at.turn(&attitudes, x, true));
                    right.iter_mut().zip(&force[own]).for_each(|(right, f)| *right += f);
                }
            }
        });
        let found = self.solver.solve(right, a)?;
        let a = &a[..];
        let room = (Spans::new(starts, &mut self.u), Spans::new(starts, &mut self.v));
        in_pieces(0..structure.batches.len(), GRAIN, room, &|some, mut room| {
            for batch in some {
                let own = starts[batch] as usize..starts[batch + 1] as usize;
                for ((u, v), a) in room.0.of(batch).iter_mut().zip(room.1.of(batch)).zip(&a[own]) {
                    *u += 0.25 * h * h * a;
                    *v += 0.5 * h * a;
                }
            }
        });
        Ok(found)
    }

    /// Bytes of all numbers.
    pub fn bytes(&self) -> usize {
        self.solver.bytes() + self.bars.bytes() + 8 * 5 * self.u.len() + 4 * self.starts.len()
    }
}

/// What displacements and velocities would be without new accelerations.
fn predict(h: f64, u: &mut [f64], v: &mut [f64], a: &[f64]) {
    for ((u, v), a) in u.iter_mut().zip(v).zip(a) {
        *u += h * *v + 0.25 * h * h * a;
        *v += 0.5 * h * a;
    }
}
