//! A run that is saved and goes on elsewhere gives the same bits.

mod reduced;
mod steppers;
use crate::common::van_der_pol;
