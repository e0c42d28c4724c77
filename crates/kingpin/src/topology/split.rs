//! Topology index reduction: a body with many joints becomes several held together by fixed joints.
//!
//! The pieces of a body form a tree whose links are fixed joints (Negrut, section 4.2). Giving piece `i` the
//! fraction `alpha_i` of the mass, inertia and applied force, all with the centroid and axes of the original
//! body, changes neither accelerations nor multipliers; it only makes the reduced matrix sparser, at the
//! price of more equations and a somewhat worse condition.

use super::error::TopologyError;
use super::graph::JointGraph;
use super::lists::Lists;

/// How one body is cut: which joints each piece carries and which pieces are held together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyTree {
    /// The body.
    pub body: usize,
    /// The joints of each piece. Every joint of the body appears on exactly one piece.
    pub pieces: Vec<Vec<usize>>,
    /// Pairs of pieces held by a fixed joint; they form a tree.
    pub links: Vec<(usize, usize)>,
}

/// A part of a split body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VirtualBody {
    /// Its index in the new graph.
    pub body: usize,
    /// Its share of mass, inertia and applied force; the shares of one original body sum to 1.
    pub share: f64,
}

/// A fixed joint that holds two parts of a split body together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FixedJoint {
    /// Its index in the new graph.
    pub joint: usize,
    /// The two virtual bodies, as indices in the new graph.
    pub bodies: [usize; 2],
    /// The original body they are parts of.
    pub original: usize,
}

/// A graph some of whose bodies are split.
///
/// Original joints keep their indices and fixed joints follow. The first part of a body keeps the index of
/// the body; further parts follow all original bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    graph: JointGraph,
    parts: Vec<Vec<VirtualBody>>,
    attachment: Lists,
    fixed: Vec<FixedJoint>,
}

impl Split {
    /// Cuts bodies of `graph` as described; `fixed_size` is the number of equations of a fixed joint,
    /// 6 in space and 3 in the plane, unless the graph knows better. Every part of a body receives the same share.
    pub fn new(graph: &JointGraph, trees: &[BodyTree], fixed_size: usize) -> Result<Self, TopologyError> {
        let mut parts: Vec<Vec<VirtualBody>> =
            (0..graph.bodies()).map(|body| vec![VirtualBody { body, share: 1.0 }]).collect();
        let mut bodies_of: Vec<Vec<usize>> =
            (0..graph.joints()).map(|j| graph.bodies_of(j).to_vec()).collect();
        let mut fixed = Vec::new();
        let mut bodies = graph.bodies();
        for tree in trees {
            let body = tree.body;
            tree.check(graph)?;
            if parts[body].len() > 1 {
                return Err(TopologyError::SplitBody { body });
            }
            // Number the parts, hang the joints on them and hold them together.
            let share = 1.0 / tree.pieces.len() as f64;
            let index = |piece: usize| if piece == 0 { body } else { bodies + piece - 1 };
            parts[body] =
                (0..tree.pieces.len()).map(|piece| VirtualBody { body: index(piece), share }).collect();
            for (piece, joints) in tree.pieces.iter().enumerate() {
                for &joint in joints {
                    for (slot, &old) in bodies_of[joint].iter_mut().zip(graph.bodies_of(joint)) {
                        if old == body {
                            *slot = index(piece);
                        }
                    }
                }
            }
            for &(a, b) in &tree.links {
                let joint = graph.joints() + fixed.len();
                fixed.push(FixedJoint { joint, bodies: [index(a), index(b)], original: body });
            }
            bodies += tree.pieces.len() - 1;
        }
        let attachment = Lists::from_rows(&bodies_of);
        let original = bodies_of.iter().zip(graph.sizes()).map(|(list, &size)| (&list[..], size));
        let holding = fixed.iter().map(|f: &FixedJoint| (&f.bodies[..], graph.width(f.original, fixed_size)));
        let graph = JointGraph::new(bodies, original.chain(holding))?;
        Ok(Self { graph, parts, attachment, fixed })
    }

