//! Exchanges of links and moves of bases, as long as they save work.

use super::spanning::Wish;
use super::spanning_rooted::{NOWHERE, Net, Rooted, TreeChoice};
use super::spanning_work::{Steps, WorkRoom};

/// Bodies and links counted over all evaluations: less than a tenth of a second.
const EFFORT: usize = 500_000;

/// Improves a choice in place, first found first taken, until nothing helps or the effort is spent.
pub(super) fn improve(net: &Net, choice: &mut TreeChoice) {
    let mut search = TreeSearch {
        net,
        left: EFFORT / (net.bodies + net.links.len()).max(1),
        rooted: Rooted::default(),
        room: WorkRoom::default(),
    };
    let mut best = search.cost(choice);
    search.descend(choice, &mut best);
    while search.left > 0 && search.restart(choice, &mut best) {}
}

/// A search under way: evaluations that are left, and room for them.
struct TreeSearch<'a> {
    net: &'a Net<'a>,
    left: usize,
    rooted: Rooted,
    room: WorkRoom,
}

/// One change of a choice.
#[derive(Clone, Copy)]
enum TreeChange {
    /// A cut link comes in, a tree link goes out.
    Exchange { come: usize, go: usize },
    /// Floating part `part` gets another base.
    Rebase { part: usize, body: usize },
}

impl TreeChange {
    fn take(self, choice: &mut TreeChoice) {
        match self {
            TreeChange::Exchange { come, go } => (choice.tree[come], choice.tree[go]) = (true, false),
            TreeChange::Rebase { part, body } => choice.bases[part] = body,
        }
    }
}

/// All changes, one after the other.
fn steps<'a>(net: &'a Net, choice: &TreeChoice, rooted: &'a Rooted) -> impl Iterator<Item = TreeChange> + 'a {
    let cut: Vec<usize> =
        (0..net.links.len()).filter(|&l| !choice.tree[l] && net.links[l].can_carry()).collect();
    let exchanges = cut.into_iter().flat_map(move |come| {
        let out = tree_loop(net, rooted, come).into_iter().filter(|&go| net.links[go].wish != Wish::Tree);
        out.map(move |go| TreeChange::Exchange { come, go })
    });
    let rebases = choice.bases.clone().into_iter().enumerate().flat_map(move |(part, base)| {
        let others = (0..net.bodies).filter(move |&b| b != base && rooted.root[b] == base);
        others.map(move |body| TreeChange::Rebase { part, body })
    });
    exchanges.chain(rebases)
}

impl TreeSearch<'_> {
    fn descend(&mut self, choice: &mut TreeChoice, best: &mut (u64, usize)) {
        while self.left > 0 && self.change(choice, best) {}
    }

    /// From the best choice takes one step that costs more, each in turn, and descends from there; true after an
    /// improvement.
    fn restart(&mut self, choice: &mut TreeChoice, best: &mut (u64, usize)) -> bool {
        let rooted = Rooted::new(self.net, choice);
        for step in steps(self.net, choice, &rooted) {
            if self.left == 0 {
                return false;
            }
            let mut trial = choice.clone();
            step.take(&mut trial);
            let mut found = self.cost(&trial);
            self.left -= 1;
            self.descend(&mut trial, &mut found);
            if found < *best {
                (*choice, *best) = (trial, found);
                return true;
            }
        }
        false
    }

    /// What the sparse algorithm costs; fewer coordinates first among equals, since they are evaluated too.
    fn cost(&mut self, choice: &TreeChoice) -> (u64, usize) {
        self.rooted.walk(self.net, choice);
        let work = Steps::sparse(self.net, &self.rooted, &choice.tree, &mut self.room).0.sum().total();
        (work, self.rooted.freedoms.iter().sum())
    }

    /// Tries every change in turn; true after an improvement.
    fn change(&mut self, choice: &mut TreeChoice, best: &mut (u64, usize)) -> bool {
        let rooted = Rooted::new(self.net, choice);
        let mut trial = choice.clone();
        for step in steps(self.net, choice, &rooted) {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            step.take(&mut trial);
            let found = self.cost(&trial);
            if found < *best {
                *best = found;
                step.take(choice);
                return true;
            }
            // back again
            match step {
                TreeChange::Exchange { come, go } => (trial.tree[come], trial.tree[go]) = (false, true),
                TreeChange::Rebase { part, .. } => trial.bases[part] = choice.bases[part],
            }
        }
        false
    }
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
