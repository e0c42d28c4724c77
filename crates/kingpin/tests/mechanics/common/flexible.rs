//! Flexible bodies with random numbers.

use super::{Random, planar};
use kingpin::element::floating::Foreshortening;
use kingpin::model::{
    Mat3, Orientation, ReducedBody, ReducedInterface, Space, Superelement, SuperelementFields, Vec3,
};
use std::sync::Arc;

fn symmetric(random: &mut Random) -> Mat3 {
    let half = Mat3::from_fn(|_, _| random.signed());
    half + half.transpose()
}

/// A body of so many amplitudes with two frames and a point, whose inertia changes by as much as `size` says.
pub fn random_reduced(space: Space, amplitudes: usize, size: f64, random: &mut Random) -> ReducedBody {
    let n = amplitudes;
    let root = Mat3::from_fn(|_, _| random.signed());
    let mut second = vec![Mat3::zeros(); n * n];
    let mut turning = vec![Vec3::zeros(); n * n];
    let mut shortening = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let own = symmetric(random) * size;
            (second[i * n + j], second[j * n + i]) = (own, own);
            let own = random.vec3() * size;
            let own = if i == j { Vec3::zeros() } else { own };
            (turning[i * n + j], turning[j * n + i]) = (own, -own);
            let own = random.signed();
            (shortening[i * n + j], shortening[j * n + i]) = (own, own);
        }
    }
    let mut interface = |name: &str, point: bool| ReducedInterface {
        name: name.into(),
        point,
        place: planar(random.vec3(), space),
        axes: None,
        mass: random.between(0.1, 0.5),
        inertia: if point { 0.0 } else { random.between(0.1, 0.5) },
        motion: (0..n).map(|_| std::array::from_fn(|_| random.signed())).collect(),
    };
    let mut interfaces = vec![interface("left", false), interface("right", false), interface("probe", true)];
    // of which one has other axes
    let axis = if space == Space::Planar { Vec3::z() } else { Vec3::new(1.0, -2.0, 0.5) };
    interfaces[1].axes = Orientation::AxisAngle { axis, angle: 0.8 }.matrix().ok();
    ReducedBody {
        mass: random.between(1.0, 3.0),
        centre: planar(random.vec3(), space),
        inertia: root * root.transpose() + Mat3::identity() * 2.0,
        masses: (0..n).map(|_| random.between(0.5, 2.0)).collect(),
        stiffness: (0..n).map(|_| random.between(1.0, 20.0)).collect(),
        damping: shortening.iter().map(|x| 0.1 * x).collect(),
        first: (0..n).map(|_| symmetric(random) * size).collect(),
        second,
        turning,
        foreshortening: Some(Foreshortening {
            shortening,
            stretch: (0..n).map(|_| random.signed()).collect(),
        }),
        interfaces,
        hertz: vec![1.0; n],
        nodes: 0,
        whole_mass: 4.0,
        surface: None,
    }
}

/// The same as an item of a model.
pub fn random_superelement(name: &str, reduced: ReducedBody, damping: f64) -> Superelement {
    let fields = SuperelementFields { name: name.into(), damping, ..SuperelementFields::default() };
    Superelement { fields, reduced: Some(Arc::new(reduced)) }
}
