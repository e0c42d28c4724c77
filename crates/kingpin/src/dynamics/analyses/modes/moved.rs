//! States along a mode, to be looked at.

use super::Mode;
use crate::spatial::euler;
use crate::spatial::rotation_vector::exponential;
use crate::system::{State, System};
use nalgebra::Complex;
use std::f64::consts::FRAC_PI_2;

impl Mode {
    /// Largest amplitudes of a displacement and of a turn, rad. O(bodies).
    pub fn largest(&self, system: &System) -> [f64; 2] {
        let mut largest = [0.0_f64; 2];
        for node in system.nodes.iter().take(system.masses()) {
            let own = &self.motion[node.v()];
            let size = |part: &[Complex<f64>]| part.iter().map(|x| x.norm_sqr()).sum::<f64>().sqrt();
            let (place, turn) = own.split_at(node.places);
            largest = [largest[0].max(size(place)), largest[1].max(size(turn))];
        }
        largest
    }

    /// A state moved along the mode, `phase` (rad) after it has passed through the state: by `amplitude` times its motion,
    /// places in straight lines, bodies turned as far as they would turn. Joints hold as well as such motions are small.
    /// O(bodies).
    pub fn moved(&self, system: &System, state: &State, amplitude: f64, phase: f64) -> State {
        let mut moved = state.clone();
        // what moves most is where it was at phase zero
        let masses = system.nodes.iter().take(system.masses()).map(|node| node.nv).sum::<usize>();
        let most = self.motion[..masses].iter().copied().max_by(|a, b| a.norm().total_cmp(&b.norm()));
        let most = most.filter(|x| x.norm() > 0.0).unwrap_or(Complex::new(1.0, 0.0));
        let size = most.conj() / most.norm() * Complex::from_polar(amplitude, phase - FRAC_PI_2);
        for node in system.nodes.iter() {
            let way: Vec<f64> = self.motion[node.v()].iter().map(|x| (x * size).re).collect();
            let (d, q) = (node.places, &mut moved.q[node.q()]);
            let (place, turn) = way.split_at(node.places);
            q.iter_mut().zip(place).for_each(|(q, way)| *q += way);
            match *turn {
                [angle] => q[d] += angle,
                [x, y, z] => {
                    let before = [q[d], q[d + 1], q[d + 2], q[d + 3]];
                    q[d..].copy_from_slice(&euler::product(&before, &exponential(&[x, y, z])));
                }
                _ => {}
            }
        }
        moved
    }
}
