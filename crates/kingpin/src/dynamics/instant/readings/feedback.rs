//! Reactions that forces depend on by any function: with jumps, kinks, and slopes that vanish.
//!
//! Multipliers are linear in forces, lam(x) = base + L s(x), where s are the strengths of the terms that depend on reactions x
//! and a column of L is what a unit of one of them makes of multipliers: one solution each. After that a value of
//! F(x) = R(lam(x)) costs no solution, only the functions.
//!
//! Reactions that depend on each other form groups (strongly connected components), which are solved in the order of
//! dependence. Of one reaction, the solution is the first change of the sign of x - F(x), from the reaction without the
//! forces that depend on it, in the direction in which these pull: where they are continuous, the one that is reached when
//! they grow from zero, and independent of what was before. Groups of several are solved by Newton's method with one-sided
//! slopes, damped by the residual. Forces are always evaluated at the reactions that are returned.

use super::{Answering, CLOSE, ENOUGH, change};
use crate::dynamics::instant::Trouble;
use crate::element::equation::Term;
use crate::element::law::MAX_VARIABLES;
use crate::element::switch::Flag;
use crate::linalg::DenseLu;
use crate::system::{Measured, MeasuredBy, System, Work};
use crate::words::quantity;

/// Times that multipliers are found anew at the reactions that their linear relation gave.
const ROUNDS: usize = 6;
/// Reactions of this part of the largest multiplier are rounding errors where those are.
const SMALL: f64 = 1e-2;
/// What a force does to a reaction below this part of what it does to multipliers is a rounding error.
const NOTHING: f64 = 1e-13;
/// Values for reactions at which functions may be defined.
const GUESSES: [f64; 3] = [0.0, 1.0, -1.0];

/// Room for reactions on which forces depend by any function.
#[derive(Clone, Debug, Default)]
pub(super) struct Feedback {
    terms: Vec<ReadingTerm>,
    /// Reactions, and multipliers at them: all of it, without the terms, without the terms of one reaction.
    x: Vec<f64>,
    lam: Vec<f64>,
    base: Vec<f64>,
    rest: Vec<f64>,
    push: Vec<f64>,
    /// Multipliers per unit of each term, one after the other.
    columns: Vec<f64>,
    /// Whether reaction `j` depends on reaction `k`, at any remove, at `j * count + k`.
    depends: Vec<bool>,
    group: Vec<usize>,
    done: Vec<bool>,
    newton: Newton,
}

/// A force or rate that depends on reactions.
#[derive(Clone, Debug)]
struct ReadingTerm {
    /// Its number among the terms of the system.
    term: usize,
    /// The variables that are reactions: place and reaction.
    reads: Vec<(usize, usize)>,
    /// Whether multipliers depend on it.
    acts: bool,
    vars: [f64; MAX_VARIABLES],
    used: usize,
    factor: f64,
    strength: f64,
}

/// Room for Newton's method for a group of reactions.
#[derive(Clone, Debug, Default)]
struct Newton {
    start: Vec<f64>,
    here: Vec<f64>,
    lack: Vec<f64>,
    step: Vec<f64>,
    slopes: Vec<f64>,
    matrix: Vec<f64>,
    exchange: Vec<usize>,
}

/// Why no reactions agree with the forces that depend on them.
enum Disagreement {
    /// The forces of a reaction jump where it is so large.
    Jump(usize, f64),
    /// The forces of a reaction always push it on.
    Away(usize),
    /// No solution was found for a group that this one belongs to.
    Group(usize),
}

impl Feedback {
    /// For a system. Empty where no force depends on a reaction by a function.
    pub fn new(system: &System) -> Self {
        if !system.reads_bend {
            return Feedback::default();
        }
        let first = system.first_reading();
        let reading = |(number, term): (usize, &Term)| {
            let place = 1 + 2 * term.inputs.len();
            let flags = term.flags.iter().enumerate();
            let reads: Vec<(usize, usize)> = flags
                .filter_map(|(k, flag)| match flag {
                    Flag::Input(input) => Some((place + k, input.checked_sub(first)?)),
                    _ => None,
                })
                .collect();
            (!reads.is_empty()).then(|| ReadingTerm {
                term: number,
                reads,
                acts: !system.is_rate_of_state(number),
                vars: [0.0; MAX_VARIABLES],
                used: 0,
                factor: 1.0,
                strength: 0.0,
            })
        };
        let terms: Vec<ReadingTerm> = system.terms.iter().enumerate().filter_map(reading).collect();
        let (count, rows) = (system.readings.len(), system.layout.rows);
        Feedback {
            x: vec![0.0; count],
            lam: vec![0.0; rows],
            base: vec![0.0; rows],
            rest: vec![0.0; rows],
            push: vec![0.0; system.velocities()],
            columns: vec![0.0; rows * terms.len()],
            depends: vec![false; count * count],
            group: Vec::with_capacity(count),
            done: vec![false; count],
            newton: Newton::default(),
            terms,
        }
    }

