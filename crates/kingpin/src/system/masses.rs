//! Mass of the nodes: what the model gives the bodies, and what elements add to points.

use super::Inertia;
use crate::element::equation::PointMass;
use crate::model::finding::{Finding, Subject};
use crate::model::{Body, Model, Space};
use crate::spatial::M3;

/// Mass properties of all bodies, with what elements bring to points.
pub(super) fn inertias(model: &Model, masses: &[PointMass]) -> Vec<Inertia> {
    let mut all: Vec<Inertia> = model.bodies.iter().map(|body| inertia(body, model.space)).collect();
    // states weigh nothing
    model.state_parts().iter().for_each(|part| all[part.body.start].weight = 0.0);
    for mass in masses {
        let point = &mut all[mass.body];
        let weight = point.weight + mass.weight;
        *point = Inertia { weight, ..Inertia::point(point.mass + mass.inertia) };
    }
    all
}

/// Points that have no mass, neither of their own nor from elements.
pub(super) fn massless(model: &Model, masses: &[PointMass]) -> Vec<Finding> {
    let mut total: Vec<f64> = model.bodies.iter().map(|body| body.mass).collect();
    masses.iter().for_each(|mass| total[mass.body] += mass.inertia);
    let fault = |(k, body): (usize, &Body)| {
        let message = format!("point `{}` has no mass", body.name);
        let finding = Finding::error(Subject::Body(k), "", message);
        let none = body.point && total[k] == 0.0;
        none.then(|| finding.hint("give it a `mass`, or attach it to a bar with mass"))
    };
    model.bodies.iter().enumerate().filter_map(fault).collect()
}

/// Mass properties in the layout of the space.
fn inertia(body: &Body, space: Space) -> Inertia {
    if body.point {
        return Inertia::point(body.mass);
    }
    let (mut tensor, mut inverse): (M3, M3) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
    if space == Space::Planar {
        tensor[0][0] = body.inertia[(2, 2)];
        inverse[0][0] = 1.0 / body.inertia[(2, 2)];
    } else {
        let inverted = body.inertia.try_inverse().unwrap_or_default();
        for i in 0..3 {
            for j in 0..3 {
                tensor[i][j] = body.inertia[(i, j)];
                inverse[i][j] = inverted[(i, j)];
            }
        }
    }
    let (mass, third) = (body.mass, tensor[0][0]);
    let (inverse_mass, inverse_third) = (1.0 / mass, 1.0 / third);
    Inertia { mass, weight: mass, inverse_mass, tensor, inverse, third, inverse_third }
}
