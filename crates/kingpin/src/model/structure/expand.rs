//! Structures become points and loads; their cells are compiled from their meshes.

use super::{MeshStructure, StructureMesh};
use crate::element::force::AppliedForce;
use crate::model::finding::{Finding, Subject};
use crate::model::value::Mat3;
use crate::model::{Body, Ends, Force, Function, Model, Orientation, Space};
use std::collections::HashMap;
use std::ops::Range;

/// What became of one structure.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StructurePart {
    /// Its name.
    pub name: String,
    /// The points at its nodes that move.
    pub bodies: Range<usize>,
    /// The body of each node; of those that are held, none.
    pub nodes: Vec<Option<usize>>,
    /// Its loads, a force each node.
    pub forces: Range<usize>,
    /// Points that have names of their own.
    pub named: Vec<usize>,
    /// Whether it stands in the model by its names alone.
    pub faulty: bool,
}

/// Adds what structures are made of, behind all that the model has. O(nodes)
pub(in crate::model) fn take_apart(model: &mut Model) -> (Vec<StructurePart>, Vec<Finding>) {
    let all = std::mem::take(&mut model.structures);
    let (mut parts, mut findings) = (Vec::new(), Vec::new());
    for (k, own) in all.iter().enumerate() {
        let (bodies, forces) = (model.bodies.len(), model.forces.len());
        let made = match &own.mesh {
            Some(mesh) => match add(model, own, mesh) {
                Ok(made) => Some(made),
                Err((field, message)) => {
                    findings.push(Finding::error(Subject::Structure(k), field, message));
                    None
                }
            },
            None => None,
        };
        let faulty = made.is_none();
        if faulty {
            let points = own.fields.points.iter().map(|(name, _)| name);
            let nodes = own.mesh.iter().flat_map(|mesh| &mesh.names);
            points.chain(nodes).for_each(|name| model.bodies.push(stand_in(own, name)));
        }
        let (nodes, named) = made.unwrap_or_default();
        parts.push(StructurePart {
            name: own.fields.name.clone(),
            bodies: bodies..model.bodies.len(),
            nodes,
            forces: forces..model.forces.len(),
            named,
            faulty,
        });
    }
    model.structures = all;
    (parts, findings)
}

/// The body of each node, and those that have names of their own.
type NodeBodies = (Vec<Option<usize>>, Vec<usize>);

impl MeshStructure {
    /// The name of one of its points.
    pub fn point_name(&self, node: &str) -> String {
        format!("{}.{node}", self.fields.name)
    }

    /// How the axes of its mesh are turned at first.
    pub fn axes(&self, space: Space) -> Mat3 {
        let turn = Orientation::Angle(self.fields.angle);
        let own = if space == Space::Spatial { &self.fields.orientation } else { &turn };
        own.matrix().unwrap_or_else(|_| Mat3::identity())
    }

    /// Whether each node is held.
    fn held(&self, mesh: &StructureMesh) -> Vec<bool> {
        let mut held = vec![false; mesh.places.len()];
        let sets = self.fields.fixed.iter().filter_map(|name| mesh.set(name));
        sets.flat_map(|set| &set.nodes).for_each(|&node| held[node as usize] = true);
        held
    }
}

fn add(model: &mut Model, own: &MeshStructure, mesh: &StructureMesh) -> Result<NodeBodies, StructureFault> {
    let (fields, axes, held) = (&own.fields, own.axes(model.space), own.held(mesh));
    let loads = loads(own, mesh, &held)?;
    let turning = axes * fields.angular_velocity;
    let (mut nodes, mut named) = (vec![None; mesh.places.len()], Vec::new());
    let called = called(own, mesh, &held)?;
    for (k, (place, mass)) in mesh.places.iter().zip(&mesh.masses).enumerate().filter(|(k, _)| !held[*k]) {
        let (arm, called) = (axes * place, called.get(&k));
        let name = own.point_name(called.unwrap_or(&&mesh.names[k]));
        nodes[k] = Some(model.bodies.len());
        named.extend(called.map(|_| model.bodies.len()));
        model.bodies.push(Body {
            position: fields.position + arm,
            velocity: fields.velocity + turning.cross(&arm),
            ..Body::point(&name, *mass)
        });
    }
    for (node, load) in loads {
        let Some(body) = nodes[node].map(|body| model.bodies[body].name.clone()) else { continue };
        let name = format!("{body}.load");
        let ends = Ends { body: Some(body), ..Ends::default() };
        model.forces.push(Force { name, ends, kind: load.into() });
    }
    Ok((nodes, named))
}

