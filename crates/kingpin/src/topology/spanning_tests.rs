//! Spanning trees against brute force, and the published vehicle.

use super::random::Random;
use super::spanning::{Link, SpanningError, SpanningTree, Wish, span};

fn link(bodies: &[usize], equations: usize, freedoms: Option<usize>) -> Link {
    Link { bodies: bodies.to_vec(), equations, freedoms, wish: Wish::Either }
}

/// The vehicle of [Negrut 1998, Figure 9]: chassis 0, then per corner upper arm, spindle, lower arm; rack 13.
fn vehicle() -> Vec<Link> {
    let mut links = vec![link(&[0, 13], 5, Some(1))];
    for corner in 0..4 {
        let [upper, spindle, lower] = [1, 2, 3].map(|k| 3 * corner + k);
        links.push(link(&[0, upper], 5, Some(1)));
        links.push(link(&[0, lower], 5, Some(1)));
        links.push(link(&[upper, spindle], 3, Some(3)));
        links.push(link(&[lower, spindle], 3, Some(3)));
        links.push(link(&[if corner < 2 { 13 } else { 0 }, spindle], 1, None));
    }
    links
}

#[test]
fn the_vehicle_of_the_thesis() {
    let tree = span(&[6].repeat(14), &vehicle()).unwrap();
    assert_eq!((tree.coordinates(), tree.cut_equations, tree.cut.len()), (27, 16, 8));
    assert_eq!((tree.bases().collect::<Vec<_>>(), tree.height()), (vec![0], 2));
    // Table 7: divisions of steps 1 and 3.1, multiplications of 2, 3.1 and 4
    let s = tree.work.sparse;
    assert_eq!((s.factor.divisions, s.loops.divisions), (165, 174));
    assert_eq!((s.forward.multiply_adds, s.loops.multiply_adds, s.back.multiply_adds), (165, 804, 165));
    // Table 8
    let d = tree.work.dense;
    let found = [d.factor, d.forward, d.loops, d.residual, d.product, d.spread, d.back];
    assert_eq!(found.map(|x| x.multiply_adds), [3276, 351, 5616, 432, 3672, 432, 351]);
    assert_eq!(found.map(|x| x.divisions), [351, 27, 432, 0, 0, 0, 27]);
    assert_eq!((d.multipliers.divisions, d.factor.roots + d.multipliers.roots), (152, 43));
    assert!(s.sum().total() < d.sum().total());
    assert!(tree.work.articulated.is_none());
}

#[test]
fn wishes_are_kept_and_loops_of_them_named() {
    let mut links = vehicle();
    links[3].wish = Wish::Cut;
    links[5].wish = Wish::Either;
    let tree = span(&[6].repeat(14), &links).unwrap();
    assert!(tree.cut.contains(&3) && !tree.cut.contains(&4));
    for k in [1, 2, 3] {
        links[k].wish = Wish::Tree;
    }
    assert!(span(&[6].repeat(14), &links).is_ok());
    links[4].wish = Wish::Tree;
    assert_eq!(span(&[6].repeat(14), &links), Err(SpanningError::Cycle { links: vec![2, 1, 3, 4] }));
    links[4].wish = Wish::Either;
    links[5].wish = Wish::Tree;
    assert_eq!(span(&[6].repeat(14), &links), Err(SpanningError::CannotCarry { link: 5 }));
    links[5].bodies[0] = 14;
    assert_eq!(span(&[6].repeat(14), &links), Err(SpanningError::BodyOutOfRange { link: 5, body: 14 }));
}

#[test]
fn forced_links_to_ground_form_a_loop_through_it() {
    let mut links = vec![link(&[0], 5, Some(1)), link(&[0, 1], 5, Some(1)), link(&[1], 5, Some(1))];
    links.iter_mut().for_each(|l| l.wish = Wish::Tree);
    let Err(SpanningError::Cycle { mut links }) = span(&[6].repeat(2), &links) else { panic!() };
    links.sort_unstable();
    assert_eq!(links, [0, 1, 2]);
}

