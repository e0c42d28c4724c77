//! `auto` is implicit as long as it must be.

use crate::motion::Ready;
use crate::motion::models::on_spring;
use kingpin::dynamics::{Method, Unwatched};

/// A mass on a soft spring with a stiff damper that fades after a second.
fn fading() -> String {
    let spring =
        "stiffness = 100\nrest_length = 1\nactuator = \"1e4*(1 - tanh(20*(t - 1)))*rate + 10*sin(3*t)\"";
    on_spring([1.0, 0.01], [1.2, 0.0], spring, "")
}

#[test]
fn auto_returns_to_an_explicit_method_when_stiffness_is_over() {
    let ready = Ready::text(&fading());
    for (tol, implicit) in [(1e-4, Method::ForRosen), (1e-6, Method::Radau)] {
        let run = ready.run(Method::Auto, tol, 10.0, &mut Unwatched);
        let methods: Vec<Method> = run.methods.iter().map(|(_, method)| *method).collect();
        assert_eq!(methods, [Method::Dop853, implicit, Method::Dop853], "{:?}", run.methods);
        let back = run.methods[2].0;
        assert!(back > 0.8 && back < 2.0, "{back}");
        let alone = ready.run(Method::Dop853, 1e-11, 10.0, &mut Unwatched);
        let error = (run.state.q[0] - alone.state.q[0]).abs();
        assert!(error < 100.0 * tol * 0.2, "{error:e}");
    }
}

#[test]
fn auto_stays_implicit_where_it_must() {
    let ready = Ready::shipped("double_pendulum_stiff.toml");
    let run = ready.run(Method::Auto, 1e-4, 2.0, &mut Unwatched);
    assert_eq!(run.methods.len(), 2, "{:?}", run.methods);
}
