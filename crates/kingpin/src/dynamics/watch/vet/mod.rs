//! Whether a step has seen all that acts from outside.
//!
//! A method looks at forces at a few places of a step, its nodes, and takes them for smooth in between. Here each
//! force that may have narrow features is followed along the step: by intervals, so that no feature can hide
//! however narrow it is, down to where it has no effect. What it does beyond the polynomial through its values at
//! the nodes is an impulse that the step has missed; if that changes velocities by more than the tolerance, the
//! step is not good.

mod nodes;
mod witness;

use super::paths::InputPaths;
use crate::dynamics::instant::Dynamics;
use crate::dynamics::scales::{Four, Yardstick};
use crate::dynamics::stepping::{Method, Settings};
use crate::element::bar_law::WhenSlack;
use crate::element::equation::{Direction, EquationForm, Term};
use crate::element::law::{MAX_VARIABLES, Strength};
use crate::element::road::Profile;
use crate::expr::Interval;
use crate::integrate::StepReport;
use crate::model::function::Function;
use crate::scalar::{Dual, Scalar};
use crate::spatial::apply;
use crate::system::{State, System, Work};
use nodes::MethodNodes;
use witness::Witness;

/// Follows what acts from outside along every step.
pub(in crate::dynamics) struct Vet {
    paths: InputPaths,
    /// Of each function of the paths: places of tables over its first input.
    knots: Vec<Vec<f64>>,
    /// Equations of prescribed motions that are worth following.
    drivers: Vec<usize>,
    /// Steps shorter than this are not shortened further.
    least: f64,
    /// Where points of tables lie in the step.
    places: Vec<f64>,
    nodes: MethodNodes,
    witness: Witness,
}

/// Impulses missed that are worth another attempt, in parts of the tolerance.
const MISSED: f64 = 5.0;
/// Polynomials of this degree have no narrow features.
const TAME: f64 = 3.0;
/// Range of the next step, in parts of the one that has missed something.
const SHORTER: (f64, f64) = (0.05, 0.7);

impl Vet {
    pub fn new(mechanism: &Dynamics, settings: &Settings, span: f64) -> Vet {
        let system = mechanism.system;
        // without degrees of freedom nothing can go wrong, and a fixed step is the user's
        let idle = mechanism.freedoms() == 0 || settings.method.has_fixed_step();
        let terms = system.terms.iter().enumerate().filter(|(_, term)| !idle && !is_tame(&term.strength));
        let terms: Vec<(usize, &Term)> = terms.collect();
        let wild = |form: &EquationForm| matches!(form, EquationForm::Single(_, Function::Expr(e)) if e.degree() > TAME);
        let equations = system.layout.equations.iter().enumerate();
        Vet {
            paths: InputPaths::new(terms.iter().map(|(k, term)| (*k, &term.inputs[..]))),
            knots: terms.iter().map(|(_, term)| knots(&term.strength)).collect(),
            drivers: equations.filter(|(_, n)| !idle && wild(&n.equation.form)).map(|(k, _)| k).collect(),
            least: 1e-12 * span.abs(),
            places: Vec::new(),
            nodes: MethodNodes::of(settings.method),
            witness: Witness::default(),
        }
    }

    /// Whether there is nothing to follow.
    pub fn is_idle(&self) -> bool {
        self.paths.functions() == 0 && self.drivers.is_empty()
    }

    /// Notes the start of a step.
    pub fn start(&mut self, system: &System, work: &Work) {
        self.paths.start(system, work);
    }

    /// The part of the step just taken that should be tried instead, if it has missed something; the instant of the
    /// work is its end.
    pub fn look(
        &mut self,
        system: &System,
        work: &Work,
        report: &StepReport,
        method: Method,
        (yardstick, state): (&Yardstick, &State),
    ) -> Option<f64> {
        let h = report.h();
        let allowed = |body: usize| yardstick.allowed_of(body, h.abs(), &state.q, &state.v);
        if h.abs() <= self.least {
            return None;
        }
        if self.nodes.method != method {
            self.nodes = MethodNodes::of(method);
        }
        self.paths.end(system, work, report.t_old, h);
        let mut part: Option<f64> = None;
        for i in 0..self.paths.functions() {
            let term = &system.terms[self.paths.number(i)];
            let weight = h.abs() * weight(system, term, work, allowed);
            let paths = &self.paths;
            let value = |theta: f64| strength(paths, i, term, theta, work);
            let range = |theta: Dual<Interval>| strength(paths, i, term, theta, work);
            paths.places(i, &self.knots[i], &mut self.places);
            let missed = self.witness.missed(&mut self.nodes, value, range, weight, &self.places);
            part = shorter(part, missed);
        }
        for &k in &self.drivers {
            let EquationForm::Single(basic, motion) = &system.layout.equations[k].equation.form else {
                continue;
            };
            let moves = basic.bodies().into_iter().filter(|&body| body < system.bodies());
            let least = moves.map(allowed).fold(f64::INFINITY, |least, allowed| {
                least.min(if basic.is_angle() { allowed.angular_velocity } else { allowed.velocity })
            });
            let weight = h.abs() / least;
            let value = |theta: f64| acceleration(motion, report.t_old, h, theta, &work.pieces);
            let range = |theta: Dual<Interval>| acceleration(motion, report.t_old, h, theta, &work.pieces);
            let missed = self.witness.missed(&mut self.nodes, value, range, weight, &[]);
            part = shorter(part, missed);
        }
        part
    }
}

