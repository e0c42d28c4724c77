//! Models that start from joint coordinates: placed by the joints, kept by the assembly.

use kingpin::accel::Accelerations;
use kingpin::analysis::{Assembly, AssemblyFailure, Corrected, Correction, assemble, far_moves};
use kingpin::results::Channels;
use kingpin::system::System;
use kingpin_io::{Overrides, read_text, to_toml};

fn compile(text: &str) -> System {
    let mut loaded = read_text("start.toml", text, ".", &Overrides::none());
    let system = loaded.compile();
    system.unwrap_or_else(|| panic!("{}", loaded.render(false)))
}

fn start(text: &str) -> (System, Assembly) {
    let system = compile(text);
    let assembly = assemble(&system).unwrap_or_else(|failure| panic!("{failure:?}"));
    assert!(assembly.position_residual < 1e-12 && assembly.velocity_residual < 1e-12);
    (system, assembly)
}

/// The value of a channel at the assembled state.
fn channel(system: &System, assembly: &Assembly, name: &str) -> f64 {
    let channels = Channels::new(system);
    let mut work = system.work();
    system.set_state(&mut work, &assembly.state);
    let acc = Accelerations { acc: vec![0.0; system.velocities()], lam: vec![0.0; system.joint_equations()] };
    let mut values = vec![0.0; channels.len()];
    system.evaluate_constraints(&mut work);
    system.evaluate_forces(&mut work);
    channels.fill(system, &work, &acc, &mut values);
    values[channels.find(name).unwrap_or_else(|| panic!("no channel {name}"))]
}

fn close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-11, "{what}: {found} against {expected}");
}

const BODIES: &str = "
[[body]]
name = 'arm'
mass = 1
inertia = [1, 2, 2]
com = [0.1, 0.2, -0.1]
orientation = { axis = [1, 2, 3], angle = 0.4 }
[[body]]
name = 'tip'
mass = 1
inertia = [1, 2, 2]
com = [-0.1, 0.1, 0.2]
orientation = { axis = [3, -1, 1], angle = 0.7 }
";

/// A chain ground - arm - tip with the joint of interest in the middle, both ways round.
fn between(kind: &str, ends: &str, fields: &[(&str, f64)]) {
    for reversed in [false, true] {
        let order = if reversed { ["tip", "arm"] } else { ["arm", "tip"] };
        let mut text = format!(
            "{BODIES}[[joint]]\ntype = 'revolute'\nname = 'hinge'\nbody1 = 'ground'\nbody2 = 'arm'\naxis = [0, 1, 1]\n\
             point1 = [1, 2, 3]\npoint2 = [0.5, 0, 0]\nangle = '50 deg'\nangle_rate = 2\n[[joint]]\ntype = '{kind}'\n\
             name = 'joint'\nbody1 = '{}'\nbody2 = '{}'\npoint1 = [0, 0.3, 0]\npoint2 = [0.2, 0, 0.1]\n{ends}\n",
            order[0], order[1]
        );
        for (name, value) in fields {
            text += &format!("{name} = {value}\n");
        }
        let (system, assembly) = start(&text);
        for (name, value) in fields {
            close(channel(&system, &assembly, &format!("joint.{name}")), *value, kind);
        }
        close(channel(&system, &assembly, "hinge.angle"), 50_f64.to_radians(), "angle of the hinge");
        close(channel(&system, &assembly, "hinge.angle_rate"), 2.0, "rate of the hinge");
        // the joints have placed the bodies: nothing was left to close
        let moves = |c: &Correction| matches!(c.what, Corrected::Position | Corrected::Rotation);
        assert!(assembly.corrections.iter().all(|c| !moves(c) || c.amount < 1e-9), "{kind}");
        // and the file reads back the same
        let mut model = read_text("a.toml", &text, ".", &Overrides::none()).model.unwrap();
        let again = read_text("a.toml", &to_toml(&model), ".", &Overrides::none()).model.unwrap();
        model.name = again.name.clone();
        assert_eq!(model, again);
    }
}

