//! The numbers of a reduced body.

use crate::element::floating::{FloatingConstants, Foreshortening};
use crate::model::Space;
use crate::model::value::{Mat3, Vec3};
use crate::spatial::{M3, V3};

/// A flexible body as plain numbers: displacements are `F z` in a frame that follows it in the mean. Fields F are at right
/// angles to rigid motions and to each other, in the metric of the mass that is left of it without its interfaces.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ReducedBody {
    /// Mass, without what is at the interfaces.
    pub mass: f64,
    /// Its centre, in the axes of the mesh.
    pub centre: Vec3,
    /// Inertia about the centre.
    pub inertia: Mat3,
    /// Mass of each amplitude.
    pub masses: Vec<f64>,
    /// Stiffness of each amplitude.
    pub stiffness: Vec<f64>,
    /// Damping between amplitudes, if all modes of the free body are critically damped.
    pub damping: Vec<f64>,
    /// How each amplitude changes the inertia about the centre.
    pub first: Vec<Mat3>,
    /// Half of how two change it, all of the first, then those of the next.
    pub second: Vec<Mat3>,
    /// Angular momentum about the centre by an amplitude and the rate of another.
    pub turning: Vec<Vec3>,
    /// How bending shortens it.
    pub foreshortening: Option<Foreshortening>,
    /// Its interfaces.
    pub interfaces: Vec<ReducedInterface>,
    /// Frequencies of the free body in Hz, one for each amplitude.
    pub hertz: Vec<f64>,
    /// Nodes of the structure that it was reduced from.
    pub nodes: usize,
    /// Mass in all.
    pub whole_mass: f64,
    /// What is drawn of it.
    pub surface: Option<ReducedSurface>,
}

/// Triangles on the surface of a body, and what a unit of each amplitude does to their corners; in the axes of the mesh.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ReducedSurface {
    /// Corners, in m.
    pub points: Vec<[f32; 3]>,
    /// Numbers of corners, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Displacements of all corners, a list for each amplitude.
    pub shapes: Vec<Vec<[f32; 3]>>,
    /// Stresses xx, yy, zz, xy, yz and zx at all corners, in Pa/m, a list for each amplitude; none if they would take too
    /// much room.
    pub stresses: Vec<Vec<[f32; 6]>>,
}

/// A frame, or a point, that others hold.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ReducedInterface {
    /// Its name.
    pub name: String,
    /// Whether it is a point, which has no axes.
    pub point: bool,
    /// Where it is in the undeformed body, in the axes of the mesh.
    pub place: Vec3,
    /// Its axes at rest, if they are others than those of the mesh.
    pub axes: Option<Mat3>,
    /// The mass it has of the body.
    pub mass: f64,
    /// The inertia it has of the body, the same about all axes; none for a point.
    pub inertia: f64,
    /// Displacement and turn by each amplitude.
    pub motion: Vec<[f64; 6]>,
}

fn matrix(of: &Mat3, space: Space) -> M3 {
    if space == Space::Planar {
        return [[of[(2, 2)], 0.0, 0.0], [0.0; 3], [0.0; 3]];
    }
    std::array::from_fn(|i| std::array::from_fn(|j| of[(i, j)]))
}

fn vector(of: &Vec3, space: Space) -> V3 {
    if space == Space::Planar { [of.z, 0.0, 0.0] } else { (*of).into() }
}

impl ReducedBody {
    /// How many amplitudes it has.
    pub fn amplitudes(&self) -> usize {
        self.masses.len()
    }

    /// Constants in the layout of a space. The nodes have half of the inertia and of the masses of amplitudes.
    pub(crate) fn constants(&self, space: Space, damping: f64, shortens: bool) -> FloatingConstants {
        FloatingConstants {
            inertia: matrix(&(self.inertia * 0.5), space),
            masses: self.masses.iter().map(|m| 0.5 * m).collect(),
            first: self.first.iter().map(|own| matrix(own, space)).collect(),
            second: self.second.iter().map(|own| matrix(own, space)).collect(),
            turning: self.turning.iter().map(|own| vector(own, space)).collect(),
            stiffness: self.stiffness.clone(),
            damping: self.damping.iter().map(|c| damping * c).collect(),
            foreshortening: self.foreshortening.clone().filter(|_| shortens),
        }
    }
}