    /// Finds reactions that agree with the forces that they make, and leaves these evaluated.
    pub fn agree(&mut self, of: &mut impl Answering) -> Result<(), Trouble> {
        // multipliers at any reactions for which the functions are defined
        let (system, work) = of.instant();
        for term in &mut self.terms {
            term.used = system.term_variables(term.term, work, &mut term.vars);
            term.factor = system.terms[term.term].strength.part_of(work.load);
        }
        for guess in GUESSES {
            self.x.fill(guess);
            self.terms.iter_mut().for_each(|term| term.evaluate(system, work, &self.x));
            if self.terms.iter().all(|term| term.strength.is_finite()) {
                break;
            }
        }
        self.answer(of)?;
        self.find_columns(of)?;
        let mut last = f64::INFINITY;
        for round in 0..ROUNDS {
            // what multipliers are without these terms, then the reactions that go with the linear relation
            let (system, work) = of.instant();
            self.find_base(system, work);
            self.solve(system, work).map_err(|why| why.trouble(system))?;
            self.answer(of)?;
            let (most, size) = self.compare(of);
            if most <= CLOSE * size || round > 0 && most >= 0.5 * last && most <= ENOUGH * size {
                return Ok(());
            }
            last = most;
        }
        Err(Disagreement::Group(0).trouble(of.instant().0))
    }

    /// Multipliers at the reactions at hand.
    fn answer(&mut self, of: &mut impl Answering) -> Result<(), Trouble> {
        let (system, work) = of.instant();
        work.inputs[system.first_reading()..].copy_from_slice(&self.x);
        of.answer()?;
        self.lam.copy_from_slice(of.multipliers());
        Ok(())
    }

    /// What reactions lack at the multipliers found last; the most of it, and their size.
    fn compare(&self, of: &mut impl Answering) -> (f64, f64) {
        let (system, work) = of.instant();
        let (mut most, mut size) = (0.0_f64, SMALL * largest(&self.lam));
        for (own, x) in system.readings.iter().zip(&self.x) {
            let found = system.reading(own, work, &self.lam);
            size = size.max(found.abs()).max(x.abs());
            let lack = (found - x).abs();
            most = if lack <= most { most } else { lack };
        }
        (most, size)
    }

    /// Multipliers per unit of each term. One solution for each that acts on bodies.
    fn find_columns(&mut self, of: &mut impl Answering) -> Result<(), Trouble> {
        let rows = self.lam.len();
        for (term, column) in self.terms.iter().zip(self.columns.chunks_exact_mut(rows.max(1))) {
            if term.acts {
                let (system, work) = of.instant();
                system.unit_force(term.term, work, &mut self.push);
                of.answer_to(&self.push, column)?;
            }
        }
        self.find_dependence(of);
        Ok(())
    }

    /// Which reactions depend on which, by any number of steps.
    fn find_dependence(&mut self, of: &mut impl Answering) {
        let (system, work) = of.instant();
        let (count, rows) = (self.x.len(), self.lam.len());
        self.depends.fill(false);
        for (term, column) in self.terms.iter().zip(self.columns.chunks_exact(rows.max(1))) {
            let least = NOTHING * largest(column);
            for (j, own) in system.readings.iter().enumerate() {
                if term.acts && system.reading(own, work, column).abs() > least {
                    term.reads.iter().for_each(|(_, k)| self.depends[j * count + k] = true);
                }
            }
        }
        // closure over all that lie between
        for via in 0..count {
            for j in 0..count {
                if j == via || !self.depends[j * count + via] {
                    continue;
                }
                for k in 0..count {
                    self.depends[j * count + k] |= self.depends[via * count + k];
                }
            }
        }
    }

