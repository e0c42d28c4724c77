//! The numbers of the channels.

use super::Channels;
use crate::accel::Accelerations;
use crate::element::basic::Basic;
use crate::element::turned::TurnedRate;
use crate::spatial::{Coords, V3, add, apply, cross, scale};
use crate::system::{Exchanged, System, Work, in_space};
use std::cell::LazyCell;

/// Where the numbers of a run of channels come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// Position to acceleration of a body.
    Body(usize),
    /// Position and attitude alone, of a node inside a beam.
    Pose(usize),
    /// The place alone of a node inside a structure.
    Place(usize),
    /// An amplitude of a flexible body.
    Amplitude(usize),
    /// Value and rate of what is probed.
    Probe(Basic),
    /// Rate of what is probed, and the rate of that.
    Rates(Basic),
    /// A velocity in the axes of a third body, and the acceleration.
    Turned(TurnedRate),
    /// Reaction of a joint or driver.
    Reaction(usize),
    /// A number of a reaction that a measure reads.
    Reading(usize),
    /// Stroke, speed, force and power of a driver.
    Driver(usize),
    /// Value, rate, strength and power of a force term, those that are shown.
    Term(usize),
    /// Strain and energy of a bar.
    Strain(usize),
    /// Resultants of an element of a beam.
    Beam(usize),
    /// Strain energy and largest stress of a structure.
    Structure(usize),
    /// Value, rate and force of an inertance.
    Inertance(usize),
    /// A first-order state, by its node.
    State(usize),
    /// An output of a controller.
    Output(usize),
    /// Kinetic, potential and total energy.
    Energy,
    /// Energy dissipated, work, and what is missing in the balance.
    Balance,
}

impl Channels {
    /// The numbers of an instant, one per channel. Constraints and forces of `work` have been evaluated, and `acc`
    /// holds accelerations and multipliers of the same instant. No allocation. O(channels).
    ///
    /// # Panics
    ///
    /// If `out` does not have room for exactly one number per channel.
    pub fn fill(&self, system: &System, work: &Work, acc: &Accelerations, out: &mut [f64]) {
        assert_eq!(out.len(), self.list.len(), "one number per channel");
        let mut out = Writer { out, next: 0, mask: u32::MAX, place: 0 };
        let energies = LazyCell::new(|| [system.kinetic_energy(work), system.potential_energy(work)]);
        for (source, mask) in &self.sources {
            (out.mask, out.place) = (*mask, 0);
            match source {
                Source::Body(body) => {
                    in_space!(system.space, C => write_body::<C>(system, *body, work, acc, &mut out));
                }
                Source::Pose(body) => in_space!(system.space, C => {
                    let (b, s) = (&work.bodies[*body], scale(-1.0, &system.coms[*body]));
                    out.all(&add(&b.r, &C::image(&b.a, &s))[..C::D]);
                    out.all(&b.p[..C::K]);
                }),
                Source::Place(node) => out.all(&work.bodies[*node].r[..system.dimensions()]),
                Source::Amplitude(node) => out.all(&work.bodies[*node].r[..1]),
                Source::Probe(probe) => {
                    let (value, rate) = system.basic_value_and_rate(probe, work);
                    out.all(&[value, rate]);
                }
                Source::Rates(probe) => out.all(&system.basic_rates(probe, work, &acc.acc)),
                Source::Turned(way) => out.all(&system.turned_rates(way, work, &acc.acc)),
                Source::State(node) => out.all(&work.bodies[*node].rdot[..1]),
                Source::Output(k) => out.all(&[system.read(&system.outputs[*k].value, work)]),
                Source::Reaction(group) => {
                    let reaction = system.reaction(*group, work, &acc.lam);
                    let d = system.dimensions();
                    out.all(&reaction.force[..d]);
                    out.all(if d == 2 { &reaction.torque[2..] } else { &reaction.torque });
                }
                Source::Driver(group) => {
                    if let Some((basic, row)) = system.driven(*group) {
                        let (value, rate) = system.basic_value_and_rate(basic, work);
                        // what is left of a row that follows from others is nothing
                        let force = -acc.lam[row];
                        out.all(&[value, rate, force, force * rate]);
                    }
                }
                Source::Reading(k) => out.all(&[system.reading(&system.readings[*k], work, &acc.lam)]),
                Source::Term(k) => {
                    let term = &system.terms[*k];
                    let words = &term.words;
                    let names = [words.value, words.rate, words.strength, words.power];
                    let [value, rate, mut strength] = system.term_numbers(term, work);
                    // what holds does so as an equation
                    let rows = term.strength.holds().iter().filter_map(|&hold| system.hold_row(hold));
                    strength += rows.map(|row| acc.lam[row]).sum::<f64>();
                    let power = term.power(rate, strength);
                    for (name, number) in names.into_iter().zip([value, rate, strength, power]) {
                        if !name.is_empty() {
                            out.all(&[number]);
                        }
                    }
                }
                Source::Strain(k) => out.all(&system.strain(&system.terms[*k], work)),
                Source::Beam(k) => {
                    let width = if system.dimensions() == 2 { 3 } else { 6 };
                    out.all(&system.beam_resultants(*k, work)[..width]);
                }
                Source::Structure(k) => out.all(&system.strained_structure(*k, work)),
                Source::Inertance(k) => {
                    let inertance = &system.inertances[*k];
                    let (value, rate) = system.basic_value_and_rate(&inertance.basic, work);
                    out.all(&[value, rate, system.inertance_force(*k, work, &acc.acc)]);
                }
                Source::Energy => {
                    let [kinetic, potential] = *energies;
                    out.all(&[kinetic, potential, kinetic + potential]);
                }
                Source::Balance => {
                    let Exchanged { start, dissipated, work: given } = work.exchanged;
                    let total = energies[0] + energies[1];
                    out.all(&[dissipated, given, total - start + dissipated - given]);
                }
            }
        }
        debug_assert_eq!(out.next, self.list.len());
    }
}

