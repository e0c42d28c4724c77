//! Work on all sub-domains of a rank, each with its part of a vector. In a pool of threads several are done at once; each
//! writes what no other reads or writes, so numbers have the same bits for any number of threads.

/// Sub-domains that one thread does at a time.
const GRAIN: usize = 4;

/// Does something to each sub-domain with its part of `out`, which begins at its entry of `starts`, and with its own
/// `work`.
pub(crate) fn each<W: Send>(
    starts: &[usize],
    out: &mut [f64],
    work: &mut [W],
    what: &(impl Fn(usize, &mut [f64], &mut W) + Sync),
) {
    halves(0, starts, out, work, rayon::current_thread_index().is_some(), what);
}

fn halves<W: Send>(
    first: usize,
    starts: &[usize],
    out: &mut [f64],
    work: &mut [W],
    pool: bool,
    what: &(impl Fn(usize, &mut [f64], &mut W) + Sync),
) {
    if !pool || work.len() <= GRAIN {
        let mut rest = out;
        for (k, own) in work.iter_mut().enumerate() {
            let (part, behind) = rest.split_at_mut(starts[k + 1] - starts[k]);
            what(first + k, part, own);
            rest = behind;
        }
        return;
    }
    let middle = work.len() / 2;
    let (before, behind) = out.split_at_mut(starts[middle] - starts[0]);
    let (work_before, work_behind) = work.split_at_mut(middle);
    rayon::join(
        || halves(first, &starts[..=middle], before, work_before, pool, what),
        || halves(first + middle, &starts[middle..], behind, work_behind, pool, what),
    );
}

/// What comes of each item, in their order; the first failure of all.
pub(crate) fn made<'a, T: Sync, R: Send, E: Send>(
    items: &'a [T],
    what: &(impl Fn(usize, &'a T) -> Result<R, E> + Sync),
) -> Result<Vec<R>, E> {
    if rayon::current_thread_index().is_none() {
        return items.iter().enumerate().map(|(k, item)| what(k, item)).collect();
    }
    use rayon::prelude::*;
    let all: Vec<Result<R, E>> = items.par_iter().enumerate().map(|(k, item)| what(k, item)).collect();
    all.into_iter().collect()
}
