//! Puts off the elimination of rows with an empty diagonal until they can have a pivot.
//!
//! The leading block of an augmented matrix, coordinates C and multipliers E, is regular (M positive definite)
//! if the equations E are independent on the coordinates C. For almost all values they are if each equation of E
//! can be matched with a coordinate of C of its own among those it involves. So a multiplier is eliminated in its
//! turn only if it can be matched, otherwise as soon as a coordinate has come that makes it possible.

use std::collections::VecDeque;

use crate::pattern::{Pattern, accumulate};

const NONE: u32 = u32::MAX;

/// A search for a match gives up after so many steps; to put a multiplier off longer than needed only costs fill.
const SEARCH_LIMIT: usize = 512;

/// The order given, with the rows whose diagonal is not in the pattern moved back as far as needed. The pattern is
/// that of a symmetric matrix; only its upper triangle is read. O(entries * search limit)
pub(crate) fn postpone_empty_diagonals(pattern: &Pattern, order: &[u32]) -> Vec<u32> {
    let graph = Graph::new(pattern);
    let mut matching = Matching::new(pattern.n);
    let mut turn_came = vec![false; pattern.n];
    let mut waiting = 0_usize;
    let mut result = Vec::with_capacity(pattern.n);
    for &index in order {
        if graph.has_diagonal[index as usize] {
            // a coordinate: free for equations, perhaps for one that waits
            matching.eliminated[index as usize] = true;
            result.push(index);
            if waiting > 0
                && let Some(equation) = matching.match_coordinate(&graph, index, &turn_came)
            {
                result.push(equation);
                waiting -= 1;
            }
        } else if matching.match_equation(&graph, index) {
            result.push(index);
        } else {
            turn_came[index as usize] = true;
            waiting += 1;
        }
    }
    // what is left has no match within the limit
    result.extend(order.iter().filter(|&&i| turn_came[i as usize] && matching.partner[i as usize] == NONE));
    result
}

/// Who involves whom: equations have an empty diagonal, coordinates have not.
struct Graph {
    has_diagonal: Vec<bool>,
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Graph {
    fn new(pattern: &Pattern) -> Graph {
        let n = pattern.n;
        let has_diagonal: Vec<bool> =
            (0..n).map(|j| pattern.rows[pattern.column(j)].binary_search(&(j as u32)).is_ok()).collect();
        let involved = |i: usize, j: usize| i < j && has_diagonal[i] != has_diagonal[j];
        let mut starts = vec![0; n + 1];
        for_each_entry(pattern, |i, j| {
            if involved(i, j) {
                starts[i + 1] += 1;
                starts[j + 1] += 1;
            }
        });
        accumulate(&mut starts);
        let mut next = starts.clone();
        let mut neighbours = vec![0; starts[n] as usize];
        for_each_entry(pattern, |i, j| {
            if involved(i, j) {
                neighbours[next[i] as usize] = j as u32;
                neighbours[next[j] as usize] = i as u32;
                next[i] += 1;
                next[j] += 1;
            }
        });
        Graph { has_diagonal, starts, neighbours }
    }

    fn of(&self, index: u32) -> &[u32] {
        &self.neighbours[self.starts[index as usize] as usize..self.starts[index as usize + 1] as usize]
    }
}

fn for_each_entry(pattern: &Pattern, mut visit: impl FnMut(usize, usize)) {
    for j in 0..pattern.n {
        for &i in &pattern.rows[pattern.column(j)] {
            visit(i as usize, j);
        }
    }
}

/// Eliminated equations matched with eliminated coordinates, grown along alternating paths.
struct Matching {
    partner: Vec<u32>,
    eliminated: Vec<bool>,
    /// search in which each index was seen, and where from
    seen_in: Vec<u32>,
    seen_from: Vec<u32>,
    search: u32,
    queue: VecDeque<u32>,
}

impl Matching {
    fn new(n: usize) -> Matching {
        let (partner, seen_in, seen_from) = (vec![NONE; n], vec![NONE; n], vec![NONE; n]);
        Matching {
            partner,
            eliminated: vec![false; n],
            seen_in,
            seen_from,
            search: 0,
            queue: VecDeque::new(),
        }
    }