#[test]
fn every_joint_starts_where_it_is_told_to() {
    let axis = "axis = [1, 0.5, 0.2]";
    between("revolute", axis, &[("angle", 0.7), ("angle_rate", -3.0)]);
    between("translational", axis, &[("displacement", 0.7), ("displacement_rate", -3.0)]);
    between(
        "cylindrical",
        axis,
        &[("angle", 0.7), ("angle_rate", -3.0), ("displacement", 0.2), ("displacement_rate", 1.0)],
    );
    between("screw", &format!("{axis}\npitch = 0.1"), &[("angle", 2.5), ("angle_rate", -3.0)]);
    between(
        "planar",
        axis,
        &[("angle", 0.7), ("angle_rate", -3.0), ("displacement_x", 0.2), ("displacement_y_rate", 1.0)],
    );
    between(
        "spherical",
        "",
        &[("rotation_x", 0.7), ("rotation_y", -0.5), ("rotation_z", 1.1), ("rotation_y_rate", 2.0)],
    );
    let pins = "axis1 = [0, 0, 1]\naxis2 = [1, 0, 0]";
    between(
        "universal",
        pins,
        &[("angle1", 0.7), ("angle1_rate", -3.0), ("angle2", -0.4), ("angle2_rate", 0.3)],
    );
    between("fixed", "", &[]);
}

#[test]
fn angles_over_turns_are_seen_by_all() {
    let text = format!(
        "{BODIES}[[joint]]\ntype = 'revolute'\nname = 'hinge'\nbody1 = 'ground'\nbody2 = 'arm'\naxis = [0, 0, 1]\n\
         angle = '400 deg'\n[[joint]]\ntype = 'fixed'\nname = 'weld'\nbody1 = 'arm'\nbody2 = 'tip'\n\
         [[force]]\ntype = 'torsion-spring'\nname = 'spring'\njoint = 'hinge'\nstiffness = 1\n\
         [[measure]]\ntype = 'angle'\nname = 'turn'\njoint = 'hinge'\n"
    );
    let (system, assembly) = start(&text);
    for name in ["hinge.angle", "spring.angle", "turn"] {
        close(channel(&system, &assembly, name), 400_f64.to_radians(), name);
    }
}

#[test]
fn a_planar_chain_by_pattern_and_parameters() {
    let text = "
        space = 'planar'
        [parameters]
        n = 5
        bend = '20 deg'
        [[pattern]]
        to = 'n'
        [[pattern.body]]
        name = 'link{i}'
        mass = 1
        inertia = 1
        com = [0.5, 0]
        [[pattern]]
        from = 2
        to = 'n'
        [[pattern.joint]]
        type = 'revolute'
        name = 'pin{i}'
        body1 = 'link{i - 1}'
        point1 = [1, 0]
        body2 = 'link{i}'
        angle = 'bend*i'
        angle_rate = '0.1 rad/s*i'
        [[joint]]
        type = 'revolute'
        name = 'pin1'
        body1 = 'ground'
        body2 = 'link1'
        angle = 'bend'
        angle_rate = '0.1 rad/s'
    ";
    let (system, assembly) = start(text);
    let (mut x, mut angle, mut rate) = (0.0, 0.0, 0.0);
    for k in 1..=5 {
        angle += 20_f64.to_radians() * f64::from(k);
        rate += 0.1 * f64::from(k);
        close(channel(&system, &assembly, &format!("link{k}.x")), x, "x");
        close(channel(&system, &assembly, &format!("link{k}.angle")), angle, "angle");
        close(channel(&system, &assembly, &format!("link{k}.omega")), rate, "omega");
        x += angle.cos();
    }
    assert_eq!(assembly.iterations, 0);
}

#[test]
fn a_planar_slot() {
    let text = "
        space = 'planar'
        [[body]]
        name = 'pin'
        mass = 1
        inertia = 1
        com = [0.1, 0.3]
        [[joint]]
        type = 'pin-in-slot'
        name = 'slot'
        body1 = 'ground'
        point1 = [1, 2]
        axis1 = [3, 4]
        body2 = 'pin'
        point2 = [0, 1]
        axis2 = [1, 0]
        displacement = 5
        angle = 0
    ";
    let (system, assembly) = start(text);
    close(channel(&system, &assembly, "slot.displacement"), 5.0, "displacement");
    close(channel(&system, &assembly, "slot.angle"), 0.0, "angle");
    // five along (3, 4)/5 from (1, 2), less the point, which is turned by the slope of the slot
    close(channel(&system, &assembly, "pin.x"), 1.0 + 3.0 + 0.8, "x");
    close(channel(&system, &assembly, "pin.y"), 2.0 + 4.0 - 0.6, "y");
}

