//! The equations of motion in joint coordinates: composite inertia matrix, equations outside the tree, right side
//! [Negrut 1998, Eqs 3.143 to 3.148].

use super::super::problem::{Numbers, Problem};
use super::cut::{Cut, row_at};
use super::kernel::{
    JointColumn, Square, add_inertia, centrifugal, force_from, inner, motion_at, pack, times, wide,
};
use super::mobility::Mobility;
use super::pose::LinkState;
use super::tree::{GROUND, LinkTree, TreeLink};
use crate::element::basic::Basic;
use crate::element::equation::EquationForm;
use crate::linalg::Entry;
use crate::linalg::lanes::Lanes;
use crate::system::System;

/// Where the numbers go: blocks of the matrix in the order in which they are computed.
#[derive(Clone, Debug, Default)]
pub(super) struct CompositePlaces {
    /// For each link with coordinates, from the last: its own block, then those with the links inboard of it.
    inertia: Vec<Entry>,
    /// For each group of the cut, its links.
    paths: Vec<LinkPath>,
    /// Links on all paths.
    steps: Vec<PathLink>,
    /// Where rows of blocks start on the paths, in the order of loads.
    slots: Vec<usize>,
}

/// The links between the bodies of a group of equations.
#[derive(Clone, Copy, Debug)]
struct LinkPath {
    steps: usize,
    loads: usize,
}

/// A link on a path.
#[derive(Clone, Copy, Debug)]
struct PathLink {
    link: usize,
    /// The step inboard of it, if that is on the path.
    inboard: Option<usize>,
    /// Block of the group and the coordinates of the link, if it has any.
    entry: Option<Entry>,
}

impl CompositePlaces {
    /// Asks where blocks are: of two links, and of a group of the cut and a link.
    pub fn new(
        system: &System,
        problem: &Problem,
        (tree, cut): (&LinkTree, &Cut),
        inertia: &dyn Fn(usize, usize) -> Option<Entry>,
        equation: &dyn Fn(usize, usize) -> Option<Entry>,
    ) -> CompositePlaces {
        let mut places = CompositePlaces::default();
        for (k, link) in tree.links.iter().enumerate().rev().filter(|(_, l)| !l.columns.is_empty()) {
            places.inertia.extend(inertia(k, k));
            let mut at = link.inboard;
            while at != GROUND {
                if !tree.links[at].columns.is_empty() {
                    places.inertia.extend(inertia(at, k));
                }
                at = tree.links[at].inboard;
            }
        }
        for (g, group) in cut.groups.iter().enumerate() {
            let links = links_between(system, problem, tree, group.group);
            let slot = |link: usize| links.iter().position(|&l| l == link);
            for &link in &links {
                let entry = (!tree.links[link].columns.is_empty()).then(|| equation(g, link)).flatten();
                places.steps.push(PathLink { link, inboard: slot(tree.links[link].inboard), entry });
            }
            let blocks = problem.blocks_of(group.group);
            // a body outside all paths cannot move the equation
            places.slots.extend(blocks.iter().map(|b| slot(tree.link_of[b.body]).unwrap_or(usize::MAX)));
            places.paths.push(LinkPath { steps: links.len(), loads: blocks.len() });
        }
        places
    }

    /// Longest path.
    pub fn longest(&self) -> usize {
        self.paths.iter().map(|path| path.steps).max().unwrap_or(0)
    }
}

