//! Controllers: outputs that follow from inputs by laws with memory. One file each and a line below.
//!
//! A controller is taken apart before a model is compiled: one that works all the time becomes states and outputs, which
//! are expressions; one with a `period` becomes held numbers and a law that renews them at each sample.

mod expand;
mod realise;
mod sampled;

pub(super) use expand::{MadeStates, take_apart};
pub use expand::{Numbering, Variable};
pub use realise::{Realised, Workshop};
pub use sampled::SampledLaw;

use crate::expr::Expr;
use crate::model::finding::Subject;

/// What every controller must be able to say.
#[doc(hidden)]
pub trait ControllerElement {
    /// Names of its outputs behind its own; an empty one is the controller itself.
    fn outputs(&self) -> Vec<String> {
        vec![String::new()]
    }
    /// The time between two samples, `None` if it works all the time, and from a sample to its output.
    fn clock(&self) -> (Option<f64>, f64);
    /// The same of one that works at samples.
    fn sampling(&self) -> Option<(f64, f64)> {
        let (period, delay) = self.clock();
        period.map(|period| (period, delay))
    }
    /// What it is made of; `None` after a complaint.
    fn realise(&self, shop: &mut Workshop) -> Option<Realised>;
}

crate::element_list! {
    /// All controllers.
    pub enum ControllerKind: ControllerElement {
        pid::Pid = "pid",
        transfer_function::TransferFunction = "transfer-function",
        state_space::StateSpace = "state-space",
    }
}

/// A controller.
#[derive(Clone, Debug, PartialEq)]
pub struct Controller {
    /// Its name.
    pub name: String,
    /// What it does.
    pub kind: ControllerKind,
}

impl Controller {
    /// The names by which functions read its outputs.
    pub fn output_names(&self) -> Vec<String> {
        let name = &self.name;
        let full = |own: String| if own.is_empty() { name.clone() } else { format!("{name}.{own}") };
        self.kind.element().outputs().into_iter().map(full).collect()
    }
}

/// What became of a state of the user, or one inside a controller: a scalar body whose velocity it is.
#[derive(Clone, Debug, PartialEq)]
pub struct StatePart {
    /// Its name.
    pub name: String,
    /// The item it belongs to.
    pub subject: Subject,
    /// The body.
    pub body: std::ops::Range<usize>,
    /// Its rate.
    pub rate: crate::model::Function,
    /// What it is measured in.
    pub unit: &'static str,
    /// A size below which it does not matter.
    pub scale: f64,
}

/// An output of a controller, as a function of time and of all that functions read.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputPart {
    /// The name by which functions read it.
    pub name: String,
    /// The controller.
    pub subject: Subject,
    /// Its expression; zero where something is wrong with it.
    pub expr: Expr,
}

/// A controller that works at samples.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplerPart {
    /// Its name.
    pub name: String,
    /// The controller.
    pub subject: Subject,
    /// Time between samples.
    pub period: f64,
    /// Time from a sample to its output.
    pub delay: f64,
    /// What it reads.
    pub inputs: Vec<Expr>,
    /// What it does.
    pub law: SampledLaw,
    /// The first of its held numbers.
    pub held: usize,
}

impl SamplerPart {
    /// How many samples are under way at most: taken, and not yet an output.
    pub fn pending(&self) -> usize {
        if self.delay > 0.0 { (self.delay / self.period).floor() as usize + 1 } else { 0 }
    }

    /// Held numbers: outputs, samples taken, memory of the law, outputs under way.
    pub fn width(&self) -> usize {
        self.law.outputs() * (1 + self.pending()) + 1 + self.law.memory()
    }
}
