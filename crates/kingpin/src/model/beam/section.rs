//! Stiffness and mass of a section.

use super::profile::{SectionProfile, profile};
use super::{Beam, BeamFault};
use crate::model::Space;
use crate::model::value::{Mat3, Vec3};
use nalgebra::Matrix6;

/// A matrix of a section: axial, shear y, shear z, torsion, bending about y, about z.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct SectionMatrix(pub [[f64; 6]; 6]);

impl SectionMatrix {
    /// Without couplings.
    pub fn diagonal(diagonal: [f64; 6]) -> SectionMatrix {
        let mut rows = [[0.0; 6]; 6];
        diagonal.into_iter().enumerate().for_each(|(k, x)| rows[k][k] = x);
        SectionMatrix(rows)
    }

    /// The rows and columns that models of a space use.
    pub fn used(space: Space) -> &'static [usize] {
        if space == Space::Planar { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] }
    }

    fn matrix(&self) -> Matrix6<f64> {
        Matrix6::from_fn(|i, j| self.0[i][j])
    }
}

/// A slice of a beam, per length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub stiffness: SectionMatrix,
    pub mass: f64,
    /// Its centre of mass, in the axes of the section.
    pub centre: Vec3,
    /// About the centre of mass.
    pub inertia: Mat3,
}

/// The slice of a beam at a place, or what is wrong with it.
pub(super) fn slice(beam: &Beam, space: Space, x: f64) -> Result<Slice, BeamFault> {
    let nu = poissons_ratio(beam)?;
    let profile = profile(beam, space, nu.unwrap_or(0.0), x)?;
    let stiffness = stiffness(beam, nu, profile.as_ref(), (space, x))?;
    let (mass, centre, inertia) = mass(beam, profile.as_ref(), space, x)?;
    if !definite(
        &Matrix6::from_fn(
            |i, j| if i < 3 || j < 3 { f64::from(u8::from(i == j)) } else { inertia[(i - 3, j - 3)] },
        ),
        space,
    ) {
        let field = if beam.mass_matrix.is_some() { "mass_matrix" } else { "rotary_inertia" };
        let message = "the rotary inertia of its section is not positive definite";
        return Err(BeamFault::new(field, message).hint("a section needs moments about all its axes"));
    }
    Ok(Slice { stiffness, mass, centre, inertia })
}

fn poissons_ratio(beam: &Beam) -> Result<Option<f64>, BeamFault> {
    match beam.poissons_ratio {
        Some(nu) if !(nu > -1.0 && nu <= 0.5) => {
            let message = format!("a Poisson's ratio of {nu} is not possible");
            Err(BeamFault::new("poissons_ratio", message)
                .hint("it must be between -1 and 0.5; about 0.3 for metals"))
        }
        given => Ok(given),
    }
}

fn stiffness(
    beam: &Beam,
    nu: Option<f64>,
    profile: Option<&SectionProfile>,
    (space, x): (Space, f64),
) -> Result<SectionMatrix, BeamFault> {
    let fault = BeamFault::new;
    match (&beam.stiffness, beam.youngs_modulus, profile) {
        (Some(_), Some(_), _) => {
            let message = "its stiffness is given twice, by `stiffness` and by `youngs_modulus`";
            Err(fault("youngs_modulus", message).hint("omit one of them"))
        }
        (Some(given), None, _) => {
            let own = given.at(x);
            let m = own.matrix();
            let asymmetry = (m - m.transpose()).amax();
            if asymmetry > 1e-9 * m.amax() {
                return Err(fault("stiffness", "the stiffness of its section is not symmetric"));
            }
            if !definite(&m, space) {
                let message = "the stiffness of its section is not positive definite";
                return Err(fault("stiffness", message)
                    .hint("every strain must require energy: check signs and couplings"));
            }
            Ok(own)
        }
        (None, Some(e), Some(profile)) => {
            let Some(nu) = nu else {
                let message = "its shear stiffness needs `poissons_ratio`";
                return Err(fault("youngs_modulus", message));
            };
            let g = e / (2.0 * (1.0 + nu));
            let SectionProfile { area, moments: [y, z], torsion, shear } = *profile;
            let shears = shear.map(|k| k * g * area);
            Ok(SectionMatrix::diagonal([e * area, shears[0], shears[1], g * torsion, e * y, e * z]))
        }
        (None, Some(_), None) => Err(fault("section", "it has a material but no section")
            .hint("give `section` with its sizes, or `area` and the second moments")),
        (None, None, _) => Err(fault("", "its stiffness is missing")
            .hint("give `stiffness`, or `youngs_modulus`, `poissons_ratio`, `density` and a `section`")),
    }
}

