//! Mass, centre of mass and inertia of bodies from their shapes.

use kingpin::model::{Body, Mat3, Orientation, Vec3};
use kingpin_io::{Overrides, read_text, read_texts, to_toml};
use std::f64::consts::PI;

fn body(fields: &str, shapes: &str) -> Body {
    let text = format!("[[body]]\nname = 'part'\n{fields}\n{shapes}");
    let loaded = read_text("a.toml", &text, ".", &Overrides::none());
    let said = loaded.render(false);
    let model = loaded.model.expect(&said);
    let again = read_text("b.toml", &to_toml(&model), ".", &Overrides::none());
    assert_eq!(again.model.as_ref().map(|model| &model.bodies), Some(&model.bodies), "{}", to_toml(&model));
    model.bodies[0].clone()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-14 * b.abs().max(1e-3)
}

fn diagonal(j: &Mat3) -> [f64; 3] {
    let off = [j[(0, 1)], j[(0, 2)], j[(1, 2)]];
    assert!(off.iter().all(|x| x.abs() < 1e-14 * j.amax()), "{j}");
    j.diagonal().into()
}

/// Formulas of any handbook.
#[test]
fn a_box_a_tube_and_a_cone() {
    let own = body(
        "density = 1000",
        "[[shape]]\ntype = 'box'\nbody = 'part'\nsize = [0.1, 0.2, 0.3]\npoint = [1, 2, 3]",
    );
    assert!(near(own.mass, 6.0));
    assert_eq!(own.com, Some(Vec3::new(1.0, 2.0, 3.0)));
    let [x, y, z] = diagonal(&own.inertia);
    assert!(near(x, 6.0 * 0.13 / 12.0) && near(y, 6.0 * 0.1 / 12.0) && near(z, 6.0 * 0.05 / 12.0));

    let shape = "[[shape]]\ntype = 'tube'\nbody = 'part'\nradius = '5 cm'\ninner_radius = '4 cm'\nlength = 2\ndirection = [1, 0, 0]";
    let own = body("material = 'steel'", shape);
    let mass = 7850.0 * PI * (0.05f64.powi(2) - 0.04f64.powi(2)) * 2.0;
    let [x, y, z] = diagonal(&own.inertia);
    let squares = 0.05f64.powi(2) + 0.04f64.powi(2);
    assert!(near(own.mass, mass) && near(x, 0.5 * mass * squares), "{x} {}", 0.5 * mass * squares);
    assert!(near(y, mass * (3.0 * squares + 4.0) / 12.0) && near(z, y));

    let own = body("density = 500", "[[shape]]\ntype = 'cone'\nbody = 'part'\nradius = 0.3\nlength = 0.8");
    let mass = 500.0 * PI * 0.09 * 0.8 / 3.0;
    let [x, y, z] = diagonal(&own.inertia);
    assert!(near(own.mass, mass) && near(own.centre().z, -0.4 + 0.2) && near(z, 0.3 * mass * 0.09));
    assert!(near(x, mass * (0.15 * 0.09 + 0.0375 * 0.64)) && near(y, x));
}

/// A plate with a hole and a rod of another density, by markers and places in global axes alike.
#[test]
fn shapes_add_up_and_holes_are_taken_away() {
    let pose = "position = [1, 0, 0]\norientation = { axis = [0, 0, 1], angle = '90 deg' }\n";
    let shapes = |hole: &str, rod: &str| {
        format!(
            "[[shape]]\ntype = 'box'\nbody = 'part'\nsize = [1, 1, 0.1]\n\
             [[shape]]\ntype = 'cylinder'\nradius = 0.2\nlength = 0.1\nhole = true\n{hole}\n\
             [[shape]]\ntype = 'rod'\nto = [0, 0, 1]\nradius = 0.05\ndensity = 100\n{rod}\n\
             [[shape]]\ntype = 'sphere'\nbody = 'part'\nradius = 3\ndensity = 0\n\
             [[marker]]\nname = 'corner'\nbody = 'part'\nposition = [0.2, 0.1, 0]\naxis = [0, 1, 0]\n"
        )
    };
    let first = body(
        &format!("density = 2700\n{pose}"),
        &shapes("body = 'part'\npoint = [0.2, 0.1, 0]", "marker = 'corner'"),
    );
    let (plate, hole, rod) = (270.0, -2700.0 * PI * 0.04 * 0.1, 100.0 * PI * 0.0025);
    assert!(near(first.mass, plate + hole + rod));
    let com = (hole * Vec3::new(0.2, 0.1, 0.0) + rod * Vec3::new(0.2, 0.6, 0.0)) / first.mass;
    assert!((first.centre() - com).norm() < 1e-15);
    // the same place in global axes
    let second = body(
        &format!("density = 2700\n{pose}"),
        &shapes("body = 'part'\nat = [0.9, 0.2, 0]", "marker = 'corner'"),
    );
    assert!((first.inertia - second.inertia).amax() < 1e-13);
    // weighed by a scale
    let third = body(
        &format!("density = 2700\nmass = 100\n{pose}"),
        &shapes("body = 'part'\npoint = [0.2, 0.1, 0]", "marker = 'corner'"),
    );
    assert!(near(third.mass, 100.0) && (third.inertia - first.inertia * (100.0 / first.mass)).amax() < 1e-13);
    // what is given wins
    let fields = format!("density = 2700\ncom = [0.1, 0.2, 0.3]\n{pose}");
    let fourth = body(&fields, &shapes("body = 'part'\npoint = [0.2, 0.1, 0]", "marker = 'corner'"));
    assert_eq!((fourth.centre(), fourth.inertia), (Vec3::new(0.1, 0.2, 0.3), first.inertia));
    let fields = format!("density = 2700\ninertia = [4, 5, 6]\n{pose}");
    let fifth = body(&fields, &shapes("body = 'part'\npoint = [0.2, 0.1, 0]", "marker = 'corner'"));
    assert_eq!((fifth.com, diagonal(&fifth.inertia)), (first.com, [4.0, 5.0, 6.0]));
}

