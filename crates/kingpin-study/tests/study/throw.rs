//! A ball that is thrown: where it lands, how high it rises, when.

use kingpin_io::{Draft, Overrides};
use kingpin_study::{Outcome, Points, Refusal, Row, Sampling, Scalar, Study, Variation};
use std::ops::ControlFlow;

pub const BALL: &str = "
space = 'planar'
gravity = [0, '-g0']
[parameters]
g0 = '9.81 m/s^2'
v0 = '3 m/s'
up = '4 m/s'
h0 = '2 m'
long = '2 s'
heavy = '1 kg'
[[body]]
name = 'ball'
mass = 'heavy'
inertia = 0.1
position = [0, 'h0']
velocity = ['v0', 'up']
[[measure]]
type = 'coordinate'
name = 'height'
body = 'ball'

coordinate = 'y'
[[event]]
name = 'landing'
when = 'height'
direction = 'falling'
action = 'note'
[simulation]
t_end = 'long'
";

pub fn study_of(
    model: &str,
    vary: &[&str],
    of: &[&str],
    sampling: Option<Sampling>,
) -> Result<Study, Box<Refusal>> {
    let variations = vary.iter().map(|text| Variation::parse(text).expect("a variation")).collect();
    let points = Points::new(variations, sampling).expect("points");
    let scalars = of.iter().map(|text| Scalar::new(text)).collect();
    Study::new(Draft::of_text("ball.toml", model, "."), Overrides::none(), points, scalars)
}

pub fn rows(study: &Study, threads: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    study.run(threads, 0, &mut |row| {
        rows.push(row);
        ControlFlow::Continue(())
    });
    rows
}

fn close(found: Option<f64>, expected: f64, tolerance: f64) {
    let found = found.expect("a number");
    assert!((found - expected).abs() <= tolerance * expected.abs().max(1.0), "{found}, not {expected}");
}

#[test]
fn scalars_are_those_of_the_parabola() {
    let of = [
        "max(ball.y)",
        "range = at(ball.x, landing)",
        "at(ball.vy, landing)",
        "at(t, landing)",
        "at(ball.y, 0.3333 s)",
        "last(ball.x) - first(ball.x)",
        "mean(ball.vy)",
        "rms(ball.vx)",
        "integral(ball.vx)",
        "time_of_max(ball.y)",
        "max(max(ball.vx), 2*v0)",
        "max(hypot(ball.vx, ball.vy))",
        "min(heavy*ball.vy)",
    ];
    let study = study_of(BALL, &["v0=1..5 m/s:3", "h0=[2, 3] m"], &of, None).expect("a study");
    let units: Vec<&str> = study.columns().iter().map(|column| column.unit.as_str()).collect();
    assert_eq!(
        units,
        ["m/s", "m", "m", "m", "m/s", "s", "m", "m", "m/s", "m/s", "m", "s", "m/s", "m/s", "N*s"]
    );
    let all = rows(&study, 2);
    assert_eq!(all.len(), 6);
    for row in all {
        let [v, h] = row.values[..] else { panic!("two values") };
        assert_eq!(row.outcome, Outcome::Good);
        let (g, up, long) = (9.81, 4.0, 2.0);
        let t = (up + f64::sqrt(up * up + 2.0 * g * h)) / g;
        let fast = f64::hypot(v, up - g * long);
        let expected = [
            // the top lies between two frames
            (h + up * up / (2.0 * g), 1e-5),
            (v * t, 1e-9),
            (up - g * t, 1e-9),
            (t, 1e-9),
            (h + up * 0.3333 - 0.5 * g * 0.3333 * 0.3333, 1e-9),
            (v * long, 1e-9),
            (up - 0.5 * g * long, 1e-9),
            (v, 1e-9),
            (v * long, 1e-9),
            (up / g, 1e-2),
            (2.0 * v.max(0.5 * v), 1e-9),
            (fast, 1e-9),
            (up - g * long, 1e-9),
        ];
        for (found, (expected, tolerance)) in row.scalars.iter().zip(expected) {
            close(*found, expected, tolerance);
        }
    }
}