/// Mass per length, its centre and its inertia about that.
fn mass(
    beam: &Beam,
    profile: Option<&SectionProfile>,
    space: Space,
    x: f64,
) -> Result<(f64, Vec3, Mat3), BeamFault> {
    let fault = BeamFault::new;
    let ways = [beam.mass_matrix.is_some(), beam.mass_per_length.is_some(), beam.density.is_some()];
    if ways.into_iter().filter(|given| *given).count() > 1 {
        let field = if beam.mass_matrix.is_some() { "mass_matrix" } else { "mass_per_length" };
        let message = "its mass is given twice";
        return Err(fault(field, message).hint("give one of `mass_matrix`, `mass_per_length` and `density`"));
    }
    if let Some(given) = &beam.mass_matrix {
        return rigid_slice(&given.at(x).matrix(), space);
    }
    let of_profile = |profile: &SectionProfile, density: f64| {
        let [y, z] = profile.moments.map(|moment| density * moment);
        Mat3::from_diagonal(&Vec3::new(y + z, y, z))
    };
    match (&beam.mass_per_length, beam.density, profile) {
        (Some(mass), _, _) => {
            let m = mass.eval(&[x]);
            if !(m > 0.0 && m.is_finite()) {
                let message = format!("`mass_per_length` must be greater than zero, but is {m}");
                return Err(fault("mass_per_length", &message));
            }
            match (&beam.rotary_inertia, profile) {
                (Some(j), _) => Ok((m, Vec3::zeros(), Mat3::from_diagonal(j))),
                (None, Some(profile)) => Ok((m, Vec3::zeros(), of_profile(profile, m / profile.area))),
                (None, None) => Err(fault(
                    "mass_per_length",
                    "its section needs `rotary_inertia` in addition to its mass",
                )
                .hint("the moments of inertia per length: density times second moments of area")),
            }
        }
        (None, Some(density), Some(profile)) => {
            Ok((density * profile.area, Vec3::zeros(), of_profile(profile, density)))
        }
        (None, Some(_), None) => Err(fault("density", "it has a density but no section")),
        (None, None, _) => {
            Err(fault("", "its mass is missing").hint("give `density`, `mass_per_length` or `mass_matrix`"))
        }
    }
}

/// The slice whose mass matrix is given: [m, -m c~; m c~, J] with J about the axis of the beam.
fn rigid_slice(given: &Matrix6<f64>, space: Space) -> Result<(f64, Vec3, Mat3), BeamFault> {
    let complain = |message: &str| {
        let hint = "it is [m, -m c~; m c~, J] with one mass, the centre c and the moments J about the beam";
        Err(BeamFault::new("mass_matrix", message).hint(hint))
    };
    if (given - given.transpose()).amax() > 1e-9 * given.amax() {
        return complain("the mass matrix of its section is not symmetric");
    }
    let (m, size) = (given[(0, 0)], given.amax());
    if !definite(given, space) {
        return complain("the mass matrix of its section is not positive definite");
    }
    // in the plane y and z of the centre show in the column of the turn about z
    let centre = match space {
        Space::Planar => Vec3::new(given[(1, 5)], -given[(0, 5)], 0.0) / m,
        Space::Spatial => Vec3::new(given[(1, 5)], given[(2, 3)], given[(0, 4)]) / m,
    };
    let cross = centre.cross_matrix();
    let used = SectionMatrix::used(space);
    let expected = |i: usize, j: usize| match (i < 3, j < 3) {
        (true, true) => {
            if i == j {
                m
            } else {
                0.0
            }
        }
        (true, false) => -m * cross[(i, j - 3)],
        (false, true) => m * cross[(i - 3, j)],
        (false, false) => given[(i, j)],
    };
    let off = used.iter().flat_map(|i| used.iter().map(|j| (given[(*i, *j)] - expected(*i, *j)).abs()));
    if off.fold(0.0, f64::max) > 1e-9 * size {
        return complain("the mass matrix of its section is not that of a rigid slice");
    }
    let about_axis = given.fixed_view::<3, 3>(3, 3).into_owned();
    let shift = Mat3::identity() * centre.norm_squared() - centre * centre.transpose();
    Ok((m, centre, about_axis - shift * m))
}

/// Whether the part of a matrix that a space uses is positive definite.
fn definite(m: &Matrix6<f64>, space: Space) -> bool {
    let used = SectionMatrix::used(space);
    if used.iter().any(|k| !(m[(*k, *k)] > 0.0 && m[(*k, *k)].is_finite())) {
        return false;
    }
    // with ones on the diagonal, so that units do not matter
    let scaled =
        |i: usize, j: usize| m[(used[i], used[j])] / (m[(used[i], used[i])] * m[(used[j], used[j])]).sqrt();
    let n = used.len();
    let matrix = nalgebra::DMatrix::from_fn(n, n, scaled);
    matrix.symmetric_eigenvalues().iter().all(|x| *x > 1e-12)
}
