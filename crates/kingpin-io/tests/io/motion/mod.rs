//! Motions of the shipped models against published and independent solutions.
mod allocations;
mod andrews;
mod auto;
mod between;
mod bits;
mod branches;
mod coordinates;
mod double_pendulum;
mod drag;
mod energy;
mod events;
mod hmmwv;
mod inputs;
mod iterations;
mod jumps;
mod models;
mod resume;
mod revolutions;
mod rotations;
mod scales;
mod stabilisation;
mod sticking;
mod tolerance;
mod turns;

use kingpin::analysis::assemble;
use kingpin::dynamics::{End, Frame, Method, Observer, Run, Settings, simulate};
use kingpin::system::{State, System};
use kingpin_io::Overrides;
use std::ops::ControlFlow;
use std::path::Path;

/// The methods that choose their steps.
fn controlled() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|method| !method.has_fixed_step())
}

/// The same without one that takes the steps of another: `infl-trap` those of `ssp-trap`.
fn distinct() -> impl Iterator<Item = Method> {
    controlled().filter(|method| *method != Method::InflTrap)
}

/// A model ready to run.
struct Ready {
    system: System,
    start: State,
    redundant: Vec<bool>,
}

impl Ready {
    fn shipped(name: &str) -> Ready {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
        Ready::of(kingpin_io::read_path(path, &Overrides::default()))
    }

    fn text(text: &str) -> Ready {
        Ready::of(kingpin_io::read_text("model.toml", text, "", &Overrides::default()))
    }

    fn of(loaded: kingpin_io::Loaded) -> Ready {
        let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let (system, _) = System::compile(&model).unwrap();
        let assembly = assemble(&system).unwrap();
        Ready { start: assembly.state, redundant: assembly.diagnosis.redundant_rows, system }
    }

    fn run(&self, method: Method, tol: f64, t_end: f64, observer: &mut dyn Observer) -> Run {
        let settings = Settings { method, ..Settings::new(tol, t_end) };
        self.run_with(&settings, observer)
    }

    fn run_with(&self, settings: &Settings, observer: &mut dyn Observer) -> Run {
        let run = simulate(&self.system, &self.start, &self.redundant, settings, observer);
        assert_eq!(run.end, End::Reached, "{} at {:e}", settings.method.name(), settings.rtol);
        assert!(run.position_residual < 1e-10, "{} {:e}", settings.method.name(), run.position_residual);
        assert!(run.velocity_residual < 1e-10, "{} {:e}", settings.method.name(), run.velocity_residual);
        run
    }
}

/// Keeps the states of all frames.
#[derive(Default)]
struct Frames(Vec<State>);

impl Observer for Frames {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        self.0.push(frame.state.clone());
        ControlFlow::Continue(())
    }
}
