//! glTF and VTK.

use crate::sample::{Sample, decode, folder, run};
use kingpin_results::format::{Output, gltf, vtk};
use kingpin_results::scene::Scene;
use kingpin_results::store::Choice;
use kingpin_results::{ErrorKind, Reader};
use serde_json::Value;
use std::fs;

/// Document and numbers of a binary glTF file, its container checked.
pub fn open(bytes: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], word(4), word(8)), (b"glTF".as_slice(), 2, bytes.len()));
    let text = word(12);
    assert_eq!((text % 4, &bytes[16..20]), (0, b"JSON".as_slice()));
    let numbers = word(20 + text);
    assert_eq!((numbers % 4, &bytes[24 + text..28 + text]), (0, b"BIN\0".as_slice()));
    assert_eq!(28 + text + numbers, bytes.len());
    (serde_json::from_slice(&bytes[20..20 + text]).unwrap(), bytes[28 + text..].to_vec())
}

/// The floats of an accessor.
pub fn floats(document: &Value, numbers: &[u8], accessor: &Value) -> Vec<f32> {
    let accessor = &document["accessors"][accessor.as_u64().unwrap() as usize];
    assert_eq!(accessor["componentType"], 5126);
    let view = &document["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let each = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        "VEC3" => 3,
        "MAT4" => 16,
        _ => 4,
    };
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    let length = 4 * each * accessor["count"].as_u64().unwrap() as usize;
    assert_eq!(view["byteLength"].as_u64().unwrap() as usize, length);
    numbers[start..start + length].as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
}

fn write(sample: &Sample, name: &str, choice: &Choice) -> (Value, Vec<u8>) {
    let scene = Scene::new(&sample.model, &sample.reader).unwrap();
    let path = folder(name);
    gltf(&sample.reader, &scene, choice, Output::file(&path).unwrap()).unwrap();
    open(&fs::read(&path).unwrap())
}

