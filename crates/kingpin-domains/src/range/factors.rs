//! Factors of substructures, each distinct one once, and what their boundaries yield under unit forces.

use super::error::RangeError;
use super::kernel::{Factor, Solve};
use super::lanes::{LANES, Machine};
use super::pattern::Pattern;
use super::pieces::GRAIN;
use super::structure::{Batch, Kind, Structure};
use kingpin::threads::{Spans, in_pieces};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which matrix substructures have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matrix {
    /// Mass, for accelerations: axes are alike and apart.
    Mass,
    /// `M + weight K`, for implicit steps.
    Effective,
}

/// Factors of all batches: of one kind where all parts are, of a kind per lane else.
#[derive(Debug, Clone)]
pub(crate) struct Factors {
    pub matrix: Matrix,
    /// Numbers of the factor and of the compliance per batch or, of shared kinds, in a place that batches point at.
    values: Vec<f64>,
    scaled: Vec<f64>,
    compliance: Vec<f64>,
    /// Room for solutions under unit forces.
    room: Vec<f64>,
    /// What there is to factor: a kind, or a batch whose parts differ.
    tasks: Vec<Task>,
    /// Starts of tasks in the three arrays, ends included.
    starts: [Vec<u32>; 3],
    /// Task of each batch.
    of_batch: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
enum Task {
    Shared(usize),
    Own(usize),
}

impl Factors {
    /// Room for the factors of a structure.
    pub fn new(structure: &Structure, matrix: Matrix) -> Factors {
        let mut task_of_kind = vec![usize::MAX; structure.kinds.len()];
        let (mut tasks, mut of_batch) = (Vec::new(), Vec::new());
        let mut starts = [vec![0_u32], vec![0], vec![0]];
        for (number, batch) in structure.batches.iter().enumerate() {
            let task = match batch.shared {
                Some(kind) if task_of_kind[kind] < usize::MAX => task_of_kind[kind],
                _ => {
                    let shape = &structure.shapes[batch.shape];
                    let pattern = shape_pattern(shape, matrix);
                    let rows = boundary_rows(shape.boundary(), matrix);
                    let lanes = if batch.shared.is_some() { 1 } else { LANES };
                    let sizes = [
                        lanes * (pattern.rows() + pattern.entries()),
                        lanes * rows * rows,
                        LANES * pattern.rows(),
                    ];
                    for (list, size) in starts.iter_mut().zip(sizes) {
                        list.push(list[tasks.len()] + size as u32);
                    }
                    tasks.push(batch.shared.map_or(Task::Own(number), Task::Shared));
                    if let Some(kind) = batch.shared {
                        task_of_kind[kind] = tasks.len() - 1;
                    }
                    tasks.len() - 1
                }
            };
            of_batch.push(task);
        }
        let room = |k: usize| vec![0.0; starts[k][tasks.len()] as usize];
        Factors {
            matrix,
            values: room(0),
            scaled: room(0),
            compliance: room(1),
            room: room(2),
            tasks,
            of_batch,
            starts,
        }
    }

