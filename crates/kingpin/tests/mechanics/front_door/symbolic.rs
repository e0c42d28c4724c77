//! What is found out about a structure is found once.

use kingpin::prelude::*;
use kingpin::tally::{self, Tally};
use kingpin_io::ModelFile;

/// A run from the file to its results, and all that is asked of the mechanism afterwards.
fn counted(name: &str, method: Method) -> Tally {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    tally::take();
    let mechanism = ModelFile::new(path).mechanism().expect("a mechanism");
    let settings = Settings { method, t_end: 0.1, rtol: 1e-3, ..mechanism.settings() };
    let results = mechanism.simulate_with(&settings).expect("results");
    let state = &results.run().expect("a run").state;
    mechanism.values(state).expect("values");
    mechanism.motion_with(&settings).expect("a motion").step().expect("a step");
    mechanism.solver();
    tally::take()
}

#[test]
fn a_run_does_its_symbolic_work_once() {
    // the car starts at equilibrium and changes over to an implicit method; open chains need no order
    for (name, orders) in
        [("hmmwv14_stiff", 1), ("four_bar", 1), ("stewart", 1), ("chain50", 0), ("pendulum", 0)]
    {
        for method in [Method::Auto, Method::ForRosen, Method::Dopri5] {
            let found = counted(name, method);
            let Tally { compilations, trees, choices, .. } = found;
            assert_eq!((compilations, trees, choices), (1, 1, 1), "{name} {method:?}");
            assert!(found.orders <= orders.max(1), "{name} {method:?}: {found:?}");
        }
    }
}
