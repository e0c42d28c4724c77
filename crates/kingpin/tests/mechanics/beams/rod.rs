//! Beams of bodies and spans, made by hand.

use kingpin::element::beam::BeamRule;
use kingpin::element::force::{AppliedForce, AppliedTorque};
use kingpin::element::joint::{Fixed, Revolute};
use kingpin::model::{Body, Ends, Function, Mat3, Model, Orientation, Space, Span, Vec3};

/// A beam along some line, of elements of one length and order.
#[derive(Clone)]
pub struct Rod {
    pub space: Space,
    pub elements: usize,
    pub order: usize,
    pub length: f64,
    pub section: [[f64; 6]; 6],
    /// Mass per length.
    pub mass: f64,
    /// Moments of inertia of the section per length.
    pub inertia: [f64; 3],
    pub damping: f64,
    /// Turn about the line from end to end.
    pub twist: f64,
}

pub fn diagonal(c: [f64; 6]) -> [[f64; 6]; 6] {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { c[i] } else { 0.0 }))
}

impl Rod {
    pub fn new(space: Space, (elements, order): (usize, usize), length: f64, section: [[f64; 6]; 6]) -> Rod {
        let (mass, inertia) = (1.0, [2e-3, 1e-3, 1e-3]);
        Rod { space, elements, order, length, section, mass, inertia, damping: 0.0, twist: 0.0 }
    }

    /// The name of the last body.
    pub fn tip(&self) -> String {
        format!("n{}", self.elements * self.order)
    }

    /// A body per node, and the elements; nothing holds it.
    pub fn free(&self) -> Model {
        let mut model = Model::new("rod", self.space);
        let (rule, each) = (BeamRule::new(self.order), self.length / self.elements as f64);
        let nodes = self.elements * self.order + 1;
        let (mut shares, mut places) = (vec![0.0; nodes], vec![0.0; nodes]);
        for element in 0..self.elements {
            for (k, (x, weight)) in rule.nodes.iter().zip(&rule.weights).enumerate() {
                let node = element * self.order + k;
                shares[node] += 0.5 * each * weight;
                places[node] = each * (element as f64 + 0.5 * (x + 1.0));
            }
        }
        for (k, (share, s)) in shares.iter().zip(&places).enumerate() {
            let turn = 0.5 * self.twist * s / self.length;
            model.body(Body {
                name: format!("n{k}"),
                mass: self.mass * share,
                inertia: Mat3::from_diagonal(&Vec3::from(self.inertia.map(|x| x * share))),
                unphysical_inertia: self.space == Space::Spatial,
                position: Vec3::new(*s, 0.0, 0.0),
                orientation: Orientation::EulerParameters([turn.cos(), turn.sin(), 0.0, 0.0]),
                ..Body::default()
            });
        }
        for element in 0..self.elements {
            let bodies = (0..=self.order).map(|k| format!("n{}", element * self.order + k)).collect();
            let name = format!("rod.{}", element + 1);
            let (stiffness, damping) = (vec![self.section], self.damping);
            model.span(Span { name, bodies, length: each, stiffness, damping });
        }
        model
    }

    /// Clamped at its start.
    pub fn clamped(&self) -> Model {
        let mut model = self.free();
        model.joint("clamp", Ends::bodies("ground", "n0"), Fixed {});
        model
    }

    /// Hinged at its start, about z.
    pub fn hinged(&self) -> Model {
        let mut model = self.free();
        let axis = if self.space == Space::Spatial { Some(Vec3::z()) } else { None };
        model.joint("hinge", Ends { axis, ..Ends::bodies("ground", "n0") }, Revolute {});
        model
    }

    /// Clamped with a force of fixed direction at the tip.
    pub fn loaded(&self, force: [f64; 3]) -> Model {
        let mut model = self.clamped();
        let force = Vec3::from(force);
        let ends = Ends { body: Some(self.tip()), ..Ends::default() };
        let magnitude = Function::Constant(force.norm());
        model.force(
            "load",
            ends,
            AppliedForce { magnitude, direction: force.normalize(), body_fixed: false },
        );
        model
    }

    /// Clamped with a torque about a fixed direction at the tip.
    pub fn turned(&self, torque: [f64; 3]) -> Model {
        let mut model = self.clamped();
        let torque = Vec3::from(torque);
        let ends = Ends { body: Some(self.tip()), ..Ends::default() };
        let magnitude = Function::Constant(torque.norm());
        model.force(
            "load",
            ends,
            AppliedTorque { magnitude, direction: torque.normalize(), body_fixed: false },
        );
        model
    }
}

/// Roll-up (F1).
pub fn rollup() -> [[f64; 6]; 6] {
    diagonal([1770e3, 1770e3, 1770e3, 8.16e3, 86.9e3, 215e3])
}

/// A composite section that couples bending and torsion (F2).
pub fn composite() -> [[f64; 6]; 6] {
    let mut c = diagonal([1368.17e3, 88.56e3, 38.78e3, 16.96e3, 59.12e3, 141.47e3]);
    for (i, j, x) in [(3, 4, 17.61e3), (3, 5, -0.351e3), (4, 5, -0.370e3)] {
        (c[i][j], c[j][i]) = (x, x);
    }
    c
}

/// The twisted cantilever (F4).
pub fn twisted(elements: usize, order: usize) -> Rod {
    let section = diagonal([2.5e10, 8.2604167e9, 8.2604167e9, 1.41872656e8, 5.20833e8, 1.30208333e8]);
    let twist = std::f64::consts::FRAC_PI_2;
    let (mass, inertia) = (1e3, [10.0, 5.0, 5.0]);
    Rod { twist, mass, inertia, ..Rod::new(Space::Spatial, (elements, order), 10.0, section) }
}
