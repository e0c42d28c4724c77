//! The mesh of a link of a robot: two eyes with bores and a web between them, in tetrahedra of ten nodes.

use kingpin_flex::mesh::{Element, Material, Mesh, Node, Section, Shape};
use nalgebra::Vector3;
use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};
use std::fmt::Write;

/// Elements along parts of the link.
pub struct Fineness {
    /// around half of the arc of an eye where the web begins, and around the rest of the eye
    pub arc: usize,
    pub around: usize,
    /// from bore to rim
    pub radial: usize,
    pub along: usize,
    pub layers: usize,
}

pub const COARSE: Fineness = Fineness { arc: 2, around: 6, radial: 2, along: 8, layers: 1 };
pub const FINE: Fineness = Fineness { arc: 6, around: 24, radial: 5, along: 45, layers: 3 };

/// Metres: distance of the bores, radii of bore and rim, thickness; the web begins within 50 degrees of the axis.
const LENGTH: f64 = 0.4;
const BORE: f64 = 0.025;
const RIM: f64 = 0.045;
const THICKNESS: f64 = 0.03;
const HALF_ARC: f64 = 50.0 * PI / 180.0;

struct Builder {
    mesh: Mesh,
    corners: BTreeMap<(usize, usize), usize>,
    middles: BTreeMap<(usize, usize), usize>,
    layers: usize,
}

impl Builder {
    fn node(&mut self, place: Vector3<f64>) -> usize {
        self.mesh.nodes.push(Node { number: self.mesh.nodes.len() as u64 + 1, place });
        self.mesh.nodes.len() - 1
    }

    /// The corner above a point of the plane, in a layer.
    fn corner(&mut self, points: &[[f64; 2]], point: usize, layer: usize) -> usize {
        if let Some(&known) = self.corners.get(&(point, layer)) {
            return known;
        }
        let z = THICKNESS * (layer as f64 / self.layers as f64 - 0.5);
        let node = self.node(Vector3::new(points[point][0], points[point][1], z));
        self.corners.insert((point, layer), node);
        node
    }

    fn middle(&mut self, a: usize, b: usize) -> usize {
        let ends = (a.min(b), a.max(b));
        if let Some(&known) = self.middles.get(&ends) {
            return known;
        }
        let node = self.node(0.5 * (self.mesh.nodes[a].place + self.mesh.nodes[b].place));
        self.middles.insert(ends, node);
        node
    }

    /// Six tetrahedra around the diagonal of a brick over four points that go around.
    fn brick(&mut self, points: &[[f64; 2]], around: [usize; 4], layer: usize) {
        // the diagonal starts at the least point, so that faces of neighbours are cut alike
        let least = (0..4).min_by_key(|&k| around[k]).unwrap();
        let turned = [0, 1, 2, 3].map(|k| around[(least + k) % 4]);
        let bottom = turned.map(|point| self.corner(points, point, layer));
        let top = turned.map(|point| self.corner(points, point, layer + 1));
        let all = [bottom, top].concat();
        // a prism on either side of a vertical cut; each in three by the order of its points
        for prism in [[0, 1, 2], [0, 2, 3]] {
            let mut order = prism;
            order.sort_by_key(|&k| turned[k]);
            let [a, b, c] = order;
            for corners in [[a, b, c, c + 4], [a, b, b + 4, c + 4], [a, a + 4, b + 4, c + 4]] {
                self.tetrahedron(corners.map(|k| all[k]));
            }
        }
    }

    fn tetrahedron(&mut self, mut corners: [usize; 4]) {
        let place = |k: usize| self.mesh.nodes[corners[k]].place;
        let volume = (place(1) - place(0)).cross(&(place(2) - place(0))).dot(&(place(3) - place(0)));
        if volume < 0.0 {
            corners.swap(1, 2);
        }
        let mut nodes = corners.to_vec();
        for [i, j] in [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]] {
            nodes.push(self.middle(corners[i], corners[j]));
        }
        let number = self.mesh.elements.len() as u64 + 1;
        self.mesh.elements.push(Element { number, shape: Shape::Tetrahedron, nodes, section: None });
    }
}

