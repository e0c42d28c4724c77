//! Models broken at random, in process: read, compiled, assembled, and twenty steps taken. Whatever is in the files,
//! there is a result or there are messages: no panic, no endless work, no more memory than a gigabyte.
//!
//! Every trial has a number of its own, from which its model is made. `KINGPIN_TRIALS` says how many there shall be
//! (ten thousand if it is absent), `KINGPIN_FIRST` the number of the first: with `KINGPIN_TRIALS=1` a trial is
//! repeated, and `KINGPIN_SHOW=1` shows its model. With `KINGPIN_WATCH=1` a trial that takes more than ten seconds of
//! processor time ends the program; without it nothing depends on the clock.

mod mutate;
mod random;
mod shelf;
mod trial;
mod watch;

use kingpin_testing::counting;
use random::Random;
use shelf::Shelf;
use std::panic::{AssertUnwindSafe, catch_unwind};
use trial::Reached;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn no_broken_model_ends_in_a_panic() {
    let shelf = Shelf::new();
    let (first, trials) = (number("KINGPIN_FIRST", 1), number("KINGPIN_TRIALS", 10_000));
    let (show, watching) = (number("KINGPIN_SHOW", 0) > 0, number("KINGPIN_WATCH", 0) > 0);
    counting::limit(1 << 30, || watch::give_up("needs more than a gigabyte"));
    if watching {
        watch::start();
    }
    let mut reached = [0u64; Reached::COUNT];
    let mut failed = Vec::new();
    for trial in first..first + trials {
        watch::begin(trial);
        let mut random = Random::new(trial);
        let model = mutate::model(&shelf, &mut random);
        if show {
            println!(
                "{}",
                model.texts.iter().map(|(name, text)| format!("# {name}\n{text}")).collect::<String>()
            );
        }
        match catch_unwind(AssertUnwindSafe(|| trial::run(&model, &mut random))) {
            Ok(how_far) => reached[how_far as usize] += 1,
            Err(_) => {
                println!("trial {trial} panicked: repeat with KINGPIN_FIRST={trial} KINGPIN_TRIALS=1");
                failed.push(trial);
            }
        }
        if (trial - first + 1).is_multiple_of(100_000) || failed.len() > 20 {
            println!(
                "{} trials, {} panics, at most {} MB",
                trial - first + 1,
                failed.len(),
                counting::peak() >> 20
            );
        }
        if failed.len() > 20 {
            break;
        }
    }
    watch::end();
    let [refused, compiled, assembled, moved] = reached;
    println!(
        "{trials} trials from {first} on: {refused} refused by the reader, {compiled} compiled, {assembled} assembled, \
         {moved} moved; at most {} MB",
        counting::peak() >> 20
    );
    assert!(failed.is_empty(), "{} trials panicked: {failed:?}", failed.len());
    // all kinds must be there, or the test tests nothing
    if trials >= 1000 {
        assert!(
            refused * 2 > trials / 2 && assembled + moved > trials / 50 && moved > trials / 100,
            "{reached:?}"
        );
    }
}
