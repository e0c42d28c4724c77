//! Which columns are put together, and an order in which those follow each other that belong together.

use std::ops::Range;

/// Neighbours of a column in a panel, at least; it, and all behind it that it has to do with.
const MANY: usize = 17;

/// Rows of a panel, at most, unless a single node has more.
const WIDEST_PANEL: usize = 48;

/// Zeros that may be stored for what a panel saves, by its rows: as a part of all numbers.
const ZEROS: [(usize, f64); 3] = [(12, 0.4), (24, 0.2), (WIDEST_PANEL, 0.08)];

/// The columns of all panels, where `lists` has the later neighbours of each column with their extents: those with many,
/// and all that come behind them. No panel goes across an entry of `ends`.
pub(in crate::linalg::block_lu) fn gathered(
    lists: &[Vec<(u32, u32)>],
    sizes: &[usize],
    ends: &[usize],
) -> Vec<Range<usize>> {
    let mut many: Vec<bool> = lists.iter().map(|list| list.len() >= MANY).collect();
    for (k, list) in lists.iter().enumerate() {
        if let Some(&(parent, _)) = list.first() {
            many[parent as usize] |= many[k];
        }
    }
    let mut panels: Vec<Range<usize>> = Vec::new();
    let (mut width, mut numbers) = (0, 0);
    for (k, list) in lists.iter().enumerate().filter(|(k, _)| many[*k]) {
        let reach: usize = list.iter().map(|entry| entry.1 as usize).sum();
        let own = sizes[k] * (sizes[k] + 2 * reach);
        let stored = |width: usize| width * (width + 2 * reach);
        let follows = |last: &Range<usize>| {
            let next = lists[last.end - 1].first().is_some_and(|entry| entry.0 as usize == k);
            let all = width + sizes[k];
            let part = ZEROS.iter().find(|(rows, _)| all <= *rows).map(|&(_, part)| part);
            let zeros = stored(all) as f64 - (numbers + own) as f64;
            next && last.end == k
                && ends.binary_search(&k).is_err()
                && part.is_some_and(|part| zeros <= part * stored(all) as f64)
        };
        match panels.last_mut().filter(|last| follows(last)) {
            Some(last) => {
                last.end = k + 1;
                (width, numbers) = (width + sizes[k], numbers + own);
            }
            None => {
                panels.push(k..k + 1);
                (width, numbers) = (sizes[k], own);
            }
        }
    }
    panels
}

/// Whether any column has so many neighbours that panels are worth it.
pub(in crate::linalg::block_lu) fn are_many(neighbours: usize) -> bool {
    neighbours >= MANY
}

/// Columns in an order in which each comes right behind all below it in the elimination tree, the one with most neighbours
/// last, within each part; parts end at `ends`. What fills stays the same. O(columns log columns)
pub(in crate::linalg::block_lu) fn children_first(
    parent: &[u32],
    neighbours: &[usize],
    ends: &[usize],
) -> Vec<usize> {
    let n = parent.len();
    let mut order = Vec::with_capacity(n);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut start = 0;
    for &end in ends.iter().chain([&n]) {
        let mut waiting = Vec::new();
        for k in start..end {
            let above = parent[k] as usize;
            if above < end { children[above].push(k) } else { waiting.push(k) }
        }
        while let Some(k) = waiting.pop() {
            order.push(k);
            children[k].sort_by_key(|&child| (neighbours[child], child));
            waiting.append(&mut children[k]);
        }
        order[start..].reverse();
        start = end;
    }
    order
}
