//! Forces of bars and products with their mass, for eight parts at a time.

use super::mast::Truss;
use super::module::Module;
use crate::range::lanes::{Arithmetic, Kernel, LANES, Machine};
use crate::range::{Batch, Structure, Turn};

/// Numbers of a bar: stiffness, 1 / length, unit vector, a sixth of its mass.
const NUMBERS: usize = 6;

/// How far bars may turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// Forces of small displacements: `K u`.
    Linear,
    /// Bars that turn and stretch, each with the force of its own length: substructures may turn as they like.
    Exact,
}

/// Numbers of all bars, once per distinct module where parts are alike.
#[derive(Debug, Clone)]
pub(crate) struct Bars {
    /// Nodes of the bars of a shape.
    ends: Vec<Vec<[u32; 2]>>,
    data: Vec<f64>,
    /// Where the numbers of a batch start.
    starts: Vec<usize>,
}

impl Bars {
    pub fn new(truss: &Truss) -> Bars {
        let structure = &truss.structure;
        let (mut ends, mut data) = (vec![Vec::new(); structure.shapes.len()], Vec::new());
        let (mut starts, mut of_kind) = (Vec::new(), vec![usize::MAX; truss.modules.len()]);
        for batch in &structure.batches {
            let modules = batch.kinds.map(|kind| &truss.modules[kind]);
            if ends[batch.shape].is_empty() {
                let list = modules[0].bars.iter().map(|bar| bar.ends.map(|node| node as u32));
                ends[batch.shape] = list.collect();
            }
            let start = match batch.shared {
                Some(kind) if of_kind[kind] < usize::MAX => of_kind[kind],
                shared => {
                    let start = data.len();
                    shared.iter().for_each(|&kind| of_kind[kind] = start);
                    let lanes = if shared.is_some() { 1 } else { LANES };
                    for bar in 0..modules[0].bars.len() {
                        let numbers: Vec<[f64; NUMBERS]> =
                            modules[..lanes].iter().map(|module| numbers(module, bar)).collect();
                        (0..NUMBERS).for_each(|k| data.extend(numbers.iter().map(|bar| bar[k])));
                    }
                    start
                }
            };
            starts.push(start);
        }
        Bars { ends, data, starts }
    }

    /// Takes the inner forces of a batch from those in `f`; `x` are displacements for linear forces and places else.
    pub fn pull(&self, work: At, law: Law, x: &[f64], f: &mut [f64]) {
        let (x, f) = (x.as_chunks().0, f.as_chunks_mut().0);
        self.run(work, x, f, if law == Law::Linear { Do::Linear } else { Do::Exact });
    }

    /// Adds mass times `x` of a batch, times a factor, to `y`.
    pub fn add_mass(&self, work: At, factor: f64, x: &[f64], y: &mut [f64]) {
        let (x, y) = (x.as_chunks().0, y.as_chunks_mut().0);
        self.run(work, x, y, Do::Mass(factor));
    }

    fn run(&self, work: At, x: &[[f64; LANES]], y: &mut [[f64; LANES]], what: Do) {
        let batch: &Batch = &work.structure.batches[work.batch];
        let ends = &self.ends[batch.shape][..];
        let data = &self.data[self.starts[work.batch]..];
        if batch.shared.is_some() {
            let data = data.as_chunks::<1>().0.as_chunks::<NUMBERS>().0;
            work.machine.run(Each::<1> { ends, data, x, y, what });
        } else {
            let data = data.as_chunks::<LANES>().0.as_chunks::<NUMBERS>().0;
            work.machine.run(Each::<LANES> { ends, data, x, y, what });
        }
    }

    pub fn bytes(&self) -> usize {
        8 * (self.data.len() + self.starts.len())
    }
}

/// Which batch, on which machine.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub structure: &'a Structure,
    pub machine: Machine,
    pub batch: usize,
}

impl At<'_> {
    /// Turns numbers of a batch into the axes its parts were placed with, or back.
    pub fn turn(&self, attitudes: &[[f64; LANES]; 9], x: &mut [f64], back: bool) {
        self.machine.run(Turn { attitudes, x: x.as_chunks_mut().0, back });
    }
}

fn numbers(module: &Module, bar: usize) -> [f64; NUMBERS] {
    let bar = &module.bars[bar];
    let (unit, length) = module.along(bar);
    [bar.stiffness, 1.0 / length, unit[0], unit[1], unit[2], bar.density * length / 6.0]
}

