//! What measures see: attitudes, rotation sequences, velocities and accelerations in the axes of markers.

use kingpin::accel::{Accelerator, Solver};
use kingpin::analysis::assemble;
use kingpin::model::Severity;
use kingpin::results::Channels;
use kingpin::system::System;
use kingpin_io::{Overrides, read_text};
use std::collections::HashMap;

/// The numbers of all channels at the start.
fn channels(text: &str) -> HashMap<String, f64> {
    let loaded = read_text("a.toml", text, ".", &Overrides::none());
    let said = loaded.render(false);
    let (system, _) = System::compile(&loaded.model.expect(&said)).expect("a valid model");
    let assembly = assemble(&system).expect("consistent");
    let redundant = &assembly.diagnosis.redundant_rows;
    let mut accelerator = Accelerator::new(&system, redundant, Solver::EliminationUnsplit);
    let (mut work, mut acc) = (system.work(), accelerator.result());
    system.set_state(&mut work, &assembly.state);
    accelerator.evaluate(&system, &mut work, &mut acc).expect("solved");
    let list = Channels::new(&system);
    let mut numbers = vec![0.0; list.list().len()];
    list.fill(&system, &work, &acc, &mut numbers);
    list.list().iter().map(|channel| channel.name.clone()).zip(numbers).collect()
}

/// A table that turns, a marble that flies over it, and a plane that is turned by yaw, pitch and roll.
const MODEL: &str = "
gravity = [0, 0, -10]
[[body]]
name = 'table'
mass = 1
inertia = [1, 1, 1]
angular_velocity = [0, 0, 2]
[[joint]]
name = 'pivot'
type = 'revolute'
body1 = 'ground'
body2 = 'table'
axis = [0, 0, 1]
[[body]]
name = 'marble'
mass = 1
inertia = [1, 1, 1]
position = [3, 0, 1]
velocity = [0, 4, 0]
[[body]]
name = 'plane'
mass = 1
inertia = [1, 2, 3]
angular_velocity = [0.3, 0, 0]
[[marker]]
name = 'cockpit'
body = 'plane'
position = [1, 2, 3]
orientation = { axis = [1, 0, 0], angle = '20 deg' }
";

fn measure(name: &str, fields: &str) -> String {
    format!("[[measure]]\nname = '{name}'\n{fields}\n")
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-13 * b.abs().max(1.0), "{a}, not {b}");
}

#[test]
fn an_observer_on_a_table_that_turns() {
    let mut text = MODEL.to_string();
    for axis in ["x", "y", "z"] {
        let seen = format!("type = 'velocity'\nbody1 = 'table'\nbody2 = 'marble'\ncomponent = '{axis}'");
        text += &measure(&format!("v_{axis}"), &seen);
        text += &measure(&format!("g_{axis}"), &seen.replace("'table'", "'ground'"));
    }
    let seen = channels(&text);
    // v - w x r, and a - 2 w x v_rel - w x (w x r)
    for (name, velocity, acceleration) in [
        ("v_x", 0.0, 2.0 * 2.0 * (4.0 - 6.0) + 4.0 * 3.0),
        ("v_y", 4.0 - 6.0, 0.0),
        ("v_z", 0.0, -10.0),
        ("g_x", 0.0, 0.0),
        ("g_y", 4.0, 0.0),
        ("g_z", 0.0, -10.0),
    ] {
        close(seen[name], velocity);
        close(seen[&format!("{name}.rate")], acceleration);
    }
}