impl Channels {
    /// Whether [`fill`](Self::fill) needs more than the state and the places of all bodies: accelerations, multipliers, or
    /// what is evaluated with constraints and forces.
    pub fn need_accelerations(&self, system: &System) -> bool {
        let simple = !system.is_coupled() && !system.is_strained() && system.readings.is_empty();
        let holds = |k: usize| !system.terms[k].strength.holds().is_empty();
        self.sources.iter().any(|(source, _)| match source {
            Source::Pose(_) | Source::Place(_) | Source::Amplitude(_) | Source::Probe(_) => false,
            Source::State(_) | Source::Output(_) => false,
            Source::Term(k) if holds(*k) => true,
            Source::Energy | Source::Balance | Source::Term(_) | Source::Strain(_) => !simple,
            Source::Body(_) | Source::Reaction(_) | Source::Beam(_) | Source::Structure(_) => true,
            Source::Inertance(_) | Source::Rates(_) | Source::Turned(_) => true,
            Source::Reading(_) | Source::Driver(_) => true,
        })
    }
}

/// Writes numbers one after the other, those that are shown.
struct Writer<'a> {
    out: &'a mut [f64],
    next: usize,
    /// Which numbers of the source at hand are shown, and the number that comes next.
    mask: u32,
    place: u32,
}

impl Writer<'_> {
    fn all(&mut self, numbers: &[f64]) {
        if self.mask == u32::MAX {
            self.out[self.next..self.next + numbers.len()].copy_from_slice(numbers);
            self.next += numbers.len();
            return;
        }
        for number in numbers {
            if self.mask & (1 << self.place) != 0 {
                self.out[self.next] = *number;
                self.next += 1;
            }
            self.place += 1;
        }
    }
}

/// The body frame sits at -com from the centre of mass, whose motion the system knows.
fn write_body<C: Coords>(system: &System, k: usize, work: &Work, acc: &Accelerations, out: &mut Writer) {
    let (b, s) = (&work.bodies[k], scale(-1.0, &system.coms[k]));
    let own = &acc.acc[system.nodes.v(k)];
    let (mut linear, mut turn): (V3, V3) = ([0.0; 3], [0.0; 3]);
    let turns = system.nodes[k].turns();
    let (moves, twists) = system.nodes[k].split(own);
    linear[..moves.len()].copy_from_slice(moves);
    turn[..twists.len()].copy_from_slice(twists);
    // the part of the acceleration that comes with the angular acceleration
    let swing = if C::M == 1 { C::spin(&b.a, &turn, &s) } else { apply(&b.a, &cross(&turn, &s)) };
    let position = add(&b.r, &C::image(&b.a, &s));
    let velocity = add(&b.rdot, &C::spin(&b.a, &b.w, &s));
    let acceleration = add(&add(&linear, &swing), &C::spin2(&b.a, &b.w, &s));
    // a point has no attitude
    let (k, m) = if turns { (C::K, C::M) } else { (0, 0) };
    out.all(&position[..C::D]);
    out.all(&b.p[..k]);
    out.all(&velocity[..C::D]);
    out.all(&b.w[..m]);
    out.all(&acceleration[..C::D]);
    out.all(&turn[..m]);
}
