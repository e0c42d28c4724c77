//! Structures reduced to the motions of a few interfaces and modes.
//!
//! Displacements are `u = Psi z`. With [`Basis::CraigBampton`] z holds the motions of the interface frames, then
//! amplitudes of modes with all interfaces held [Craig and Bampton 1968]; with the other bases amplitudes alone.

mod craig_bampton;
mod fields;
mod fingerprint;
mod floating;
mod foreshortening;
mod free;
mod interface;
mod invariants;
mod mean;
mod moments;
mod partition;
mod store;
mod superelement;

pub use floating::{Floating, FloatingFrame};
pub use interface::{Hold, Interface, NodeChoice};
pub use invariants::Invariants;
pub use store::is_superelement;
pub use superelement::{Frame, Superelement};

use crate::FlexError;
use crate::mesh::Mesh;
use crate::structure::Structure;
use fields::Fields;
use interface::Tie;
use nalgebra::DMatrix;

/// Most amplitudes of a body: motions of interfaces and modes. Tables over pairs of them, and their dense mass matrix, stay
/// small.
pub const MOST_AMPLITUDES: usize = 400;

/// Which modes are taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// So many, the slowest.
    Count(usize),
    /// All slower than this frequency, in Hz.
    UpTo(f64),
    /// Those of these numbers, counted from 1 in the order of their frequencies.
    Numbers(Vec<usize>),
}

/// What displacements are combined of.
#[derive(Clone, Debug, PartialEq)]
pub enum Basis {
    /// Unit motions of interfaces while the inside is in equilibrium, and modes with all interfaces held.
    CraigBampton(Choice),
    /// Elastic modes of the free structure; interfaces follow.
    FreeFree(Choice),
    /// Fields that a caller gives, one column for each, with the coordinates of the structure; interfaces follow.
    Given(DMatrix<f64>),
}

/// How a structure is reduced.
#[derive(Clone, Debug)]
pub struct Recipe<'a> {
    /// Frames that others will hold.
    pub interfaces: &'a [Interface],
    /// What displacements are combined of.
    pub basis: Basis,
    /// Nodes whose displacements are kept; all without a choice.
    pub keep: Option<NodeChoice>,
}

/// Interfaces and nodes to keep as numbers of nodes.
struct Resolved {
    ties: Vec<Tie>,
    keep: Option<Vec<u64>>,
}

impl Recipe<'_> {
    fn resolve(&self, mesh: &Mesh, structure: &Structure) -> Result<Resolved, FlexError> {
        let numbers = |choice: &NodeChoice| -> Result<Vec<u64>, FlexError> {
            Ok(choice.in_mesh(mesh)?.into_iter().map(|node| mesh.nodes[node].number).collect())
        };
        let tie = |own: &Interface| own.tie(structure, &numbers(&own.nodes)?);
        let ties = self.interfaces.iter().map(tie).collect::<Result<_, _>>()?;
        Ok(Resolved { ties, keep: self.keep.as_ref().map(numbers).transpose()? })
    }
}

