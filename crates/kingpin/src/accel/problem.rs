//! The acceleration problem: M v' + Phi_v^T lam = Q, Phi_v v' = gamma, over the equations that are kept.

use crate::linalg::BlockPattern;
use crate::system::{Block, Inertia, System, Work};
use crate::topology::JointGraph;
use std::ops::Range;

/// Structure of the problem. Redundant equations are left out; everything else is kept, joint by joint.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Velocities of a body.
    pub nv: usize,
    /// Mass properties of the bodies.
    pub inertia: Vec<Inertia>,
    /// Kept rows of each joint.
    pub groups: Vec<Range<usize>>,
    /// Jacobian blocks over the kept rows.
    pub blocks: Vec<Block>,
    /// Kept rows in all.
    pub rows: usize,
    /// Rows of all blocks together.
    pub block_rows: usize,
    /// Rows of the system in all.
    pub all_rows: usize,
    /// Kept rows in the numbering of the system; `None` if nothing is left out.
    pub kept: Option<Kept>,
}

/// Which rows are kept, where some are not.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Row of the system for each kept row.
    pub row: Vec<usize>,
    /// Block row of the system for each kept block row.
    pub block_row: Vec<usize>,
}

/// The numbers of the problem at one instant.
#[derive(Clone, Copy)]
pub struct Numbers<'a> {
    /// Phi_v in the blocks of the problem.
    pub phi_v: &'a [f64],
    /// gamma of the kept rows.
    pub gamma: &'a [f64],
    /// Q.
    pub force: &'a [f64],
}

/// Room for the kept rows, where some are left out.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    phi_v: Vec<f64>,
    gamma: Vec<f64>,
}

impl Problem {
    /// The problem of a system without the rows marked in `redundant`.
    pub fn new(system: &System, redundant: &[bool]) -> Problem {
        let layout = &system.layout;
        let keeps_all = !redundant.iter().any(|r| *r);
        let mut problem = Problem {
            nv: system.nv(),
            inertia: system.inertia.clone(),
            groups: Vec::with_capacity(layout.groups.len()),
            blocks: Vec::with_capacity(layout.blocks.len()),
            rows: 0,
            block_rows: 0,
            all_rows: layout.rows,
            kept: None,
        };
        let mut kept = Kept { row: Vec::new(), block_row: Vec::new() };
        for (index, group) in layout.groups.iter().enumerate() {
            let own: Vec<usize> =
                group.rows.clone().filter(|&r| !redundant.get(r).copied().unwrap_or(false)).collect();
            problem.groups.push(problem.rows..problem.rows + own.len());
            for block in &layout.blocks[group.blocks.clone()] {
                let before = problem.block_rows;
                problem.blocks.push(Block { group: index, body: block.body, rows: own.len(), before });
                problem.block_rows += own.len();
                kept.block_row.extend(own.iter().map(|r| block.before + r - group.rows.start));
            }
            problem.rows += own.len();
            kept.row.extend(own);
        }
        if !keeps_all {
            problem.kept = Some(kept);
        }
        problem
    }

    /// Bodies in all.
    pub fn bodies(&self) -> usize {
        self.inertia.len()
    }

    /// The joint graph.
    pub fn graph(&self) -> JointGraph {
        let mut bodies: Vec<Vec<usize>> = vec![Vec::new(); self.groups.len()];
        self.blocks.iter().for_each(|b| bodies[b.group].push(b.body));
        let joints = bodies.into_iter().zip(self.groups.iter().map(|g| g.len()));
        // blocks name existing bodies, so the graph exists
        JointGraph::new(self.bodies(), joints).unwrap_or_else(|_| unreachable!("blocks are on bodies"))
    }

    /// The block pattern of a graph of joints.
    pub fn pattern(graph: &JointGraph) -> BlockPattern {
        let mut pairs = Vec::new();
        for body in 0..graph.bodies() {
            let joints = graph.joints_on(body);
            for (k, &i) in joints.iter().enumerate() {
                pairs.extend(joints[..k].iter().map(|&j| (i, j)));
            }
        }
        BlockPattern::new(graph.sizes().to_vec(), &pairs)
    }

