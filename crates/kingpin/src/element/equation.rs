//! What compositions are made of: constraint equations and force terms, ready to be evaluated.

use super::basic::{Basic, Coincide};
use super::law::Strength;
use super::switch::Flag;
use crate::model::function::Function;
use crate::spatial::V3;

/// One constraint equation, or the group of equations of coincident points.
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    /// Its form.
    pub form: EquationForm,
    /// What it says, in words.
    pub label: &'static str,
}

/// The forms of constraint equations.
#[derive(Clone, Debug, PartialEq)]
pub enum EquationForm {
    /// Two points coincide: as many equations as space has dimensions.
    Coincide(Coincide),
    /// A basic function equals a function of time.
    Single(Basic, Function),
    /// A basic function keeps a value, which stands at this place among reference angles.
    Held(Basic, usize),
    /// A sum of basic functions equals a constant.
    Sum(Vec<(f64, Basic)>, f64),
}

/// One contribution to the applied forces: strength along a direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// How big.
    pub strength: Strength,
    /// What the strength depends on besides time.
    pub inputs: Vec<Basic>,
    /// What users call the inputs.
    pub names: Vec<String>,
    /// Events whose variables it uses; their values follow those of the inputs.
    pub flags: Vec<Flag>,
    /// Where to.
    pub direction: Direction,
    /// What it and its numbers are called.
    pub words: Words,
}

/// Inertia on the rate of a basic function g: the kinetic energy 1/2 amount g'^2, so the mass amount g_v^T g_v on the
/// velocities of both bodies and the force amount g'' against g.
#[derive(Clone, Debug, PartialEq)]
pub struct Inertance {
    /// The function.
    pub basic: Basic,
    /// How much, kg for lengths and kg m^2 for angles; more than zero.
    pub amount: f64,
    /// What it and its numbers are called.
    pub words: Words,
}

impl Inertance {
    /// Whether results show its numbers.
    pub fn is_shown(&self) -> bool {
        !self.words.strength.is_empty()
    }
}

/// Constant mass per axis on the velocities of two points: the kinetic energy
/// 1/2 own_1 v_1^2 + shared v_1 . v_2 + 1/2 own_2 v_2^2. Each end weighs what it has of its own and what it shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairMass {
    /// What each point has of its own; more than what is shared.
    pub own: [f64; 2],
    /// What both share, zero or more.
    pub shared: f64,
}

impl PairMass {
    /// That of a line of material that moves with its ends, in between linearly, or `lumped` at them.
    pub fn of_line(mass: f64, inertia: &str) -> PairMass {
        match inertia {
            "lumped" => PairMass { own: [0.5 * mass; 2], shared: 0.0 },
            _ => PairMass { own: [mass / 3.0; 2], shared: mass / 6.0 },
        }
    }
}

/// Mass that an element adds to a point, as part of its node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMass {
    /// The point.
    pub body: usize,
    /// The mass that is accelerated with it alone.
    pub inertia: f64,
    /// The mass that weighs on it.
    pub weight: f64,
}

/// What a term and its numbers are called; an empty name is not shown among results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// The term, in words.
    pub label: &'static str,
    /// The quantity it acts on, such as `length`.
    pub value: &'static str,
    /// The rate of that quantity.
    pub rate: &'static str,
    /// How big it is, such as `force`.
    pub strength: &'static str,
    /// What it gives to the mechanism in a second.
    pub power: &'static str,
    /// What the quantity is, if the basic function does not say it best.
    pub about: Option<&'static str>,
}

impl Words {
    /// A term of which only the strength is shown.
    pub const fn strength(label: &'static str, strength: &'static str) -> Words {
        Words { label, value: "", rate: "", strength, power: "", about: None }
    }

    /// What moves a mechanism: it works along the quantity that it acts on.
    pub const fn actuator(label: &'static str, strength: &'static str) -> Words {
        Words { label, value: "stroke", rate: "speed", strength, power: "power", about: None }
    }
}

/// The generalised direction of a force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Direction {
    /// Q = sign g_q^T: it does work on g.
    Along(Basic, f64),
    /// A force at point `s` of a body along `dir`, both fixed to the body.
    BodyForce {
        /// The body.
        body: usize,
        /// The point.
        s: V3,
        /// The direction.
        dir: V3,
    },
    /// A torque about `dir`, fixed to the body or to the ground (planar: about z).
    Torque {
        /// The body.
        body: usize,
        /// The axis.
        dir: V3,
        /// Whether the axis turns with the body.
        body_fixed: bool,
    },
}

impl Equation {
    /// Scalar equations it stands for, in a space of `dimensions`.
    pub fn rows(&self, dimensions: usize) -> usize {
        if matches!(self.form, EquationForm::Coincide(_)) { dimensions } else { 1 }
    }

    /// Row `k` in words.
    pub fn describe(&self, k: usize) -> &'static str {
        match self.form {
            EquationForm::Coincide(_) => {
                ["points coincide in x", "points coincide in y", "points coincide in z"][k]
            }
            _ => self.label,
        }
    }

    /// The bodies it connects (ground included as the number of bodies).
    pub fn bodies(&self) -> Vec<usize> {
        match &self.form {
            EquationForm::Coincide(c) => c.bodies.to_vec(),
            EquationForm::Single(b, _) | EquationForm::Held(b, _) => b.bodies().to_vec(),
            EquationForm::Sum(terms, _) => terms.iter().flat_map(|(_, b)| b.bodies()).collect(),
        }
    }
}

impl Term {
    /// What it gives to the mechanism in a second, if its quantity has that rate and it is so strong.
    pub fn power(&self, rate: f64, strength: f64) -> f64 {
        match self.direction {
            Direction::Along(_, sign) => sign * strength * rate,
            _ => 0.0,
        }
    }

    /// The bodies it acts on.
    pub fn targets(&self) -> Vec<usize> {
        match self.direction {
            Direction::Along(basic, _) => basic.bodies().to_vec(),
            Direction::BodyForce { body, .. } | Direction::Torque { body, .. } => vec![body],
        }
    }

    /// Fills the variables that follow the inputs; returns the number of all.
    #[inline]
    pub fn fill_flags(&self, pieces: &[u8], inputs: &[f64], vars: &mut [f64]) -> usize {
        let first = 1 + 2 * self.inputs.len();
        for (flag, variable) in self.flags.iter().zip(&mut vars[first..]) {
            *variable = flag.value(pieces, inputs);
        }
        first + self.flags.len()
    }

    /// The bodies it acts on or depends on.
    pub fn bodies(&self) -> Vec<usize> {
        let inputs = self.inputs.iter().flat_map(Basic::bodies);
        self.targets().into_iter().chain(inputs).collect()
    }
}
