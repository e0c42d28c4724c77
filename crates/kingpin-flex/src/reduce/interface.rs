//! Frames that others hold, and the nodes that follow them.

use crate::FlexError;
use crate::mesh::{Mesh, Space};
use crate::structure::{Structure, rigid_motions};
use nalgebra::{DMatrix, Vector3};

/// Nodes by the name of their set or by their numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeChoice {
    /// A set of the mesh.
    Set(String),
    /// Numbers.
    Numbers(Vec<u64>),
}

impl NodeChoice {
    /// As places in a mesh.
    pub(super) fn in_mesh(&self, mesh: &Mesh) -> Result<Vec<usize>, FlexError> {
        match self {
            NodeChoice::Set(name) => Ok(mesh.node_set(name)?.to_vec()),
            NodeChoice::Numbers(numbers) => numbers.iter().map(|&number| mesh.node(number)).collect(),
        }
    }

    /// As numbers, where there is no mesh.
    pub(super) fn numbers(&self) -> Result<&[u64], FlexError> {
        match self {
            NodeChoice::Set(name) => Err(FlexError::SetUnknown { name: name.clone(), near: Vec::new() }),
            NodeChoice::Numbers(numbers) => Ok(numbers),
        }
    }
}

/// How nodes follow a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// All as one rigid body: `u = u_a + theta_a x (X - X_a)`.
    Rigid,
    /// In the mean: the frame has the motion nearest to that of all of them, which stay free among each other.
    Mean,
    /// One node, without turns.
    Point,
}

/// A frame that others will hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// Its name.
    pub name: String,
    /// Nodes that follow it.
    pub nodes: NodeChoice,
    /// How.
    pub hold: Hold,
    /// Its place; the mean of its nodes without one.
    pub place: Option<Vector3<f64>>,
}

impl Interface {
    /// All nodes of a set as one rigid body.
    pub fn rigid(name: &str, set: &str) -> Interface {
        Interface { name: name.into(), nodes: NodeChoice::Set(set.into()), hold: Hold::Rigid, place: None }
    }

    /// The nodes of a set in the mean.
    pub fn mean(name: &str, set: &str) -> Interface {
        Interface { hold: Hold::Mean, ..Interface::rigid(name, set) }
    }

    /// A single node.
    pub fn point(name: &str, number: u64) -> Interface {
        Interface {
            nodes: NodeChoice::Numbers(vec![number]),
            hold: Hold::Point,
            ..Interface::rigid(name, "")
        }
    }

    /// With its nodes found in a structure.
    pub(super) fn tie(&self, structure: &Structure, numbers: &[u64]) -> Result<Tie, FlexError> {
        let loose = |&number: &u64| {
            structure
                .node(number)
                .map_err(|_| FlexError::InterfaceLoose { interface: self.name.clone(), node: number })
        };
        let mut nodes: Vec<usize> = numbers.iter().map(loose).collect::<Result<_, _>>()?;
        nodes.sort_unstable();
        nodes.dedup();
        let small = || FlexError::InterfaceTooSmall { interface: self.name.clone() };
        if nodes.is_empty() || self.hold == Hold::Point && nodes.len() > 1 {
            return Err(small());
        }
        let places: Vec<Vector3<f64>> = nodes.iter().map(|&node| structure.places[node]).collect();
        let place = self.place.unwrap_or_else(|| places.iter().sum::<Vector3<f64>>() / places.len() as f64);
        let tie = Tie {
            name: self.name.clone(),
            hold: self.hold,
            place,
            space: structure.space,
            turning: structure.turns(),
            nodes,
            places,
        };
        // turns must move the nodes
        let size = tie.size();
        let mut moves = tie.follow();
        let (axes, motions) = (tie.space.axes(), moves.ncols());
        moves.columns_mut(axes, motions - axes).scale_mut(if size > 0.0 { 1.0 / size } else { 1.0 });
        let least = moves.tr_mul(&moves).symmetric_eigenvalues().min();
        if self.hold != Hold::Point && least < 1e-12 * tie.nodes.len() as f64 {
            return Err(small());
        }
        Ok(tie)
    }
}

/// An interface with its nodes as places in the structure.
#[derive(Clone, Debug)]
pub(super) struct Tie {
    pub name: String,
    pub hold: Hold,
    pub place: Vector3<f64>,
    pub space: Space,
    /// whether its nodes are frames
    turning: bool,
    pub nodes: Vec<usize>,
    places: Vec<Vector3<f64>>,
}

impl Tie {
    /// How many motions the frame has.
    pub fn motions(&self) -> usize {
        if self.hold == Hold::Point { self.space.axes() } else { self.space.motions() }
    }

    /// Displacements of its nodes by unit motions of the frame, as one rigid body.
    pub fn follow(&self) -> DMatrix<f64> {
        rigid_motions(self.space, &self.places, &self.place, self.turning)
            .columns(0, self.motions())
            .into_owned()
    }

    /// The motion of the frame nearest to displacements of its nodes: `(B^T B)^-1 B^T`.
    pub fn mean(&self) -> DMatrix<f64> {
        let follow = self.follow();
        // regular, as the nodes were checked
        let normal = follow.tr_mul(&follow).cholesky();
        normal.map_or_else(|| follow.transpose(), |normal| normal.solve(&follow.transpose()))
    }

    /// How far its nodes are from the frame.
    pub fn size(&self) -> f64 {
        self.places.iter().map(|place| (place - self.place).norm()).fold(0.0, f64::max)
    }

    /// Its coordinates in the structure.
    pub fn coordinates(&self) -> Vec<usize> {
        let each = if self.turning { self.space.motions() } else { self.space.axes() };
        self.nodes.iter().flat_map(|&node| each * node..each * (node + 1)).collect()
    }

    /// The row among displacements and turns in space that a motion is.
    pub fn row(&self, motion: usize) -> usize {
        self.space.row(motion)
    }
}

/// Checks that no node follows two frames.
pub(super) fn check_apart(structure: &Structure, ties: &[Tie]) -> Result<(), FlexError> {
    let mut owner: Vec<Option<&Tie>> = vec![None; structure.places.len()];
    for tie in ties {
        for &node in &tie.nodes {
            if let Some(other) = owner[node].replace(tie) {
                let interfaces = [other.name.clone(), tie.name.clone()];
                return Err(FlexError::InterfacesShare { interfaces, node: structure.numbers[node] });
            }
        }
    }
    Ok(())
}
