//! Methods by their names.

use super::bddc::Bddc;
use super::dual_primal::DualPrimal;
use super::global::Global;
use super::local_multipliers::{LocalMultipliers, Multipliers};
use super::{InterfaceMethod, Preconditioner};
use crate::DomainError;
use crate::conjugate::Tolerance;
use crate::domains::{Domains, Sharing};
use crate::interface::Primal;
use crate::local::Mix;

/// A way to solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// All sub-domains assembled and factored.
    Direct,
    /// Balancing by constraints.
    Bddc,
    /// Dual-primal multipliers.
    DualPrimal(Preconditioner),
    /// Local multipliers at nodes, global ones elsewhere.
    Mixed(Preconditioner),
    /// Global multipliers, with the Dirichlet operator in the projector or without.
    Global(Preconditioner, bool),
    /// Local multipliers, iterated.
    Local,
    /// Local multipliers with displacements of the interface factored as a whole.
    Interface,
}

/// Names of all methods.
const NAMES: [(&str, Method); 13] = [
    ("direct", Method::Direct),
    ("bddc", Method::Bddc),
    ("feti-dp", Method::DualPrimal(Preconditioner::Dirichlet)),
    ("feti-dp-lumped", Method::DualPrimal(Preconditioner::Lumped)),
    ("mixed", Method::Mixed(Preconditioner::Dirichlet)),
    ("mixed-lumped", Method::Mixed(Preconditioner::Lumped)),
    ("mixed-plain", Method::Mixed(Preconditioner::Identity)),
    ("global", Method::Global(Preconditioner::Dirichlet, false)),
    ("global-weighted", Method::Global(Preconditioner::Dirichlet, true)),
    ("global-lumped", Method::Global(Preconditioner::Lumped, false)),
    ("global-plain", Method::Global(Preconditioner::Identity, false)),
    ("local", Method::Local),
    ("interface", Method::Interface),
];

impl Method {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Method> {
        NAMES.iter().map(|(_, method)| *method)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, method)| *method == self).map_or("bddc", |(name, _)| name)
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<Method> {
        NAMES.iter().find(|(own, _)| *own == name).map(|(_, method)| *method)
    }

    pub(super) fn set_up<'a>(
        self,
        domains: &mut Domains<'a>,
        options: &Options,
    ) -> Result<Box<dyn InterfaceMethod + Send + 'a>, DomainError> {
        let nodes = options.local_nodes.map_or(Primal::Corners, Primal::Every);
        let primal = if options.skips_coarse(domains) { Primal::Nothing } else { Primal::RigidMotions };
        Ok(match self {
            Method::Bddc | Method::Direct => Box::new(Bddc::new(domains, primal)?),
            Method::DualPrimal(with) => Box::new(DualPrimal::new(domains, primal, with)?),
            Method::Mixed(with) => Box::new(DualPrimal::new(domains, nodes, with)?),
            Method::Global(with, weighted) => Box::new(Global::new(domains, with, weighted)?),
            Method::Local => {
                Box::new(LocalMultipliers::new(domains, Multipliers::Iterated(options.penalty))?)
            }
            Method::Interface => Box::new(LocalMultipliers::new(domains, Multipliers::Eliminated)?),
        })
    }
}

/// How to solve.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// None for the one that is predicted to cost least.
    pub method: Option<Method>,
    /// The matrix: of statics, or of an implicit step.
    pub mix: Mix,
    /// When iterations stop.
    pub tolerance: Tolerance,
    /// Whether sub-domains with equal numbers share factors.
    pub sharing: Sharing,
    /// For mixed methods: every so-many-th node of an interface is local, not cross points alone.
    pub local_nodes: Option<usize>,
    /// For local multipliers: penalty in parts of the largest stiffness of a freedom of the sub-domain.
    pub penalty: f64,
    /// Whether implicit steps have a coarse problem; decided by the length of the step where not said.
    pub coarse: Option<bool>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            method: None,
            mix: Mix::STATICS,
            tolerance: Tolerance::default(),
            sharing: Sharing::default(),
            local_nodes: None,
            penalty: 1.0,
            coarse: None,
        }
    }
}

/// Steps below this part of the time that waves need through a sub-domain need no coarse problem.
const SHORT_STEP: f64 = 0.15;

impl Options {
    /// With this method.
    pub fn with(method: Method) -> Options {
        Options { method: Some(method), ..Options::default() }
    }

    /// Whether the step is so short that sub-domains hardly feel each other.
    fn skips_coarse(&self, domains: &mut Domains) -> bool {
        if self.mix.mass <= 0.0 {
            return false;
        }
        let g = (self.mix.stiffness / self.mix.mass).sqrt();
        let longest = domains.pieces.iter().map(|piece| piece.wave_speed * g / piece.extent());
        let longest = longest.fold(0.0, f64::max);
        // one answer for all ranks
        let all = crate::communicate::gather_lists(domains.communicator, &[longest]).0;
        !self.coarse.unwrap_or(all.into_iter().fold(0.0, f64::max) > SHORT_STEP)
    }
}
