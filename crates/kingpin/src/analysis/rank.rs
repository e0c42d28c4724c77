//! Which equations follow from others, and whether they always do or only in this configuration.

use super::assembly::close;
use super::projector::Projector;
use crate::element::basic::Basic;
use crate::model::finding::Subject;
use crate::system::{State, System, Work};
use std::collections::{BTreeMap, HashMap};

/// Equations of one joint or driver that follow from those of others.
#[derive(Clone, Debug, PartialEq)]
pub struct Redundancy {
    /// The joint or driver.
    pub subject: Subject,
    /// Its name.
    pub joint: String,
    /// How many of its equations.
    pub equations: usize,
    /// Which ones, in words.
    pub labels: Vec<&'static str>,
    /// The joints and drivers they follow from (the joint itself is not listed).
    pub follows_from: Vec<String>,
}

/// Whether dependent equations are so everywhere or only here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// In all neighbouring configurations too: the motion is not affected, the multipliers are not unique.
    Redundant,
    /// In this configuration only: the mechanism may branch or lock here.
    Singular,
}

/// Rank of the constraints at an assembled state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diagnosis {
    /// Degrees of freedom.
    pub dof: usize,
    /// Redundant equations, by joint.
    pub redundant: Vec<Redundancy>,
    /// Equations dependent in this configuration only, by joint.
    pub singular: Vec<Redundancy>,
    /// For every joint and driver equation, whether it is redundant.
    pub redundant_rows: Vec<bool>,
}

impl Diagnosis {
    /// Redundant equations in all.
    pub fn redundant_equations(&self) -> usize {
        self.redundant.iter().map(|r| r.equations).sum()
    }
}

/// Rank at a consistent state; if it is not full, a neighbouring configuration tells redundancy from singularity.
/// Linear in the number of joints on open chains.
pub(super) fn diagnose(
    system: &System,
    projector: &mut Projector,
    work: &mut Work,
    state: &State,
    scale: f64,
) -> Diagnosis {
    // states are no degrees of freedom
    let moves = system.velocities() - system.states.len();
    let free = moves as i64 - system.joint_equations() as i64;
    let here = dependences(system, projector, work, state);
    let always = match neighbour(system, projector, work, state, scale) {
        _ if here.is_empty() => Vec::new(),
        Some(other) => {
            let there = dependences(system, projector, work, &other);
            if there.len() < here.len() { there } else { here.clone() }
        }
        // nothing can move, so this configuration is the only one
        None => here.clone(),
    };
    let dof = (free + always.len() as i64).max(0) as usize;
    let only_here = if always.len() < here.len() { without(&here, &always) } else { Vec::new() };
    let mut redundant_rows = vec![false; system.joint_equations()];
    always.iter().filter_map(|r| r.last_key_value()).for_each(|(row, _)| redundant_rows[*row] = true);
    Diagnosis {
        dof,
        redundant: by_joint(system, &always),
        singular: by_joint(system, &only_here),
        redundant_rows,
    }
}

/// A dependence among rows, as (row, factor) pairs; its last row is the one said to follow from the others.
type Relation = BTreeMap<usize, f64>;

/// All dependences, each with a last row of its own.
fn dependences(system: &System, projector: &mut Projector, work: &mut Work, state: &State) -> Vec<Relation> {
    system.set_state(work, state);
    system.evaluate_constraints(work);
    if projector.factor(work, 0.0).is_none_or(|n| n == 0) {
        return Vec::new();
    }
    // each dropped row gives y with Phi_v^T y = 0; what does not hold up without squaring is refined, or no dependence
    let (mut y, mut support) = (Vec::new(), Vec::new());
    let mut basis: HashMap<usize, Relation> = HashMap::new();
    for row in projector.dependent() {
        let rough = projector.dependence(row, &mut y, &mut support);
        let mut relation: Relation = rough.iter().copied().collect();
        if !truly_dependent(system, work, &relation) {
            relation = projector.refine(work, &rough).into_iter().collect();
        }
        if truly_dependent(system, work, &relation) {
            reduce(relation, &mut basis);
        }
    }
    let mut all: Vec<(usize, Relation)> = basis.into_iter().collect();
    all.sort_by_key(|r| r.0);
    all.into_iter().map(|r| r.1).collect()
}