/// Links whose coordinates an equation depends on, outermost first: those between the bodies of its functions.
pub(super) fn links_between(system: &System, problem: &Problem, tree: &LinkTree, group: usize) -> Vec<usize> {
    let mut links: Vec<usize> = Vec::new();
    let mut between = |of: [usize; 2]| {
        let paths = of.map(|body| path(tree, tree.link_of[body]));
        for (own, other) in [(&paths[0], &paths[1]), (&paths[1], &paths[0])] {
            links.extend(own.iter().filter(|link| !other.contains(link)));
        }
    };
    let (own, ground) = (problem.blocks_of(group), system.bodies());
    if problem.whole[group] {
        // all that carries its bodies matters
        own.iter().for_each(|block| between([block.body, ground]));
    } else if group >= system.layout.groups.len() {
        // inertances come behind all joints
        let mut bodies = own.iter().map(|block| block.body);
        between([(); 2].map(|()| bodies.next().unwrap_or(ground)));
    }
    let equations = system.layout.groups.get(group).map_or(0..0, |group| group.equations.clone());
    for numbered in &system.layout.equations[equations] {
        match &numbered.equation.form {
            EquationForm::Coincide(c) => between(c.bodies),
            EquationForm::Single(b, _) | EquationForm::Held(b, _) => between(b.bodies()),
            EquationForm::Sum(terms, _) => {
                terms.iter().map(|(_, b): &(f64, Basic)| b.bodies()).for_each(&mut between)
            }
        }
    }
    links.sort_unstable_by(|a, b| b.cmp(a));
    links.dedup();
    links
}

/// A link and all that carry it.
fn path(tree: &LinkTree, mut link: usize) -> Vec<usize> {
    let mut path = Vec::new();
    while link != GROUND {
        path.push(link);
        link = tree.links[link].inboard;
    }
    path
}

/// Accelerations at zero accelerations of the coordinates, outward; and what they need, added to the forces.
#[inline(always)]
pub(super) fn bias<L: Lanes, const N: usize>(lanes: L, links: &[TreeLink], nodes: &mut [LinkState<N>]) {
    for (k, link) in links.iter().enumerate() {
        let mut a = nodes[k].c;
        if link.inboard != GROUND {
            let carried = motion_at(lanes, &nodes[link.inboard].a, &nodes[k].d);
            a.iter_mut().zip(carried).for_each(|(a, b)| *a += b);
        }
        let need = times(lanes, &nodes[k].inertia, &a);
        nodes[k].p.iter_mut().zip(need).for_each(|(p, x)| *p += x);
        nodes[k].a = a;
    }
}

/// Fills the composite inertia matrix and the forces on the coordinates, inward.
#[inline(always)]
pub(super) fn inertias<L: Lanes, const N: usize>(
    lanes: L,
    (tree, places): (&LinkTree, &CompositePlaces),
    nodes: &mut [LinkState<N>],
    columns: &[JointColumn<N>],
    values: &mut [f64],
    force: &mut [f64],
) {
    let mut entries = places.inertia.iter();
    for (k, link) in tree.links.iter().enumerate().rev() {
        let own = &columns[link.columns.clone()];
        if let Some(entry) = (!own.is_empty()).then(|| entries.next()).flatten() {
            // own block: H^T I H, I the inertia of the link and all that it carries; force: -H^T p
            let mut felt = [[0.0; N]; N];
            for (f, column) in felt.iter_mut().zip(own) {
                *f = inertia_times(lanes, &link.mobility, &nodes[k].inertia, column);
            }
            for (r, (row, f)) in own.iter().zip(&mut force[link.columns.clone()]).enumerate() {
                *f = -inner(lanes, &row.h, &nodes[k].p);
                for c in 0..=r {
                    values[entry.index(r, c)] = inner(lanes, &row.h, &felt[c]);
                }
            }
            // the same forces I H, moved inward, are felt by the coordinates of every carrier on the way to the ground
            let (mut at, mut d) = (link.inboard, nodes[k].d);
            while at != GROUND {
                for f in &mut felt[..own.len()] {
                    *f = force_from(lanes, f, &d);
                }
                let carrier = &tree.links[at];
                if let Some(entry) = (!carrier.columns.is_empty()).then(|| entries.next()).flatten() {
                    for (r, row) in columns[carrier.columns.clone()].iter().enumerate() {
                        for (c, f) in felt[..own.len()].iter().enumerate() {
                            values[entry.index(r, c)] = inner(lanes, &row.h, f);
                        }
                    }
                }
                (at, d) = (carrier.inboard, nodes[at].d);
            }
        }
        if link.inboard != GROUND {
            let (before, rest) = nodes.split_at_mut(k);
            let (node, inboard) = (&rest[0], &mut before[link.inboard]);
            add_inertia(lanes, &node.inertia, &node.d, &mut inboard.inertia);
            let moved = force_from(lanes, &node.p, &node.d);
            inboard.p.iter_mut().zip(moved).for_each(|(p, m)| *p += m);
        }
    }
}

