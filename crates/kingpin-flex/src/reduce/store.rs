//! Superelements as bytes: a word that tells the format, then tables of numbers, each with its rows and columns, and the
//! checksum of all that. All numbers are little-endian, of 64 bits.

use super::{Frame, Invariants, Superelement};
use crate::FlexError;
use crate::mesh::Space;
use kingpin_files::Sum;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// Begins every superelement.
const HEAD: &[u8; 8] = b"KPFLEX03";
/// Begins those of all versions.
const ANY_HEAD: &[u8; 6] = b"KPFLEX";

/// Whether bytes begin as superelements of all versions do.
pub fn is_superelement(bytes: &[u8]) -> bool {
    bytes.starts_with(ANY_HEAD)
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn word(&mut self, word: u64) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    fn table(&mut self, table: &DMatrix<f64>) {
        self.word(table.nrows() as u64);
        self.word(table.ncols() as u64);
        table.iter().for_each(|number| self.word(number.to_bits()));
    }

    fn places(&mut self, places: &[Vector3<f64>]) {
        self.table(&DMatrix::from_fn(3, places.len(), |row, column| places[column][row]));
    }

    fn inertias(&mut self, list: &[Matrix3<f64>]) {
        self.table(&DMatrix::from_fn(9, list.len(), |row, column| list[column].as_slice()[row]));
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes(&mut self, count: usize) -> Result<&[u8], FlexError> {
        let ends = FlexError::BadBytes { wants: "more bytes than there are" };
        let (own, rest) = self.0.split_at_checked(count).ok_or(ends)?;
        self.0 = rest;
        Ok(own)
    }

    fn word(&mut self) -> Result<u64, FlexError> {
        let bytes = self.bytes(8)?.try_into();
        bytes.map(u64::from_le_bytes).map_err(|_| FlexError::BadBytes { wants: "eight bytes" })
    }

    fn count(&mut self) -> Result<usize, FlexError> {
        let count = self.word()? as usize;
        // nothing has more entries than there are bytes left
        if count > self.0.len() {
            Err(FlexError::BadBytes { wants: "more bytes than there are" })
        } else {
            Ok(count)
        }
    }

    fn table(&mut self) -> Result<DMatrix<f64>, FlexError> {
        let (rows, columns) = (self.word()? as usize, self.word()? as usize);
        let count = rows.checked_mul(columns).filter(|&count| count <= self.0.len() / 8);
        let count = count.ok_or(FlexError::BadBytes { wants: "more bytes than there are" })?;
        let numbers = self.bytes(8 * count)?.chunks_exact(8);
        let number = |bytes: &[u8]| f64::from_le_bytes(bytes.try_into().unwrap_or_default());
        Ok(DMatrix::from_iterator(rows, columns, numbers.map(number)))
    }

    fn table_of(&mut self, rows: usize) -> Result<DMatrix<f64>, FlexError> {
        let table = self.table()?;
        if table.nrows() == rows {
            Ok(table)
        } else {
            Err(FlexError::BadBytes { wants: "a table of other size" })
        }
    }

    fn places(&mut self) -> Result<Vec<Vector3<f64>>, FlexError> {
        Ok(self
            .table_of(3)?
            .column_iter()
            .map(|column| Vector3::new(column[0], column[1], column[2]))
            .collect())
    }

    fn inertias(&mut self) -> Result<Vec<Matrix3<f64>>, FlexError> {
        let table = self.table_of(9)?;
        Ok(table.column_iter().map(|column| Matrix3::from_iterator(column.iter().copied())).collect())
    }

    fn place(&mut self) -> Result<Vector3<f64>, FlexError> {
        self.places()?.first().copied().ok_or(FlexError::BadBytes { wants: "a place" })
    }
}

impl Superelement {
    /// All of it as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(HEAD.to_vec());
        out.word(self.fingerprint);
        out.word(u64::from(self.space == Space::Plane));
        out.word(self.frames.len() as u64);
        for frame in &self.frames {
            out.word(frame.name.len() as u64);
            out.0.extend_from_slice(frame.name.as_bytes());
            out.word(u64::from(frame.turns));
            out.places(&[frame.place]);
            out.table(&frame.motion);
        }
        out.table(&DMatrix::from_column_slice(self.hertz.len(), 1, &self.hertz));
        out.table(&self.stiffness);
        out.table(&self.mass);
        out.word(self.nodes.len() as u64);
        self.nodes.iter().for_each(|&number| out.word(number));
        out.places(&self.places);
        out.table(&self.displacements);
        let own = &self.invariants;
        out.table(&DMatrix::from_element(1, 1, own.mass));
        out.places(&[own.moment]);
        out.table(&own.moments);
        out.inertias(&[own.inertia]);
        out.table(&own.turning);
        out.word(own.turnings.len() as u64);
        own.turnings.iter().for_each(|table| out.table(table));
        out.table(&own.amplitudes);
        out.inertias(&own.first_inertias);
        out.inertias(&own.second_inertias);
        out.word(u64::from(self.foreshortening.is_some()));
        self.foreshortening.iter().for_each(|table| out.table(table));
        out.word(Sum::of(&out.0).number());
        out.0
    }

    /// What [`Superelement::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Superelement, FlexError> {
        if bytes.len() > HEAD.len() && is_superelement(bytes) && !bytes.starts_with(HEAD) {
            return Err(FlexError::OtherVersion);
        }
        let (body, sum) = bytes.split_last_chunk().ok_or(FlexError::BadBytes { wants: "more bytes" })?;
        if Sum::of(body).number() != u64::from_le_bytes(*sum) {
            return Err(FlexError::BadBytes { wants: "bytes with a correct checksum" });
        }
        let mut from = Reader(body);
        if from.bytes(HEAD.len())? != HEAD {
            return Err(FlexError::BadBytes { wants: "KPFLEX03 at the beginning" });
        }
        let fingerprint = from.word()?;
        let space = if from.word()? == 1 { Space::Plane } else { Space::Solid };
        let frames = (0..from.count()?).map(|_| from.frame()).collect::<Result<_, _>>()?;
        let hertz = from.table()?.as_slice().to_vec();
        let (stiffness, mass) = (from.table()?, from.table()?);
        let nodes = (0..from.count()?).map(|_| from.word()).collect::<Result<_, _>>()?;
        let (places, displacements) = (from.places()?, from.table()?);
        let invariants = from.invariants()?;
        let foreshortening = if from.word()? == 0 { None } else { Some(from.table()?) };
        if !from.0.is_empty() {
            return Err(FlexError::BadBytes { wants: "no bytes behind its end" });
        }
        Ok(Superelement {
            fingerprint,
            space,
            frames,
            hertz,
            stiffness,
            mass,
            nodes,
            places,
            displacements,
            invariants,
            foreshortening,
        })
    }
}

