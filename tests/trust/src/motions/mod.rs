//! The list of reference motions: one file a family, one line each.

use crate::motion::Motion;

macro_rules! families {
    ($($name:ident: $about:literal,)*) => {
        $(mod $name;)*

        /// The families: name, what they hold, their motions.
        pub const FAMILIES: &[(&str, &str, fn() -> Vec<Motion>)] =
            &[$((stringify!($name), $about, $name::motions)),*];
    };
}

families! {
    free_body: "a body that nothing holds, spinning about a principal axis",
    tumbling: "bodies that nothing holds, tumbling: elliptic functions",
    tops: "heavy and sleeping tops: Euler's angles",
    rotor: "an unbalanced rotor on soft and stiff bushings",
    hinge_turns: "a hinge with a spring on its angle, up to ten thousand turns",
    oscillators: "springs and masses from 1 nm to 1 km, from microseconds to hours",
    idle: "a tumbling body among flywheels at rest",
    pulses: "forces that act for a moment, in time",
    places: "forces that act in a place",
    roads: "bumps under a tyre",
    jumps: "drivers that jump, in velocity and in position",
    parallelogram: "a parallelogram through its flat positions",
    stiff_spin: "stiff mechanisms that spin",
}

/// The motions of a family.
pub fn family(name: &str) -> Vec<Motion> {
    FAMILIES.iter().filter(|(known, ..)| *known == name).flat_map(|(.., motions)| motions()).collect()
}

/// All motions.
pub fn all() -> Vec<Motion> {
    FAMILIES.iter().flat_map(|(.., motions)| motions()).collect()
}
