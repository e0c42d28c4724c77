//! Threads: work cut into pieces that do not depend on who does them.
//!
//! A system is cut by its size alone. Each piece writes what no other reads or writes, and every sum has a fixed order,
//! so numbers have the same bits for any number of threads. Threads belong to a pool around a whole run ([`within`]);
//! outside of one, [`join`] does one thing after the other.

use std::ops::Range;

/// Bodies or joints of a piece, at most: some tens of microseconds, beside which handing it over costs nothing.
pub const GRAIN: usize = 256;

/// Bodies for which another thread is predicted to pay: a step of them takes about a millisecond.
const PAYING: usize = 4_000;

/// Most threads that may be asked for.
pub const MOST: usize = 1_024;

/// How many threads a run of so many bodies has: as many as are asked for, else as many as the machine has and are
/// predicted to pay.
pub fn number(asked: Option<usize>, bodies: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, |n| n.get());
    asked.unwrap_or_else(|| if bodies < 2 * PAYING { 1 } else { cores().min(bodies / PAYING) }).max(1)
}

/// Threads that wait for work, and end with this.
pub struct Pool(Option<rayon::ThreadPool>);

impl Pool {
    /// So many: none beside the one at hand for one thread, for who is in a pool already, and where the system gives no
    /// threads. Numbers are the same.
    pub fn new(threads: usize) -> Pool {
        if threads < 2 || rayon::current_thread_index().is_some() {
            return Pool(None);
        }
        Pool(rayon::ThreadPoolBuilder::new().num_threads(threads.min(MOST)).build().ok())
    }

    /// How many there are, with the one at hand.
    pub fn threads(&self) -> usize {
        self.0.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Does something among the threads, all of it, so that its parts meet threads awake.
    pub fn within<R: Send>(&self, what: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(what),
            None => what(),
        }
    }
}

/// Does something in a pool of so many threads, which end with it. It is told how many it has: who is in a pool already
/// stays there.
pub fn within<R: Send>(threads: usize, what: impl FnOnce(usize) -> R + Send) -> R {
    Pool::new(threads)
        .within(|| what(rayon::current_thread_index().map_or(1, |_| rayon::current_num_threads())))
}

/// Does two things at once, if there are threads for it.
#[inline]
pub fn join<A, B>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B)
where
    A: Send,
    B: Send,
{
    if rayon::current_thread_index().is_some() { rayon::join(a, b) } else { (a(), b()) }
}

/// Room for what belongs to some items in a row.
pub trait Divide: Send + Sized {
    /// The room of the items before one, and that of the others; items count from the first of all.
    fn divide(self, item: usize) -> (Self, Self);
}

/// Does something to all items in pieces, each with its part of the room. `grain` is the most items of a piece. Few items
/// are done on the spot: what is done should be a call of a function, lest there be two of it.
#[inline(always)]
pub fn in_pieces<T: Divide>(
    items: Range<usize>,
    grain: usize,
    room: T,
    what: &(impl Fn(Range<usize>, T) + Sync),
) {
    if items.len() <= grain.max(1) { what(items, room) } else { in_halves(items, grain, room, what) }
}

/// The same for more items than a piece has.
#[inline(never)]
fn in_halves<T: Divide>(
    items: Range<usize>,
    grain: usize,
    room: T,
    what: &(impl Fn(Range<usize>, T) + Sync),
) {
    if items.len() <= grain.max(1) {
        return what(items, room);
    }
    let middle = items.start + items.len() / 2;
    let (before, behind) = room.divide(middle);
    join(
        || in_halves(items.start..middle, grain, before, what),
        || in_halves(middle..items.end, grain, behind, what),
    );
}

/// Room of one place per item.
#[derive(Debug)]
pub struct Each<'a, T>(pub &'a mut [T], pub usize);

impl<T: Send> Divide for Each<'_, T> {
    fn divide(self, item: usize) -> (Self, Self) {
        let (before, behind) = self.0.split_at_mut(item - self.1);
        (Each(before, self.1), Each(behind, item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_systems_have_one_thread() {
        assert_eq!((number(None, 10), number(None, 2 * PAYING - 1)), (1, 1));
        assert_eq!((number(Some(3), 10), number(Some(0), 10)), (3, 1));
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        assert_eq!(number(None, 1_000_000_000), cores);
    }

    #[test]
    fn every_item_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 3, 64] {
            for n in [0, 1, 7, 8, 1000] {
                let mut done = vec![0; n];
                let all = |_| {
                    in_pieces(0..n, 8, Each(&mut done, 0), &|items, room: Each<usize>| {
                        items.zip(room.0).for_each(|(item, place)| *place += item + 1);
                    });
                };
                within(threads, all);
                assert!(done.iter().copied().eq(1..=n), "{threads} threads, {n} items");
            }
        }
    }

    #[test]
    fn outside_of_a_pool_nothing_is_spawned() {
        assert_eq!(join(rayon::current_thread_index, || 1), (None, 1));
        let inside = within(2, |has| (has, rayon::current_thread_index().is_some(), within(8, |has| has)));
        assert_eq!(inside, (2, true, 2));
    }
}
