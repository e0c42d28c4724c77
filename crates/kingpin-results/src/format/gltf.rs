//! glTF 2.0 in one binary file: nodes that move, made of shared unit meshes, beams as skins, and surfaces that deform.

mod binary;
mod motion;
mod skins;
mod surfaces;

use super::{Export, Writing};
use super::Output;
use crate::error::{Error, ErrorKind};
use crate::scene::{Form, Scene, Skin, Solid};
use crate::store::{Choice, Reader};
use binary::Binary;
use motion::Motion;
use serde_json::{Value, json};

pub(super) const EXPORT: Export = Export {
    name: "gltf",
    about: "The animation as one file for Blender, Windows and web pages",
    ending: "glb",
    write: Writing::Motion(|reader, scene, choice, path| gltf(reader, scene, choice, Output::file(path)?)),
    beside: None,
    missing: None,
};

/// Writes the scene with its motion. Every body is a node; a root node turns the axes of the model into those of
/// glTF, where y is up. Times start at 0. Frames whose positions are not finite are left out. Beams are skins: along
/// each there is a node at every ring of its mesh, so that bending and twist are those of the results in every frame.
/// Surfaces of superelements hang on the node of their frame and have a morph target for each amplitude; those of
/// structures are skins over the nodes of their points.
pub fn gltf(reader: &Reader, scene: &Scene, choice: &Choice, out: Output) -> Result<(), Error> {
    let skins: Vec<Skin> = scene.beams.iter().map(Skin::new).collect();
    let motion = Motion::read(reader, scene, &skins, choice)?;
    let mut file = File {
        frames_of: reader,
        nodes: Vec::new(),
        meshes: Meshes::default(),
        skins: Vec::new(),
        binary: Binary::default(),
    };
    file.nodes.push(json!({}));
    let mut top: Vec<usize> = Vec::new();
    let mut morphs = Vec::new();
    for (number, (body, path)) in scene.bodies.iter().zip(&motion.bodies).enumerate() {
        let mut children = file.solids(scene, &body.solids);
        for surface in scene.surfaces.iter().filter(|own| own.frame() == Some(number)) {
            let (node, amplitudes) = file.morphed(surface, &motion);
            children.push(node);
            morphs.push((node, amplitudes));
        }
        let mut node = json!({
            "name": body.name, "translation": path.translations[0], "rotation": path.rotations[0],
        });
        add_children(&mut node, &children);
        top.push(file.node(node));
    }
    let up = crate::scene::shortest_turn(scene.up, [0.0, 1.0, 0.0]);
    let mut outer = vec![0];
    for ((beam, skin), rings) in scene.beams.iter().zip(&skins).zip(&motion.rings) {
        outer.push(file.beam(beam, skin, rings, up, &mut top, out.path())?);
    }
    let held = file.skinned(scene, &top, up, &mut outer, &motion, out.path())?;
    if !scene.ground.is_empty() {
        let children = file.solids(scene, &scene.ground);
        let mut node = json!({ "name": "ground" });
        add_children(&mut node, &children);
        top.push(file.node(node));
    }
    let [w, x, y, z] = up;
    let mut root = json!({ "name": scene.name, "rotation": [x, y, z, w] });
    add_children(&mut root, &[&top[..], &held].concat());
    file.nodes[0] = root;
    file.finish(&motion, &outer, &top, &morphs, out)
}

fn add_children(node: &mut Value, children: &[usize]) {
    // an empty list is not allowed
    if !children.is_empty() {
        node["children"] = json!(children);
    }
}

struct File<'a> {
    frames_of: &'a Reader,
    nodes: Vec<Value>,
    meshes: Meshes,
    skins: Vec<Value>,
    binary: Binary,
}

/// Meshes by form and colour, with what they are made of.
#[derive(Default)]
struct Meshes {
    known: Vec<(Form, [u8; 4], usize)>,
    list: Vec<Value>,
    /// Red, green, blue and opacity.
    colours: Vec<[u8; 4]>,
    /// Accessors of positions, normals and triangles of each form.
    forms: Vec<(Form, [usize; 3])>,
}

impl Meshes {
    fn add(&mut self, attributes: Value, triangles: usize, colour: [u8; 4]) -> usize {
        let material = self.colours.iter().position(|known| *known == colour).unwrap_or_else(|| {
            self.colours.push(colour);
            self.colours.len() - 1
        });
        self.list.push(json!({ "primitives": [{
            "attributes": attributes, "indices": triangles, "material": material,
        }]}));
        self.list.len() - 1
    }
}

