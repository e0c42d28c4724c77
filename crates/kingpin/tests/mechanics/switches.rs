//! Where forces are not smooth: margins, pieces, and what happens where they change.

use kingpin::analysis::assemble;
use kingpin::element::force::{AppliedForce, Tyre};
use kingpin::element::measure::{MeasuredCoordinate, MeasuredRotation};
use kingpin::element::road::BumpRoad;
use kingpin::expr::{Scope, parse};
use kingpin::model::{Body, Ends, Event, EventAction, Function, Model, Space, Vec3};
use kingpin::system::{System, Work};

/// A planar wheel on a road with a bump from -3 m to 3 m: R = 4 m, r = 1 m.
fn wheel(tyre: Tyre) -> Model {
    let mut model = Model::new("wheel", Space::Planar);
    model.body(Body::planar("wheel", 1.0, 1.0).at([-5.0, 4.0, 0.0]));
    model.road("road", BumpRoad { centre: 0.0, radius: 1.0, wheel_radius: 4.0 });
    model.force("front", Ends { body: Some("wheel".into()), ..Ends::default() }, tyre);
    model
}

fn tyre() -> Tyre {
    Tyre { radius: 4.0, stiffness: 100.0, damping: 10.0, unilateral: true, road: None }
}

fn compile(model: &Model) -> (System, Work) {
    let (system, _) = System::compile(model).expect("a good model");
    let work = system.work();
    (system, work)
}

fn put(system: &System, work: &mut Work, at: [f64; 2], velocity: [f64; 2]) {
    system.set(work, work.t, &[at[0], at[1], 0.0], &[velocity[0], velocity[1], 0.0]);
}

fn lift(system: &System, work: &mut Work) -> f64 {
    system.evaluate_forces(work);
    work.force[1]
}

#[test]
fn the_edges_of_a_bump_are_where_the_wheel_touches_it() {
    let (system, mut work) = compile(&wheel(Tyre { unilateral: false, ..tyre() }));
    assert_eq!(system.switches(), 1);
    assert_eq!(work.pieces, [0]);
    put(&system, &mut work, [-3.5, 4.0], [0.0; 2]);
    assert!((system.switch_margin(0, &work) - 0.5).abs() < 1e-14);
    put(&system, &mut work, [-2.9, 4.0], [0.0; 2]);
    assert!((system.switch_margin(0, &work) + 0.1).abs() < 1e-14);
    // the flat piece still holds
    assert_eq!(lift(&system, &mut work), 0.0);
    system.switch_over(0, &mut work);
    assert_eq!(work.pieces, [1]);
    assert!((system.switch_margin(0, &work) - 0.1).abs() < 1e-14);
    let height = (25.0_f64 - 2.9 * 2.9).sqrt() - 4.0;
    assert!((lift(&system, &mut work) - 100.0 * height).abs() < 1e-10);
    // out on the other side, and back again
    put(&system, &mut work, [3.2, 4.0], [0.0; 2]);
    assert!((system.switch_margin(0, &work) + 0.2).abs() < 1e-14);
    system.switch_over(0, &mut work);
    assert_eq!(work.pieces, [2]);
    put(&system, &mut work, [2.0, 4.0], [0.0; 2]);
    assert!((system.switch_margin(0, &work) + 1.0).abs() < 1e-14);
    system.switch_over(0, &mut work);
    put(&system, &mut work, [-3.2, 4.0], [0.0; 2]);
    system.switch_over(0, &mut work);
    assert_eq!(work.pieces, [0]);
    assert_eq!(system.switch_name(0), "tyre `front` on the bump of road `road`");
    assert_eq!(system.switch_event(0, 0, 1), "tyre `front` meets the bump of road `road`");
    assert_eq!(system.switch_event(0, 1, 2), "tyre `front` leaves the bump of road `road`");
    assert_eq!(system.switch_action(0), None);
}

#[test]
fn the_arc_goes_on_smoothly_beyond_its_edges() {
    let (system, mut work) = compile(&wheel(Tyre { unilateral: false, ..tyre() }));
    work.pieces[0] = 1;
    let mut at = |x: f64| {
        put(&system, &mut work, [x, 4.0], [0.0; 2]);
        lift(&system, &mut work)
    };
    // root R/2 at s = sqrt(21): the tangent takes over there
    let limit = 21.0_f64.sqrt();
    for x in [3.0, limit, -limit] {
        let (h, slope) = (1e-6, |a: f64, b: f64| (b - a) / 1e-6);
        let (left, middle, right) = (at(x - h), at(x), at(x + h));
        assert!((slope(left, middle) - slope(middle, right)).abs() < 1e-2, "corner at {x}");
    }
    assert!(at(1e3).is_finite() && at(-1e3) < at(-1e2));
}

