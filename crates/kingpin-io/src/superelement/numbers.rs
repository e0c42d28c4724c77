//! From a reduced body of a mesh to that of a model.

use kingpin::element::floating::Foreshortening;
use kingpin::model::{ReducedBody, ReducedInterface};
use kingpin_flex::reduce::{Floating, FloatingFrame};

/// The numbers that a model has of a body, without what is drawn.
pub(super) fn body(own: &Floating, nodes: usize) -> ReducedBody {
    let interface = |frame: &FloatingFrame| ReducedInterface {
        name: frame.name.clone(),
        point: !frame.turns,
        place: frame.place,
        axes: None,
        mass: frame.mass,
        inertia: frame.inertia,
        motion: frame.motion.column_iter().map(|column| std::array::from_fn(|k| column[k])).collect(),
    };
    ReducedBody {
        mass: own.mass,
        centre: own.centre,
        inertia: own.inertia,
        masses: own.masses.clone(),
        stiffness: own.stiffness.clone(),
        damping: own.damping.as_slice().to_vec(),
        first: own.first.clone(),
        second: own.second.clone(),
        turning: own.turning.clone(),
        foreshortening: own.foreshortening.as_ref().map(|(shortening, stretch)| Foreshortening {
            shortening: shortening.as_slice().to_vec(),
            stretch: stretch.as_slice().to_vec(),
        }),
        interfaces: own.frames.iter().map(interface).collect(),
        hertz: own.hertz.clone(),
        nodes,
        whole_mass: own.whole_mass,
        surface: None,
    }
}