    /// Matches an equation with a free coordinate, rearranging others; says whether it could.
    fn match_equation(&mut self, graph: &Graph, equation: u32) -> bool {
        self.begin(equation);
        let mut steps = 0;
        while let Some(equation) = self.queue.pop_front() {
            for &coordinate in graph.of(equation) {
                if !self.eliminated[coordinate as usize] || !self.see(coordinate, equation) {
                    continue;
                }
                let owner = self.partner[coordinate as usize];
                if owner == NONE {
                    self.swap_along_path_to(coordinate);
                    return true;
                }
                self.queue.push_back(owner);
            }
            steps += graph.of(equation).len();
            if steps > SEARCH_LIMIT {
                break;
            }
        }
        false
    }

    /// Matches a new coordinate with a waiting equation, rearranging others; names the equation.
    fn match_coordinate(&mut self, graph: &Graph, coordinate: u32, waiting: &[bool]) -> Option<u32> {
        self.begin(coordinate);
        let (root, mut steps) = (coordinate, 0);
        while let Some(coordinate) = self.queue.pop_front() {
            // a hub is searched only when its own turn comes
            if coordinate != root {
                steps += graph.of(coordinate).len();
                if steps > SEARCH_LIMIT {
                    break;
                }
            }
            for &equation in graph.of(coordinate) {
                let owned = self.partner[equation as usize];
                if (owned == NONE && !waiting[equation as usize]) || !self.see(equation, coordinate) {
                    continue;
                }
                if owned == NONE {
                    self.swap_along_path_to(equation);
                    return Some(equation);
                }
                self.queue.push_back(owned);
            }
        }
        None
    }

    fn begin(&mut self, root: u32) {
        self.search += 1;
        self.queue.clear();
        self.queue.push_back(root);
    }

    fn see(&mut self, index: u32, from: u32) -> bool {
        let new = self.seen_in[index as usize] != self.search;
        if new {
            self.seen_in[index as usize] = self.search;
            self.seen_from[index as usize] = from;
        }
        new
    }

    /// Matches the end of the path with the one it was seen from, that one's former partner with the next, …
    fn swap_along_path_to(&mut self, end: u32) {
        let mut seen = end;
        loop {
            let from = self.seen_from[seen as usize];
            let next = self.partner[from as usize];
            self.partner[from as usize] = seen;
            self.partner[seen as usize] = from;
            if next == NONE {
                return;
            }
            seen = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(n: usize, upper: &[(usize, usize)]) -> Pattern {
        let mut upper: Vec<_> = upper.iter().map(|&(i, j)| (j, i)).collect();
        upper.sort();
        let columns: Vec<usize> = (0..=n).map(|j| upper.iter().filter(|entry| entry.0 < j).count()).collect();
        let rows: Vec<usize> = upper.iter().map(|entry| entry.1).collect();
        Pattern::checked(n, &columns, &rows).unwrap()
    }

    #[test]
    fn nothing_moves_without_empty_diagonals() {
        let full = pattern(3, &[(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)]);
        assert_eq!(postpone_empty_diagonals(&full, &[1, 2, 0]), [1, 2, 0]);
    }

    #[test]
    fn an_equation_follows_the_first_coordinate_it_can_have() {
        // equation 3 involves coordinate 1 only
        let driver = pattern(4, &[(0, 0), (0, 1), (1, 1), (2, 2), (1, 3)]);
        assert_eq!(postpone_empty_diagonals(&driver, &[3, 2, 1, 0]), [2, 1, 3, 0]);
        assert_eq!(postpone_empty_diagonals(&driver, &[0, 1, 3, 2]), [0, 1, 3, 2]);
    }

    #[test]
    fn equations_pass_coordinates_on() {
        // equation 2 involves coordinates 0 and 1, equation 3 only 0
        let shared = pattern(4, &[(0, 0), (1, 1), (0, 2), (1, 2), (0, 3)]);
        // 2 takes 0; 3 waits; 1 comes, goes to 2, and 0 to 3
        assert_eq!(postpone_empty_diagonals(&shared, &[0, 2, 3, 1]), [0, 2, 1, 3]);
        // both coordinates are there: 3 pushes 2 from 0 to 1
        assert_eq!(postpone_empty_diagonals(&shared, &[0, 1, 2, 3]), [0, 1, 2, 3]);
    }

    #[test]
    fn equations_without_a_coordinate_of_their_own_come_last() {
        let twice = pattern(4, &[(0, 0), (1, 1), (0, 2), (0, 3)]);
        assert_eq!(postpone_empty_diagonals(&twice, &[0, 2, 3, 1]), [0, 2, 1, 3]);
        let empty = pattern(2, &[]);
        assert_eq!(postpone_empty_diagonals(&empty, &[1, 0]), [1, 0]);
    }
}
