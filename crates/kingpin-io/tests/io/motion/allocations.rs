//! Once under way, no method allocates, in steps or in linearisations, unless coordinates are chosen anew.

use crate::motion::Ready;
use kingpin::dynamics::{Method, Observer, Settings, Step, simulate};
use kingpin_testing::counting;
use std::ops::ControlFlow;

/// A bar on a motor with another bar on it: accelerations depend on time.
const DRIVEN: &str = r#"
name = "driven"
space = "planar"
gravity = [0, -9.81]

[[body]]
name = "arm"
mass = 1
inertia = 0.1
com = [0.5, 0]

[[body]]
name = "bar"
mass = 1
inertia = 0.1
com = [0.5, 0]
position = [1, 0]

[[joint]]
type = "revolute"
name = "A"
body1 = "ground"
body2 = "arm"
at = [0, 0]

[[joint]]
type = "revolute"
name = "B"
body1 = "arm"
body2 = "bar"
at = [1, 0]

[[driver]]
type = "angle"
name = "motor"
joint = "A"
motion = "0.3*sin(5*t)"
"#;

/// Allocations between two accepted steps, after the first few.
#[derive(Default)]
struct Watch {
    steps: usize,
    before: usize,
    /// Steps that allocated.
    allocating: usize,
}

impl Observer for Watch {
    fn step(&mut self, _: &Step) -> ControlFlow<()> {
        let now = counting::so_far();
        self.steps += 1;
        if self.steps > 3 {
            self.allocating += usize::from(now > self.before);
        }
        self.before = now;
        ControlFlow::Continue(())
    }
}

#[test]
fn steps_allocate_nothing() {
    // ends for implicit and for explicit methods
    let models = [
        ("hmmwv14_stiff", Ready::shipped("hmmwv14_stiff.toml"), 0.05, 5e-4),
        ("andrews", Ready::shipped("andrews.toml"), 0.004, 0.01),
        ("double_pendulum_stiff", Ready::shipped("double_pendulum_stiff.toml"), 0.1, 1e-3),
        ("driven", Ready::text(DRIVEN), 0.5, 0.5),
    ];
    for (model, ready, implicit_end, explicit_end) in models {
        for method in [
            Method::ForRosen,
            Method::ForSdirk,
            Method::Esdirk,
            Method::Radau,
            Method::SspTrap,
            Method::GenAlpha,
            Method::Dopri5,
            Method::Dop853,
            Method::Adams,
        ] {
            let explicit = matches!(method, Method::Dopri5 | Method::Dop853 | Method::Adams);
            let t_end = if explicit { explicit_end } else { implicit_end };
            let settings = Settings { method, ..Settings::new(1e-5, t_end) };
            let mut watch = Watch::default();
            simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut watch);
            assert!(watch.steps > 3, "{model} {}", method.name());
            // a new choice of coordinates takes room; it is rare, and these motions but one need none
            let few = if model == "driven" { watch.steps / 3 } else { 0 };
            assert!(
                watch.allocating <= few,
                "{model} {}: {} of {} steps allocate",
                method.name(),
                watch.allocating,
                watch.steps
            );
        }
    }
}