    /// Multipliers without the terms, from those with the strengths at hand.
    fn find_base(&mut self, system: &System, work: &Work) {
        self.base.copy_from_slice(&self.lam);
        let columns = self.columns.chunks_exact(self.lam.len().max(1));
        for (term, column) in self.terms.iter_mut().zip(columns).filter(|(term, _)| term.acts) {
            term.evaluate(system, work, &self.x);
            add(&mut self.base, -term.strength, column);
        }
    }

    /// Solves x = F(x), group by group.
    fn solve(&mut self, system: &System, work: &Work) -> Result<(), Disagreement> {
        let count = self.x.len();
        for (own, x) in system.readings.iter().zip(&mut self.x) {
            *x = system.reading(own, work, &self.base);
        }
        self.done.fill(false);
        while let Some(next) = (0..count).find(|&j| !self.done[j] && self.is_next(j)) {
            let depends = &self.depends;
            let both = |k: usize| k == next || depends[next * count + k] && depends[k * count + next];
            self.group.clear();
            self.group.extend((0..count).filter(|&k| both(k)));
            self.group.iter().for_each(|&k| self.done[k] = true);
            if self.group.len() > 1 {
                self.solve_group(system, work)?;
            } else {
                self.solve_one(next, system, work)?;
            }
        }
        Ok(())
    }

    /// Whether all that a reaction depends on, but for what depends on it too, is known.
    fn is_next(&self, j: usize) -> bool {
        let count = self.x.len();
        (0..count).all(|k| self.done[k] || !self.depends[j * count + k] || self.depends[k * count + j])
    }

    /// One reaction, others given.
    fn solve_one(&mut self, k: usize, system: &System, work: &Work) -> Result<(), Disagreement> {
        let count = self.x.len();
        let Feedback { terms, x, base, rest, lam, columns, depends, .. } = self;
        let own = &system.readings[k];
        // what does not depend on it, then what does
        let reads = |term: &ReadingTerm| term.acts && term.reads.iter().any(|(_, read)| *read == k);
        rest.copy_from_slice(base);
        let all = || columns.chunks_exact(base.len().max(1));
        for (term, column) in terms.iter_mut().zip(all()).filter(|(term, _)| term.acts && !reads(term)) {
            term.evaluate(system, work, x);
            add(rest, term.strength, column);
        }
        let start = system.reading(own, work, rest);
        x[k] = start;
        if !depends[k * count + k] {
            return Ok(());
        }
        let rows = system.layout.groups[own.group].rows.clone();
        let noise = CLOSE * SMALL * largest(rest);
        let mut lack = |at: f64| {
            x[k] = at;
            lam[rows.clone()].copy_from_slice(&rest[rows.clone()]);
            for (term, column) in terms.iter_mut().zip(all()).filter(|(term, _)| reads(term)) {
                term.evaluate(system, work, x);
                add(&mut lam[rows.clone()], term.strength, &column[rows.clone()]);
            }
            at - system.reading(own, work, lam)
        };
        let least = if own.part.is_size() { 0.0 } else { f64::NEG_INFINITY };
        let found = match first_zero(&mut lack, start, 1.0, least, noise) {
            FirstZero::Away => first_zero(&mut lack, start, -1.0, least, noise),
            found => found,
        };
        match found {
            FirstZero::At(at) => {
                self.x[k] = at;
                Ok(())
            }
            FirstZero::Jump(at) => Err(Disagreement::Jump(k, at)),
            FirstZero::Away => Err(Disagreement::Away(k)),
        }
    }

    /// A group of several, others given: from what their forces make of the reactions without them, from these, from zero.
    fn solve_group(&mut self, system: &System, work: &Work) -> Result<(), Disagreement> {
        let group = std::mem::take(&mut self.group);
        let mut newton = std::mem::take(&mut self.newton);
        newton.start.clear();
        newton.start.extend(group.iter().map(|&k| self.x[k]));
        let mut solved = false;
        for start in 0..3 {
            group.iter().zip(&newton.start).for_each(|(&k, x)| self.x[k] = if start < 2 { *x } else { 0.0 });
            self.find_lack(&group, &mut newton.lack, system, work);
            if start == 0 {
                group.iter().zip(&newton.lack).for_each(|(&k, lack)| self.x[k] += lack);
            }
            solved = self.iterate(&group, &mut newton, system, work);
            if solved {
                break;
            }
        }
        let first = group.first().copied().unwrap_or_default();
        (self.group, self.newton) = (group, newton);
        if solved { Ok(()) } else { Err(Disagreement::Group(first)) }
    }

