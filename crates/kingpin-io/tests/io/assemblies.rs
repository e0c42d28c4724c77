//! Files that are used several times, points, and overrides.

use kingpin::accel::{Accelerator, Solver};
use kingpin::analysis::assemble;
use kingpin::element::force::ForceKind;
use kingpin::model::{Mat3, Model, Vec3};
use kingpin::system::System;
use kingpin_io::{Loaded, Overrides, read_path, read_texts, to_toml_with};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn good(loaded: Loaded) -> Model {
    let said = loaded.render(false);
    loaded.model.unwrap_or_else(|| panic!("{said}"))
}

/// Linear and angular accelerations of all bodies at the start, in global axes.
fn accelerations(model: &Model) -> BTreeMap<String, [Vec3; 2]> {
    let (system, _) = System::compile(model).expect("a valid model");
    let assembly = assemble(&system).expect("consistent");
    let mut accelerator =
        Accelerator::new(&system, &assembly.diagnosis.redundant_rows, Solver::EliminationUnsplit);
    let (mut work, mut result) = (system.work(), accelerator.result());
    system.set_state(&mut work, &assembly.state);
    accelerator.evaluate(&system, &mut work, &mut result).expect("solved");
    let each = model.bodies.iter().enumerate().map(|(k, body)| {
        let acc = &result.acc[6 * k..6 * k + 6];
        let turn: Mat3 = body.orientation.matrix().expect("an orientation");
        let spin = turn * Vec3::new(acc[3], acc[4], acc[5]);
        (body.name.clone(), [Vec3::new(acc[0], acc[1], acc[2]), spin])
    });
    each.collect()
}

/// The largest difference of accelerations, and the largest of them; bodies are called otherwise in the second.
fn difference(flat: &Model, model: &Model, name: impl Fn(&str) -> String) -> [f64; 2] {
    let counts = |model: &Model| [model.bodies.len(), model.joints.len(), model.forces.len()];
    assert_eq!(counts(flat), counts(model));
    let (before, after) = (accelerations(flat), accelerations(model));
    let size = before.values().flatten().fold(0.0_f64, |m, x| m.max(x.amax()));
    let far = |(old, [linear, angular]): (&String, &[Vec3; 2])| {
        let [a, b] = &after[&name(old)];
        (a - linear).amax().max((b - angular).amax())
    };
    [before.iter().map(far).fold(0.0, f64::max), size]
}

/// The largest acceleration that the numbers would make that forces are the sums of: a spring gives stiffness times
/// length less stiffness times rest length.
fn summands(model: &Model) -> f64 {
    let each = model.forces.iter().filter_map(|force| {
        let ForceKind::Spring(own) = &force.kind else { return None };
        let body = model.bodies.iter().find(|body| force.ends.body2.as_ref() == Some(&body.name))?;
        Some((own.stiffness * own.rest_length?).max(own.preload.abs()) / body.mass)
    });
    each.fold(0.0, f64::max)
}

/// Moves every place by the last digit of its numbers, one way or the other.
fn nudged(model: &Model, seed: u64) -> Model {
    let (mut model, mut state) = (model.clone(), seed);
    let mut nudge = |x: &mut Vec3| {
        for x in x.iter_mut().filter(|x| **x != 0.0) {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            *x = if state >> 63 == 0 { x.next_up() } else { x.next_down() };
        }
    };
    model.bodies.iter_mut().for_each(|body| nudge(&mut body.position));
    for ends in model.forces.iter_mut().map(|force| &mut force.ends) {
        let own = [&mut ends.at, &mut ends.at1, &mut ends.at2, &mut ends.point1, &mut ends.point2];
        own.into_iter().flatten().for_each(&mut nudge);
    }
    model
}