/// The numbers of the table again, in the axes of others: those of a ground, of the cockpit, of what is seen itself.
#[test]
fn velocities_in_the_axes_of_a_third_body() {
    let mut text = MODEL.replace("angular_velocity = [0, 0, 2]", "angular_velocity = [0, 0, 2]\norientation = { axis = [0, 0, 1], angle = 0.7 }")
        .replace("position = [3, 0, 1]", "position = [3, 0, 1]\nangular_velocity = [0.1, 0.2, 0.3]\norientation = { axis = [0, 0, 1], angle = '90 deg' }");
    let axes = [
        ("g", "axes = 'ground'"),
        ("m", "axes = 'marble'"),
        ("c", "axes_marker = 'cockpit'"),
        ("t", "axes = 'table'"),
        ("own", ""),
    ];
    for (name, axes) in axes {
        for axis in ["x", "y", "z"] {
            let seen =
                format!("type = 'velocity'\nbody1 = 'table'\nbody2 = 'marble'\ncomponent = '{axis}'\n{axes}");
            text += &measure(&format!("{name}_{axis}"), &seen);
        }
    }
    let seen = channels(&text);
    let vector = |name: &str, rate: &str| ["x", "y", "z"].map(|axis| seen[&format!("{name}_{axis}{rate}")]);
    // in global axes, as the observer sees them
    let (velocity, acceleration) = ([0.0, -2.0, 0.0], [4.0, 0.0, -10.0]);
    let (c, s) = (20_f64.to_radians().cos(), 20_f64.to_radians().sin());
    for (given, rate) in [(velocity, ""), (acceleration, ".rate")] {
        let [x, y, z] = given;
        for (name, expected) in [
            ("g", given),
            ("m", [y, -x, z]),
            ("c", [x, c * y + s * z, c * z - s * y]),
            ("t", vector("own", rate)),
        ] {
            vector(name, rate).into_iter().zip(expected).for_each(|(a, b)| close(a, b));
        }
    }
}

/// What a sensor on a body that turns sees, in its own axes: -w^2 r towards the axis, w' r along the way.
#[test]
fn a_sensor_on_a_wheel() {
    for (space, extra, ends) in [
        ("planar", "inertia = 2\nangle = 0.4\nangular_velocity = 3", "[2, 0]"),
        (
            "spatial",
            "inertia = [1, 1, 2]\norientation = { axis = [0, 0, 1], angle = 0.4 }\nangular_velocity = [0, 0, 3]",
            "[2, 0, 0]",
        ),
    ] {
        let rim = ends;
        let mut text = format!(
            "space = '{space}'\n[[body]]\nname = 'wheel'\nmass = 1\n{extra}\n[[joint]]\ntype = 'revolute'\nname = 'hub'\n\
             body1 = 'ground'\nbody2 = 'wheel'\n[[force]]\ntype = 'torque'\nname = 'motor'\nbody = 'wheel'\nmagnitude = '5'\n"
        );
        if space == "spatial" {
            text = text
                .replace("body2 = 'wheel'\n", "body2 = 'wheel'\naxis = [0, 0, 1]\n")
                .replace("magnitude", "direction = [0, 0, 1]\nmagnitude");
        }
        for axis in ["x", "y"] {
            let fields = format!(
                "type = 'velocity'\nbody1 = 'ground'\nbody2 = 'wheel'\npoint2 = {rim}\ncomponent = '{axis}'\naxes = 'wheel'"
            );
            text += &measure(axis, &fields);
        }
        let seen = channels(&text);
        close(seen["x"], 0.0);
        close(seen["y"], 6.0);
        close(seen["x.rate"], -18.0);
        close(seen["y.rate"], 2.5 * 2.0);
    }
}

/// The weight of a body that hangs, in the axes of a marker on it whose y axis points upwards.
#[test]
fn reactions_in_the_axes_of_a_marker() {
    let mut text = String::from(
        "gravity = [0, 0, -10]\n[[body]]\nname = 'bob'\nmass = 2\ninertia = [1, 1, 1]\nposition = [0, 0, -1]\n\
         [[joint]]\nname = 'pin'\ntype = 'revolute'\nbody1 = 'ground'\nbody2 = 'bob'\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
         [[marker]]\nname = 'askew'\nbody = 'bob'\norientation = { axis = [1, 0, 0], angle = '90 deg' }\n",
    );
    for component in ["force_x", "force_y", "force_z"] {
        let fields =
            format!("type = 'reaction'\njoint = 'pin'\ncomponent = '{component}'\naxes_marker = 'askew'");
        text += &measure(component, &fields);
    }
    let seen = channels(&text);
    close(seen["force_x"], 0.0);
    close(seen["force_y"], 20.0);
    close(seen["force_z"], 0.0);
}

/// A marker whose axes alone are used is used.
#[test]
fn markers_of_axes_are_used() {
    let fields = "type = 'velocity'\nbody1 = 'table'\nbody2 = 'marble'\ncomponent = 'x'\n";
    let unused = |axes: &str| {
        let text = format!("{MODEL}{}", measure("v", &format!("{fields}{axes}")));
        let model = read_text("a.toml", &text, ".", &Overrides::none()).model.expect("a model");
        let (_, findings) = System::compile(&model).expect("a valid model");
        findings.iter().any(|finding| finding.message.contains("`cockpit` is not used"))
    };
    assert!(unused("") && !unused("axes_marker = 'cockpit'"));
}

