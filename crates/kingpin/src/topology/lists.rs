//! Lists of indices stored end to end: bodies of a joint, joints of a body, rows of a column.

/// A sequence of index lists in compressed form: one array of items, one of offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    start: Vec<usize>,
    item: Vec<usize>,
}

impl Lists {
    /// Stores the given rows in order.
    pub fn from_rows<R: AsRef<[usize]>>(rows: impl IntoIterator<Item = R>) -> Self {
        let mut lists = Self { start: vec![0], item: Vec::new() };
        for row in rows {
            lists.push(row.as_ref());
        }
        lists
    }

    /// Appends a row.
    pub fn push(&mut self, row: &[usize]) {
        self.item.extend_from_slice(row);
        self.start.push(self.item.len());
    }

    /// Groups `pairs` of (row, item) into `rows` rows, keeping the order of the pairs inside each row.
    ///
    /// The iterator is run twice. Cost `O(rows + pairs)`.
    pub(super) fn group<I>(rows: usize, pairs: I) -> Self
    where
        I: Iterator<Item = (usize, usize)> + Clone,
    {
        let mut start = vec![0; rows + 1];
        for (row, _) in pairs.clone() {
            start[row + 1] += 1;
        }
        for row in 0..rows {
            start[row + 1] += start[row];
        }
        let mut next = start.clone();
        let mut item = vec![0; start[rows]];
        for (row, value) in pairs {
            item[next[row]] = value;
            next[row] += 1;
        }
        Self { start, item }
    }

    /// Row `r` of the transpose lists, in ascending order, the rows of `self` that hold `r`.
    pub fn transpose(&self, rows: usize) -> Self {
        Self::group(rows, (0..self.len()).flat_map(|r| self.row(r).iter().map(move |&c| (c, r))))
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.start.len() - 1
    }

    /// True when there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of items over all rows.
    pub fn items(&self) -> usize {
        self.item.len()
    }

    /// Row `r`.
    pub fn row(&self, r: usize) -> &[usize] {
        &self.item[self.start[r]..self.start[r + 1]]
    }

    /// All rows in order.
    pub fn rows(&self) -> impl Iterator<Item = &[usize]> + Clone {
        (0..self.len()).map(|r| self.row(r))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transpose_lists_rows_in_ascending_order() {
        let lists = Lists::from_rows([vec![2, 0], vec![], vec![2]]);
        let transposed = lists.transpose(4);
        assert_eq!(transposed, Lists::from_rows([vec![0], vec![], vec![0, 2], vec![]]));
        assert_eq!((transposed.len(), transposed.items(), transposed.is_empty()), (4, 3, false));
    }
}
