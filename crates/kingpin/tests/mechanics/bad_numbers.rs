//! Forces, drivers and events that give no finite number are named.

use kingpin::element::driver::DrivenCoordinate;
use kingpin::element::force::{AppliedForce, Spring};
use kingpin::element::measure::MeasuredCoordinate;
use kingpin::expr::{Scope, parse};
use kingpin::model::{Body, Ends, Event, Finding, Function, Model, Space, Subject, Vec3};
use kingpin::system::System;

fn on() -> Ends {
    Ends { body: Some("ball".into()), ..Ends::default() }
}

fn ball() -> Model {
    let mut model = Model::new("ball", Space::Planar);
    model.body(Body::planar("ball", 1.0, 1.0).at([-0.2, 1.0, 0.0]));
    model.measure("gap", on(), MeasuredCoordinate { coordinate: "x".into() });
    model
}

/// A function of t, the variables of an element, the measure `gap` and the event `late`.
fn function(text: &str, own: &[&str]) -> Function {
    let mut scope = Scope::new();
    let names = own.iter().chain(&["gap", "gap.rate", "late"]);
    for (k, name) in ["t"].iter().chain(names).enumerate() {
        scope.variable(*name, k as u32, None);
    }
    Function::Expr(parse(text, &scope).expect("valid"))
}

fn first_bad(model: &Model, t: f64) -> Option<Finding> {
    let (system, _) = System::compile(model).expect("a good model");
    let mut work = system.work();
    system.set(&mut work, t, &system.given.q, &system.given.v);
    system.first_bad_force(&work)
}

fn message(model: &Model, t: f64) -> (Subject, &'static str, String) {
    let finding = first_bad(model, t).expect("something bad");
    (finding.subject, finding.field, finding.message)
}

fn push(magnitude: Function) -> AppliedForce {
    AppliedForce { magnitude, direction: Vec3::x(), body_fixed: false }
}

#[test]
fn a_force_is_named_with_the_variables_it_uses() {
    let mut model = ball();
    model.force("fine", on(), push(function("gap + t", &[])));
    assert_eq!(first_bad(&model, 0.31), None);
    model.force("push", on(), push(function("1000 * gap^1.5", &[])));
    let (subject, field, text) = message(&model, 0.31);
    assert_eq!((subject, field), (Subject::Force(1), "magnitude"));
    assert_eq!(text, "force `push` gives NaN at t = 0.31 (gap = -0.2)");
}

#[test]
fn events_and_own_variables_are_told_too() {
    let mut model = ball();
    let (when, action) = (function("t - 0.1", &[]), "switch".to_string());
    model.event(Event { name: "late".into(), when, action, ..Event::default() });
    let actuator = function("late/rate + gap.rate", &["length", "rate"]);
    let spring = Spring { actuator, ..Spring::default() };
    model.force("leg", Ends::bodies("ground", "ball"), spring);
    let (system, _) = System::compile(&model).expect("a good model");
    let mut work = system.work();
    system.set(&mut work, 0.2, &system.given.q, &system.given.v);
    system.settle_pieces(&mut work);
    let finding = system.first_bad_force(&work).expect("one over zero");
    assert_eq!(finding.field, "actuator");
    let expected = "force `leg` gives inf at t = 0.2 (length = 1.0198, rate = 0, gap.rate = 0, late = 1)";
    assert_eq!(finding.message, expected);
}

#[test]
fn drivers_and_events_are_named() {
    let mut model = ball();
    model.driver(
        "rise",
        on(),
        DrivenCoordinate { coordinate: "y".into(), motion: function("ln(1 - t)", &[]) },
    );
    assert_eq!(first_bad(&model, 0.5), None);
    let (subject, field, text) = message(&model, 2.0);
    assert_eq!((subject, field), (Subject::Driver(0), "motion"));
    assert_eq!(text, "driver `rise`: `motion` is NaN at t = 2");
    model.drivers.clear();
    model.event(Event { name: "odd".into(), when: function("sqrt(gap)", &[]), ..Event::default() });
    assert_eq!(message(&model, 0.0).2, "event `odd`: `when` is NaN at t = 0");
}
