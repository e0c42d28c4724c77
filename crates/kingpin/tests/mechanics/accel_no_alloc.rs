//! From positions and velocities to accelerations nothing is allocated, whatever the elements and the solver.
use crate::common;

use common::{Random, base_model, random_body, random_ends, random_values};
use kingpin::accel::{Accelerator, Solver};
use kingpin::analysis::assemble;
use kingpin::element::driver::DriverKind;
use kingpin::element::force::{ForceKind, Spring};
use kingpin::element::joint::{Distance, JointKind, Revolute};
use kingpin::element::road::FlatRoad;
use kingpin::model::value::Value;
use kingpin::model::{Ends, EndsKind, Model, Space};
use kingpin::results::Channels;
use kingpin::system::System;
use kingpin_testing::counting::allocations;

const SPACES: [Space; 2] = [Space::Planar, Space::Spatial];

/// Evaluation of a model as described; it need not fit together.
fn evaluation_allocates_nothing(what: &str, model: &Model) {
    let (system, _) = System::compile(model).unwrap_or_else(|findings| panic!("{what}: {findings:?}"));
    let mut work = system.work();
    let state = system.given.clone();
    let count = allocations(|| {
        system.set_state(&mut work, &state);
        system.evaluate_constraints(&mut work);
        system.evaluate_forces(&mut work);
    });
    assert_eq!(count, 0, "{what}");
}

#[test]
fn the_counter_counts() {
    assert!(allocations(|| drop(std::hint::black_box(vec![0u8; 100]))) > 0);
}

#[test]
fn every_joint() {
    for space in SPACES {
        for entry in JointKind::LIST {
            if !(entry.blank)().element().spaces().contain(space) {
                continue;
            }
            let mut random = Random::new(17);
            let mut model = base_model(space, &mut random);
            let kind =
                (entry.build)(&mut random_values((entry.fields)(), space, &mut random)).expect("all fields");
            let ends = random_ends(kind.element().ends(), ["a", "b"], space, &mut random);
            model.joint("element", ends, kind);
            evaluation_allocates_nothing(&format!("joint {} ({space:?})", entry.tag), &model);
        }
    }
}

#[test]
fn every_driver() {
    for space in SPACES {
        for entry in DriverKind::LIST {
            let mut random = Random::new(23);
            let mut model = base_model(space, &mut random);
            let mut values = random_values((entry.fields)(), space, &mut random);
            for (_, value) in values.iter_mut().filter(|(name, _)| *name == "joint") {
                let joint = if entry.tag == "displacement" { "slide" } else { "hinge1" };
                *value = Value::Text(joint.into());
            }
            let kind = (entry.build)(&mut values).expect("all fields");
            let ends = random_ends(kind.element().ends(), ["c", "a"], space, &mut random);
            model.driver("element", ends, kind);
            evaluation_allocates_nothing(&format!("driver {} ({space:?})", entry.tag), &model);
        }
    }
}

#[test]
fn every_force() {
    for space in SPACES {
        for entry in ForceKind::LIST {
            let mut random = Random::new(31);
            let mut model = base_model(space, &mut random);
            model.road("road", FlatRoad::default());
            let mut values = random_values((entry.fields)(), space, &mut random);
            common::seat_actuator(entry.tag, &mut values, &mut random);
            let kind = (entry.build)(&mut values).expect("all fields");
            let on_joint = kind.values().iter().any(|(name, _)| *name == "joint");
            let ends = match kind.element().ends() {
                _ if on_joint => Ends::default(),
                EndsKind::One => random_ends(EndsKind::One, ["a", "b"], space, &mut random),
                other => random_ends(other, ["a", "c"], space, &mut random),
            };
            model.force("element", ends, kind);
            evaluation_allocates_nothing(&format!("force {} ({space:?})", entry.tag), &model);
        }
    }
}

/// A hub with arms, so that splitting pays; with `twice`, one arm hangs on two equal hinges.
fn star(space: Space, twice: bool) -> Model {
    let mut random = Random::new(5);
    let mut model = Model::new("star", space);
    model.body(random_body("hub", space, &mut random));
    let hinge = |ends: Ends, axis: [f64; 3]| if space == Space::Planar { ends } else { ends.axis(axis) };
    for k in 0..8 {
        let name = format!("arm{k}");
        model.body(random_body(&name, space, &mut random));
        let at = [random.signed(), random.signed(), 0.0];
        let ends = hinge(Ends::at("hub", &name, at), [0.3, 0.0, 1.0]);
        model.joint(&format!("pin{k}"), ends.clone(), Revolute {});
        if twice && k == 3 {
            model.joint("again", ends, Revolute {});
        }
    }
    model.joint(
        "rod",
        Ends::points("arm5", [0.1, 0.2, 0.0], "arm6", [0.3, -0.2, 0.0]),
        Distance { length: None },
    );
    let spring = Spring { stiffness: 50.0, damping: 3.0, ..Spring::default() };
    model.force("spring", Ends::points("arm1", [0.1, 0.2, 0.0], "ground", [3.0, 1.0, 0.0]), spring);
    model
}

#[test]
fn every_solver() {
    for space in SPACES {
        for twice in [false, true] {
            let (system, _) = System::compile(&star(space, twice)).expect("valid");
            let assembly = assemble(&system).expect("consistent");
            let redundant = &assembly.diagnosis.redundant_rows;
            assert_eq!(redundant.iter().any(|r| *r), twice);
            for method in Solver::ALL {
                let mut accelerator = Accelerator::new(&system, redundant, method);
                let (mut work, mut out) = (system.work(), accelerator.result());
                // the first call may settle the sizes of its scratch
                system.set_state(&mut work, &assembly.state);
                accelerator.evaluate(&system, &mut work, &mut out).expect("solved");
                let count = allocations(|| {
                    system.set_state(&mut work, &assembly.state);
                    accelerator.evaluate(&system, &mut work, &mut out).expect("solved");
                });
                assert_eq!(count, 0, "{} ({space:?}, redundant: {twice})", method.name());
                let count = allocations(|| {
                    system.set_state(&mut work, &assembly.state);
                    accelerator.accelerate(&system, &mut work, &mut out.acc).expect("solved");
                });
                assert_eq!(count, 0, "{} alone ({space:?}, redundant: {twice})", method.name());
                let channels = Channels::new(&system);
                let mut numbers = vec![0.0; channels.len()];
                let count = allocations(|| channels.fill(&system, &work, &out, &mut numbers));
                assert_eq!(count, 0, "channels ({space:?})");
            }
        }
    }
}
