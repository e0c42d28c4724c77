//! Where a symmetric matrix and its factor have numbers; all that a factorisation knows before the numbers.

/// The lower triangle of `L` in `A = L D L^T` with the fill, in the order the rows are given in, and the products that
/// make it. Symbolic work is done once per pattern, whatever the number of substructures that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Rows of the matrix.
    rows: usize,
    /// Entries of row i below the diagonal are those from `first[i]` on, in rising columns.
    first: Vec<u32>,
    columns: Vec<u32>,
    /// The same entries by columns: row and entry, in rising rows.
    below_first: Vec<u32>,
    below: Vec<[u32; 2]>,
    /// Pairs of entries (i, k), (j, k) whose products entry (i, j) is less by.
    product_first: Vec<u32>,
    products: Vec<[u32; 2]>,
}

impl Pattern {
    /// The pattern of a matrix of so many rows with numbers at the given places off the diagonal, in any order and from
    /// either triangle. O(fill and products).
    ///
    /// # Panics
    /// If a place lies outside.
    pub fn new(rows: usize, places: impl IntoIterator<Item = (usize, usize)>) -> Pattern {
        let mut given: Vec<Vec<usize>> = vec![Vec::new(); rows];
        for (i, j) in places {
            assert!(i.max(j) < rows, "place ({i}, {j}) of {rows} rows");
            if i != j {
                given[i.max(j)].push(i.min(j));
            }
        }
        let lists = filled(&given);
        let mut first = vec![0_u32];
        let mut columns = Vec::new();
        for list in &lists {
            columns.extend(list.iter().map(|&j| j as u32));
            first.push(columns.len() as u32);
        }
        let mut pattern = Pattern {
            rows,
            first,
            columns,
            below_first: vec![0],
            below: Vec::new(),
            product_first: vec![0],
            products: Vec::new(),
        };
        pattern.turn(&lists);
        pattern.multiply(&lists);
        pattern
    }

    /// The lists by columns.
    fn turn(&mut self, lists: &[Vec<usize>]) {
        let mut columns: Vec<Vec<[u32; 2]>> = vec![Vec::new(); self.rows];
        let mut entry = 0;
        for (i, list) in lists.iter().enumerate() {
            for &j in list {
                columns[j].push([i as u32, entry]);
                entry += 1;
            }
        }
        for column in columns {
            self.below.extend(column);
            self.below_first.push(self.below.len() as u32);
        }
    }

    /// The products behind each entry.
    fn multiply(&mut self, lists: &[Vec<usize>]) {
        for (i, list) in lists.iter().enumerate() {
            for &j in list {
                for &k in lists[j].iter().filter(|k| list.binary_search(k).is_ok()) {
                    let pair = [self.entry(i, k), self.entry(j, k)].map(|e| e.map_or(0, |e| e as u32));
                    self.products.push(pair);
                }
                self.product_first.push(self.products.len() as u32);
            }
        }
    }

    /// Rows of the matrix.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Entries below the diagonal.
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// The entry at a place below the diagonal.
    pub fn entry(&self, i: usize, j: usize) -> Option<usize> {
        let own = self.row(i);
        self.columns[own.clone()].binary_search(&(j as u32)).ok().map(|k| own.start + k)
    }

    /// Entries of a row.
    #[inline(always)]
    pub(crate) fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.first[i] as usize..self.first[i + 1] as usize
    }

    /// Column of an entry.
    #[inline(always)]
    pub(crate) fn column(&self, entry: usize) -> usize {
        self.columns[entry] as usize
    }

    /// Rows and entries below the diagonal of a column.
    #[inline(always)]
    pub(crate) fn below(&self, j: usize) -> &[[u32; 2]] {
        &self.below[self.below_first[j] as usize..self.below_first[j + 1] as usize]
    }

    /// Pairs of entries behind one.
    #[inline(always)]
    pub(crate) fn products(&self, entry: usize) -> &[[u32; 2]] {
        &self.products[self.product_first[entry] as usize..self.product_first[entry + 1] as usize]
    }

    /// Bytes of the lists.
    pub fn bytes(&self) -> usize {
        4 * (self.first.len() + self.columns.len() + self.below_first.len() + self.product_first.len())
            + 8 * (self.below.len() + self.products.len())
    }
}

/// Columns of L by rows: what is reached from the given ones in the elimination tree.
fn filled(given: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let n = given.len();
    let (mut parent, mut seen) = (vec![usize::MAX; n], vec![usize::MAX; n]);
    let mut lists = Vec::with_capacity(n);
    for (i, row) in given.iter().enumerate() {
        seen[i] = i;
        let mut list = Vec::new();
        for &start in row {
            let mut j = start;
            while seen[j] != i {
                seen[j] = i;
                list.push(j);
                if parent[j] == usize::MAX {
                    parent[j] = i;
                }
                j = parent[j];
            }
        }
        list.sort_unstable();
        lists.push(list);
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_of_four_fills_one_place() {
        let pattern = Pattern::new(4, [(0, 1), (2, 1), (2, 3), (3, 0), (1, 0)]);
        assert_eq!(pattern.entries(), 5);
        assert!(pattern.entry(3, 1).is_some() && pattern.entry(2, 0).is_none());
        let fill = pattern.entry(3, 1).unwrap();
        assert_eq!(pattern.products(fill), [[2, 0]]);
        assert_eq!(pattern.below(1), [[2, 1], [3, fill as u32]]);
    }
}
