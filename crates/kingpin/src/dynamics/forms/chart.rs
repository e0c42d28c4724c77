//! The chart of a step: coordinates x = (r, eta) of spatial bodies about the attitudes at the start of the step.
//!
//! Euler parameters are p = p0 * exp(eta/2) with the rotation vector eta, so a body has six coordinates and there is
//! nothing to normalise; points keep the coordinates they have. Rates are w = T(eta) eta'. Where the step starts, eta = 0 and T = I: positions, rates and
//! accelerations of the chart are those of the velocities v = (r', w), and so are all Jacobians. A chart is good for
//! less than half a turn; every accepted step has its own. Planar bodies keep their angle: there the chart does nothing.

use crate::dynamics::instant::Trouble;
use crate::spatial::rotation_vector::{Turn, exponential};
use crate::spatial::{M3, apply, apply_t, euler};
use crate::system::{Block, Node, NodeKind, System, Work};
use crate::threads::{Divide, Each, Spans, copy, gathered, in_pieces};
use std::ops::Range;

/// Turn of a body in one step that no step shall exceed, rad: 150 degrees. The farthest stage of any method lies at
/// 1.15 of the step, still within half a turn.
pub(in crate::dynamics) const FARTHEST: f64 = 150.0 * std::f64::consts::PI / 180.0;

const ONE: M3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Attitudes about which bodies turn, and T where it was evaluated last, node by node; empty in the plane.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct Chart {
    nodes: Vec<Node>,
    p0: Vec<[f64; 4]>,
    rates: Vec<M3>,
    /// Where coordinates and velocities of nodes begin, and their ends; nodes of a piece, at most.
    starts: [Vec<u32>; 2],
    grain: usize,
    /// Velocities that are first-order states: their integrals begin anew wherever a chart is based.
    states: Range<usize>,
}

/// The turn of a frame among all coordinates.
fn turn(x: &[f64], node: &Node) -> [f64; 3] {
    [x[node.v + 3], x[node.v + 4], x[node.v + 5]]
}

/// The same among those of the frame alone.
#[inline(always)]
fn own_turn(x: &[f64]) -> [f64; 3] {
    [x[3], x[4], x[5]]
}

/// Numbers of some blocks that follow each other, and the place of the first.
struct BlockNumbers<'a> {
    blocks: &'a [Block],
    numbers: &'a mut [f64],
    first: usize,
}

impl Divide for BlockNumbers<'_> {
    fn divide(self, block: usize) -> (Self, Self) {
        let (blocks, first) = (self.blocks, self.blocks[block].at);
        let (before, behind) = self.numbers.split_at_mut(first - self.first);
        (
            BlockNumbers { blocks, numbers: before, first: self.first },
            BlockNumbers { blocks, numbers: behind, first },
        )
    }
}

impl Chart {
    pub fn new(system: &System) -> Self {
        let spatial = if system.dimensions() == 3 { system.bodies() } else { 0 };
        let nodes: Vec<Node> = system.nodes.iter().take(spatial).copied().collect();
        let starts = |first: fn(&Node) -> usize, end: usize| {
            nodes.iter().map(first).chain([end]).map(|start| start as u32).collect()
        };
        Self {
            p0: vec![[1.0, 0.0, 0.0, 0.0]; spatial],
            rates: vec![ONE; spatial],
            starts: [starts(|node| node.q, system.coordinates()), starts(|node| node.v, system.velocities())],
            grain: system.grain,
            states: state_velocities(system),
            nodes,
        }
    }

    /// Does something to the velocities of each frame, of which `out` has some numbers.
    #[inline(always)]
    fn for_frames(&self, out: &mut [f64], what: impl Fn(usize, &Node, &M3, &mut [f64]) + Sync) {
        let room = Spans::new(&self.starts[1], out);
        in_pieces(0..self.nodes.len(), self.grain, room, &|some, mut room: Spans<f64>| {
            for b in some.filter(|&b| self.nodes[b].turns()) {
                what(b, &self.nodes[b], &self.rates[b], room.of(b));
            }
        });
    }

    /// Bases the chart at a configuration, and writes that in it.
    pub fn base(&mut self, q: &[f64], x: &mut [f64]) {
        if self.p0.is_empty() {
            x.copy_from_slice(q);
            return x[self.states.clone()].fill(0.0);
        }
        self.base_in_space(q, x);
        x[self.states.clone()].fill(0.0);
    }

    fn base_in_space(&mut self, q: &[f64], x: &mut [f64]) {
        let room = (Spans::new(&self.starts[1], x), (Each(&mut self.p0, 0), Each(&mut self.rates, 0)));
        in_pieces(0..self.nodes.len(), self.grain, room, &|some, (mut x, (p0, rates))| {
            let each = self.nodes[some.clone()].iter().zip(p0.0).zip(rates.0);
            for (b, ((node, p0), rate)) in some.zip(each) {
                let x = x.of(b);
                x[..node.places].copy_from_slice(&q[node.q..][..node.places]);
                *rate = ONE;
                if node.turns() {
                    p0.copy_from_slice(&q[node.q + 3..node.q + 7]);
                    x[3..].fill(0.0);
                }
            }
        });
    }

    /// Configuration at coordinates of the chart, with T there; Euler parameters are unit to round-off.
    pub fn place(&mut self, x: &[f64], q: &mut [f64]) {
        if self.p0.is_empty() {
            return q.copy_from_slice(x);
        }
        let Self { nodes, p0, rates, starts, grain, .. } = self;
        let room = (Spans::new(&starts[0], q), Each(rates, 0));
        in_pieces(0..nodes.len(), *grain, room, &|some, room: (Spans<f64>, Each<M3>)| {
            place_some(some, (nodes, p0), x, room);
        });
    }