/// The vehicle as it was described body by body, and as one corner used four times: accelerations agree to 1e-12 of the
/// numbers that forces are the sums of, and of themselves where these are not much larger. With bushings of 20 MN/m the
/// last digit of a place is worth more; accelerations of the vehicle of old move as much when its own places do.
#[test]
fn the_car_from_one_corner_has_the_same_equations() {
    let new_name = |old: &str| match old.split_once('_') {
        Some((part, corner)) => format!("{corner}.{part}"),
        None => old.to_string(),
    };
    let soft = Overrides::new(["k_bushing = 2e4 N/m", "c_bushing = 2e3 N*s/m"]);
    let hard = Overrides::none();
    for (name, overrides) in [("hmmwv14", &hard), ("hmmwv14_stiff", &soft), ("hmmwv14_stiff", &hard)] {
        let path = root(&format!("tests/fixtures/{name}.toml"));
        let mut text = std::fs::read_to_string(&path).expect("a file");
        if overrides != &hard {
            text = text
                .replace("stiffness = 20000000", "stiffness = 20000")
                .replace("damping = 2000000", "damping = 2000");
        }
        let flat = good(read_texts("flat.toml", &[("flat.toml", &text)], &hard));
        let model = good(read_path(root(&format!("../../models/{name}.toml")), overrides));
        let [far, size] = difference(&flat, &model, new_name);
        let moved = (1..=4).map(|seed| difference(&flat, &nudged(&flat, seed), str::to_string)[0]);
        let moved = moved.fold(0.0, f64::max);
        let summands = summands(&flat);
        println!("{name}: {far:e} of {size:e}, {summands:e}; {moved:e} by last digits");
        assert!(far < 1e-12 * size.max(summands), "{name}: {far:e} of {size:e} and {summands:e}");
        assert!(far < 1e-12 * size || far < 2.0 * moved, "{name}: {far:e}, {moved:e} by last digits");
    }
}

/// Lines of the files of both models together: there were 1,638 when every corner was written out.
#[test]
fn the_car_takes_a_third_of_the_lines() {
    let common = std::fs::read_dir(root("../../models/common")).expect("a folder");
    let common = common.map(|entry| entry.expect("an entry").path());
    let own = common.filter(|path| path.to_string_lossy().contains("hmmwv14"));
    let files =
        own.chain(["hmmwv14", "hmmwv14_stiff"].map(|name| root(&format!("../../models/{name}.toml"))));
    let lines: usize = files.map(|path| std::fs::read_to_string(path).expect("a file").lines().count()).sum();
    assert!(lines <= 1638 / 3, "{lines}");
}

const LEG: &str = "
    [parameters]
    length = '0.5 m'
    stiffness = '100 N/m'
    [points]
    foot = ['length', '0.1 m', '-0.2 m']
    [[body]]
    name = 'shank'
    mass = 2
    inertia = [1, 2, 2.5, 0.1, 0.2, 0.3]
    com = [0.1, 0.2, 0.3]
    position = '0.5*foot'
    orientation = { axis = [1, 2, 3], angle = 0.4 }
    velocity = [1, 2, 3]
    angular_velocity = [0.1, 0.2, 0.3]
    [[joint]]
    type = 'revolute'
    name = 'hip'
    body1 = 'frame'
    body2 = 'shank'
    at = [0, 0.1, 0]
    axis = [1, 1, 0.5]
    angle_rate = 0.7
    [[marker]]
    name = 'toe'
    body = 'shank'
    position = [0.2, 0.1, 0]
    axis = [0, 0.6, 0.8]
    [[measure]]
    type = 'distance'
    name = 'reach'
    body1 = 'frame'
    body2 = 'shank'
    [[force]]
    type = 'force'
    name = 'push'
    body = 'shank'
    point = [0.1, 0.2, -0.3]
    direction = [0, 1, 1]
    magnitude = '-stiffness*(reach - length) + 0.1*reach.rate'
    [[force]]
    type = 'torsion-spring'
    name = 'calf'
    body1 = 'frame'
    body2 = 'shank'
    at = [0, 0.1, 0]
    axis = [1, 1, 0.5]
    stiffness = 3
    rest_angle = 0.5
    ";

