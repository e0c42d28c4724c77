//! The fastest time constants of elements of beams.

use super::timescale::{TimeConstant, fastest};
use crate::element::beam::{BeamElement, BeamNode};
use crate::spatial::{BodyState, Coords, apply};
use crate::system::{System, Work, in_space};

/// Iterations with the stiffness over the mass: the largest of their ratios, to a few per cent.
const ITERATIONS: usize = 30;

/// The fastest time constant of each element on the masses of its nodes, of which elements that share a node have a part
/// each: no motion of the beam is faster than the fastest of them.
pub(super) fn beam_constants(system: &System, work: &Work) -> Vec<TimeConstant> {
    in_space!(system.space, C => {
        system.beams.iter().filter_map(|beam| constant::<C>(system, beam, work)).collect()
    })
}

fn constant<C: Coords>(system: &System, beam: &BeamElement, work: &Work) -> Option<TimeConstant> {
    // with nothing but the rates of strains, forces are those of the stiffness on what moves
    let mut viscous = BeamElement { damping: 1.0, ..beam.clone() };
    viscous.relax::<C>(&work.bodies);
    let mut bodies: Vec<BodyState> = beam.bodies.iter().map(|&body| work.bodies[body]).collect();
    viscous.bodies = (0..bodies.len()).collect();
    let starts = &system.layout.beamed.1;
    let shares = beam.bodies.iter().map(|&body| f64::from(starts[body + 1] - starts[body]));
    let shares: Vec<f64> = shares.collect();
    let mut nodes = vec![BeamNode::default(); beam.nodes()];
    let mut x: Vec<[f64; 6]> = vec![[0.0; 6]; beam.nodes()];
    for (k, x) in x.iter_mut().flatten().enumerate() {
        *x = 0.3 + ((k * 7919) % 101) as f64 / 101.0;
    }
    let (mut rate, mut kinetic) = (0.0, vec![0.0; x.len()]);
    for _ in 0..ITERATIONS {
        for (body, x) in bodies.iter_mut().zip(&x) {
            body.rdot[..C::D].copy_from_slice(&x[..C::D]);
            body.w[..C::M].copy_from_slice(&x[C::D..C::NV]);
            body.pdot = C::rates(&body.p, &body.w);
        }
        viscous.forces::<C>(&bodies, &mut nodes);
        let (mut stored, mut moving) = (0.0, 0.0);
        for k in 0..x.len() {
            let inertia = &system.inertia[beam.bodies[k]];
            let (mut force, mut turn) = ([0.0; 6], [0.0; 3]);
            (0..C::NV).for_each(|i| force[i] = -nodes[k].force[i]);
            turn[..C::M].copy_from_slice(&force[C::D..C::NV]);
            let turned = apply(&inertia.inverse, &turn);
            let heavy = apply(&inertia.tensor, &bodies[k].w);
            let momentum = |i: usize| if i < C::D { inertia.mass * x[k][i] } else { heavy[i - C::D] };
            kinetic[k] = (0..C::NV).map(|i| x[k][i] * momentum(i)).sum::<f64>() / shares[k];
            moving += kinetic[k];
            stored += (0..C::NV).map(|i| x[k][i] * force[i]).sum::<f64>();
            for i in 0..C::NV {
                x[k][i] =
                    shares[k] * if i < C::D { inertia.inverse_mass * force[i] } else { turned[i - C::D] };
            }
        }
        rate = stored / moving;
        let largest = x.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        if !(largest > 0.0 && largest.is_finite()) {
            return None;
        }
        x.iter_mut().flatten().for_each(|x| *x /= largest);
        kinetic.iter_mut().for_each(|k| *k /= moving);
    }
    let most = (0..x.len()).max_by(|&a, &b| kinetic[a].total_cmp(&kinetic[b]))?;
    let body = beam.bodies[most];
    let turns = (C::D..C::NV).map(|i| x[most][i].abs()).fold(0.0, f64::max) >= 1.0;
    let inertia = &system.inertia[body];
    let mass = if turns { inertia.tensor[0][0] } else { inertia.mass };
    Some(TimeConstant {
        force: beam.name.clone(),
        label: "beam",
        body: system.body_names[body].clone(),
        stiffness: rate * mass,
        damping: beam.damping * rate * mass,
        mass,
        seconds: fastest(1.0, beam.damping * rate, rate)?,
    })
}
