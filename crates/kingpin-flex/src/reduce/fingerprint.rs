//! A number that tells inputs apart, for caches.

use super::interface::Tie;
use super::{Basis, Choice, Hold};
use crate::structure::Structure;

/// FNV-1a over words of 64 bits.
struct Hash(u64);

impl Hash {
    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn numbers<'a>(&mut self, numbers: impl Iterator<Item = &'a f64>) {
        numbers.for_each(|number| self.word(number.to_bits()));
    }

    fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        text.bytes().for_each(|byte| self.word(u64::from(byte)));
    }

    fn choice(&mut self, choice: &Choice) {
        match choice {
            Choice::Count(count) => self.word(*count as u64),
            Choice::UpTo(hertz) => self.numbers([-1.0, *hertz].iter()),
            Choice::Numbers(numbers) => {
                self.word(u64::MAX);
                numbers.iter().for_each(|&number| self.word(number as u64));
            }
        }
    }
}

/// A hash of all numbers that a reduction depends on: matrices, places, numbers of nodes, what follows which frame, the
/// basis, the nodes kept. O(entries)
pub(super) fn fingerprint(structure: &Structure, ties: &[Tie], basis: &Basis, keep: Option<&[u64]>) -> u64 {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    hash.word(structure.space.axes() as u64);
    for piece in structure.pieces.iter().flatten() {
        hash.numbers([piece.mass].iter().chain(piece.spread.iter()).chain(piece.place.iter()));
    }
    for matrix in [&structure.stiffness, &structure.mass] {
        matrix.columns.iter().chain(&matrix.rows).for_each(|&k| hash.word(k as u64));
        hash.numbers(matrix.values.iter());
    }
    structure.numbers.iter().for_each(|&number| hash.word(number));
    structure.places.iter().for_each(|place| hash.numbers(place.iter()));
    for tie in ties {
        hash.text(&tie.name);
        hash.word(tie.nodes.len() as u64);
        tie.nodes.iter().for_each(|&node| hash.word(node as u64));
        hash.word(match tie.hold {
            Hold::Rigid => 1,
            Hold::Mean => 2,
            Hold::Point => 3,
        });
        hash.numbers(tie.place.iter());
    }
    match basis {
        Basis::CraigBampton(choice) => hash.choice(choice),
        Basis::FreeFree(choice) => {
            hash.word(17);
            hash.choice(choice);
        }
        Basis::Given(fields) => hash.numbers(fields.iter()),
    }
    if let Some(keep) = keep {
        hash.word(keep.len() as u64);
        keep.iter().for_each(|&number| hash.word(number));
    }
    hash.0
}