#[test]
fn contact_begins_with_deflection_and_ends_with_the_force() {
    let (system, mut work) = compile(&wheel(tyre()));
    assert_eq!(system.switches(), 2);
    // above the ground, falling: the damper alone must not push
    put(&system, &mut work, [-5.0, 4.1], [0.0, -5.0]);
    system.settle_pieces(&mut work);
    assert_eq!(work.pieces, [0, 0]);
    assert_eq!(lift(&system, &mut work), 0.0);
    assert!((system.switch_margin(1, &work) - 10.0).abs() < 1e-10);
    put(&system, &mut work, [-5.0, 3.99], [0.0, -5.0]);
    assert!((system.switch_margin(1, &work) + 1.0).abs() < 1e-10);
    system.switch_over(1, &mut work);
    assert_eq!(work.pieces, [0, 1]);
    assert!((lift(&system, &mut work) - 51.0).abs() < 1e-10);
    // on the way up the damper draws before the tyre is round again: off
    put(&system, &mut work, [-5.0, 3.99], [0.0, 0.3]);
    assert!((system.switch_margin(1, &work) + 2.0).abs() < 1e-10);
    assert!((lift(&system, &mut work) + 2.0).abs() < 1e-10, "frozen in contact: the plain law");
    system.switch_over(1, &mut work);
    assert_eq!(work.pieces, [0, 0]);
    assert_eq!(lift(&system, &mut work), 0.0);
    assert_eq!(system.switch_name(1), "tyre `front` on road `road`");
    assert_eq!(system.switch_event(1, 1, 0), "tyre `front` leaves the ground");
    assert_eq!(system.switch_event(1, 0, 1), "tyre `front` touches the ground");
}

#[test]
fn contact_is_well_defined_without_spring_or_damper() {
    // no spring: the deflection counts as it is
    let (system, mut work) = compile(&wheel(Tyre { stiffness: 0.0, ..tyre() }));
    put(&system, &mut work, [-5.0, 4.2], [0.0, -1.0]);
    system.settle_pieces(&mut work);
    assert!((system.switch_margin(1, &work) - 0.2).abs() < 1e-12);
    put(&system, &mut work, [-5.0, 3.9], [0.0, -1.0]);
    system.settle_pieces(&mut work);
    assert_eq!(work.pieces, [0, 1]);
    assert!((lift(&system, &mut work) - 10.0).abs() < 1e-12);
    // no damper: force and spring force are one
    let (system, mut work) = compile(&wheel(Tyre { damping: 0.0, ..tyre() }));
    put(&system, &mut work, [-5.0, 3.9], [0.0, 9.0]);
    system.settle_pieces(&mut work);
    assert!((system.switch_margin(1, &work) - 10.0).abs() < 1e-10);
    // neither: no force, so no switch
    let (system, _) = compile(&wheel(Tyre { stiffness: 0.0, damping: 0.0, ..tyre() }));
    assert_eq!(system.switches(), 1);
}

#[test]
fn contact_is_chosen_anew_where_the_slope_of_the_road_jumps() {
    let (system, mut work) = compile(&wheel(tyre()));
    // rolling fast down the far side: on the arc the force is negative, on the flat behind it positive
    put(&system, &mut work, [2.9, 3.9], [3.0, -0.1]);
    system.settle_pieces(&mut work);
    assert_eq!(work.pieces, [1, 0]);
    put(&system, &mut work, [3.0 + 1e-9, 3.9], [3.0, -0.1]);
    system.switch_over(0, &mut work);
    assert_eq!(work.pieces, [2, 1]);
}

#[test]
fn assembly_settles_the_pieces() {
    let mut model = wheel(tyre());
    model.bodies[0].position.y = 3.5;
    let (system, _) = compile(&model);
    assert_eq!(assemble(&system).expect("nothing to close").state.pieces, [0, 1]);
    model.bodies[0].position.x = 0.5;
    let (system, _) = compile(&model);
    assert_eq!((&system.given.pieces[..], system.work().pieces), (&[1, 1][..], vec![1, 1]));
}

/// A wheel with a push that an event of its height switches.
fn pushed(direction: &str, action: &str) -> Model {
    let mut model = wheel(Tyre { unilateral: false, ..tyre() });
    model.roads.clear();
    let on = || Ends { body: Some("wheel".into()), ..Ends::default() };
    model.measure("height", on(), MeasuredCoordinate { coordinate: "y".into() });
    let mut scope = Scope::new();
    scope.variable("t", 0, None).variable("height", 1, None).variable("height.rate", 2, None);
    scope.variable("landed", 3, None);
    let function = |text: &str| Function::Expr(parse(text, &scope).expect("valid"));
    model.event(Event {
        name: "landed".into(),
        when: function("5 - height"),
        direction: direction.into(),
        action: action.into(),
    });
    let magnitude = function(if action == "switch" { "7*landed + t" } else { "t" });
    model.force("push", on(), AppliedForce { magnitude, direction: Vec3::x(), body_fixed: false });
    model
}

