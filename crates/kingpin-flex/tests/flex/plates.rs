//! Displacements of a sheet and of a cube against those of other programs.

use kingpin_flex::mesh::{Material, Section, box_mesh};
use kingpin_flex::structure::Structure;
use nalgebra::DMatrix;

/// Corner and middle of the loaded side, and the work of the load: unit square or cube held at x = 0, 1 MPa in the last
/// direction on x = 1.
fn displaced(n: usize, axes: usize) -> (Vec<f64>, f64, f64) {
    let counts = [n, n, if axes == 2 { 0 } else { n }];
    let mut mesh = box_mesh(counts, [1.0; 3], [0.0; 3]);
    mesh.give_section(Section::solid(Material::new("aluminium", 73e9, 0.3, 2700.0)));
    let structure = Structure::assemble(&mesh).unwrap();
    assert_eq!(structure.space.axes(), axes);
    let mut loads = DMatrix::zeros(axes * mesh.nodes.len(), 1);
    let side = 1.0 / n as f64;
    for &node in mesh.node_set("x1").unwrap() {
        let at_edge = |axis: usize| mesh.nodes[node].place[axis] % 1.0 == 0.0;
        let share: f64 = (1..axes).map(|axis| if at_edge(axis) { 0.5 * side } else { side }).product();
        loads[axes * node + axes - 1] = 1e6 * share;
    }
    let moved = structure.displacements(mesh.node_set("x0").unwrap(), &loads).unwrap();
    let at = |y: f64, z: f64| {
        let is = |p: &nalgebra::Vector3<f64>| p.x == 1.0 && p.y == y && (axes == 2 || p.z == z);
        mesh.nodes.iter().position(|node| is(&node.place)).unwrap()
    };
    let corner = (0..axes).map(|axis| moved[axes * at(1.0, 1.0) + axis]).collect();
    (corner, moved[axes * at(0.5, 0.5) + axes - 1], loads.dot(&moved))
}

fn assert_near(found: f64, known: f64) {
    assert!((found / known - 1.0).abs() < 1e-9, "{found:e} {known:e}");
}

/// Known from MUMPS and CHOLMOD, which agree to 12 digits.
#[test]
fn a_sheet_moves_as_other_programs_say() {
    for (n, x, y, mid, work) in [
        (8, -4.475543840e-5, 9.754395537e-5, 9.214283976e-5, 94.53146590),
        (16, -4.605814372e-5, 9.960169804e-5, 9.315001027e-5, 95.82691435),
        (32, -4.667596429e-5, 1.004474299e-4, 9.346070764e-5, 96.23385353),
    ] {
        let (corner, middle, done) = displaced(n, 2);
        assert_near(corner[0], x);
        assert_near(corner[1], y);
        assert_near(middle, mid);
        assert_near(done, work);
    }
}

#[test]
fn a_cube_moves_as_other_programs_say() {
    let (corner, middle, done) = displaced(8, 3);
    assert_near(corner[0], -4.190121357e-5);
    assert_near(corner[1], 7.481639433e-7);
    assert_near(corner[2], 9.342970922e-5);
    assert_near(middle, 9.001486886e-5);
    assert_near(done, 91.58483928);
}
