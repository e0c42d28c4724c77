//! What ranks of a run tell each other before it: where it goes on.

use super::folder::Resumed;
use crate::domains::Parted;
use kingpin_results::store::Checkpoint;

/// What the first rank says before its checkpoint, if there is one.
const FRESH: u8 = 0;
const RESUMED: u8 = 1;
const ENDED: u8 = 2;

/// Where all ranks go on, from what the first has found in its folder; none where there is nothing to do.
pub fn start_of_all(parted: &Parted, from: Option<Resumed>) -> Option<Option<Resumed>> {
    if !parted.has_others() {
        return Some(from);
    }
    let mut own = vec![if from.is_some() { RESUMED } else { FRESH }];
    if let Some(Resumed { at, carried }) = &from {
        own.extend(Checkpoint::of(at.clone(), carried.clone()).to_bytes());
    }
    let told = parted.told(&own);
    match told.split_first() {
        Some((&FRESH, _)) => Some(None),
        Some((&RESUMED, _)) if parted.speaks() => Some(from),
        Some((&RESUMED, bytes)) => {
            let Checkpoint { at, carried, .. } =
                Checkpoint::from_bytes(std::path::Path::new(""), bytes).ok()?;
            Some(Some(Resumed { at, carried }))
        }
        _ => None,
    }
}

/// Tells the other ranks that the run is over already.
pub fn end_all(parted: &Parted) {
    if parted.has_others() {
        parted.told(&[ENDED]);
    }
}
