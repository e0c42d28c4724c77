//! Superelements and structures in glTF and VTK: both show corners where the results have them.

use crate::sample::{Sample, decode, folder, run_model};
use crate::scenes::{floats, open};
use kingpin::spatial::euler;
use kingpin_results::format::{Output, gltf, vtk};
use kingpin_results::scene::Scene;
use kingpin_results::store::Choice;
use serde_json::Value;
use std::fs;

fn ran(path: &str, name: &str) -> Sample {
    let path = format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    let model = kingpin_io::read_path(&path, &kingpin_io::Overrides::none()).model.unwrap();
    let mut sample = run_model(model, name, 2e-3, 1e-3);
    sample.model = sample.model.expand().0;
    sample
}

fn numbers(text: &str, name: &str) -> Vec<f64> {
    let text = text.split_once(&format!("Name=\"{name}\"")).unwrap().1;
    let bytes = decode(text.split_once('>').unwrap().1.split_once('<').unwrap().0);
    bytes[8..].as_chunks().0.iter().map(|b| f64::from(f32::from_le_bytes(*b))).collect()
}

/// Corners of all surfaces in the last frame, by VTK, and its fields there.
fn by_vtk(sample: &Sample, scene: &Scene, name: &str) -> [Vec<f64>; 3] {
    let path = folder(&format!("{name}-vtk")).join("s.pvd");
    vtk(&sample.reader, scene, &Choice::default(), &path).unwrap();
    let frame = fs::read_to_string(path.with_file_name("s/s_000002.vtp")).unwrap();
    assert!(frame.contains("Name=\"flexible\""));
    ["Points", "displacement", "von_mises"].map(|name| numbers(&frame, name))
}

struct Document {
    all: Value,
    bytes: Vec<u8>,
}

impl Document {
    fn entry(&self, list: &str, index: &Value) -> &Value {
        &self.all[list][index.as_u64().unwrap() as usize]
    }

    /// What an animation gives a node in its last frame.
    fn last(&self, node: usize, path: &str, count: usize) -> Option<Vec<f64>> {
        let animation = &self.all["animations"][0];
        let channels = animation["channels"].as_array().unwrap();
        let found = channels.iter().find(|c| c["target"]["node"] == node && c["target"]["path"] == path)?;
        let sampler = &animation["samplers"][found["sampler"].as_u64().unwrap() as usize];
        let values = floats(&self.all, &self.bytes, &sampler["output"]);
        Some(values[values.len() - count..].iter().map(|x| f64::from(*x)).collect())
    }

    /// Where a node takes a point of its own, in the axes of the root.
    fn place(&self, node: usize, point: [f64; 3]) -> [f64; 3] {
        let r = self.last(node, "translation", 3).unwrap_or(vec![0.0; 3]);
        let q = self.last(node, "rotation", 4).unwrap_or(vec![0.0, 0.0, 0.0, 1.0]);
        let turned = euler::rotate(&[q[3], q[0], q[1], q[2]], &point);
        [0, 1, 2].map(|k| r[k] + turned[k])
    }

    fn nodes(&self) -> impl Iterator<Item = (usize, &Value)> {
        self.all["nodes"].as_array().unwrap().iter().enumerate()
    }

    fn floats(&self, accessor: &Value) -> Vec<f64> {
        floats(&self.all, &self.bytes, accessor).into_iter().map(f64::from).collect()
    }
}

fn by_gltf(sample: &Sample, scene: &Scene, name: &str) -> Document {
    let path = folder(&format!("{name}.glb"));
    gltf(&sample.reader, scene, &Choice::default(), Output::file(&path).unwrap()).unwrap();
    let (all, bytes) = open(&fs::read(&path).unwrap());
    Document { all, bytes }
}

fn near(a: [f64; 3], b: &[f64], within: f64) {
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < within), "{a:?} {b:?}");
}

