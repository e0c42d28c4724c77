//! Coordinates and forces that take part in a mode.

use crate::analysis::rates;
use crate::dynamics::analyses::pencil::Pencil;
use crate::dynamics::analyses::shares::{Share, sorted, twice_energy};
use crate::dynamics::forms::reduced::Reduced;
use crate::element::equation::Direction;
use crate::system::{System, Work};
use nalgebra::{Complex, DVector};

/// Amplitudes of the independent coordinates, relative to their sum.
pub(super) fn coordinate_shares(
    reduced: &Reduced,
    pencil: &Pencil,
    (x, rate): (&DVector<Complex<f64>>, f64),
    length: f64,
) -> Vec<Share> {
    let re = pencil.independent(&x.map(|x| x.re));
    let im = pencil.independent(&x.map(|x| x.im));
    let system = reduced.mechanism.system;
    let sizes = (0..x.len()).map(|k| re[k].hypot(im[k]));
    let each = reduced.partition.independent.iter().copied().zip(sizes);
    // a state is the rate of what its node has for a coordinate
    let each =
        each.map(|(c, size)| (c, if system.is_state_velocity(c) { rate * size * length } else { size }));
    named_shares(reduced.mechanism.system, each, length)
}

/// Amplitudes of all coordinates of the bodies, relative to their sum.
pub(super) fn all_coordinate_shares(
    system: &System,
    motion: &DVector<Complex<f64>>,
    length: f64,
) -> Vec<Share> {
    named_shares(system, motion.iter().map(|x| x.norm()).enumerate(), length)
}

/// Amplitudes by coordinates, with names, relative to their sum.
fn named_shares(system: &System, amplitudes: impl Iterator<Item = (usize, f64)>, length: f64) -> Vec<Share> {
    let d = system.dimensions();
    let names: &[&str] = if d == 3 { &["x", "y", "z", "rx", "ry", "rz"] } else { &["x", "y", "angle"] };
    let shares = amplitudes.map(|(c, size)| {
        let (body, place) = system.nodes.of_velocity(c);
        let state = body.checked_sub(system.masses()).map(|k| system.states[k].name.clone());
        Share {
            name: state.unwrap_or_else(|| format!("{}.{}", system.body_names[body], names[place])),
            share: if place < d { size / length } else { size },
        }
    });
    let mut shares: Vec<Share> = shares.collect();
    let total: f64 = shares.iter().map(|s| s.share).sum();
    shares.iter_mut().for_each(|s| s.share /= total.max(f64::MIN_POSITIVE));
    sorted(shares)
}

/// |k + lambda c| |g x|^2 of all terms of a force, over |lambda|^2 x M x: what they add to the inertia forces.
pub(super) fn force_shares(
    system: &System,
    work: &Work,
    motion: &DVector<Complex<f64>>,
    lambda: Complex<f64>,
) -> Vec<Share> {
    let part = |f: fn(&Complex<f64>) -> f64| -> f64 {
        let all: Vec<f64> = motion.iter().map(f).collect();
        let bodies = system.nodes.by_v(&all).take(system.masses()).enumerate();
        let bodies: f64 = bodies.map(|(b, v)| twice_energy(system, b, v)).sum();
        bodies + system.twice_shared_energy(work, &all)
    };
    let inertia = lambda.norm_sqr() * (part(|x| x.re) + part(|x| x.im));
    let shares = system.forces.iter().map(|force| {
        let mut sum = 0.0;
        for term in &system.terms[force.terms.clone()] {
            let Direction::Along(along, _) = &term.direction else { continue };
            let Some((stiffness, damping)) = rates(system, term, work) else { continue };
            let row = system.basic_row(along, work);
            let mut stretch = Complex::new(0.0, 0.0);
            for (side, body) in along.bodies().into_iter().enumerate() {
                if body < system.bodies() {
                    let own = system.nodes.v(body).zip(&row[side]);
                    stretch += own.map(|(k, r)| motion[k] * *r).sum::<Complex<f64>>();
                }
            }
            sum += (lambda * damping + stiffness).norm() * stretch.norm_sqr();
        }
        Share { name: force.name.clone(), share: sum / inertia.max(f64::MIN_POSITIVE) }
    });
    let [re, im] = [|x: &Complex<f64>| x.re, |x: &Complex<f64>| x.im].map(|part| {
        let all: Vec<f64> = motion.iter().map(part).collect();
        system.twice_strain_energies(&system.bodies_moving(work, &all))
    });
    let beams = system.beams.iter().zip(re.iter().zip(&im)).map(|(beam, (re, im))| {
        let sum = (lambda * beam.damping + 1.0).norm() * (re + im);
        Share { name: beam.name.clone(), share: sum / inertia.max(f64::MIN_POSITIVE) }
    });
    sorted(shares.chain(beams).filter(|share| share.share > 0.0).collect())
}
