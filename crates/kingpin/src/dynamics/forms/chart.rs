//! The chart of a step: coordinates x = (r, eta) of spatial bodies about the attitudes at the start of the step.
//!
//! Euler parameters are p = p0 * exp(eta/2) with the rotation vector eta, so a body has six coordinates and there is
//! nothing to normalise; points keep the coordinates they have. Rates are w = T(eta) eta'. Where the step starts, eta = 0 and T = I: positions, rates and
//! accelerations of the chart are those of the velocities v = (r', w), and so are all Jacobians. A chart is good for
//! less than half a turn; every accepted step has its own. Planar bodies keep their angle: there the chart does nothing.

use crate::dynamics::instant::Trouble;
use crate::spatial::rotation_vector::{Turn, exponential};
use crate::spatial::{M3, apply, apply_t, euler};
use crate::system::{Node, System, Work};

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
}

/// The turn of a frame among all coordinates.
fn turn(x: &[f64], node: &Node) -> [f64; 3] {
    [x[node.v + 3], x[node.v + 4], x[node.v + 5]]
}

fn put(x: &mut [f64], node: &Node, turn: [f64; 3]) {
    x[node.v + 3..node.v + 6].copy_from_slice(&turn);
}

impl Chart {
    pub fn new(system: &System) -> Self {
        let spatial = if system.dimensions() == 3 { system.bodies() } else { 0 };
        let nodes = system.nodes.iter().take(spatial).copied().collect();
        Self { nodes, p0: vec![[1.0, 0.0, 0.0, 0.0]; spatial], rates: vec![ONE; spatial] }
    }

    /// Frames with T, those that turn.
    fn frames(&self) -> impl Iterator<Item = (usize, &Node, &M3)> {
        let all = self.nodes.iter().zip(&self.rates).enumerate();
        all.map(|(b, (node, t))| (b, node, t)).filter(|(_, node, _)| node.turns())
    }

    /// Bases the chart at a configuration, and writes that in it.
    pub fn base(&mut self, q: &[f64], x: &mut [f64]) {
        if self.p0.is_empty() {
            return x.copy_from_slice(q);
        }
        for (node, p0) in self.nodes.iter().zip(&mut self.p0) {
            x[node.v..][..node.places].copy_from_slice(&q[node.q..][..node.places]);
            if node.turns() {
                p0.copy_from_slice(&q[node.q + 3..node.q + 7]);
                put(x, node, [0.0; 3]);
            }
        }
        self.rates.fill(ONE);
    }

    /// Configuration at coordinates of the chart, with T there; Euler parameters are unit to round-off.
    pub fn place(&mut self, x: &[f64], q: &mut [f64]) {
        if self.p0.is_empty() {
            return q.copy_from_slice(x);
        }
        for (b, node) in self.nodes.iter().enumerate() {
            let q = &mut q[node.q()];
            q[..node.places].copy_from_slice(&x[node.v..][..node.places]);
            if !node.turns() {
                continue;
            }
            let eta = turn(x, node);
            if eta == [0.0; 3] {
                q[3..].copy_from_slice(&self.p0[b]);
                self.rates[b] = ONE;
                continue;
            }
            let p = euler::product(&self.p0[b], &exponential(&eta));
            let size = p.iter().map(|e| e * e).sum::<f64>().sqrt();
            q[3..].iter_mut().zip(&p).for_each(|(q, p)| *q = p / size);
            self.rates[b] = Turn::new(&eta).matrix();
        }
    }

    /// Velocities (r', w) from the rates of the coordinates, where T was evaluated last.
    pub fn velocities(&self, rates: &[f64], v: &mut [f64]) {
        v.copy_from_slice(rates);
        for (_, node, t) in self.frames() {
            put(v, node, apply(t, &turn(rates, node)));
        }
    }

    /// T' eta' of a body.
    fn bias(&self, x: &[f64], rates: &[f64], body: usize) -> [f64; 3] {
        let node = &self.nodes[body];
        if self.rates[body] == ONE { [0.0; 3] } else { Turn::new(&turn(x, node)).bias(&turn(rates, node)) }
    }

    /// v' from accelerations of the coordinates.
    pub fn accelerations(&self, x: &[f64], rates: &[f64], xddot: &[f64], acc: &mut [f64]) {
        acc.copy_from_slice(xddot);
        for (b, node, t) in self.frames() {
            let (own, bias) = (apply(t, &turn(xddot, node)), self.bias(x, rates, b));
            put(acc, node, std::array::from_fn(|k| own[k] + bias[k]));
        }
    }

    /// Accelerations of the coordinates from v'.
    pub fn of_accelerations(&self, x: &[f64], rates: &[f64], acc: &[f64], xddot: &mut [f64]) {
        xddot.copy_from_slice(acc);
        for (b, node, t) in self.frames() {
            if *t == ONE {
                continue;
            }
            let bias = self.bias(x, rates, b);
            let own = turn(acc, node);
            put(xddot, node, Turn::new(&turn(x, node)).solve(&std::array::from_fn(|k| own[k] - bias[k])));
        }
    }

    /// Forces on velocities as forces on the coordinates, in place.
    pub fn forces(&self, force: &mut [f64]) {
        for (_, node, t) in self.frames() {
            if *t != ONE {
                put(force, node, apply_t(t, &turn(force, node)));
            }
        }
    }

    /// Phi_x = Phi_v T in the configuration of the work, where T was evaluated last.
    pub fn jacobian(&self, system: &System, work: &Work, out: &mut [f64]) {
        out.copy_from_slice(&work.phi_v);
        if self.rates.is_empty() {
            return;
        }
        for block in &system.layout.blocks {
            let t = &self.rates[block.body];
            if *t == ONE {
                continue;
            }
            for row in out[block.numbers()].chunks_exact_mut(6) {
                let turned = apply_t(t, &[row[3], row[4], row[5]]);
                row[3..].copy_from_slice(&turned);
            }
        }
    }

    /// An error if a body has left the chart.
    pub fn check(&self, x: &[f64]) -> Result<(), Trouble> {
        for (body, node, _) in self.frames() {
            let square = turn(x, node).iter().map(|e| e * e).sum::<f64>();
            if square > std::f64::consts::PI * std::f64::consts::PI {
                return Err(Trouble::Turn { body, angle: square.sqrt() });
            }
        }
        Ok(())
    }

    /// The longest step in which no body turns by more than the chart allows, at velocities v.
    pub fn longest(&self, v: &[f64]) -> f64 {
        let fastest = self.frames().map(|(_, node, _)| turn(v, node).iter().map(|w| w * w).sum::<f64>());
        FARTHEST / fastest.fold(0.0, f64::max).sqrt()
    }
}
