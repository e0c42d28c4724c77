//! All files that Kingpin writes go through here.
//!
//! - [`Part`]: a file is written beside its place and renamed when it is whole, so there is never half of it.
//! - [`Found`]: what stands at a path, without following links. Nothing is written through a link, except to a file
//!   that the user edits ([`rewrite`]).
//! - [`put_aside`]: a file that may be the user's is renamed, never replaced or removed.
//! - [`Manifest`] and [`Chain`]: checksums of the files of a folder. They tell which files are ours, and what the disk
//!   or somebody else has changed.
//! - [`disk`]: the operations on files, which tests can make fail one by one.

pub mod disk;
mod manifest;
mod part;
mod place;
mod sum;

pub use manifest::{Chain, Chunk, Manifest};
pub use part::{Part, is_part, remove_leftovers, replace};
pub use place::{Found, open_no_follow, open_own, put_aside, rewrite};
pub use sum::Sum;
