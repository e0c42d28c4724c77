//! The energy that comes and goes during a run.

use super::quadrature::{LobattoRule, PowerNodes};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::stepping::engine::Engine;
use crate::integrate::StepReport;
use crate::system::{Exchanged, Powers, State, System};

/// The account of a run: what it began with, what came and went, and how well that adds up. Plain numbers, part of
/// a checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Account {
    /// Energies exchanged up to the last accepted state.
    pub exchanged: Exchanged,
    /// Work and dissipation without their signs, so far.
    pub turnover: f64,
    /// Greatest kinetic energy.
    pub kinetic: f64,
    /// Greatest sum of the numbers that energies are made of, for their rounding errors.
    pub size: f64,
    /// What is missing in the last accepted state: kinetic and potential energy, less those of the start, less what
    /// came in since, plus what was dissipated.
    pub balance: f64,
    /// The greatest that was missing at any accepted state, without its sign.
    pub worst: f64,
    /// The greatest change of the balance in one step, without its sign, and when that step ended.
    pub jump: f64,
    /// When that was.
    pub jump_t: f64,
    /// Time of the last accepted state.
    pub t: f64,
    /// Least kinetic energy.
    pub least: f64,
    /// By how much an error of the energy has shifted the motion in time, s: the integral of the balance over twice
    /// the kinetic energy.
    pub lag: f64,
    /// The greatest of it, with its sign.
    pub most_lag: f64,
    /// Its rate at the last accepted state.
    pub lag_rate: f64,
}

/// Energies below this part of the numbers they are made of are rounding errors.
const NOISE: f64 = 1e-12;

impl Account {
    /// How many plain numbers it is.
    pub const NUMBERS: usize = 15;

    /// All of it as plain numbers.
    pub fn numbers(&self) -> [f64; Self::NUMBERS] {
        let Exchanged { start, dissipated, work } = self.exchanged;
        let Account { turnover, kinetic, size, balance, worst, jump, jump_t, .. } = *self;
        let Account { t, least, lag, most_lag, lag_rate, .. } = *self;
        #[rustfmt::skip]
        let all = [
            start, dissipated, work, turnover, kinetic, size, balance, worst, jump, jump_t,
            t, least, lag, most_lag, lag_rate,
        ];
        all
    }

    /// From plain numbers.
    pub fn from_numbers(numbers: [f64; Self::NUMBERS]) -> Account {
        let [start, dissipated, work, turnover, kinetic, size, balance, worst, jump, jump_t, ..] = numbers;
        let [.., t, least, lag, most_lag, lag_rate] = numbers;
        let exchanged = Exchanged { start, dissipated, work };
        Account {
            exchanged,
            turnover,
            kinetic,
            size,
            balance,
            worst,
            jump,
            jump_t,
            t,
            least,
            lag,
            most_lag,
            lag_rate,
        }
    }

    /// The energy that a motion is about: the greatest kinetic energy, and all that came and went. Zero where there
    /// is nothing but rounding errors.
    pub fn turned(&self) -> f64 {
        let turned = self.kinetic + self.turnover;
        if turned > NOISE * (self.size + turned) { turned } else { 0.0 }
    }

    /// The greatest error of the balance, relative to the energy that the motion is about.
    pub fn drift(&self) -> f64 {
        let (turned, noise) = (self.turned(), NOISE * self.size);
        if turned == 0.0 || self.worst <= noise { 0.0 } else { self.worst / turned }
    }

    /// Notes the energies of an accepted state; `first` at the start.
    fn note(&mut self, system: &System, mechanism: &Dynamics, first: bool) {
        let work = &mechanism.work;
        let kinetic = system.kinetic_energy(work);
        let total = kinetic + system.potential_energy(work);
        let Exchanged { start, dissipated, work: given } = &mut self.exchanged;
        if first {
            *start = total;
            (self.t, self.least) = (work.t, kinetic);
        }
        let balance = total - *start + *dissipated - *given;
        let change = (balance - self.balance).abs();
        if change > self.jump {
            (self.jump, self.jump_t) = (change, work.t);
        }
        self.balance = balance;
        self.worst = self.worst.max(balance.abs());
        self.kinetic = self.kinetic.max(kinetic);
        self.least = self.least.min(kinetic);
        let rate = if kinetic > 0.0 { balance / (2.0 * kinetic) } else { 0.0 };
        self.lag += 0.5 * (work.t - self.t) * (self.lag_rate + rate);
        if self.lag.abs() > self.most_lag.abs() {
            self.most_lag = self.lag;
        }
        (self.t, self.lag_rate) = (work.t, rate);
        self.size = self.size.max(system.potential_size(work));
    }
}

