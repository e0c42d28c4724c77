//! The tasks: accelerations with new factors and without, and steps of Newmark's method.

use super::Record;
use kingpin_domains::range::{Matrix, Method, RangeError, Solver};
use kingpin_domains::truss::{Module, Newmark, Truss};
use std::time::Instant;

/// What is measured.
#[derive(Clone, Copy, Debug)]
pub enum Model {
    /// So many alike modules end to end.
    Mast(u32),
    /// So many that all differ.
    Uneven(u32),
    /// Thirteen substructures of so many modules.
    Station(u32),
}

impl Model {
    pub fn name(self) -> &'static str {
        match self {
            Model::Mast(_) => "mast",
            Model::Uneven(_) => "uneven mast",
            Model::Station(_) => "station",
        }
    }

    pub fn size(self) -> u32 {
        match self {
            Model::Mast(n) | Model::Uneven(n) | Model::Station(n) => n,
        }
    }

    fn truss(self, clamped: bool) -> Result<Truss, RangeError> {
        match self {
            Model::Mast(n) => Truss::mast(n as usize, clamped),
            Model::Uneven(n) => Truss::mast_of(n as usize, clamped, uneven),
            Model::Station(n) => Truss::station(n as usize),
        }
    }
}

/// A module whose bars are a little thicker than those of others.
fn uneven(k: usize) -> Module {
    let mut module = Module::mast();
    for bar in &mut module.bars {
        let factor = 1.0 + 1e-6 * (k + 1) as f64;
        bar.stiffness *= factor;
        bar.density *= factor;
    }
    module
}

/// Accelerations under scattered forces, of a free structure, and steps of one that stands, or floats.
pub fn measured(
    model: Model,
    step: f64,
    method: Option<&str>,
    budget: f64,
) -> Result<Vec<Record>, RangeError> {
    let mut records = Vec::new();
    {
        let truss = model.truss(false)?;
        let mut solver = Solver::new(&truss.structure, Matrix::Mass, Method::BlockJacobi)?;
        solver.factor(0.0)?;
        let f = scattered(&truss);
        let mut x = vec![0.0; f.len()];
        let found = solver.solve(&f, &mut x)?;
        let bytes = solver.bytes() + 16 * x.len();
        let fresh = shortest(budget, || {
            solver.factor(0.0)?;
            solver.solve(&f, &mut x)
        })?;
        records.push(record(
            model,
            &truss,
            ("accelerations, new factors", &solver),
            found.iterations,
            fresh,
            bytes,
        ));
        let known = shortest(budget, || solver.solve(&f, &mut x))?;
        records.push(record(model, &truss, ("accelerations", &solver), found.iterations, known, bytes));
    }
    let truss = model.truss(true)?;
    let named = method.and_then(|name| Method::ALL.into_iter().find(|method| method.name() == name));
    let method = named.unwrap_or_else(|| truss.predicted(0.25 * step * step));
    let mut motion = Newmark::new(&truss, method, step)?;
    motion.force.copy_from_slice(&scattered(&truss));
    let mut most = 0;
    let time = shortest(budget, || {
        let found = motion.step()?;
        most = most.max(found.iterations);
        Ok(found)
    })?;
    let bytes = motion.bytes();
    let fresh = shortest(budget, || {
        motion.set_step(step)?;
        motion.step()
    })?;
    let solver = motion.solver();
    records.push(record(model, &truss, ("newmark step, new factors", solver), most, fresh, bytes));
    records.push(record(model, &truss, ("newmark step", solver), most, time, bytes));
    Ok(records)
}

fn record(
    model: Model,
    truss: &Truss,
    (task, solver): (&'static str, &Solver),
    iterations: usize,
    seconds: f64,
    bytes: usize,
) -> Record {
    let structure = &truss.structure;
    Record {
        structure: model.name(),
        task,
        method: solver.method().name(),
        modules: structure.parts(),
        freedoms: structure.freedoms(),
        distinct: structure.kinds(),
        iterations,
        seconds_per_step: seconds,
        bytes,
        bytes_per_module: bytes as f64 / structure.parts() as f64,
    }
}

/// The shortest time of a task that is repeated for so many seconds, at least twice.
fn shortest<T>(budget: f64, mut task: impl FnMut() -> Result<T, RangeError>) -> Result<f64, RangeError> {
    let (started, mut best, mut times) = (Instant::now(), f64::INFINITY, 0);
    while times < 2 || started.elapsed().as_secs_f64() < budget {
        let one = Instant::now();
        task()?;
        best = best.min(one.elapsed().as_secs_f64());
        times += 1;
    }
    Ok(best)
}

/// Forces between minus one half and one half, the same every time.
fn scattered(truss: &Truss) -> Vec<f64> {
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let mut f: Vec<f64> = (0..truss.structure.vector_len()).map(|_| next()).collect();
    truss.structure.clear_spare(&mut f);
    f
}
