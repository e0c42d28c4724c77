//! What is drawn of a reduced body.

use kingpin::model::{ReducedSurface, Vec3};
use kingpin_flex::FlexError;
use kingpin_flex::mesh::Mesh;
use kingpin_flex::reduce::{Floating, Superelement};
use kingpin_flex::structure::nodal_stresses;

/// Numbers that a surface may take in all.
pub(super) const MOST: usize = 3_000_000;
/// Those beyond which it has no stresses.
const STRESSED: usize = 1_500_000;

/// The surface of a body with the displacements, and if there is room the stresses, of its fields; none where it has no
/// surface, and where it has more corners than can be drawn the numbers that it would take. O(elements * amplitudes)
pub(super) fn surface(
    mesh: &Mesh,
    body: &Superelement,
    floating: &Floating,
) -> Result<Result<Option<ReducedSurface>, usize>, FlexError> {
    let triangles = mesh.surface();
    // corners by the order in which they come, with their places in the mesh
    let (mut number, mut corners) = (vec![u32::MAX; mesh.nodes.len()], Vec::new());
    for &node in triangles.iter().flatten() {
        if number[node] == u32::MAX {
            number[node] = corners.len() as u32;
            corners.push(node);
        }
    }
    let amplitudes = floating.masses.len();
    let numbers = |each: usize| corners.len() * (3 + each * amplitudes) + 3 * triangles.len();
    if triangles.is_empty() {
        return Ok(Ok(None));
    }
    if numbers(3) > MOST {
        return Ok(Err(numbers(3)));
    }
    let stressed = numbers(9) <= STRESSED;
    let used = mesh.used_nodes();
    let mut surface = ReducedSurface {
        points: corners.iter().map(|&node| single(&mesh.nodes[node].place)).collect(),
        triangles: triangles.iter().map(|three| three.map(|node| number[node])).collect(),
        ..ReducedSurface::default()
    };
    for k in 0..amplitudes {
        let field = body.recover(floating.amounts.column(k).as_slice());
        let rigid = floating.rigid.column(k);
        let (shift, turn) =
            (Vec3::new(rigid[0], rigid[1], rigid[2]), Vec3::new(rigid[3], rigid[4], rigid[5]));
        // nodes of no element are not in the reduction
        let mut own = field.iter();
        let moved: Vec<Vec3> = (mesh.nodes.iter().zip(&used))
            .map(|(node, used)| match used.then(|| own.next()).flatten() {
                Some(u) => u + shift + turn.cross(&node.place),
                None => Vec3::zeros(),
            })
            .collect();
        surface.shapes.push(corners.iter().map(|&node| single(&moved[node])).collect());
        if stressed {
            let stresses = nodal_stresses(mesh, &moved)?;
            let six = |&node: &usize| {
                let s = &stresses[node];
                [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)].map(|place| s[place] as f32)
            };
            surface.stresses.push(corners.iter().map(six).collect());
        }
    }
    Ok(Ok(Some(surface)))
}

fn single(x: &Vec3) -> [f32; 3] {
    [x.x as f32, x.y as f32, x.z as f32]
}