    /// The graph with the virtual bodies and fixed joints.
    pub fn graph(&self) -> &JointGraph {
        &self.graph
    }

    /// The parts of an original body: itself alone where it is not split.
    pub fn parts_of(&self, body: usize) -> &[VirtualBody] {
        &self.parts[body]
    }

    /// The virtual bodies that an original joint attaches to, in the order in which the original graph
    /// lists its bodies.
    pub fn attachment(&self, joint: usize) -> &[usize] {
        self.attachment.row(joint)
    }

    /// The added fixed joints, in the order of their indices.
    pub fn fixed_joints(&self) -> &[FixedJoint] {
        &self.fixed
    }

    /// The original bodies that are split.
    pub fn split_bodies(&self) -> impl Iterator<Item = usize> {
        (0..self.parts.len()).filter(|&body| self.parts[body].len() > 1)
    }
}

impl BodyTree {
    /// Checks that the pieces carry the joints of the body once each and that the links form a tree.
    fn check(&self, graph: &JointGraph) -> Result<(), TopologyError> {
        let body = self.body;
        if body >= graph.bodies() {
            return Err(TopologyError::SplitBody { body });
        }
        let mut carried: Vec<usize> = self.pieces.iter().flatten().copied().collect();
        carried.sort_unstable();
        let joints = graph.joints_on(body);
        if carried != joints {
            let at = carried.iter().zip(joints).position(|(a, b)| a != b);
            let at = at.unwrap_or(carried.len().min(joints.len()));
            let joint = match (carried.get(at), joints.get(at)) {
                (Some(&a), Some(&b)) => a.min(b),
                (a, b) => a.or(b).copied().unwrap_or(0),
            };
            return Err(TopologyError::SplitJoints { body, joint });
        }
        if self.is_tree() { Ok(()) } else { Err(TopologyError::SplitNotATree { body }) }
    }

