//! How much the chord between two interfaces shortens where a body bends.

use super::interface::Tie;
use crate::FlexError;
use crate::element::samples;
use crate::mesh::Mesh;
use crate::structure::Structure;
use nalgebra::{DMatrix, Matrix3};

/// Most slices along the chord.
const SLICES: usize = 60;

/// `G = int w'^T w' ds` along the chord of two interfaces, w the mean displacement of sections across it: slopes are
/// means over slices. None where there are not two interfaces apart, or where a slice is empty.
/// O(elements * columns)
pub(super) fn matrix(
    mesh: &Mesh,
    structure: &Structure,
    ties: &[Tie],
    shapes: &DMatrix<f64>,
) -> Result<Option<DMatrix<f64>>, FlexError> {
    let [a, b] = ties else { return Ok(None) };
    let chord = b.place - a.place;
    let length = chord.norm();
    let size = (mesh.nodes.iter().map(|node| (node.place - a.place).norm())).fold(0.0, f64::max);
    if length <= 1e-6 * size {
        return Ok(None);
    }
    let along = chord / length;
    let across = Matrix3::identity() - along * along.transpose();
    let mut place_of = vec![0; mesh.nodes.len()];
    let used = mesh.used_nodes();
    (0..mesh.nodes.len()).filter(|&node| used[node]).enumerate().for_each(|(k, node)| place_of[node] = k);
    // as many slices as elements of mean size have room in
    let mut all = Vec::new();
    for element in &mesh.elements {
        let volume: f64 = samples(mesh, element)?.iter().map(|sample| sample.volume).sum();
        all.push(volume);
    }
    let extent = |k: usize| {
        let arms = mesh.elements[k].nodes.iter().map(|&node| (mesh.nodes[node].place - a.place).dot(&along));
        arms.clone().fold(f64::MIN, f64::max) - arms.fold(f64::MAX, f64::min)
    };
    let mean = (0..all.len()).map(|k| extent(k) * all[k]).sum::<f64>() / all.iter().sum::<f64>();
    let slices = ((length / mean) as usize).clamp(1, SLICES);
    let (axes, columns) = (structure.space.axes(), shapes.ncols());
    let mut slopes = vec![DMatrix::<f64>::zeros(columns, 3); slices];
    // numbers of one coordinate one behind the other
    let turned = shapes.transpose();
    let mut volumes = vec![0.0; slices];
    for element in &mesh.elements {
        for sample in samples(mesh, element)? {
            let at = (sample.place - a.place).dot(&along) / length * slices as f64;
            if !(0.0..slices as f64).contains(&at) {
                continue;
            }
            volumes[at as usize] += sample.volume;
            let own = &mut slopes[at as usize];
            for (&node, gradient) in element.nodes.iter().zip(&sample.gradients) {
                let factor = sample.volume * gradient.dot(&along);
                for axis in 0..axes {
                    own.column_mut(axis).axpy(factor, &turned.column(axes * place_of[node] + axis), 1.0);
                }
            }
        }
    }
    if volumes.contains(&0.0) {
        return Ok(None);
    }
    let mut sum = DMatrix::zeros(columns, columns);
    for (slope, volume) in slopes.iter().zip(&volumes) {
        let across = DMatrix::from_fn(3, 3, |i, j| across[(i, j)]) * slope.transpose() / *volume;
        sum += across.tr_mul(&across) * (length / slices as f64);
    }
    Ok(Some(sum))
}
