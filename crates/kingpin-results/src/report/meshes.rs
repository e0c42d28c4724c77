//! Superelements and structures as the page draws them: surfaces that amplitudes deform, or that points are the corners of.

use super::column::single;
use super::data::{Body, PageMesh};
use kingpin::model::{self, ReducedBody, ReducedSurface};

/// All of them; one without a surface has its interfaces for points, and no triangle.
pub(super) fn meshes(model: &model::Model, bodies: &[Body]) -> Vec<PageMesh> {
    let all = model.superelements.iter().zip(model.flexible_parts());
    let mesh = |(own, part): (&model::Superelement, &model::FlexiblePart)| {
        let reduced = own.reduced.as_ref()?;
        let surface = reduced.surface.clone().unwrap_or_else(|| interfaces(reduced));
        let numbers = |rows: &mut dyn Iterator<Item = f32>| single(&rows.map(f64::from).collect::<Vec<_>>());
        Some(PageMesh {
            name: part.name.clone(),
            body: part.bodies.start,
            nodes: part.bodies.clone().collect(),
            count: surface.points.len(),
            points: numbers(&mut surface.points.iter().flatten().copied()),
            triangles: surface.triangles.iter().flatten().copied().collect(),
            amplitudes: part.amplitudes().filter_map(|body| bodies[body].pose.first().copied()).collect(),
            shapes: surface.shapes.iter().map(|own| numbers(&mut own.iter().flatten().copied())).collect(),
            stresses: surface
                .stresses
                .iter()
                .map(|own| numbers(&mut own.iter().flatten().copied()))
                .collect(),
            corners: None,
        })
    };
    let structures = model.structures.iter().zip(model.structure_parts());
    all.filter_map(mesh).chain(structures.filter_map(|(own, part)| structure(model, own, part))).collect()
}

/// The surface of a structure, whose corners are points of the model, or held; none where all nodes are held.
fn structure(
    model: &model::Model,
    own: &model::MeshStructure,
    part: &model::StructurePart,
) -> Option<PageMesh> {
    let mesh = own.mesh.as_ref()?;
    let body = part.bodies.clone().next()?;
    // corners by the order in which they come
    let (mut number, mut corners) = (vec![u32::MAX; mesh.places.len()], Vec::new());
    for &node in mesh.triangles.iter().flatten() {
        let node = node as usize;
        if number[node] == u32::MAX {
            number[node] = corners.len() as u32;
            corners.push(node);
        }
    }
    let axes = own.axes(model.space);
    let places = corners.iter().map(|&node| own.fields.position + axes * mesh.places[node]);
    Some(PageMesh {
        name: part.name.clone(),
        body,
        nodes: part.bodies.clone().collect(),
        count: corners.len(),
        points: single(&places.flat_map(|place| [place.x, place.y, place.z]).collect::<Vec<_>>()),
        triangles: mesh.triangles.iter().flatten().map(|&node| number[node as usize]).collect(),
        amplitudes: Vec::new(),
        shapes: Vec::new(),
        stresses: Vec::new(),
        corners: Some(corners.iter().map(|&node| part.nodes[node]).collect()),
    })
}

/// The interfaces of a body as what is drawn of it.
fn interfaces(body: &ReducedBody) -> ReducedSurface {
    let single = |x: f64| x as f32;
    let shape = |k: usize| -> Vec<[f32; 3]> {
        body.interfaces.iter().map(|own| std::array::from_fn(|axis| single(own.motion[k][axis]))).collect()
    };
    ReducedSurface {
        points: body.interfaces.iter().map(|own| [0, 1, 2].map(|k| single(own.place[k]))).collect(),
        shapes: (0..body.amplitudes()).map(shape).collect(),
        ..ReducedSurface::default()
    }
}

/// A text of a model in which what bodies were reduced to, texts of meshes and surfaces, lines of letters that nobody reads, is told by its length alone.
pub(super) fn readable(text: &str) -> String {
    let line = |line: &str| {
        let long = ["reduction", "contents", "surface"].into_iter().find_map(|field| {
            let letters = line.strip_prefix(field)?.strip_prefix(" = ")?;
            Some(format!("# {field}: {} letters\n", letters.trim().trim_matches('"').len()))
        });
        long.unwrap_or_else(|| line.to_string())
    };
    text.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn reductions_are_told_by_their_length() {
        let text = "[[superelement]]\nname = \"arm\"\nreduction = \"AAAABBBB\"\n[simulation]\n";
        assert_eq!(
            readable(text),
            "[[superelement]]\nname = \"arm\"\n# reduction: 8 letters\n[simulation]\n"
        );
        assert_eq!(readable("no line"), "no line");
    }
}
