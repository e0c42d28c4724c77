//! Where forces are not smooth: how far away that is, and going on to the next piece.

use super::forces::inputs;
use super::{State, System, Work, in_space};
use crate::element::hold::LEAVES;
use crate::element::law::MAX_VARIABLES;
use crate::element::switch::Gauge;
use crate::expr::Edges;
use crate::model::event::EventAction;
use crate::scalar::Scalar;

impl System {
    /// Number of switches.
    pub fn switches(&self) -> usize {
        self.switches.len()
    }

    /// The value of the function of a switch.
    pub(super) fn gauge(&self, k: usize, work: &Work) -> f64 {
        let (switch, mut vars) = (&self.switches[k], [0.0; MAX_VARIABLES]);
        in_space!(self.space, C => inputs::<C>(&switch.inputs, &work.bodies, &work.turns, work.t, &mut vars));
        let first = 1 + 2 * switch.inputs.len();
        for (flag, variable) in switch.flags.iter().zip(&mut vars[first..]) {
            *variable = flag.value(&work.pieces, &work.inputs);
        }
        switch.value(&vars, &work.pieces)
    }

    /// Signed distance of the function of a switch to the nearest edge of the piece that the work holds: positive
    /// inside, negative once crossed, infinite if the piece has no edge or is a matter of time alone. Needs the instant set, nothing evaluated.
    pub fn switch_margin(&self, k: usize, work: &Work) -> f64 {
        if self.switches[k].is_timed() {
            return f64::INFINITY;
        }
        self.switches[k].margin(work.pieces[k], self.gauge(k, work))
    }

    /// The margins of all switches. O(switches).
    pub fn switch_margins(&self, work: &Work, out: &mut [f64]) {
        for (k, margin) in out.iter_mut().enumerate().take(self.switches.len()) {
            *margin = self.switch_margin(k, work);
        }
    }

    /// Goes on to the piece beyond the nearer edge. Switches that depend on the piece are chosen anew, since what
    /// they look at may jump there: the contact of a tyre that meets or leaves a bump, a comparison inside another.
    pub fn switch_over(&self, k: usize, work: &mut Work) {
        self.switch_to(k, self.switches[k].beyond(work.pieces[k], self.gauge(k, work)), work);
    }

    /// Goes on to a given piece, and so do the switches that depend on it.
    pub fn switch_to(&self, k: usize, piece: u8, work: &mut Work) {
        if work.pieces[k] == piece {
            return;
        }
        work.pieces[k] = piece;
        for follower in k + 1..self.switches.len() {
            if self.switches[follower].reads.contains(&k) {
                let chosen = self.chosen_piece(follower, work);
                self.switch_to(follower, chosen, work);
            }
        }
    }

    /// The side that a switch is on which was exactly on its edge.
    pub fn switch_left(&self, k: usize, work: &Work) -> Option<u8> {
        let on_edge = work.pieces[k] == 2 && self.switches[k].site().is_some_and(|s| s.edges == Edges::Sign);
        let piece = if on_edge { self.chosen_piece(k, work) } else { 2 };
        (piece != 2).then_some(piece)
    }

    /// Functions that are positive inside the piece of a switch, for given variables of any scalar.
    pub(crate) fn switch_bounds<T: Scalar>(&self, k: usize, vars: &mut [T], work: &Work) -> [Option<T>; 2] {
        let switch = &self.switches[k];
        let first = 1 + 2 * switch.inputs.len();
        for (flag, variable) in switch.flags.iter().zip(&mut vars[first..]) {
            *variable = T::from_f64(flag.value(&work.pieces, &work.inputs));
        }
        switch.bounds(work.pieces[k], vars, &work.pieces)
    }

    /// Signed distance to the nearest edge for given variables instead of those of the instant.
    pub(crate) fn switch_margin_at(&self, k: usize, vars: &mut [f64], work: &Work) -> f64 {
        let switch = &self.switches[k];
        let first = 1 + 2 * switch.inputs.len();
        for (flag, variable) in switch.flags.iter().zip(&mut vars[first..]) {
            *variable = flag.value(&work.pieces, &work.inputs);
        }
        switch.margin(work.pieces[k], switch.value(vars, &work.pieces))
    }

