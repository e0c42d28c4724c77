//! Mechanisms in motion: the equations of motion in the forms that integrators need, and runs over time.

mod analyses;
mod explain;
mod forms;
mod instant;
mod run;
mod scales;
mod stepping;
mod watch;

pub use analyses::equilibrium::path::{LoadPath, LoadPoint, LoadPointKind, PathChoice, PathEnd, load_path};
pub use analyses::equilibrium::{
    Equilibrium, NoEquilibrium, Unstable, equilibrium, equilibrium_of, settle_at_equilibrium,
};
pub use analyses::kinematics::{KinematicFailure, Kinematics, Production, kinematics, kinematics_of};
pub use analyses::linear::{Linear, linearise};
pub use analyses::modes::{Freedom, Mode, ModeChoice, Modes, NoModes, modes, modes_of};
pub use analyses::shares::Share;
pub use analyses::steady::{Axes, NoSteadyMotion, steady_state};
pub use explain::{Advice, FailureReport, History, Noted, What, Why, explain};
pub use forms::coordinates::Coordinates;
pub use forms::descriptor::{Descriptor, Saddle};
pub use forms::full::Full;
pub use forms::partition::Partition;
pub use forms::reduced::{Linearising, Reduced};
pub use forms::whole::{Bordered, Whole};
pub use instant::least_change::LeastChange;
pub use instant::nearness::Involved;
pub use instant::projection::Projection;
pub use instant::stabilisation::{ChangeWeights, Corrections, Stabilisation};
pub use instant::{Chatter, DENSE, Dynamics, Trouble};
pub use run::checkpoint::Checkpoint;
pub use run::course::Course;
pub use run::holding::dynamics_at;
pub use run::passage::Approach;
pub use run::{End, Frame, Observer, Run, Step, Unwatched, resume, simulate, simulate_with};
pub use scales::{Four, Parts, Scale, Scales, Unresolved, Yardstick, unresolved};
pub use stepping::{Matrices, Method, Settings};
pub use watch::attitudes::{FoldingAttitude, NearFold, told};
pub use watch::doubt::Doubt;
pub use watch::events::Happening;
pub use watch::lag::{Lag, lag};
pub use watch::ledger::Account;
pub use watch::tumbling::{Tumbling, tumbling};
