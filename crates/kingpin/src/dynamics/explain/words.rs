//! Why a run failed, in words.

use super::{Advice, FailureReport, What, Why};
use crate::analysis::TimeConstant;
use crate::dynamics::instant::DENSE;
use crate::dynamics::stepping::{Matrices, Method};
use crate::model::{Model, Subject};
use crate::words::{Spelling, count, in_settings, names, number, quantity};
use std::fmt;

impl FailureReport {
    /// When it failed and what was seen, on one line.
    pub fn headline(&self) -> String {
        format!(
            "the run failed at t = {} s of {} s: {}",
            number(self.t, 6),
            number(self.t_end, 6),
            self.what_words()
        )
    }

    /// What was seen, on one line.
    pub fn what_words(&self) -> String {
        what(self)
    }

    /// What is behind it, in a sentence or two.
    pub fn why_words(&self) -> String {
        if let What::Held(_) = self.what {
            return "What stops and friction hold is not determined, or this method cannot tell.".into();
        }
        why(self)
    }

    /// What to try, most promising first, with settings written as the reader writes them.
    pub fn remedies_in(&self, spelling: Spelling) -> Vec<String> {
        self.advice.iter().map(|advice| remedy(self, advice, spelling)).collect()
    }

    /// The item of the model that matters most, and its field.
    pub fn place(&self, model: &Model) -> (Subject, &'static str) {
        place(self, model)
    }
}

impl fmt::Display for FailureReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  why: {}", self.headline(), self.why_words())?;
        for advice in self.remedies_in(in_settings) {
            write!(f, "\n  try: {advice}")?;
        }
        Ok(())
    }
}

impl std::error::Error for FailureReport {}

/// The item and field to point at.
fn place(failure: &FailureReport, model: &Model) -> (Subject, &'static str) {
    let driver = |name: &String| model.drivers.iter().position(|driver| driver.name == *name);
    let motion = |name: Option<&String>| match name.and_then(driver) {
        Some(k) => (Subject::Driver(k), "motion"),
        None => (Subject::Model, ""),
    };
    let item = |subject: Option<Subject>| (subject.unwrap_or(Subject::Model), "");
    match &failure.why {
        Why::BadNumber(finding, _) => (finding.subject.clone(), finding.field),
        Why::BeyondReach { drivers } => motion(drivers.first()),
        Why::RunsAway { driver, .. } => motion(Some(&driver.name)),
        Why::Singular => {
            let row = match &failure.what {
                What::NoAccelerations { row } => row.as_ref(),
                _ => None,
            };
            let row = row.or(failure.dependent.first().map(|involved| &involved.row));
            item(row.map(|row| row.subject.clone()))
        }
        Why::Stiff => item(failure.stiffest.as_ref().and_then(|fast| {
            model.forces.iter().position(|force| force.name == fast.force).map(Subject::Force)
        })),
        Why::Jump(jump) => motion(Some(&jump.driver)),
        Why::Sticks(chatter) => (sticking(&chatter.name, chatter.event, model), ""),
        Why::Overbent(name) => item(
            model.superelements.iter().position(|own| own.fields.name == *name).map(Subject::Superelement),
        ),
        Why::StepTooLarge { .. } | Why::Limit | Why::Unknown => item(None),
    }
}

/// The event or force that switches.
fn sticking(name: &str, event: bool, model: &Model) -> Subject {
    if event {
        return model.events.iter().position(|e| e.name == name).map_or(Subject::Model, Subject::Event);
    }
    let force = model.forces.iter().position(|force| force.name == name);
    force.map_or(Subject::Model, Subject::Force)
}

