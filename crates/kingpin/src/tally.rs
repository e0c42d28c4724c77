//! Counts of symbolic work, so that tests can tell that it is done once.

use std::cell::Cell;

/// How often something was found out about structures on this thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Models compiled.
    pub compilations: usize,
    /// Spanning trees searched for.
    pub trees: usize,
    /// Orders of elimination searched for, splits of bodies included.
    pub orders: usize,
    /// Choices of a solver.
    pub choices: usize,
}

thread_local! {
    static TALLY: Cell<Tally> = const { Cell::new(Tally { compilations: 0, trees: 0, orders: 0, choices: 0 }) };
}

/// The counts since they were taken last.
pub fn take() -> Tally {
    TALLY.take()
}

/// Counts one more.
pub(crate) fn note(of: impl FnOnce(&mut Tally) -> &mut usize) {
    let mut tally = TALLY.get();
    *of(&mut tally) += 1;
    TALLY.set(tally);
}
