//! Rigid stops and friction of joints, against formulas: impacts, rest, sticking, sliding, and what becomes of energy.

mod dead_centres;
mod friction;
mod reactions;
mod stacks;
mod stops;

use friction::{PULLED, incline};
use kingpin::mechanism::{Checkpoint, Error, Mechanism, Method, Observer, Recording, Settings};
use kingpin_io::{Overrides, read_text};
use stops::arm;

fn mechanism(text: &str) -> Mechanism {
    let loaded = read_text("model.toml", text, ".", &Overrides::none());
    let shown = loaded.render(false);
    let model = loaded.model.unwrap_or_else(|| panic!("{shown}"));
    Mechanism::new(model).unwrap_or_else(|e| panic!("{e}"))
}

fn run(mechanism: &Mechanism, settings: &Settings) -> Recording {
    mechanism.simulate_with(settings).unwrap_or_else(|e| panic!("{}: {e}", settings.method.name()))
}

/// The times of events of one kind.
fn times(found: &Recording, what: &str) -> Vec<f64> {
    found.events().iter().filter(|event| event.what == what).map(|event| event.t).collect()
}

const METHODS: [Method; 6] =
    [Method::Dop853, Method::Adams, Method::Radau, Method::ForRosen, Method::Esdirk, Method::GenAlpha];

/// Collects checkpoints on the way.
#[derive(Default)]
struct Keeper(Vec<Checkpoint>);

impl Observer for Keeper {
    fn wants_checkpoint(&mut self, _: bool) -> bool {
        true
    }
    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        self.0.push(checkpoint.clone());
    }
}

#[test]
fn runs_go_on_from_anywhere_to_the_same_bits() {
    let all = [(PULLED.to_string(), 4.0), (arm("3 N*m", 0.5), 3.0), (format!("{PULLED}{SAMPLED}"), 4.0)];
    for (mechanism, end) in all.map(|(text, end)| (mechanism(&text), end)) {
        for method in [Method::Dop853, Method::Radau] {
            let settings = Settings { method, ..Settings::new(1e-6, end) };
            let start = Checkpoint::at_start(mechanism.start().unwrap(), &settings);
            let mut keeper = Keeper::default();
            let whole = mechanism.run(&settings, &start, &mut keeper).unwrap();
            assert!(whole.failure.is_none(), "{:?}", whole.run.end);
            for from in keeper.0.iter().step_by(1 + keeper.0.len() / 7) {
                let rest = mechanism.run(&settings, from, &mut Keeper::default()).unwrap();
                assert_eq!(rest.run.state, whole.run.state, "{} from {}", method.name(), from.run.state.t);
                assert_eq!(rest.run.events, whole.run.events);
                assert_eq!(rest.run.energy, whole.run.energy);
            }
            assert!(whole.run.energy.worst < 1e-5, "{}: {}", method.name(), whole.run.energy.worst);
        }
    }
}

/// A controller that samples the pulled block, which sticks and slips meanwhile.
const SAMPLED: &str = r#"
[[measure]]
type = "coordinate"
name = "x"
body = "block"
coordinate = "x"
[[controller]]
type = "pid"
name = "u"
input = "x"
setpoint = "0.02"
kp = 5
period = 0.037
[[force]]
type = "force"
name = "push"
body = "block"
direction = [1, 0]
magnitude = "u"
"#;

/// Every method there is bounces to rest, and sticks and slips.
#[test]
fn every_method_bounces_and_sticks() {
    let (pulled, bounced) = (mechanism(PULLED), mechanism(&arm("3 N*m", 0.5)));
    for method in Method::ALL {
        let h = method.has_fixed_step().then_some(1e-3);
        let rests = run(&bounced, &Settings { method, h, ..Settings::new(1e-6, 3.0) });
        let rest = times(&rests, "joint `hinge` comes to rest on its upper stop");
        // flights of sqrt(2 d / a) = 0.5909 s and e^k times twice that
        let end = 3.0 * f64::sqrt(2.0 * f64::to_radians(30.0) / 3.0);
        assert!(rest.len() == 1 && (rest[0] - end).abs() < 1e-4, "{}: {rest:?} {end}", method.name());
        let slips = run(&pulled, &Settings { method, h, ..Settings::new(1e-6, 3.0) });
        let slides = times(&slips, "joint `floor` slides");
        assert!(slides.len() > 1 && (slides[0] - 0.75).abs() < 1e-6, "{}: {slides:?}", method.name());
        let (k, w): (f64, f64) = (40.0, f64::sqrt(40.0));
        let period = 2.0 * (std::f64::consts::PI - f64::atan(w / (0.1 * k))) / w + 2.0 / (0.1 * k);
        assert!((slides[1] - slides[0] - period).abs() < 1e-3, "{}: {slides:?} {period}", method.name());
    }
}