#[test]
fn bodies_coupled_by_distances_only_float() {
    let links = [link(&[0, 1], 1, None), link(&[1], 1, None)];
    let tree = span(&[6].repeat(3), &links).unwrap();
    assert_eq!((tree.coordinates(), tree.cut_equations, tree.bases().count()), (18, 2, 3));
    let none = span(&[6].repeat(0), &[]).unwrap();
    assert_eq!((none.coordinates(), none.height(), none.order.len()), (0, 0, 0));
}

#[test]
fn a_twin_without_equations_is_cut() {
    // two hinges on one axis: the second adds nothing
    let links = [link(&[0], 0, Some(1)), link(&[0], 5, Some(1))];
    let tree = span(&[6], &links).unwrap();
    assert_eq!((tree.link[0], tree.cut, tree.cut_equations), (Some(1), vec![0], 0));
    assert!(tree.work.articulated.is_some());
}

#[test]
fn large_models_are_quick_and_bases_stand_in_the_middle() {
    let n = 100_000;
    let chain: Vec<Link> = (1..n).map(|b| link(&[b - 1, b], 5, Some(1))).collect();
    let tree = span(&[6].repeat(n), &chain).unwrap();
    assert!(tree.height() <= n / 2 + 3 && tree.coordinates() == n + 5);
    let ladder: Vec<Link> = (0..n / 2)
        .flat_map(|k| {
            let rail = |side: usize| match k {
                0 => link(&[side], 5, Some(1)),
                _ => link(&[2 * k - 2 + side, 2 * k + side], 5, Some(1)),
            };
            [rail(0), rail(1), link(&[2 * k, 2 * k + 1], 1, None)]
        })
        .collect();
    let tree = span(&[6].repeat(n), &ladder).unwrap();
    assert_eq!((tree.cut_equations, tree.coordinates()), (n / 2, n));
}

// ---- random topologies

fn random_links(random: &mut Random, bodies: usize, count: usize) -> Vec<Link> {
    let mut links = Vec::new();
    for _ in 0..count {
        let many = [1, 2, 2, 2, 2, 2, 3][random.below(7)];
        let mut of: Vec<usize> = (0..many).map(|_| random.below(bodies)).collect();
        of.sort_unstable();
        of.dedup();
        let equations = 1 + random.below(5);
        let freedoms = (random.below(5) > 0).then_some(6 - equations);
        links.push(link(&of, equations, freedoms));
    }
    links
}

/// Everything a spanning tree must be.
fn check(bodies: usize, links: &[Link], tree: &SpanningTree) {
    // every body once in the order, outboard before inboard
    let mut place = vec![usize::MAX; bodies];
    tree.order.iter().enumerate().for_each(|(k, &b)| place[b] = k);
    assert!(place.iter().all(|&p| p < bodies) && tree.order.len() == bodies);
    let mut used = vec![false; links.len()];
    for body in 0..bodies {
        // paths end: nothing is cyclic
        assert!(tree.path(body).count() <= bodies);
        assert!(tree.path(body).skip(1).all(|up| place[up] > place[body]));
        assert_eq!(tree.above[body], tree.path(body).skip(1).map(|b| tree.freedoms[b]).sum::<usize>());
        match tree.link[body] {
            None => assert_eq!((tree.inboard[body], tree.freedoms[body], tree.depth[body]), (None, 6, 0)),
            Some(l) => {
                assert!(!used[l] && links[l].can_carry() && links[l].bodies.contains(&body));
                used[l] = true;
                let other = links[l].bodies.iter().copied().find(|&b| b != body);
                assert_eq!((tree.inboard[body], Some(tree.freedoms[body])), (other, links[l].freedoms));
                assert_eq!(tree.depth[body], other.map_or(0, |up| tree.depth[up]) + 1);
            }
        }
    }
    let cut: Vec<usize> = (0..links.len()).filter(|&l| !used[l]).collect();
    assert_eq!(tree.cut, cut);
    // nothing more could be carried: every cut carrier closes a loop
    let root = |body: usize| tree.path(body).last().filter(|&b| tree.link[b].is_none());
    for &l in cut.iter().filter(|&&l| links[l].can_carry()) {
        let ends = &links[l].bodies;
        assert_eq!(root(ends[0]), ends.get(1).and_then(|&b| root(b)), "link {l} could carry");
    }
    no_fill(bodies, tree);
}

