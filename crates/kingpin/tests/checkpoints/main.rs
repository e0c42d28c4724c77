//! A run that is saved and goes on elsewhere gives the same bits.

mod reduced;
mod steppers;