    /// F(x) - x of a group; the largest, and the size of both.
    fn find_lack(&mut self, group: &[usize], lack: &mut Vec<f64>, system: &System, work: &Work) -> [f64; 2] {
        self.lam.copy_from_slice(&self.base);
        let columns = self.columns.chunks_exact(self.base.len().max(1));
        for (term, column) in self.terms.iter_mut().zip(columns).filter(|(term, _)| term.acts) {
            term.evaluate(system, work, &self.x);
            add(&mut self.lam, term.strength, column);
        }
        lack.clear();
        let (mut most, mut size) = (0.0_f64, SMALL * largest(&self.lam));
        for &k in group {
            let found = system.reading(&system.readings[k], work, &self.lam);
            lack.push(found - self.x[k]);
            size = size.max(found.abs()).max(self.x[k].abs());
            most = if (found - self.x[k]).abs() <= most { most } else { (found - self.x[k]).abs() };
        }
        [most, size]
    }

    /// Newton's method with steps halved until what is lacking gets less; whether it gets there.
    fn iterate(&mut self, group: &[usize], newton: &mut Newton, system: &System, work: &Work) -> bool {
        const MOST: usize = 40;
        const HALVINGS: usize = 8;
        let Newton { here, lack, step, slopes, matrix, exchange, .. } = newton;
        let [mut most, mut size] = self.find_lack(group, lack, system, work);
        for _ in 0..MOST {
            if most <= CLOSE * size {
                return true;
            }
            if !most.is_finite() {
                return false;
            }
            step.clone_from(lack);
            self.linearise(group, matrix, slopes, system, work);
            exchange.resize(group.len(), 0);
            let lu = DenseLu::new(group.len());
            if lu.factor(matrix, exchange, 0.0).is_ok() {
                lu.solve(matrix, exchange, step);
            }
            here.clear();
            here.extend(group.iter().map(|&k| self.x[k]));
            let (before, mut part) = (most, 1.0);
            for _ in 0..=HALVINGS {
                for ((&k, here), step) in group.iter().zip(here.iter()).zip(step.iter()) {
                    let x = here + part * step;
                    self.x[k] = if system.readings[k].part.is_size() { x.max(0.0) } else { x };
                }
                [most, size] = self.find_lack(group, lack, system, work);
                if most < before {
                    break;
                }
                part *= 0.5;
            }
            if most >= before || most.is_nan() {
                return most <= ENOUGH * size;
            }
        }
        most <= ENOUGH * size
    }

    /// 1 - dF/dx of a group.
    fn linearise(
        &self,
        group: &[usize],
        matrix: &mut Vec<f64>,
        slopes: &mut Vec<f64>,
        system: &System,
        work: &Work,
    ) {
        let size = group.len();
        matrix.clear();
        matrix.resize(size * size, 0.0);
        (0..size).for_each(|i| matrix[i * (size + 1)] = 1.0);
        let columns = self.columns.chunks_exact(self.base.len().max(1));
        for (term, column) in self.terms.iter().zip(columns).filter(|(term, _)| term.acts) {
            slopes.clear();
            slopes.resize(term.used, 0.0);
            let strength = &system.terms[term.term].strength;
            strength.partials(&term.vars[..term.used], &work.pieces, slopes);
            for (place, read) in &term.reads {
                let Some(j) = group.iter().position(|k| k == read) else { continue };
                for (i, &k) in group.iter().enumerate() {
                    let by = change(system, &system.readings[k], work, &self.lam, column);
                    matrix[i + j * size] -= by * term.factor * slopes[*place];
                }
            }
        }
    }
}

impl ReadingTerm {
    /// Its strength at reactions.
    fn evaluate(&mut self, system: &System, work: &Work, x: &[f64]) {
        for (place, read) in &self.reads {
            self.vars[*place] = x[*read];
        }
        let strength = &system.terms[self.term].strength;
        self.strength = self.factor * strength.eval(&self.vars[..self.used], &work.pieces);
    }
}

