//! Powers of an instant: how fast energy comes and goes, by exact force times rate.

use super::forces::inputs;
use super::{System, Work, in_space};
use crate::element::equation::{Direction, EquationForm, Term};
use crate::element::law::{Law, MAX_VARIABLES, Strength, TyreLaw};
use crate::element::road::Profile;
use crate::model::Space;
use crate::spatial::{Coords, apply_t, dot};

/// Powers of an instant. Weight, springs and whatever else has a potential are left out: the rate of kinetic and
/// potential energy together is `applied + drivers - dissipated`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Powers {
    /// What dampers take.
    pub dissipated: f64,
    /// What applied forces, actuators and uneven roads give.
    pub applied: f64,
    /// What drivers give.
    pub drivers: f64,
}

impl Powers {
    /// On a straight line to others: these at 0, the others at 1.
    pub fn towards(&self, other: Powers, x: f64) -> Powers {
        let between = |a: f64, b: f64| a + x * (b - a);
        Powers {
            dissipated: between(self.dissipated, other.dissipated),
            applied: between(self.applied, other.applied),
            drivers: between(self.drivers, other.drivers),
        }
    }

    /// What comes in from outside.
    pub fn work(&self) -> f64 {
        self.applied + self.drivers
    }
}

impl System {
    /// Whether a driver moves, or something goes with reactions: powers need multipliers.
    pub fn is_driven(&self) -> bool {
        let moves = |form: &EquationForm| match form {
            EquationForm::Single(_, motion) => motion.constant_value().is_none(),
            EquationForm::Coincide(_) | EquationForm::Sum(..) | EquationForm::Held(..) => false,
        };
        self.layout.equations.iter().any(|n| moves(&n.equation.form)) || !self.readings.is_empty()
    }

    /// Powers at the instant of the work. The multipliers `lam`, and constraints evaluated, are needed where
    /// [`System::is_driven`] says so: a driver with the rate nu gives -lam nu. No allocation. O(terms + equations).
    pub fn powers(&self, work: &Work, lam: Option<&[f64]>) -> Powers {
        let mut powers = Powers::default();
        for term in &self.terms {
            if self.term_is_conservative(term) {
                continue;
            }
            let mut vars = [0.0; MAX_VARIABLES];
            in_space!(self.space, C => inputs::<C>(&term.inputs, &work.bodies, &work.turns, work.t, &mut vars));
            let used = term.fill_flags(&work.pieces, &work.inputs, &mut vars);
            let vars = &vars[..used];
            match &term.strength {
                Strength::Spring(law) => spring(law, vars, &work.pieces, &mut powers),
                Strength::Tyre(law) => tyre(law, vars, &work.pieces, &mut powers),
                Strength::Bar(law) => powers.dissipated += law.dissipated(vars, &work.pieces),
                Strength::Stops(law) => powers.dissipated += law.dissipated(vars, &work.pieces),
                Strength::Rate(_) | Strength::Rigid(_) => {}
                Strength::Friction(law) => powers.dissipated += law.0.eval(vars, &work.pieces) * vars[2],
                Strength::Magnitude(_) if has_potential(term, self.space == Space::Planar) => {}
                Strength::Magnitude(f) => {
                    powers.applied += f.eval_on(vars, &work.pieces) * self.speed(&term.direction, work)
                }
            }
        }
        powers.dissipated +=
            self.beams_dissipate(work) + self.cells_dissipate(work) + self.floating_dissipate(work);
        if let Some(lam) = lam {
            powers.drivers = -lam.iter().zip(&work.nu).map(|(lam, nu)| lam * nu).sum::<f64>();
        }
        powers
    }

    /// The velocity that a force in that direction works on.
    fn speed(&self, direction: &Direction, work: &Work) -> f64 {
        let ground = self.bodies();
        match direction {
            Direction::Along(basic, sign) => sign * self.basic_value_and_rate(basic, work).1,
            Direction::BodyForce { body, .. } | Direction::Torque { body, .. } if *body == ground => 0.0,
            Direction::BodyForce { body, s, dir } => in_space!(self.space, C => {
                let b = &work.bodies[*body];
                let f = C::image(&b.a, dir);
                let turn = C::moment(&b.a, s, &f);
                let turning: f64 = (0..C::M).map(|k| turn[k] * b.w[k]).sum();
                dot(&f, &b.rdot) + turning
            }),
            Direction::Torque { body, dir, body_fixed } => {
                let b = &work.bodies[*body];
                match (self.space == Space::Planar, body_fixed) {
                    (true, _) => b.w[0],
                    (false, true) => dot(dir, &b.w),
                    (false, false) => dot(&apply_t(&b.a, dir), &b.w),
                }
            }
        }
    }
}

/// Whether a function of time and measures is a constant force in a fixed direction.
fn has_potential(term: &Term, planar: bool) -> bool {
    let Strength::Magnitude(f) = &term.strength else { return true };
    let fixed = match term.direction {
        Direction::Along(..) => true,
        Direction::Torque { .. } => planar,
        Direction::BodyForce { .. } => false,
    };
    f.constant_value().is_some_and(|force| fixed || force == 0.0)
}

/// Springs draw against the rate.
fn spring(law: &Law, vars: &[f64], pieces: &[u8], powers: &mut Powers) {
    let rate = vars[2];
    let damper = law.damper.as_ref().map_or(0.0, |curve| curve.eval(rate));
    powers.dissipated += (law.damping * rate + damper) * rate;
    if law.actuator.constant_value().is_none() {
        powers.applied -= law.actuator.eval_on(vars, pieces) * rate;
    }
}

/// The force acts upwards whatever the slope of the road: what is not stored or dissipated is work of the road.
fn tyre(law: &TyreLaw, vars: &[f64], pieces: &[u8], powers: &mut Powers) {
    if law.is_off(pieces) {
        return;
    }
    let ([_, rate], force) = law.felt(vars, pieces);
    powers.dissipated += law.damping * rate * rate;
    if !matches!(law.road, Profile::Flat(_)) {
        let up = vars[4];
        powers.applied += force * (up + rate);
    }
}
