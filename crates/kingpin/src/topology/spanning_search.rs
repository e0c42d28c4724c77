//! Exchanges of links and moves of bases, as long as they save work.

use super::spanning::Wish;
use super::spanning_rooted::{Choice, NOWHERE, Net, Rooted};
use super::spanning_work::Prediction;

/// Bodies and links counted over all evaluations: about a fifth of a second.
const EFFORT: usize = 2_000_000;

/// Improves a choice in place, first found first taken, until nothing helps or the effort is spent.
pub(super) fn improve(net: &Net, choice: &mut Choice) {
    let mut left = EFFORT / (net.bodies + net.links.len()).max(1);
    let mut best = cost(net, choice);
    while left > 0
        && (exchange(net, choice, &mut best, &mut left) || rebase(net, choice, &mut best, &mut left))
    {}
}

/// What the sparse algorithm costs; fewer coordinates first among equals, since they are evaluated too.
fn cost(net: &Net, choice: &Choice) -> (u64, usize) {
    let rooted = Rooted::new(net, choice);
    let work = Prediction::new(net, &rooted, &choice.tree).sparse.sum().total();
    (work, rooted.freedoms.iter().sum())
}

/// Tries every cut link against every link of its loop; true after an improvement.
fn exchange(net: &Net, choice: &mut Choice, best: &mut (u64, usize), left: &mut usize) -> bool {
    let rooted = Rooted::new(net, choice);
    for link in 0..net.links.len() {
        if choice.tree[link] || !net.links[link].can_carry() {
            continue;
        }
        for out in tree_loop(net, &rooted, link) {
            if net.links[out].wish == Wish::Tree {
                continue;
            }
            if *left == 0 {
                return false;
            }
            *left -= 1;
            (choice.tree[link], choice.tree[out]) = (true, false);
            let found = cost(net, choice);
            if found < *best {
                *best = found;
                return true;
            }
            (choice.tree[link], choice.tree[out]) = (false, true);
        }
    }
    false
}

/// The tree links of the loop that a cut link closes.
fn tree_loop(net: &Net, rooted: &Rooted, link: usize) -> Vec<usize> {
    let bodies = &net.links[link].bodies;
    let common = bodies.get(1).and_then(|&b| rooted.common(bodies[0], b)).unwrap_or(NOWHERE);
    let mut found = Vec::new();
    for &body in bodies {
        let mut at = body;
        while at != common && rooted.link[at] != NOWHERE {
            found.push(rooted.link[at]);
            at = rooted.inboard[at];
            if at == NOWHERE {
                break;
            }
        }
    }
    found
}

/// Tries every body of a floating part as its base; true after an improvement.
fn rebase(net: &Net, choice: &mut Choice, best: &mut (u64, usize), left: &mut usize) -> bool {
    let rooted = Rooted::new(net, choice);
    for k in 0..choice.bases.len() {
        let base = choice.bases[k];
        for body in (0..net.bodies).filter(|&b| b != base && rooted.root[b] == base) {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            choice.bases[k] = body;
            let found = cost(net, choice);
            if found < *best {
                *best = found;
                return true;
            }
        }
        choice.bases[k] = base;
    }
    false
}