    /// Factors `M + weight K` of all distinct substructures, and finds their compliances. O(distinct ones).
    pub fn factor(&mut self, structure: &Structure, machine: Machine, weight: f64) -> Result<(), RangeError> {
        let Factors { matrix, values, scaled, compliance, room, tasks, starts, .. } = self;
        let (matrix, tasks) = (*matrix, &tasks[..]);
        // the first that fails, in the order of tasks
        let failed = AtomicUsize::new(usize::MAX);
        let all = (
            (Spans::new(&starts[0], values), Spans::new(&starts[0], scaled)),
            (Spans::new(&starts[1], compliance), Spans::new(&starts[2], room)),
        );
        in_pieces(0..tasks.len(), GRAIN, all, &|some, mut all| {
            for task in some {
                let values = all.0.0.of(task);
                let done = match tasks[task] {
                    Task::Shared(kind) => {
                        let kind = &structure.kinds[kind];
                        let job = Job { structure, machine, matrix, shape: kind.shape };
                        job.fill::<1>([kind], weight, values);
                        job.factor::<1>(values, all.0.1.of(task)).map(|()| {
                            job.comply_shared(values, all.1.0.of(task), all.1.1.of(task));
                        })
                    }
                    Task::Own(batch) => {
                        let batch: &Batch = &structure.batches[batch];
                        let job = Job { structure, machine, matrix, shape: batch.shape };
                        job.fill::<LANES>(batch.kinds.map(|kind| &structure.kinds[kind]), weight, values);
                        job.factor::<LANES>(values, all.0.1.of(task)).map(|()| {
                            job.comply_own(values, all.1.0.of(task), all.1.1.of(task));
                        })
                    }
                };
                if let Err((row, lane)) = done {
                    failed.fetch_min((task << 28) | (lane << 24) | row, Ordering::Relaxed);
                }
            }
        });
        match failed.into_inner() {
            usize::MAX => Ok(()),
            first => {
                let (task, lane, row) = (first >> 28, first >> 24 & 0xf, first & 0xff_ffff);
                Err(self.not_definite(structure, task, lane, row))
            }
        }
    }

    fn not_definite(&self, structure: &Structure, task: usize, lane: usize, row: usize) -> RangeError {
        let kind = |k: usize| structure.parts.iter().position(|part| part.kind == k);
        let part = match self.tasks[task] {
            Task::Shared(k) => kind(k).unwrap_or(0),
            Task::Own(batch) => structure.batches[batch].parts[lane],
        };
        let node = if self.matrix == Matrix::Mass { row } else { row / 3 };
        RangeError::NotDefinite { part: structure.parts[part].name.clone(), node }
    }

    /// The numbers of the factor of a batch: one or as many per entry as there are lanes.
    #[inline(always)]
    pub fn values(&self, batch: usize) -> &[f64] {
        let task = self.of_batch[batch];
        &self.values[self.starts[0][task] as usize..self.starts[0][task + 1] as usize]
    }

    /// The compliance of a batch, likewise, by rows.
    #[inline(always)]
    pub fn compliance(&self, batch: usize) -> &[f64] {
        let task = self.of_batch[batch];
        &self.compliance[self.starts[1][task] as usize..self.starts[1][task + 1] as usize]
    }

    /// Compliance of a part between two rows of its boundary, in its own axes.
    pub fn yields(&self, structure: &Structure, part: usize, row: usize, column: usize) -> f64 {
        let (number, lane) = structure.home[part];
        let batch = &structure.batches[number];
        let n = boundary_rows(structure.shapes[batch.shape].boundary(), self.matrix);
        let (r, c) = match self.matrix {
            Matrix::Mass if row % 3 != column % 3 => return 0.0,
            Matrix::Mass => (row / 3, column / 3),
            Matrix::Effective => (row, column),
        };
        let (lanes, lane) = if batch.shared.is_some() { (1, 0) } else { (LANES, lane) };
        self.compliance(number)[(r * n + c) * lanes + lane]
    }

    /// Bytes of all numbers.
    pub fn bytes(&self) -> usize {
        8 * (self.values.len() + self.scaled.len() + self.compliance.len() + self.room.len())
            + 12 * self.starts[0].len()
            + 8 * self.of_batch.len()
    }
}

fn shape_pattern(shape: &super::structure::Shape, matrix: Matrix) -> &Pattern {
    match matrix {
        Matrix::Mass => &shape.nodes,
        Matrix::Effective => &shape.freedoms,
    }
}

/// Rows of the boundary that are unlike: all, or one per node.
pub(crate) fn boundary_rows(boundary: usize, matrix: Matrix) -> usize {
    match matrix {
        Matrix::Mass => boundary / 3,
        Matrix::Effective => boundary,
    }
}

/// What is done for one distinct substructure, or a batch of them.
struct Job<'a> {
    structure: &'a Structure,
    machine: Machine,
    matrix: Matrix,
    shape: usize,
}

