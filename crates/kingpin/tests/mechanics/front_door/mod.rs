//! The library as programs call it.

mod closures;
mod failures;
mod inputs;
mod linear;
mod motions;
mod names;
mod symbolic;

use kingpin::prelude::*;

/// A rod of one metre and one kilogram on a pin at the origin, let go from the horizontal.
pub fn pendulum() -> Model {
    let mut model = Model::new("pendulum", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    model.body(Body::planar("rod", 1.0, 1.0 / 12.0).at([0.5, 0.0, 0.0]));
    model.joint("pin", Ends::at("ground", "rod", [0.0; 3]), Revolute {});
    model.measure("swing", Ends::default(), MeasuredAngle { joint: "pin".into() });
    model.simulation.t_end = 2.0;
    model
}
