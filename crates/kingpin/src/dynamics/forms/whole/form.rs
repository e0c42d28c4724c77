//! All coordinates as an engine sees them.

use super::Whole;
use crate::dynamics::forms::form::{Form, Terms};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::system::State;

impl<'a, const EXACT: bool> Form<'a> for Whole<'a, EXACT> {
    const MEASURES: bool = true;
    const HAS_INSTANT: bool = true;

    fn make(mechanism: Dynamics<'a>, state: &State, terms: &Terms) -> Result<(Self, Vec<f64>), Trouble> {
        let mut whole = Self::new(mechanism, state)?;
        whole.yardstick = Some(terms.yardstick.clone());
        let mut y = vec![0.0; 2 * whole.x.len()];
        whole.coordinates(&mut y);
        Ok((whole, y))
    }

    fn mechanism(&mut self) -> &mut Dynamics<'a> {
        &mut self.mechanism
    }

    fn held(&self) -> &Dynamics<'a> {
        &self.mechanism
    }

    fn into_mechanism(self) -> Dynamics<'a> {
        self.mechanism
    }

    fn start(&mut self, state: &State, y: &mut [f64]) {
        self.begin(state);
        self.coordinates(y);
    }

    fn accept(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        self.take_over(t, y)
    }

    fn return_to(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        self.take_over(t, y)
    }

    fn prepare_inside(&mut self) {
        self.warm = false;
    }

    fn place(&mut self, t: f64, y: &mut [f64]) -> Result<(), Trouble> {
        self.warm = false;
        self.glance(t, y)
    }

    fn glance(&mut self, t: f64, y: &mut [f64]) -> Result<(), Trouble> {
        let (v, vdot) = y.split_at(self.x.len());
        self.recover(t, v, vdot)?;
        let Dynamics { system, work, .. } = &mut self.mechanism;
        system.set(work, t, &self.q, &self.velocity);
        Ok(())
    }

    fn forget_accelerations(&mut self) {
        self.solved = false;
    }

    fn write(&self, _: f64, _: &[f64], state: &mut State) {
        self.write_state(state);
    }
}
