//! A method whose memory goes through bytes between any two steps does what it would have done.

use crate::checkpoints::van_der_pol::{END, START, VanDerPol};
use kingpin::integrate::{
    Adams, Control, Dop853, Dopri5, FirstOrder, GeneralisedAlpha, HilberHughesTaylor, Memory, Norm,
    Rosenbrock, Sdirk15, Sdirk16, Snapshot, Stepper, Tolerance, Trapezoidal,
};

/// Times and states after all steps, with the memory moved into a new method after every `every`-th of them.
fn path<P, S: Stepper<P> + Snapshot>(make: impl Fn() -> S, problem: &mut P, every: usize) -> Vec<u64>
where
    S::Error: std::fmt::Debug,
{
    let (mut stepper, mut path, mut steps) = (make(), Vec::new(), 0);
    while !stepper.finished() {
        let report = stepper.step(problem).unwrap();
        steps += 1;
        path.extend([report.t.to_bits(), report.error.to_bits(), stepper.proposal().to_bits()]);
        path.extend(stepper.state().iter().map(|x| x.to_bits()));
        // every third step, as a projection would
        if steps % 3 == 0 {
            let y: Vec<f64> = stepper.state().iter().map(|x| x * (1.0 + 1e-14)).collect();
            stepper.replace_state(&y);
        }
        if steps % every == 0 {
            let mut memory = Memory::default();
            memory.keep("stepper", &stepper);
            stepper = make();
            assert_eq!(memory.recall("stepper", &mut stepper), Ok(true));
        }
    }
    path
}

fn check<P, S: Stepper<P> + Snapshot>(name: &str, make: impl Fn() -> S, problem: &mut P)
where
    S::Error: std::fmt::Debug,
{
    let whole = path(&make, problem, usize::MAX);
    assert!(whole.len() > 500, "{name}");
    for every in [1, 2, 7] {
        assert!(path(&make, problem, every) == whole, "{name}, saved after every {every} steps");
    }
}

#[test]
fn every_method_remembers_all_that_it_needs() {
    let (mut problem, norm) = (VanDerPol, Norm::uniform(2, Tolerance::both(1e-5)));
    let control = Control::default();
    macro_rules! implicit {
        ($($method:ident),*) => {$(
            let make = || $method::new(norm.clone(), control, 0.0, &START, END);
            check(stringify!($method), make, &mut problem);
        )*};
    }
    implicit!(Trapezoidal, GeneralisedAlpha, Sdirk15, Sdirk16, Rosenbrock);
    let fixed = Control::fixed(0.01);
    check("HHT", || HilberHughesTaylor::new(norm.clone(), fixed, 0.0, &START, END), &mut problem);
    // linearisations are kept for long
    let lazy = || Sdirk16::new(norm.clone(), control, 0.0, &START, END).with_reuse(0.3);
    check("lazy Sdirk16", lazy, &mut problem);
    let mut first = FirstOrder(&mut problem);
    check("Adams", || Adams::new(norm.clone(), control, 0.0, &START, END), &mut first);
    check("Dopri5", || Dopri5::new(norm.clone(), None, 0.0, &START, END), &mut first);
    check("Dop853", || Dop853::new(norm.clone(), None, 0.0, &START, END), &mut first);
}
