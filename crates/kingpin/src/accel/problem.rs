//! The acceleration problem: M v' + Phi_v^T lam = Q, Phi_v v' = gamma, over the equations that are kept.

use super::coupled::CoupledProblem;
use super::found::Searched;
use super::recursive::is_holding;
use crate::linalg::{Arithmetic, BlockPattern};
use crate::spatial::BodyState;
use crate::system::{Block, Inertia, Nodes, System, Work};
use crate::topology::{JointGraph, Link};
use std::ops::Range;
use std::sync::Arc;

/// Structure of the problem. Redundant equations are left out; everything else is kept, joint by joint.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Ranges of velocities of the bodies.
    pub nodes: Nodes,
    /// The arithmetic that solvers use.
    pub arithmetic: Arithmetic,
    /// Mass properties of the bodies.
    pub inertia: Vec<Inertia>,
    /// Kept rows of each joint; in a [`Coupled`](super::Coupled) problem, then those of inertances.
    pub groups: Vec<Range<usize>>,
    /// Jacobian blocks over the kept rows.
    pub blocks: Vec<Block>,
    /// Blocks in the order of bodies, and where each body starts in that list.
    by_body: (Vec<u32>, Vec<u32>),
    /// Kept rows in all.
    pub rows: usize,
    /// Numbers of all blocks together: of Phi_v.
    pub numbers: usize,
    /// Rows of the system in all.
    pub all_rows: usize,
    /// For each number of Phi_v, whether it can differ from zero.
    pub nonzero: Vec<bool>,
    /// Kept rows in the numbering of the system; `None` if nothing is left out.
    pub kept: Option<Kept>,
    /// Rows that yield, and by how much: Phi_v v' - c lam = gamma; one over the amount of each inertance.
    pub compliance: Vec<(usize, f64)>,
    /// For each group, whether it changes with more than the motion of its bodies against each other.
    pub(super) whole: Vec<bool>,
    /// Groups as links of a spanning tree: any that relates two bodies can hold one on the other.
    pub(super) links: Vec<Link>,
    /// Bodies or joints of a piece of work, at most.
    pub(crate) grain: usize,
    /// What was found out about its structure, shared by all copies: each search is made once.
    pub(super) found: Arc<Searched>,
}

