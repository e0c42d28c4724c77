//! The first tree: fewest cut equations, near to its root.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::spanning::{Link, Wish};
use super::spanning_rooted::{NOWHERE, Net, Rooted, TreeChoice};
use super::spanning_work::find;

/// The links of a loop of links that are all wanted in the tree, if there is one.
pub(super) fn forced_cycle(bodies: usize, links: &[Link]) -> Option<Vec<usize>> {
    let mut top: Vec<usize> = (0..=bodies).collect();
    let mut forced: Vec<Vec<(usize, usize)>> = vec![Vec::new(); bodies + 1];
    for (k, link) in links.iter().enumerate().filter(|(_, l)| l.wish == Wish::Tree) {
        let (a, b) = (link.bodies[0], link.bodies.get(1).copied().unwrap_or(bodies));
        let (u, w) = (find(&mut top, a), find(&mut top, b));
        if u == w {
            let mut cycle = path(&forced, a, b);
            cycle.push(k);
            return Some(cycle);
        }
        top[u] = w;
        forced[a].push((b, k));
        forced[b].push((a, k));
    }
    None
}

/// The links from `a` to `b` in a forest.
fn path(forest: &[Vec<(usize, usize)>], a: usize, b: usize) -> Vec<usize> {
    let mut back = vec![(NOWHERE, NOWHERE); forest.len()];
    let mut stack = vec![a];
    back[a] = (a, NOWHERE);
    while let Some(body) = stack.pop() {
        for &(next, link) in &forest[body] {
            if back[next].0 == NOWHERE {
                back[next] = (body, link);
                stack.push(next);
            }
        }
    }
    let (mut links, mut at) = (Vec::new(), b);
    while at != a {
        links.push(back[at].1);
        at = back[at].0;
    }
    links.reverse();
    links
}

/// Prim's algorithm from ground, then from a base of each part that remains: the link with most equations
/// first, so that few are cut; among equal ones that nearest to the root. O(links log links).
pub(super) fn grow(net: &Net) -> TreeChoice {
    let mut hubs: Vec<usize> = (0..net.bodies).collect();
    hubs.sort_by_key(|&body| Reverse(net.carriers.row(body).len()));
    let mut choice = grow_in_order(net, &hubs);
    centre_bases(net, &mut choice);
    choice
}

/// The same with the bodies that may become bases in order.
pub(super) fn grow_in_order(net: &Net, bases: &[usize]) -> TreeChoice {
    let ground = net.bodies;
    let mut choice = TreeChoice { tree: vec![false; net.links.len()], bases: Vec::new() };
    let mut depth = vec![NOWHERE; ground + 1];
    let mut heap = BinaryHeap::new();
    for start in std::iter::once(ground).chain(bases.iter().copied()) {
        if depth[start] != NOWHERE {
            continue;
        }
        depth[start] = 0;
        if start != ground {
            choice.bases.push(start);
        }
        let mut body = start;
        loop {
            for &link in net.carriers.row(body) {
                let of = &net.links[link];
                let next = net.across(link, body);
                if depth[next] == NOWHERE {
                    let rank = (of.wish == Wish::Tree, of.equations);
                    heap.push((rank, Reverse(depth[body]), Reverse(link), Reverse(body)));
                }
            }
            let found = loop {
                let Some((_, _, Reverse(link), Reverse(from))) = heap.pop() else { break None };
                let next = net.across(link, from);
                if depth[next] == NOWHERE {
                    break Some((link, from, next));
                }
            };
            let Some((link, from, next)) = found else { break };
            choice.tree[link] = true;
            depth[next] = depth[from] + 1;
            body = next;
        }
    }
    choice
}

/// Moves each base to the body from which the coordinates of its part are nearest in sum. O(bodies).
fn centre_bases(net: &Net, choice: &mut TreeChoice) {
    let rooted = Rooted::new(net, choice);
    // coordinates of the subtree of each body
    let mut weight: Vec<usize> = rooted.freedoms.clone();
    for &body in rooted.preorder.iter().rev() {
        if rooted.inboard[body] != NOWHERE {
            weight[rooted.inboard[body]] += weight[body];
        }
    }
    for base in &mut choice.bases {
        let whole = weight[*base];
        let mut at = *base;
        let children = |body: usize| {
            net.carriers.row(body).iter().filter(|&&l| choice.tree[l]).map(move |&l| net.across(l, body))
        };
        while let Some(next) =
            children(at).find(|&c| c < net.bodies && rooted.inboard[c] == at && 2 * weight[c] > whole)
        {
            at = next;
        }
        *base = at;
    }
}
