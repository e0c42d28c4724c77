//! The spanning tree of a system: what recursive formulations stand on.
//!
//! Every group of equations of the layout is a link: joints that can carry a body may be tree joints, all others
//! are cut. Along the tree, with H and c of [`Articulation`],
//! `v_b = X_b v_in + H_b s_b` and `v_b' = X_b v_in' + H_b s_b' + c_b`; a floating base has H = 1, c = 0.

use super::{Node, System, Work, in_space};
use crate::element::articulation::{Articulation, transfer_transposed};
use crate::spatial::Coords;
use crate::topology::{Link, SpanningError, SpanningTree, span};

/// A spanning tree compiled for a system.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The tree as a graph: inboard bodies, order, numbering of coordinates, cut links, predicted work. Its links
    /// are the groups of the layout.
    pub graph: SpanningTree,
    /// How each body is carried; `None` for floating bases. `inboard` is the number of bodies for ground.
    pub joints: Vec<Option<Articulation>>,
    /// Rows of the cut groups that count, ascending: independent of each other and of the tree joints.
    pub cut_rows: Vec<usize>,
    /// Place of the joint coordinates of each body among all of them, in the order of the tree; a floating base
    /// has the coordinates of its body. Spherical joints and spatial bases have one number more than freedoms.
    pub first: Vec<usize>,
    /// Joint coordinates in all.
    pub numbers: usize,
}

impl System {
    /// Every group of equations as a link of the graph; rows that are `redundant` cost nothing where it is cut.
    pub fn links(&self, redundant: &[bool]) -> Vec<Link> {
        let lost = |row: usize| redundant.get(row).copied().unwrap_or(false);
        let groups = self.layout.groups.iter().enumerate();
        let link = |(k, group): (usize, &super::EquationGroup)| {
            let bodies = self.layout.blocks[group.blocks.clone()].iter().map(|b| b.body).collect();
            let equations = group.rows.clone().filter(|&row| !lost(row)).count();
            // joints come first among the groups
            let freedoms = self.articulations.get(k).copied().flatten().map(|a| a.freedoms());
            Link { bodies, equations, freedoms, wish: self.wishes.get(k).copied().unwrap_or_default() }
        };
        groups.map(link).collect()
    }

    /// Coordinates that each body has where nothing carries it.
    pub fn free_coordinates(&self) -> Vec<usize> {
        self.nodes.iter().map(|node| node.nv).collect()
    }

    /// Chooses a spanning tree by the least predicted work. The work must be set to a state that satisfies the
    /// constraints, for which `redundant` tells the rows that depend on others.
    pub fn tree(&self, work: &mut Work, redundant: &[bool]) -> Result<Tree, SpanningError> {
        let graph = span(&self.free_coordinates(), &self.links(redundant))?;
        let mut tree =
            Tree { joints: self.carriers(&graph), graph, cut_rows: vec![], first: vec![], numbers: 0 };
        tree.first = vec![0; self.bodies()];
        for &body in &tree.graph.order {
            tree.first[body] = tree.numbers;
            tree.numbers += tree.joints[body].map_or(self.nodes[body].nq, |joint| joint.coordinates());
        }
        let flagged = |row: usize| redundant.get(row).copied().unwrap_or(false);
        let groups = &self.layout.groups;
        let rows = tree.graph.cut.iter().flat_map(|&group| groups[group].rows.clone());
        tree.cut_rows = rows.filter(|&row| !flagged(row)).collect();
        // a tree joint keeps all its rows: others must go in their place
        let kept = tree.graph.link.iter().flatten();
        if kept.flat_map(|&group| groups[group].rows.clone()).any(flagged) {
            self.evaluate_constraints(work);
            tree.cut_rows = tree.independent(self, work);
        }
        Ok(tree)
    }

    fn carriers(&self, graph: &SpanningTree) -> Vec<Option<Articulation>> {
        let carrier = |body: usize| {
            let joint = self.articulations[graph.link[body]?]?;
            Some(if joint.outboard == body { joint } else { joint.reverse() })
        };
        (0..self.bodies()).map(carrier).collect()
    }
}

impl Tree {
    /// Relative coordinates: columns of all H.
    pub fn coordinates(&self) -> usize {
        self.graph.coordinates()
    }

    /// The body that carries `body`, as a place in `Work::bodies`: ground for floating bases.
    pub fn inboard(&self, body: usize) -> usize {
        self.graph.inboard[body].unwrap_or(self.joints.len())
    }