#[test]
fn a_switch_with_a_direction_happens_once() {
    let (system, mut work) = compile(&pushed("rising", "switch"));
    let push = |work: &mut Work| {
        system.evaluate_forces(work);
        work.force[0]
    };
    // at 4 m the function is positive already: it must be armed first
    assert_eq!((system.switches(), &work.pieces[..]), (1, &[1][..]));
    put(&system, &mut work, [0.0, 6.0], [0.0; 2]);
    assert_eq!(system.switch_margin(0, &work), -1.0);
    system.switch_over(0, &mut work);
    assert_eq!((work.pieces[0], push(&mut work)), (0, 0.0));
    assert!(!system.switch_happens(0, 1, 0));
    assert_eq!(system.switch_event(0, 1, 0), "event `landed` is re-armed");
    put(&system, &mut work, [0.0, 4.5], [0.0; 2]);
    assert_eq!(system.switch_margin(0, &work), -0.5);
    system.switch_over(0, &mut work);
    assert!(system.switch_happens(0, 0, work.pieces[0]));
    assert_eq!(system.switch_event(0, 0, work.pieces[0]), "event `landed`");
    assert_eq!(push(&mut work), 7.0);
    // for good
    put(&system, &mut work, [0.0, 9.0], [0.0; 2]);
    assert_eq!(system.switch_margin(0, &work), f64::INFINITY);
    let after = work.pieces.clone();
    system.switch_over(0, &mut work);
    system.settle_pieces(&mut work);
    assert_eq!(push(&mut work), 7.0);
    assert_eq!(work.pieces, after);
    assert_eq!(system.switch_action(0), Some(EventAction::Switch));
}

#[test]
fn a_falling_switch_waits_for_the_fall() {
    let (system, mut work) = compile(&pushed("falling", "switch"));
    put(&system, &mut work, [0.0, 6.0], [0.0; 2]);
    system.switch_over(0, &mut work);
    system.evaluate_forces(&mut work);
    assert_eq!(work.force[0], 7.0);
    assert!(system.switch_happens(0, 1, work.pieces[0]));
}

#[test]
fn a_switch_of_any_direction_follows_the_sign() {
    let (system, mut work) = compile(&pushed("any", "switch"));
    for (height, push) in [(4.0, 7.0), (6.0, 0.0), (4.5, 7.0)] {
        put(&system, &mut work, [0.0, height], [0.0; 2]);
        if system.switch_margin(0, &work) < 0.0 {
            system.switch_over(0, &mut work);
        }
        system.evaluate_forces(&mut work);
        assert_eq!(work.force[0], push, "at {height}");
    }
}

#[test]
fn an_event_that_stops_can_happen_again() {
    let (system, mut work) = compile(&pushed("rising", "stop"));
    assert_eq!(system.switch_action(0), Some(EventAction::Stop));
    for (height, happens) in [(6.0, false), (4.0, true), (6.0, false), (4.0, true)] {
        put(&system, &mut work, [0.0, height], [0.0; 2]);
        let before = work.pieces[0];
        system.switch_over(0, &mut work);
        assert_eq!(system.switch_happens(0, before, work.pieces[0]), happens);
    }
}

#[test]
fn an_event_can_watch_the_pitch_of_a_body() {
    let mut model = Model::new("rocker", Space::Spatial);
    model.body(Body::spatial("rocker", 1.0, [1.0; 3]));
    let on = Ends { body: Some("rocker".into()), ..Ends::default() };
    model.measure("pitch", on, MeasuredRotation { component: "y".into() });
    let mut scope = Scope::new();
    scope.variable("t", 0, None).variable("pitch", 1, None);
    let when = Function::Expr(parse("pitch - 0.5", &scope).expect("valid"));
    model.event(Event { name: "tilted".into(), when, ..Event::default() });
    let (system, mut work) = compile(&model);
    for pitch in [0.2_f64, 0.7] {
        let (s, c) = (0.5 * pitch).sin_cos();
        system.set(&mut work, 0.0, &[0.0, 0.0, 0.0, c, 0.0, s, 0.0], &[0.0; 6]);
        assert!((system.switch_margin(0, &work) - (0.5 - pitch)).abs() < 1e-14);
    }
}