/// Inertia times the motion of a column.
#[inline(always)]
fn inertia_times<L: Lanes, const N: usize>(
    lanes: L,
    mobility: &Mobility,
    inertia: &Square<N>,
    column: &JointColumn<N>,
) -> [f64; N] {
    match mobility {
        Mobility::Hinge { .. } if N == 3 => inertia[2],
        Mobility::Hinge { .. } | Mobility::Ball { .. } => {
            super::kernel::combine(lanes, inertia, &column.h, N / 2)
        }
        _ => times(lanes, inertia, &column.h),
    }
}

/// Fills the equations of the cut in joint coordinates and their right side.
#[inline(always)]
pub(super) fn equations<L: Lanes, const N: usize>(
    lanes: L,
    (tree, cut, places): (&LinkTree, &Cut, &CompositePlaces),
    n: &Numbers,
    nodes: &[LinkState<N>],
    columns: &[JointColumn<N>],
    carry: &mut [[f64; N]],
    values: &mut [f64],
    right: &mut [f64],
) {
    let (mut steps, mut slots, mut loads) = (&places.steps[..], &places.slots[..], &cut.loads[..]);
    let mut room = [0.0; N];
    for (group, path) in cut.groups.iter().zip(&places.paths) {
        let (mine, slot, load);
        (mine, steps) = steps.split_at(path.steps);
        (slot, slots) = slots.split_at(path.loads);
        (load, loads) = loads.split_at(path.loads);
        let rows = group.rows.len();
        let carry = &mut carry[..rows * mine.len()];
        carry.fill([0.0; N]);
        let right = &mut right[group.rows.clone()];
        right.copy_from_slice(&n.gamma[group.first..group.first + rows]);
        // rows where they act: right side gamma - Phi a at zero rates of the coordinates, and the forces to carry inward
        for (load, &slot) in load.iter().zip(slot) {
            let (node, body) = (&nodes[load.link], &n.bodies[load.body]);
            let curve = centrifugal::<N>(&node.w, &node.rho);
            for r in 0..rows {
                let row = wide(n.phi_v, load.at + r * load.width, load.width, &mut room);
                let (lin, ang, need) = row_at::<L, N>(lanes, row, body, &node.rho, &curve);
                let force = pack::<N>(&lin, &ang);
                right[r] -= need + inner(lanes, &force, &node.a);
                if slot != usize::MAX {
                    carry[slot * rows + r].iter_mut().zip(force).for_each(|(c, f)| *c += f);
                }
            }
        }
        // inward along the path: the row on a coordinate is h . force
        for (s, step) in mine.iter().enumerate() {
            let link = &tree.links[step.link];
            for r in 0..rows {
                let force = carry[s * rows + r];
                if let Some(entry) = &step.entry {
                    for (c, column) in columns[link.columns.clone()].iter().enumerate() {
                        values[entry.index(r, c)] = inner(lanes, &column.h, &force);
                    }
                }
                if let Some(to) = step.inboard {
                    let moved = force_from(lanes, &force, &nodes[step.link].d);
                    carry[to * rows + r].iter_mut().zip(moved).for_each(|(c, f)| *c += f);
                }
            }
        }
    }
}

/// Accelerations of the links from those of the coordinates, outward: a = a of the inboard link, moved, + c + H q''.
#[inline(always)]
pub(super) fn recover<L: Lanes, const N: usize>(
    lanes: L,
    links: &[TreeLink],
    nodes: &mut [LinkState<N>],
    columns: &[JointColumn<N>],
    rates: &[f64],
) {
    for (k, link) in links.iter().enumerate() {
        let mut a = nodes[k].c;
        if link.inboard != GROUND {
            let carried = motion_at(lanes, &nodes[link.inboard].a, &nodes[k].d);
            a.iter_mut().zip(carried).for_each(|(a, b)| *a += b);
        }
        for (column, q) in columns[link.columns.clone()].iter().zip(&rates[link.columns.clone()]) {
            for c in 0..N {
                a[c] = lanes.mul_add(column.h[c], *q, a[c]);
            }
        }
        nodes[k].a = a;
    }
}