/// What was seen, on one line.
fn what(failure: &FailureReport) -> String {
    match &failure.what {
        What::StepTooSmall { .. } => "the step size became too small".into(),
        What::NotFinite => "a force, a motion or a constraint is not finite, at any step size".into(),
        What::NewtonFailed { h } => {
            format!("the Newton iteration does not converge with a step size of {}", quantity(*h, "s"))
        }
        What::NoAccelerations { row: Some(row) } => {
            format!("the accelerations are not determined: the constraint equations are dependent at {row}")
        }
        What::NoAccelerations { row: None } => {
            "the accelerations are not determined: the constraint equations are dependent".into()
        }
        What::GaveUp { why } => format!("the solver for accelerations failed: {why}"),
        What::NoPositions => "no position near the previous one satisfies all joints and drivers".into(),
        What::Turn { body, angle } => format!(
            "body `{body}` would rotate by {:.0} degrees in one step, more than half a revolution",
            angle.to_degrees()
        ),
        What::Dependent => "the constraint equations became dependent".into(),
        What::TooLarge { freedoms } => format!(
            "{} degrees of freedom are too many for dense matrices (limit {})",
            count(*freedoms),
            count(DENSE)
        ),
        What::TooManySteps { steps } => format!("the limit of {} steps is reached", count(*steps)),
        What::Hopeless { steps, h, more, most } => format!(
            "after {} steps the step size has fallen to {}; reaching t_end would need about {} more \
                 (limit {})",
            count(*steps),
            quantity(one_digit(*h), "s"),
            number(*more, 1),
            count(*most)
        ),
        What::Jump(jump) => {
            let by = quantity(jump.by.abs(), if jump.angle { "rad" } else { "m" });
            format!("driver `{}` jumps by {by} at t = {} s", jump.driver, number(jump.t, 6))
        }
        What::Held(message) => message.clone(),
        What::Chatter(chatter) => {
            let (from, to) = (number(chatter.from, 6), number(chatter.to, 6));
            let when = if from == to { format!("at {to} s") } else { format!("between {from} and {to} s") };
            format!("{} switched {} times {when}", chatter.what, count(chatter.times))
        }
    }
}

/// What is behind it.
fn why(failure: &FailureReport) -> String {
    match &failure.why {
        Why::BadNumber(finding, _) => {
            let (first, rest) = finding.message.split_at_checked(1).unwrap_or_default();
            format!("{}{rest}.", first.to_uppercase())
        }
        Why::BeyondReach { drivers } => {
            let (who, verb) = match drivers.as_slice() {
                [] => ("The drivers".into(), "prescribe"),
                [one] => (format!("Driver `{one}`"), "prescribes"),
                all => (format!("Drivers {}", names(all)), "prescribe"),
            };
            format!("{who} {verb} a position that the mechanism cannot reach: it is at the end of its range.")
        }
        Why::Singular => "The mechanism is in a singular position: some of its constraint equations are \
                 dependent here, but not elsewhere. It may lock up, or its motion may branch, and the \
                 equations do not determine the branch."
            .into(),
        Why::RunsAway { driver, rate, acceleration, angle } => {
            let unit = if *angle { "rad" } else { "m" };
            format!(
                "The motion of driver `{}` grows without bound: its rate is {} {unit}/s, its acceleration {} \
                 {unit}/s^2.",
                driver.name,
                rounded(*rate),
                rounded(*acceleration)
            )
        }
        Why::Stiff => {
            let method = failure.method.name();
            let cause = failure.stiffest.as_ref().map_or("The problem is stiff".into(), |fast| {
                let seconds = quantity(fast.seconds, "s");
                format!("Force {} has a time constant of {seconds} on body `{}`", fast_name(fast), fast.body)
            });
            format!(
                "{cause}: it limits the steps of an explicit method such as `{method}` during the \
                     whole run."
            )
        }
        Why::StepTooLarge { h } => {
            let fast = failure.stiffest.as_ref().map_or(String::new(), |fast| {
                let seconds = quantity(fast.seconds, "s");
                format!(" The fastest force is {}, with a time constant of {seconds}.", fast_name(fast))
            });
            format!("The fixed step size of {} is too large for this motion.{fast}", quantity(*h, "s"))
        }
        Why::Jump(jump) => format!(
            "The motion of driver `{}` has a jump there, which would need infinite forces.",
            jump.driver
        ),
        Why::Sticks(chatter) => format!(
            "{} chatters: both branches push the mechanism back to the switching surface, so \
                 neither is valid for a finite time.",
            capital(&chatter.of)
        ),
        Why::Overbent(name) => format!(
            "The deformation of superelement `{name}` is as large as its dimensions. Its \
                 displacements are linear in the modal amplitudes, and its mass matrix is not valid for \
                 such large amplitudes."
        ),
        Why::Limit if matches!(failure.what, What::GaveUp { .. }) => {
            "The model shows no error: this solver is at its limit; another may succeed.".into()
        }
        Why::Limit if failure.method.has_fixed_step() => {
            "The fixed step size is too small for a run of this length.".into()
        }
        Why::Limit if matches!(failure.what, What::TooLarge { .. }) => {
            "The model shows no error: sparse matrices and explicit methods have no such limit.".into()
        }
        Why::Limit => {
            "The model shows no error: the steps are as long as the tolerance permits, and the limit of \
             steps is too low."
                .into()
        }
        Why::Unknown => {
            "Unknown. Joints and drivers are consistent, all forces are finite, and no force is too \
                 fast for the method."
                .into()
        }
    }
}