/// Which rows are kept, where some are not.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Row of the system for each kept row.
    pub row: Vec<usize>,
    /// First number and width in the system for each kept row of a block.
    pub block_row: Vec<[u32; 2]>,
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
    /// Bodies, ground last.
    pub bodies: &'a [BodyState],
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
            nodes: system.nodes.clone(),
            arithmetic: system.arithmetic,
            inertia: system.inertia.clone(),
            groups: Vec::with_capacity(layout.groups.len()),
            blocks: Vec::with_capacity(layout.blocks.len()),
            by_body: Default::default(),
            rows: 0,
            numbers: 0,
            all_rows: layout.rows,
            nonzero: Vec::new(),
            kept: None,
            compliance: Vec::new(),
            whole: vec![false; layout.groups.len()],
            links: Vec::new(),
            grain: system.grain,
            found: Arc::default(),
        };
        // rows are numbered anew without the redundant ones; blocks keep their order and lose those rows
        let mut kept = Kept { row: Vec::new(), block_row: Vec::new() };
        for (index, group) in layout.groups.iter().enumerate() {
            let own: Vec<usize> =
                group.rows.clone().filter(|&r| !redundant.get(r).copied().unwrap_or(false)).collect();
            problem.groups.push(problem.rows..problem.rows + own.len());
            for block in &layout.blocks[group.blocks.clone()] {
                let (at, rows) = (problem.numbers, own.len());
                problem.blocks.push(Block { group: index, rows, at, ..*block });
                problem.numbers += rows * block.nv;
                let first = |r: &usize| block.row(r - group.rows.start).start as u32;
                kept.block_row.extend(own.iter().map(|r| [first(r), block.nv as u32]));
            }
            problem.rows += own.len();
            kept.row.extend(own);
        }
        let nonzero = system.structural_nonzeros();
        problem.nonzero = kept
            .block_row
            .iter()
            .flat_map(|&[first, width]| &nonzero[first as usize..(first + width) as usize])
            .copied()
            .collect();
        if !keeps_all {
            problem.kept = Some(kept);
        }
        problem.by_body = by_body(&problem.blocks, system.bodies());
        problem.links = (0..problem.groups.len()).map(|g| problem.link(system, g)).collect();
        if system.is_coupled() {
            problem.found.coupled.get_or_init(|| CoupledProblem::new(system, &problem));
        }
        problem
    }

    /// The problem with mass that couples bodies as solvers see it, if there is any.
    pub fn coupled(&self) -> Option<&Problem> {
        self.found.coupled.get().map(|coupled| &coupled.problem)
    }

    fn link(&self, system: &System, group: usize) -> Link {
        let equations = self.groups[group].len();
        let bodies: Vec<usize> = self.blocks_of(group).iter().map(|b| b.body).collect();
        // a point is carried by nothing: its joints are always cut
        let frames = bodies.iter().all(|&body| self.nodes[body].turns());
        let most = self.nodes.widest();
        let holding = frames && (1..=2).contains(&bodies.len()) && (1..=most).contains(&equations);
        let freedoms = (holding && is_holding(system, group)).then(|| most - equations);
        let wish = system.wishes.get(group).copied().filter(|_| freedoms.is_some()).unwrap_or_default();
        Link { bodies, equations, freedoms, wish }
    }

    /// A copy that no search has been made for, with all rows it has.
    pub(super) fn unsearched(&self) -> Problem {
        Problem { found: Arc::default(), kept: None, ..self.clone() }
    }

    /// Lists blocks by bodies anew.
    pub(super) fn renumber(&mut self) {
        self.by_body = by_body(&self.blocks, self.bodies());
    }

    /// Bodies in all.
    pub fn bodies(&self) -> usize {
        self.inertia.len()
    }

    /// Jacobian blocks of a group. O(log blocks).
    pub fn blocks_of(&self, group: usize) -> &[Block] {
        let [first, end] = [group, group + 1].map(|g| self.blocks.partition_point(|b| b.group < g));
        &self.blocks[first..end]
    }

    /// The group of a kept row.
    pub fn group_of(&self, row: usize) -> usize {
        self.groups.partition_point(|group| group.end <= row)
    }

    /// The joint graph.
    pub fn graph(&self) -> JointGraph {
        let mut bodies: Vec<Vec<usize>> = vec![Vec::new(); self.groups.len()];
        self.blocks.iter().for_each(|b| bodies[b.group].push(b.body));
        let joints = bodies.into_iter().zip(self.groups.iter().map(|g| g.len()));
        // blocks name existing bodies, so the graph exists
        let graph =
            JointGraph::new(self.bodies(), joints).unwrap_or_else(|_| unreachable!("blocks are on bodies"));
        if !self.nodes.has_points() {
            return graph;
        }
        graph.with_widths(self.nodes.iter().map(|node| node.nv).collect())
    }

    /// The block pattern of a graph of joints.
    pub fn pattern(&self, graph: &JointGraph) -> BlockPattern {
        let mut pairs = Vec::new();
        for body in 0..graph.bodies() {
            let joints = graph.joints_on(body);
            for (k, &i) in joints.iter().enumerate() {
                pairs.extend(joints[..k].iter().map(|&j| (i, j)));
            }
        }
        BlockPattern::new(graph.sizes().to_vec(), &pairs).with(self.arithmetic)
    }

    /// The numbers of an evaluated instant.
    pub fn gather<'a>(&self, work: &'a Work, room: &'a mut Gathered) -> Numbers<'a> {
        let Some(kept) = &self.kept else {
            return Numbers {
                phi_v: &work.phi_v,
                gamma: &work.gamma,
                force: &work.force,
                bodies: &work.bodies,
            };
        };
        room.phi_v.resize(self.numbers, 0.0);
        room.gamma.resize(self.rows, 0.0);
        let mut to = 0;
        for &[from, width] in &kept.block_row {
            let (from, width) = (from as usize, width as usize);
            room.phi_v[to..to + width].copy_from_slice(&work.phi_v[from..from + width]);
            to += width;
        }
        for (to, &from) in room.gamma.iter_mut().zip(&kept.row) {
            *to = work.gamma[from];
        }
        Numbers { phi_v: &room.phi_v, gamma: &room.gamma, force: &work.force, bodies: &work.bodies }
    }

    /// For each row of the system, whether it is left out.
    pub fn redundant(&self) -> Vec<bool> {
        let mut left_out = vec![self.kept.is_some(); self.all_rows];
        self.kept.iter().flat_map(|kept| &kept.row).for_each(|&row| left_out[row] = false);
        left_out
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

    /// free = M^-1 Q and b = -gamma: what the right side Phi_v M^-1 Q - gamma is made of.
    pub fn start(&self, numbers: &Numbers, free: &mut [f64], b: &mut [f64]) {
        self.inverse_mass_times(numbers.force, free);
        for (b, gamma) in b.iter_mut().zip(numbers.gamma) {
            *b = -gamma;
        }
    }

    /// out += Phi_v acc, joint by joint.
    pub fn add_rates(&self, phi_v: &[f64], acc: &[f64], out: &mut [f64]) {
        for block in &self.blocks {
            let own = &acc[block.v..block.v + block.nv];
            let rows = phi_v[block.at..block.at + block.rows * block.nv].chunks_exact(block.nv);
            for (out, row) in out[self.groups[block.group].clone()].iter_mut().zip(rows) {
                *out += row.iter().zip(own).map(|(j, a)| j * a).sum::<f64>();
            }
        }
    }

    /// acc = M^-1 (Q - Phi_v^T lam), body by body.
    pub fn accelerations(&self, numbers: &Numbers, lam: &[f64], acc: &mut [f64]) {
        match self.nodes.width() {
            Some(6) => self.accelerations_of::<6>(numbers, lam, acc),
            Some(3) => self.accelerations_of::<3>(numbers, lam, acc),
            _ => self.accelerations_of_all(numbers, lam, acc),
        }
    }

    /// Where all nodes have as many velocities.
    fn accelerations_of<const NV: usize>(&self, numbers: &Numbers, lam: &[f64], acc: &mut [f64]) {
        for (body, (force, acc)) in numbers.force.chunks_exact(NV).zip(acc.chunks_exact_mut(NV)).enumerate() {
            self.acceleration_of::<NV>(body, force, numbers, lam, acc);
        }
    }

    fn accelerations_of_all(&self, numbers: &Numbers, lam: &[f64], acc: &mut [f64]) {
        for (body, node) in self.nodes.iter().enumerate() {
            let (force, acc) = (&numbers.force[node.v()], &mut acc[node.v()]);
            match node.nv {
                6 => self.acceleration_of::<6>(body, force, numbers, lam, acc),
                3 => self.acceleration_of::<3>(body, force, numbers, lam, acc),
                2 => self.acceleration_of::<2>(body, force, numbers, lam, acc),
                _ => self.acceleration_of::<1>(body, force, numbers, lam, acc),
            }
        }
    }

    /// Q less the forces of the joints on one body, Phi_v^T lam summed over its blocks, divided by its mass.
    #[inline(always)]
    pub(super) fn acceleration_of<const NV: usize>(
        &self,
        body: usize,
        free: &[f64],
        numbers: &Numbers,
        lam: &[f64],
        acc: &mut [f64],
    ) {
        let (list, first) = &self.by_body;
        let mut force = [0.0; NV];
        force.copy_from_slice(free);
        for &k in &list[first[body] as usize..first[body + 1] as usize] {
            let block = &self.blocks[k as usize];
            let rows = numbers.phi_v[block.at..block.at + block.rows * NV].chunks_exact(NV);
            for (lam, row) in lam[self.groups[block.group].clone()].iter().zip(rows) {
                for k in 0..NV {
                    force[k] -= lam * row[k];
                }
            }
        }
        inverse_mass(&self.inertia[body], &force, acc);
    }

    /// y = M^-1 x for one body.
    pub(super) fn inverse_mass_of(&self, body: usize, x: &[f64], y: &mut [f64]) {
        inverse_mass(&self.inertia[body], x, y);
    }

    fn inverse_mass_times(&self, x: &[f64], out: &mut [f64]) {
        if let Some(nv) = self.nodes.width() {
            let each = self.inertia.iter().zip(x.chunks_exact(nv)).zip(out.chunks_exact_mut(nv));
            return each.for_each(|((inertia, x), y)| inverse_mass(inertia, x, y));
        }
        for (inertia, node) in self.inertia.iter().zip(self.nodes.iter()) {
            inverse_mass(inertia, &x[node.v()], &mut out[node.v()]);
        }
    }
}

