// A pendulum from the builder, with drag as a closure, taken step by step.
use kingpin::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = Model::new("pendulum", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    model.body(Body::planar("rod", 1.0, 1.0 / 12.0).at([0.5, 0.0, 0.0]));
    model.joint("pin", Ends::at("ground", "rod", [0.0; 3]), Revolute {});
    model.measure("swing", Ends::default(), MeasuredAngle { joint: "pin".into() });
    let drag = Function::closure(&["swing.rate"], |x| -0.2 * x[0] * x[0].abs());
    model.force(
        "drag",
        Ends::on("rod", [0.0; 3]),
        AppliedTorque { magnitude: drag, ..AppliedTorque::default() },
    );

    let mechanism = Mechanism::new(model)?;
    let mut motion = mechanism.motion()?;
    while motion.step()? == Progress::Going {
        println!("{:8.5} s  {:9.6} rad", motion.time(), motion.value("swing")?);
    }
    Ok(())
}
