//! The data of the report page.

use crate::sample::{Sample, decode, folder, run, run_model};
use kingpin_results::report::{Limits, Live, data, embed};
use kingpin_results::store::{Fact, Parameter, Warning};
use kingpin_results::{ErrorKind, Reader};
use serde_json::Value;
use std::fs;

fn json(sample: &Sample, limits: Limits) -> Value {
    let data = data(&sample.reader, &sample.model, &sample.system, &sample.problem(), limits).unwrap();
    let text = serde_json::to_string(&data).unwrap();
    // for the checks of the viewer, by hand
    let name = sample.reader.dir().file_name().unwrap().to_string_lossy();
    fs::write(folder(&format!("view-{name}.json")), &text).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn list<'a>(value: &'a Value, path: &str) -> &'a Vec<Value> {
    value.pointer(path).and_then(Value::as_array).unwrap_or_else(|| panic!("{path} is not a list"))
}

fn numbers(column: &Value, count: usize) -> Vec<f64> {
    if let Some(text) = column["f32"].as_str() {
        let (bytes, offset) = (decode(text), column["offset"].as_f64().unwrap_or(0.0));
        return bytes.as_chunks().0.iter().map(|b| offset + f64::from(f32::from_le_bytes(*b))).collect();
    }
    if let Some(text) = column["f64"].as_str() {
        return decode(text).as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    }
    vec![column["constant"].as_f64().unwrap(); count]
}

