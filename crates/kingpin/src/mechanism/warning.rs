//! Warnings about completed runs.

use super::Mechanism;
use crate::analysis::length_scale;
use crate::dynamics::{
    Doubt, FoldingAttitude, Method, NearFold, Run, Settings, Stabilisation, lag, told, tumbling, unresolved,
};
use crate::element::basic::Basic;
use crate::model::Subject;
use crate::system::State;
use crate::words::{Spelling, names as named, number, quantity};
use std::fmt;

/// A warning about a run that reached its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What kind it is, in words that stay the same for scripts: `energy-balance`.
    pub code: &'static str,
    /// A sentence, with names in backticks.
    pub what: String,
    /// Its cause.
    pub why: Option<String>,
    /// Its remedy.
    pub advice: Option<String>,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warning[{}]: {}", self.code, self.what)?;
        self.why.iter().try_for_each(|why| write!(f, "\n  why: {why}"))?;
        self.advice.iter().try_for_each(|advice| write!(f, "\n  help: {advice}"))
    }
}

/// Angles of sequences have errors of a hundred tolerances so near to their singular position, rad.
const NEAR_FOLD: f64 = 0.01;

/// A run and what it is judged by.
pub(super) struct Judged<'a> {
    pub mechanism: &'a Mechanism,
    pub settings: &'a Settings,
    pub start: &'a State,
    pub run: &'a Run,
    /// How settings are written in advice.
    pub spelling: Spelling,
}

