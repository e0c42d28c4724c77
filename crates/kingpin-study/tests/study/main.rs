//! Studies of mechanisms whose numbers are known.

mod resuming;
mod throw;