/// The shorter of two parts.
fn shorter(part: Option<f64>, missed: Option<(f64, f64)>) -> Option<f64> {
    let next = missed.filter(|(impulse, _)| *impulse > MISSED).map(|(_, at)| at.clamp(SHORTER.0, SHORTER.1));
    match (part, next) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// Whether a force has no narrow features.
fn is_tame(strength: &Strength) -> bool {
    let tame = |f: &Function| match f {
        // nothing is known about the inside of a closure
        Function::Constant(_) | Function::Table(_) | Function::Closure(_) => true,
        Function::Expr(expr) => expr.degree() <= TAME,
    };
    match strength {
        // what holds a closure cannot be followed by intervals
        Strength::Spring(law) if matches!(law.actuator, Function::Closure(_)) => true,
        Strength::Spring(law) => law.spring.is_none() && law.damper.is_none() && tame(&law.actuator),
        Strength::Magnitude(f) | Strength::Rate(f) => tame(f),
        Strength::Bar(law) => !matches!(law.slack, WhenSlack::Smooth(_)),
        Strength::Stops(_) | Strength::Rigid(_) => true,
        Strength::Friction(law) => law.0.is_tame(),
        Strength::Tyre(law) => match &law.road {
            Profile::Flat(_) | Profile::Bump { .. } => true,
            Profile::Table(_) => false,
            Profile::Expression(f) => tame(f),
        },
    }
}

/// The places of tables over the first input of a force.
fn knots(strength: &Strength) -> Vec<f64> {
    match strength {
        Strength::Spring(law) => law.spring.iter().flat_map(|c| c.knots()).map(|x| x + law.rest).collect(),
        Strength::Tyre(law) => match &law.road {
            Profile::Table(curve) => curve.knots().to_vec(),
            _ => Vec::new(),
        },
        // where a cable that is slack smoothly has its bend
        Strength::Bar(law) => vec![law.rest],
        Strength::Magnitude(_)
        | Strength::Rate(_)
        | Strength::Stops(_)
        | Strength::Rigid(_)
        | Strength::Friction(_) => Vec::new(),
    }
}

/// A force along a step.
fn strength<T: Scalar>(paths: &InputPaths, i: usize, term: &Term, theta: T, work: &Work) -> T {
    let mut vars = [T::zero(); MAX_VARIABLES];
    let first = paths.fill(i, theta, &mut vars);
    for (flag, variable) in term.flags.iter().zip(&mut vars[first..]) {
        *variable = T::from_f64(flag.value(&work.pieces, &work.inputs));
    }
    term.strength.eval(&vars[..first + term.flags.len()], &work.pieces)
}

/// The second derivative of a prescribed motion along a step.
fn acceleration<T: Scalar>(motion: &Function, t: f64, h: f64, theta: T, pieces: &[u8]) -> T {
    let at = T::from_f64(t) + theta.scale(h);
    motion.eval_on(&[Dual::variable(Dual::variable(at))], pieces).d.d
}

/// What a force of one newton does to velocities per second, in parts of their tolerances.
fn weight(system: &System, term: &Term, work: &Work, allowed: impl Fn(usize) -> Four) -> f64 {
    let (d, nv) = (system.dimensions(), system.nodes.widest());
    let size = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let on = |body: usize, push: f64, turn: [f64; 3]| {
        let Some(inertia) = system.inertia.get(body) else { return 0.0 };
        let (velocity, angular_velocity) =
            (push * inertia.inverse_mass, size(&apply(&inertia.inverse, &turn)));
        Four { velocity, angular_velocity, ..Four::default() }.over(allowed(body))
    };
    match &term.direction {
        Direction::Along(basic, _) => {
            let rows = system.basic_row(basic, work);
            let each = basic.bodies().into_iter().zip(rows).map(|(body, row)| {
                let mut turn = [0.0; 3];
                turn[..nv - d].copy_from_slice(&row[d..nv]);
                let places = if body < system.bodies() { system.nodes[body].places } else { d };
                on(body, size(&row[..places]), turn)
            });
            each.fold(0.0, f64::max)
        }
        Direction::BodyForce { body, s, .. } => on(*body, 1.0, [size(s), 0.0, 0.0]),
        Direction::Torque { body, dir, .. } => on(*body, 0.0, if nv == 3 { [1.0, 0.0, 0.0] } else { *dir }),
    }
}