impl Judged<'_> {
    /// All warnings.
    pub fn warnings(&self) -> Vec<Warning> {
        let all = [self.still(), self.drifted(), self.energy(), self.too_small(), self.flips()];
        let mut all: Vec<Warning> = all.into_iter().flatten().chain(self.folds()).collect();
        // a balance that does not add up says more
        if all.is_empty() {
            all.extend(self.shifted());
        }
        all.extend(self.short_tables());
        all
    }

    /// Tables over time that end before the run does.
    fn short_tables(&self) -> impl Iterator<Item = Warning> {
        let findings = self.mechanism.short_tables(self.run.state.t);
        findings.into_iter().map(|own| Warning {
            code: own.code,
            what: own.message,
            why: None,
            advice: own.hint,
        })
    }

    /// A mechanism that cannot move.
    fn still(&self) -> Option<Warning> {
        let system = self.mechanism.system();
        if self.mechanism.freedoms() > 0 || system.is_driven() || system.bodies() == 0 {
            return None;
        }
        Some(Warning {
            code: "nothing-moves",
            what: "the mechanism has no degree of freedom and no driver, so it cannot move".into(),
            why: None,
            advice: Some(
                "`kingpin equilibrium` computes the reactions of a structure; to obtain a motion, \
                     remove a joint or add a driver"
                    .into(),
            ),
        })
    }

    /// Constraints that nobody kept.
    fn drifted(&self) -> Option<Warning> {
        let (run, system, tol) = (self.run, self.mechanism.system(), self.settings.rtol);
        if self.settings.stabilisation != Stabilisation::None {
            return None;
        }
        let mut work = system.work();
        system.set_state(&mut work, &run.state);
        system.evaluate_constraints(&mut work);
        let length = length_scale(system);
        let size = |row: usize| if system.row_is_angle(row) { 1.0 } else { length };
        let open = |row: &usize| work.phi[*row].abs() / size(*row);
        let worst = (0..work.phi.len()).max_by(|a, b| open(a).total_cmp(&open(b)))?;
        if open(&worst) <= tol && run.position_residual <= tol * length.max(1.0) {
            return None;
        }
        let unit = if system.row_is_angle(worst) { "rad" } else { "m" };
        Some(Warning {
            code: "constraint-drift",
            what: format!(
                "constraint drift: the residual of {} is {} at t = {} s, more than the tolerance allows",
                system.row_name(worst),
                quantity(work.phi[worst].abs(), unit),
                number(run.state.t, 6),
            ),
            why: Some(format!(
                "without stabilisation the errors of the steps accumulate: the largest residual of \
                     all steps is {} for positions and {} for velocities",
                number(run.position_residual, 2),
                number(run.velocity_residual, 2),
            )),
            advice: Some(format!(
                "use {}, or treat positions as accurate to this residual only",
                (self.spelling)("stabilisation", "projection")
            )),
        })
    }

    /// A balance of energy that does not add up.
    fn energy(&self) -> Option<Warning> {
        let (run, settings, spelling) = (self.run, self.settings, self.spelling);
        let Doubt { drift, missing, turned, grew, grew_t } =
            run.energy.doubt(settings, run.statistics.steps)?;
        let method = run.methods.last().map_or(settings.method, |m| m.1);
        let part = if drift >= 0.001 { format!("{} %", number(100.0 * drift, 2)) } else { number(drift, 2) };
        let advice = if method.has_fixed_step() {
            let h = format!("{:.0e}", settings.h.unwrap_or(1e-3) / 4.0);
            format!("a smaller step: {}", spelling("h", &h))
        } else {
            let other = if matches!(method, Method::Dop853) { Method::ForRosen } else { Method::Dop853 };
            let finer = spelling("rtol", &format!("{:.0e}", settings.rtol / 100.0));
            format!("{finer}, or another method: {}", spelling("method", other.name()))
        };
        Some(Warning {
            code: "energy-balance",
            what: format!(
                "energy balance error: {} of the {} exchanged, {part}",
                quantity(missing, "J"),
                quantity(turned, "J"),
            ),
            why: Some(format!(
                "this is more than the {} explains; the largest increase was at t = {} s, by {} in \
                     one step",
                if method.has_fixed_step() { "size of the steps" } else { "tolerance" },
                number(grew_t, 6),
                quantity(grew, "J"),
            )),
            advice: Some(format!("repeat the run with {advice} until the result no longer changes")),
        })
    }

    /// A motion smaller than numbers can tell to the tolerance.
    fn too_small(&self) -> Option<Warning> {
        let (run, settings, system) = (self.run, self.settings, self.mechanism.system());
        let lost = unresolved(system, &run.scales, settings.rtol, settings.atol, &run.state.q)?;
        let tol = format!("{:.0e}", 10f64.powf((lost.floor / lost.motion).log10().ceil()));
        let atol = format!("position={:.0e}", 10f64.powf(lost.floor.log10().ceil()));
        Some(Warning {
            code: "motion-too-small",
            what: format!(
                "the motion of `{}` is too small for the tolerance: {} at a distance of {} from the origin",
                system.body_names[lost.body],
                quantity(lost.motion, "m"),
                quantity(lost.far, "m"),
            ),
            why: Some(format!(
                "numbers have 16 digits, so errors below {} cannot be resolved",
                quantity(lost.floor, "m")
            )),
            advice: Some(format!(
                "move the origin close to the motion, use {}, or set an absolute tolerance: {}",
                (self.spelling)("rtol", &tol),
                (self.spelling)("atol", &atol),
            )),
        })
    }

    /// Angles of sequences near their singular position, and rotation vectors at half a turn.
    fn folds(&self) -> Vec<Warning> {
        let found = told(self.mechanism.system()).into_iter().zip(&self.run.attitudes);
        let near = |(told, near): &(FoldingAttitude, &NearFold)| {
            let sequence = matches!(told.basic, Basic::Sequence(_));
            near.left < if sequence { NEAR_FOLD } else { self.settings.rtol.max(1e-6) }
        };
        // angles of one sequence fold together
        let mut together: Vec<(Vec<FoldingAttitude>, NearFold)> = Vec::new();
        for (told, near) in found.filter(near) {
            let alike = |own: &FoldingAttitude| {
                std::mem::discriminant(&own.subject) == std::mem::discriminant(&told.subject)
            };
            match together.iter_mut().find(|(all, at)| at == near && alike(&all[0])) {
                Some((all, _)) => all.push(told),
                None => together.push((vec![told], *near)),
            }
        }
        together.iter().map(|(all, near)| folded(all, near)).collect()
    }

    /// A free body whose flips the run cannot tell.
    fn flips(&self) -> Option<Warning> {
        let system = self.mechanism.system();
        let found = tumbling(system, self.start, &self.run.state, self.settings.rtol)?;
        let tol = format!("{:.0e}", self.settings.rtol / 100.0);
        Some(Warning {
            code: "uncertain-attitude",
            what: format!(
                "the attitude of `{}` is uncertain by about {} at the end, because it rotates near \
                     the unstable intermediate axis of inertia",
                system.body_names[found.body],
                quantity(found.error, "rad"),
            ),
            why: Some(format!(
                "the conserved polhode invariant drifted by {} %, so the times of the flips are not \
                     reliable",
                number(100.0 * found.change, 2)
            )),
            advice: Some(format!(
                "use {}, or {}, which conserves the invariant better",
                (self.spelling)("rtol", &tol),
                (self.spelling)("method", "dop853"),
            )),
        })
    }

    /// A mechanism that runs on and on at a slightly wrong speed.
    fn shifted(&self) -> Option<Warning> {
        let (run, settings, system) = (self.run, self.settings, self.mechanism.system());
        let found = lag((system, self.mechanism.redundant()), &run.energy, &run.scales, settings)?;
        let tol = format!("{:.0e}", settings.rtol / 100.0);
        Some(Warning {
            code: "timing-drift",
            what: format!(
                "the motion of `{}` is about {} {}: at its speed this is {} times the tolerance",
                system.body_names[found.body],
                quantity(found.shift.abs(), "s"),
                if found.shift > 0.0 { "early" } else { "late" },
                number(found.tolerances, 2),
            ),
            why: Some(
                "each step meets the tolerance, but the mechanism runs freely without a driver, and \
                     its energy error causes a speed error that accumulates"
                    .into(),
            ),
            advice: Some(format!(
                "if the timing matters, use {}, or {}, which conserves energy better",
                (self.spelling)("rtol", &tol),
                (self.spelling)("method", "dop853"),
            )),
        })
    }
}

