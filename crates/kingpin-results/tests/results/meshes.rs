//! Superelements in the data of the page: surfaces that end where interfaces are.

use crate::sample::{decode, run_model};
use kingpin::model::Vec3;
use kingpin::spatial::euler;
use kingpin_results::report::{Limits, data};
use kingpin_results::scene::Scene;
use serde_json::Value;

fn numbers(column: &Value, count: usize) -> Vec<f64> {
    match column["f32"].as_str() {
        Some(text) => {
            let offset = column["offset"].as_f64().unwrap_or(0.0);
            decode(text).as_chunks().0.iter().map(|b| offset + f64::from(f32::from_le_bytes(*b))).collect()
        }
        None => vec![column["constant"].as_f64().unwrap(); count],
    }
}

#[test]
fn surfaces_follow_frames_and_amplitudes_to_the_interfaces() {
    let path = format!("{}/../../models/robot_arm_flexible.toml", env!("CARGO_MANIFEST_DIR"));
    let set = kingpin_io::Overrides::none().set("load", "20 kg");
    let model = kingpin_io::read_path(&path, &set).model.unwrap();
    let mut sample = run_model(model, "meshes", 4e-3, 1e-3);
    sample.model = sample.model.expand().0;
    let data =
        data(&sample.reader, &sample.model, &sample.system, &sample.problem(), Limits::default()).unwrap();
    let json = serde_json::to_value(&data).unwrap();
    let scene = Scene::new(&sample.model, &sample.reader).unwrap();
    let mut rows = sample.reader.rows().unwrap();
    let mut row = Vec::new();
    while let Some(next) = rows.next_row().unwrap() {
        row = next.to_vec();
    }
    let meshes = json["model"]["meshes"].as_array().unwrap();
    assert_eq!(meshes.len(), 2);
    let (mut bent, mut stressed) = (0.0_f64, 0.0_f64);
    for (mesh, part) in meshes.iter().zip(sample.model.flexible_parts()) {
        let count = mesh["count"].as_u64().unwrap() as usize;
        // 21 sections, of which the inside of three times three nodes is left out, but for the ends
        assert_eq!((count, mesh["triangles"].as_array().unwrap().len()), (189 - 19, 3 * 2 * (20 * 8 + 8)));
        let amplitudes: Vec<f64> = (mesh["amplitudes"].as_array().unwrap().iter())
            .map(|channel| row[1 + channel.as_u64().unwrap() as usize])
            .collect();
        assert_eq!(amplitudes.len(), 16);
        let mut points = numbers(&mesh["points"], 3 * count);
        let mut stress = vec![0.0; 6 * count];
        let rest = points.clone();
        for (z, (shape, own)) in amplitudes
            .iter()
            .zip(mesh["shapes"].as_array().unwrap().iter().zip(mesh["stresses"].as_array().unwrap()))
        {
            points.iter_mut().zip(numbers(shape, 3 * count)).for_each(|(p, u)| *p += z * u);
            stress.iter_mut().zip(numbers(own, 6 * count)).for_each(|(s, x)| *s += z * x);
        }
        bent = points.iter().zip(&rest).fold(bent, |most, (a, b)| most.max((a - b).abs()));
        stressed = stress.iter().fold(stressed, |most, x| most.max(x.abs()));
        // the middle of the end face is where the interface is
        let tip = rest.chunks(3).position(|p| Vec3::new(p[0] - 0.5, p[1], p[2]).norm() < 1e-6).unwrap();
        let pose = |body: usize| scene.bodies[body].pose(&row);
        let (origin, turn) = pose(part.bodies.start);
        let local = Vec3::new(points[3 * tip], points[3 * tip + 1], points[3 * tip + 2]);
        let a = euler::matrix(&turn);
        let found: [f64; 3] =
            std::array::from_fn(|i| origin[i] + (0..3).map(|j| a[i][j] * local[j]).sum::<f64>());
        let interface = pose(part.held().end - 1).0;
        assert!(found.iter().zip(interface).all(|(a, b)| (a - b).abs() < 1e-7), "{found:?} {interface:?}");
    }
    // it does bend: micrometres, and some tenths of MPa
    assert!(bent > 1e-6 && stressed > 1e5, "{bent} {stressed}");
    let text = json["model"]["text"].as_str().unwrap();
    assert!(text.contains("# reduction: ") && text.len() < 20_000);
}