/// Other names of nodes.
fn called<'a>(
    own: &'a MeshStructure,
    mesh: &StructureMesh,
    held: &[bool],
) -> Result<HashMap<usize, &'a String>, StructureFault> {
    let fields = &own.fields;
    if let Some((field, name)) = (fields.fixed.iter().map(|name| ("fixed", name)))
        .chain(fields.load_on.iter().map(|name| ("load_on", name)))
        .find(|(_, name)| mesh.set(name).is_none())
    {
        return Err((field, format!("`{}` has no set of nodes called `{name}`", fields.name)));
    }
    let mut all = HashMap::new();
    let numbers: HashMap<&str, usize> = match fields.points.is_empty() {
        true => HashMap::new(),
        false => mesh.names.iter().enumerate().map(|(k, name)| (name.as_str(), k)).collect(),
    };
    for (name, number) in &fields.points {
        let Some(&node) = numbers.get(number.to_string().as_str()) else {
            return Err(("points", format!("`{}` has no node {number} for the name `{name}`", fields.name)));
        };
        if held[node] {
            return Err(("points", format!("node {number}, called `{name}`, is fixed to the ground")));
        }
        all.insert(node, name);
    }
    Ok(all)
}

/// A field and what is wrong with it.
type StructureFault = (&'static str, String);

/// Loads of the nodes that move, each over the area that the node carries.
fn loads(
    own: &MeshStructure,
    mesh: &StructureMesh,
    held: &[bool],
) -> Result<Vec<(usize, AppliedForce)>, StructureFault> {
    let fields = &own.fields;
    let direction = match (fields.load.is_zero(), fields.load_direction) {
        (true, None) if fields.load_on.is_empty() => return Ok(Vec::new()),
        (true, None) => return Err(("load_on", "`load_on` needs a `load`".into())),
        (true, Some(_)) => {
            return Err(("load_direction", "this direction needs a `load`".into()));
        }
        (false, None) => return Err(("load", "`load` needs `load_direction`".into())),
        (false, Some(_)) if fields.load_on.is_empty() => {
            return Err(("load", "`load` needs `load_on`, the sets of nodes to which it applies".into()));
        }
        (false, Some(direction)) => direction,
    };
    let mut areas = vec![0.0; mesh.places.len()];
    for set in fields.load_on.iter().filter_map(|name| mesh.set(name)) {
        if set.areas.iter().all(|area| *area == 0.0) {
            let message =
                format!("the set `{}` contains no edge or face of an element for the load", set.name);
            return Err(("load_on", message));
        }
        set.nodes.iter().zip(&set.areas).for_each(|(&node, area)| areas[node as usize] += area);
    }
    let mut all = Vec::new();
    for (node, area) in areas.into_iter().enumerate().filter(|(node, area)| *area != 0.0 && !held[*node]) {
        let magnitude = match &fields.load {
            Function::Constant(x) => Function::Constant(x * area),
            Function::Expr(expr) => Function::Expr(expr.scaled(area)),
            Function::Table(curve) => Function::Table(curve.scaled(area)),
            Function::Closure(_) => {
                return Err(("load", "`load` must be a number, an expression or a table".into()));
            }
        };
        all.push((node, AppliedForce { magnitude, direction, body_fixed: false }));
    }
    if all.is_empty() {
        return Err(("load_on", "all nodes of these sets are fixed, so the load has no effect".into()));
    }
    Ok(all)
}

/// A point by a name of a structure without cells, so that nobody is blamed for using it.
fn stand_in(own: &MeshStructure, name: &str) -> Body {
    Body::point(&own.point_name(name), 1.0)
}