/// Reduces the structure of a mesh; interfaces may name sets.
///
/// # Errors
/// Sets that are not there, parts that nothing connects, interfaces that share nodes or do not hold all motions,
/// mechanisms inside, modes that do not suffice.
pub fn reduce(mesh: &Mesh, structure: &Structure, recipe: &Recipe) -> Result<Superelement, FlexError> {
    let groups: Vec<Vec<usize>> =
        recipe.interfaces.iter().map(|own| own.nodes.in_mesh(mesh)).collect::<Result<_, _>>()?;
    mesh.check_connected(&groups.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
    let resolved = recipe.resolve(mesh, structure)?;
    let mut body = reduced(structure, &resolved, &recipe.basis)?;
    body.foreshortening = foreshortening::matrix(mesh, structure, &resolved.ties, &body.fields)?;
    Ok(body.finish())
}

/// The fingerprint that the superelement of a mesh will have, without making it: a key for caches.
pub fn fingerprint(mesh: &Mesh, structure: &Structure, recipe: &Recipe) -> Result<u64, FlexError> {
    let Resolved { ties, keep } = recipe.resolve(mesh, structure)?;
    Ok(fingerprint::fingerprint(structure, &ties, &recipe.basis, keep.as_deref()))
}

/// Reduces a structure given by its matrices; interfaces name nodes by numbers.
pub fn reduce_matrices(structure: &Structure, recipe: &Recipe) -> Result<Superelement, FlexError> {
    Ok(reduce_with_fields(structure, recipe)?.0)
}

/// The same, and the fields of all coordinates, a column for each amplitude.
pub fn reduce_with_fields(
    structure: &Structure,
    recipe: &Recipe,
) -> Result<(Superelement, DMatrix<f64>), FlexError> {
    let tie = |own: &Interface| own.tie(structure, own.nodes.numbers()?);
    let ties = recipe.interfaces.iter().map(tie).collect::<Result<_, _>>()?;
    let keep = recipe.keep.as_ref().map(|choice| choice.numbers().map(<[u64]>::to_vec)).transpose()?;
    let Draft { body, fields, .. } = reduced(structure, &Resolved { ties, keep }, &recipe.basis)?;
    Ok((body, fields))
}

/// A superelement with the fields of all nodes.
struct Draft {
    body: Superelement,
    fields: DMatrix<f64>,
    foreshortening: Option<DMatrix<f64>>,
}

impl Draft {
    fn finish(mut self) -> Superelement {
        self.body.foreshortening = self.foreshortening;
        self.body
    }
}

/// What is too much is refused before memory is taken for it; modes up to a frequency are counted later.
fn check_amplitudes(ties: &[Tie], basis: &Basis) -> Result<(), FlexError> {
    let held: usize = ties.iter().map(Tie::motions).sum();
    let wanted = match basis {
        Basis::CraigBampton(choice) => held.saturating_add(choice.at_least()),
        Basis::FreeFree(choice) => choice.at_least(),
        Basis::Given(fields) => fields.ncols(),
    };
    within(wanted)
}

/// Refuses more amplitudes than there can be.
fn within(wanted: usize) -> Result<(), FlexError> {
    let most = MOST_AMPLITUDES;
    if wanted > most { Err(FlexError::TooManyAmplitudes { wanted, most }) } else { Ok(()) }
}

impl Choice {
    /// Modes that there will be, as far as that is known.
    fn at_least(&self) -> usize {
        match self {
            Choice::Count(count) => *count,
            Choice::UpTo(_) => 0,
            Choice::Numbers(numbers) => numbers.iter().copied().max().unwrap_or(0),
        }
    }
}

fn reduced(structure: &Structure, resolved: &Resolved, basis: &Basis) -> Result<Draft, FlexError> {
    let Resolved { ties, keep } = resolved;
    interface::check_apart(structure, ties)?;
    check_amplitudes(ties, basis)?;
    let found: Fields = match basis {
        Basis::CraigBampton(choice) => craig_bampton::fields(structure, ties, choice)?,
        Basis::FreeFree(choice) => free::fields(structure, ties, choice)?,
        Basis::Given(given) => free::given(structure, ties, given)?,
    };
    let kept: Vec<usize> = match keep {
        Some(numbers) => numbers.iter().map(|&number| structure.node(number)).collect::<Result<_, _>>()?,
        None => (0..structure.places.len()).collect(),
    };
    let invariants = Invariants::of(structure, &found.shapes)?;
    let body = Superelement {
        fingerprint: fingerprint::fingerprint(structure, ties, basis, keep.as_deref()),
        frames: found.frames(ties),
        space: structure.space,
        hertz: found.hertz,
        stiffness: found.stiffness,
        mass: found.mass,
        nodes: kept.iter().map(|&node| structure.numbers[node]).collect(),
        places: kept.iter().map(|&node| structure.places[node]).collect(),
        displacements: fields::in_space(structure, &found.shapes, &kept),
        invariants,
        foreshortening: None,
    };
    Ok(Draft { body, fields: found.shapes, foreshortening: None })
}