/// A floating part keeps the body that has a position, and the joint places the other.
#[test]
fn floating_bodies_stay_where_the_model_puts_them() {
    for base in ["first", "second"] {
        let position = |name: &str| if name == base { "position = [4, 5, 6]\n" } else { "" };
        let text = format!(
            "[[body]]\nname = 'first'\nmass = 1\ninertia = [1, 1, 1]\n{}[[body]]\nname = 'second'\nmass = 1\n\
             inertia = [1, 1, 1]\n{}[[joint]]\ntype = 'translational'\nname = 'slide'\nbody1 = 'first'\n\
             body2 = 'second'\naxis = [0, 0, 1]\ndisplacement = 3\n",
            position("first"),
            position("second")
        );
        let (system, assembly) = start(&text);
        close(channel(&system, &assembly, &format!("{base}.z")), 6.0, base);
        let other = if base == "first" { ("second.z", 9.0) } else { ("first.z", 3.0) };
        close(channel(&system, &assembly, other.0), other.1, other.0);
    }
}

const FOUR_BAR: &str = "
    space = 'planar'
    [[body]]
    name = 'crank'
    mass = 1
    inertia = 1
    [[body]]
    name = 'coupler'
    mass = 1
    inertia = 1
    angle = '20 deg'
    [[body]]
    name = 'rocker'
    mass = 1
    inertia = 1
    angle = '70 deg'
    [[joint]]
    type = 'revolute'
    name = 'B'
    body1 = 'crank'
    point1 = [1, 0]
    body2 = 'coupler'
    [[joint]]
    type = 'revolute'
    name = 'C'
    body1 = 'coupler'
    point1 = [3, 0]
    body2 = 'rocker'
    point2 = [2, 0]
    [[joint]]
    type = 'revolute'
    name = 'D'
    body1 = 'ground'
    point1 = [3, 0]
    body2 = 'rocker'
    ROCKER
    [[joint]]
    type = 'revolute'
    name = 'A'
    body1 = 'ground'
    body2 = 'crank'
    CRANK
";

fn four_bar(crank: &str, rocker: &str) -> String {
    FOUR_BAR.replace("CRANK", crank).replace("ROCKER", rocker)
}

#[test]
fn a_loop_keeps_what_is_given_and_finds_the_rest() {
    let (system, assembly) = start(&four_bar("angle = '40 deg'\nangle_rate = 7", ""));
    close(channel(&system, &assembly, "A.angle"), 40_f64.to_radians(), "crank");
    close(channel(&system, &assembly, "A.angle_rate"), 7.0, "rate of the crank");
    assert_eq!(assembly.diagnosis.dof, 1);
    assert!(far_moves(&system, &assembly).is_empty());
    // the rocker instead
    let (system, assembly) = start(&four_bar("", "angle = '100 deg'\nangle_rate = -1"));
    close(channel(&system, &assembly, "D.angle"), 100_f64.to_radians(), "rocker");
    close(channel(&system, &assembly, "D.angle_rate"), -1.0, "rate of the rocker");
    // both, where they agree
    let crank = channel(&system, &assembly, "A.angle");
    let both = four_bar(&format!("angle = {crank}"), "angle = '100 deg'");
    let (system, assembly) = start(&both);
    close(channel(&system, &assembly, "A.angle"), crank, "crank");
}

#[test]
fn contradicting_coordinates_are_named() {
    let named = |text: &str| match assemble(&compile(text)) {
        Err(AssemblyFailure::Contradiction { given }) => {
            given.into_iter().map(|g| (g.name, g.field)).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    let both = [("A.angle".to_string(), "angle"), ("D.angle".to_string(), "angle")];
    let mut found = named(&four_bar("angle = '40 deg'", "angle = '100 deg'"));
    found.sort();
    assert_eq!(found, both);
    // out of reach by itself
    assert_eq!(named(&four_bar("", "angle = '200 deg'")), both[1..]);
    let rates = named(&four_bar("angle_rate = 1", "angle_rate = 100"));
    assert_eq!(rates.iter().map(|r| r.1).collect::<Vec<_>>(), ["angle_rate"; 2]);
}

/// A driver whose motion has corners, jumps or knots is there while bodies are placed.
#[test]
fn drivers_with_switches_start_from_joint_coordinates() {
    for motion in [
        "'pi/3 + max(0, t - 1)'",
        "'pi/3 - 2*abs(t)'",
        "{ t = [0, 1, 2], value = [1.0471975511965976, 1, 2] }",
    ] {
        let text = format!(
            "space = 'planar'\n[[body]]\nname = 'arm'\nmass = 1\ninertia = 1\n[[joint]]\ntype = 'revolute'\nname = 'A'\n\
             body1 = 'ground'\nbody2 = 'arm'\nangle = '60 deg'\n[[driver]]\ntype = 'angle'\nname = 'motor'\njoint = 'A'\n\
             motion = {motion}\n"
        );
        let (_, assembly) = start(&text);
        close(assembly.state.q[2], std::f64::consts::FRAC_PI_3, motion);
    }
}
