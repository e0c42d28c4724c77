//! The coarse problem: primal motions of all classes, assembled from the elements of sub-domains; each rank has all of it.

use crate::DomainError;
use crate::communicate::{Communicator, gather_lists};
use crate::interface::Class;
use kingpin_flex::structure::SymmetricMatrix;
use kingpin_sparse::{FrontalLdlt, SparseError};
use nalgebra::DMatrix;
use std::collections::BTreeMap;

/// The assembled coarse matrix, factored.
pub(crate) struct Coarse {
    /// coarse unknowns of each sub-domain of all ranks
    numbers: Vec<Vec<u32>>,
    /// where the sub-domains of this rank begin
    first: usize,
    /// how many numbers each rank gives
    counts: Vec<usize>,
    factor: FrontalLdlt,
    all: Vec<f64>,
    sums: Vec<f64>,
    inner: Vec<f64>,
    sweep: Vec<f64>,
}

impl Coarse {
    /// From the classes of the sub-domains here with how many rows each has, and from their elements.
    pub fn new(
        communicator: &dyn Communicator,
        first: usize,
        classes: &[Vec<(&Class, usize)>],
        elements: &[&DMatrix<f64>],
    ) -> Result<Coarse, DomainError> {
        let (numbers, count) = numbered(communicator, classes);
        let own: Vec<f64> = elements.iter().flat_map(|element| element.iter().copied()).collect();
        let (all, _) = gather_lists(communicator, &own);
        let mut entries = Vec::new();
        let mut next = 0;
        for list in &numbers {
            for &column in list {
                for &row in list {
                    if row <= column {
                        entries.push((row as usize, column as usize, all[next]));
                    }
                    next += 1;
                }
            }
        }
        let matrix = SymmetricMatrix::from_entries(count, entries);
        let mut factor = FrontalLdlt::analyse(count, &matrix.columns, &matrix.rows)?;
        factor.factor(&matrix.values).map_err(|error| match error {
            SparseError::ZeroPivot { .. } => DomainError::Floating,
            other => DomainError::Matrix(other),
        })?;
        let (mut counts, mut at) = (Vec::new(), 0);
        let mut held = vec![0.0; communicator.ranks()];
        communicator.gather(&[classes.len() as f64], &vec![1; communicator.ranks()], &mut held);
        for &held in &held {
            let list = &numbers[at..at + held as usize];
            counts.push(list.iter().map(Vec::len).sum());
            at += held as usize;
        }
        let all = vec![0.0; counts.iter().sum()];
        let sums = vec![0.0; count];
        Ok(Coarse { numbers, first, counts, factor, all, sums, inner: Vec::new(), sweep: Vec::new() })
    }

    /// How many unknowns there are.
    pub fn count(&self) -> usize {
        self.sums.len()
    }

    /// Adds up what all sub-domains have, in their order, and solves; `own` has the parts of those here one behind the
    /// other. O(entries of the factor)
    pub fn solve(&mut self, communicator: &dyn Communicator, own: &[f64]) -> Result<(), DomainError> {
        communicator.gather(own, &self.counts, &mut self.all);
        self.sums.fill(0.0);
        let mut given = self.all.iter();
        for list in &self.numbers {
            list.iter().zip(&mut given).for_each(|(&k, value)| self.sums[k as usize] += value);
        }
        self.factor.condense(&self.sums, &mut self.inner, &mut [], &mut self.sweep)?;
        Ok(self.factor.restore(&[], &mut self.inner, &mut self.sums, &mut self.sweep)?)
    }

    /// The part of the solution that belongs to a sub-domain here.
    pub fn part(&self, k: usize) -> impl Iterator<Item = f64> + '_ {
        self.numbers[self.first + k].iter().map(|&k| self.sums[k as usize])
    }
}

/// Coarse unknowns of all sub-domains: classes in the order of their owners.
fn numbered(communicator: &dyn Communicator, classes: &[Vec<(&Class, usize)>]) -> (Vec<Vec<u32>>, usize) {
    let mut own = Vec::new();
    for list in classes {
        own.push(list.len() as f64);
        for (class, rows) in list {
            own.push(*rows as f64);
            own.push(class.owners.len() as f64);
            own.extend(class.owners.iter().map(|&owner| owner as f64));
        }
    }
    let (all, _) = gather_lists(communicator, &own);
    // what each sub-domain has said, then numbers by the owners
    let mut given = all.iter().map(|&number| number as usize);
    let mut next = || given.next().unwrap_or(0);
    let (mut told, mut starts) = (Vec::new(), BTreeMap::<Vec<usize>, (usize, usize)>::new());
    let total = all.len();
    let mut read = 0;
    while read < total {
        let mut list = Vec::new();
        for _ in 0..next() {
            let (rows, owners) = (next(), next());
            let owners: Vec<usize> = (0..owners).map(|_| next()).collect();
            read += 2 + owners.len();
            starts.insert(owners.clone(), (0, rows));
            list.push(owners);
        }
        read += 1;
        told.push(list);
    }
    let mut count = 0;
    for (start, rows) in starts.values_mut() {
        *start = count;
        count += *rows;
    }
    let numbers = told.iter().map(|list| {
        let of = |owners: &Vec<usize>| {
            let (start, rows) = starts[owners];
            (start..start + rows).map(|k| k as u32)
        };
        list.iter().flat_map(of).collect()
    });
    (numbers.collect(), count)
}
