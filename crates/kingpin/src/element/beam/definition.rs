//! The inner forces by definition, for any scalar: what closed forms are checked against.

use super::inner::{BeamElement, agreement};
use super::strain::{Six, strain};
use crate::scalar::Scalar;
use crate::spatial::{Coords, Pose};

impl BeamElement {
    /// Strains beyond those at rest, with the weight of each place of Gauss, for the poses of its bodies.
    pub fn strains_by_definition<C: Coords, T: Scalar>(&self, poses: &[Pose<T>]) -> Vec<(Six<T>, f64)> {
        let nodes = self.nodes_by_definition::<C, T>(poses);
        let mut all = Vec::new();
        for (place, weight) in self.rule.gauss.iter().enumerate() {
            let mut x = [T::zero(); 11];
            for ((r, p), [shape, slope]) in nodes.iter().zip(self.rule.at(place)) {
                for i in 0..C::D {
                    x[i] += r[i].scale(slope / self.half);
                }
                for j in 0..C::K {
                    x[C::D + j] += p[j].scale(*shape);
                    x[C::D + C::K + j] += p[j].scale(slope / self.half);
                }
            }
            let mut own = strain::<C, T>(&x);
            own.iter_mut().zip(&self.rest[place]).for_each(|(e, rest)| *e -= T::from_f64(*rest));
            all.push((own, weight * self.half));
        }
        all
    }

    /// Places and rotation coordinates of the nodes, which agree along the element.
    fn nodes_by_definition<C: Coords, T: Scalar>(&self, poses: &[Pose<T>]) -> Vec<([T; 3], [T; 4])> {
        let mut nodes: Vec<([T; 3], [T; 4])> = Vec::new();
        for (pose, s) in poses.iter().zip(&self.offsets) {
            let arm = C::rotate(&pose.p, s);
            let r = std::array::from_fn(|k| pose.r[k] + arm[k]);
            let before = nodes.last().map(|node| node.1.map(T::value));
            let (sign, shift) = agreement::<C>(&pose.p.map(T::value), before.as_ref());
            nodes.push((r, pose.p.map(|p| p.scale(sign) + T::from_f64(shift))));
        }
        nodes
    }
}
