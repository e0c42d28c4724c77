//! Folders of results to test with.

use kingpin::analysis::assemble;
use kingpin::dynamics::{Settings, simulate};
use kingpin::results::Channels;
use kingpin::system::System;
use kingpin_results::store::{Header, Outcome, Summary};
use kingpin_results::{Recorder, Writer};
use std::path::Path;

/// Half a second of the four-bar linkage, in fifty frames and one; without its summary if it is not to be `ended`.
pub fn four_bar(dir: &Path, ended: bool) {
    let path = crate::run::root().join("models/four_bar.toml");
    let model = kingpin_io::read_path(path, &kingpin_io::Overrides::none()).model.expect("a model");
    let (system, _) = System::compile(&model).expect("a system");
    let assembly = assemble(&system).expect("assembled");
    let channels = Channels::new(&system);
    let header = Header::new(&model.name, &channels);
    let writer = Writer::create(dir, &header, &kingpin_io::to_toml(&model), false).expect("a writer");
    let mut recorder = Recorder::new(&channels, writer);
    let settings = Settings { frame: Some(0.01), ..Settings::new(1e-6, 0.5) };
    simulate(&system, &assembly.state, &assembly.diagnosis.redundant_rows, &settings, &mut recorder);
    let writer = recorder.finish().expect("recorded");
    if ended {
        let message = "t = 0.5 s reached".into();
        writer.finish(&Summary::new(&header, Outcome::Done, message, Vec::new())).expect("finished");
    }
}