/// Lemma 2: eliminating in order on explicit sets makes no new block.
fn no_fill(bodies: usize, tree: &SpanningTree) {
    let related = |a: usize, b: usize| tree.path(a).any(|x| x == b) || tree.path(b).any(|x| x == a);
    for (k, &u) in tree.order.iter().enumerate() {
        let later: Vec<usize> = tree.order[k + 1..].iter().copied().filter(|&v| related(u, v)).collect();
        for (i, &v) in later.iter().enumerate() {
            assert!(later[i + 1..].iter().all(|&w| related(v, w)), "fill among {bodies} bodies");
        }
    }
}

/// Multiply-adds, divisions and roots of the sparse algorithm, counted one by one on explicit patterns.
fn counted(links: &[Link], inboard: &[Option<usize>], freedoms: &[usize], cut: &[usize]) -> u64 {
    let bodies = inboard.len();
    let path = |b: usize| std::iter::successors(Some(b), |&x| inboard[x]).collect::<Vec<_>>();
    let scalar = |set: &[usize]| set.iter().map(|&b| freedoms[b] as u64).sum::<u64>();
    let (mut total, mut lengths) = (0, vec![Vec::new(); bodies]);
    for b in 0..bodies {
        let (own, above) = (freedoms[b] as u64, scalar(&path(b)[1..]));
        for c in 0..own {
            let l = own - 1 - c + above;
            // factor, both substitutions
            total += (1..=l).sum::<u64>() + l + 1 + 2 * (l + 1);
            lengths[b].push(l);
        }
        total += 36 * (own + 1) + 6 * (own * (own + 1) / 2 + own * above + own);
    }
    let sets: Vec<(u64, Vec<usize>)> = cut
        .iter()
        .map(|&l| {
            let mut set: Vec<usize> = links[l].bodies.iter().flat_map(|&b| path(b)).collect();
            set.sort_unstable();
            set.dedup();
            (links[l].equations as u64, set)
        })
        .collect();
    for ((m, set), &l) in sets.iter().zip(cut) {
        let two = links[l].bodies.len() == 2;
        let common = |b: &usize| two && links[l].bodies.iter().all(|&e| path(e).contains(b));
        let moved: Vec<usize> = set.iter().copied().filter(|b| !common(b)).collect();
        let entries: u64 = set.iter().flat_map(|&b| &lengths[b]).sum();
        total += m * (6 * scalar(&moved) + entries + scalar(set) + 2 * scalar(set));
    }
    // T^T T by pairs of equations, and its factor by parts
    let rows: Vec<&Vec<usize>> = sets.iter().flat_map(|(m, set)| (0..*m).map(move |_| set)).collect();
    let mut group: Vec<usize> = (0..rows.len()).collect();
    for i in 0..rows.len() {
        for j in 0..=i {
            let shared: Vec<usize> = rows[i].iter().copied().filter(|b| rows[j].contains(b)).collect();
            total += scalar(&shared);
            if !shared.is_empty() {
                let (from, to) = (group[i], group[j]);
                group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
            }
        }
    }
    for g in 0..rows.len() {
        let m = group.iter().filter(|&&x| x == g).count() as u64;
        total += (0..m).map(|l| l * (l + 1) / 2 + 3 * l).sum::<u64>() + 3 * m;
    }
    total
}