const FRAME: &str = "
    gravity = [0, 0, -9.81]
    [[body]]
    name = 'frame'
    mass = 10
    inertia = [4, 5, 6]
    ";

fn walker(assemblies: &str, overrides: &Overrides) -> Loaded {
    let text = format!("{FRAME}{assemblies}");
    read_texts("walker.toml", &[("walker.toml", &text), ("leg.toml", LEG)], overrides)
}

#[test]
fn names_parameters_and_places() {
    let text = "
        [[assembly]]
        name = 'left'
        include = ['leg.toml']
        parameters = { length = '70 cm' }
        position = [1, 2, 3]
        orientation = { axis = [0, 0, 1], angle = '90 deg' }
        [[pattern]]
        to = 2
        [[pattern.assembly]]
        name = 'hind{i}'
        include = ['leg.toml']
        position = ['-i', 0, 0]
        mirror = 'y'
    ";
    let loaded = walker(text, &Overrides::none());
    assert!(loaded.diagnostics.is_empty(), "{}", loaded.render(false));
    let parameters = loaded.parameters.clone();
    let model = good(loaded);
    let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["frame", "left.shank", "hind1.shank", "hind2.shank"]);
    let shank = &model.bodies[1];
    // turned by a right angle: x to y, y to -x
    assert!((shank.position - Vec3::new(1.0 - 0.05, 2.0 + 0.35, 3.0 - 0.1)).norm() < 1e-15);
    assert!((shank.velocity - Vec3::new(-2.0, 1.0, 3.0)).norm() < 1e-15);
    assert_eq!(shank.centre(), Vec3::new(0.1, 0.2, 0.3));
    let hip = &model.joints[1];
    assert_eq!(hip.ends.body1.as_deref(), Some("frame"));
    assert_eq!(hip.ends.body2.as_deref(), Some("hind1.shank"));
    assert_eq!(hip.ends.at, Some(Vec3::new(-1.0, -0.1, 0.0)));
    // an axis of rotation is a pseudo-vector
    assert_eq!(hip.ends.axis, Some(Vec3::new(-1.0, 1.0, -0.5)));
    let mirrored = &model.bodies[2];
    assert_eq!(mirrored.position, Vec3::new(-1.0 + 0.25, -0.05, -0.1));
    assert_eq!(mirrored.centre(), Vec3::new(0.1, -0.2, 0.3));
    assert_eq!(
        (mirrored.inertia[(0, 1)], mirrored.inertia[(0, 2)], mirrored.inertia[(1, 2)]),
        (-0.1, 0.2, -0.3)
    );
    // what is written needs neither the file nor its parameters
    let text = to_toml_with(&model, &parameters);
    let again = read_texts("again.toml", &[("again.toml", &text)], &Overrides::none());
    assert_eq!(good(again), model, "{text}");
    assert!(text.contains("left.reach.rate"), "{text}");
}

/// The mirror image of a mechanism moves as the mirror image: positions and directions are reflected, angles keep
/// their numbers.
#[test]
fn a_mirror_image_accelerates_as_the_mirror_image() {
    let of = |mirror: &str| {
        let text = format!("[[assembly]]\nname = 'a'\ninclude = ['leg.toml']\n{mirror}\n");
        accelerations(&good(walker(&text, &Overrides::none())))
    };
    let plain = of("");
    for (axis, k) in [("x", 0), ("y", 1)] {
        let mirrored = of(&format!("mirror = '{axis}'"));
        for (name, [linear, angular]) in &plain {
            let (mut expected, mut spin) = (*linear, -*angular);
            expected[k] = -expected[k];
            spin[k] = -spin[k];
            let [a, b] = &mirrored[name];
            assert!(
                (a - expected).norm() < 1e-12 && (b - spin).norm() < 1e-12,
                "{name} {axis}: {a} {expected}"
            );
        }
    }
    // turned as a whole about the vertical, with gravity along it
    let turned = of("orientation = { axis = [0, 0, 1], angle = 0.8 }\nposition = [0, 0, 0]");
    let turn =
        kingpin::model::Orientation::AxisAngle { axis: Vec3::z(), angle: 0.8 }.matrix().expect("a turn");
    for (name, [linear, _]) in plain.iter().filter(|(name, _)| *name != "frame") {
        let far = (turned[name][0] - turn * linear).norm();
        // the frame itself is not turned and has three moments of inertia
        assert!(far < 0.2 * linear.norm(), "{far}");
    }
}

