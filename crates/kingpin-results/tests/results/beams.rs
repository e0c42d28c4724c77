//! Beams in glTF and VTK: a cable bent into an arc, whose places and strains are known.

use crate::sample::{Sample, decode, folder, run};
use crate::scenes::{floats, open};
use kingpin::spatial::euler;
use kingpin_results::Reader;
use kingpin_results::format::{Output, gltf, vtk};
use kingpin_results::scene::Scene;
use kingpin_results::store::Choice;
use serde_json::Value;
use std::fs;

const RADIUS: f64 = 0.0025;
/// By how much the cable is bent, turned as a whole, and stretched.
const BENT: f64 = 1.2;
const TURNED: f64 = 0.3;
const STRETCH: f64 = 1.01;

/// Place and angle at a part of the length.
fn arc(s: f64) -> ([f64; 3], f64) {
    let (from, to, rho) = (TURNED, TURNED + BENT * s, STRETCH / BENT);
    ([2.0 + rho * (to.sin() - from.sin()), -1.0 + rho * (from.cos() - to.cos()), 0.0], to)
}

/// `cable_swing` at rest in its first frame, and as an arc in the second.
fn bent(name: &str) -> Sample {
    let mut sample = run("cable_swing", name, 1e-4, 1e-4);
    sample.model = sample.model.expand().0;
    let path = sample.reader.dir().join("rows.f64");
    let bytes = fs::read(&path).unwrap();
    let width = 1 + sample.reader.header().channels.len();
    let numbers: Vec<f64> = bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let (first, mut second) = (numbers[..width].to_vec(), numbers[width..2 * width].to_vec());
    let scene = Scene::new(&sample.model, &sample.reader).unwrap();
    for (body, own) in scene.bodies.iter().zip(&sample.model.bodies) {
        let (r, angle) = arc(own.position.x);
        for (channel, x) in body.pose.iter().zip([r[0], r[1], angle]) {
            second[1 + channel] = x;
        }
    }
    let rows = [first, second].concat();
    fs::write(&path, rows.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>()).unwrap();
    sample.reader = Reader::open(sample.reader.dir()).unwrap();
    sample
}

/// How far a point is from the line of the arc, and what its strain along the cable is.
fn against_arc(p: [f64; 3]) -> (f64, f64) {
    let rho = STRETCH / BENT;
    let (x, y) = (p[0] - 2.0 + rho * TURNED.sin(), p[1] + 1.0 - rho * TURNED.cos());
    // towards the centre of the arc, which is the y of the section
    let inwards = rho - x.hypot(y);
    (inwards.hypot(p[2]), STRETCH - 1.0 - BENT * inwards)
}

fn numbers(text: &str, name: &str) -> Vec<f32> {
    let text = text.split_once(&format!("Name=\"{name}\"")).unwrap().1;
    let bytes = decode(text.split_once('>').unwrap().1.split_once('<').unwrap().0);
    bytes[8..].as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

#[test]
fn vtk_carries_displacement_strain_and_stress() {
    let sample = bent("vtk-beam");
    let scene = Scene::new(&sample.model, &sample.reader).unwrap();
    let path = folder("vtk-beam-out").join("cable.pvd");
    vtk(&sample.reader, &scene, &Choice::default(), &path).unwrap();
    let frame =
        |k: usize| fs::read_to_string(path.with_file_name(format!("cable/cable_{k:06}.vtp"))).unwrap();
    let (first, second) = (frame(0), frame(1));
    let (start, end) = (numbers(&first, "Points"), numbers(&second, "Points"));
    let [strain, stress] = ["strain", "stress"].map(|name| numbers(&second, name));
    let moved = numbers(&second, "displacement");
    assert!(numbers(&first, "strain").iter().all(|x| x.abs() < 1e-6));
    assert!(numbers(&first, "displacement").iter().all(|x| *x == 0.0));
    assert!(end.len() > 10_000 && strain.len() == end.len() / 3);
    for (k, p) in end.chunks(3).enumerate() {
        let (away, strained) = against_arc([p[0], p[1], p[2]].map(f64::from));
        // corners lie on the circle of the section, in single precision
        assert!((away - RADIUS).abs() < 3e-7, "{away}");
        assert!((f64::from(strain[k]) - strained).abs() < 1e-6, "{} {strained}", strain[k]);
        assert!((f64::from(stress[k]) - 5e6 * strained).abs() < 5.0);
        for c in 0..3 {
            assert!((moved[3 * k + c] - (end[3 * k + c] - start[3 * k + c])).abs() < 5e-7);
        }
    }
    assert!(second.contains("Name=\"beam\"") && second.contains("Name=\"body\""));
}

/// Nodes by the index under a name.
fn at<'a>(document: &'a Value, list: &str, index: &Value) -> &'a Value {
    &document[list][index.as_u64().unwrap() as usize]
}

