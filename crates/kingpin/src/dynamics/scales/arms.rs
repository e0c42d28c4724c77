//! What turns of nodes inside of flexible bodies count.

use super::Four;
use crate::system::System;

/// Radii of gyration of nodes inside of flexible bodies. The section of a beam is thin: what its angular velocity says of
/// the motion is how fast its material moves, and waves that turn sections to and fro a thousand times a swing, which no
/// displacement shows, would be followed turn by turn if it counted like that of a rigid body. Interfaces of superelements
/// are alike.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arms {
    /// Of each node; 0 for rigid bodies, none where all are rigid.
    radii: Vec<f64>,
}

impl Arms {
    /// Those of a system.
    pub fn new(system: &System) -> Self {
        let rigid = system.beams.is_empty() && system.floating.is_empty();
        let mut radii = if rigid { Vec::new() } else { vec![0.0; system.bodies()] };
        let axes = if system.dimensions() == 3 { 0..3 } else { 0..1 };
        let sections = system.beams.iter().flat_map(|beam| &beam.bodies);
        for &node in sections.chain(system.floating.iter().flat_map(|body| &body.interfaces)) {
            let inertia = &system.inertia[node];
            let largest = axes.clone().map(|k| inertia.tensor[k][k]).fold(0.0, f64::max);
            let radius = (largest / inertia.mass).sqrt();
            radii[node] = if radius.is_finite() { radius } else { 0.0 };
        }
        Self { radii }
    }

    /// What is allowed of errors of a node whose part allows so much.
    #[inline(always)]
    pub fn allowed(&self, node: usize, of_part: Four) -> Four {
        match self.radii.get(node) {
            Some(&radius) if radius > 0.0 => {
                let spin = of_part.angular_velocity.max(of_part.velocity / radius);
                Four { angular_velocity: spin, ..of_part }
            }
            _ => of_part,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spins_of_thin_sections_count_as_the_motion_of_their_material() {
        let of_part = Four { position: 1e-3, angle: 1e-3, velocity: 2e-3, angular_velocity: 5e-3 };
        let arms = Arms { radii: vec![0.0, 1e-3, 10.0] };
        assert_eq!(arms.allowed(0, of_part), of_part);
        assert_eq!(arms.allowed(1, of_part), Four { angular_velocity: 2.0, ..of_part });
        // never less than what the part allows
        assert_eq!(arms.allowed(2, of_part), of_part);
        assert_eq!(Arms::default().allowed(7, of_part), of_part);
    }
}
