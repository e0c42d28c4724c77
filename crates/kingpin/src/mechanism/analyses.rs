//! Equilibrium, modes, kinematics.

use super::values::unknown_channel;
use super::{Error, Mechanism, Produced, Sink, SinkObserver};
use crate::dynamics::{
    Equilibrium, Kinematics, Linear, LoadPath, Matrices, ModeChoice, Modes, PathChoice, Production,
    equilibrium_of, kinematics_of, linearise, load_path, modes_of, steady_state,
};
use crate::system::{State, System};

impl Mechanism {
    /// The static equilibrium near the assembled state: velocities are ignored, time and drivers are fixed.
    pub fn equilibrium(&self) -> Result<Equilibrium, Error> {
        self.equilibrium_with(self.settings().matrices)
    }

    /// The same with a given kind of matrices.
    pub fn equilibrium_with(&self, matrices: Matrices) -> Result<Equilibrium, Error> {
        let found = equilibrium_of(&self.system, self.problem(), self.state(), matrices);
        found.map_err(|why| self.refuses(why.finding(&self.system, &self.assembly.diagnosis)))
    }

    /// Equilibria under loads that grow from zero, traced by arc length past limit and branching points.
    #[doc(hidden)]
    pub fn load_path(&self, choice: PathChoice) -> Result<LoadPath, Error> {
        let found = load_path(&self.system, self.problem(), self.state(), choice);
        found.map_err(|why| self.refuses(why.finding(&self.system, &self.assembly.diagnosis)))
    }

    /// The steady motion near a state: positions move with axes that do not turn or that turn with a body, and forces are
    /// in balance. Drivers keep their rates, time stands still.
    pub fn steady_motion(&self, state: &State) -> Result<State, Error> {
        let found = steady_state(&self.system, self.problem(), state);
        found.map_err(|why| self.refuses(why.finding(&self.assembly.diagnosis)))
    }

    /// Eigenvalues of the exactly linearised equations at a consistent state, and the participating bodies.
    pub fn modes(&self, state: &State) -> Result<Modes, Error> {
        self.modes_with(state, &self.mode_choice())
    }

    /// The same at a state at rest, such as that of [`Mechanism::equilibrium`]: drivers are fixed.
    pub fn modes_at_rest(&self, state: &State) -> Result<Modes, Error> {
        self.modes_at_rest_with(state, &self.mode_choice())
    }

    /// Selected modes at a consistent state.
    pub fn modes_with(&self, state: &State, choice: &ModeChoice) -> Result<Modes, Error> {
        self.modes_in(&self.system, state, choice)
    }

    /// Selected modes at a state at rest: drivers are fixed.
    pub fn modes_at_rest_with(&self, state: &State, choice: &ModeChoice) -> Result<Modes, Error> {
        self.modes_in(&self.system.frozen(state.t), state, choice)
    }

    fn modes_in(&self, system: &System, state: &State, choice: &ModeChoice) -> Result<Modes, Error> {
        let found = modes_of(system, self.problem(), state, choice);
        found.map_err(|why| self.refuses(why.finding(&self.assembly.diagnosis)))
    }

    fn mode_choice(&self) -> ModeChoice {
        ModeChoice { matrices: self.settings().matrices, ..ModeChoice::default() }
    }

    /// The mechanism about a consistent state as a linear system: x' = A x + B u, y = C x + D u, for inputs of the
    /// model and channels as outputs. Time is fixed.
    pub fn linearise(&self, state: &State, inputs: &[&str], outputs: &[&str]) -> Result<Linear, Error> {
        let inputs = inputs.iter().map(|name| self.input_place(name)).collect::<Result<Vec<_>, _>>()?;
        let channels = self.still_channels();
        let find = |name: &&str| channels.find(name).ok_or_else(|| unknown_channel(channels, name));
        let outputs = outputs.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let found = linearise(&self.system, self.problem(), state, &inputs, (channels, &outputs));
        found.map_err(|trouble| self.refuses(trouble.finding(&self.assembly.diagnosis)))
    }

    /// Follows the drivers of a mechanism without degrees of freedom to `t_end`, with `frames` frames at even
    /// intervals after the start: positions, velocities, accelerations, joint and driver forces.
    pub fn kinematics(&self, t_end: f64, frames: usize, sink: &mut dyn Sink) -> Result<Kinematics, Error> {
        let done = self.follow(t_end, frames, &Production::default(), sink)?;
        self.lock_of(&done).map_or(Ok(done), Err)
    }

    /// The same for a mechanism whose actuators produce the motions of drivers ([`Produced`]): these drivers have no
    /// force, and the required forces of the actuators are computed.
    pub fn inverse(
        &self,
        produced: &Produced,
        t_end: f64,
        frames: usize,
        sink: &mut dyn Sink,
    ) -> Result<Kinematics, Error> {
        let done = self.follow(t_end, frames, &produced.production(self)?, sink)?;
        self.lock_of(&done).map_or(Ok(done), Err)
    }

    /// The same, but a mechanism that locks up is not an error: the result has the frames before it and the cause.
    #[doc(hidden)]
    pub fn follow(
        &self,
        t_end: f64,
        frames: usize,
        production: &Production,
        sink: &mut dyn Sink,
    ) -> Result<Kinematics, Error> {
        let channels = self.still_channels();
        sink.begin(channels).map_err(|error| Error::Sink(error.to_string()))?;
        let mut observer = SinkObserver::new(channels, sink);
        let (problem, span) = (self.problem(), (t_end, frames));
        let done = kinematics_of(&self.system, problem, self.state(), span, production, &mut observer);
        observer.finish().map_err(|error| Error::Sink(error.to_string()))?;
        Ok(done)
    }

    /// Why the drivers could not be followed to the end, if they could not.
    #[doc(hidden)]
    pub fn lock_of(&self, done: &Kinematics) -> Option<Error> {
        done.failure.as_ref().map(|why| self.refuses(why.finding(&self.assembly.diagnosis)))
    }
}