#[test]
fn gltf_bends_the_skin_with_the_rings() {
    let sample = bent("gltf-beam");
    let scene = Scene::new(&sample.model, &sample.reader).unwrap();
    let path = folder("beam.glb");
    gltf(&sample.reader, &scene, &Choice::default(), Output::file(&path).unwrap()).unwrap();
    let (document, bytes) = open(&fs::read(&path).unwrap());
    let outer = document["scenes"][0]["nodes"].as_array().unwrap();
    let node = outer.iter().map(|k| at(&document, "nodes", k)).find(|node| node["skin"].is_u64()).unwrap();
    let skin = at(&document, "skins", &node["skin"]);
    let primitive = &at(&document, "meshes", &node["mesh"])["primitives"][0];
    let positions = floats(&document, &bytes, &primitive["attributes"]["POSITION"]);
    let inverse = floats(&document, &bytes, &skin["inverseBindMatrices"]);
    let joints = skin["joints"].as_array().unwrap();
    assert_eq!((joints.len(), inverse.len()), (10 * 9 + 1, 16 * 91));
    // where each joint is in the second frame
    let animation = &document["animations"][0];
    let moved = |joint: &Value, path: &str| {
        let channels = animation["channels"].as_array().unwrap();
        let found = channels.iter().find(|c| c["target"]["node"] == *joint && c["target"]["path"] == path);
        let sampler = at(animation, "samplers", &found.unwrap()["sampler"]);
        let values = floats(&document, &bytes, &sampler["output"]);
        values[values.len() / 2..].iter().map(|x| f64::from(*x)).collect::<Vec<f64>>()
    };
    let poses: Vec<_> = joints.iter().map(|j| (moved(j, "translation"), moved(j, "rotation"))).collect();
    let follow = joints_of(&document, &bytes, &primitive["attributes"]["JOINTS_0"]);
    for (corner, joint) in positions.chunks(3).zip(follow) {
        let m = &inverse[16 * joint..][..16];
        let local = [0, 1, 2]
            .map(|r| (0..3).map(|c| f64::from(m[4 * c + r] * corner[c])).sum::<f64>() + f64::from(m[12 + r]));
        assert!(local[0].abs() < 1e-6 && (local[1].hypot(local[2]) - RADIUS).abs() < 3e-7, "{local:?}");
        let (r, q) = &poses[joint];
        let turned = euler::rotate(&[q[3], q[0], q[1], q[2]], &local);
        // gravity is along -y, so that the axes of the model are those of glTF
        let (away, _) = against_arc([0, 1, 2].map(|k| r[k] + turned[k]));
        assert!((away - RADIUS).abs() < 1e-6, "{away}");
    }
    // nothing but the beam is drawn: its nodes have no balls and bars
    assert_eq!(document["meshes"].as_array().unwrap().len(), 1);
}

/// The first joint of each corner.
pub fn joints_of(document: &Value, bytes: &[u8], accessor: &Value) -> Vec<usize> {
    let accessor = at(document, "accessors", accessor);
    let view = at(document, "bufferViews", &accessor["bufferView"]);
    let (start, length) =
        (view["byteOffset"].as_u64().unwrap() as usize, view["byteLength"].as_u64().unwrap() as usize);
    let joints = bytes[start..start + length].chunks(8);
    joints.map(|b| usize::from(u16::from_le_bytes([b[0], b[1]]))).collect()
}