    /// The numbers of an evaluated instant.
    pub fn gather<'a>(&self, work: &'a Work, room: &'a mut Gathered) -> Numbers<'a> {
        let Some(kept) = &self.kept else {
            return Numbers { phi_v: &work.phi_v, gamma: &work.gamma, force: &work.force };
        };
        room.phi_v.resize(self.block_rows * self.nv, 0.0);
        room.gamma.resize(self.rows, 0.0);
        for (to, &from) in room.phi_v.chunks_exact_mut(self.nv).zip(&kept.block_row) {
            to.copy_from_slice(&work.phi_v[from * self.nv..(from + 1) * self.nv]);
        }
        for (to, &from) in room.gamma.iter_mut().zip(&kept.row) {
            *to = work.gamma[from];
        }
        Numbers { phi_v: &room.phi_v, gamma: &room.gamma, force: &work.force }
    }

    /// The row of the system that a kept row is.
    pub fn system_row(&self, row: usize) -> usize {
        self.kept.as_ref().map_or(row, |k| k.row[row])
    }

    /// Multipliers of kept rows into those of all rows; redundant ones get zero.
    pub fn scatter(&self, lam: &[f64], all: &mut [f64]) {
        match &self.kept {
            None => all.copy_from_slice(lam),
            Some(kept) => {
                all.fill(0.0);
                for (&row, x) in kept.row.iter().zip(lam) {
                    all[row] = *x;
                }
            }
        }
    }

    /// b = Phi_v M^-1 Q - gamma, with M^-1 Q left in `free`.
    pub fn right_side(&self, numbers: &Numbers, free: &mut [f64], b: &mut [f64]) {
        self.inverse_mass_times(numbers.force, free);
        if self.nv == 6 {
            self.right_side_of::<6>(numbers, free, b)
        } else {
            self.right_side_of::<3>(numbers, free, b)
        }
    }

    fn right_side_of<const NV: usize>(&self, numbers: &Numbers, free: &[f64], b: &mut [f64]) {
        for (b, gamma) in b.iter_mut().zip(numbers.gamma) {
            *b = -gamma;
        }
        for block in &self.blocks {
            let x = &free[block.body * NV..(block.body + 1) * NV];
            let rows = numbers.phi_v[block.before * NV..].chunks_exact(NV).take(block.rows);
            for (b, row) in b[self.groups[block.group].clone()].iter_mut().zip(rows) {
                for k in 0..NV {
                    *b += row[k] * x[k];
                }
            }
        }
    }

    /// acc = M^-1 (Q - Phi_v^T lam), with `scratch` as long as the velocities.
    pub fn accelerations(&self, numbers: &Numbers, lam: &[f64], scratch: &mut [f64], acc: &mut [f64]) {
        scratch.copy_from_slice(numbers.force);
        if self.nv == 6 {
            self.add_reactions::<6>(numbers, lam, scratch)
        } else {
            self.add_reactions::<3>(numbers, lam, scratch)
        }
        self.inverse_mass_times(scratch, acc);
    }

    fn add_reactions<const NV: usize>(&self, numbers: &Numbers, lam: &[f64], force: &mut [f64]) {
        for block in &self.blocks {
            let rows = numbers.phi_v[block.before * NV..].chunks_exact(NV).take(block.rows);
            let force = &mut force[block.body * NV..(block.body + 1) * NV];
            for (lam, row) in lam[self.groups[block.group].clone()].iter().zip(rows) {
                for k in 0..NV {
                    force[k] -= lam * row[k];
                }
            }
        }
    }

    fn inverse_mass_times(&self, x: &[f64], out: &mut [f64]) {
        let nv = self.nv;
        for ((inertia, x), y) in self.inertia.iter().zip(x.chunks_exact(nv)).zip(out.chunks_exact_mut(nv)) {
            let (k, j) = (1.0 / inertia.mass, &inertia.inverse);
            if nv == 6 {
                for a in 0..3 {
                    y[a] = k * x[a];
                    y[3 + a] = j[a][0] * x[3] + j[a][1] * x[4] + j[a][2] * x[5];
                }
            } else {
                (y[0], y[1], y[2]) = (k * x[0], k * x[1], j[0][0] * x[2]);
            }
        }
    }
}
