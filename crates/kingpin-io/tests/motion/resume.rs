//! Runs that go on from a checkpoint end with the bits of those that were never interrupted.

use crate::Ready;
use kingpin::accel;
use kingpin::dynamics::{
    Checkpoint, Event, Frame, Mechanism, Method, Observer, Run, Settings, Step, resume, simulate,
};
use kingpin::system::State;
use std::ops::ControlFlow;

/// Keeps everything.
#[derive(Clone, Default)]
struct Record {
    frames: Vec<State>,
    forces: Vec<Vec<f64>>,
    steps: Vec<Step>,
    events: Vec<Event>,
    checkpoints: Vec<(Checkpoint, usize, usize, usize)>,
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
    fn event(&mut self, event: &Event) {
        self.events.push(event.clone());
    }
    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        let counts = (self.frames.len(), self.steps.len(), self.events.len());
        self.checkpoints.push((checkpoint.clone(), counts.0, counts.1, counts.2));
    }
}

/// Checkpoints from which runs go on.
const SOME: usize = 6;

/// Runs, then goes on from some of its checkpoints; how many there were.
fn goes_on(ready: &Ready, settings: &Settings) -> usize {
    let mut whole = Record::default();
    let run = simulate(&ready.system, &ready.start, &ready.redundant, settings, &mut whole);
    let name = settings.method.name();
    let some = whole.checkpoints.len() / SOME + 1;
    for (checkpoint, frames, steps, events) in whole.checkpoints.iter().step_by(some) {
        let mechanism = Mechanism::new(&ready.system, &ready.redundant, settings.solver);
        let mut rest = Record::default();
        let again: Run = resume(mechanism, checkpoint, settings, &mut rest);
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
        let settings = Settings { method, h, frame, checkpoint: Some(2), ..Settings::new(1e-3, 0.1) };
        assert!(goes_on(&ready, &settings) > 1, "{}", method.name());
    }
}

#[test]
fn with_every_solver() {
    let ready = Ready::shipped("andrews_spatial.toml");
    for solver in accel::Method::ALL {
        for method in [Method::Dopri5, Method::ForRosen] {
            let settings = Settings {
                method,
                solver,
                frame: Some(1e-3),
                checkpoint: Some(5),
                ..Settings::new(1e-4, 0.02)
            };
            assert!(goes_on(&ready, &settings) > 3, "{}", solver.name());
        }
    }
}

#[test]
fn over_the_bump_and_with_redundant_hinges() {
    let car = Ready::shipped("hmmwv14_stiff.toml");
    let frame = Some(0.02);
    // `auto` finds a problem stiff after 15 steps
    let settings = Settings { frame, checkpoint: Some(20), ..Settings::new(1e-3, 3.0) };
    assert!(goes_on(&car, &settings) > 3);
    let method = Method::ForSdirk;
    let settings = Settings { method, frame, checkpoint: Some(5), ..Settings::new(1e-3, 3.0) };
    assert!(goes_on(&car, &settings) > 5);
    let door = Ready::shipped("door.toml");
    let settings = Settings { frame: Some(0.1), checkpoint: Some(3), ..Settings::new(1e-8, 5.0) };
    assert!(goes_on(&door, &settings) > 2);
}
