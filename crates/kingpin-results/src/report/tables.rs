//! Tables of the Model tab.

use super::column::note;
use super::data::{Cell, Model, PageTable, TableColumn};
use kingpin::model;
use kingpin::system::System;

/// Rows of a table that anybody looks at.
const MOST_ROWS: usize = 2_000;

pub(super) fn tables(
    shown: &Model,
    model: &model::Model,
    system: &System,
    redundant: &[bool],
) -> Vec<PageTable> {
    let mut tables = vec![size(system, redundant), bodies(shown, model)];
    tables.extend([beams(model), cables(model), superelements(model), structures(model)]);
    let name = |body: &Option<usize>| body.map_or("ground", |k| shown.bodies[k].name.as_str());
    for (title, items) in [("Joints", &shown.joints), ("Drivers", &shown.drivers)] {
        let rows = items.iter().map(|item| {
            let ends = item.bodies.iter().map(name).chain(item.joints.iter().map(String::as_str));
            let ends: Vec<&str> = ends.collect();
            vec![text(&item.name), text(item.kind), text(&ends.join(", ")), count(item.equations)]
        });
        tables.push(table(
            title,
            &[("name", ""), ("type", ""), ("between", ""), ("equations", "")],
            rows.collect(),
        ));
    }
    let rows = shown.forces.iter().map(|force| {
        let ends: Vec<&str> = force.bodies.iter().map(name).collect();
        let number = |x: Option<f64>| x.map_or(Cell::Empty, Cell::Number);
        vec![
            text(&force.name),
            text(force.kind),
            text(&ends.join(", ")),
            number(force.stiffness),
            number(force.damping),
        ]
    });
    let heads = [("name", ""), ("type", ""), ("on", ""), ("stiffness", "SI"), ("damping", "SI")];
    // curves count with their mean slope
    tables.push(table("Forces", &heads, rows.collect()));
    tables.retain(|table| !table.rows.is_empty());
    for table in &mut tables {
        table.note = note(MOST_ROWS.min(table.rows.len()) as u64, table.rows.len() as u64, "rows");
        table.rows.truncate(MOST_ROWS);
    }
    tables
}

fn size(system: &System, redundant: &[bool]) -> PageTable {
    let dependent = redundant.iter().filter(|flag| **flag).count();
    let moves = system.velocities() - system.states.len();
    let free = moves as f64 - (system.joint_equations() - dependent) as f64;
    let mut rows = vec![
        ("bodies", system.masses() as f64),
        ("coordinates", system.coordinates() as f64),
        ("velocities", system.velocities() as f64),
        ("equations of joints and drivers", system.joint_equations() as f64),
        ("redundant equations", dependent as f64),
        ("degrees of freedom", free),
    ];
    if !system.states.is_empty() {
        rows.push(("states", system.states.len() as f64));
    }
    let rows = rows.into_iter().map(|(name, n)| vec![text(name), Cell::Number(n)]).collect();
    table("Model size", &[("what", ""), ("count", "")], rows)
}

fn bodies(shown: &Model, model: &model::Model) -> PageTable {
    // beams tell what their nodes weigh
    let own = &model.bodies[..model.own_bodies()];
    let rows = shown.bodies.iter().zip(own).map(|(shown, body)| {
        let mut row = vec![text(&shown.name), Cell::Number(shown.mass)];
        row.extend(shown.com.map(Cell::Number));
        if model.space == model::Space::Planar {
            row.push(Cell::Number(body.inertia[(2, 2)]));
        } else {
            let places = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
            row.extend(places.map(|place| Cell::Number(body.inertia[place])));
        }
        row
    });
    let mut heads =
        vec![("name", ""), ("mass", "kg"), ("centre x", "m"), ("centre y", "m"), ("centre z", "m")];
    if model.space == model::Space::Planar {
        heads.push(("inertia", "kg*m^2"));
    } else {
        heads.extend(["Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz"].map(|name| (name, "kg*m^2")));
    }
    table("Bodies", &heads, rows.collect())
}

fn beams(model: &model::Model) -> PageTable {
    let row = |part: &model::BeamPart| {
        let counts = [part.spans.len(), part.order, part.bodies.len()].map(count);
        let sizes = [part.length, part.mass].map(Cell::Number);
        [text(&part.name)].into_iter().chain(counts).chain(sizes).collect()
    };
    let heads =
        [("name", ""), ("elements", ""), ("order", ""), ("nodes", ""), ("length", "m"), ("mass", "kg")];
    table("Beams", &heads, model.parts().iter().map(row).collect())
}

fn cables(model: &model::Model) -> PageTable {
    let row = |part: &model::CablePart| {
        let sizes = [part.length, part.mass].map(Cell::Number);
        [text(&part.name), count(part.forces.len())].into_iter().chain(sizes).collect()
    };
    let heads = [("name", ""), ("elements", ""), ("length", "m"), ("mass", "kg")];
    table("Cables", &heads, model.cable_parts().iter().map(row).collect())
}

fn superelements(model: &model::Model) -> PageTable {
    let row = |own: &model::Superelement| {
        let body = own.reduced.as_ref()?;
        let counts = [body.nodes, body.interfaces.len(), body.amplitudes()].map(count);
        let ends = body.hertz.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), x| (a.min(*x), b.max(*x)));
        let sizes = [ends.0, ends.1, body.whole_mass].map(Cell::Number);
        Some([text(&own.fields.name)].into_iter().chain(counts).chain(sizes).collect())
    };
    let heads = [
        ("name", ""),
        ("nodes", ""),
        ("interfaces", ""),
        ("modes", ""),
        ("from", "Hz"),
        ("to", "Hz"),
        ("mass", "kg"),
    ];
    let own = model
        .superelements
        .iter()
        .filter(|own| own.reduced.as_ref().is_some_and(|body| body.surface.is_none()));
    let names: Vec<String> = own.map(|own| format!("`{}`", own.fields.name)).collect();
    let note = (!names.is_empty()).then(|| format!("Drawn without a surface: {}", names.join(", ")));
    PageTable { note, ..table("Superelements", &heads, model.superelements.iter().filter_map(row).collect()) }
}

fn structures(model: &model::Model) -> PageTable {
    let row = |(own, part): (&model::MeshStructure, &model::StructurePart)| {
        let mesh = own.mesh.as_ref()?;
        let counts = [mesh.cells.len(), mesh.places.len(), mesh.places.len() - part.bodies.len()].map(count);
        Some([text(&part.name)].into_iter().chain(counts).chain([Cell::Number(mesh.mass())]).collect())
    };
    let heads = [("name", ""), ("cells", ""), ("nodes", ""), ("held", ""), ("mass", "kg")];
    let all = model.structures.iter().zip(model.structure_parts());
    table("Structures", &heads, all.filter_map(row).collect())
}

pub(super) fn table(title: &str, heads: &[(&str, &str)], rows: Vec<Vec<Cell>>) -> PageTable {
    let columns = heads.iter().map(|(name, unit)| TableColumn { name: (*name).into(), unit: (*unit).into() });
    PageTable { title: title.into(), note: None, columns: columns.collect(), rows }
}

pub(super) fn text(text: &str) -> Cell {
    Cell::Text(text.into())
}

pub(super) fn count(n: usize) -> Cell {
    Cell::Number(n as f64)
}