#[test]
fn axes_that_are_none() {
    let said = |fields: &str| {
        let text = format!(
            "{MODEL}[[body]]\nname = 'dust'\nmass = 1\npoint = true\n{}",
            measure(
                "v",
                &format!("type = 'velocity'\nbody1 = 'ground'\nbody2 = 'marble'\ncomponent = 'x'\n{fields}")
            )
        );
        let model = read_text("a.toml", &text, ".", &Overrides::none()).model.expect("a model");
        let findings = System::compile(&model).expect_err("axes that are none");
        let said = findings.iter().filter(|finding| finding.severity == Severity::Error);
        said.map(|finding| format!("{}\n{:?}\n", finding.message, finding.hint)).collect::<String>()
    };
    insta::assert_snapshot!(
        ["axes = 'dust'", "axes = 'cockpit'", "axes = 'plane'\naxes_marker = 'cockpit'"].map(said).join("\n")
    );
}

#[test]
fn a_plane_has_roll_pitch_and_yaw() {
    let mut text = MODEL.to_string();
    for component in ["roll", "pitch", "yaw"] {
        text +=
            &measure(component, &format!("type = 'attitude'\nmarker = 'cockpit'\ncomponent = '{component}'"));
    }
    for (name, angle) in [("one", "first"), ("two", "second"), ("three", "third")] {
        let fields = format!(
            "type = 'rotation-sequence'\nbody1 = 'marble'\nmarker2 = 'cockpit'\nsequence = 'xyx'\nangle = '{angle}'"
        );
        text += &measure(name, &fields);
    }
    for component in ["x", "y", "z"] {
        let fields = format!(
            "type = 'rotation-vector'\nmarker1 = 'cockpit'\nbody2 = 'marble'\ncomponent = '{component}'"
        );
        text += &measure(&format!("turn_{component}"), &fields);
    }
    // yaw 0.4, pitch -0.3, and roll such that with the marker it is 0.5
    let half = |axis: usize, angle: f64| {
        let mut p = [f64::cos(0.5 * angle), 0.0, 0.0, 0.0];
        p[1 + axis] = f64::sin(0.5 * angle);
        p
    };
    let product = kingpin::spatial::euler::product;
    let turn = product(&product(&half(2, 0.4), &half(1, -0.3)), &half(0, 0.5 - 20_f64.to_radians()));
    let plane = "name = 'plane'\n";
    let text = text.replace(plane, &format!("{plane}orientation = {{ euler_parameters = {turn:?} }}\n"));
    let seen = channels(&text);
    close(seen["yaw"], 0.4);
    close(seen["pitch"], -0.3);
    close(seen["roll"], 0.5);
    // it spins about its x axis, so it rolls
    close(seen["roll.rate"], 0.3);
    close(seen["yaw.rate"], 0.0);
    // cosines of the second angle and of the x axis
    close(seen["two"].cos(), 0.4_f64.cos() * 0.3_f64.cos());
    assert!(seen["one"].is_finite() && seen["three"].is_finite());
    // the way back, in the axes of the cockpit
    let p = product(&product(&half(2, 0.4), &half(1, -0.3)), &half(0, 0.5));
    let angle = 2.0 * p[0].acos();
    for (k, component) in ["turn_x", "turn_y", "turn_z"].into_iter().enumerate() {
        close(seen[component], -angle * p[1 + k] / (0.5 * angle).sin());
    }
}

#[test]
fn accelerations_are_not_read() {
    let force = "[[force]]\nname = 'push'\ntype = 'force'\nbody = 'marble'\ndirection = [1, 0, 0]\nmagnitude = '2 * v.rate'\n";
    let seen = measure("v", "type = 'velocity'\nbody1 = 'table'\nbody2 = 'marble'\ncomponent = 'x'");
    let mut loaded = read_text("a.toml", &format!("{MODEL}{seen}{force}"), ".", &Overrides::none());
    loaded.compile();
    let said = loaded.render(false);
    assert!(said.contains("`v.rate` is an acceleration, which functions cannot read"), "{said}");
    let good = format!("{MODEL}{seen}{}", force.replace("v.rate", "v"));
    let seen = channels(&good.replace("2 * v'", "2 * v + 1'"));
    let strength = seen.iter().find(|(name, _)| name.starts_with("push.")).expect("a strength");
    close(*strength.1, 1.0);
}
