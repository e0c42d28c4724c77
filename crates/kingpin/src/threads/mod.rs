//! Threads: work cut into pieces that do not depend on who does them.
//!
//! A system is cut by its size alone. Each piece writes what no other reads or writes, and every sum has a fixed order,
//! so numbers have the same bits for any number of threads. Threads belong to a pool around a whole run ([`within`]);
//! outside of one, [`join`] does one thing after the other.

use std::ops::Range;

/// Bodies or joints of a piece, at most: some tens of microseconds, beside which handing it over costs nothing.
pub const GRAIN: usize = 256;

/// Numbers of a piece of a vector, at most: some microseconds.
pub const STRETCH: usize = 8_192;

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

/// What comes of all items: of the pieces, put together two by two in a fixed order.
#[inline(always)]
pub fn gathered<R: Send>(
    items: Range<usize>,
    grain: usize,
    of: &(impl Fn(Range<usize>) -> R + Sync),
    both: &(impl Fn(R, R) -> R + Sync),
) -> R {
    if items.len() <= grain.max(1) { of(items) } else { gathered_in_halves(items, grain, of, both) }
}

/// The same for more items than a piece has.
#[inline(never)]
fn gathered_in_halves<R: Send>(
    items: Range<usize>,
    grain: usize,
    of: &(impl Fn(Range<usize>) -> R + Sync),
    both: &(impl Fn(R, R) -> R + Sync),
) -> R {
    if items.len() <= grain.max(1) {
        return of(items);
    }
    let middle = items.start + items.len() / 2;
    let (a, b) = join(
        || gathered_in_halves(items.start..middle, grain, of, both),
        || gathered_in_halves(middle..items.end, grain, of, both),
    );
    both(a, b)
}

/// Does something to the numbers of a vector in stretches, each with the place of its first.
#[inline(always)]
pub fn in_stretches<T: Send>(to: &mut [T], what: &(impl Fn(usize, &mut [T]) + Sync)) {
    in_pieces(0..to.len(), STRETCH, Each(to, 0), &|some, room: Each<T>| what(some.start, room.0));
}

/// Copies a vector.
///
/// # Panics
/// If the two are not of the same length.
pub fn copy(from: &[f64], to: &mut [f64]) {
    assert_eq!(from.len(), to.len(), "lengths of two vectors");
    in_stretches(to, &|first, to| to.copy_from_slice(&from[first..first + to.len()]));
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

/// Room of some places per item, which begin where a list says; its last number is the end of all.
#[derive(Debug)]
pub struct Spans<'a, T> {
    starts: &'a [u32],
    room: &'a mut [T],
    first: usize,
}

impl<'a, T> Spans<'a, T> {
    /// All of the room.
    pub fn new(starts: &'a [u32], room: &'a mut [T]) -> Self {
        Spans { starts, room, first: 0 }
    }

    /// The places of one of the items.
    #[inline(always)]
    pub fn of(&mut self, item: usize) -> &mut [T] {
        &mut self.room[self.starts[item] as usize - self.first..self.starts[item + 1] as usize - self.first]
    }
}

impl<T: Send> Divide for Spans<'_, T> {
    fn divide(self, item: usize) -> (Self, Self) {
        let (starts, middle) = (self.starts, self.starts[item] as usize);
        let (before, behind) = self.room.split_at_mut(middle - self.first);
        (Spans { starts, room: before, first: self.first }, Spans { starts, room: behind, first: middle })
    }
}

/// Room that may not be needed.
impl<T: Divide> Divide for Option<T> {
    fn divide(self, item: usize) -> (Self, Self) {
        self.map(|room| room.divide(item)).unzip()
    }
}

/// Room of two kinds.
impl<A: Divide, B: Divide> Divide for (A, B) {
    fn divide(self, item: usize) -> (Self, Self) {
        let ((a, c), (b, d)) = (self.0.divide(item), self.1.divide(item));
        ((a, b), (c, d))
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
    fn sums_have_a_fixed_order() {
        let numbers: Vec<f64> = (0..1000).map(|k| (k as f64).sin()).collect();
        let sum = |some: Range<usize>| numbers[some].iter().sum::<f64>();
        let by = |threads| within(threads, |_| gathered(0..1000, 7, &sum, &|a, b| a + b));
        assert!([2, 3, 8].into_iter().all(|threads| by(threads) == by(1)));
        assert!((by(1) - sum(0..1000)).abs() < 1e-12);
    }

    #[test]
    fn vectors_are_copied_whole() {
        let from: Vec<f64> = (0..5 * STRETCH + 3).map(|k| k as f64).collect();
        let mut to = vec![0.0; from.len()];
        within(3, |_| copy(&from, &mut to));
        assert_eq!(from, to);
        // items of zero, one, two, three places
        let starts: Vec<u32> = (0..100_u32).map(|k| k * k.saturating_sub(1) / 2).collect();
        let room = (Spans::new(&starts, &mut to), Each(&mut [(); 99], 0));
        in_pieces(0..99, 10, room, &|items, mut room: (Spans<f64>, Each<()>)| {
            items.for_each(|item| room.0.of(item).fill(item as f64));
        });
        assert!(
            (0..99).all(|k| to[starts[k] as usize..starts[k + 1] as usize].iter().all(|x| *x == k as f64))
        );
    }

    #[test]
    fn outside_of_a_pool_nothing_is_spawned() {
        assert_eq!(join(rayon::current_thread_index, || 1), (None, 1));
        let inside = within(2, |has| (has, rayon::current_thread_index().is_some(), within(8, |has| has)));
        assert_eq!(inside, (2, true, 2));
    }
}