/// The words with a capital letter.
fn capital(words: &str) -> String {
    let (first, rest) = words.split_at_checked(1).unwrap_or_default();
    format!("{}{rest}", first.to_uppercase())
}

fn fast_name(fast: &TimeConstant) -> String {
    format!("`{}` ({})", fast.force, fast.label)
}

/// A piece of advice.
fn remedy(failure: &FailureReport, advice: &Advice, spelling: Spelling) -> String {
    let method = |method: &Method| spelling("method", method.name());
    match advice {
        Advice::Explicit(other) => format!("try an explicit method: {}", method(other)),
        Advice::Implicit(other) if failure.asked == Method::Auto => {
            format!("use an implicit method from the start: {}", method(other))
        }
        Advice::Implicit(other) => {
            let auto = method(&Method::Auto);
            format!("use an implicit method: {}, or {auto}, which switches automatically", method(other))
        }
        Advice::Soften => {
            let name = failure.stiffest.as_ref().map_or(String::new(), |fast| format!(" `{}`", fast.force));
            format!(
                "check stiffness and damping of{name} (units?), or replace so stiff an element by a joint"
            )
        }
        Advice::Guard(name) => format!(
            "make `{name}` finite for all possible arguments, such as `sqrt(max(0, x))` for \
                 `sqrt(x)` and `x/max(y, 1e-6)` for `x/y`"
        ),
        Advice::CheckDriver(drivers) => {
            format!("check the motion of {}: sign, units, final value", names(drivers))
        }
        Advice::ForceInsteadOfDriver => {
            "replace the driver by a spring or a force towards the prescribed motion, which may lag behind"
                .into()
        }
        Advice::AvoidPosition => {
            "start from another position, or prescribe a motion that avoids this one".into()
        }
        Advice::ChangeGeometry => {
            "change the lengths slightly so that the links do not align, or replace a joint by a \
                 bushing"
                .into()
        }
        Advice::SmallerStep(h) => format!("use a smaller step size: {}", spelling("h", &number(*h, 1))),
        Advice::LargerStep(h) => format!("use a larger step size: {}", spelling("h", &number(*h, 1))),
        Advice::ChooseSteps => format!("use a method with automatic step size: {}", method(&Method::Auto)),
        Advice::Sparse => {
            format!("use sparse matrices: {}", spelling("matrices", Matrices::Sparse.name()))
        }
        Advice::Solver(other) => format!("use another solver: {}", spelling("solver", other.name())),
        Advice::LooserTolerance(tol) => {
            format!("use a larger tolerance: {}", spelling("rtol", &number(10.0 * tol, 1)))
        }
        Advice::GreatestStep(h) => format!("limit the step size: {}", spelling("h_max", &number(*h, 1))),
        Advice::EndBefore(t) => {
            format!("choose an earlier end time: {}", spelling("t_end", &number(floor(*t), 4)))
        }
        Advice::SmoothMotion(name) => format!(
            "let driver `{name}` move between the two values in a finite time, such as `step(t, 1, \
                 0, 1.1, 0.5)`; to start from another position, let the motion begin there"
        ),
        Advice::Hysteresis(name) => format!(
            "use hysteresis for event `{name}`: one event that switches on, and another with a \
                 slightly different threshold that switches off"
        ),
        Advice::SmootherLaw(name) => format!(
            "replace the jump in `{name}` by a steep continuous function, such as `tanh(v / (1 \
                 mm/s))` for `sign(v)`"
        ),
        Advice::DeformLess(name) => format!(
            "check stiffness and loads of `{name}` (units?), or model so flexible a body by several \
                 superelements in series or by a `[[beam]]`"
        ),
        Advice::MoreSteps(needed) => {
            format!("allow more steps: {}", spelling("most_steps", &round_up(*needed).to_string()))
        }
    }
}