/// What the page checks across parts of the data, and more.
fn check(sample: &Sample, json: &Value) {
    assert_eq!((&json["format"], &json["version"]), (&"kingpin-view".into(), &1.into()));
    let (channels, columns) = (list(json, "/channels"), list(json, "/frames/columns"));
    assert_eq!(channels.len(), columns.len());
    let count = json["frames"]["count"].as_u64().unwrap() as usize;
    let times = numbers(&json["frames"]["times"], count);
    assert!(times.len() == count && times.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(columns.iter().all(|column| numbers(column, count).len() == count));
    let bodies = list(json, "/model/bodies");
    let pose = if json["model"]["space"] == "planar" { 3 } else { 7 };
    for body in bodies {
        let places = list(body, "/pose");
        assert_eq!(places.len(), pose);
        let first = &channels[places[0].as_u64().unwrap() as usize]["name"];
        assert_eq!(first.as_str().unwrap(), format!("{}.x", body["name"].as_str().unwrap()));
    }
    for kind in ["joints", "drivers", "forces"] {
        for item in list(json, &format!("/model/{kind}")) {
            let (of, points) = (list(item, "/bodies"), list(item, "/points"));
            assert_eq!(of.len(), points.len());
            assert!(of.iter().all(|body| body.as_u64().is_none_or(|k| (k as usize) < bodies.len())));
            assert!(item["strength"].as_u64().is_none_or(|k| (k as usize) < channels.len()));
        }
    }
    let nodes = list(json, "/topology/nodes").len();
    for edge in list(json, "/topology/edges") {
        assert!(list(edge, "/nodes").iter().all(|node| (node.as_u64().unwrap() as usize) < nodes));
    }
    let edges = list(json, "/topology/edges");
    let grounds = list(json, "/topology/nodes").iter().filter(|node| node["kind"] == "ground").count();
    let held = edges.iter().any(|edge| list(edge, "/nodes").iter().any(|k| *k == nodes - 1));
    assert!(grounds == 0 || held, "a ground that holds nothing");
    for pattern in list(json, "/topology/patterns") {
        let size = pattern["size"].as_u64().unwrap();
        assert_eq!(list(pattern, "/labels").len() as u64, size);
        for key in ["/entries", "/fill"] {
            let pairs: Vec<u64> = list(pattern, key).iter().map(|k| k.as_u64().unwrap()).collect();
            assert!(pairs.chunks(2).all(|pair| pair[0] > pair[1] && pair[0] < size));
        }
    }
    for table in list(json, "/tables").iter().chain(list(json, "/topology/tables")) {
        let wide = list(table, "/columns").len();
        assert!(
            list(table, "/rows").iter().all(|row| row.as_array().unwrap().len() == wide),
            "{}",
            table["title"]
        );
    }
    let steps = json["solution"]["steps"]["count"].as_u64().unwrap() as usize;
    assert_eq!(numbers(&json["solution"]["steps"]["h"], steps).len(), steps);
    assert!(channels.len() <= sample.reader.header().channels.len());
}

#[test]
fn reports_hold_what_the_page_needs() {
    let models = [
        ("four_bar", 0.2),
        ("slider_crank", 0.2),
        ("door", 0.2),
        ("hmmwv14", 0.1),
        ("andrews", 0.01),
        ("andrews_spatial", 0.01),
        ("chain50", 0.02),
        ("double_pendulum_stiff", 0.05),
    ];
    for (model, end) in models {
        let sample = run(model, &format!("report-{model}"), end, end / 10.0);
        let json = json(&sample, Limits::default());
        check(&sample, &json);
        assert_eq!(json["frames"]["count"], 11);
        assert!(json["frames"].get("note").is_none());
        assert_eq!(json["solution"]["outcome"]["state"], "done");
    }
}

#[test]
fn numbers_of_a_report_are_those_of_the_results() {
    let sample = run("four_bar", "report-numbers", 0.2, 0.02);
    let json = json(&sample, Limits::default());
    for (k, column) in list(&json, "/frames/columns").iter().enumerate() {
        let (shown, exact) = (numbers(column, 11), sample.reader.column(k).unwrap());
        // single precision at least
        assert!(shown.iter().zip(&exact).all(|(a, b)| (a - b).abs() <= 6e-8 * b.abs()), "channel {k}");
    }
    // the pin at B: at the end of the crank, in its axes
    let pin = &json["model"]["joints"][1];
    assert_eq!(pin["name"], "B");
    assert_eq!(pin["bodies"], serde_json::json!([0, 1]));
    assert_eq!(pin["points"], serde_json::json!([[0.1, 0.0, 0.0], [0.0, 0.0, 0.0]]));
    assert_eq!(pin["equations"], 2);
    assert_eq!(json["charts"], serde_json::json!([["crank_angle", "rocker_angle"]]));
    let size = &json["tables"][0]["rows"];
    assert_eq!(size[5], serde_json::json!(["degrees of freedom", 1.0]));
}

#[test]
fn points_are_in_the_body_frame_wherever_the_centre_of_mass_is() {
    let sample = run("hmmwv14", "report-points", 0.02, 0.01);
    let json = json(&sample, Limits::default());
    let at =
        |name: &str, frame: usize| sample.reader.column(sample.reader.find(name).unwrap()).unwrap()[frame];
    // both points of a ball joint are the same point of space in every frame
    let joints = list(&json, "/model/joints");
    let balls = joints.iter().filter(|joint| joint["type"] == "spherical");
    let mut seen = 0;
    for joint in balls {
        let ends: Vec<[f64; 3]> = (0..2)
            .map(|end| {
                let point = &joint["points"][end];
                let point = [0, 1, 2].map(|k| point[k].as_f64().unwrap());
                let Some(body) = joint["bodies"][end].as_u64() else { return point };
                let name = json["model"]["bodies"][body as usize]["name"].as_str().unwrap();
                let pose = ["x", "y", "z", "e0", "e1", "e2", "e3"].map(|c| at(&format!("{name}.{c}"), 2));
                let p = [pose[3], pose[4], pose[5], pose[6]];
                let turned = kingpin::spatial::euler::rotate(&p, &point);
                [0, 1, 2].map(|k| pose[k] + turned[k])
            })
            .collect();
        assert!((0..3).all(|k| (ends[0][k] - ends[1][k]).abs() < 1e-5), "{}: {ends:?}", joint["name"]);
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn large_results_are_thinned_and_say_so() {
    let sample = run("four_bar", "report-thin", 1.0, 0.001);
    let limits = Limits { frames: 30_000, steps: 20, ..Limits::default() };
    let json = json(&sample, limits);
    check(&sample, &json);
    let count = json["frames"]["count"].as_u64().unwrap();
    assert!(serde_json::to_string(&json["frames"]).unwrap().len() < 30_000);
    let note = json["frames"]["note"].as_str().unwrap();
    // with so little room, what can be missed goes first
    assert!(note.starts_with(&format!("{count} of 1,001 frames are shown, without accel")), "{note}");
    assert!(json["channels"].as_array().unwrap().iter().all(|c| c["group"] != "Accelerations"));
    assert!(json["solution"]["steps"]["count"].as_u64().unwrap() <= 20);
    assert!(json["solution"]["steps"]["note"].as_str().unwrap().ends_with(" steps are shown"));
    let times = numbers(&json["frames"]["times"], 0);
    assert!((times[times.len() - 1] - 1.0).abs() < 1e-9);
}

#[test]
fn no_text_can_end_the_block_of_the_page() {
    let sample = run("four_bar", "report-plain", 0.1, 0.05);
    let mut model = sample.model.clone();
    model.description = "</script><script>alert(1)</script> \\u003c <!--".into();
    let sample = run_model(model, "report-embed", 0.1, 0.05);
    let limits = Limits::default();
    let data = data(&sample.reader, &sample.model, &sample.system, &sample.problem(), limits).unwrap();
    let page = "<html><script type=\"application/json\" id=\"kingpin-data\"></script><p>after</p></html>";
    let full = embed(page, &data);
    let start = full.find("id=\"kingpin-data\">").unwrap() + 18;
    let end = start + full[start..].find("</script>").unwrap();
    assert!(full.ends_with("</script><p>after</p></html>"));
    let inside = &full[start..end];
    assert!(!inside.contains('<'));
    let back: Value = serde_json::from_str(inside).unwrap();
    assert_eq!(back["model"]["description"], sample.model.description);
    assert_eq!(embed("<html></html>", &data), "<html></html>");
}

#[test]
fn small_changes_of_large_numbers_are_shown_as_they_are() {
    let sample = run("four_bar", "report-narrow", 0.1, 0.05);
    let (dir, width) = (sample.reader.dir().to_path_buf(), sample.reader.header().width());
    let value = |k: usize| 0.76643568 + 1e-9 * (k as f64).sin();
    let rows = (0..50).flat_map(|k| (0..width).map(move |j| if j == 0 { k as f64 } else { value(k) }));
    fs::write(dir.join("rows.f64"), rows.flat_map(f64::to_le_bytes).collect::<Vec<u8>>()).unwrap();
    let sample = Sample { reader: Reader::open(&dir).unwrap(), ..sample };
    let shown = json(&sample, Limits::default());
    let column = numbers(&list(&shown, "/frames/columns")[3], 50);
    // single precision alone would be off by 3e-8: thirty times what is to be seen
    assert!(column.iter().enumerate().all(|(k, x)| (x - value(k)).abs() < 1e-15), "{column:?}");
}

#[test]
fn parameters_and_warnings_are_shown() {
    let sample = run("four_bar", "report-warnings", 0.1, 0.05);
    let shown = json(&sample, Limits::default());
    assert!(shown["model"].get("parameters").is_none() && shown["solution"].get("warnings").is_none());
    let dir = &sample.reader.dir().to_path_buf();
    let mut header = sample.reader.header().clone();
    let set = Some("3 kN/m".to_string());
    header.parameters = vec![Parameter { name: "k".into(), value: Some(3000.0), unit: "N/m".into(), set }];
    fs::write(dir.join("channels.json"), serde_json::to_vec(&header).unwrap()).unwrap();
    let mut summary = sample.reader.summary().unwrap().clone();
    let advice = Some("run it with a smaller tolerance".to_string());
    summary.warnings = vec![Warning {
        code: "energy-balance".into(),
        what: "energy is not balanced".into(),
        why: None,
        advice,
    }];
    fs::write(dir.join("summary.json"), serde_json::to_vec(&summary).unwrap()).unwrap();
    let sample = Sample { reader: Reader::open(dir).unwrap(), ..sample };
    let shown = json(&sample, Limits::default());
    let expected = serde_json::json!([{"name": "k", "value": 3000.0, "unit": "N/m", "set": "3 kN/m"}]);
    assert_eq!(shown["model"]["parameters"], expected);
    let expected = serde_json::json!([
        {"code": "energy-balance", "what": "energy is not balanced", "advice": "run it with a smaller tolerance"}
    ]);
    assert_eq!(shown["solution"]["warnings"], expected);
}

#[test]
fn results_without_frames_and_runs_under_way() {
    let sample = run("four_bar", "report-none", 0.1, 0.05);
    let dir = sample.reader.dir();
    fs::remove_file(dir.join("summary.json")).unwrap();
    let reader = Reader::open(dir).unwrap();
    let limits = Limits::default();
    let running = data(&reader, &sample.model, &sample.system, &sample.problem(), limits).unwrap();
    assert_eq!(running.solution.unwrap().outcome.state, "running");
    fs::write(dir.join("rows.f64"), [0; 5]).unwrap();
    let reader = Reader::open(dir).unwrap();
    let error = data(&reader, &sample.model, &sample.system, &sample.problem(), limits).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unfit);
}

#[test]
fn a_report_stays_below_20_megabytes() {
    let sample = run("hmmwv14", "report-large", 0.02, 0.01);
    let dir = sample.reader.dir();
    let width = sample.reader.header().width();
    let rows: Vec<u8> = (0..8_000)
        .flat_map(|k| (0..width).map(move |j| f64::from(k) + 1e-3 * (j * k as usize) as f64))
        .flat_map(f64::to_le_bytes)
        .collect();
    fs::write(dir.join("rows.f64"), &rows).unwrap();
    fs::write(dir.join("steps.f64"), &rows[..rows.len() / 4]).unwrap();
    let reader = Reader::open(dir).unwrap();
    let limits = Limits::default();
    let data = data(&reader, &sample.model, &sample.system, &sample.problem(), limits).unwrap();
    let size = serde_json::to_string(&data).unwrap().len();
    assert!((5_000_000..20_000_000).contains(&size), "{size}");
    assert_eq!(data.frames.note.as_deref(), Some("4,001 of 8,000 frames are shown"));
}

#[test]
fn live_frames_are_those_that_a_page_does_not_have() {
    let sample = run("four_bar", "report-live", 0.2, 0.02);
    let (reader, limits) = (&sample.reader, Limits::default());
    let wide = reader.header().width();
    let mut live = Live::from(reader, limits, 3).unwrap().unwrap();
    let some = serde_json::to_value(live.frames(reader, 5).unwrap()).unwrap();
    assert_eq!((&some["first"], &some["count"]), (&3.into(), &5.into()));
    let rows = numbers(&some["rows"], 0);
    assert_eq!(rows.len(), 5 * wide);
    let x = reader.column(0).unwrap();
    for (k, row) in rows.chunks(wide).enumerate() {
        assert!((row[0] - 0.02 * (k + 3) as f64).abs() < 1e-12);
        assert_eq!(row[1], x[k + 3]);
    }
    assert_eq!(live.frames(reader, 100).unwrap().unwrap().count, 3);
    assert_eq!(live.frames(reader, 100).unwrap().unwrap().count, 0);
    // a page that has more than there is shows another run
    assert!(Live::from(reader, limits, 99).unwrap().is_none());
}

#[test]
fn a_page_that_follows_a_run_sees_every_frame_once() {
    let sample = run("four_bar", "report-follow", 0.2, 0.01);
    let dir = sample.reader.dir().to_path_buf();
    let all = fs::read(dir.join("rows.f64")).unwrap();
    let bytes = 8 * sample.reader.header().width();
    // an event repeats the time of row 4
    let rows = [&all[..5 * bytes], &all[4 * bytes..]].concat();
    let grown_to = |n: usize| {
        fs::write(dir.join("rows.f64"), &rows[..n * bytes + 3.min(rows.len() - n * bytes)]).unwrap();
        Reader::open(&dir).unwrap()
    };
    let limits = Limits::default();
    let reader = grown_to(8);
    let mut live = Live::new(&reader, limits);
    let first = live.data(&reader, &sample.model, &sample.system, &sample.problem()).unwrap();
    assert_eq!((first.frames.count, first.live), (7, Some(true)));
    let mut times = Vec::new();
    let mut live = Live::from(&reader, limits, 7).unwrap().unwrap();
    for n in [8, 9, 15, 22] {
        let reader = grown_to(n);
        let message = serde_json::to_value(live.frames(&reader, 4).unwrap().unwrap()).unwrap();
        assert_eq!(message["first"], 7 + times.len());
        let rows = numbers(&message["rows"], 0);
        times.extend(rows.chunks(bytes / 8).map(|row| row[0]));
    }
    let expected: Vec<f64> = (7..16).map(|k| 0.01 * f64::from(k)).collect();
    assert_eq!(times.len(), expected.len());
    assert!(times.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{times:?}");
    // a run that was started anew is shorter
    assert!(live.frames(&grown_to(2), 4).unwrap().is_none());
}

#[test]
fn a_long_run_under_way_is_thinned_and_begun_anew_when_it_has_doubled() {
    let sample = run("four_bar", "report-long", 1.0, 0.001);
    let dir = sample.reader.dir().to_path_buf();
    let all = fs::read(dir.join("rows.f64")).unwrap();
    let bytes = 8 * sample.reader.header().width();
    let limits = Limits { frames: 60_000, ..Limits::default() };
    let grown_to = |n: usize| {
        fs::write(dir.join("rows.f64"), &all[..n * bytes]).unwrap();
        Reader::open(&dir).unwrap()
    };
    let (mut count, mut reloads, mut live) = (0, 0, None);
    for n in (50..=1001).step_by(50) {
        let reader = grown_to(n);
        let mut page = match live.take() {
            Some(page) => page,
            None => {
                let mut page = Live::new(&reader, limits);
                let data = page.data(&reader, &sample.model, &sample.system, &sample.problem()).unwrap();
                count = data.frames.count as u64;
                let note = data.frames.note.unwrap_or_default();
                assert_eq!(reloads > 0, note.contains("frames are shown"), "{note}");
                page
            }
        };
        match page.frames(&reader, 1000).unwrap() {
            Some(message) => {
                assert_eq!(message.first, count);
                count += message.count;
                live = Some(page);
            }
            None => reloads += 1,
        }
        assert!(count < 500, "{count}");
    }
    assert!((1..6).contains(&reloads), "{reloads}");
}

#[test]
fn the_split_of_time_is_shown_apart() {
    let sample = run("four_bar", "report-cost", 0.1, 0.05);
    let dir = sample.reader.dir();
    let mut summary = sample.reader.summary().unwrap().clone();
    summary.facts.push(Fact::cost("accelerations", 0.25));
    summary.facts.push(Fact::cost("output", 0.05));
    fs::write(dir.join("summary.json"), serde_json::to_string(&summary).unwrap()).unwrap();
    let reader = Reader::open(dir).unwrap();
    let limits = Limits::default();
    let data = data(&reader, &sample.model, &sample.system, &sample.problem(), limits).unwrap();
    let solution = serde_json::to_value(data.solution.unwrap()).unwrap();
    let cost =
        serde_json::json!([{"name": "accelerations", "seconds": 0.25}, {"name": "output", "seconds": 0.05}]);
    assert_eq!(solution["cost"], cost);
    assert_eq!(list(&solution, "/summary").len(), 3);
}

#[test]
fn the_page_of_a_large_mechanism_keeps_the_motion() {
    let sample = run("chain50", "report-wide", 0.02, 0.002);
    let limits = Limits { frames: 150_000, ..Limits::default() };
    let json = json(&sample, limits);
    check(&sample, &json);
    assert!(serde_json::to_string(&json["frames"]).unwrap().len() < 150_000);
    assert!(list(&json, "/channels").iter().all(|c| c["group"] != "Accelerations"));
    assert!(
        json["frames"]["note"].as_str().unwrap().contains("without accelerations"),
        "{}",
        json["frames"]["note"]
    );
    // and if even that does not fit, says so
    let none = Limits { frames: 5_000, ..Limits::default() };
    let error = data(&sample.reader, &sample.model, &sample.system, &sample.problem(), none).unwrap_err();
    assert!(error.message.ends_with("is too large for the report page"), "{error}");
}
