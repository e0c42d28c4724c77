//! Loops over batches and interfaces in pieces that follow from the structure alone: the same bits for any number of
//! threads.

use kingpin::threads::{Divide, join};
use std::ops::Range;

/// Batches of a piece: some tens of microseconds.
pub(crate) const GRAIN: usize = 32;
/// Interfaces of a piece.
pub(crate) const INTERFACES: usize = 512;

/// Room of the same number of places per item.
pub(crate) struct Blocks<'a> {
    room: &'a mut [f64],
    width: usize,
    first: usize,
}

impl<'a> Blocks<'a> {
    pub fn new(room: &'a mut [f64], width: usize) -> Self {
        Blocks { room, width, first: 0 }
    }

    /// The places of an item.
    #[inline(always)]
    pub fn of(&mut self, item: usize) -> &mut [f64] {
        let start = (item - self.first) * self.width;
        &mut self.room[start..start + self.width]
    }
}

impl Divide for Blocks<'_> {
    fn divide(self, item: usize) -> (Self, Self) {
        let (before, behind) = self.room.split_at_mut((item - self.first) * self.width);
        let width = self.width;
        (Blocks { room: before, width, first: self.first }, Blocks { room: behind, width, first: item })
    }
}

/// Does something to all items in pieces, each with its part of the room, and adds up what it says of them in a fixed
/// order.
pub(crate) fn summed<T: Divide>(
    items: Range<usize>,
    grain: usize,
    room: T,
    what: &(impl Fn(Range<usize>, T) -> [f64; 2] + Sync),
) -> [f64; 2] {
    if items.len() <= grain {
        return what(items, room);
    }
    let middle = items.start + items.len() / 2;
    let (before, behind) = room.divide(middle);
    let (a, b) = join(
        || summed(items.start..middle, grain, before, what),
        || summed(middle..items.end, grain, behind, what),
    );
    [a[0] + b[0], a[1] + b[1]]
}
