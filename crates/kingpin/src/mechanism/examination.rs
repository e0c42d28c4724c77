//! What becomes of a model on its way to a mechanism.

use super::{Error, Mechanism};
use crate::analysis::{self, Assembly, AssemblyFailure, TimeConstant};
use crate::linalg::Arithmetic;
use crate::model::{Finding, Model};
use crate::system::System;

/// A model that compiles, with the result of the assembly or its errors. [`Examination::mechanism`] gives the
/// mechanism.
#[derive(Debug)]
pub struct Examination {
    pub(super) model: Model,
    pub(super) system: System,
    pub(super) assembly: Result<Assembly, AssemblyFailure>,
    pub(super) findings: Vec<Finding>,
}

impl Examination {
    /// Compiles a model and tries to assemble it, or returns all errors.
    pub fn new(model: Model) -> Result<Examination, Error> {
        Self::with_arithmetic(model, Arithmetic::Fastest)
    }

    pub(super) fn with_arithmetic(model: Model, arithmetic: Arithmetic) -> Result<Examination, Error> {
        let (model, faults) = model.expand();
        let (mut system, mut findings) =
            System::compile_expanded(&model, faults).map_err(|findings| Error::faulty(&model, findings))?;
        system.arithmetic = arithmetic;
        let assembly = analysis::assemble(&system);
        match &assembly {
            Ok(assembly) => findings.extend(analysis::far_moves(&system, assembly)),
            Err(why) => findings.push(analysis::explain::finding(why)),
        }
        let findings = match &model.made {
            Some(made) => made.told(findings),
            None => findings,
        };
        Ok(Examination { model, system, assembly, findings })
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Errors and warnings.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The mechanism, or the reason why it cannot be assembled.
    pub fn mechanism(self) -> Result<Mechanism, Error> {
        match self.assembly {
            Ok(assembly) => Ok(Mechanism::of(self.model, self.system, assembly, self.findings)),
            Err(_) => Err(Error::faulty(&self.model, self.findings)),
        }
    }
}

/// For the crates beside this one.
#[doc(hidden)]
impl Examination {
    pub fn system(&self) -> &System {
        &self.system
    }

    pub fn assembly(&self) -> Result<&Assembly, &AssemblyFailure> {
        self.assembly.as_ref()
    }

    /// Time constants of the forces, fastest first; none if the mechanism cannot be assembled.
    pub fn time_constants(&self) -> Vec<TimeConstant> {
        match &self.assembly {
            Ok(assembly) => analysis::time_constants(&self.system, &assembly.state),
            Err(_) => Vec::new(),
        }
    }
}