#[derive(Clone, Copy)]
enum Do {
    Linear,
    Exact,
    Mass(f64),
}

struct Each<'a, const C: usize> {
    ends: &'a [[u32; 2]],
    data: &'a [[[f64; C]; NUMBERS]],
    x: &'a [[f64; LANES]],
    y: &'a mut [[f64; LANES]],
    what: Do,
}

impl<const C: usize> Kernel for Each<'_, C> {
    type Out = ();

    #[inline(always)]
    fn run<A: Arithmetic>(self, arithmetic: A) {
        let Each { ends, data, x, y, what } = self;
        for (&[a, b], bar) in ends.iter().zip(data) {
            let (a, b) = (3 * a as usize, 3 * b as usize);
            match what {
                Do::Linear => linear(arithmetic, bar, x, y, (a, b)),
                Do::Exact => exact(arithmetic, bar, x, y, (a, b)),
                Do::Mass(factor) => mass(arithmetic, factor, bar, x, y, (a, b)),
            }
        }
    }
}

/// Tension over extension, along the bar as it was.
#[inline(always)]
fn linear<A: Arithmetic, const C: usize>(
    arithmetic: A,
    [stiffness, inverse, ex, ey, ez, _]: &[[f64; C]; NUMBERS],
    x: &[[f64; LANES]],
    y: &mut [[f64; LANES]],
    (a, b): (usize, usize),
) {
    let mut tension = [0.0; LANES];
    for (k, e) in [ex, ey, ez].into_iter().enumerate() {
        let (from, to) = (&x[a + k], &x[b + k]);
        for l in 0..LANES {
            tension[l] = arithmetic.mul_add(e[l % C], to[l] - from[l], tension[l]);
        }
    }
    for l in 0..LANES {
        tension[l] *= stiffness[l % C] * inverse[l % C];
    }
    for (k, e) in [ex, ey, ez].into_iter().enumerate() {
        for l in 0..LANES {
            y[a + k][l] = arithmetic.mul_add(e[l % C], tension[l], y[a + k][l]);
            y[b + k][l] = arithmetic.mul_add(-e[l % C], tension[l], y[b + k][l]);
        }
    }
}

/// Tension over strain, along the bar as it is.
#[inline(always)]
fn exact<A: Arithmetic, const C: usize>(
    arithmetic: A,
    [stiffness, inverse, ..]: &[[f64; C]; NUMBERS],
    x: &[[f64; LANES]],
    y: &mut [[f64; LANES]],
    (a, b): (usize, usize),
) {
    let mut d = [[0.0; LANES]; 3];
    let mut square = [0.0; LANES];
    for k in 0..3 {
        for l in 0..LANES {
            d[k][l] = x[b + k][l] - x[a + k][l];
            square[l] = arithmetic.mul_add(d[k][l], d[k][l], square[l]);
        }
    }
    let mut over = [0.0; LANES];
    for l in 0..LANES {
        // tension over length: lanes without a part have no length and no force
        let length = if square[l] > 0.0 { square[l].sqrt() } else { 1.0 / inverse[l % C] };
        over[l] = stiffness[l % C] * (inverse[l % C] - 1.0 / length);
    }
    for k in 0..3 {
        for l in 0..LANES {
            y[a + k][l] = arithmetic.mul_add(over[l], d[k][l], y[a + k][l]);
            y[b + k][l] = arithmetic.mul_add(-over[l], d[k][l], y[b + k][l]);
        }
    }
}

/// Mass / 6 [2 1; 1 2] on each axis.
#[inline(always)]
fn mass<A: Arithmetic, const C: usize>(
    arithmetic: A,
    factor: f64,
    [.., sixth]: &[[f64; C]; NUMBERS],
    x: &[[f64; LANES]],
    y: &mut [[f64; LANES]],
    (a, b): (usize, usize),
) {
    for k in 0..3 {
        for l in 0..LANES {
            let (share, one, other) = (factor * sixth[l % C], x[a + k][l], x[b + k][l]);
            let sum = one + other;
            y[a + k][l] = arithmetic.mul_add(share, sum + one, y[a + k][l]);
            y[b + k][l] = arithmetic.mul_add(share, sum + other, y[b + k][l]);
        }
    }
}
