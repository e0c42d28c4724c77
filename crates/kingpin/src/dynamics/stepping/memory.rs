//! A method as it is remembered: by its name.

use super::Method;
use crate::integrate::{Snapshot, SnapshotReader, SnapshotWriter, Unfit};

impl Snapshot for Method {
    fn save(&self, out: &mut SnapshotWriter) {
        self.name().to_string().save(out);
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        let mut name = String::new();
        name.restore(from)?;
        *self = Method::named(&name).ok_or_else(|| from.unfit())?;
        Ok(())
    }
}
