//! Areas and moments of sections.

use super::{Beam, BeamFault};
use crate::model::{Function, Space};
use std::f64::consts::PI;

/// What stiffness and mass of a section follow from, with a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SectionProfile {
    pub area: f64,
    /// Second moments about y and z.
    pub moments: [f64; 2],
    pub torsion: f64,
    /// Parts of the area that carry shear along y and z.
    pub shear: [f64; 2],
}

/// A dimension at a place.
fn dimension(field: &'static str, given: Option<&Function>, x: f64) -> Result<f64, BeamFault> {
    let Some(given) = given else {
        return Err(BeamFault::new("section", format!("its section needs `{field}`")));
    };
    let value = given.eval(&[x]);
    // also what is no number is not positive
    if !(value > 0.0 && value.is_finite()) {
        let place = if given.constant_value().is_some() { String::new() } else { format!(" at x = {x:.4}") };
        let message = format!("`{field}` must be greater than zero, but is {value}{place}");
        return Err(BeamFault::new(field, message));
    }
    Ok(value)
}

/// The profile of a beam at a place, if it has a shape or an area.
pub(super) fn profile(
    beam: &Beam,
    space: Space,
    nu: f64,
    x: f64,
) -> Result<Option<SectionProfile>, BeamFault> {
    let shape = match &beam.section {
        Some(shape) => Some(of_shape(beam, shape, nu, x)?),
        None => None,
    };
    if shape.is_none() && beam.area.is_none() {
        return Ok(None);
    }
    let spatial = space == Space::Spatial;
    let or =
        |field: &'static str, given: Option<&Function>, of_shape: Option<f64>, needed: bool| match of_shape {
            Some(own) if given.is_none() => Ok(own),
            // what the plane does not know
            None if !needed => Ok(1.0),
            _ => dimension(field, given, x),
        };
    let area = or("area", beam.area.as_ref(), shape.map(|s| s.area), true)?;
    let y = or("second_moment_y", beam.second_moment_y.as_ref(), shape.map(|s| s.moments[0]), spatial)?;
    let z = or("second_moment_z", beam.second_moment_z.as_ref(), shape.map(|s| s.moments[1]), true)?;
    let torsion = or("torsion_constant", beam.torsion_constant.as_ref(), shape.map(|s| s.torsion), spatial)?;
    let factor = |k: usize, given: Option<f64>| given.or(shape.map(|s| s.shear[k])).unwrap_or(1.0);
    let shear = [factor(0, beam.shear_factor_y), factor(1, beam.shear_factor_z)];
    Ok(Some(SectionProfile { area, moments: [y, z], torsion, shear }))
}

/// The profile of a shape.
fn of_shape(beam: &Beam, shape: &str, nu: f64, x: f64) -> Result<SectionProfile, BeamFault> {
    let fault = BeamFault::new;
    match shape {
        "circle" => Ok(ring(dimension("diameter", beam.diameter.as_ref(), x)?, 0.0, nu)),
        "tube" => {
            let d = dimension("diameter", beam.diameter.as_ref(), x)?;
            let wall = dimension("wall", beam.wall.as_ref(), x)?;
            if 2.0 * wall > d {
                let message = format!("a wall of {wall} m does not fit into a tube of {d} m");
                return Err(fault("wall", message));
            }
            Ok(ring(d, d - 2.0 * wall, nu))
        }
        "rectangle" => {
            let h = dimension("height", beam.height.as_ref(), x)?;
            let w = dimension("width", beam.width.as_ref(), x)?;
            Ok(rectangle(h, w, nu))
        }
        _ => {
            let h = dimension("height", beam.height.as_ref(), x)?;
            let w = dimension("width", beam.width.as_ref(), x)?;
            let web = dimension("web", beam.web.as_ref(), x)?;
            let flange = dimension("flange", beam.flange.as_ref(), x)?;
            if 2.0 * flange >= h {
                let message = format!("two flanges of {flange} m do not fit into a height of {h} m");
                return Err(fault("flange", message));
            }
            if web > w {
                return Err(fault("web", format!("a web of {web} m is wider than the section, {w} m")));
            }
            Ok(i_section(h, w, web, flange, nu))
        }
    }
}

/// A circle with a hole; the shear factor is that of [Cowper 1966].
fn ring(outer: f64, inner: f64, nu: f64) -> SectionProfile {
    let area = PI / 4.0 * (outer * outer - inner * inner);
    let moment = PI / 64.0 * (outer.powi(4) - inner.powi(4));
    let m = (inner / outer).powi(2);
    let square = (1.0 + m).powi(2);
    let shear = 6.0 * (1.0 + nu) * square / ((7.0 + 6.0 * nu) * square + (20.0 + 12.0 * nu) * m);
    SectionProfile { area, moments: [moment; 2], torsion: 2.0 * moment, shear: [shear; 2] }
}