#[test]
fn values_from_outside_reach_into_assemblies() {
    let text = "[[assembly]]\nname = 'a'\ninclude = ['leg.toml']\n[override.body.a.shank]\nmass = 7\ncom.z = '3 cm'\n\
                [override.joint.'a.hip']\nangle_rate = '2 rad/s'\nfriction.coefficient = 0.3\n\
                stops = { min = '-20 deg', max = 1, stiffness = 9 }\n";
    let model = good(walker(text, &Overrides::none().set("a.length", "2 m")));
    let shank = &model.bodies[1];
    assert_eq!((shank.mass, shank.centre(), shank.position.x), (7.0, Vec3::new(0.1, 0.2, 0.03), 1.0));
    assert_eq!(model.joints[0].start.angle_rate, Some(2.0));
    let fittings = to_toml_with(&model, &BTreeMap::new());
    assert!(fittings.contains("0.3") && fittings.contains("-0.349"), "{fittings}");
    let loaded = walker(text, &Overrides::none().set("b.length", 2));
    assert!(loaded.render(false).contains("the model has no parameter `b.length`"));
}

/// Assemblies in assemblies: names in a row, places one after the other, two mirrors a rotation.
#[test]
fn assemblies_hold_assemblies() {
    let side = "
        [[assembly]]
        name = 'front'
        include = ['leg.toml']
        position = [1, 0, 0]
        mirror = 'x'
        [[measure]]
        type = 'angle'
        name = 'hip_angle'
        joint = 'front.hip'
    ";
    let text = format!(
        "{FRAME}[[assembly]]\nname = 'left'\ninclude = ['side.toml']\nposition = [0, 5, 0]\nmirror = 'y'\n"
    );
    let texts = [("walker.toml", text.as_str()), ("leg.toml", LEG), ("side.toml", side)];
    let model = good(read_texts("walker.toml", &texts, &Overrides::none()));
    let shank = &model.bodies[1];
    assert_eq!(shank.name, "left.front.shank");
    assert_eq!(shank.position, Vec3::new(1.0 - 0.25, 5.0 - 0.05, -0.1));
    assert_eq!(
        model.measures.iter().map(|m| m.name.as_str()).collect::<Vec<_>>(),
        ["left.front.reach", "left.hip_angle"]
    );
    assert!(System::compile(&model).is_ok());
    assert_eq!(model.joints[0].ends.axis, Some(Vec3::new(-1.0, -1.0, 0.5)));
}

#[test]
fn points_and_vectors() {
    let text = "
        [parameters]
        reach = 'norm(B - A)'
        [points]
        A = [0, '10 cm', 0]
        B = ['1 m', 'A.y', '2*A.y']
        mid = 'A + 0.5*(B - A)'
        [[body]]
        name = 'rod'
        mass = 'reach/(1 m) * 1 kg'
        inertia = [1, 1, 1]
        position = 'mid'
        orientation = { x = 'B - A', z = 'cross(B - A, [0])' }
    ";
    let bad = read_texts("a.toml", &[("a.toml", text)], &Overrides::none());
    assert!(bad.has_errors());
    let text = text.replace("z = 'cross(B - A, [0])'", "z = 'cross(B - A, mid)'");
    let loaded = read_texts("a.toml", &[("a.toml", &text)], &Overrides::none());
    assert_eq!(loaded.parameters.len(), 1);
    let body = &good(loaded).bodies[0];
    assert_eq!((body.mass, body.position), (1.04f64.sqrt(), Vec3::new(0.5, 0.1, 0.1)));
}

