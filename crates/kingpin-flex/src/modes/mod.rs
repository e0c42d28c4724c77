//! Lowest modes of `K x = lambda M x`.

mod dense;
mod lanczos;
mod pencil;

pub use pencil::Pencil;

use nalgebra::DMatrix;

/// Modes of a structure, the slowest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Squares of angular frequencies, 1/s^2; zero or nearly so for motions without stiffness.
    pub squares: Vec<f64>,
    /// One column for each, of unit modal mass.
    pub shapes: DMatrix<f64>,
}

impl Modes {
    /// Frequencies in Hz.
    pub fn hertz(&self) -> Vec<f64> {
        self.squares.iter().map(|&square| square.max(0.0).sqrt() / std::f64::consts::TAU).collect()
    }

    /// Modes `range` of them.
    pub(crate) fn select(&self, chosen: &[usize]) -> Modes {
        Modes {
            squares: chosen.iter().map(|&k| self.squares[k]).collect(),
            shapes: self.shapes.select_columns(chosen),
        }
    }
}
