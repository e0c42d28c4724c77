//! An elimination order and its inverse.

use super::error::TopologyError;

/// The order in which joints are numbered or eliminated, and the place of every joint in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    order: Vec<usize>,
    position: Vec<usize>,
}

impl Permutation {
    /// Checks that `order` names each of `0..order.len()` once.
    pub fn new(order: Vec<usize>) -> Result<Self, TopologyError> {
        let mut position = vec![usize::MAX; order.len()];
        for (place, &joint) in order.iter().enumerate() {
            match position.get_mut(joint) {
                Some(slot) if *slot == usize::MAX => *slot = place,
                _ => return Err(TopologyError::NotAPermutation { index: joint }),
            }
        }
        Ok(Self { order, position })
    }

    /// The order as given: 0, 1, 2, ...
    pub fn identity(len: usize) -> Self {
        Self { order: (0..len).collect(), position: (0..len).collect() }
    }

    /// An order built by an algorithm that names every joint once.
    pub(super) fn from_valid(order: Vec<usize>) -> Self {
        let mut position = vec![usize::MAX; order.len()];
        for (place, &joint) in order.iter().enumerate() {
            debug_assert_eq!(position[joint], usize::MAX, "joint {joint} ordered twice");
            position[joint] = place;
        }
        Self { order, position }
    }

    /// `order()[k]` is the joint at place `k`.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// `position()[j]` is the place of joint `j`.
    pub fn position(&self) -> &[usize] {
        &self.position
    }

    /// The number of joints.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// True when there is no joint.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The same order read backwards.
    pub fn reversed(&self) -> Self {
        Self::from_valid(self.order.iter().rev().copied().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_permutations_and_names_the_culprit_otherwise() {
        let p = Permutation::new(vec![2, 0, 1]).unwrap();
        assert_eq!(p.position(), [1, 2, 0]);
        assert_eq!(p.reversed().order(), [1, 0, 2]);
        assert_eq!(Permutation::new(vec![0, 0]), Err(TopologyError::NotAPermutation { index: 0 }));
        assert_eq!(Permutation::new(vec![0, 2]), Err(TopologyError::NotAPermutation { index: 2 }));
        assert!(Permutation::new(vec![]).unwrap().is_empty());
    }
}
