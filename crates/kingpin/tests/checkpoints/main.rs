//! A run that is saved and goes on elsewhere gives the same bits.

mod reduced;
mod steppers;
#[path = "../common/van_der_pol.rs"]
mod van_der_pol;
