//! Flexible bodies from the superelements of a model.

use super::Inertia;
use crate::element::floating::FloatingBody;
use crate::model::Model;
use std::sync::Arc;

/// Flexible bodies of a model that is known to be sound.
pub(super) fn compiled(model: &Model) -> Vec<FloatingBody> {
    let parts = model.made.iter().flat_map(|made| &made.flexible);
    let body = |(own, part): (&crate::model::Superelement, &crate::model::FlexiblePart)| {
        let (fields, reduced) = (&own.fields, own.reduced.as_ref()?);
        let constants = reduced.constants(model.space, fields.damping, fields.foreshortening.unwrap_or(true));
        Some(FloatingBody {
            name: fields.name.clone(),
            frame: part.bodies.start,
            amplitudes: part.amplitudes().collect(),
            interfaces: part.held().collect(),
            joints: part.joints.clone(),
            constants: Arc::new(constants),
        })
    };
    model.superelements.iter().zip(parts).filter_map(body).collect()
}

/// Amplitudes weigh nothing: the frame follows the centre of mass.
pub(super) fn unweighed(bodies: &[FloatingBody], mut inertia: Vec<Inertia>) -> Vec<Inertia> {
    bodies.iter().flat_map(|body| &body.amplitudes).for_each(|&node| inertia[node].weight = 0.0);
    inertia
}