    /// Velocities (r', w) from the rates of the coordinates, where T was evaluated last.
    pub fn velocities(&self, rates: &[f64], v: &mut [f64]) {
        copy(rates, v);
        self.for_frames(v, |_, node, t, v| v[3..].copy_from_slice(&apply(t, &turn(rates, node))));
    }

    /// T' eta' of a body.
    fn bias(&self, x: &[f64], rates: &[f64], body: usize) -> [f64; 3] {
        let node = &self.nodes[body];
        if self.rates[body] == ONE { [0.0; 3] } else { Turn::new(&turn(x, node)).bias(&turn(rates, node)) }
    }

    /// v' from accelerations of the coordinates.
    pub fn accelerations(&self, x: &[f64], rates: &[f64], xddot: &[f64], acc: &mut [f64]) {
        copy(xddot, acc);
        self.for_frames(acc, |b, node, t, acc| {
            let (own, bias) = (apply(t, &turn(xddot, node)), self.bias(x, rates, b));
            (0..3).for_each(|k| acc[3 + k] = own[k] + bias[k]);
        });
    }

    /// Accelerations of the coordinates from v'.
    pub fn of_accelerations(&self, x: &[f64], rates: &[f64], acc: &[f64], xddot: &mut [f64]) {
        copy(acc, xddot);
        self.for_frames(xddot, |b, node, t, xddot| {
            if *t != ONE {
                let (own, bias) = (own_turn(xddot), self.bias(x, rates, b));
                let bent = Turn::new(&turn(x, node)).solve(&std::array::from_fn(|k| own[k] - bias[k]));
                xddot[3..].copy_from_slice(&bent);
            }
        });
    }

    /// Forces on velocities as forces on the coordinates, in place.
    pub fn forces(&self, force: &mut [f64]) {
        self.for_frames(force, |_, _, t, force| {
            if *t != ONE {
                let turned = apply_t(t, &own_turn(force));
                force[3..].copy_from_slice(&turned);
            }
        });
    }

    /// Phi_x = Phi_v T in the configuration of the work, where T was evaluated last.
    pub fn jacobian(&self, system: &System, work: &Work, out: &mut [f64]) {
        copy(&work.phi_v, out);
        if self.rates.is_empty() {
            return;
        }
        let blocks = &system.layout.blocks[..];
        let room = BlockNumbers { blocks, numbers: out, first: 0 };
        in_pieces(0..blocks.len(), self.grain, room, &|some, room: BlockNumbers| {
            for block in blocks[some].iter().filter(|block| self.rates[block.body] != ONE) {
                let (t, own) = (&self.rates[block.body], block.numbers());
                for row in room.numbers[own.start - room.first..own.end - room.first].chunks_exact_mut(6) {
                    let turned = apply_t(t, &own_turn(row));
                    row[3..].copy_from_slice(&turned);
                }
            }
        });
    }

    /// How a frame has turned since the chart was based: in global axes, and as coordinates of the chart say it; `None` if it
    /// has not.
    pub fn turned(&self, body: usize, x: &[f64]) -> Option<(M3, Turn)> {
        let eta = turn(x, &self.nodes[body]);
        if eta == [0.0; 3] {
            return None;
        }
        let p0 = &self.p0[body];
        let back = [p0[0], -p0[1], -p0[2], -p0[3]];
        let global = euler::product(&euler::product(p0, &exponential(&eta)), &back);
        Some((euler::matrix(&global), Turn::new(&eta)))
    }

    /// An error if a body has left the chart.
    pub fn check(&self, x: &[f64]) -> Result<(), Trouble> {
        let left = |&body: &usize| {
            let node = &self.nodes[body];
            node.turns() && square(&turn(x, node)) > std::f64::consts::PI * std::f64::consts::PI
        };
        let of = |mut some: Range<usize>| some.find(left);
        match gathered(0..self.nodes.len(), self.grain, &of, &Option::or) {
            Some(body) => Err(Trouble::Turn { body, angle: square(&turn(x, &self.nodes[body])).sqrt() }),
            None => Ok(()),
        }
    }

    /// The longest step in which no body turns by more than the chart allows, at velocities v.
    pub fn longest(&self, v: &[f64]) -> f64 {
        let frames = self.nodes.iter().filter(|node| node.turns());
        FARTHEST / frames.map(|node| square(&turn(v, node))).fold(0.0, f64::max).sqrt()
    }
}

/// Velocities that are first-order states; the last, where there are some.
fn state_velocities(system: &System) -> Range<usize> {
    let first = system.nodes.iter().find(|node| node.kind == NodeKind::State).map(|node| node.v);
    first.unwrap_or(system.velocities())..system.velocities()
}

fn square(x: &[f64; 3]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

/// Places some nodes, with T there.
#[inline(never)]
fn place_some(
    some: Range<usize>,
    (nodes, p0): (&[Node], &[[f64; 4]]),
    x: &[f64],
    (mut q, rates): (Spans<f64>, Each<M3>),
) {
    for (b, rate) in some.zip(rates.0) {
        let (node, q) = (&nodes[b], q.of(b));
        q[..node.places].copy_from_slice(&x[node.v..][..node.places]);
        if !node.turns() {
            continue;
        }
        let eta = turn(x, node);
        if eta == [0.0; 3] {
            q[3..].copy_from_slice(&p0[b]);
            *rate = ONE;
            continue;
        }
        let p = euler::product(&p0[b], &exponential(&eta));
        let size = p.iter().map(|e| e * e).sum::<f64>().sqrt();
        q[3..].iter_mut().zip(&p).for_each(|(q, p)| *q = p / size);
        *rate = Turn::new(&eta).matrix();
    }
}