#[test]
fn rows_are_the_same_for_any_number_of_threads() {
    let sampling = Some(Sampling { count: 20, seed: 5, latin: true });
    let vary = ["v0=1..5 m/s", "g0=normal(9.81, 0.5) m/s^2"];
    let study = study_of(BALL, &vary, &["at(ball.x, landing)"], sampling).expect("a study");
    let alone = rows(&study, 1);
    assert_eq!(alone.len(), 20);
    assert!(alone.iter().enumerate().all(|(k, row)| row.point == k && row.outcome == Outcome::Good));
    for threads in [2, 7] {
        assert_eq!(rows(&study, threads), alone);
    }
}

#[test]
fn failures_are_rows_with_a_reason() {
    let study = study_of(BALL, &["heavy=[1, -1, 2] kg"], &["last(ball.x)"], None).expect("a study");
    let all = rows(&study, 2);
    let Outcome::Failed(why) = &all[1].outcome else { panic!("{:?}", all[1]) };
    assert!(why.starts_with("ball.toml:13: ") && why.contains("mass"), "{why}");
    assert_eq!(all[1].scalars, [None]);
    assert!(all[0].outcome == Outcome::Good && all[2].outcome == Outcome::Good);
    // it never lands within the run
    let study = study_of(BALL, &["long=[0.5, 2] s"], &["at(ball.x, landing)"], None).expect("a study");
    let all = rows(&study, 1);
    assert_eq!(all[0].outcome, Outcome::Doubtful("the event `landing` does not occur".into()));
    assert_eq!(all[0].scalars, [None]);
    assert_eq!(all[1].outcome, Outcome::Good);
}

#[test]
fn an_event_that_ends_the_run_has_its_values() {
    let model = BALL.replace("'note'", "'stop'");
    let of = ["at(ball.x, landing)", "last(ball.x)", "last(t)", "integral(ball.vx)"];
    let study = study_of(&model, &["v0=[2] m/s"], &of, None).expect("a study");
    let row = &rows(&study, 1)[0];
    let t = (4.0 + f64::sqrt(16.0 + 4.0 * 9.81)) / 9.81;
    for (found, expected) in row.scalars.iter().zip([2.0 * t, 2.0 * t, t, 2.0 * t]) {
        close(*found, expected, 1e-9);
    }
}

#[test]
fn what_cannot_be_studied_is_said_before_the_first_run() {
    for (vary, of, said) in [
        ("vv=1..2:3", "last(t)", "the model has no parameter `vv`"),
        ("v0=1..2 kg:3", "last(t)", "`v0` is a velocity (m/s) in the model, not a mass (kg)"),
        ("v0=1..2:3", "ball.x", "`ball.x` has many values over a run"),
        ("v0=1..2:3", "max(ball.xx)", "did you mean `ball.x`?"),
        ("v0=1..2:3", "maxx(ball.x)", "maxx"),
        ("v0=1..2:3", "max(ball.x - mean(ball.x))", "one number for the whole run"),
        ("v0=1..2:3", "at(ball.x)", "takes 2 arguments"),
        ("v0=1..2:3", "at(ball.x, lift)", "neither a time nor an event"),
        ("v0=1..2:3", "max(ball.x", "a `)` is missing"),
        ("v0=1..2:3", "max(ball.x) + max(ball.vx)", "velocity"),
    ] {
        let error = study_of(BALL, &[vary], &[of], None).err().unwrap_or_else(|| panic!("{of} is taken"));
        let text = error.to_string();
        assert!(text.contains(said) && text.contains("-->"), "{of}: {text}");
    }
    let error = study_of("[[body]]\nname = 3\n", &[], &["last(t)"], None).err().expect("a faulty model");
    assert!(error.to_string().contains("ball.toml:2"), "{error}");
}
