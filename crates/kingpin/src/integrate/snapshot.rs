//! What a method remembers between two steps, as bytes: restored into a method that was made in the same way, every
//! number comes back to the last bit, and what follows is the same as if nothing had happened.

use std::fmt;

/// Something whose memory can be saved between two steps, and restored into another that was made in the same way.
/// What is derived from construction alone, room for intermediate numbers and counts of work are not part of it.
pub trait Snapshot {
    /// Writes all that later steps depend on.
    fn save(&self, out: &mut SnapshotWriter);

    /// Reads what [`save`](Self::save) wrote. After an error it must not be used any more.
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit>;
}

/// Why a memory cannot be restored: it was saved by something else than what reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// The part that does not fit.
    pub part: String,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the memory of the run does not fit: part `{}`", self.part)
    }
}

impl std::error::Error for Unfit {}

impl Unfit {
    /// A part that does not fit.
    pub fn new(part: &str) -> Self {
        Self { part: part.into() }
    }
}

/// Takes what is saved: numbers as 8 little-endian bytes each, lists with their length first, sections with a name
/// and their length first.
#[derive(Clone, Debug, Default)]
pub struct SnapshotWriter {
    bytes: Vec<u8>,
}

impl SnapshotWriter {
    /// Everything written so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Adds bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds a count.
    pub fn count(&mut self, count: usize) {
        self.raw(&(count as u64).to_le_bytes());
    }

    /// Adds numbers without their count, which the reader knows.
    pub fn numbers(&mut self, numbers: &[f64]) {
        self.bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
    }

    /// Adds a section, which must be read whole and by the same name. The name of one that changes what it holds
    /// changes too.
    pub fn section(&mut self, name: &str, fill: impl FnOnce(&mut SnapshotWriter)) {
        name.to_string().save(self);
        let at = self.bytes.len();
        self.count(0);
        fill(self);
        let length = (self.bytes.len() - at - 8) as u64;
        self.bytes[at..at + 8].copy_from_slice(&length.to_le_bytes());
    }
}

/// Gives back what was saved, in the same order.
#[derive(Clone, Debug)]
pub struct SnapshotReader<'a> {
    rest: &'a [u8],
    part: &'a str,
}

impl<'a> SnapshotReader<'a> {
    /// Reads what was written under this name.
    pub fn new(part: &'a str, bytes: &'a [u8]) -> Self {
        Self { rest: bytes, part }
    }

    /// The error of the section being read.
    pub fn unfit(&self) -> Unfit {
        Unfit::new(self.part)
    }

    /// Whether everything has been read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next bytes.
    pub fn raw(&mut self, count: usize) -> Result<&'a [u8], Unfit> {
        let (first, rest) = self.rest.split_at_checked(count).ok_or_else(|| self.unfit())?;
        self.rest = rest;
        Ok(first)
    }

    /// A count.
    pub fn count(&mut self) -> Result<usize, Unfit> {
        let (first, rest) = self.rest.split_first_chunk().ok_or_else(|| self.unfit())?;
        self.rest = rest;
        usize::try_from(u64::from_le_bytes(*first)).map_err(|_| self.unfit())
    }

    /// Fills a list of numbers whose count is known.
    pub fn numbers(&mut self, out: &mut [f64]) -> Result<(), Unfit> {
        let bytes = self.raw(8 * out.len())?;
        out.iter_mut().zip(bytes.as_chunks().0).for_each(|(x, bytes)| *x = f64::from_le_bytes(*bytes));
        Ok(())
    }

    /// Reads a section of this name to its end.
    pub fn section(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut SnapshotReader) -> Result<(), Unfit>,
    ) -> Result<(), Unfit> {
        let mut found = String::new();
        found.restore(self)?;
        if found != name {
            return Err(Unfit::new(name));
        }
        let length = self.count()?;
        let mut inner = SnapshotReader { rest: self.raw(length)?, part: name };
        read(&mut inner)?;
        if inner.is_empty() { Ok(()) } else { Err(inner.unfit()) }
    }
}

impl Snapshot for f64 {
    fn save(&self, out: &mut SnapshotWriter) {
        out.raw(&self.to_le_bytes());
    }
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.numbers(std::slice::from_mut(self))
    }
}

impl Snapshot for usize {
    fn save(&self, out: &mut SnapshotWriter) {
        out.count(*self);
    }
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        *self = from.count()?;
        Ok(())
    }
}

impl Snapshot for u8 {
    fn save(&self, out: &mut SnapshotWriter) {
        out.raw(&[*self]);
    }
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        *self = from.raw(1)?[0];
        Ok(())
    }
}

impl Snapshot for bool {
    fn save(&self, out: &mut SnapshotWriter) {
        u8::from(*self).save(out);
    }
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        *self = match from.raw(1)? {
            [0] => false,
            [1] => true,
            _ => return Err(from.unfit()),
        };
        Ok(())
    }
}

impl Snapshot for String {
    fn save(&self, out: &mut SnapshotWriter) {
        out.count(self.len());
        out.raw(self.as_bytes());
    }
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        let count = from.count()?;
        *self = std::str::from_utf8(from.raw(count)?).map_err(|_| from.unfit())?.into();
        Ok(())
    }
}

/// The length comes back too, whatever it was before.
impl<T: Snapshot + Default> Snapshot for Vec<T> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.count(self.len());
        self.iter().for_each(|item| item.save(out));
    }
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        let count = from.count()?;
        // a wrong count must not ask for memory: no item takes less than a byte
        if count > from.rest.len() {
            return Err(from.unfit());
        }
        self.resize_with(count, T::default);
        self.iter_mut().try_for_each(|item| item.restore(from))
    }
}