/// Points of the plane and the quadrangles between them.
fn plane(fine: &Fineness) -> (Vec<[f64; 2]>, Vec<[usize; 4]>) {
    let (mut points, mut cells) = (Vec::new(), Vec::new());
    let (front, back) = (2 * fine.arc, fine.around);
    let count = front + back;
    for eye in 0..2 {
        // angles from the axis towards the other eye: the front arc first, then the rest
        for ring in 0..=fine.radial {
            let radius = BORE + (RIM - BORE) * ring as f64 / fine.radial as f64;
            for k in 0..count {
                let angle = if k <= front {
                    HALF_ARC * (2.0 * k as f64 / front as f64 - 1.0)
                } else {
                    HALF_ARC + (TAU - 2.0 * HALF_ARC) * (k - front) as f64 / back as f64
                };
                let mirror = if eye == 0 { 1.0 } else { -1.0 };
                points.push([eye as f64 * LENGTH + mirror * radius * angle.cos(), radius * angle.sin()]);
            }
        }
        let at = |ring: usize, k: usize| eye * (fine.radial + 1) * count + ring * count + k % count;
        for ring in 0..fine.radial {
            cells.extend(
                (0..count).map(|k| [at(ring, k), at(ring + 1, k), at(ring + 1, k + 1), at(ring, k + 1)]),
            );
        }
    }
    // the web: lines from rim to rim
    let rim = |eye: usize, k: usize| (eye * (fine.radial + 1) + fine.radial) * count + k;
    let first = points.len();
    for step in 1..fine.along {
        let part = step as f64 / fine.along as f64;
        for k in 0..=front {
            let (a, b) = (points[rim(0, k)], points[rim(1, k)]);
            points.push([a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])]);
        }
    }
    let at = |step: usize, k: usize| match step {
        0 => rim(0, k),
        step if step == fine.along => rim(1, k),
        step => first + (step - 1) * (front + 1) + k,
    };
    for step in 0..fine.along {
        cells
            .extend((0..front).map(|k| [at(step, k), at(step + 1, k), at(step + 1, k + 1), at(step, k + 1)]));
    }
    (points, cells)
}

/// The link with sets of nodes `bore a` and `bore b`.
pub fn link(fine: &Fineness) -> Mesh {
    let (points, cells) = plane(fine);
    let mesh = Mesh::default();
    let mut builder =
        Builder { mesh, corners: BTreeMap::new(), middles: BTreeMap::new(), layers: fine.layers };
    for layer in 0..fine.layers {
        cells.iter().for_each(|&cell| builder.brick(&points, cell, layer));
    }
    let mut mesh = builder.mesh;
    let count = 2 * fine.arc + fine.around;
    // nodes on straight edges between points of a bore lie a bit inside of its circle
    let sagitta = BORE * (1.0 - (PI / count as f64 * 2.0).cos()) + 1e-9;
    for (name, centre) in [("bore a", 0.0), ("bore b", LENGTH)] {
        let near = |place: &Vector3<f64>| {
            let radius = (place.x - centre).hypot(place.y);
            radius < BORE + 1e-9 && radius > BORE - sagitta
        };
        let nodes = (0..mesh.nodes.len()).filter(|&node| near(&mesh.nodes[node].place)).collect();
        mesh.node_sets.insert(name.into(), nodes);
    }
    mesh.give_section(Section::solid(Material::new("aluminium", 71e9, 0.33, 2770.0)));
    mesh
}

/// The mesh as CalculiX reads it, with what is held and one step that looks for so many modes.
pub fn deck(mesh: &Mesh, more: &str, modes: usize) -> String {
    let mut text = String::from("*NODE, NSET=NALL\n");
    for Node { number, place } in &mesh.nodes {
        writeln!(text, "{number}, {:.12e}, {:.12e}, {:.12e}", place.x, place.y, place.z).unwrap();
    }
    text += "*ELEMENT, TYPE=C3D10, ELSET=EALL\n";
    for element in &mesh.elements {
        let nodes: Vec<String> = element.nodes.iter().map(|&k| mesh.nodes[k].number.to_string()).collect();
        writeln!(text, "{}, {}", element.number, nodes.join(", ")).unwrap();
    }
    for (name, set) in &mesh.node_sets {
        writeln!(text, "*NSET, NSET={}", name.replace(' ', "_").to_uppercase()).unwrap();
        set.iter().for_each(|&k| writeln!(text, "{},", mesh.nodes[k].number).unwrap());
    }
    let Material { young, poisson, density, .. } = &mesh.sections[0].material;
    writeln!(text, "*MATERIAL, NAME=M\n*ELASTIC\n{young:e}, {poisson}\n*DENSITY\n{density}").unwrap();
    writeln!(text, "*SOLID SECTION, ELSET=EALL, MATERIAL=M\n{more}*STEP\n*FREQUENCY\n{modes}\n*END STEP")
        .unwrap();
    text
}
