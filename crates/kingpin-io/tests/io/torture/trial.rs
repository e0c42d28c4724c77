//! What is done with a broken model.

use super::mutate::Broken;
use super::random::Random;
use kingpin::dynamics::{Method, Observer, Settings, Step, simulate};
use kingpin::{accel, analysis};
use kingpin_io::{Limits, Overrides, read_text, read_texts_within, to_toml_with};
use std::ops::ControlFlow;

/// How far a model got.
#[derive(Clone, Copy)]
pub enum Reached {
    Refused,
    Compiled,
    Assembled,
    Moved,
}

impl Reached {
    pub const COUNT: usize = 4;
}

/// Most items of patterns. A sound model needs about 8 kB an item, so that a million of them take more memory than a
/// trial may, through no fault of the reader: beyond this a mutated number is refused as one beyond ten million is by
/// the command.
const LIMITS: Limits = Limits { items: 20_000, memory: None };
/// Most bodies, joints and forces of a model that is assembled: implicit methods have dense matrices of that size.
const LARGE: usize = 300;
/// Most velocities of a system with a solver that holds dense matrices of that size.
const DENSE: usize = 200;
/// Steps of a run.
const STEPS: usize = 20;

/// Reads, compiles and assembles a model and takes some steps.
pub fn run(model: &Broken, random: &mut Random) -> Reached {
    let texts: Vec<(&str, &str)> =
        model.texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let overrides = if random.one_in(20) { Overrides::new(["L=0.3 m"]) } else { Overrides::none() };
    let mut loaded = read_texts_within(&model.name, &texts, &overrides, LIMITS);
    assert_eq!(loaded.model.is_none(), loaded.has_errors());
    assert_eq!(loaded.render(false).is_empty(), loaded.diagnostics.is_empty());
    let elements = loaded.model.as_ref().map_or(0, |model| {
        let cables = model.cables.iter().map(|cable| cable.elements);
        // a cell takes as much as ten elements
        let cells = model.structures.iter().filter_map(|own| own.fields.cells);
        let cells = cells.map(|n| (10.0 * n.iter().map(|n| n.max(1.0)).product::<f64>()) as usize);
        let beams = model.beams.iter().map(|beam| beam.elements);
        cables.chain(beams).chain(cells).fold(0, usize::saturating_add)
    });
    // what a cable or beam is made of takes as much memory as items do
    if elements > LIMITS.items {
        return Reached::Refused;
    }
    let Some(system) = loaded.compile() else { return Reached::Refused };
    let _ = loaded.render(false);
    let Some(read) = &loaded.model else { return Reached::Refused };
    if random.one_in(8) {
        // what was accepted can be written and read again
        let text = to_toml_with(read, &loaded.parameters);
        let again = read_text("again.toml", &text, ".", &Overrides::none());
        assert!(!again.has_errors(), "{text}\n{}", again.render(false));
    }
    if read.bodies.len() + read.joints.len() + read.forces.len() > LARGE {
        return Reached::Compiled;
    }
    let Ok(assembly) = analysis::assemble(&system) else { return Reached::Compiled };
    let simulation = &read.simulation;
    let mut settings = Settings::new(simulation.tol, simulation.t_end);
    let methods = Method::ALL;
    settings.method = methods[random.below(methods.len())];
    let solvers: Vec<accel::Solver> = accel::Solver::choices().collect();
    settings.solver =
        if random.one_in(3) { solvers[random.below(solvers.len())] } else { accel::Solver::Auto };
    // matrices dense in all bodies take minutes where they are many, as whoever asks for them knows
    if settings.solver.is_dense() && system.velocities() > DENSE {
        settings.solver = accel::Solver::Auto;
    }
    settings.h_max = simulation.h_max;
    settings.h = simulation.h.or(Some(1e-3));
    settings.frame = Some(simulation.t_end / 30.0).filter(|frame| *frame > 0.0);
    settings.most_steps = 10 * STEPS;
    let mut watcher = Steps(0);
    let run = simulate(&system, &assembly.state, &assembly.diagnosis.redundant_rows, &settings, &mut watcher);
    assert!(run.state.q.iter().chain(&run.state.v).all(|x| x.is_finite()), "{:?}", run.end);
    if watcher.0 > 0 { Reached::Moved } else { Reached::Assembled }
}

/// Counts steps and ends the run.
struct Steps(usize);

impl Observer for Steps {
    fn step(&mut self, _: &Step) -> ControlFlow<()> {
        self.0 += 1;
        if self.0 < STEPS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