/// Phi_v^T y = 0 without squaring: tells a dependent row from a badly conditioned one.
fn truly_dependent(system: &System, work: &Work, relation: &Relation) -> bool {
    let mut sum: HashMap<(usize, usize), (f64, f64)> = HashMap::new();
    for (&row, &y) in relation {
        let group = &system.layout.groups[system.layout.group_of(row)];
        for block in &system.layout.blocks[group.blocks.clone()] {
            for (k, x) in work.phi_v[block.row(row - group.rows.start)].iter().enumerate() {
                let x = y * x;
                let entry = sum.entry((block.body, k)).or_default();
                entry.0 += x;
                entry.1 = entry.1.max(x.abs());
            }
        }
    }
    let (left, size) = sum.values().fold((0.0_f64, 0.0_f64), |(l, s), (x, m)| (l.max(x.abs()), s.max(*m)));
    left <= 1e-10 * size
}

/// Gaussian elimination over relations, so that each keeps a last row no other one has.
fn reduce(mut relation: Relation, basis: &mut HashMap<usize, Relation>) {
    loop {
        let size = relation.values().fold(0.0_f64, |m, y| m.max(y.abs()));
        relation.retain(|_, y| y.abs() > 1e-7 * size);
        let Some((&last, &y)) = relation.last_key_value() else { return };
        match basis.get(&last) {
            None => {
                relation.values_mut().for_each(|x| *x /= y);
                basis.insert(last, relation);
                return;
            }
            Some(other) => {
                for (&row, &x) in other {
                    *relation.entry(row).or_default() -= y * x;
                }
                relation.remove(&last);
            }
        }
    }
}

/// The relations of `here` whose last row is not the last row of one in `always`.
fn without(here: &[Relation], always: &[Relation]) -> Vec<Relation> {
    let last = |r: &Relation| r.last_key_value().map(|(row, _)| *row);
    let mut rest: Vec<Relation> =
        here.iter().filter(|r| !always.iter().any(|a| last(a) == last(r))).cloned().collect();
    rest.truncate(here.len() - always.len());
    rest
}

fn by_joint(system: &System, relations: &[Relation]) -> Vec<Redundancy> {
    let mut found: BTreeMap<usize, Redundancy> = BTreeMap::new();
    for relation in relations {
        let Some((&row, _)) = relation.last_key_value() else { continue };
        let name = system.row_name(row);
        let redundancy = found.entry(system.layout.group_of(row)).or_insert_with(|| Redundancy {
            subject: name.subject.clone(),
            joint: name.name.clone(),
            equations: 0,
            labels: Vec::new(),
            follows_from: Vec::new(),
        });
        redundancy.equations += 1;
        redundancy.labels.push(name.label);
        for &other in relation.keys() {
            let group = &system.layout.groups[system.layout.group_of(other)];
            if group.name != redundancy.joint && !redundancy.follows_from.contains(&group.name) {
                redundancy.follows_from.push(group.name.clone());
            }
        }
    }
    found.into_values().collect()
}

/// A consistent configuration a small way off, along a motion the constraints admit; `None` if there is none.
fn neighbour(
    system: &System,
    projector: &mut Projector,
    work: &mut Work,
    state: &State,
    scale: f64,
) -> Option<State> {
    system.set_state(work, state);
    system.evaluate_constraints(work);
    projector.factor(work, 0.0).filter(|&n| n > 0)?;
    // a fixed pseudo-random direction, less its part across the constraints
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let mut x: Vec<f64> =
        system.nodes.turning().map(|turns| random() * if turns { 1.0 } else { scale }).collect();
    let before = norm(&x);
    let (mut residual, mut across) = (vec![0.0; system.joint_equations()], vec![0.0; x.len()]);
    for _ in 0..3 {
        system.jacobian_times(work, &x, &mut residual);
        projector.solve(work, &residual, &mut across);
        x.iter_mut().zip(&across).for_each(|(x, a)| *x -= a);
    }
    let after = norm(&x);
    if after < 1e-6 * before {
        return None;
    }
    let worst = x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    x.iter_mut().for_each(|x| *x *= 0.02 * scale.min(1.0) / worst);
    let mut other = state.clone();
    system.displace(&mut other.q, &x);
    close(system, projector, work, &mut other, scale, None).ok()?;
    Some(other)
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Moves the reference angles to the angles of the instant.
pub(super) fn count_turns(system: &System, work: &mut Work) {
    system.visit_angles(|angle| {
        let value = system.basic_value(&Basic::Angle(*angle), work);
        if let Some(turn) = work.turns.get_mut(angle.slot) {
            *turn = value;
        }
    });
}
