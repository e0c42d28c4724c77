//! Triangles of the unit bodies.

use super::Form;
use kingpin::element::shape::surface::Triangles;
use nalgebra::Vector3;
use std::f64::consts::{PI, TAU};

/// Corners with outward normals, and triangles that are counter-clockwise from outside.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mesh {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

/// Corners around a circle.
const AROUND: u32 = 24;
/// Rings of a sphere from pole to pole.
const RINGS: u32 = 12;

impl Mesh {
    /// Triangles with the same normal all over, each with corners of its own.
    pub fn flat(own: &Triangles) -> Mesh {
        let mut mesh = Mesh::default();
        for triangle in &own.triangles {
            let [a, b, c] = own.corners(triangle);
            let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vector3::z);
            let first = mesh.positions.len() as u32;
            [a, b, c].into_iter().for_each(|corner| mesh.corner(corner.into(), normal.into()));
            mesh.triangles.push([first, first + 1, first + 2]);
        }
        mesh
    }

    /// The mesh of a unit body; none of a mesh, which a scene has.
    pub fn of(form: Form) -> Mesh {
        match form {
            Form::Cuboid => cuboid(),
            Form::Sphere => sphere(),
            Form::Cylinder => cylinder(),
            Form::Cone => cone(),
            Form::Tube(hole) => tube(f64::from(hole) / 1000.0),
            Form::Mesh(_) => Mesh::default(),
        }
    }

    fn corner(&mut self, position: [f64; 3], normal: [f64; 3]) {
        // no negative zeros: they would make bounds ambiguous
        self.positions.push(position.map(|x| x as f32 + 0.0));
        self.normals.push(normal.map(|x| x as f32 + 0.0));
    }

    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, c], [a, c, d]]);
    }
}

fn cuboid() -> Mesh {
    let mut mesh = Mesh::default();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let first = mesh.positions.len() as u32;
            let mut normal = [0.0; 3];
            normal[axis] = side;
            // around the normal, counter-clockwise from outside
            for (u, v) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                let mut at = [0.0; 3];
                (at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3]) = (0.5 * side, u * side, v);
                mesh.corner(at, normal);
            }
            mesh.quad([0, 1, 2, 3].map(|k| first + k));
        }
    }
    mesh
}

fn circle(k: u32) -> (f64, f64) {
    let (s, c) = (TAU * f64::from(k) / f64::from(AROUND)).sin_cos();
    (c, s)
}

fn sphere() -> Mesh {
    let mut mesh = Mesh::default();
    for ring in 0..=RINGS {
        let (s, c) = (PI * f64::from(ring) / f64::from(RINGS)).sin_cos();
        for k in 0..=AROUND {
            let (x, y) = circle(k);
            let at = [s * x, s * y, c];
            mesh.corner(at, at);
        }
    }
    let wide = AROUND + 1;
    for ring in 0..RINGS {
        for k in 0..AROUND {
            let [a, b] = [ring * wide + k, (ring + 1) * wide + k];
            // no triangles without area at the poles
            if ring > 0 {
                mesh.triangles.push([a, b, a + 1]);
            }
            if ring + 1 < RINGS {
                mesh.triangles.push([a + 1, b, b + 1]);
            }
        }
    }
    mesh
}

fn cylinder() -> Mesh {
    let mut mesh = Mesh::default();
    for k in 0..=AROUND {
        let (x, y) = circle(k);
        mesh.corner([x, y, -0.5], [x, y, 0.0]);
        mesh.corner([x, y, 0.5], [x, y, 0.0]);
    }
    for k in 0..AROUND {
        let a = 2 * k;
        mesh.quad([a, a + 2, a + 3, a + 1]);
    }
    for side in [-1.0, 1.0] {
        let first = mesh.positions.len() as u32;
        for k in 0..AROUND {
            let (x, y) = circle(k);
            mesh.corner([x, y, 0.5 * side], [0.0, 0.0, side]);
        }
        for k in 1..AROUND - 1 {
            let (b, c) = if side > 0.0 { (first + k, first + k + 1) } else { (first + k + 1, first + k) };
            mesh.triangles.push([first, b, c]);
        }
    }
    mesh
}

fn cone() -> Mesh {
    let mut mesh = Mesh::default();
    // as steep as it is wide
    let slope = 0.5_f64.sqrt();
    for k in 0..=AROUND {
        let (x, y) = circle(k);
        mesh.corner([x, y, -0.5], [slope * x, slope * y, slope]);
        mesh.corner([0.0, 0.0, 0.5], [slope * x, slope * y, slope]);
    }
    for k in 0..AROUND {
        mesh.triangles.push([2 * k, 2 * k + 2, 2 * k + 1]);
    }
    let first = mesh.positions.len() as u32;
    for k in 0..AROUND {
        let (x, y) = circle(k);
        mesh.corner([x, y, -0.5], [0.0, 0.0, -1.0]);
    }
    for k in 1..AROUND - 1 {
        mesh.triangles.push([first, first + k + 1, first + k]);
    }
    mesh
}

fn tube(hole: f64) -> Mesh {
    let mut mesh = Mesh::default();
    // outside, top, inside, bottom: each side from one edge to the next
    let edges = [(1.0, -0.5), (1.0, 0.5), (hole, 0.5), (hole, -0.5)];
    let normals = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
    for side in 0..4 {
        let first = mesh.positions.len() as u32;
        for k in 0..=AROUND {
            let (x, y) = circle(k);
            for (radius, z) in [edges[side], edges[(side + 1) % 4]] {
                let (out, up) = normals[side];
                mesh.corner([radius * x, radius * y, z], [out * x, out * y, up]);
            }
        }
        for k in 0..AROUND {
            let a = first + 2 * k;
            mesh.quad([a, a + 2, a + 3, a + 1]);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_face_outwards_and_enclose_the_volume() {
        let n = f64::from(AROUND);
        let prism = 0.5 * n * (TAU / n).sin();
        let ball = 4.0 / 3.0 * PI;
        let exact = [
            (Form::Cuboid, 1.0, 1e-6),
            (Form::Cylinder, prism, 1e-6),
            (Form::Sphere, ball, 0.03),
            (Form::Cone, prism / 3.0, 1e-6),
            (Form::Tube(600), 0.64 * prism, 1e-6),
        ];
        for (form, volume, tolerance) in exact {
            let mesh = Mesh::of(form);
            let at = |k: u32| Vector3::from(mesh.positions[k as usize].map(f64::from));
            let mut sum = 0.0;
            for &[a, b, c] in &mesh.triangles {
                let (p, q, r) = (at(a), at(b), at(c));
                let normal = (q - p).cross(&(r - p));
                assert!(normal.norm() > 1e-6, "{form:?}: a triangle without area");
                // the wall of a hole faces its axis
                let outwards = normal.dot(&(p + q + r)) > 0.0 || matches!(form, Form::Tube(_));
                assert!(outwards, "{form:?}: a triangle faces inwards");
                let own = Vector3::from(mesh.normals[a as usize].map(f64::from));
                assert!(
                    (own.norm() - 1.0).abs() < 1e-6 && own.dot(&normal) > 0.0,
                    "{form:?}: a wrong normal"
                );
                sum += p.dot(&q.cross(&r)) / 6.0;
            }
            assert!((sum / volume - 1.0).abs() < tolerance, "{form:?}: {sum}");
        }
    }
}