/// Height along y, width along z; the shear factor is that of [Cowper 1966].
fn rectangle(h: f64, w: f64, nu: f64) -> SectionProfile {
    let moments = [h * w.powi(3) / 12.0, w * h.powi(3) / 12.0];
    SectionProfile { area: h * w, moments, torsion: torsion_of_rectangle(h, w), shear: [plain_shear(nu); 2] }
}

/// The shear factor of a rectangle.
fn plain_shear(nu: f64) -> f64 {
    10.0 * (1.0 + nu) / (12.0 + 11.0 * nu)
}

/// The torsion constant of a rectangle: the series of Saint-Venant.
fn torsion_of_rectangle(h: f64, w: f64) -> f64 {
    let (a, b) = (h.max(w), h.min(w));
    let term = |n: f64| (n * PI * a / (2.0 * b)).tanh() / n.powi(5);
    let sum: f64 = (0..200).rev().map(|k| term(f64::from(2 * k + 1))).sum();
    a * b.powi(3) * (1.0 / 3.0 - 64.0 / PI.powi(5) * b / a * sum)
}

/// An i with its web along y. Shear along the web after [Cowper 1966] for thin walls, along the flanges as of these
/// alone; torsion as of three thin strips.
fn i_section(h: f64, w: f64, web: f64, flange: f64, nu: f64) -> SectionProfile {
    let clear = h - 2.0 * flange;
    let area = 2.0 * w * flange + clear * web;
    let z = (w * h.powi(3) - (w - web) * clear.powi(3)) / 12.0;
    let y = (2.0 * flange * w.powi(3) + clear * web.powi(3)) / 12.0;
    // distances between the middles of the walls
    let d = h - flange;
    let torsion = (2.0 * w * flange.powi(3) + d * web.powi(3)) / 3.0;
    let (m, n) = (2.0 * w * flange / (d * web), w / d);
    let below = 12.0
        + 72.0 * m
        + 150.0 * m * m
        + 90.0 * m.powi(3)
        + nu * (11.0 + 66.0 * m + 135.0 * m * m + 90.0 * m.powi(3))
        + 30.0 * n * n * (m + m * m)
        + 5.0 * nu * n * n * (8.0 * m + 9.0 * m * m);
    let along_web = 10.0 * (1.0 + nu) * (1.0 + 3.0 * m).powi(2) / below;
    let along_flanges = plain_shear(nu) * 2.0 * w * flange / area;
    SectionProfile { area, moments: [y, z], torsion, shear: [along_web, along_flanges] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn torsion_constants_are_those_of_tables() {
        // Timoshenko and Goodier, table of beta for a/b = 1, 1.5, 2, 3, 10
        for (ratio, beta) in [(1.0, 0.1406), (1.5, 0.196), (2.0, 0.229), (3.0, 0.263), (10.0, 0.312)] {
            let j = torsion_of_rectangle(ratio, 1.0) / ratio;
            assert!((j - beta).abs() < 6e-4, "{ratio}: {j}");
            assert_eq!(torsion_of_rectangle(ratio, 1.0), torsion_of_rectangle(1.0, ratio));
        }
        assert!((torsion_of_rectangle(1.0, 1.0) - 0.140_577).abs() < 1e-6);
    }

    #[test]
    fn limits_of_shapes_agree() {
        let nu = 0.3;
        // a web as wide as the flanges is a rectangle but for the thin-walled formulas
        let (i, r) = (i_section(0.2, 0.01, 0.01, 0.001, nu), rectangle(0.2, 0.01, nu));
        assert!((i.area - r.area).abs() < 1e-15 && (i.moments[1] / r.moments[1] - 1.0).abs() < 1e-12);
        assert!((ring(1.0, 0.0, nu).shear[0] - 6.0 * 1.3 / 8.8).abs() < 1e-15);
        // a thin ring: 2 (1 + nu) / (4 + 3 nu)
        assert!((ring(1.0, 1.0 - 1e-7, nu).shear[0] - 2.0 * 1.3 / 4.9).abs() < 1e-6);
        assert!((ring(2.0, 1.0, nu).torsion - PI / 32.0 * 15.0).abs() < 1e-14);
        // without flanges, Cowper's i is a rectangle
        assert!((i_section(1.0, 1e-9, 1e-9, 1e-12, nu).shear[0] - plain_shear(nu)).abs() < 1e-9);
    }
}