/// A centre of mass that is given is taken, be it the origin, in an assembly and its mirror image too.
#[test]
fn a_given_centre_is_taken() {
    let shape = "[[shape]]\ntype = 'sphere'\nbody = 'part'\nradius = 0.1\npoint = [0.3, 0.2, 0]";
    assert_eq!(body("density = 1000", shape).com, Some(Vec3::new(0.3, 0.2, 0.0)));
    assert_eq!(body("density = 1000\ncom = [0, 0, 0]", shape).com, Some(Vec3::zeros()));
    assert_eq!(body("mass = 1\ninertia = [1, 1, 1]", shape).com, None);
    let part = format!("[[body]]\nname = 'part'\nmaterial = 'steel'\ncom = ['0 m', 0, 0]\n{shape}");
    let centres = |change: &str| {
        let text = format!(
            "[[assembly]]\nname = 'left'\ninclude = ['part.toml']\n\
             [[assembly]]\nname = 'right'\ninclude = ['part.toml']\nmirror = 'y'\n{change}"
        );
        let files = [("all.toml", text.as_str()), ("part.toml", part.as_str())];
        let loaded = read_texts("all.toml", &files, &Overrides::none());
        let said = loaded.render(false);
        let model = loaded.model.expect(&said);
        model.bodies.iter().map(|body| body.centre()).collect::<Vec<_>>()
    };
    assert_eq!(centres(""), [Vec3::zeros(); 2]);
    let change = "[override.body.left.part]\ncom.z = '1 cm'\n";
    assert_eq!(centres(change), [Vec3::new(0.0, 0.0, 0.01), Vec3::zeros()]);
}

/// A component of a centre of mass that shapes would give cannot be changed alone; of one at the origin it can.
#[test]
fn a_component_of_a_centre_that_is_not_given() {
    let read = |fields: &str| {
        let text = format!(
            "[[body]]\nname = 'part'\n{fields}\n[override.body.part]\ncom.z = '1 cm'\n\
             [[shape]]\ntype = 'sphere'\nbody = 'part'\nradius = 0.1\npoint = [0.3, 0.2, 0]\n"
        );
        let loaded = read_text("a.toml", &text, ".", &Overrides::none());
        let said = loaded.render(false);
        loaded.model.map(|model| model.bodies[0].centre()).ok_or(said)
    };
    assert_eq!(read("mass = 1\ninertia = [1, 1, 1]"), Ok(Vec3::new(0.0, 0.0, 0.01)));
    insta::assert_snapshot!(read("density = 1000").unwrap_err());
}

/// The parallel axes and turned shapes: a box that stands askew, far away, against the formula by hand.
#[test]
fn turned_and_moved_shapes() {
    let shapes = "[[marker]]\nname = 'askew'\nbody = 'part'\nposition = [1, -2, 3]\norientation = { axis = [1, 2, 2], angle = 0.7 }\n\
                  [[shape]]\ntype = 'box'\nmarker = 'askew'\nsize = [0.1, 0.2, 0.3]\n\
                  [[shape]]\ntype = 'sphere'\nbody = 'part'\nradius = 0.2\n";
    let own = body("density = 1000", shapes);
    let turn = Orientation::AxisAngle { axis: Vec3::new(1.0, 2.0, 2.0), angle: 0.7 }.matrix().unwrap();
    let (cuboid, ball) = (6.0, 1000.0 * 4.0 / 3.0 * PI * 0.008);
    let at = Vec3::new(1.0, -2.0, 3.0);
    let (mass, com) = (cuboid + ball, at * (cuboid / (cuboid + ball)));
    let principal = Mat3::from_diagonal(&(Vec3::new(0.13, 0.1, 0.05) * (cuboid / 12.0)));
    let steiner = |m: f64, d: Vec3| m * (d.norm_squared() * Mat3::identity() - d * d.transpose());
    let inertia = turn * principal * turn.transpose()
        + Mat3::from_diagonal_element(0.4 * ball * 0.04)
        + steiner(cuboid, at - com)
        + steiner(ball, com);
    assert!(near(own.mass, mass) && (own.centre() - com).norm() < 1e-15);
    assert!((own.inertia - inertia).amax() <= 1e-14 * inertia.amax(), "{}", own.inertia - inertia);
}

/// A mass that is a point has no more of its shapes than its mass.
#[test]
fn points_have_the_mass_of_their_shapes() {
    let own =
        body("material = 'lead'\npoint = true", "[[shape]]\ntype = 'sphere'\nbody = 'part'\nradius = 0.1");
    assert!(near(own.mass, 11340.0 * 4.0 / 3.0 * PI * 0.001));
    assert_eq!((own.centre(), own.inertia), (Vec3::zeros(), Mat3::zeros()));
}