    /// One link fewer than pieces, and each link joins two parts that were apart.
    fn is_tree(&self) -> bool {
        let pieces = self.pieces.len();
        if self.links.len() + 1 != pieces {
            return false;
        }
        let mut top: Vec<usize> = (0..pieces).collect();
        let find = |top: &mut Vec<usize>, mut piece: usize| {
            while top[piece] != piece {
                top[piece] = top[top[piece]];
                piece = top[piece];
            }
            piece
        };
        self.links.iter().all(|&(a, b)| {
            if a >= pieces || b >= pieces {
                return false;
            }
            let (a, b) = (find(&mut top, a), find(&mut top, b));
            top[a] = b;
            a != b
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{hmmwv, hmmwv_split, star};
    use super::super::metrics::{Metrics, WorkMeasure};
    use super::super::permutation::Permutation;
    use super::super::refine::{RefineOptions, refine};
    use super::*;

    #[test]
    fn numbering_shares_and_attachments() {
        let graph = star(5);
        let tree =
            BodyTree { body: 0, pieces: vec![vec![0, 1], vec![2], vec![3, 4]], links: vec![(0, 1), (1, 2)] };
        let split = Split::new(&graph, &[tree], 6).unwrap();
        assert_eq!(split.graph().bodies(), 8);
        assert_eq!(split.graph().joints(), 7);
        assert_eq!(split.graph().topology_index(), 3);
        let bodies: Vec<usize> = split.parts_of(0).iter().map(|p| p.body).collect();
        assert_eq!(bodies, [0, 6, 7]);
        assert!((split.parts_of(0).iter().map(|p| p.share).sum::<f64>() - 1.0).abs() < 1e-15);
        assert_eq!(split.parts_of(3), [VirtualBody { body: 3, share: 1.0 }]);
        assert_eq!(split.attachment(4), [7, 5]);
        assert_eq!(split.fixed_joints()[1], FixedJoint { joint: 6, bodies: [6, 7], original: 0 });
        assert_eq!(split.split_bodies().collect::<Vec<_>>(), [0]);
        assert_eq!(split.graph().size(6), 6);
    }

    #[test]
    fn nonsense_is_named() {
        let graph = star(4);
        let tree = |pieces: Vec<Vec<usize>>, links| BodyTree { body: 0, pieces, links };
        let cut = |tree: BodyTree| Split::new(&graph, &[tree], 6).unwrap_err();
        assert_eq!(
            cut(tree(vec![vec![0, 1], vec![2]], vec![(0, 1)])),
            TopologyError::SplitJoints { body: 0, joint: 3 }
        );
        assert_eq!(cut(tree(vec![vec![0, 1], vec![2, 3]], vec![])), TopologyError::SplitNotATree { body: 0 });
        assert_eq!(
            cut(tree(vec![vec![0, 1], vec![2, 3]], vec![(0, 9)])),
            TopologyError::SplitNotATree { body: 0 }
        );
        assert_eq!(cut(tree(vec![], vec![])), TopologyError::SplitJoints { body: 0, joint: 0 });
        let elsewhere = BodyTree { body: 99, pieces: vec![], links: vec![] };
        assert_eq!(cut(elsewhere), TopologyError::SplitBody { body: 99 });
        let half = tree(vec![vec![0, 1], vec![2, 3]], vec![(0, 1)]);
        assert_eq!(Split::new(&graph, &[half.clone(), half], 6), Err(TopologyError::SplitBody { body: 0 }));
    }

    /// The rows of the table of chassis splits: joints, least M, fill and nonzeros at that M.
    #[test]
    fn known_splits_of_the_vehicle() {
        let rows = [
            ("A", 27, 241, 13, 77),
            ("E", 27, 240, 13, 77),
            ("B", 27, 236, 12, 77),
            ("S1", 25, 233, 10, 75),
            ("S2", 26, 235, 11, 76),
        ];
        for (name, joints, products, fill, nonzeros) in rows {
            let split = Split::new(&hmmwv(), &[hmmwv_split(name)], 6).unwrap();
            let graph = split.graph();
            let options =
                RefineOptions { measure: WorkMeasure::Blocks, states: 40_000, ..RefineOptions::default() };
            let refined = refine(graph, &Permutation::identity(joints), &options);
            assert!(refined.optimal, "{name}");
            let counts = Metrics::new(graph, &refined.permutation).counts;
            assert_eq!(
                (counts.multiplications, counts.fill, counts.nonzeros),
                (products, fill, nonzeros),
                "{name}"
            );
        }
    }

    #[test]
    fn least_scalar_work_of_the_known_splits() {
        for (name, work) in [("A", 8171), ("E", 8159), ("B", 8096), ("S1", 8156), ("S2", 8095)] {
            let split = Split::new(&hmmwv(), &[hmmwv_split(name)], 6).unwrap();
            let start = Permutation::identity(split.graph().joints());
            let refined = refine(split.graph(), &start, &RefineOptions::default());
            assert!(refined.optimal);
            assert_eq!(Metrics::new(split.graph(), &refined.permutation).scalar_work, work, "{name}");
        }
    }

    /// The order written out for S1, with the fixed joints in its own numbering.
    #[test]
    fn published_order_of_the_best_split() {
        let split = Split::new(&hmmwv(), &[hmmwv_split("S1")], 6).unwrap();
        let order =
            [7, 8, 20, 19, 16, 23, 6, 5, 18, 17, 15, 22, 25, 4, 3, 14, 13, 10, 24, 21, 12, 11, 9, 2, 1];
        let metrics = Metrics::new(split.graph(), &super::super::examples::order_from_one(&order));
        let c = metrics.counts;
        assert_eq!(
            (c.additions, c.multiplications, c.inversions, c.fill, c.nonzeros),
            (223, 233, 85, 10, 75)
        );
        assert_eq!(metrics.scalar_work, 8156);
    }
}