impl<T: Snapshot, const N: usize> Snapshot for [T; N] {
    fn save(&self, out: &mut SnapshotWriter) {
        self.iter().for_each(|item| item.save(out));
    }
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        self.iter_mut().try_for_each(|item| item.restore(from))
    }
}

impl<T: Snapshot + Default> Snapshot for Option<T> {
    fn save(&self, out: &mut SnapshotWriter) {
        self.is_some().save(out);
        self.iter().for_each(|item| item.save(out));
    }
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        let mut some = false;
        some.restore(from)?;
        *self = some.then(T::default);
        self.iter_mut().try_for_each(|item| item.restore(from))
    }
}

impl<A: Snapshot, B: Snapshot> Snapshot for (A, B) {
    fn save(&self, out: &mut SnapshotWriter) {
        self.0.save(out);
        self.1.save(out);
    }
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        self.0.restore(from)?;
        self.1.restore(from)
    }
}

impl<A: Snapshot, B: Snapshot, C: Snapshot> Snapshot for (A, B, C) {
    fn save(&self, out: &mut SnapshotWriter) {
        self.0.save(out);
        self.1.save(out);
        self.2.save(out);
    }
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        self.0.restore(from)?;
        self.1.restore(from)?;
        self.2.restore(from)
    }
}

/// Saves the named fields of a type, one after the other, in a section of the name given.
macro_rules! snapshot {
    ($type:ty as $name:literal { $($field:ident),* $(,)? }) => {
        impl $crate::integrate::Snapshot for $type {
            fn save(&self, out: &mut $crate::integrate::SnapshotWriter) {
                out.section($name, |_out| { $($crate::integrate::Snapshot::save(&self.$field, _out);)* });
            }
            fn restore(
                &mut self,
                from: &mut $crate::integrate::SnapshotReader,
            ) -> Result<(), $crate::integrate::Unfit> {
                from.section($name, |_from| {
                    $($crate::integrate::Snapshot::restore(&mut self.$field, _from)?;)*
                    Ok(())
                })
            }
        }
    };
}
pub(crate) use snapshot;

/// All that is remembered of a run, part by part. Parts that nobody asks for are passed over, and a part that is not
/// there is told, so that what a run remembers may grow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    parts: Vec<(String, Vec<u8>)>,
}

impl Memory {
    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Keeps a part; one of the same name is replaced.
    pub fn keep(&mut self, name: &str, what: &(impl Snapshot + ?Sized)) {
        let mut out = SnapshotWriter::default();
        what.save(&mut out);
        self.parts.retain(|part| part.0 != name);
        self.parts.push((name.into(), out.into_bytes()));
    }

    /// Restores a part; whether there is one of this name.
    pub fn recall(&self, name: &str, what: &mut (impl Snapshot + ?Sized)) -> Result<bool, Unfit> {
        let Some((_, bytes)) = self.parts.iter().find(|part| part.0 == name) else { return Ok(false) };
        let mut from = SnapshotReader::new(name, bytes);
        what.restore(&mut from)?;
        if from.is_empty() { Ok(true) } else { Err(Unfit::new(name)) }
    }
}

impl Snapshot for Memory {
    fn save(&self, out: &mut SnapshotWriter) {
        out.count(self.parts.len());
        for (name, bytes) in &self.parts {
            out.section(name, |out| out.raw(bytes));
        }
    }
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        self.parts.clear();
        for _ in 0..from.count()? {
            let (mut name, mut bytes) = (String::new(), Vec::<u8>::new());
            name.restore(from)?;
            bytes.restore(from)?;
            self.parts.push((name, bytes));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default, Debug, PartialEq)]
    struct Example {
        size: f64,
        list: Vec<f64>,
        maybe: Option<usize>,
        flag: bool,
        fixed: [f64; 2],
    }
    snapshot!(Example as "example" { size, list, maybe, flag, fixed });

    fn example() -> Example {
        let list = vec![-0.0, f64::from_bits(0x7ff8_0000_0000_0001), f64::MIN_POSITIVE / 8.0];
        Example { size: 0.1 + 0.2, list, maybe: Some(7), flag: true, fixed: [1.0, f64::INFINITY] }
    }

    #[test]
    fn every_bit_comes_back() {
        let mut memory = Memory::default();
        memory.keep("one", &example());
        memory.keep("two", &vec![1.5, 2.5]);
        let mut out = SnapshotWriter::default();
        memory.save(&mut out);
        let bytes = out.into_bytes();
        let mut again = Memory::default();
        again.restore(&mut SnapshotReader::new("memory", &bytes)).unwrap();
        assert_eq!(again, memory);
        let mut back = Example { list: vec![3.0; 9], ..Example::default() };
        assert_eq!(again.recall("one", &mut back), Ok(true));
        let bits = |e: &Example| e.list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&back), bits(&example()));
        assert_eq!(
            (back.size, back.maybe, back.flag, back.fixed),
            (0.1 + 0.2, Some(7), true, [1.0, f64::INFINITY])
        );
        assert_eq!(again.recall("three", &mut back), Ok(false));
    }

    #[test]
    fn what_does_not_fit_is_refused_by_name() {
        let mut memory = Memory::default();
        memory.keep("numbers", &vec![1.0, 2.0]);
        assert_eq!(memory.recall("numbers", &mut 0.0_f64), Err(Unfit::new("numbers")));
        assert_eq!(memory.recall("numbers", &mut Example::default()), Err(Unfit::new("example")));
        let mut out = SnapshotWriter::default();
        example().save(&mut out);
        let bytes = out.into_bytes();
        for length in 0..bytes.len() {
            let mut from = SnapshotReader::new("all", &bytes[..length]);
            assert!(Example::default().restore(&mut from).is_err(), "{length}");
        }
    }
}
