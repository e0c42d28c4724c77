//! Work that is the same for several sub-domains is done once.

use std::collections::BTreeMap;
use std::sync::Arc;

/// What is made of each item; items that are the same by `hash` and then `same` share it. Different ones are made at once
/// where there are threads.
pub(crate) fn shared<T: Sync, R: Send + Sync, E: Send>(
    items: &[T],
    hash: impl Fn(&T) -> u64,
    same: impl Fn(&T, &T) -> bool,
    make: impl Fn(usize, &T) -> Result<R, E> + Sync,
) -> Result<Vec<Arc<R>>, E> {
    let mut known: BTreeMap<u64, Vec<(usize, usize)>> = BTreeMap::new();
    let (mut firsts, mut which) = (Vec::new(), Vec::with_capacity(items.len()));
    for (k, item) in items.iter().enumerate() {
        let alike = known.entry(hash(item)).or_default();
        let place = match alike.iter().find(|(_, other)| same(&items[*other], item)) {
            Some(&(place, _)) => place,
            None => {
                alike.push((firsts.len(), k));
                firsts.push(k);
                firsts.len() - 1
            }
        };
        which.push(place);
    }
    let made = crate::team::made(&firsts, &|_, &k| make(k, &items[k]).map(Arc::new))?;
    Ok(which.into_iter().map(|place| Arc::clone(&made[place])).collect())
}

/// A number that differs for nearly all different lists of numbers.
pub(crate) fn hash_of(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0xcbf2_9ce4_8422_2325, |hash, number| {
        (hash ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    })
}