    /// Whether a switch was made by an expression or table, so that nobody waits for it to happen.
    pub fn switch_is_implicit(&self, k: usize) -> bool {
        matches!(self.switches[k].gauge, Gauge::Site { .. } | Gauge::Knots { .. } | Gauge::Bends { .. })
    }

    /// Chooses all pieces from the instant of the work. What has happened for good stays so: it is history, not
    /// to be read off an instant. Needs the instant set, nothing evaluated.
    pub fn settle_pieces(&self, work: &mut Work) {
        for k in 0..self.switches.len() {
            self.settle_piece(k, work);
        }
    }

    /// Chooses the pieces of expressions and curves anew, where an input has changed; events and tyres stay as they are.
    pub fn settle_sites(&self, state: &mut State) {
        let follows = |k: &usize| self.switch_is_implicit(*k) && !self.switches[*k].is_timed();
        if (0..self.switches.len()).any(|k| follows(&k)) {
            let mut work = self.work();
            self.set_state(&mut work, state);
            for k in (0..self.switches.len()).filter(follows) {
                let piece = self.chosen_piece(k, &work);
                self.switch_to(k, piece, &mut work);
            }
            state.pieces.copy_from_slice(&work.pieces);
        }
    }

    /// Chooses the pieces of the given state.
    pub(super) fn settle_given(&mut self) {
        let mut work = self.work();
        work.pieces.clear();
        work.pieces.resize(self.switches.len(), 0);
        self.set(&mut work, 0.0, &self.given.q, &self.given.v);
        self.settle_pieces(&mut work);
        self.given.pieces = work.pieces;
    }

    /// The piece that the instant chooses; of what depends on time alone, the one right after it.
    fn chosen_piece(&self, k: usize, work: &Work) -> u8 {
        if self.switches[k].is_timed() {
            return self.timed_piece(k, work.t, &work.pieces);
        }
        self.switches[k].settle(work.pieces[k], self.gauge(k, work))
    }

    fn settle_piece(&self, k: usize, work: &mut Work) {
        work.pieces[k] = self.chosen_piece(k, work);
    }

    /// What a switch is, such as «tyre `front_left` on road `road`» or «event `landed`».
    pub fn switch_name(&self, k: usize) -> String {
        self.switches[k].title()
    }

    /// What happens when a switch goes from one piece to another, such as «tyre `front_left` leaves the ground».
    pub fn switch_event(&self, k: usize, from: u8, to: u8) -> String {
        self.switches[k].describe(from, to)
    }

    /// What a user wants an event to do; `None` for switches of elements.
    pub fn switch_action(&self, k: usize) -> Option<EventAction> {
        match &self.switches[k].gauge {
            Gauge::Event { action, .. } => Some(*action),
            _ => None,
        }
    }

    /// Whether crossing the nearer edge changes nothing but what is noted: the integration need not stop for it.
    pub fn switch_is_quiet(&self, k: usize, work: &Work) -> bool {
        let from = work.pieces[k];
        let to = self.switches[k].beyond(from, self.gauge(k, work));
        match self.switch_action(k) {
            // a coordinate that has moved away from a rigid stop and comes back
            None => matches!(self.switches[k].gauge, Gauge::Strike(_)) && from == LEAVES,
            Some(EventAction::Note) => true,
            Some(EventAction::Stop | EventAction::Switch) => !self.switch_happens(k, from, to),
        }
    }

    /// Whether going from one piece to another is what a switch waits for. An event crossed against its direction
    /// is only armed again: nothing stops, nothing is noted, no force changes.
    pub fn switch_happens(&self, k: usize, from: u8, to: u8) -> bool {
        self.switches[k].happens(from, to)
    }
}