/// Parts that a step is divided into at most.
const MOST_PARTS: usize = 64;

/// Keeps the account: powers at fixed places of each step, evaluated exactly on its dense output, whatever frames
/// are asked for. Where nothing but weight and springs acts there is nothing to do.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Ledger {
    /// Whether there are powers at all, and whether they need multipliers.
    busy: bool,
    driven: bool,
    /// Powers where the next step starts, if they are known.
    pub(in crate::dynamics) here: Option<Powers>,
    /// Powers inside the equal parts of the step under way, its size up to where it counts, and the account before
    /// it.
    parts: Vec<PowerNodes>,
    h: f64,
    before: Exchanged,
    inside: State,
}

impl Ledger {
    pub fn new(system: &System, state: &State) -> Ledger {
        Ledger {
            busy: !system.is_conservative(),
            driven: system.is_driven(),
            here: None,
            parts: Vec::with_capacity(MOST_PARTS),
            h: 0.0,
            before: Exchanged::default(),
            inside: state.clone(),
        }
    }

    /// The start of a run.
    pub fn start(&mut self, engine: &mut dyn Engine, state: &State, account: &mut Account) {
        let mechanism = engine.mechanism();
        mechanism.system.set_state(&mut mechanism.work, state);
        account.note(mechanism.system, mechanism, true);
        self.before = account.exchanged;
        self.h = 0.0;
    }

    /// Powers at a state.
    fn powers(&self, mechanism: &mut Dynamics, state: &State) -> Result<Powers, Trouble> {
        let system = mechanism.system;
        if self.driven {
            mechanism.accelerate(state.t, &state.q, &state.v)?;
            return Ok(system.powers(&mechanism.work, Some(&mechanism.result.lam)));
        }
        system.set(&mut mechanism.work, state.t, &state.q, &state.v);
        Ok(system.powers(&mechanism.work, None))
    }

    /// The powers where a step starts, before it is taken.
    pub fn depart(&mut self, engine: &mut dyn Engine, state: &State) {
        if self.busy && self.here.is_none() {
            self.here = self.powers(engine.mechanism(), state).ok();
        }
    }

    /// Adds what came and went in the step just taken, up to a place inside it; `end` is the state there if it is
    /// at hand.
    pub fn add(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        until: f64,
        end: Option<&State>,
        account: &mut Account,
    ) {
        self.before = account.exchanged;
        self.h = until * report.h();
        if !self.busy {
            return;
        }
        // drivers move a mechanism whatever steps its free coordinates need
        let start = self.here.unwrap_or_else(|| self.first_known(engine, report, until, end));
        let (mut parts, mut last) = (1, start);
        while parts <= MOST_PARTS {
            last = self.sample(engine, report, (until, parts), start, end);
            if !self.driven || self.parts.iter().all(PowerNodes::is_resolved) {
                break;
            }
            parts *= 2;
        }
        self.here = Some(last);
        let mut all = Powers::default();
        let size = 1.0 / self.parts.len() as f64;
        self.steady(engine, report, until);
        for part in &mut self.parts {
            let own = part.whole();
            all.dissipated += size * own.dissipated;
            all.applied += size * own.applied;
            all.drivers += size * own.drivers;
        }
        account.exchanged.dissipated += self.h * all.dissipated;
        account.exchanged.work += self.h * all.work();
        let size = all.dissipated.abs() + all.applied.abs() + all.drivers.abs();
        account.turnover += (self.h * size).abs();
    }

    /// Where an explicit method is held back by stiff forces its steps are short and their ends right, but its dense
    /// output shakes: there the middle of the step is as good as a step up to it. Where that says that powers do not go
    /// straight, and not as the dense output has them, all places are.
    fn steady(&mut self, engine: &mut dyn Engine, report: &StepReport, until: f64) {
        if !engine.is_rough() || self.parts.len() != 1 {
            self.parts.iter_mut().for_each(PowerNodes::smooth);
            return;
        }
        if !self.parts[0].is_bent() {
            return;
        }
        let Ok(middle) = self.stepped_to(engine, report, 0.5 * until) else { return };
        if self.parts[0].knows_middle(middle) {
            return;
        }
        let three = self.parts[0].simplified(middle);
        if !three.is_bent() {
            self.parts[0] = three;
            return;
        }
        let rule = LobattoRule::of_order(report.order);
        for (k, place) in rule.places().skip(1).take(rule.last() - 1) {
            if let Ok(powers) = self.stepped_to(engine, report, place * until) {
                self.parts[0].set(k, powers);
            }
        }
    }