/// What tells an attitude by coordinates that fold where it has been.
fn folded(told: &[FoldingAttitude], near: &NearFold) -> Warning {
    let (names, t) =
        (named(&told.iter().map(|told| told.name.clone()).collect::<Vec<_>>()), number(near.t, 6));
    let (is_force, some) =
        (matches!(told[0].subject, Subject::Force(_)), if told.len() > 1 { "s" } else { "" });
    let who = if is_force {
        format!("the rotation of force{some} {names}")
    } else {
        format!("measure{some} {names}")
    };
    let reads = |what: &str| match told.iter().any(|told| told.is_read) {
        _ if is_force => format!("torques {what} there"),
        false => format!("channels {what} there"),
        true => format!(
            "channels {what} there, and so do functions that depend on them: the motion after this \
                 time is not reliable"
        ),
    };
    if let Basic::Sequence(sequence) = &told[0].basic {
        let came = match near.left {
            left if left < 1e-6 => "passed".to_string(),
            left => format!("came within {} of", quantity(left, "rad")),
        };
        return Warning {
            code: "singular-angles",
            what: format!(
                "{who} {came} the singular position of the rotation sequence `{}` at t = {t} s",
                sequence.name()
            ),
            why: Some(format!(
                "the first and the last axis are parallel there, so only the sum of the angles \
                     about them is determined: {}",
                reads("jump or have errors of many tolerances")
            )),
            advice: Some(
                "use another rotation sequence, markers with other axes, or a `rotation-vector`".into(),
            ),
        };
    }
    Warning {
        code: "singular-angles",
        what: format!(
            "{who} exceeded half a revolution at t = {t} s, where a rotation vector changes its sign"
        ),
        why: Some(format!("a rotation vector never exceeds half a revolution: {}", reads("jump"))),
        advice: Some(
            "for rotations about an axis, measure the `angle` of a joint, which is continuous; \
                 otherwise orient a marker so that half a revolution is not reached"
                .into(),
        ),
    }
}
