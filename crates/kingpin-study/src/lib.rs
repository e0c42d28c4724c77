//! Studies: one model with many values of its parameters, run side by side, and a row of numbers for each.
//!
//! ```no_run
//! use kingpin_io::ModelFile;
//! use kingpin_study::{Points, Scalar, Study, Variation};
//! use std::ops::ControlFlow;
//!
//! let (draft, overrides) = ModelFile::new("models/pendulum.toml").draft()?;
//! let lengths = Variation::parse("l=0.5..2 m:16")?;
//! let points = Points::new(vec![lengths], None).map_err(|(_, error)| error)?;
//! let study = Study::new(draft, overrides, points, vec![Scalar::new("max(bob_x)")])?;
//! study.run(2, 0, &mut |row| {
//!     println!("{:?} {:?}", row.values, row.scalars);
//!     ControlFlow::Continue(())
//! });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Variation`]s say which values parameters take, [`Points`] make combinations and samples of them, [`Scalar`]s what
//! is computed of each run, and a [`Study`] runs the points, as many at once as there are threads. Rows come in the
//! order of the points and do not depend on the number of threads. A [`StudyFolder`] keeps them in a table that
//! survives crashes. Nothing is printed.

mod digest;
mod draw;
mod folder;
mod gauge;
mod packed;
mod point;
mod points;
mod refusal;
mod scalar;
mod study;
mod table;
mod vary;

pub use digest::Digest;
pub use folder::{
    CURVES, DEFINITION, Definition, StudyFolder, TABLE, columns_of, curve_file, is_study, rows, verify,
};
pub use gauge::Curves;
pub use point::{Outcome, Row};
pub use points::{Points, Sampling};
pub use refusal::Refusal;
pub use scalar::{REDUCTIONS, Scalar};
pub use study::{Column, Configure, Study};
pub use table::{heading, line};
pub use vary::{Values, Variation, quantity};