#[test]
fn superelements_are_morphed_by_their_amplitudes() {
    let sample = ran("models/robot_arm_flexible.toml", "surface-arm");
    let scene = Scene::new(&sample.model, &sample.reader).unwrap();
    let [points, moved, stress] = by_vtk(&sample, &scene, "surface-arm");
    let counts = [170, 170];
    let rigid = points.len() / 3 - counts.iter().sum::<usize>();
    assert!(stress[..rigid].iter().all(|x| x.is_nan()) && stress[rigid..].iter().all(|x| x.is_finite()));
    assert!(stress[rigid..].iter().fold(0.0_f64, |most, x| most.max(*x)) > 1e4);
    assert!(moved[3 * rigid..].iter().any(|x| x.abs() > 1e-6));
    let document = by_gltf(&sample, &scene, "surface-arm");
    let mut expected = points[3 * rigid..].chunks(3);
    let mut surfaces = 0;
    for (parent, body) in document.nodes() {
        for child in body["children"].as_array().into_iter().flatten() {
            let node = document.entry("nodes", child);
            if !node["name"].as_str().is_some_and(|name| name.ends_with(" surface")) {
                continue;
            }
            surfaces += 1;
            let mesh = document.entry("meshes", &node["mesh"]);
            let primitive = &mesh["primitives"][0];
            let mut corners = document.floats(&primitive["attributes"]["POSITION"]);
            let targets = primitive["targets"].as_array().unwrap();
            let weights = document.last(child.as_u64().unwrap() as usize, "weights", targets.len()).unwrap();
            assert_eq!((targets.len(), mesh["weights"].as_array().unwrap().len()), (16, 16));
            for (target, weight) in targets.iter().zip(weights) {
                let shape = document.floats(&target["POSITION"]);
                corners.iter_mut().zip(shape).for_each(|(x, shape)| *x += weight * shape);
            }
            for corner in corners.chunks(3) {
                let place = document.place(parent, [corner[0], corner[1], corner[2]]);
                near(place, expected.next().unwrap(), 1e-6);
            }
        }
    }
    assert!(surfaces == 2 && expected.next().is_none());
}

#[test]
fn structures_are_skins_over_their_points() {
    let sample = ran("crates/kingpin-io/tests/good/structure.toml", "surface-sheet");
    let scene = Scene::new(&sample.model, &sample.reader).unwrap();
    let [points, moved, stress] = by_vtk(&sample, &scene, "surface-sheet");
    assert_eq!((points.len(), stress.len()), (moved.len(), points.len() / 3));
    let document = by_gltf(&sample, &scene, "surface-sheet");
    let up = document.all["nodes"][0]["rotation"].as_array().unwrap();
    let up: Vec<f64> = up.iter().map(|x| x.as_f64().unwrap()).collect();
    let up = [up[3], up[0], up[1], up[2]];
    let skinned: Vec<&Value> =
        document.nodes().map(|(_, node)| node).filter(|node| node["skin"].is_u64()).collect();
    assert_eq!(skinned.len(), scene.surfaces.len());
    let mut corners = Vec::new();
    for node in skinned {
        let (skin, mesh) = (document.entry("skins", &node["skin"]), document.entry("meshes", &node["mesh"]));
        let joints = skin["joints"].as_array().unwrap();
        let inverse = document.floats(&skin["inverseBindMatrices"]);
        assert_eq!(inverse.len(), 16 * joints.len());
        let attributes = &mesh["primitives"][0]["attributes"];
        let positions = document.floats(&attributes["POSITION"]);
        let follow = crate::beams::joints_of(&document.all, &document.bytes, &attributes["JOINTS_0"]);
        for (corner, joint) in positions.chunks(3).zip(follow) {
            let m = &inverse[16 * joint..][..16];
            let local = [0, 1, 2].map(|r| (0..3).map(|c| m[4 * c + r] * corner[c]).sum::<f64>() + m[12 + r]);
            corners.push(document.place(joints[joint].as_u64().unwrap() as usize, local));
        }
    }
    let rigid = points.len() / 3 - corners.len();
    // held corners are among them, and do not move
    let still = moved[3 * rigid..].chunks(3).filter(|d| d.iter().all(|x| *x == 0.0)).count();
    assert!(still > 0 && still < corners.len(), "{still} of {}", corners.len());
    for (corner, expected) in corners.into_iter().zip(points[3 * rigid..].chunks(3)) {
        near(corner, expected, 1e-5);
        let shown = euler::rotate(&up, &corner);
        assert!(shown.iter().all(|x| x.is_finite()));
    }
}
