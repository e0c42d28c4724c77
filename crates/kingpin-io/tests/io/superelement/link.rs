//! Links of robots, swung in mechanisms: when they have come to rest, they hang as their whole meshes do.

use super::model;
use super::solid::{COARSE, FINE, Fineness, deck, link};
use kingpin::prelude::*;
use kingpin_flex::mesh::{Material, Mesh, Section};
use kingpin_flex::read::abaqus;
use kingpin_flex::structure::Structure;
use nalgebra::{DMatrix, Vector3};

const GRAVITY: f64 = 9.81;

/// The mean displacement of a set of nodes of a mesh that is held at another, under a gravity in its own axes and a force that
/// the set shares.
fn hanging(
    mesh: &Mesh,
    [held, tip]: [&str; 2],
    gravity: &Vector3<f64>,
    force: &Vector3<f64>,
) -> Vector3<f64> {
    let structure = Structure::assemble(mesh).expect("sound");
    // all nodes of these meshes belong to elements
    assert_eq!(structure.places.len(), mesh.nodes.len());
    let all = DMatrix::from_fn(structure.stiffness.order(), 1, |row, _| gravity[row % 3]);
    let mut loads = structure.mass.times(&all);
    let tip = mesh.node_set(tip).expect("a set");
    for (node, axis) in tip.iter().flat_map(|node| (0..3).map(move |axis| (node, axis))) {
        loads[3 * node + axis] += force[axis] / tip.len() as f64;
    }
    let moved = structure.displacements(mesh.node_set(held).expect("a set"), &loads).expect("held");
    let at = |&node: &usize| Vector3::new(moved[3 * node], moved[3 * node + 1], moved[3 * node + 2]);
    tip.iter().map(at).sum::<Vector3<f64>>() / tip.len() as f64
}

/// A link on a hinge with a mass at its end is swung up by 60 degrees, about an axis that leans, and stops.
fn swings_and_hangs(fine: &Fineness) {
    let mesh = link(fine);
    let middle = |set: &str| {
        let nodes = mesh.node_set(set).expect("a set");
        nodes.iter().map(|&node| mesh.nodes[node].place).sum::<Vector3<f64>>() / nodes.len() as f64
    };
    // the frame of the first bore, the middle of its nodes, is at the origin
    let (from, tip) = (-middle("bore a"), middle("bore b") - middle("bore a"));
    let [from, at] = [from, tip].map(|v| format!("[{:?}, {:?}, {:?}]", v.x, v.y, v.z));
    let text = format!(
        "gravity = [0, -9.81, -4]\n\
        [[superelement]]\nname = 'link'\nmesh = 'arm.inp'\ninterfaces = ['BORE_A']\nmean_interfaces = ['BORE_B']\n\
        modes = 6\ndamping = 0.5\nposition = {from}\n\
        [[body]]\nname = 'hand'\nmass = 20\ninertia = [0.03, 0.03, 0.03]\nposition = {at}\n\
        [[joint]]\ntype = 'fixed'\nname = 'grip'\nbody1 = 'link.BORE_B'\nbody2 = 'hand'\nat = {at}\n\
        [[joint]]\ntype = 'revolute'\nname = 'hinge'\nbody1 = 'ground'\nbody2 = 'link.BORE_A'\naxis = [0, 0, 1]\n\
        [[driver]]\ntype = 'angle'\nname = 'motor'\njoint = 'hinge'\nmotion = '60 deg*smooth5(t, 0, 0, 2, 1)'\n\
        [simulation]\nt_end = 2.2\nmethod = 'radau'\ntol = 1e-6\n"
    );
    let mechanism = Mechanism::new(model(&deck(&mesh, "", 8), &text)).unwrap_or_else(|why| panic!("{why}"));
    let mut motion = mechanism.motion().unwrap_or_else(|why| panic!("{why}"));
    motion.advance_to(2.2).unwrap_or_else(|why| panic!("{why}"));
    let place = ["x", "y", "z"].map(|axis| motion.value(&format!("link.BORE_B.{axis}")).expect("a channel"));
    // in the axes of the hinge, which has turned by exactly that much
    let (sine, cosine) = (60.0_f64).to_radians().sin_cos();
    let back = |v: Vector3<f64>| Vector3::new(cosine * v.x + sine * v.y, cosine * v.y - sine * v.x, v.z);
    let found = back(Vector3::from(place)) - tip;
    let gravity = back(Vector3::new(0.0, -GRAVITY, -4.0));
    let exact = hanging(&mesh, ["bore a", "bore b"], &gravity, &(gravity * 20.0));
    assert!((found - exact).norm() < 0.01 * exact.norm(), "{found} {exact}");
    assert!(exact.norm() > 1e-4);
}

#[test]
fn a_coarse_link_that_was_swung_hangs_as_its_mesh_does() {
    swings_and_hangs(&COARSE);
}

/// 26,663 nodes: `cargo nextest run --release --workspace --test io --run-ignored only superelement::link::a_fine_link`
#[test]
#[ignore = "takes minutes where it is not optimised"]
fn a_fine_link_that_was_swung_hangs_as_its_mesh_does() {
    swings_and_hangs(&FINE);
}

#[test]
fn the_links_of_the_robot_arm_hang_as_their_mesh_does() {
    let text = include_str!("../../../../../models/meshes/robot_link.inp");
    let mut mesh = abaqus(text).expect("a mesh");
    mesh.give_section(Section::solid(Material::new("aluminium", 70e9, 0.33, 2700.0)));
    let own = "gravity = [0, 0, -9.81]\n\
        [[superelement]]\nname = 'link'\nmesh = 'arm.inp'\ninterfaces = ['base', 'tip']\nmodes = 10\n\
        youngs_modulus = '70 GPa'\npoissons_ratio = 0.33\ndensity = 2700\n\
        [[body]]\nname = 'hand'\nmass = 2\ninertia = [0.002, 0.002, 0.002]\nposition = [0.5, 0, 0]\n\
        [[joint]]\ntype = 'fixed'\nname = 'grip'\nbody1 = 'link.tip'\nbody2 = 'hand'\nat = [0.5, 0, 0]\n\
        [[joint]]\ntype = 'fixed'\nname = 'wall'\nbody1 = 'ground'\nbody2 = 'link.base'\n";
    let mechanism = Mechanism::new(model(text, own)).unwrap_or_else(|why| panic!("{why}"));
    let rest = mechanism.equilibrium().unwrap_or_else(|why| panic!("{why}"));
    let system = mechanism.system();
    let hand = system.body_names.iter().position(|name| name == "hand").expect("a body");
    let found = rest.state.q[system.nodes[hand].q + 2];
    let gravity = Vector3::new(0.0, 0.0, -GRAVITY);
    let exact = hanging(&mesh, ["base", "tip"], &gravity, &(gravity * 2.0)).z;
    assert!((found / exact - 1.0).abs() < 0.01, "{found} {exact}");
}