/// A time a little before.
fn floor(t: f64) -> f64 {
    let unit = 10_f64.powf(t.abs().max(f64::MIN_POSITIVE).log10().floor() - 2.0);
    (t / unit - 0.5).floor() * unit
}

/// A limit that is certainly enough.
fn round_up(needed: f64) -> u64 {
    let wanted = (2.0 * needed).clamp(1.0, 1e18);
    let unit = 10_f64.powf(wanted.log10().floor());
    ((wanted / unit).ceil() * unit) as u64
}

/// About.
fn one_digit(x: f64) -> f64 {
    format!("{x:.0e}").parse().unwrap_or(x)
}

/// About.
fn rounded(x: f64) -> String {
    number(x, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_advice() {
        assert_eq!(round_up(70.0), 200);
        assert_eq!(round_up(1234.0), 3000);
        assert!(floor(0.748091) < 0.748 && floor(0.748091) > 0.74);
    }

    fn failed(what: What, advice: Vec<Advice>) -> FailureReport {
        FailureReport {
            t: 0.0,
            t_end: 1.0,
            method: Method::Dopri5,
            asked: Method::Dopri5,
            what,
            why: Why::Limit,
            steps: Vec::new(),
            misfits: Vec::new(),
            misfit_t: 0.0,
            dependent: Vec::new(),
            independence: None,
            stiffest: None,
            advice,
        }
    }

    fn spelling(setting: &str, value: &str) -> String {
        format!("{setting} = {value}")
    }

    #[test]
    fn a_solver_that_gave_up() {
        let what = What::GaveUp { why: "not enough memory to analyse the matrix".into() };
        let failure = failed(what, vec![Advice::Solver(crate::accel::Solver::Elimination)]);
        let told = "the solver for accelerations failed: not enough memory to analyse the matrix";
        assert_eq!(failure.what_words(), told);
        let why = "The model shows no error: this solver is at its limit; another may succeed.";
        assert_eq!(failure.why_words(), why);
        assert_eq!(failure.remedies_in(spelling), ["use another solver: solver = elimination"]);
    }

    #[test]
    fn more_freedoms_than_dense_matrices_bear() {
        let advice = vec![Advice::Sparse, Advice::Explicit(Method::Dop853)];
        let failure = failed(What::TooLarge { freedoms: 3000 }, advice);
        let told = "3,000 degrees of freedom are too many for dense matrices (limit 2,000)";
        assert_eq!(failure.what_words(), told);
        let why = "The model shows no error: sparse matrices and explicit methods have no such limit.";
        assert_eq!(failure.why_words(), why);
        assert_eq!(failure.remedies_in(spelling)[0], "use sparse matrices: matrices = sparse");
    }
}
