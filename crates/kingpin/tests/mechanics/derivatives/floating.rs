//! The same for flexible bodies in floating frames: of several amplitudes, damped and not, with and without what bending
//! shortens; beside a rigid body.

use super::common::flexible::{random_reduced, random_superelement};
use super::common::{Random, random_body};
use super::{SPACES, gauntlet_of};
use kingpin::model::Model;

const STATES: usize = 12;

#[test]
fn every_number_of_amplitudes() {
    for space in SPACES {
        for amplitudes in [1, 2, 5] {
            let mut random = Random::new(71 + amplitudes as u64);
            let what = format!("flexible body of {amplitudes} amplitudes ({space:?})");
            gauntlet_of(STATES, &what, &mut random, |random| {
                let mut model = Model::new("flexible", space);
                model.body(random_body("rigid", space, random));
                let reduced = random_reduced(space, amplitudes, 1.0, random);
                let damping = [0.0, random.between(0.1, 1.0)][random.below(2)];
                let mut own = random_superelement("arm", reduced, damping);
                own.fields.foreshortening = Some(random.below(3) > 0);
                model.superelement(own);
                model
            });
        }
    }
}