/// A watch and a bridge stick, slip and bounce alike: all lengths and forces a hundred million times smaller, or greater, or with
/// something fast beside it that it has nothing to do with.
#[test]
fn size_changes_nothing() {
    let arm = arm("3 N*m", 0.5);
    for (length, time) in [(1e-8, 1.0), (1e8, 1.0), (1e-6, 1e-3), (1e3, 1e4)] {
        let force = length / (time * time);
        let pulled = PULLED
            .replace("[0.1, 0]", &format!("[{}, 0]", 0.1 * length / time))
            .replace("[-1, 0]", &format!("[{}, 0]", -length))
            .replace("0.1 m/s", &format!("{} m/s", 0.1 * length / time))
            .replace("preload = 10", &format!("preload = {}", 10.0 * force))
            .replace("stiffness = 40", &format!("stiffness = {}", 40.0 / (time * time)))
            .replace("inertia = 1", &format!("inertia = {}", length * length))
            .replace("rest_length = 1", &format!("rest_length = {length}"));
        let fast =
            "[[body]]\nname = 'idle'\nmass = 1\ninertia = 1\nvelocity = [3e5, 0]\nangular_velocity = 1e4\n";
        for text in [pulled.clone(), pulled.clone() + fast] {
            let found = run(
                &mechanism(&text),
                &Settings { method: Method::Dop853, ..Settings::new(1e-6, 3.0 * time) },
            );
            let slides = times(&found, "joint `floor` slides");
            let period =
                2.0 * (std::f64::consts::PI - f64::atan(f64::sqrt(40.0) / 4.0)) / f64::sqrt(40.0) + 0.5;
            let ok = slides.len() > 1 && (slides[0] / time - 0.75).abs() < 1e-6;
            assert!(
                ok && ((slides[1] - slides[0]) / time - period).abs() < 1e-5,
                "{length} {time}: {slides:?}"
            );
        }
        // an angle knows no length, but slow and fast
        let text = arm.replace("3 N*m", &format!("{} N*m", 3.0 / (time * time)));
        let found =
            run(&mechanism(&text), &Settings { method: Method::Dop853, ..Settings::new(1e-6, 3.0 * time) });
        let rest = times(&found, "joint `hinge` comes to rest on its upper stop");
        let end = 3.0 * f64::sqrt(2.0 * f64::to_radians(30.0) / 3.0);
        assert!(rest.len() == 1 && (rest[0] / time - end).abs() < 1e-4, "{time}: {rest:?} {end}");
    }
}

/// Equilibria and modes leave friction that sticks out, whatever the block did before.
#[test]
fn statics_know_no_friction() {
    let friction = "coefficient = 0.4, preload = 20, reaction = false";
    let text = format!("{}stiffness = 300\nrest = 0.2\n", incline(0.0, 1.5, friction));
    let mechanism = mechanism(&text);
    let rest = mechanism.equilibrium().unwrap_or_else(|e| panic!("{e}"));
    assert!((rest.state.q[0] - 0.2).abs() < 1e-9, "{:?}", rest.state.q);
    let modes = mechanism.modes(&rest.state).unwrap_or_else(|e| panic!("{e}"));
    assert!((modes.modes[0].imaginary.abs() - 10.0).abs() < 1e-9);
}

#[test]
fn what_cannot_be_told_is_refused_by_name() {
    let refused = |result: Result<Recording, Error>| result.err().map(|e| e.to_string()).unwrap_or_default();
    // beyond a stop
    let text = arm("3 N*m", 0.5).replace("name = \"hinge\"", "name = \"hinge\"\nangle = \"31 deg\"");
    let message = refused(mechanism(&text).simulate());
    assert!(message.contains("starts beyond its upper stop"), "{message}");
    // an equilibrium that a rigid stop would hold
    let hanging = arm("0 N*m", 0.5).replace("space = \"planar\"", "space = \"planar\"\ngravity = [9, 0]");
    let hanging =
        hanging.replace("max = \"30 deg\"", "min = \"10 deg\"").replace("\"hinge\"", "\"hinge\"\nangle = 1");
    let message = mechanism(&hanging).equilibrium().unwrap_err().to_string();
    assert!(message.contains("rigid lower stop"), "{message}");
}