    /// Powers at the end of a step up to a place inside the step.
    fn stepped_to(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        theta: f64,
    ) -> Result<Powers, Trouble> {
        engine.inside(theta, report.t_old + theta * report.h(), &mut self.inside)?;
        self.powers(engine.mechanism(), &self.inside)
    }

    /// Powers in so many equal parts of the step; those at its end.
    fn sample(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        (until, parts): (f64, usize),
        start: Powers,
        end: Option<&State>,
    ) -> Powers {
        let rule = LobattoRule::of_order(report.order);
        self.parts.clear();
        // where powers cannot be told, as in a singular position, they are taken to go on as before
        let mut latest = start;
        for part in 0..parts {
            let mut nodes = PowerNodes::new(rule);
            nodes.set(0, latest);
            for (k, place) in rule.places().skip(1) {
                let known = end.filter(|_| k == rule.last() && part + 1 == parts);
                let theta = until * (part as f64 + place) / parts as f64;
                latest = self.powers_at(engine, report, theta, known).unwrap_or(latest);
                nodes.set(k, latest);
            }
            self.parts.push(nodes);
        }
        latest
    }

    /// The first powers that can be told inside a step whose start is singular. Where none can be told nothing is
    /// booked, and the balance of the energy says so.
    #[cold]
    fn first_known(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        until: f64,
        end: Option<&State>,
    ) -> Powers {
        let rule = LobattoRule::of_order(report.order);
        let mut places = rule.places().skip(1);
        let first = places.find_map(|(k, place)| {
            let known = end.filter(|_| k == rule.last());
            self.powers_at(engine, report, until * place, known).ok()
        });
        first.unwrap_or_default()
    }

    /// Powers at a place inside the step, or at a state that is known.
    fn powers_at(
        &mut self,
        engine: &mut dyn Engine,
        report: &StepReport,
        theta: f64,
        known: Option<&State>,
    ) -> Result<Powers, Trouble> {
        if let Some(state) = known {
            return self.powers(engine.mechanism(), state);
        }
        engine.glance(theta, report.t_old + theta * report.h(), &mut self.inside)?;
        self.powers(engine.mechanism(), &self.inside)
    }

    /// What had come and gone at a time after the start of the step just added.
    pub fn inside(&self, since: f64) -> Exchanged {
        let mut exchanged = self.before;
        if self.busy && self.h != 0.0 {
            let h = self.h / self.parts.len() as f64;
            for (k, part) in self.parts.iter().enumerate() {
                let share = (since / h - k as f64).clamp(0.0, 1.0);
                let powers = if share == 1.0 { part.whole() } else { part.up_to(share) };
                exchanged.dissipated += h * powers.dissipated;
                exchanged.work += h * powers.work();
                if share < 1.0 {
                    break;
                }
            }
        }
        exchanged
    }

    /// Notes the energies of the state that a step ended in.
    pub fn arrive(&mut self, engine: &mut dyn Engine, state: &State, account: &mut Account) {
        let mechanism = engine.mechanism();
        mechanism.system.set_state(&mut mechanism.work, state);
        account.note(mechanism.system, mechanism, false);
    }

    /// Forces are others from here on: what they stored before and do not store now is lost, such as the deflection
    /// of a tyre that leaves the ground. `stored` is the potential energy before.
    pub fn switched(&mut self, engine: &mut dyn Engine, stored: f64, account: &mut Account) {
        let mechanism = engine.mechanism();
        let lost = stored - mechanism.system.potential_energy(&mechanism.work);
        account.exchanged.dissipated += lost;
        account.turnover += lost.abs();
        self.here = None;
    }

    /// An impact has done work at once.
    pub fn struck(&mut self, work: f64, account: &mut Account) {
        account.exchanged.work += work;
        account.turnover += work.abs();
    }

    /// An impact has taken energy at once.
    pub fn lost(&mut self, energy: f64, account: &mut Account) {
        account.exchanged.dissipated += energy;
        account.turnover += energy.abs();
        self.here = None;
    }

    /// Forces may be others from here on.
    pub fn forget(&mut self) {
        self.here = None;
    }
}
