//! Batches at work: solutions inside, numbers at the boundary, multipliers as forces there.

use super::factors::{Factors, Matrix};
use super::kernel::{Dense, Solve};
use super::lanes::{Arithmetic, Kernel, LANES, Machine};
use super::structure::{Links, ROWS, Structure};

/// Axes of the parts of a batch: nine numbers of each, a lane apart.
pub(crate) type Attitudes = [[f64; LANES]; 9];

/// `x = T^T x` at all nodes, into the axes of the parts; `x = T x` back.
pub(crate) struct Turn<'a> {
    pub attitudes: &'a Attitudes,
    pub x: &'a mut [[f64; LANES]],
    pub back: bool,
}

impl Kernel for Turn<'_> {
    type Out = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self, arithmetic: A) {
        let t = self.attitudes;
        for node in self.x.as_chunks_mut::<3>().0 {
            let given = *node;
            for i in 0..3 {
                let [a, b, c] =
                    if self.back { [3 * i, 3 * i + 1, 3 * i + 2] } else { [i, i + 3, i + 6] }.map(|k| &t[k]);
                for l in 0..LANES {
                    let sum = arithmetic.mul_add(b[l], given[1][l], c[l] * given[2][l]);
                    node[i][l] = arithmetic.mul_add(a[l], given[0][l], sum);
                }
            }
        }
    }
}

/// What all loops over batches need.
#[derive(Clone, Copy)]
pub(crate) struct Batches<'a> {
    pub structure: &'a Structure,
    pub machine: Machine,
    pub factors: &'a Factors,
    /// Axes of the batches; none where all are the global ones, or matter to nothing.
    pub attitudes: Option<&'a [Attitudes]>,
}

impl Batches<'_> {
    /// `x = A^-1 x` of a batch.
    pub fn solve(&self, number: usize, x: &mut [f64]) {
        let batch = &self.structure.batches[number];
        let (shape, values) = (&self.structure.shapes[batch.shape], self.factors.values(number));
        let shared = batch.shared.is_some();
        match self.factors.matrix {
            Matrix::Mass => {
                let (pattern, x) = (&shape.nodes, x.as_chunks_mut::<{ 3 * LANES }>().0);
                if shared {
                    self.machine.run(Solve::<1, _> { pattern, values: values.as_chunks().0, x });
                } else {
                    self.machine.run(Solve::<LANES, _> { pattern, values: values.as_chunks().0, x });
                }
            }
            Matrix::Effective => {
                let (pattern, x) = (&shape.freedoms, x.as_chunks_mut::<LANES>().0);
                self.turn(number, x, false);
                if shared {
                    self.machine.run(Solve::<1, _> { pattern, values: values.as_chunks().0, x: &mut *x });
                } else {
                    self.machine.run(Solve::<LANES, _> { pattern, values: values.as_chunks().0, x: &mut *x });
                }
                self.turn(number, x, true);
            }
        }
    }

    fn turn(&self, number: usize, x: &mut [[f64; LANES]], back: bool) {
        if let Some(attitudes) = self.attitudes {
            self.machine.run(Turn { attitudes: &attitudes[number], x, back });
        }
    }

    /// Numbers of a batch at its boundary.
    pub fn restrict(&self, number: usize, x: &[f64], boundary: &mut [f64]) {
        let shape = &self.structure.shapes[self.structure.batches[number].shape];
        let (x, boundary) = (x.as_chunks::<LANES>().0, boundary.as_chunks_mut::<LANES>().0);
        for (row, to) in boundary.iter_mut().enumerate() {
            *to = x[shape.freedom(row)];
        }
    }

    /// Forces of multipliers at the boundary of a batch.
    pub fn forces(&self, number: usize, multipliers: &[f64], boundary: &mut [f64]) {
        let batch = &self.structure.batches[number];
        let rows = boundary.as_chunks_mut::<LANES>().0.as_chunks_mut::<ROWS>().0;
        for (link, rows) in self.structure.links[batch.ports..].iter().zip(rows) {
            pull(link, multipliers, rows);
        }
    }

    /// Takes forces at the boundary of a batch from those at all its freedoms.
    pub fn unload(&self, number: usize, boundary: &[f64], x: &mut [f64]) {
        let shape = &self.structure.shapes[self.structure.batches[number].shape];
        let (x, boundary) = (x.as_chunks_mut::<LANES>().0, boundary.as_chunks::<LANES>().0);
        for (row, from) in boundary.iter().enumerate() {
            let to = &mut x[shape.freedom(row)];
            (0..LANES).for_each(|l| to[l] -= from[l]);
        }
    }

    /// What the boundary of a batch yields under forces there, `F p`. `forces` is left in other axes.
    pub fn comply(&self, number: usize, forces: &mut [f64], yielded: &mut [f64]) {
        let shared = self.structure.batches[number].shared.is_some();
        let matrix = self.factors.compliance(number);
        match self.factors.matrix {
            Matrix::Mass => {
                let x: &[[f64; 3 * LANES]] = forces.as_chunks().0;
                let y = yielded.as_chunks_mut::<{ 3 * LANES }>().0;
                if shared {
                    self.machine.run(Dense::<1, _> { matrix: matrix.as_chunks().0, x, y });
                } else {
                    self.machine.run(Dense::<LANES, _> { matrix: matrix.as_chunks().0, x, y });
                }
            }
            Matrix::Effective => {
                let (x, y) = (forces.as_chunks_mut::<LANES>().0, yielded.as_chunks_mut::<LANES>().0);
                self.turn(number, x, false);
                if shared {
                    self.machine.run(Dense::<1, _> { matrix: matrix.as_chunks().0, x, y: &mut *y });
                } else {
                    self.machine.run(Dense::<LANES, _> { matrix: matrix.as_chunks().0, x, y: &mut *y });
                }
                self.turn(number, y, true);
            }
        }
    }
}

#[inline(always)]
fn pull(link: &Links, multipliers: &[f64], rows: &mut [[f64; LANES]; ROWS]) {
    for lane in 0..LANES {
        let (from, sign) = (ROWS * link.interface[lane] as usize, link.sign[lane]);
        let from = &multipliers[from..from + ROWS];
        for (row, value) in rows.iter_mut().zip(from) {
            row[lane] = sign * value;
        }
    }
}
