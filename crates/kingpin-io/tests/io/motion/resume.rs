//! Runs that go on from a checkpoint end with the bits of those that were never interrupted.

use crate::motion::Ready;
use kingpin::accel;
use kingpin::dynamics::{
    Checkpoint, Coordinates, Dynamics, Frame, Happening, Matrices, Method, Observer, Run, Settings,
    Stabilisation, Step, resume, simulate,
};
use kingpin::integrate::{Memory, Snapshot, SnapshotReader, SnapshotWriter};
use kingpin::system::State;
use std::ops::ControlFlow;

/// Keeps everything.
#[derive(Clone, Default)]
struct Record {
    frames: Vec<State>,
    forces: Vec<Vec<f64>>,
    steps: Vec<Step>,
    events: Vec<Happening>,
    checkpoints: Vec<(Checkpoint, usize, usize, usize)>,
    /// Steps between two checkpoints; none if there shall be none.
    every: usize,
    asked: usize,
}

impl Observer for Record {
    fn frame(&mut self, frame: &Frame) -> ControlFlow<()> {
        self.frames.push(frame.state.clone());
        self.forces.push([&frame.accelerations.acc[..], &frame.accelerations.lam].concat());
        ControlFlow::Continue(())
    }
    fn step(&mut self, step: &Step) -> ControlFlow<()> {
        self.steps.push(*step);
        ControlFlow::Continue(())
    }
    fn event(&mut self, event: &Happening) {
        self.events.push(event.clone());
    }
    fn wants_checkpoint(&mut self, _: bool) -> bool {
        self.asked += 1;
        self.every > 0 && self.asked.is_multiple_of(self.every)
    }
    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        let counts = (self.frames.len(), self.steps.len(), self.events.len());
        self.checkpoints.push((checkpoint.clone(), counts.0, counts.1, counts.2));
    }
}

/// Checkpoints from which runs go on.
const SOME: usize = 8;

/// Bytes and back.
fn through_bytes(checkpoint: &Checkpoint) -> Checkpoint {
    let mut out = SnapshotWriter::default();
    checkpoint.memory.save(&mut out);
    let (bytes, mut memory) = (out.into_bytes(), Memory::default());
    memory.restore(&mut SnapshotReader::new("memory", &bytes)).unwrap();
    Checkpoint { memory, ..checkpoint.clone() }
}

/// Runs with a checkpoint every so many steps, and with none, then goes on from some of them; how many there were.
fn goes_on(ready: &Ready, settings: &Settings, every: usize) -> usize {
    let simulated = |every| {
        let mut record = Record { every, ..Record::default() };
        let run = simulate(&ready.system, &ready.start, &ready.redundant, settings, &mut record);
        (run, record)
    };
    let ((run, whole), (unsaved, without)) = (simulated(every), simulated(0));
    assert!(run == unsaved && whole.frames == without.frames && whole.steps == without.steps);
    let name = settings.method.name();
    let some = whole.checkpoints.len() / SOME + 1;
    for (checkpoint, frames, steps, events) in whole.checkpoints.iter().step_by(some) {
        let mechanism = Dynamics::new(&ready.system, &ready.redundant, settings.solver);
        let mut rest = Record::default();
        let again: Run = resume(mechanism, &through_bytes(checkpoint), settings, &mut rest).unwrap();
        let at = format!("{name}, {} at t = {}", settings.solver.name(), checkpoint.run.state.t);
        assert_eq!(again, run, "{at}");
        assert_eq!(rest.frames, whole.frames[*frames..], "{at}");
        assert_eq!(rest.forces, whole.forces[*frames..], "{at}");
        assert_eq!(rest.steps, whole.steps[*steps..], "{at}");
        assert_eq!(rest.events, whole.events[*events..], "{at}");
    }
    whole.checkpoints.len()
}

#[test]
fn with_every_method() {
    let ready = Ready::shipped("hmmwv14.toml");
    for method in Method::ALL {
        let h = method.has_fixed_step().then_some(2e-3);
        let frame = Some(0.013);
        let settings = Settings { method, h, frame, ..Settings::new(1e-3, 0.1) };
        assert!(goes_on(&ready, &settings, 1) > 1, "{}", method.name());
    }
}

#[test]
fn with_sparse_matrices() {
    let ready = Ready::shipped("hmmwv14_stiff.toml");
    for method in Method::ALL.into_iter().filter(|method| !method.is_explicit()) {
        let h = method.has_fixed_step().then_some(2e-3);
        let matrices = Matrices::Sparse;
        let settings = Settings { method, matrices, h, frame: Some(0.013), ..Settings::new(1e-3, 0.04) };
        assert!(goes_on(&ready, &settings, 1) > 1, "{}", method.name());
    }
}

/// Where planes are laid anew, where a tyre leaves the ground, and with fixed steps.
#[test]
fn in_the_tangent_plane() {
    let (car, linkage) = (Ready::shipped("hmmwv14_stiff.toml"), Ready::shipped("andrews_spatial.toml"));
    for method in Method::ALL.into_iter().filter(|method| !method.is_explicit() && *method != Method::Auto) {
        for (ready, h, t_end) in [(&car, 2e-3, 0.04), (&linkage, 1e-4, 0.02)] {
            let (h, coordinates) = (method.has_fixed_step().then_some(h), Coordinates::Tangent);
            let frame = Some(0.3 * t_end);
            let settings = Settings { method, coordinates, h, frame, ..Settings::new(1e-3, t_end) };
            assert!(goes_on(ready, &settings, 1) > 1, "{}", method.name());
        }
    }
    let coordinates = Coordinates::Tangent;
    let settings = Settings { coordinates, method: Method::Radau, ..Settings::new(1e-3, 3.0) };
    assert!(goes_on(&car, &settings, 1) > 5);
}

#[test]
fn with_every_solver() {
    let ready = Ready::shipped("andrews_spatial.toml");
    for solver in accel::Solver::ALL {
        for method in [Method::Dopri5, Method::ForRosen] {
            let settings = Settings { method, solver, frame: Some(1e-3), ..Settings::new(1e-4, 0.02) };
            assert!(goes_on(&ready, &settings, 3) > 3, "{}", solver.name());
        }
    }
}

#[test]
fn with_every_stabilisation() {
    let ready = Ready::shipped("hmmwv14.toml");
    for stabilisation in Stabilisation::ALL {
        for solver in [accel::Solver::Elimination, accel::Solver::Pcg] {
            let own = Settings { stabilisation, solver, frame: Some(0.013), ..Settings::new(1e-4, 0.1) };
            for method in [Method::Adams, Method::Dopri5] {
                let settings = Settings { method, ..own.clone() };
                assert!(goes_on(&ready, &settings, 5) > 1, "{}", stabilisation.name());
            }
        }
    }
}

#[test]
fn over_the_bump_and_with_redundant_hinges() {
    let car = Ready::shipped("hmmwv14_stiff.toml");
    let frame = Some(0.02);
    // `auto` finds a problem stiff after 15 steps
    let settings = Settings { frame, ..Settings::new(1e-3, 3.0) };
    assert!(goes_on(&car, &settings, 7) > 3);
    let method = Method::ForSdirk;
    let settings = Settings { method, frame, ..Settings::new(1e-3, 3.0) };
    assert!(goes_on(&car, &settings, 1) > 5);
    let door = Ready::shipped("door.toml");
    let settings = Settings { frame: Some(0.1), ..Settings::new(1e-8, 5.0) };
    assert!(goes_on(&door, &settings, 1) > 2);
}
