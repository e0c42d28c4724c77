//! First-order states and controllers: motions, eigenvalues and equilibria against what is known of them.

mod continuous;
mod pendulum;
mod rest;
mod sampled;

use kingpin::dynamics::Method;
use kingpin::prelude::*;

/// A mechanism of a text, without errors.
fn mechanism(text: &str) -> Mechanism {
    let loaded = kingpin_io::read_text("model.toml", text, "", &Default::default());
    let said = loaded.render(false);
    Mechanism::new(loaded.model.unwrap_or_else(|| panic!("{said}"))).unwrap_or_else(|e| panic!("{e}"))
}

/// Settings of a method at a tolerance; fixed steps of those that have no error control.
fn settings(method: Method, tol: f64, t_end: f64) -> Settings {
    let h = method.has_fixed_step().then_some(2e-4);
    Settings { method, h, frame: Some(0.02), ..Settings::new(tol, t_end) }
}

/// Channels at the end of a run.
fn at_end(of: &Mechanism, settings: &Settings, channels: &[&str]) -> Vec<f64> {
    let recording = of.simulate_with(settings).unwrap_or_else(|e| panic!("{}: {e}", settings.method.name()));
    channels.iter().map(|name| recording.last(name).unwrap()).collect()
}

/// A model of states alone, with whatever it has besides.
fn alone(items: &str) -> String {
    format!("name = \"alone\"\nspace = \"planar\"\n{items}")
}

/// Classical Runge-Kutta steps for x' = f(t, x), as many as it takes for twelve digits of smooth motions.
fn integrated(mut x: Vec<f64>, t_end: f64, steps: usize, f: impl Fn(f64, &[f64]) -> Vec<f64>) -> Vec<f64> {
    let h = t_end / steps as f64;
    let moved =
        |x: &[f64], k: &[f64], h: f64| -> Vec<f64> { x.iter().zip(k).map(|(x, k)| x + h * k).collect() };
    for i in 0..steps {
        let t = i as f64 * h;
        let a = f(t, &x);
        let b = f(t + 0.5 * h, &moved(&x, &a, 0.5 * h));
        let c = f(t + 0.5 * h, &moved(&x, &b, 0.5 * h));
        let d = f(t + h, &moved(&x, &c, h));
        for k in 0..x.len() {
            x[k] += h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]);
        }
    }
    x
}
