//! Disjoint sets.

/// Sets of numbers from 0 on, each known by its least member.
#[derive(Clone, Debug)]
pub struct Sets {
    root: Vec<usize>,
}

impl Sets {
    /// Every number by itself.
    pub fn new(numbers: usize) -> Sets {
        Sets { root: (0..numbers).collect() }
    }

    /// The least member of the set that a number is in. Nearly O(1) on average.
    pub fn find(&mut self, mut number: usize) -> usize {
        while self.root[number] != number {
            self.root[number] = self.root[self.root[number]];
            number = self.root[number];
        }
        number
    }

    /// Makes one set of those that two numbers are in.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.root[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_known_by_their_least() {
        let mut sets = Sets::new(6);
        [(5, 3), (1, 2), (3, 4), (4, 5)].into_iter().for_each(|(a, b)| sets.join(a, b));
        assert_eq!([0, 1, 2, 3, 4, 5].map(|k| sets.find(k)), [0, 1, 1, 3, 3, 3]);
        sets.join(2, 5);
        assert_eq!([2, 4, 0].map(|k| sets.find(k)), [1, 1, 0]);
    }
}
