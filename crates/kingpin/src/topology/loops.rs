//! Loops and separate parts of a mechanism, ground counted as a body.

use super::graph::JointGraph;

/// How the bodies hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connectivity {
    /// Independent closed loops: joints that could be cut and leave every body held as it was.
    pub loops: usize,
    /// Groups of bodies that no joint ties to ground, directly or through others.
    pub floating: usize,
}

impl Connectivity {
    /// Joints with one body tie it to ground. A joint of more than two bodies ties each to the first.
    /// Almost linear in the number of (joint, body) pairs.
    pub fn new(graph: &JointGraph) -> Self {
        let ground = graph.bodies();
        let mut top: Vec<usize> = (0..=ground).collect();
        let (mut loops, mut apart) = (0, ground);
        for joint in 0..graph.joints() {
            let Some((&first, others)) = graph.bodies_of(joint).split_first() else { continue };
            let to_ground = others.is_empty().then_some(&ground);
            for &other in others.iter().chain(to_ground) {
                let (a, b) = (find(&mut top, first), find(&mut top, other));
                if a == b {
                    loops += 1;
                } else {
                    top[a] = b;
                    apart -= 1;
                }
            }
        }
        Self { loops, floating: apart }
    }
}

/// The representative of the part a body is in, with path halving.
fn find(top: &mut [usize], mut body: usize) -> usize {
    while top[body] != body {
        top[body] = top[top[body]];
        body = top[body];
    }
    body
}

#[cfg(test)]
mod tests {
    use super::super::examples::{chain, hmmwv, ladder, rosette, seven_body, star};
    use super::*;

    fn of(graph: &JointGraph) -> (usize, usize) {
        let found = Connectivity::new(graph);
        (found.loops, found.floating)
    }

    #[test]
    fn known_mechanisms() {
        assert_eq!(of(&chain(7)), (0, 0));
        assert_eq!(of(&ladder(5)), (5, 0));
        assert_eq!(of(&seven_body()), (3, 0));
        // nothing ties the vehicle, the star and the rosette to ground
        assert_eq!(of(&hmmwv()), (8, 1));
        assert_eq!(of(&star(4)), (0, 1));
        assert_eq!(of(&rosette(3)), (3, 1));
    }

    #[test]
    fn joints_of_other_numbers_of_bodies() {
        let graph = JointGraph::new(4, [(vec![], 1), (vec![0, 1, 2], 1), (vec![0, 2], 2)]).unwrap();
        assert_eq!(of(&graph), (1, 2));
    }
}