impl File<'_> {
    fn node(&mut self, node: Value) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// A node per shape.
    fn solids(&mut self, scene: &Scene, solids: &[Solid]) -> Vec<usize> {
        let node = |solid: &Solid| {
            let mesh = self.mesh(scene, solid.form, solid.look.paint());
            let [w, x, y, z] = solid.orientation;
            let node = json!({
                "mesh": mesh, "translation": solid.centre, "rotation": [x, y, z, w], "scale": solid.scale,
            });
            self.node(node)
        };
        solids.iter().map(node).collect()
    }

    fn mesh(&mut self, scene: &Scene, form: Form, colour: [u8; 4]) -> usize {
        let mut known = self.meshes.known.iter();
        if let Some((_, _, mesh)) = known.find(|known| (known.0, known.1) == (form, colour)) {
            return *mesh;
        }
        let [positions, normals, triangles] = self.geometry(scene, form);
        let attributes = json!({ "POSITION": positions, "NORMAL": normals });
        let mesh = self.meshes.add(attributes, triangles, colour);
        self.meshes.known.push((form, colour, mesh));
        mesh
    }

    fn geometry(&mut self, scene: &Scene, form: Form) -> [usize; 3] {
        if let Some((_, accessors)) = self.meshes.forms.iter().find(|(known, _)| *known == form) {
            return *accessors;
        }
        let mesh = scene.mesh(form);
        let accessors = [
            self.binary.corners(&mesh.positions),
            self.binary.corners(&mesh.normals),
            self.binary.triangles(&mesh.triangles),
        ];
        self.meshes.forms.push((form, accessors));
        accessors
    }

    /// `outer`: nodes of the scene; `top`: those of bodies, then those of rings, in the order of the motion.
    /// `morphs`: nodes with the bodies whose places are their weights.
    fn finish(
        mut self,
        motion: &Motion,
        outer: &[usize],
        top: &[usize],
        morphs: &[(usize, &[usize])],
        mut out: Output,
    ) -> Result<(), Error> {
        let mut document = json!({
            "asset": { "version": "2.0", "generator": self.frames_of.header().generator },
            "scene": 0,
            "scenes": [{ "nodes": outer }],
            "nodes": self.nodes,
        });
        if !motion.bodies.is_empty() {
            let times = self.binary.times(&motion.times);
            let (mut samplers, mut channels) = (Vec::new(), Vec::new());
            for (path, &node) in motion.bodies.iter().chain(motion.rings.iter().flatten()).zip(top) {
                let outputs = [
                    ("translation", self.binary.vectors(&path.translations)),
                    ("rotation", self.binary.quaternions(&path.rotations)),
                ];
                for (what, output) in outputs {
                    channels
                        .push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": what } }));
                    samplers.push(json!({ "input": times, "output": output, "interpolation": "LINEAR" }));
                }
            }
            for (node, amplitudes) in morphs.iter().filter(|(_, amplitudes)| !amplitudes.is_empty()) {
                let output = self.binary.weights(&motion.weights(amplitudes));
                channels
                    .push(json!({ "sampler": samplers.len(), "target": { "node": node, "path": "weights" } }));
                samplers.push(json!({ "input": times, "output": output, "interpolation": "LINEAR" }));
            }
            document["animations"] = json!([{
                "name": "motion", "samplers": samplers, "channels": channels, "extras": { "start": motion.start },
            }]);
        }
        if !self.meshes.list.is_empty() {
            document["meshes"] = json!(self.meshes.list);
            document["materials"] = self.meshes.colours.iter().map(material).collect();
        }
        if !self.skins.is_empty() {
            document["skins"] = json!(self.skins);
        }
        self.binary.describe(&mut document);
        let bytes = binary::container(&document, &self.binary.bytes).ok_or_else(|| {
            let message = "the animation is larger than the 4 GB that a glTF file can hold";
            Error::new(ErrorKind::Unfit, out.path(), message, "export fewer frames")
        })?;
        out.bytes(&bytes)?;
        out.finish()
    }
}

/// A colour that hides what is behind it.
fn opaque([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, 255]
}

/// Colours of glTF are linear.
fn material([r, g, b, a]: &[u8; 4]) -> Value {
    let linear = [*r, *g, *b].map(|c| {
        let c = f64::from(c) / 255.0;
        let linear = if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        (linear * 1e4).round() / 1e4
    });
    let [r, g, b] = linear;
    let opacity = f64::from(*a) / 255.0;
    let mut material = json!({ "pbrMetallicRoughness": {
        "baseColorFactor": [r, g, b, opacity], "metallicFactor": 0.1, "roughnessFactor": 0.7,
    }});
    if *a < 255 {
        material["alphaMode"] = json!("BLEND");
    }
    material
}