/// Nodes of bodies are where the results say at three times, and so are their axes.
fn holds(sample: &Sample, document: &Value, numbers: &[u8]) {
    let animation = &document["animations"][0];
    let table = sample.reader.table(&[], usize::MAX).unwrap();
    let scene = Scene::new(&sample.model, &sample.reader).unwrap();
    let mut rows = Vec::new();
    let mut all = sample.reader.rows().unwrap();
    while let Some(row) = all.next_row().unwrap() {
        rows.push(row.to_vec());
    }
    for channel in animation["channels"].as_array().unwrap() {
        let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        let times = floats(document, numbers, &sampler["input"]);
        assert_eq!(times.len(), table.t.len());
        let node = &document["nodes"][channel["target"]["node"].as_u64().unwrap() as usize];
        let body = scene.bodies.iter().find(|body| body.name == node["name"]).unwrap();
        let values = floats(document, numbers, &sampler["output"]);
        for frame in [0, times.len() / 2, times.len() - 1] {
            assert!((f64::from(times[frame]) - table.t[frame]).abs() < 1e-6);
            let (r, p) = body.pose(&rows[frame]);
            if channel["target"]["path"] == "translation" {
                for k in 0..3 {
                    assert_eq!(values[3 * frame + k], r[k] as f32);
                }
            } else {
                let q = &values[4 * frame..][..4];
                let dot = [p[1], p[2], p[3], p[0]].iter().zip(q).map(|(a, b)| a * f64::from(*b)).sum::<f64>();
                assert!((dot.abs() - 1.0).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn gltf_nodes_follow_the_results() {
    for (model, end) in [("four_bar", 0.5), ("hmmwv14", 0.2)] {
        let sample = run(model, &format!("gltf-{model}"), end, end / 20.0);
        let (document, numbers) = write(&sample, &format!("{model}.glb"), &Choice::default());
        let bodies = sample.model.bodies.len();
        assert_eq!(document["asset"]["version"], "2.0");
        assert_eq!(document["animations"][0]["channels"].as_array().unwrap().len(), 2 * bodies);
        holds(&sample, &document, &numbers);
        // bounds of the corners are exact
        for accessor in document["accessors"].as_array().unwrap() {
            if let (Some(min), "VEC3") = (accessor["min"].as_array(), accessor["type"].as_str().unwrap()) {
                assert!(min.iter().all(|x| x.as_f64().unwrap() as f32 as f64 == x.as_f64().unwrap()));
            }
        }
        // every body is drawn
        for body in &sample.model.bodies {
            let nodes = document["nodes"].as_array().unwrap();
            let node = nodes.iter().find(|node| node["name"] == body.name.as_str()).unwrap();
            let child = node["children"][0].as_u64().unwrap() as usize;
            assert!(nodes[child]["mesh"].is_u64(), "{}", body.name);
        }
    }
}

#[test]
fn gltf_turns_up_to_y() {
    let sample = run("hmmwv14", "gltf-up", 0.02, 0.01);
    let (document, _) = write(&sample, "up.glb", &Choice::default());
    let q: Vec<f64> =
        document["nodes"][0]["rotation"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    let up = kingpin::spatial::euler::rotate(&[q[3], q[0], q[1], q[2]], &[0.0, 0.0, 1.0]);
    assert!((up[1] - 1.0).abs() < 1e-12, "{up:?}");
}

#[test]
fn gltf_of_fewer_frames_and_of_none() {
    let sample = run("four_bar", "gltf-few", 0.1, 0.01);
    let choice = Choice { frames: Some(3), ..Choice::default() };
    let (document, numbers) = write(&sample, "few.glb", &choice);
    let times = floats(&document, &numbers, &document["animations"][0]["samplers"][0]["input"]);
    assert_eq!(times, [0.0, 0.05, 0.1]);
    fs::write(sample.reader.dir().join("rows.f64"), []).unwrap();
    let reader = Reader::open(sample.reader.dir()).unwrap();
    let scene = Scene::new(&sample.model, &reader).unwrap();
    let error = gltf(&reader, &scene, &choice, Output::stream("x", Vec::new())).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unfit);
}

#[test]
fn a_model_that_does_not_fit_the_results() {
    let sample = run("four_bar", "scene-unfit", 0.1, 0.1);
    let mut other = sample.model.clone();
    other.bodies[1].name = "other".into();
    let error = Scene::new(&other, &sample.reader).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unfit);
    assert!(error.message.ends_with("do not contain the motion of body `other`"), "{}", error.message);
}

#[test]
fn vtk_has_a_file_per_frame() {
    let sample = run("hmmwv14", "vtk-run", 0.1, 0.02);
    let scene = Scene::new(&sample.model, &sample.reader).unwrap();
    let path = folder("vtk-out").join("car.pvd");
    vtk(&sample.reader, &scene, &Choice::default(), &path).unwrap();
    let list = fs::read_to_string(&path).unwrap();
    assert_eq!(list.matches("<DataSet ").count(), 6);
    assert!(list.contains("timestep=\"0.1\" part=\"0\" file=\"car/car_000005.vtp\""), "{list}");
    for k in 0..6 {
        let text = fs::read_to_string(path.with_file_name(format!("car/car_{k:06}.vtp"))).unwrap();
        for tag in ["VTKFile", "PolyData", "Piece", "Points", "Polys", "CellData", "DataArray"] {
            let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
            let opened =
                text.matches(&format!("{open} ")).count() + text.matches(&format!("{open}>")).count();
            assert_eq!(opened, text.matches(&close).count(), "{tag}");
        }
    }
}

#[test]
fn vtk_points_follow_the_results() {
    let sample = run("four_bar", "vtk-points", 0.2, 0.1);
    let scene = Scene::new(&sample.model, &sample.reader).unwrap();
    let path = folder("vtk-bar").join("bar.pvd");
    vtk(&sample.reader, &scene, &Choice::default(), &path).unwrap();
    let angles = sample.reader.column(sample.reader.find("crank.angle").unwrap()).unwrap();
    for (k, angle) in angles.iter().enumerate() {
        let text = fs::read_to_string(path.with_file_name(format!("bar/bar_{k:06}.vtp"))).unwrap();
        let points = text.split_once("Name=\"Points\"").unwrap().1;
        let points = points.split_once('>').unwrap().1.split_once('<').unwrap().0;
        let bytes = decode(points);
        let numbers: Vec<f32> = bytes[8..].as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
        assert_eq!(u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize, 4 * numbers.len());
        // the bar of the crank comes first: from its pin outwards, 100 mm long and 10 mm in radius
        let along = |p: &[f32]| f64::from(p[0]) * angle.cos() + f64::from(p[1]) * angle.sin();
        let across = |p: &[f32]| {
            (f64::from(p[1]) * angle.cos() - f64::from(p[0]) * angle.sin()).hypot(f64::from(p[2]))
        };
        for point in numbers.chunks(3).take(98) {
            let (s, r) = (along(point), across(point));
            assert!((s.abs() < 1e-6 || (s - 0.1).abs() < 1e-6) && (r - 0.01).abs() < 1e-6, "{s} {r}");
        }
    }
}
