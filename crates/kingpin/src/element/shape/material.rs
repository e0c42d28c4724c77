//! Materials by name, for the mass of bodies.

/// A material: its name, its density in kg/m^3, and a word on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Its name in model files.
    pub name: &'static str,
    /// kg/m^3 at room temperature.
    pub density: f64,
    /// What is meant.
    pub about: &'static str,
}

const fn material(name: &'static str, density: f64, about: &'static str) -> Material {
    Material { name, density, about }
}

/// All of them.
pub const MATERIALS: [Material; 16] = [
    material("steel", 7850.0, "structural steel"),
    material("stainless_steel", 7900.0, "austenitic, 1.4301"),
    material("cast_iron", 7200.0, "grey iron"),
    material("aluminium", 2700.0, "pure and most wrought alloys"),
    material("titanium", 4430.0, "Ti-6Al-4V"),
    material("magnesium", 1800.0, "AZ alloys"),
    material("copper", 8960.0, ""),
    material("brass", 8500.0, "63 % copper"),
    material("bronze", 8800.0, "tin bronze"),
    material("lead", 11340.0, ""),
    material("glass", 2500.0, "window glass"),
    material("concrete", 2400.0, "plain"),
    material("rubber", 1100.0, "natural, filled"),
    material("abs", 1050.0, "plastic of housings and prints"),
    material("oak", 700.0, "air-dried"),
    material("water", 1000.0, ""),
];

/// The material of that name.
pub fn named(name: &str) -> Option<&'static Material> {
    MATERIALS.iter().find(|material| material.name == name)
}
