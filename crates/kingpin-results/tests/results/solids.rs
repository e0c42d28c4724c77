//! Shapes that are meshes, and shapes that light goes through, in exports and reports.

use crate::sample::{decode, folder, run_model};
use crate::scenes::{floats, open};
use kingpin_io::{Overrides, read_texts};
use kingpin_results::format::{Output, gltf, vtk};
use kingpin_results::report::{Limits, data};
use kingpin_results::scene::Scene;
use kingpin_results::store::Choice;
use serde_json::Value;
use std::fs;

const MODEL: &str = r#"
[[body]]
name = "glass"
material = "glass"
colour = "teal"
opacity = 0.5
[[shape]]
type = "mesh"
body = "glass"
file = "wedge.obj"
point = [0, 0, 1]
[[shape]]
type = "mesh"
body = "glass"
file = "wedge.obj"
colour = "gold"
opacity = 1
[[shape]]
type = "cylinder"
body = "glass"
radius = 0.1
length = 0.1
hole = true
[[joint]]
name = "hinge"
type = "revolute"
body1 = "ground"
body2 = "glass"
axis = [1, 0, 0]
"#;
const WEDGE: &str = "v 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

#[test]
fn meshes_and_opacity_are_drawn_everywhere() {
    let loaded = read_texts("a.toml", &[("a.toml", MODEL), ("wedge.obj", WEDGE)], &Overrides::none());
    let said = loaded.render(false);
    let sample = run_model(loaded.model.expect(&said), "solids", 0.1, 0.05);
    // results hold what is drawn, without the file
    let text = sample.reader.model_text().unwrap();
    let again = kingpin_io::read_text("model.toml", &text, "/nowhere", &Overrides::none());
    assert_eq!(again.model.as_ref(), Some(&sample.model), "{}", again.render(false));

    let scene = Scene::new(&sample.model, &sample.reader).unwrap();
    assert_eq!((scene.bodies[0].solids.len(), scene.meshes.len()), (2, 1));
    let path = folder("solids.glb");
    gltf(&sample.reader, &scene, &Choice::default(), Output::file(&path).unwrap()).unwrap();
    let (document, numbers) = open(&fs::read(&path).unwrap());
    let materials = document["materials"].as_array().unwrap();
    assert_eq!(
        (materials.len(), &materials[0]["alphaMode"], &materials[1]["alphaMode"]),
        (2, &"BLEND".into(), &Value::Null)
    );
    let positions =
        floats(&document, &numbers, &document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]);
    assert_eq!(positions.len(), 4 * 9);

    let path = folder("solids-vtk").join("solids.pvd");
    vtk(&sample.reader, &scene, &Choice::default(), &path).unwrap();
    let text = fs::read_to_string(path.with_file_name("solids/solids_000000.vtp")).unwrap();
    assert!(text.contains("NumberOfPolys=\"8\"") && text.contains("Name=\"opacity\""), "{text}");

    let page =
        data(&sample.reader, &sample.model, &sample.system, &sample.problem(), Limits::default()).unwrap();
    let page: Value = serde_json::from_str(&serde_json::to_string(&page).unwrap()).unwrap();
    let body = &page["model"]["bodies"][0];
    let shapes = body["shapes"].as_array().unwrap();
    assert_eq!(shapes.len(), 2);
    let look = |k: usize| (shapes[k]["colour"].as_str(), shapes[k]["opacity"].as_f64());
    assert_eq!((look(0), look(1)), ((Some("teal"), Some(0.5)), (Some("gold"), None)));
    assert_eq!((&shapes[0]["type"], &shapes[0]["count"]), (&"mesh".into(), &4.into()));
    assert_eq!(decode(shapes[0]["points"]["f32"].as_str().unwrap()).len(), 48);
    assert_eq!(shapes[0]["triangles"].as_array().unwrap().len(), 12);
    assert!(page["model"]["text"].as_str().unwrap().contains("# surface: "));
}
