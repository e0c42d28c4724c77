//! What an engine asks of a form of the equations of motion.

use super::coordinates::Coordinates;
use super::reduced::{Linearising, Reduced};
use crate::dynamics::instant::stabilisation::{ChangeWeights, Stabilisation};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::scales::Yardstick;
use crate::integrate::{SecondOrder, Snapshot};
use crate::system::State;
use std::sync::Arc;

/// The equations of motion in coordinates y of a form's own. What they are integrated by follows from what else a form
/// is: an [`Ode`](crate::integrate::Ode), or [`SecondOrder`] equations with a matrix of their own kind.
pub(in crate::dynamics) trait Form<'a>: Snapshot + Sized + Send {
    /// Whether it measures errors of its coordinates itself; those of others are measured in bodies.
    const MEASURES: bool;
    /// Whether it remembers the instant it evaluated last, and is lost when others have used the mechanism.
    const HAS_INSTANT: bool;

    /// The form at a consistent state, and that state in its coordinates; an error if there is none in this
    /// configuration.
    fn make(mechanism: Dynamics<'a>, state: &State, terms: &Terms) -> Result<(Self, Vec<f64>), Trouble>;
    /// The mechanism.
    fn mechanism(&mut self) -> &mut Dynamics<'a>;
    /// The same to look at.
    fn held(&self) -> &Dynamics<'a>;
    /// Gives the mechanism back.
    fn into_mechanism(self) -> Dynamics<'a>;

    /// Sets the state from which the next step starts, and gives its coordinates.
    fn start(&mut self, state: &State, y: &mut [f64]);
    /// Takes over the end of a step.
    fn accept(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble>;
    /// Goes to the end of the last step and evaluates the constraints there.
    fn return_to(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble>;
    /// Before the method looks inside a step: a place there is the same whatever was looked at before.
    fn prepare_inside(&mut self) {}
    /// Goes to a place inside a step, moved onto the constraints.
    fn place(&mut self, t: f64, y: &mut [f64]) -> Result<(), Trouble>;
    /// Goes to a place inside a step that may be as far from the constraints as the dense output is.
    fn glance(&mut self, t: f64, y: &mut [f64]) -> Result<(), Trouble>;
    /// The state it went to last, whose time and coordinates are these.
    fn write(&self, t: f64, y: &[f64], state: &mut State);

    /// Solves for accelerations anew where it may have kept them from whoever looked.
    fn forget_accelerations(&mut self) {}
    /// Whether its coordinates are wearing out.
    fn strained(&self) -> bool {
        false
    }
    /// Chooses coordinates anew at an accepted state; whether they are others, which `y` then holds.
    fn renew(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Trouble> {
        let _ = (t, y);
        Ok(false)
    }
    /// How often that happened.
    fn renewals(&self) -> usize {
        0
    }
}

/// What a form is made for.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Terms {
    /// How its equations are linearised.
    pub linearising: Linearising,
    /// In which coordinates a form with dense matrices tells motions.
    pub coordinates: Coordinates,
    /// What errors are measured against.
    pub yardstick: Arc<Yardstick>,
    /// How explicit methods keep states on the constraints, and what changes are weighed by.
    pub stabilisation: Stabilisation,
    pub weights: ChangeWeights,
}

/// Forms of as many coordinates as there are freedoms, independent ones of the partition or those of the tangent plane,
/// however their equations are linearised and solved.
pub(in crate::dynamics) trait Partitioned<'a>: SecondOrder<Error = Trouble> {
    /// The form around the independent coordinates.
    fn around(reduced: Reduced<'a>) -> Self;
    /// The independent coordinates.
    fn reduced(&self) -> &Reduced<'a>;
    /// The same to change.
    fn reduced_mut(&mut self) -> &mut Reduced<'a>;
    /// Gives them back.
    fn into_reduced(self) -> Reduced<'a>;
}

impl<'a, T: Partitioned<'a> + Snapshot + Send> Form<'a> for T {
    const MEASURES: bool = true;
    const HAS_INSTANT: bool = true;

    fn make(mechanism: Dynamics<'a>, state: &State, terms: &Terms) -> Result<(Self, Vec<f64>), Trouble> {
        let mut reduced = Reduced::in_coordinates(mechanism, state, terms.coordinates)?;
        reduced.linearising = terms.linearising;
        reduced.yardstick = Some(terms.yardstick.clone());
        let mut y = vec![0.0; 2 * reduced.dim()];
        reduced.independent(&mut y);
        Ok((Self::around(reduced), y))
    }

    fn mechanism(&mut self) -> &mut Dynamics<'a> {
        &mut self.reduced_mut().mechanism
    }

    fn held(&self) -> &Dynamics<'a> {
        &self.reduced().mechanism
    }

    fn into_mechanism(self) -> Dynamics<'a> {
        self.into_reduced().mechanism
    }

    fn start(&mut self, state: &State, y: &mut [f64]) {
        self.reduced_mut().start(state);
        self.reduced().independent(y);
    }

    fn accept(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        self.reduced_mut().accept(t, y)
    }

    fn return_to(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        self.reduced_mut().accept(t, y)
    }

    fn prepare_inside(&mut self) {
        self.reduced_mut().factored = false;
    }

    fn place(&mut self, t: f64, y: &mut [f64]) -> Result<(), Trouble> {
        let reduced = self.reduced_mut();
        reduced.factored = false;
        reduced.recover_at(t, y)
    }

    fn glance(&mut self, t: f64, y: &mut [f64]) -> Result<(), Trouble> {
        self.reduced_mut().recover_at(t, y)
    }

    fn write(&self, _: f64, _: &[f64], state: &mut State) {
        self.reduced().write_state(state);
    }

    fn forget_accelerations(&mut self) {
        self.reduced_mut().solved = false;
    }

    fn strained(&self) -> bool {
        self.reduced().strained()
    }

    /// Where the chart is based.
    fn renew(&mut self, t: f64, y: &mut [f64]) -> Result<bool, Trouble> {
        let reduced = self.reduced_mut();
        if !reduced.is_based_at(t) {
            return Ok(false);
        }
        let changed = reduced.choose_anew()?;
        if changed {
            reduced.independent(y);
        }
        Ok(changed)
    }

    fn renewals(&self) -> usize {
        self.reduced().repartitions
    }
}
