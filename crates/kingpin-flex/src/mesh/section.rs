//! Materials and extents of elements.

use crate::FlexError;

/// An isotropic material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density, kg/m^3.
    pub density: f64,
}

impl Material {
    /// A material of these numbers.
    pub fn new(name: &str, young: f64, poisson: f64, density: f64) -> Material {
        Material { name: name.into(), young, poisson, density }
    }
}

/// A material with the extent that elements do not have by their nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// What it is of.
    pub material: Material,
    /// Thickness of membranes, area of bars.
    pub extent: f64,
}

impl Section {
    /// Of elements that have a volume.
    pub fn solid(material: Material) -> Section {
        Section { material, extent: 1.0 }
    }

    /// Of membranes of a thickness, or bars of an area.
    pub fn of_extent(material: Material, extent: f64) -> Section {
        Section { material, extent }
    }

    /// Checks that all numbers are those of a body.
    pub(crate) fn check(&self) -> Result<(), FlexError> {
        let Material { name, young, poisson, density } = &self.material;
        let finite = [*young, *poisson, *density, self.extent].iter().all(|x| x.is_finite());
        let wants = if !finite {
            "all numbers must be finite"
        } else if *young <= 0.0 {
            "Young's modulus must be positive"
        } else if *poisson <= -1.0 || *poisson >= 0.5 {
            "Poisson's ratio must lie between -1 and 0.5"
        } else if *density <= 0.0 {
            "the density must be positive"
        } else if self.extent <= 0.0 {
            "thickness or area must be positive"
        } else {
            return Ok(());
        };
        Err(FlexError::BadSection { material: name.clone(), wants })
    }
}
