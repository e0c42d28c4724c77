//! A long trunk in pieces that wait for each other: while one is eliminated, the next one inboard is placed, and while
//! accelerations spread over one, bodies of those inboard get theirs.

use super::tree::{GROUND, TreeLink};
use std::ops::Range;

/// Pieces of a trunk, cut by its length alone.
#[derive(Clone, Debug, Default)]
pub(super) struct Stages {
    /// Where each piece ends, from the ground outward.
    ends: Vec<usize>,
    /// Links behind each piece that hang on it, the last first, and where the list of each piece ends.
    hanging: Vec<u32>,
    lists: Vec<usize>,
    /// How many of the first bodies belong to each piece and those before it.
    known: Vec<usize>,
}

/// Pieces of a trunk, at most, and links of each, at least, in units of other pieces of work.
const PIECES: usize = 16;
const LEAST: usize = 4;

impl Stages {
    /// The pieces of the first `trunk` links. O(links)
    pub fn new(links: &[TreeLink], link_of: &[usize], trunk: usize, grain: usize) -> Stages {
        let count = (trunk / grain.max(1).saturating_mul(LEAST)).clamp(1, PIECES);
        let mut stages =
            Stages { ends: (1..=count).map(|k| trunk * k / count).collect(), ..Stages::default() };
        let mut hanging = vec![Vec::new(); count];
        for (k, link) in links.iter().enumerate().rev().filter(|(_, link)| link.inboard != GROUND) {
            let on = stages.ends.partition_point(|&end| end <= link.inboard);
            if stages.ends.get(on).is_some_and(|&end| end <= k) {
                hanging[on].push(k as u32);
            }
        }
        for list in hanging {
            stages.hanging.extend(list);
            stages.lists.push(stages.hanging.len());
        }
        let mut body = 0;
        for &end in &stages.ends {
            while link_of.get(body).is_some_and(|&link| link < end) {
                body += 1;
            }
            stages.known.push(body);
        }
        stages
    }

    /// How many there are, one at least.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// The links of a piece; none before the first.
    pub fn piece(&self, k: usize) -> Range<usize> {
        k.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[k]
    }

    /// Links behind a piece that hang on it, the last first.
    pub fn hanging(&self, k: usize) -> &[u32] {
        &self.hanging[k.checked_sub(1).map_or(0, |before| self.lists[before])..self.lists[k]]
    }

    /// The bodies that accelerations of a piece make known; all before them are known already.
    pub fn bodies(&self, k: usize) -> Range<usize> {
        k.checked_sub(1).map_or(0, |before| self.known[before])..self.known[k]
    }
}

#[cfg(test)]
mod tests {
    use super::super::mobility::Mobility;
    use super::*;

    fn link(body: usize, inboard: usize) -> TreeLink {
        let (mobility, columns) = (Mobility::Free, 0..0);
        TreeLink { body, inboard, hold: None, mobility, columns, v: 0, width: 0 }
    }

    #[test]
    fn a_chain_is_cut_and_a_short_one_is_not() {
        let links: Vec<TreeLink> =
            (0..100).map(|k: usize| link(k, k.checked_sub(1).unwrap_or(GROUND))).collect();
        // a branch of ten links hangs on link 89
        let link_of: Vec<usize> = (0..100).chain([GROUND]).collect();
        let stages = Stages::new(&links, &link_of, 90, 5);
        assert_eq!(stages.count(), 4);
        assert_eq!((stages.piece(0), stages.piece(3)), (0..22, 67..90));
        assert_eq!([0, 1, 2, 3].map(|k| stages.hanging(k).to_vec()), [[22], [45], [67], [90]]);
        assert_eq!((stages.bodies(0), stages.bodies(3)), (0..22, 67..90));
        assert_eq!(Stages::new(&links, &link_of, 100, 256).count(), 1);
    }

    #[test]
    fn what_hangs_on_a_piece_comes_the_last_first_and_bodies_wait_for_all_before_them() {
        // body 1 is the last link; links 2 and 3 hang on link 0 beside link 1
        let links = [link(0, GROUND), link(2, 0), link(3, 0), link(1, 0)];
        let stages = Stages::new(&links, &[0, 3, 1, 2, GROUND], 4, 1);
        assert_eq!((stages.count(), stages.hanging(0)), (1, &[][..]));
        let links: Vec<TreeLink> = (0..16).map(|k| link(15 - k, if k == 0 { GROUND } else { 0 })).collect();
        let link_of: Vec<usize> = (0..16).rev().chain([GROUND]).collect();
        let stages = Stages::new(&links, &link_of, 16, 1);
        assert_eq!((stages.count(), stages.hanging(0).first(), stages.hanging(0).len()), (4, Some(&15), 12));
        assert_eq!((stages.bodies(0), stages.bodies(2), stages.bodies(3)), (0..0, 0..0, 0..16));
    }
}
