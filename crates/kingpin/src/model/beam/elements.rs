//! The division of a beam into elements.

use super::path::BeamPath;
use super::stations::stations;
use super::{Beam, BeamFault, MOST_NODES, MOST_ORDER};

/// Where an element ends.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Border {
    /// Length from the start of the beam.
    pub s: f64,
    /// The name of the point there.
    pub name: Option<String>,
    /// Whether there is a corner.
    pub corner: bool,
}

/// Parts of the length below which two places are one.
const SAME: f64 = 1e-9;

/// The ends of all elements, both of the beam among them.
pub(super) fn divide(beam: &Beam, path: &BeamPath) -> Result<Vec<Border>, BeamFault> {
    counts(beam)?;
    let length = path.length();
    let mut fixed = fixed_borders(beam, path)?;
    let ways: Vec<f64> = fixed.windows(2).map(|pair| pair[1].s - pair[0].s).collect();
    let shares = shares(beam.elements, &ways, length);
    let mut borders = Vec::new();
    for (k, share) in shares.into_iter().enumerate() {
        let (from, way) = (fixed[k].s, ways[k]);
        borders.push(std::mem::take(&mut fixed[k]));
        let inner = (1..share).map(|j| from + way * j as f64 / share as f64);
        borders.extend(inner.map(|s| Border { s, ..Border::default() }));
    }
    borders.extend(fixed.pop());
    Ok(borders)
}

/// Ends, corners, stations and points, in order.
fn fixed_borders(beam: &Beam, path: &BeamPath) -> Result<Vec<Border>, BeamFault> {
    let length = path.length();
    let end = |s: f64, name: &str| Border { s, name: Some(name.into()), corner: false };
    let mut all = vec![end(0.0, "start"), end(length, "end")];
    all.extend(path.corners().map(|s| Border { s, name: None, corner: true }));
    for s in stations(beam)?.into_iter().map(|x| x * length) {
        if !all.iter().any(|border| (border.s - s).abs() < SAME * length) {
            all.push(Border { s, ..Border::default() });
        }
    }
    all.sort_by(|a, b| a.s.total_cmp(&b.s));
    for (name, part) in &beam.points {
        check_point(beam, name, *part)?;
        let s = part * length;
        let near = all.iter_mut().find(|border| (border.s - s).abs() < SAME * length);
        match near {
            Some(Border { name: Some(other), .. }) => {
                let message = format!("`{name}` and `{other}` are at the same position");
                return Err(BeamFault::new("points", message));
            }
            Some(border) => border.name = Some(name.clone()),
            None => all.push(Border { s, name: Some(name.clone()), corner: false }),
        }
    }
    all.sort_by(|a, b| a.s.total_cmp(&b.s));
    Ok(all)
}

fn check_point(beam: &Beam, name: &str, part: f64) -> Result<(), BeamFault> {
    let fault = |message: String| BeamFault::new("points", message);
    let digits = !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    if name.is_empty() || name.contains('.') || digits || name == "start" || name == "end" {
        let hint = "`start` and `end` name the ends, and numbers name the other nodes";
        return Err(fault(format!("`{name}` cannot be the name of a point")).hint(hint));
    }
    if beam.points.iter().filter(|(other, _)| other == name).count() > 1 {
        return Err(fault(format!("there are two points called `{name}`")));
    }
    if !(part > 0.0 && part < 1.0) {
        let message = format!("`{name}` is at {part} of its length; points must be between 0 and 1");
        let hint = format!("its ends are `{}.start` and `{}.end`", beam.name, beam.name);
        return Err(fault(message).hint(hint));
    }
    Ok(())
}

/// Whether there are so many elements and nodes as can be.
fn counts(beam: &Beam) -> Result<(), BeamFault> {
    if beam.elements < 1 {
        return Err(BeamFault::new("elements", "it needs at least one element"));
    }
    if beam.order < 1 || beam.order > MOST_ORDER {
        let message = format!("the order of elements is 1 to {MOST_ORDER}, but it is {}", beam.order);
        return Err(BeamFault::new("order", message).hint("use more elements instead of a higher order"));
    }
    if beam.elements.saturating_mul(beam.order) >= MOST_NODES {
        let message = format!("it would have more than {MOST_NODES} nodes");
        return Err(BeamFault::new("elements", message));
    }
    Ok(())
}

/// Elements for each way between two fixed borders, one at least; the longest are divided.
fn shares(elements: usize, ways: &[f64], length: f64) -> Vec<usize> {
    let mut shares: Vec<usize> =
        ways.iter().map(|way| ((elements as f64 * way / length) as usize).max(1)).collect();
    let left = elements.saturating_sub(shares.iter().sum());
    for _ in 0..left {
        let size = |k: usize| ways[k] / shares[k] as f64;
        // the first of equals, however they are rounded
        let longest = (1..ways.len()).fold(0, |l, k| if size(k) > size(l) * (1.0 + SAME) { k } else { l });
        shares[longest] += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_parts_are_divided() {
        assert_eq!(shares(1, &[1.0], 1.0), [1]);
        assert_eq!(shares(3, &[0.5, 0.5], 1.0), [2, 1]);
        assert_eq!(shares(8, &[0.1, 0.45, 0.45], 1.0), [1, 4, 3]);
        assert_eq!(shares(2, &[0.1, 0.2, 0.7], 1.0), [1, 1, 1]);
    }

    #[test]
    fn points_divide_elements() {
        let beam = Beam {
            points: vec![("mid".into(), 0.5), ("root".into(), 0.1)],
            ..Beam::straight("b", [0.0; 3], [2.0, 0.0, 0.0])
        };
        let path = BeamPath::of(&beam).unwrap();
        let borders = divide(&Beam { elements: 4, ..beam }, &path).unwrap();
        let seen: Vec<(f64, Option<&str>)> = borders.iter().map(|b| (b.s, b.name.as_deref())).collect();
        let wanted =
            [(0.0, Some("start")), (0.2, Some("root")), (1.0, Some("mid")), (1.5, None), (2.0, Some("end"))];
        assert_eq!(seen, wanted);
    }
}