impl Job<'_> {
    fn pattern(&self) -> &Pattern {
        shape_pattern(&self.structure.shapes[self.shape], self.matrix)
    }

    /// Puts the matrix where its factor will be.
    fn fill<const C: usize>(&self, kinds: [&Kind; C], weight: f64, values: &mut [f64]) {
        let shape = &self.structure.shapes[self.shape];
        let values = values.as_chunks_mut::<C>().0;
        match self.matrix {
            Matrix::Mass => {
                for (k, value) in values.iter_mut().enumerate() {
                    *value = kinds.map(|kind| kind.mass[k]);
                }
            }
            Matrix::Effective => {
                for (k, value) in values.iter_mut().enumerate() {
                    *value = kinds.map(|kind| weight * kind.stiffness[k]);
                }
                let (nodes, freedoms) = (&shape.nodes, &shape.freedoms);
                for i in 0..nodes.rows() {
                    for axis in 0..3 {
                        for (l, kind) in kinds.iter().enumerate() {
                            values[3 * i + axis][l] += kind.mass[i];
                        }
                    }
                    for entry in nodes.row(i) {
                        let j = nodes.column(entry);
                        for axis in 0..3 {
                            let Some(to) = freedoms.entry(3 * i + axis, 3 * j + axis) else { continue };
                            for (l, kind) in kinds.iter().enumerate() {
                                values[freedoms.rows() + to][l] += kind.mass[nodes.rows() + entry];
                            }
                        }
                    }
                }
            }
        }
    }

    fn factor<const C: usize>(&self, values: &mut [f64], scaled: &mut [f64]) -> Result<(), (usize, usize)> {
        let (values, scaled) = (values.as_chunks_mut().0, scaled.as_chunks_mut().0);
        self.machine.run(Factor::<C> { pattern: self.pattern(), values, scaled })
    }

    /// Row of the matrix at a row of the boundary.
    fn row(&self, boundary: usize) -> usize {
        let shape = &self.structure.shapes[self.shape];
        match self.matrix {
            Matrix::Mass => shape.freedom(3 * boundary) / 3,
            Matrix::Effective => shape.freedom(boundary),
        }
    }

    fn boundary(&self) -> usize {
        boundary_rows(self.structure.shapes[self.shape].boundary(), self.matrix)
    }

    /// Solutions under as many unit forces at a time as there are lanes.
    fn comply_shared(&self, values: &[f64], compliance: &mut [f64], room: &mut [f64]) {
        let n = self.boundary();
        let (values, x) = (values.as_chunks::<1>().0, room.as_chunks_mut::<LANES>().0);
        for first in (0..n).step_by(LANES) {
            let lanes = LANES.min(n - first);
            x.fill([0.0; LANES]);
            (0..lanes).for_each(|l| x[self.row(first + l)][l] = 1.0);
            self.machine.run(Solve { pattern: self.pattern(), values, x: &mut *x });
            for row in 0..n {
                let from = &x[self.row(row)];
                (0..lanes).for_each(|l| compliance[row * n + first + l] = from[l]);
            }
        }
    }

    /// Solutions under one unit force at a time, of all lanes.
    fn comply_own(&self, values: &[f64], compliance: &mut [f64], room: &mut [f64]) {
        let n = self.boundary();
        let (values, x) = (values.as_chunks::<LANES>().0, room.as_chunks_mut::<LANES>().0);
        let compliance = compliance.as_chunks_mut::<LANES>().0;
        for column in 0..n {
            x.fill([0.0; LANES]);
            x[self.row(column)] = [1.0; LANES];
            self.machine.run(Solve { pattern: self.pattern(), values, x: &mut *x });
            (0..n).for_each(|row| compliance[row * n + column] = x[self.row(row)]);
        }
    }
}
