//! Meshes as shapes: spheres, files beside files, mirror images, and models without their files.

use kingpin::element::shape::ShapeKind;
use kingpin::model::{Mat3, Model, Vec3};
use kingpin_io::{Loaded, Overrides, read_path, read_text, read_texts, to_toml};
use std::f64::consts::PI;
use std::path::Path;

fn good(loaded: Loaded) -> Model {
    let said = loaded.render(false);
    loaded.model.unwrap_or_else(|| panic!("{said}"))
}

/// An STL file of a sphere: n rings of 2n fields.
fn sphere(n: usize, radius: f64) -> String {
    let at = |i: usize, j: usize| {
        let (a, b) = (PI * i as f64 / n as f64, PI * (j % (2 * n)) as f64 / n as f64);
        // poles are one point
        let across = if i == 0 || i == n { 0.0 } else { a.sin() };
        [across * b.cos(), across * b.sin(), a.cos()].map(|x| radius * x + 0.0)
    };
    let mut text = String::from("solid sphere\n");
    for (i, j) in (0..n).flat_map(|i| (0..2 * n).map(move |j| (i, j))) {
        let [a, b, c, d] = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| at(i, j));
        for three in [[a, b, c], [a, c, d]].iter().filter(|[a, b, c]| a != b && b != c && c != a) {
            text += "facet normal 0 0 0\nouter loop\n";
            three.iter().for_each(|[x, y, z]| text += &format!("vertex {x:?} {y:?} {z:?}\n"));
            text += "endloop\nendfacet\n";
        }
    }
    text + "endsolid sphere\n"
}

/// A closed STL of a sphere: 2/5 m r^2, at order two in the size of the triangles.
#[test]
fn spheres_of_finer_triangles_are_more_of_a_sphere() {
    let model = "[[body]]\nname = 'ball'\ndensity = 7850\n[[shape]]\ntype = 'mesh'\nbody = 'ball'\nfile = 'ball.stl'\nscale = '1 mm'\n";
    let errors = [10, 20, 40].map(|n| {
        let text = sphere(n, 50.0);
        let loaded = read_texts("a.toml", &[("a.toml", model), ("ball.stl", &text)], &Overrides::none());
        assert!(loaded.diagnostics.is_empty(), "{}", loaded.render(false));
        let ball = good(loaded).bodies[0].clone();
        assert!(ball.centre().norm() < 1e-15, "{}", ball.centre());
        let mass = 7850.0 * 4.0 / 3.0 * PI * 0.05_f64.powi(3);
        [ball.mass / mass - 1.0, ball.inertia[(2, 2)] / (0.4 * mass * 0.0025) - 1.0].map(f64::abs)
    });
    for k in 0..2 {
        let orders = [errors[0][k] / errors[1][k], errors[1][k] / errors[2][k]].map(f64::log2);
        assert!(orders.iter().all(|order| (order - 2.0).abs() < 0.05), "{errors:?} {orders:?}");
    }
    assert!(errors[2][1] < 1e-2);
}

/// A wedge that is its own mirror image in no plane of its axes, as OBJ.
const WEDGE: &str = "v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

fn part(file: &str) -> String {
    format!(
        "[[body]]\nname = 'part'\nmaterial = 'oak'\nposition = [1, 1, 0]\n[[shape]]\ntype = 'mesh'\nbody = 'part'\nfile = '{file}'\n"
    )
}

#[test]
fn files_stand_beside_the_files_that_name_them() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("surfaces");
    std::fs::create_dir_all(place.join("parts/forms")).unwrap();
    std::fs::write(place.join("parts/forms/wedge.obj"), WEDGE).unwrap();
    std::fs::write(place.join("parts/part.toml"), part("forms/wedge.obj")).unwrap();
    std::fs::write(place.join("whole.toml"), "include = ['parts/part.toml']\n").unwrap();
    let both = "[[assembly]]\nname = 'left'\ninclude = ['parts/part.toml']\n\
                [[assembly]]\nname = 'right'\ninclude = ['parts/part.toml']\nmirror = 'y'\n";
    std::fs::write(place.join("both.toml"), both).unwrap();
    let whole = good(read_path(place.join("whole.toml"), &Overrides::none()));
    // a quarter of the way to each corner, a sixth of the box
    let own = &whole.bodies[0];
    assert!((own.mass - 700.0).abs() < 1e-12 && (own.centre() - Vec3::new(0.75, 0.5, 0.25)).norm() < 1e-15);
    let exact = |a: f64, b: f64| 700.0 * 3.0 / 80.0 * (a * a + b * b);
    assert!((own.inertia[(0, 0)] - exact(2.0, 1.0)).abs() < 1e-12, "{}", own.inertia);
    assert!((own.inertia[(0, 1)] - 700.0 / 80.0 * 6.0).abs() < 1e-12, "{}", own.inertia);
    // mirrored with its assembly
    let both = good(read_path(place.join("both.toml"), &Overrides::none()));
    let [left, right] = &both.bodies[..] else { panic!("two bodies") };
    let flip = Mat3::from_diagonal(&Vec3::new(1.0, -1.0, 1.0));
    assert_eq!(left.inertia, own.inertia);
    assert!((right.inertia - flip * left.inertia * flip).amax() < 1e-12);
    assert!((right.centre() - flip * left.centre()).norm() < 1e-15 && (right.mass - left.mass).abs() < 1e-12);
    // a model holds its triangles where there is no file
    let again = good(read_text("again.toml", &to_toml(&both), "/nowhere", &Overrides::none()));
    assert_eq!(again, both);
    let ShapeKind::Mesh(mesh) = &again.shapes[1].kind else { panic!("a mesh") };
    assert!(mesh.surface.0.as_ref().is_some_and(|own| own.triangles.len() == 4 && own.gap().is_none()));
}
