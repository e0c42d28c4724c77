//! Forces of an instant in velocities: those that go with the change of the mass, and inner ones.

use super::{FloatingConstants, FloatingMass, add, add3};
use crate::spatial::{M3, V3, apply, cross, dot};

/// What acts on the nodes of a body: a torque on its frame, in the axes of it, and a force on each amplitude.
pub struct FloatingForce<'a> {
    /// The torque.
    pub torque: V3,
    /// The forces.
    pub forces: &'a mut [f64],
}

/// The product of the first numbers of a row with a vector.
#[inline(always)]
pub(super) fn along(row: &[f64], x: &[f64]) -> f64 {
    row.iter().zip(x).map(|(a, x)| a * x).sum()
}

impl FloatingConstants {
    /// J' for rates of the amplitudes.
    pub(super) fn inertia_rate(&self, z: &[f64], rates: &[f64]) -> M3 {
        let n = z.len();
        let mut sum = [[0.0; 3]; 3];
        for (i, rate) in rates.iter().enumerate() {
            add(&mut sum, *rate, &self.first[i]);
            for (z, own) in z.iter().zip(&self.second[i * n..]) {
                add(&mut sum, 2.0 * rate * z, own);
            }
        }
        sum
    }

    /// J w + H z'.
    pub(super) fn spin(&self, mass: &FloatingMass, w: &V3, rates: &[f64]) -> V3 {
        let mut sum = apply(&mass.inertia, w);
        mass.turning.iter().zip(rates).for_each(|(h, rate)| add3(&mut sum, *rate, h));
        sum
    }

    /// -J' w - w x (J w + H z') on the frame, which in the plane has no cross product, and
    /// w.J_z_j w / 2 + 2 w.h_j z' and inner forces on the amplitudes. O(amplitudes^2)
    pub fn forces(
        &self,
        (z, rates, w): (&[f64], &[f64], &V3),
        mass: &FloatingMass,
        spatial: bool,
        out: &mut FloatingForce,
    ) {
        let mut torque = apply(&self.inertia_rate(z, rates), w).map(|x| -x);
        if spatial {
            add3(&mut torque, -1.0, &cross(w, &self.spin(mass, w, rates)));
        }
        out.torque = torque;
        for (j, force) in out.forces.iter_mut().enumerate() {
            let by = self.inertia_by(j, z);
            *force = 0.5 * dot(w, &apply(&by, w)) + 2.0 * dot(w, &self.turning_along(j, rates));
        }
        self.inner_forces(z, rates, out.forces);
    }

    /// Adds elastic and damping forces.
    pub(super) fn inner_forces(&self, z: &[f64], rates: &[f64], out: &mut [f64]) {
        for (j, force) in out.iter_mut().enumerate() {
            *force -= self.stiffness[j] * z[j] + along(&self.damping[j * z.len()..], rates);
        }
        let Some(own) = &self.foreshortening else { return };
        let (shortening, tension) = self.shortened(z);
        for (j, force) in out.iter_mut().enumerate() {
            let bent = along(&own.shortening[j * z.len()..], z);
            *force -= shortening * self.stiffness[j] * own.stretch[j] + tension * bent;
        }
    }

    /// By how much the chord is shorter, and the tension e.K (z + q e).
    pub(super) fn shortened(&self, z: &[f64]) -> (f64, f64) {
        let Some(own) = &self.foreshortening else { return (0.0, 0.0) };
        let q: f64 =
            own.shortening.chunks_exact(z.len()).zip(z).map(|(row, zi)| 0.5 * zi * along(row, z)).sum();
        let each = self.stiffness.iter().zip(&own.stretch).zip(z);
        (q, each.map(|((k, e), z)| k * e * (z + q * e)).sum())
    }

    /// The power that damping takes.
    pub fn dissipated(&self, rates: &[f64]) -> f64 {
        self.damping.chunks_exact(rates.len()).zip(rates).map(|(row, rate)| rate * along(row, rates)).sum()
    }
}
