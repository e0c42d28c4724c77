//! Mechanisms in motion: the equations of motion in the forms that integrators need, and runs over time.

mod columns;
mod descriptor;
mod differences;
mod engine;
mod equilibrium;
mod events;
mod full;
mod jacobian;
mod kinematics;
mod mechanism;
mod method;
mod modes;
mod partition;
mod pencil;
mod projection;
mod reduced;
mod run;
mod settings;
mod shares;
mod spectrum;
mod tangent;

pub use descriptor::{Descriptor, Inflated, Room, Saddle};
pub use equilibrium::{Equilibrium, NoEquilibrium, Unstable, equilibrium, settle_at_equilibrium};
pub use events::Event;
pub use full::Full;
pub use kinematics::{KinematicFailure, Kinematics, kinematics};
pub use mechanism::{Mechanism, Trouble};
pub use method::Method;
pub use modes::{Freedom, Mode, Modes, NoModes, modes};
pub use partition::Partition;
pub use projection::Projection;
pub use reduced::{Linearising, Reduced};
pub use run::{End, Frame, Observer, Run, Step, Unwatched, simulate, simulate_with};
pub use settings::Settings;
pub use shares::Share;