    /// One row of Phi_v in relative coordinates, added to `row`: products with H along the paths inwards.
    /// The work must hold evaluated constraints. O(depth).
    pub fn add_relative_row(&self, system: &System, work: &Work, row: usize, out: &mut [f64]) {
        in_space!(system.space, C => self.relative_row::<C>(system, work, row, out));
    }

    fn relative_row<C: Coords>(&self, system: &System, work: &Work, row: usize, out: &mut [f64]) {
        let group = &system.layout.groups[system.layout.group_of(row)];
        for block in &system.layout.blocks[group.blocks.clone()] {
            let mut f = [0.0; 6];
            f[..block.nv].copy_from_slice(&work.phi_v[block.row(row - group.rows.start)]);
            let mut h = [[0.0; 6]; 6];
            for body in self.graph.path(block.body) {
                let start = self.graph.start[body];
                let Some(joint) = &self.joints[body] else {
                    let width = system.nodes[body].nv;
                    out[start..start + width].iter_mut().zip(&f).for_each(|(o, f)| *o += f);
                    break;
                };
                let (inboard, outboard) = (&work.bodies[joint.inboard], &work.bodies[body]);
                joint.subspace::<C>(inboard, outboard, &mut h);
                for (out, h) in out[start..].iter_mut().zip(&h[..joint.freedoms()]) {
                    *out += (0..C::NV).map(|k| h[k] * f[k]).sum::<f64>();
                }
                f = transfer_transposed::<C>(inboard, outboard, &f);
            }
        }
    }

    /// Rows of the cut groups that do not depend on those before, by orthogonalisation. O(rows^2 coordinates).
    fn independent(&self, system: &System, work: &Work) -> Vec<usize> {
        let (n, mut basis, mut rows) = (self.coordinates(), Vec::<Vec<f64>>::new(), Vec::new());
        for &group in &self.graph.cut {
            for row in system.layout.groups[group].rows.clone() {
                let mut x = vec![0.0; n];
                self.add_relative_row(system, work, row, &mut x);
                let before = norm(&x);
                for _ in 0..2 {
                    for b in &basis {
                        let k: f64 = x.iter().zip(b).map(|(x, b)| x * b).sum();
                        x.iter_mut().zip(b).for_each(|(x, b)| *x -= k * b);
                    }
                }
                let after = norm(&x);
                if after > 1e-9 * before && after > 1e-12 {
                    basis.push(x.iter().map(|x| x / after).collect());
                    rows.push(row);
                }
            }
        }
        rows
    }

    /// Joint coordinates and their rates at the instant of the work. Angles are those nearest to the values that
    /// `q` (`numbers`) holds before; `s` has one entry per relative coordinate.
    pub fn read(&self, system: &System, work: &Work, q: &mut [f64], s: &mut [f64]) {
        in_space!(system.space, C => {
            for (body, joint) in self.joints.iter().enumerate() {
                let outboard = &work.bodies[body];
                let (q, s) = (&mut q[self.first[body]..], &mut s[self.graph.start[body]..]);
                if let Some(joint) = joint {
                    let (inboard, mut near) = (&work.bodies[joint.inboard], [0.0; 4]);
                    near[..joint.coordinates()].copy_from_slice(&q[..joint.coordinates()]);
                    joint.read::<C>(inboard, outboard, &near, q);
                    joint.rates::<C>(inboard, outboard, s);
                } else {
                    let node = &system.nodes[body];
                    q[..node.places].copy_from_slice(&outboard.r[..node.places]);
                    s[..node.places].copy_from_slice(&outboard.rdot[..node.places]);
                    if node.turns() {
                        q[C::D..C::NQ].copy_from_slice(&outboard.p[..C::K]);
                        s[C::D..C::NV].copy_from_slice(&outboard.w[..C::M]);
                    }
                }
            }
        });
    }

    /// Places all bodies from joint coordinates and rates, ground and bases first. O(bodies).
    pub fn place(&self, system: &System, q: &[f64], s: &[f64], work: &mut Work) {
        in_space!(system.space, C => {
            for &body in self.graph.order.iter().rev() {
                let (q, s) = (&q[self.first[body]..], &s[self.graph.start[body]..]);
                work.bodies[body] = match &self.joints[body] {
                    Some(joint) => joint.place::<C>(&work.bodies[joint.inboard], q, s),
                    None => Node { q: 0, v: 0, ..system.nodes[body] }.state::<C>(q, s),
                };
            }
        });
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