impl Disagreement {
    /// The message, at the joint.
    fn trouble(&self, system: &System) -> Trouble {
        let (Disagreement::Jump(k, _) | Disagreement::Away(k) | Disagreement::Group(k)) = *self;
        let measures = |measured: &&Measured| matches!(measured.sight, MeasuredBy::Reading(own) if own == k);
        let measured = system.measures.iter().find(measures);
        let who = measured.map_or("its reaction".to_owned(), |measured| format!("`{}`", measured.name));
        let why = match self {
            Disagreement::Jump(_, at) => {
                let unit = measured.map_or("N", |measured| measured.unit);
                format!(
                    "no value of {who} agrees with the forces that depend on it: they jump where it is {}; make them continuous",
                    quantity(*at, unit)
                )
            }
            Disagreement::Away(_) => {
                format!(
                    "no value of {who} agrees with the forces that depend on it: they change it by more than it changes"
                )
            }
            Disagreement::Group(_) => {
                format!("no values of {who} and others agree with the forces that depend on them")
            }
        };
        let joint = system.readings.get(k).map_or("", |own| &system.layout.groups[own.group].name);
        Trouble::Held { joint: joint.into(), why }
    }
}

/// What is found along a line.
#[derive(Debug, PartialEq)]
enum FirstZero {
    /// A zero.
    At(f64),
    /// A change of sign without a zero.
    Jump(f64),
    /// Neither.
    Away,
}

/// The first change of the sign of g from `start` on, in the direction in which -g points (`sense` 1) or the other (-1), not
/// below `least`; `noise` is nothing. Steps grow, so the first is found where g is smooth over an eighth of what it is.
fn first_zero(g: &mut impl FnMut(f64) -> f64, start: f64, sense: f64, least: f64, noise: f64) -> FirstZero {
    const MOST: usize = 100;
    const FAR: f64 = 1e4;
    let first = g(start);
    if first.abs() <= noise.max(1e-14 * start.abs()) {
        return FirstZero::At(start);
    }
    let size = start.abs().max(first.abs()).max(1e-12);
    let way = -first.signum() * sense;
    let (mut x, mut p, mut h) = (start, first, first.abs().min(size) / 8.0);
    for _ in 0..MOST {
        let next = (x + way * h).max(least);
        if next == x || (next - start).abs() > FAR * size {
            return FirstZero::Away;
        }
        let q = g(next);
        if q * p <= 0.0 {
            return zero_between(g, [(x, p), (next, q)], size, noise);
        }
        if q.is_nan() {
            // beyond where the function is defined
            h *= 0.25;
        } else {
            (x, p) = (next, q);
            h *= 1.6;
        }
    }
    FirstZero::Away
}

/// The zero of g between two places where its signs differ: two secants, then the middle.
fn zero_between(
    g: &mut impl FnMut(f64) -> f64,
    [(mut low, mut below), (mut high, mut above)]: [(f64, f64); 2],
    size: f64,
    noise: f64,
) -> FirstZero {
    const MOST: usize = 250;
    for k in 0..MOST {
        if below == 0.0 {
            return FirstZero::At(low);
        }
        if above == 0.0 {
            return FirstZero::At(high);
        }
        let secant = (low * above - high * below) / (above - below);
        let middle = if k % 3 == 2 { 0.5 * (low + high) } else { secant };
        let inside = low.min(high) < middle && middle < low.max(high);
        if !inside {
            if k % 3 == 2 {
                break;
            }
            continue;
        }
        let value = g(middle);
        if value.abs() <= noise.max(1e-15 * middle.abs()).max(1e-16 * size) {
            return FirstZero::At(middle);
        }
        if value * below > 0.0 {
            (low, below) = (middle, value);
        } else {
            (high, above) = (middle, value);
        }
    }
    // no number lies between: a zero, or a jump
    let (at, value) = if below.abs() <= above.abs() { (low, below) } else { (high, above) };
    if value.abs() < ENOUGH * size { FirstZero::At(at) } else { FirstZero::Jump(at) }
}

