// The linear system about an equilibrium: how a suspended mass answers a force.
use kingpin::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = Model::new("suspension", Space::Planar);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    model.body(Body::planar("mass", 2.0, 0.1));
    model.joint("guide", Ends::at("ground", "mass", [0.0; 3]).axis([0.0, 1.0, 0.0]), Translational {});
    let spring = Spring { stiffness: 800.0, damping: 4.0, rest_length: Some(1.0), ..Spring::default() };
    model.force("spring", Ends::points("ground", [0.0, 1.0, 0.0], "mass", [0.0; 3]), spring);
    model.input("pull", 0.0);
    let pull = AppliedForce {
        magnitude: Function::closure(&["pull"], |x| x[0]),
        direction: Vec3::new(0.0, 1.0, 0.0),
        body_fixed: false,
    };
    model.force("pull", Ends::on("mass", [0.0; 3]), pull);

    let mechanism = Mechanism::new(model)?;
    let rest = mechanism.equilibrium()?.state;
    let linear = mechanism.linearise(&rest, &["pull"], &["mass.y", "spring.force"])?;
    println!("states {:?}", linear.states);
    println!("A = {:.4}B = {:.4}C = {:.4}D = {:.4}", linear.a, linear.b, linear.c, linear.d);
    let modes = mechanism.modes_at_rest(&rest)?;
    println!("{:.4} Hz, damping {:.4}", modes.modes[0].frequency(), modes.modes[0].damping_ratio());
    Ok(())
}
