//! How a tree joint holds its outboard body: its block of equations there.

use super::super::problem::Problem;
use crate::element::basic::Basic;
use crate::element::equation::EquationForm;
use crate::model::finding::Subject;
use crate::system::System;

/// A tree joint: its block on the outboard body, and how its multipliers are found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// The group of equations.
    pub group: usize,
    /// First number of the block on the outboard body.
    pub at: usize,
    /// Its rows.
    pub rows: usize,
    /// First kept row of the group.
    pub first: usize,
    /// The sign of the translations in leading equations of coincident points, with only rotations after them;
    /// zero if the equations are others.
    pub coincide: f64,
}

impl Hold {
    /// How a joint holds its outboard body; `None` if it has no block there.
    pub fn of(system: &System, problem: &Problem, group: usize, outboard: usize) -> Option<Hold> {
        let block = problem.blocks_of(group).iter().find(|b| b.body == outboard)?;
        let rows = problem.groups[group].clone();
        let own = &system.layout.groups[group];
        let mut coincide = 0.0;
        if rows.len() == own.rows.len() {
            let mut equations =
                system.layout.equations[own.equations.clone()].iter().map(|n| &n.equation.form);
            if let Some(EquationForm::Coincide(c)) = equations.next() {
                let turns = |form: &EquationForm| {
                    matches!(form, EquationForm::Single(Basic::Dot1(_) | Basic::Angle(_), _))
                };
                if equations.all(turns) {
                    coincide = if c.bodies[1] == outboard { 1.0 } else { -1.0 };
                }
            }
        }
        Some(Hold { group, at: block.at, rows: rows.len(), first: rows.start, coincide })
    }
}

/// Whether a group relates two bodies only, so that it can hold one of them on the other.
pub(in super::super) fn is_holding(system: &System, group: usize) -> bool {
    let layout = &system.layout;
    let pair = pair(system, group);
    let same = |of: [usize; 2]| pair.is_some_and(|p| of == p || of == [p[1], p[0]]);
    matches!(layout.groups[group].subject, Subject::Joint(_))
        && layout.equations[layout.groups[group].equations.clone()].iter().all(|n| match &n.equation.form {
            EquationForm::Coincide(c) => same(c.bodies),
            EquationForm::Single(b, _) | EquationForm::Held(b, _) => same(b.bodies()),
            EquationForm::Sum(terms, _) => terms.iter().all(|(_, b)| same(b.bodies())),
        })
}

/// The two bodies of the first equation of a group.
fn pair(system: &System, group: usize) -> Option<[usize; 2]> {
    let own = &system.layout.groups[group];
    let first = system.layout.equations[own.equations.clone()].first()?;
    let bodies = match &first.equation.form {
        EquationForm::Coincide(c) => c.bodies,
        EquationForm::Single(b, _) | EquationForm::Held(b, _) => b.bodies(),
        EquationForm::Sum(terms, _) => terms.first()?.1.bodies(),
    };
    (bodies[0] != bodies[1]).then_some(bodies)
}
