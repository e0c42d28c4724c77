//! The same motions in independent coordinates and in the tangent plane.

use crate::motion::iterations::MODELS;
use crate::motion::revolutions::FOUR_BAR;
use crate::motion::{Frames, Ready};
use kingpin::accel::Solver;
use kingpin::dynamics::{Coordinates, Dynamics, Matrices, Method, Settings, Unwatched, simulate_with};
use kingpin::system::State;

/// The methods that solve for stages.
fn implicit() -> impl Iterator<Item = Method> {
    Method::ALL.into_iter().filter(|method| !method.is_explicit() && *method != Method::Auto)
}

fn distance(a: &State, b: &State) -> f64 {
    a.q.iter().zip(&b.q).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs() / (1.0 + b.abs())))
}

#[test]
fn every_shipped_model_moves_the_same_way() {
    let tol = 1e-5;
    // those of rigid bodies: beams ring, and methods whose stages have a low order follow that in long runs
    for (name, t_end) in MODELS.into_iter().filter(|(_, t_end)| *t_end > 5e-3) {
        let ready = Ready::shipped(name);
        let frames = |method: Method, coordinates: Coordinates| {
            let (mut frames, h) = (Frames::default(), method.has_fixed_step().then_some(t_end / 200.0));
            let frame = Some(t_end / 5.0);
            let settings = Settings { method, coordinates, frame, h, ..Settings::new(tol, t_end) };
            ready.run_with(&settings, &mut frames);
            frames.0
        };
        for method in [Method::SspTrap, Method::InflSdirk, Method::ForSdirk, Method::ForRosen]
            .into_iter()
            .chain([Method::Esdirk, Method::Radau])
        {
            let [own, other] = [Coordinates::Tangent, Coordinates::Partition].map(|c| frames(method, c));
            assert_eq!(own.len(), other.len());
            let far = own.iter().zip(&other).map(|(a, b)| distance(a, b)).fold(0.0, f64::max);
            assert!(far < 100.0 * tol, "{name} by {}: {far:e}", method.name());
        }
    }
}

/// Dense matrices of a basis of the plane and sparse ones without any: a step is the same but for what iterations leave and
/// for rounding errors.
#[test]
fn a_basis_of_the_plane_changes_no_step() {
    for name in ["four_bar.toml", "andrews.toml", "hmmwv14.toml", "double_pendulum_stiff.toml"] {
        let ready = Ready::shipped(name);
        let h = 1e-4;
        for method in implicit().filter(|method| method.has_fixed_step()) {
            let end = |matrices: Matrices| {
                let coordinates = Coordinates::Tangent;
                let own = Settings { method, matrices, coordinates, h: Some(h), ..Settings::new(1e-10, h) };
                ready.run_with(&own, &mut Unwatched).state
            };
            let far = distance(&end(Matrices::Dense), &end(Matrices::Sparse));
            assert!(far < 1e-13, "{name} by {}: {far:e}", method.name());
        }
    }
}

/// Three and more times in a revolution, whatever the method.
#[test]
fn planes_are_laid_anew() {
    let ready = Ready::text(FOUR_BAR);
    let coordinates = Coordinates::Tangent;
    for method in implicit().filter(|method| !method.has_fixed_step()) {
        let settings = Settings { method, coordinates, ..Settings::new(1e-4, 0.5) };
        let run = ready.run_with(&settings, &mut Unwatched);
        assert!((7..12).contains(&run.repartitions), "{}: {}", method.name(), run.repartitions);
    }
}

/// Whoever asks for a partition gets dense matrices.
#[test]
fn partitions_have_dense_matrices() {
    let ready = Ready::shipped("chain50.toml");
    let mechanism = || Dynamics::new(&ready.system, &ready.redundant, Solver::Elimination);
    let of = |matrices, coordinates| Settings { matrices, coordinates, ..Settings::new(1e-3, 1e-3) };
    assert!(of(Matrices::Sparse, Coordinates::Auto).is_sparse(&mechanism()));
    assert!(of(Matrices::Sparse, Coordinates::Tangent).is_sparse(&mechanism()));
    assert!(!of(Matrices::Auto, Coordinates::Partition).is_sparse(&mechanism()));
    assert!(!of(Matrices::Dense, Coordinates::Tangent).is_sparse(&mechanism()));
    // a mechanism whose matrices are predicted to be sparse
    let long = Ready::text(&crate::motion::iterations::chain(150));
    let mechanism = || Dynamics::new(&long.system, &long.redundant, Solver::Elimination);
    assert!(of(Matrices::Auto, Coordinates::Auto).is_sparse(&mechanism()));
    assert!(!of(Matrices::Auto, Coordinates::Partition).is_sparse(&mechanism()));
    let settings = Settings { method: Method::SspTrap, ..of(Matrices::Auto, Coordinates::Partition) };
    let run = simulate_with(mechanism(), &long.start, &settings, &mut Unwatched);
    assert_eq!(run.state.t, settings.t_end);
}
