//! Who looks, and at what, changes no bit: rows of all channels at common times are the same with other frames and
//! with measures added.

use crate::motion::Ready;
use kingpin::dynamics::{End, Frame, Method, Observer, Settings, simulate};
use kingpin::results::Channels;
use kingpin_io::Overrides;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

/// A shipped model, one of its hinges, its end and a step for methods of fixed steps.
const MODELS: [(&str, Option<&str>, f64, f64); 5] = [
    ("four_bar.toml", Some("A"), 0.3, 2e-3),
    ("andrews_spatial.toml", None, 0.01, 1e-4),
    ("door.toml", Some("upper_hinge"), 0.3, 2e-3),
    ("stewart.toml", None, 0.3, 2e-3),
    ("hmmwv14_stiff.toml", None, 0.01, 2e-4),
];

const METHODS: [Method; Method::ALL.len()] = Method::ALL;

/// All channels by name, over the frames, bit by bit.
type Rows = BTreeMap<String, Vec<u64>>;

struct Recorder<'a> {
    channels: &'a Channels,
    row: Vec<f64>,
    rows: Vec<Vec<u64>>,
}

impl Observer for Recorder<'_> {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        self.channels.fill(frame.system, frame.work, frame.accelerations, &mut self.row);
        self.rows.push(std::iter::once(&frame.state.t).chain(&self.row).map(|x| x.to_bits()).collect());
        ControlFlow::Continue(())
    }
}

fn rows(ready: &Ready, method: Method, t_end: f64, h: f64, frame: f64) -> Rows {
    let channels = Channels::of_run(&ready.system);
    let mut recorder = Recorder { row: vec![0.0; channels.len()], rows: Vec::new(), channels: &channels };
    let fixed = matches!(method, Method::Newmark | Method::Hht).then_some(h);
    let settings = Settings { method, h: fixed, frame: Some(frame), ..Settings::new(1e-4, t_end) };
    let run = simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut recorder);
    assert_eq!(run.end, End::Reached, "{}", method.name());
    let names = std::iter::once("t").chain(channels.list().iter().map(|channel| channel.name.as_str()));
    let column = |(k, name): (usize, &str)| (name.into(), recorder.rows.iter().map(|row| row[k]).collect());
    names.enumerate().map(column).collect()
}

fn with(name: &str, more: &dyn Fn(&kingpin::model::Model) -> String) -> Ready {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let read = |text: &str| {
        kingpin_io::read_text(name, text, folder.to_str().expect("UTF-8"), &Overrides::default())
    };
    let model = read(&text).model.expect("a model");
    Ready::of(read(&(text + &more(&model))))
}

/// Measures of all kinds on all bodies.
fn measures(model: &kingpin::model::Model, hinge: Option<&str>) -> String {
    let planar = model.space == kingpin::model::Space::Planar;
    let (far, near) = if planar { ("[3.3, 0.2]", "[0, 0]") } else { ("[3.3, 0.2, 0.1]", "[0, 0, 0]") };
    let mut text = String::new();
    let mut add = |kind: &str, rest: &str| {
        text += &format!("\n[[measure]]\ntype = \"{kind}\"\nname = \"added_{}\"\n{rest}\n", text.len());
    };
    for body in &model.bodies {
        let name = &body.name;
        add("distance", &format!("body1 = \"ground\"\nbody2 = \"{name}\"\npoint1 = {far}\npoint2 = {near}"));
        add("coordinate", &format!("body = \"{name}\"\ncoordinate = \"x\""));
        match planar {
            true => add("coordinate", &format!("body = \"{name}\"\ncoordinate = \"angle\"")),
            false => add("rotation", &format!("body = \"{name}\"\ncomponent = \"z\"")),
        }
    }
    if let Some(hinge) = hinge {
        add("angle", &format!("joint = \"{hinge}\""));
    }
    text
}

#[test]
fn measures_and_frames_change_no_bit_of_any_channel() {
    for (name, hinge, t_end, h) in MODELS {
        let plain = with(name, &|_| String::new());
        let measured = with(name, &|model| measures(model, hinge));
        for method in METHODS {
            let story = format!("{name} with {}", method.name());
            // frames that are hit exactly by neither
            let spacing = t_end / 12.5;
            let (first, second) =
                (rows(&plain, method, t_end, h, spacing), rows(&measured, method, t_end, h, spacing));
            assert!(second.len() > first.len() && first["t"].len() > 12, "{story}");
            for (channel, column) in &first {
                assert!(second[channel] == *column, "{story}: `{channel}` with measures");
            }
            let dense = rows(&plain, method, t_end, h, spacing / 4.0);
            let common: Vec<usize> =
                (0..dense["t"].len()).filter(|k| first["t"].contains(&dense["t"][*k])).collect();
            assert!(common.len() > 12, "{story}: {}", common.len());
            for (channel, column) in &first {
                let again: Vec<u64> = common.iter().map(|k| dense[channel][*k]).collect();
                assert!(again == column[..], "{story}: `{channel}` with more frames");
            }
        }
    }
}
