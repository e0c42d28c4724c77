//! Rows back into words: nothing reported is a bare index.

use super::System;
use crate::element::basic::Basic;
use crate::element::equation::EquationForm;
use crate::model::finding::Subject;
use std::fmt;

/// An equation as a user knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct RowName {
    /// The joint or driver.
    pub subject: Subject,
    /// Its name.
    pub name: String,
    /// Number of the equation in the element, from 1.
    pub number: usize,
    /// What the equation says.
    pub label: &'static str,
}

impl fmt::Display for RowName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if matches!(self.subject, Subject::Driver(_)) { "driver" } else { "joint" };
        write!(f, "{what} `{}`, equation {}: {}", self.name, self.number, self.label)
    }
}

impl System {
    /// Whether a force is the share of a node in the load of a beam or structure.
    pub fn is_load(&self, force: usize) -> bool {
        // loads are the last of all forces
        let beams = self.parts.first().map(|part| part.forces.start);
        let structures = self.structures.first().map(|part| part.forces.start);
        beams.or(structures).is_some_and(|first| force >= first)
    }

    /// The name of a joint or driver equation.
    pub fn row_name(&self, row: usize) -> RowName {
        let group = &self.layout.groups[self.layout.group_of(row)];
        let local = row - group.rows.start;
        let equations = &self.layout.equations[group.equations.clone()];
        let numbered = &equations[equations.partition_point(|n| n.row <= local) - 1];
        RowName {
            subject: group.subject.clone(),
            name: group.name.clone(),
            number: local + 1,
            label: numbered.equation.describe(local - numbered.row),
        }
    }

    /// Whether the residual of a row is an angle (or the cosine of one) rather than a length.
    pub fn row_is_angle(&self, row: usize) -> bool {
        let group = &self.layout.groups[self.layout.group_of(row)];
        let equations = &self.layout.equations[group.equations.clone()];
        let numbered = &equations[equations.partition_point(|n| n.row <= row - group.rows.start) - 1];
        match &numbered.equation.form {
            EquationForm::Coincide(_) => false,
            EquationForm::Single(basic, _) | EquationForm::Held(basic, _) => basic.is_angle(),
            EquationForm::Sum(terms, _) => terms.first().is_some_and(|(_, basic)| basic.is_angle()),
        }
    }

    /// Whether the residual of a row is the cosine of an angle that shall be a right one.
    pub fn row_is_cosine(&self, row: usize) -> bool {
        let group = &self.layout.groups[self.layout.group_of(row)];
        let equations = &self.layout.equations[group.equations.clone()];
        let numbered = &equations[equations.partition_point(|n| n.row <= row - group.rows.start) - 1];
        matches!(
            &numbered.equation.form,
            EquationForm::Single(Basic::Dot1(_), _) | EquationForm::Held(Basic::Dot1(_), _)
        )
    }

    /// The name of a velocity, such as `crank.vx` or `crank.wz`.
    pub fn velocity_name(&self, index: usize) -> String {
        let names: &[&str] = if self.dimensions() == 3 {
            &["vx", "vy", "vz", "wx", "wy", "wz"]
        } else {
            &["vx", "vy", "omega"]
        };
        let (body, place) = self.nodes.of_velocity(index);
        format!("{}.{}", self.body_names[body], names[place])
    }
}