/// y = M^-1 x for one body.
#[inline(always)]
fn inverse_mass(inertia: &Inertia, x: &[f64], y: &mut [f64]) {
    let (k, j) = (inertia.inverse_mass, &inertia.inverse);
    if let ([x0, x1, x2, x3, x4, x5], [y0, y1, y2, y3, y4, y5]) = (x, &mut *y) {
        (*y0, *y1, *y2) = (k * x0, k * x1, k * x2);
        let turn = |a: usize| j[a][0] * x3 + j[a][1] * x4 + j[a][2] * x5;
        (*y3, *y4, *y5) = (turn(0), turn(1), turn(2));
    } else if let ([x0, x1, x2], [y0, y1, y2]) = (x, &mut *y) {
        (*y0, *y1, *y2) = (k * x0, k * x1, inertia.inverse_third * x2);
    } else {
        y.iter_mut().zip(x).for_each(|(y, x)| *y = k * x);
    }
}

/// Blocks in the order of bodies, and where each body starts.
fn by_body(blocks: &[Block], bodies: usize) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0_u32; bodies + 1];
    blocks.iter().for_each(|b| first[b.body + 1] += 1);
    for body in 0..bodies {
        first[body + 1] += first[body];
    }
    let (mut next, mut list) = (first.clone(), vec![0; blocks.len()]);
    for (k, block) in blocks.iter().enumerate() {
        list[next[block.body] as usize] = k as u32;
        next[block.body] += 1;
    }
    (list, first)
}
