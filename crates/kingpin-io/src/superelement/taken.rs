//! Beams and bars of a model that a superelement is made of.

use super::MeshFault;
use crate::source::SourceMap;
use crate::suggest::suggest;
use kingpin::element::force::ForceKind;
use kingpin::element::joint::JointKind;
use kingpin::model::{Beam, Ends, Finding, Model, Severity, Subject, SuperelementFields};

/// What a superelement takes out of a model, by numbers that increase.
#[derive(Default)]
pub(super) struct Taken {
    pub beams: Vec<usize>,
    pub forces: Vec<usize>,
    pub joints: Vec<usize>,
}

/// The body that a name of a marker or body stands for.
fn body<'a>(model: &'a Model, marker: &'a Option<String>, body: &'a Option<String>) -> Option<&'a str> {
    let of = |name: &String| model.markers.iter().find(|own| own.name == *name);
    marker.as_ref().and_then(of).map(|own| own.body.as_str()).or(body.as_deref())
}

/// Names of the bodies at two ends.
fn ends<'a>(model: &'a Model, ends: &'a Ends) -> [Option<&'a str>; 2] {
    [body(model, &ends.marker1, &ends.body1), body(model, &ends.marker2, &ends.body2)]
}

/// What a beam has that is lost where it is reduced.
fn unfit(beam: &Beam) -> Option<&'static str> {
    if beam.damping != 0.0 {
        Some("has `damping`: give the damping of the modes of the superelement instead")
    } else if !beam.load.is_zero() || !beam.follower_load.is_zero() {
        Some(
            "has a load along its length, which superelements do not support: apply forces to its \
             interfaces",
        )
    } else if beam.velocity.norm() + beam.angular_velocity.norm() != 0.0 {
        Some("has a velocity: give the velocity of the superelement instead")
    } else {
        None
    }
}

impl Taken {
    /// What `of` names, and the fixed joints between these beams.
    pub fn of(model: &Model, fields: &SuperelementFields) -> Result<Taken, MeshFault> {
        let fault = |message: String| MeshFault::new("of", message);
        let mut taken = Taken::default();
        for name in &fields.of {
            let beam = model.beams.iter().position(|own| own.name == *name);
            let force = model.forces.iter().position(|own| own.name == *name);
            match (beam, force) {
                (Some(k), _) if !taken.beams.contains(&k) => taken.beams.push(k),
                (None, Some(k)) if !taken.forces.contains(&k) => taken.forces.push(k),
                (None, None) => {
                    let all = model.beams.iter().map(|own| own.name.as_str());
                    let all: Vec<&str> =
                        all.chain(model.forces.iter().map(|own| own.name.as_str())).collect();
                    let message = format!("there is no beam or bar called `{}`", name.escape_debug());
                    return Err(MeshFault { hint: suggest(name, all), ..fault(message) });
                }
                _ => return Err(fault(format!("`{name}` is named twice"))),
            }
        }
        if taken.beams.is_empty() {
            return Err(fault(format!("`{}` contains no beam", fields.name))
                .hint("list beams of the model; structures of bars only need a mesh"));
        }
        for &k in &taken.beams {
            if let Some(why) = unfit(&model.beams[k]) {
                return Err(fault(format!("`{}` {why}", model.beams[k].name)));
            }
        }
        let inside = |name: Option<&str>| {
            let whole = name.and_then(|name| name.rsplit_once('.')).map(|(whole, _)| whole);
            whole.is_some_and(|whole| taken.beams.iter().any(|&k| model.beams[k].name == whole))
        };
        for &k in &taken.forces {
            let force = &model.forces[k];
            let ForceKind::Bar(bar) = &force.kind else {
                let message = format!(
                    "`{}` is a {}, which cannot be part of a superelement",
                    force.name,
                    force.kind.tag()
                );
                return Err(fault(message).hint("superelements can contain beams and bars"));
            };
            if !ends(model, &force.ends).into_iter().all(inside) {
                return Err(fault(format!(
                    "bar `{}` does not connect beams of the superelement",
                    force.name
                ))
                .hint("add its beams to `of`, or remove the bar from it"));
            }
            if bar.axial_damping != 0.0 {
                let message = format!("bar `{}` has `axial_damping`", force.name);
                return Err(fault(message).hint("give the damping of the modes of the superelement instead"));
            }
        }
        let within = |joint: &kingpin::model::Joint| {
            matches!(joint.kind, JointKind::Fixed(_)) && ends(model, &joint.ends).into_iter().all(inside)
        };
        taken.joints = (0..model.joints.len()).filter(|&k| within(&model.joints[k])).collect();
        taken.beams.sort_unstable();
        taken.forces.sort_unstable();
        Ok(taken)
    }

    /// A model of what is taken alone.
    pub fn model(&self, from: &Model) -> Model {
        let mut own = Model::new(&from.name, from.space);
        own.beams = self.beams.iter().map(|&k| from.beams[k].clone()).collect();
        own.forces = self.forces.iter().map(|&k| from.forces[k].clone()).collect();
        own.joints = self.joints.iter().map(|&k| from.joints[k].clone()).collect();
        let held = |name: &str| own.beams.iter().any(|beam| name.starts_with(&format!("{}.", beam.name)));
        own.markers = from.markers.iter().filter(|marker| held(&marker.body)).cloned().collect();
        own
    }

    /// Errors about items of that model as errors about those of the model they were taken from.
    pub fn told(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let number = |subject: Subject| match subject {
            Subject::Beam(k) => Subject::Beam(self.beams[k]),
            Subject::Force(k) if k < self.forces.len() => Subject::Force(self.forces[k]),
            Subject::Joint(k) if k < self.joints.len() => Subject::Joint(self.joints[k]),
            other => other,
        };
        let errors = findings.into_iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|own| Finding { subject: number(own.subject), related: None, ..own }).collect()
    }

    /// Something that is taken twice, by its name.
    pub fn shared<'m>(&self, other: &Taken, model: &'m Model) -> Option<&'m str> {
        let beam = self.beams.iter().find(|k| other.beams.contains(k)).map(|&k| &model.beams[k].name);
        let force = || self.forces.iter().find(|k| other.forces.contains(k)).map(|&k| &model.forces[k].name);
        beam.or_else(force).map(String::as_str)
    }

    /// Adds what another takes.
    pub fn join(&mut self, other: Taken) {
        self.beams.extend(other.beams);
        self.forces.extend(other.forces);
        self.joints.extend(other.joints);
    }

    /// Takes it out of a model and the map of its places.
    pub fn remove(&self, model: &mut Model, map: &mut SourceMap) {
        fn without<T>(
            items: &mut Vec<T>,
            numbers: &[usize],
            (map, subject): (&mut SourceMap, fn(usize) -> Subject),
        ) {
            let kept = |k: usize| !numbers.contains(&k);
            map.keep_items(&subject(0), kept);
            let mut number = 0..;
            items.retain(|_| number.next().is_some_and(kept));
        }
        without(&mut model.beams, &self.beams, (map, Subject::Beam));
        without(&mut model.forces, &self.forces, (map, Subject::Force));
        without(&mut model.joints, &self.joints, (map, Subject::Joint));
    }
}
