//! Velocities of bodies that the model marks by words.

use crate::model::{Body, Space};

/// Dimensions of space.
pub(super) fn dimensions(space: Space) -> usize {
    if space == Space::Planar { 2 } else { 3 }
}

/// One flag per velocity of a body.
pub(super) fn flags(words: &[String], body: &Body, space: Space) -> Vec<bool> {
    let has = |word: &str| words.iter().any(|w| w == word || w == "all");
    let (x, y, z, turn) = (has("x"), has("y"), has("z"), has("rotation"));
    let mut all = match space {
        Space::Planar => vec![x, y, turn],
        Space::Spatial => vec![x, y, z, turn, turn, turn],
    };
    if body.point {
        all.truncate(if body.scalar { 1 } else { dimensions(space) });
    }
    all
}
