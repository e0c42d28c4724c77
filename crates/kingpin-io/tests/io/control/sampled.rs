//! Controllers that work at samples, against their exact recurrences.

use super::{at_end, mechanism, settings};
use kingpin::dynamics::{Checkpoint, Method, Observer, Run, Settings, resume, simulate};
use kingpin::prelude::*;

/// A mass of 2 kg on a rail that a sampled controller pushes; `lines` are those of the controller.
fn cart(lines: &str) -> Mechanism {
    mechanism(&format!(
        r#"
name = "cart"
space = "planar"

[[body]]
name = "cart"
mass = 2
point = true
scalar = true
position = [0.4, 0]
velocity = [-0.1, 0]

[[measure]]
type = "coordinate"
name = "x"
body = "cart"
point = [0, 0]
coordinate = "x"

[[controller]]
name = "u"
{lines}

[[force]]
type = "force"
name = "push"
body = "cart"
point = [0, 0]
direction = [1, 0]
magnitude = "u"
"#
    ))
}

/// The mass with a force held constant for a time.
fn glide([x, v]: [f64; 2], force: f64, h: f64) -> [f64; 2] {
    let a = force / 2.0;
    [x + v * h + 0.5 * a * h * h, v + a * h]
}

const PERIOD: f64 = 0.05;

fn check(of: &Mechanism, exact: [f64; 2], t_end: f64, what: &str) {
    for method in Method::ALL {
        let found = at_end(of, &settings(method, 1e-9, t_end), &["x", "x.rate"]);
        let error = (found[0] - exact[0]).abs().max((found[1] - exact[1]).abs());
        assert!(error < 1e-9, "{what}, {}: {error:e}", method.name());
    }
}

#[test]
fn a_sampled_pd_controller_follows_its_recurrence() {
    let of = cart(
        "type = \"pid\"\ninput = \"x\"\nsetpoint = \"0.1*t\"\nkp = 30\nki = 10\nkd = 12\nfilter = 0.02\nperiod = \"50 ms\"",
    );
    let (mut state, mut integral, mut d, mut last) = ([0.4, -0.1], 0.0, 0.0, None);
    for k in 0..40 {
        let e = 0.1 * PERIOD * f64::from(k) - state[0];
        d = (0.02 * d + 12.0 * (e - last.unwrap_or(e))) / (0.02 + PERIOD);
        let u = 30.0 * e + integral + d;
        (integral, last) = (integral + 10.0 * PERIOD * e, Some(e));
        state = glide(state, u, PERIOD);
    }
    check(&of, state, 2.0, "pid");
}

#[test]
fn delays_are_exact() {
    // shorter than a period, a whole number of periods, and two and a half
    for (delay, parts) in [("20 ms", 0.4), ("50 ms", 1.0), ("125 ms", 2.5)] {
        let lines = format!(
            "type = \"state-space\"\ninputs = [\"x\", \"x.rate\"]\na = [[0.5]]\nb = [[0, 1]]\nc = [[-2]]\nd = [[-20, -6]]\n\
             period = \"50 ms\"\ndelay = \"{delay}\""
        );
        let of = cart(&lines);
        let (mut state, mut memory, mut outputs) = ([0.4, -0.1], 0.0, Vec::new());
        let whole = f64::floor(parts) as usize;
        let rest = parts - whole as f64;
        for k in 0..40_usize {
            outputs.push(-2.0 * memory - 20.0 * state[0] - 6.0 * state[1]);
            memory = 0.5 * memory + state[1];
            // until the next output comes, that of the sample before; zero before the first
            let given = |ago: usize| if k >= ago { outputs[k - ago] } else { 0.0 };
            state = glide(state, given(whole + 1), rest * PERIOD);
            state = glide(state, given(whole), (1.0 - rest) * PERIOD);
        }
        check(&of, state, 2.0, delay);
    }
}

/// Keeps checkpoints of a run.
struct Keeper(Vec<Checkpoint>, usize);

impl Observer for Keeper {
    fn wants_checkpoint(&mut self, _: bool) -> bool {
        self.1 += 1;
        self.1.is_multiple_of(7)
    }
    fn checkpoint(&mut self, checkpoint: &Checkpoint) {
        self.0.push(checkpoint.clone());
    }
}

#[test]
fn a_run_goes_on_from_a_checkpoint_with_the_same_bits() {
    let of = cart(
        "type = \"pid\"\ninput = \"x\"\nkp = 30\nki = 10\nkd = 12\nperiod = \"50 ms\"\ndelay = \"70 ms\"\nmaximum = 3",
    );
    let (system, start) = (of.system(), of.state().clone());
    for method in [Method::Dopri5, Method::Radau, Method::Adams, Method::ForRosen, Method::Hht] {
        let settings: Settings = settings(method, 1e-6, 1.5);
        let mut keeper = Keeper(Vec::new(), 0);
        let run: Run = simulate(system, &start, of.redundant(), &settings, &mut keeper);
        assert!(keeper.0.len() > 3, "{}", method.name());
        for checkpoint in &keeper.0 {
            let again =
                resume(of.dynamics(settings.solver), checkpoint, &settings, &mut Keeper(Vec::new(), 1));
            assert_eq!(again.unwrap(), run, "{} from {}", method.name(), checkpoint.run.state.t);
        }
    }
}

#[test]
fn who_starts_later_samples_at_multiples_of_the_period() {
    // a clock that counts its samples
    let of = cart(
        "type = \"transfer-function\"\ninput = \"1\"\nnumerator = [1]\ndenominator = [1, -1]\nperiod = \"0.1 s\"",
    );
    for (t_end, samples) in [(0.95, 9.0), (1.0, 9.0), (1.05, 10.0)] {
        // the output of sample k is the number of those before it
        assert_eq!(at_end(&of, &settings(Method::Dopri5, 1e-6, t_end), &["u"]), [samples]);
    }
    let statics = of.equilibrium().unwrap_err().to_string();
    assert!(statics.contains("controller `u` is sampled"), "{statics}");
    let modes = of.modes(of.state()).unwrap_err().to_string();
    assert!(modes.contains("is sampled, so eigenvalues"), "{modes}");
}
