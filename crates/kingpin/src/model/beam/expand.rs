//! Beams become bodies and elements.

use super::elements::divide;
use super::node::{BeamMesh, PlannedNode, Slices, mesh};
use super::path::BeamPath;
use super::section::Slice;
use super::{Beam, BeamFault, BeamPart};
use crate::element::force::AppliedForce;
use crate::element::joint::Fixed;
use crate::element::shape::Rod;
use crate::model::finding::Finding;
use crate::model::value::{Mat3, Vec3};
use crate::model::{Body, Ends, Force, Function, Joint, Model, Orientation, Shape, Space, Span, Start};

/// Adds what all beams are made of, behind all that the model has; of those that something is wrong with the names alone.
pub(in crate::model) fn take_apart(model: &mut Model) -> (Vec<BeamPart>, Vec<Finding>) {
    let (mut parts, mut findings) = (Vec::new(), Vec::new());
    let beams = std::mem::take(&mut model.beams);
    for (k, beam) in beams.iter().enumerate() {
        let before = model.counts();
        let made = add(model, beam);
        let faulty = made.is_err();
        let mut part = made.unwrap_or_else(|fault| {
            findings.push(fault.finding(k, beam));
            stand_in(model, beam)
        });
        let behind = model.counts();
        let [bodies, spans, joints, forces, shapes] = std::array::from_fn(|k| before[k]..behind[k]);
        part = BeamPart { bodies, spans, joints, forces, shapes, faulty, ..part };
        part.named.iter_mut().for_each(|node| *node += part.bodies.start);
        parts.push(part);
    }
    model.beams = beams;
    (parts, findings)
}

/// Adds what a beam is made of; nothing if something is wrong with it.
fn add(model: &mut Model, beam: &Beam) -> Result<BeamPart, BeamFault> {
    let space = model.space;
    let path = BeamPath::of(beam)?;
    let borders = divide(beam, &path)?;
    let slices = Slices::of(beam, space)?;
    let mesh = mesh(beam, space, &path, &borders)?;
    let own: Vec<Slice> = mesh.nodes.iter().map(|node| slices.at(node.x)).collect::<Result<_, _>>()?;
    let stiffness: Vec<_> =
        mesh.elements.iter().map(|element| slices.along(element)).collect::<Result<_, _>>()?;
    let loads = loads(beam, &mesh.nodes)?;
    let names: Vec<String> = names(beam, &mesh.nodes);
    let mass = mesh.nodes.iter().zip(&own).map(|(node, slice)| node.share * slice.mass).sum();
    let start = mesh.nodes[0].place;
    for ((node, slice), name) in mesh.nodes.iter().zip(&own).zip(&names) {
        model.bodies.push(body(beam, space, node, slice, name, &start));
    }
    for (k, (element, stiffness)) in mesh.elements.iter().zip(stiffness).enumerate() {
        let bodies = element.nodes.iter().map(|&a| names[a].clone()).collect();
        let name = format!("{}.{}", beam.name, k + 1);
        model.spans.push(Span { name, bodies, length: element.length, stiffness, damping: beam.damping });
    }
    for (k, [before, behind]) in mesh.corners.iter().enumerate() {
        let (name, ends) =
            (beam.node_name(&format!("corner{}", k + 1)), Ends::bodies(&names[*before], &names[*behind]));
        model.joints.push(Joint {
            name,
            ends,
            start: Start::default(),
            fittings: Default::default(),
            kind: Fixed {}.into(),
        });
    }
    for (node, kind, load) in loads {
        let name = format!("{}.{kind}", names[node]);
        let ends = Ends { body: Some(names[node].clone()), ..Ends::default() };
        model.forces.push(Force { name, ends, kind: load.into() });
    }
    shapes(model, beam, &mesh, &own, &names);
    let named = (0..names.len()).filter(|k| mesh.nodes[*k].name.is_some()).collect();
    let (name, order, length) = (beam.name.clone(), beam.order, path.length());
    Ok(BeamPart { name, named, order, length, mass, ..BeamPart::default() })
}

/// Bodies by the names of a faulty beam, so that nobody is blamed for using them.
fn stand_in(model: &mut Model, beam: &Beam) -> BeamPart {
    let names: Vec<&str> =
        ["start", "end"].into_iter().chain(beam.points.iter().map(|(name, _)| name.as_str())).collect();
    let ends = [beam.from.or(beam.path.first().copied()), beam.to.or(beam.path.last().copied())];
    for (k, name) in names.iter().enumerate() {
        let position = ends.get(k).copied().flatten().unwrap_or_default();
        let body = Body { mass: 1.0, inertia: Mat3::identity(), position, ..Body::default() };
        model.bodies.push(Body { name: beam.node_name(name), ..body });
    }
    BeamPart { name: beam.name.clone(), named: (0..names.len()).collect(), ..BeamPart::default() }
}

