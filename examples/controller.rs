// A cart with an inverted pendulum, kept upright by a controller that looks every ten milliseconds.
use kingpin::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = Model::new("balance", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    model.body(Body::planar("cart", 1.0, 0.1));
    // a little off the vertical
    let pole = Body::planar("pole", 0.2, 0.2 / 12.0).at([0.5 * 0.1_f64.sin(), 0.5 * 0.1_f64.cos(), 0.0]);
    model.body(Body { angle: -0.1, ..pole });
    model.joint("rail", Ends::at("ground", "cart", [0.0; 3]).axis([1.0, 0.0, 0.0]), Translational {});
    model.joint("hinge", Ends::at("cart", "pole", [0.0; 3]), Revolute {});
    model.measure("lean", Ends::default(), MeasuredAngle { joint: "hinge".into() });
    model.measure("place", Ends::default(), MeasuredDisplacement { joint: "rail".into() });
    model.input("push", 0.0);
    let push = Function::closure(&["push"], |x| x[0]);
    let along = Vec3::new(1.0, 0.0, 0.0);
    model.force(
        "motor",
        Ends::on("cart", [0.0; 3]),
        AppliedForce { magnitude: push, direction: along, body_fixed: false },
    );
    model.simulation.t_end = 5.0;

    let mechanism = Mechanism::new(model)?;
    let mut motion = mechanism.motion()?;
    let mut sample = 0;
    while motion.advance_to(0.01 * f64::from(sample))? == Progress::Going {
        let [lean, rate] = [motion.value("lean")?, motion.value("lean.rate")?];
        let [place, speed] = [motion.value("place")?, motion.value("place.rate")?];
        motion.set_input("push", -30.0 * lean - 6.0 * rate + 1.0 * place + 2.5 * speed)?;
        sample += 1;
    }
    let lean = motion.value("lean")?;
    println!("after {} s: lean {lean:.2e} rad, cart at {:.2e} m", motion.time(), motion.value("place")?);
    assert!(lean.abs() < 0.02, "it fell");
    Ok(())
}