impl Reader<'_> {
    fn frame(&mut self) -> Result<Frame, FlexError> {
        let count = self.count()?;
        let name = std::str::from_utf8(self.bytes(count)?).map(str::to_string);
        let name = name.map_err(|_| FlexError::BadBytes { wants: "a name in UTF-8" })?;
        Ok(Frame { name, turns: self.word()? == 1, place: self.place()?, motion: self.table_of(6)? })
    }

    fn invariants(&mut self) -> Result<Invariants, FlexError> {
        let mass = self.table_of(1)?.as_slice().first().copied();
        let mass = mass.ok_or(FlexError::BadBytes { wants: "a mass" })?;
        let (moment, moments) = (self.place()?, self.table_of(3)?);
        let inertia = self.inertias()?.first().copied().ok_or(FlexError::BadBytes { wants: "an inertia" })?;
        let turning = self.table_of(3)?;
        let turnings = (0..self.count()?).map(|_| self.table_of(3)).collect::<Result<_, _>>()?;
        let amplitudes = self.table()?;
        let (first_inertias, second_inertias) = (self.inertias()?, self.inertias()?);
        Ok(Invariants {
            mass,
            moment,
            moments,
            inertia,
            turning,
            turnings,
            amplitudes,
            first_inertias,
            second_inertias,
        })
    }
}