fn names(beam: &Beam, nodes: &[PlannedNode]) -> Vec<String> {
    let name = |(k, node): (usize, &PlannedNode)| match &node.name {
        Some(name) => beam.node_name(name),
        None => beam.node_name(&(k + 1).to_string()),
    };
    nodes.iter().enumerate().map(name).collect()
}

/// The body of a node. The beam moves as one at first.
fn body(beam: &Beam, space: Space, node: &PlannedNode, slice: &Slice, name: &str, start: &Vec3) -> Body {
    let turning = beam.angular_velocity;
    let planar = space == Space::Planar;
    Body {
        name: name.into(),
        mass: slice.mass * node.share,
        inertia: slice.inertia * node.share,
        // a slice has no length, so two of its moments add up to the third
        unphysical_inertia: true,
        com: Some(slice.centre),
        position: node.place,
        orientation: if planar {
            Orientation::IDENTITY
        } else {
            Orientation::EulerParameters(node.parameters())
        },
        angle: node.angle,
        velocity: beam.velocity + turning.cross(&(node.place - start)),
        angular_velocity: if planar { turning } else { node.axes.transpose() * turning },
        ..Body::default()
    }
}

/// Loads at the nodes, each over the length that the node carries.
fn loads(beam: &Beam, nodes: &[PlannedNode]) -> Result<Vec<(usize, &'static str, AppliedForce)>, BeamFault> {
    let mut all = Vec::new();
    let ways = [
        ("load", "load_direction", &beam.load, beam.load_direction, false),
        ("follower_load", "follower_direction", &beam.follower_load, beam.follower_direction, true),
    ];
    for (field, towards, load, direction, body_fixed) in ways {
        let direction = match (load.is_zero(), direction) {
            (true, None) => continue,
            (true, Some(_)) => {
                return Err(BeamFault::new(towards, format!("there is no `{field}` to have this direction")));
            }
            (false, None) => return Err(BeamFault::new(field, format!("`{field}` needs `{towards}`"))),
            (false, Some(direction)) => direction,
        };
        for (k, node) in nodes.iter().enumerate() {
            let magnitude = at_node(load, node).ok_or_else(|| {
                let message = format!("`{field}` must be a number, an expression or a table");
                BeamFault::new(field, message)
                    .hint("functions written in Rust can be used in applied forces only")
            })?;
            all.push((k, field, AppliedForce { magnitude, direction, body_fixed }));
        }
    }
    Ok(all)
}

/// A load per length as a force at a node: a function of time and measures alone.
fn at_node(load: &Function, node: &PlannedNode) -> Option<Function> {
    match load {
        Function::Constant(x) => Some(Function::Constant(x * node.share)),
        Function::Expr(expr) => {
            let own = expr.with_value(1, node.x).scaled(node.share);
            let same = own.variables().next().is_none();
            Some(if same { Function::Constant(own.eval_with(|_| 0.0)) } else { Function::Expr(own) })
        }
        Function::Table(curve) => Some(Function::Table(curve.scaled(node.share))),
        Function::Closure(_) => None,
    }
}

/// A rod at each node, half way to its neighbours, as thick as the section is.
fn shapes(model: &mut Model, beam: &Beam, mesh: &BeamMesh, own: &[Slice], names: &[String]) {
    let mut reach = vec![[0.0_f64; 2]; mesh.nodes.len()];
    for pair in mesh.elements.iter().flat_map(|element| element.nodes.windows(2)) {
        let half = 0.5 * (mesh.nodes[pair[1]].place - mesh.nodes[pair[0]].place).norm();
        reach[pair[0]][1] = half;
        reach[pair[1]][0] = half;
    }
    let length: f64 = mesh.elements.iter().map(|element| element.length).sum();
    for ((k, slice), name) in own.iter().enumerate().zip(names) {
        let c = &slice.stiffness.0;
        let bending = if model.space == Space::Planar { c[5][5] } else { c[4][4].min(c[5][5]) };
        // that of a round section of the same radius of gyration
        let radius = (2.0 * (bending / c[0][0]).sqrt()).min(0.05 * length);
        let point = Some(Vec3::new(-reach[k][0], 0.0, 0.0));
        let ends = Ends { body: Some(name.clone()), point, ..Ends::default() };
        let to = Vec3::new(reach[k][0] + reach[k][1], 0.0, 0.0);
        model.shapes.push(Shape {
            ends,
            kind: Rod { to, radius, colour: beam.colour.clone(), ..Rod::default() }.into(),
        });
    }
}
