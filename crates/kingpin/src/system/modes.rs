//! A system with what is held for the time being: one more equation for each coordinate that rests on a stop or sticks.

use super::{Layout, System};
use crate::element::equation::{Equation, EquationForm};
use crate::element::hold::{HoldKind, JointHold};
use crate::model::finding::Subject;
use std::sync::OnceLock;

/// The systems of all that was held together so far, each made once.
#[derive(Debug, Default)]
pub struct HeldSystems(OnceLock<Box<HeldSystem>>);

#[derive(Debug)]
struct HeldSystem {
    active: Vec<usize>,
    system: System,
    next: HeldSystems,
}

impl Clone for HeldSystems {
    /// Of the copy of a system nothing has been held.
    fn clone(&self) -> Self {
        HeldSystems::default()
    }
}

impl System {
    /// Numbers of the holds that hold on these pieces.
    pub fn active_holds(&self, pieces: &[u8]) -> Vec<usize> {
        (0..self.holds.len()).filter(|&k| self.holds[k].is_active(pieces)).collect()
    }

    /// The system in which these hold; itself if there are none. It must be one in which nothing holds.
    pub fn holding(&self, active: &[usize]) -> &System {
        if active.is_empty() {
            return self;
        }
        let mut systems = &self.held_systems;
        loop {
            let made = systems.0.get_or_init(|| {
                let (active, system) = (active.to_vec(), self.with_holds(active));
                Box::new(HeldSystem { active, system, next: HeldSystems::default() })
            });
            if made.active == active {
                return &made.system;
            }
            systems = &made.next;
        }
    }

    fn with_holds(&self, active: &[usize]) -> System {
        let old = &self.layout;
        let own = old.groups.iter().map(|group| {
            let equations =
                old.equations[group.equations.clone()].iter().map(|n| n.equation.clone()).collect();
            (group.subject.clone(), group.name.clone(), equations)
        });
        let more = active.iter().map(|&k| {
            let JointHold { probe, joint, owner, slot, kind, .. } = &self.holds[k];
            let (label, what) = match kind {
                HoldKind::Stop(_) => ("rests on its stop", "stops"),
                HoldKind::Friction(_) => ("sticks", "friction"),
            };
            let equation = Equation { form: EquationForm::Held(*probe, *slot), label };
            (Subject::Joint(*joint), format!("{owner}.{what}"), vec![equation])
        });
        let groups = own.chain(more).collect();
        let mut system = self.clone();
        let held = (&self.beams[..], &self.cells[..], &self.floating[..]);
        system.layout = Layout::new(&self.nodes, groups, &self.terms, &self.inertances, held);
        system.active = active.to_vec();
        system
    }

    /// The row of a hold, while it holds.
    pub fn hold_row(&self, hold: usize) -> Option<usize> {
        let place = self.active.iter().position(|&k| k == hold)?;
        let first = self.layout.groups.len() - self.active.len();
        Some(self.layout.groups[first + place].rows.start)
    }
}
