//! Names: no two channels share one.

use crate::channels::SPACES;
use crate::channels::common::{Random, random_ends, random_values};
use kingpin::accel::Accelerations;
use kingpin::element::force::{ForceKind, Spring};
use kingpin::element::joint::{JointKind, PinInSlot, Revolute};
use kingpin::element::measure::MeasuredAngle;
use kingpin::model::{Body, Ends, Model, Space, Subject};
use kingpin::results::{Channels, Group};
use kingpin::system::System;

#[test]
fn equal_names_of_different_items_are_told_apart() {
    let mut model = Model::new("arm", Space::Planar);
    model.body(Body::planar("arm", 1.0, 1.0));
    model.joint("arm", Ends::at("ground", "arm", [0.0; 3]), Revolute {});
    let slot = Ends::at("ground", "arm", [1.0, 0.0, 0.0]).axis([1.0, 0.0, 0.0]);
    model.joint("energy", slot, PinInSlot {});
    let spring = Spring { stiffness: 1.0, ..Spring::default() };
    model.force("m", Ends::points("ground", [0.0, 2.0, 0.0], "arm", [1.0, 0.0, 0.0]), spring);
    model.measure("m", Ends::default(), MeasuredAngle { joint: "arm".into() });
    let (system, _) = System::compile(&model).expect("valid");
    let channels = Channels::new(&system);
    let index = |name: &str| channels.find(name).unwrap_or_else(|| panic!("no channel {name}"));
    let of = |name: &str| channels.list()[index(name)].subject.clone();
    assert_eq!(of("arm.angle"), Subject::Body(0));
    assert_eq!(of("joint.arm.angle"), Subject::Joint(0));
    assert_eq!(of("joint.arm.fx"), Subject::Joint(0));
    assert_eq!(of("m.rate"), Subject::Force(0));
    assert_eq!(of("measure.m"), Subject::Measure(0));
    assert_eq!(of("measure.m.rate"), Subject::Measure(0));
    assert_eq!(of("energy.total"), Subject::Model);
    assert_eq!(channels.find("arm.fx"), None);
    assert_eq!(channels.closest("arm.omga"), Some("arm.omega"));
    let groups: Vec<Group> = channels.list().iter().map(|c| c.group).collect();
    assert_eq!(groups[..3], [Group::Position, Group::Position, Group::Orientation]);
}

/// Every kind of element has channels with names of their own and finite numbers.
#[test]
fn every_force_and_joint_has_distinct_channels() {
    for space in SPACES {
        let mut random = Random::new(29);
        let mut model = crate::channels::common::base_model(space, &mut random);
        for entry in JointKind::LIST.iter().filter(|e| (e.blank)().element().spaces().contain(space)) {
            let mut values = random_values((entry.fields)(), space, &mut random);
            let kind = (entry.build)(&mut values).expect("all fields");
            let ends = random_ends(kind.element().ends(), ["a", "b"], space, &mut random);
            model.joint(&format!("joint_{}", entry.tag), ends, kind);
        }
        for entry in ForceKind::LIST {
            let mut values = random_values((entry.fields)(), space, &mut random);
            crate::channels::common::seat_actuator(entry.tag, &mut values, &mut random);
            let kind = (entry.build)(&mut values).expect("all fields");
            let on_joint = kind.values().iter().any(|(name, _)| *name == "joint");
            let ends = if on_joint {
                Ends::default()
            } else {
                random_ends(kind.element().ends(), ["a", "c"], space, &mut random)
            };
            model.force(&format!("force_{}", entry.tag), ends, kind);
        }
        let (system, _) = System::compile(&model).unwrap_or_else(|findings| panic!("{findings:?}"));
        let channels = Channels::new(&system);
        for (k, channel) in channels.list().iter().enumerate() {
            assert_eq!(channels.find(&channel.name), Some(k), "{}", channel.name);
            assert!(!channel.about.is_empty());
        }
        for entry in ForceKind::LIST {
            let name = format!("force_{}.", entry.tag);
            assert!(channels.list().iter().any(|c| c.name.starts_with(&name)), "{name}");
        }
        let mut work = system.work();
        system.set_state(&mut work, &system.given);
        system.evaluate_constraints(&mut work);
        system.evaluate_forces(&mut work);
        let acc =
            Accelerations { acc: vec![0.1; system.velocities()], lam: vec![0.2; system.joint_equations()] };
        let mut out = vec![f64::NAN; channels.len()];
        channels.fill(&system, &work, &acc, &mut out);
        for (channel, x) in channels.list().iter().zip(&out) {
            assert!(x.is_finite(), "{}", channel.name);
        }
    }
}