/// The least work of all spanning trees and bases, by trying them all.
fn brute_force(bodies: usize, links: &[Link]) -> u64 {
    let carriers: Vec<usize> = (0..links.len()).filter(|&l| links[l].can_carry()).collect();
    let mut best = (0, u64::MAX);
    for set in 0..1_usize << carriers.len() {
        let tree: Vec<usize> =
            (0..carriers.len()).filter(|k| set >> k & 1 == 1).map(|k| carriers[k]).collect();
        if tree.len() < best.0 || tree.len() > bodies {
            continue;
        }
        let Some(part) = parts(bodies, links, &tree) else { continue };
        if tree.len() > best.0 {
            best = (tree.len(), u64::MAX);
        }
        let cut: Vec<usize> = (0..links.len()).filter(|l| !tree.contains(l)).collect();
        // every choice of one base per floating part
        let floating: Vec<Vec<usize>> = (0..bodies)
            .map(|p| (0..bodies).filter(|&b| part[b] == p).collect::<Vec<_>>())
            .filter(|p: &Vec<usize>| !p.is_empty())
            .collect();
        let mut pick = vec![0; floating.len()];
        loop {
            let bases: Vec<usize> = floating.iter().zip(&pick).map(|(p, &k)| p[k]).collect();
            let (inboard, freedoms) = root(bodies, links, &tree, &bases);
            best.1 = best.1.min(counted(links, &inboard, &freedoms, &cut));
            let Some(k) = (0..pick.len()).find(|&k| pick[k] + 1 < floating[k].len()) else { break };
            pick[..k].fill(0);
            pick[k] += 1;
        }
    }
    best.1
}

/// The part of each body, ground's being `bodies`; `None` if the links form a loop.
fn parts(bodies: usize, links: &[Link], tree: &[usize]) -> Option<Vec<usize>> {
    let mut part: Vec<usize> = (0..=bodies).collect();
    for &l in tree {
        let (a, b) = (part[links[l].bodies[0]], part[links[l].bodies.get(1).copied().unwrap_or(bodies)]);
        if a == b {
            return None;
        }
        let (from, to) = (a.min(b), a.max(b));
        part.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
    }
    Some(part)
}

fn root(bodies: usize, links: &[Link], tree: &[usize], bases: &[usize]) -> (Vec<Option<usize>>, Vec<usize>) {
    let (mut inboard, mut freedoms, mut done) = (vec![None; bodies], vec![6; bodies], vec![false; bodies]);
    bases.iter().for_each(|&b| done[b] = true);
    for _ in 0..bodies {
        for &l in tree {
            let ends = &links[l].bodies;
            let second = ends.get(1).copied();
            for (from, to) in [(second, Some(ends[0])), (Some(ends[0]), second)] {
                let (Some(to), reached) = (to, from.is_none_or(|b| done[b])) else { continue };
                if reached && !done[to] {
                    (inboard[to], freedoms[to], done[to]) = (from, links[l].freedoms.unwrap(), true);
                }
            }
        }
    }
    (inboard, freedoms)
}

#[test]
fn random_topologies() {
    let mut random = Random::new(11);
    for round in 0..200 {
        let bodies = 1 + random.below(40);
        let count = random.below(2 * bodies);
        let links = random_links(&mut random, bodies, count);
        let tree = span(&[6].repeat(bodies), &links).unwrap();
        check(bodies, &links, &tree);
        let found = counted(&links, &tree.inboard, &tree.freedoms, &tree.cut);
        assert_eq!(tree.work.sparse.sum().total(), found, "round {round}");
        assert_eq!(tree, span(&[6].repeat(bodies), &links).unwrap());
    }
}

#[test]
fn no_spanning_tree_of_a_small_graph_is_less_work() {
    let mut random = Random::new(5);
    let mut worse = 0;
    for _ in 0..200 {
        let bodies = 1 + random.below(5);
        let count = random.below(9);
        let links = random_links(&mut random, bodies, count);
        let tree = span(&[6].repeat(bodies), &links).unwrap();
        let (found, best) = (tree.work.sparse.sum().total(), brute_force(bodies, &links));
        assert!(found >= best);
        if found > best {
            eprintln!("{found} {best}");
        }
        worse += usize::from(found > best);
    }
    assert_eq!(worse, 0);
}