/// States, switches and inputs inside of assemblies have names with dots, and are read by the short ones inside: two lags
/// behind a number that dies away, x = k (e^-at - e^-kt) / (k - a).
#[test]
fn states_of_assemblies_are_read_inside_and_outside() {
    let lag = "[parameters]\ntau = '0.5 s'\n[[input]]\nname = 'start'\nvalue = 1\n\
               [[state]]\nname = 'u'\nrate = '-u/2 s'\ninitial = 1\n\
               [[state]]\nname = 'x'\nrate = '(start*u - x)/tau'\n\
               [[body]]\nname = 'ball'\nmass = 1\ninertia = [1, 1, 1]\n\
               [[force]]\ntype = 'force'\nname = 'push'\nbody = 'ball'\ndirection = [1, 0, 0]\nmagnitude = 'x*1 N'\n";
    let all = "[[assembly]]\nname = 'a'\ninclude = ['lag.toml']\n\
               [[assembly]]\nname = 'b'\ninclude = ['lag.toml']\nparameters = { tau = '1 s' }\nposition = [1, 0, 0]\n\
               [[state]]\nname = 'sum'\nrate = '(a.x + b.x)/1 s'\n[simulation]\nt_end = 1\ntol = 1e-9\n";
    let loaded = read_texts("m.toml", &[("m.toml", all), ("lag.toml", lag)], &Overrides::none());
    let mechanism = kingpin::mechanism::Mechanism::new(good(loaded)).unwrap_or_else(|why| panic!("{why}"));
    let results = mechanism.simulate().unwrap_or_else(|why| panic!("{why}"));
    let mut sum = 0.0;
    for (name, k) in [("a.x", 2.0_f64), ("b.x", 1.0)] {
        let a = 0.5_f64;
        let exact = k * ((-a).exp() - (-k).exp()) / (k - a);
        sum += k / (k - a) * ((1.0 - (-a).exp()) / a - (1.0 - (-k).exp()) / k);
        let found = results.last(name).unwrap_or_else(|why| panic!("{why}"));
        assert!((found - exact).abs() < 1e-7, "{name}: {found} {exact}");
    }
    let found = results.last("sum").unwrap_or_else(|why| panic!("{why}"));
    assert!((found - sum).abs() < 1e-7, "{found} {sum}");
}

/// Bodies of an assembly by the names that it gives them, and one of what is around it; patterns are those of its own.
#[test]
fn substructures_of_assemblies_have_their_bodies() {
    let arm = "
        [[pattern]]
        to = 3
        [[pattern.body]]
        name = 'p{i}'
        point = true
        mass = 1
        position = ['i', 0, 0]
        [[pattern]]
        to = 1
        [[pattern.substructure]]
        name = 'outer'
        bodies = ['p{i+1}', 'p*3', 'tip_of_{i}']
    ";
    let model = "
        [[body]]
        name = 'tip_of_1'
        point = true
        mass = 1
        [[assembly]]
        name = 'left'
        include = ['arm.toml']
    ";
    let texts = [("model.toml", model), ("arm.toml", arm)];
    let model = good(read_texts("model.toml", &texts, &Overrides::none()));
    let own: Vec<(&str, &[String])> =
        model.substructures.iter().map(|own| (own.name.as_str(), &own.bodies[..])).collect();
    let bodies = ["left.p2", "left.p*3", "tip_of_1"].map(String::from);
    assert_eq!(own, [("left.outer", &bodies[..])]);
}