/// Adds a multiple.
fn add(to: &mut [f64], k: f64, column: &[f64]) {
    to.iter_mut().zip(column).for_each(|(to, x)| *to += k * x);
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

#[cfg(test)]
mod tests {
    use super::{FirstZero, first_zero};

    /// A force as a function of a reaction.
    type ForceOfReaction = fn(f64) -> f64;

    fn step(n: f64, a: f64, b: f64) -> f64 {
        let q = ((n - a) / (b - a)).clamp(0.0, 1.0);
        q * q * (3.0 - 2.0 * q)
    }

    fn solve(f: impl Fn(f64) -> f64, s: f64) -> (FirstZero, usize) {
        let mut evaluations = 0;
        let mut g = |x: f64| {
            evaluations += 1;
            x - (20.0 + s * f(x))
        };
        let found = match first_zero(&mut g, 20.0, 1.0, f64::NEG_INFINITY, 0.0) {
            FirstZero::Away => first_zero(&mut g, 20.0, -1.0, f64::NEG_INFINITY, 0.0),
            found => found,
        };
        (found, evaluations)
    }

    /// x = 20 + S f(x) for fifteen functions and six back-effects: what is found is a solution, and where nothing is, a fine
    /// scan finds none either.
    #[test]
    fn solutions_are_found_where_there_are_any() {
        let functions: [(&str, ForceOfReaction); 15] = [
            ("if(n>15,3,0)", |n| if n > 15.0 { 3.0 } else { 0.0 }),
            ("max(n-15,0)", |n| (n - 15.0).max(0.0)),
            ("n^2/400*3", |n| n * n / 400.0 * 3.0),
            ("step(n,10,30)", |n| step(n, 10.0, 30.0)),
            ("clamp(n,9,11)", |n| n.clamp(9.0, 11.0)),
            ("sign(n-10)", |n| if n == 10.0 { 0.0 } else { (n - 10.0).signum() }),
            ("if(n>5,2,2.5)", |n| if n > 5.0 { 2.0 } else { 2.5 }),
            ("0.15 n", |n| 0.15 * n),
            ("tanh(n)", f64::tanh),
            ("abs(n)", f64::abs),
            ("if(n>0,3,0)+1e-9n", |n| if n > 0.0 { 3.0 + 1e-9 * n } else { 1e-9 * n }),
            ("dead zone", |n| n.signum() * (n.abs() - 5.0).max(0.0)),
            ("n^3/8000", |n| n * n * n / 8000.0),
            ("if(abs(n)<1,0,n)", |n| if n.abs() < 1.0 { 0.0 } else { n }),
            ("min(n^2,50)", |n| (n * n).min(50.0)),
        ];
        let mut all = 0;
        for (name, f) in functions {
            for s in [0.0, 0.3, -0.6, 0.9, -2.0, 1.7] {
                let (found, evaluations) = solve(f, s);
                all += evaluations;
                assert!(evaluations <= 200, "{name} {s}: {evaluations}");
                let g = |x: f64| x - (20.0 + s * f(x));
                if let FirstZero::At(x) = found {
                    assert!(g(x).abs() <= 1e-10 * x.abs().max(1.0), "{name} {s}: {x}");
                    continue;
                }
                // a scan finds changes of sign at jumps alone
                for k in -400_000..400_000 {
                    let (a, b) = (1e-3 * f64::from(k) + 1e-4, 1e-3 * f64::from(k + 1) + 1e-4);
                    assert!(
                        g(a) * g(b) > 0.0 || (g(a) - g(b)).abs() > 0.5,
                        "{name} {s}: a solution near {a}"
                    );
                }
            }
        }
        assert!(all <= 20 * 90, "{all} evaluations");
    }

    /// Solutions that were computed by another program.
    #[test]
    fn known_solutions() {
        let square = |n: f64| n * n / 400.0 * 3.0;
        let cube = |n: f64| n * n * n / 8000.0;
        let known: [(ForceOfReaction, f64, f64); 5] = [
            (square, -0.6, 18.465598),
            (square, -2.0, 16.107990),
            (square, 0.9, 23.834593),
            (cube, 0.3, 20.314370),
            (cube, 1.7, 22.382918),
        ];
        for (f, s, x) in known {
            let FirstZero::At(found) = solve(f, s).0 else { panic!("{s}: none") };
            assert!((found - x).abs() < 1e-6, "{s}: {found} {x}");
        }
        assert_eq!(solve(|n| (n - 15.0).max(0.0), 1.7).0, FirstZero::Away);
        assert!(
            matches!(solve(|n| if n > 15.0 { 3.0 } else { 0.0 }, -2.0).0, FirstZero::Jump(x) if (x - 15.0).abs() < 1e-9)
        );
    }
}
