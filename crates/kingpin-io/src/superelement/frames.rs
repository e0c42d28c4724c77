//! Beams and bars as a structure of frames: small motions about the pose in which they stand, free of stress.

use kingpin::element::force::{Bar, ForceKind};
use kingpin::element::place::{Given, Place, Resolver};
use kingpin::model::{EndsKind, Mat3, Model, Space, Subject, Vec3};
use kingpin::system::System;
use kingpin_flex::FlexError;
use kingpin_flex::mesh::Space as MeshSpace;
use kingpin_flex::structure::{Follows, MassPiece, Structure, SymmetricMatrix};
use nalgebra::DMatrix;

/// Parts of its length by which a bar may be stretched and still stand free of stress.
const STRETCHED: f64 = 1e-9;

/// A structure whose frames are bodies of a model; those that fixed joints hold together are one frame.
pub(super) struct Frames {
    pub structure: Structure,
    /// The frame that each body belongs to.
    pub frame_of: Vec<usize>,
    /// Origins of the bodies.
    pub origins: Vec<Vec3>,
    /// Axes of the bodies.
    pub axes: Vec<Mat3>,
}

/// Why there is no such structure.
pub(super) enum FrameFault {
    /// A bar, by its number, that is stretched as it stands.
    Stretched(usize),
    /// Another reason.
    Structure(FlexError),
}

/// What is gathered.
struct Gathering<'a> {
    space: MeshSpace,
    frame_of: &'a [usize],
    centres: &'a [Vec3],
    /// Places of the frames.
    places: &'a [Vec3],
    entries: Vec<(usize, usize, f64)>,
    pieces: Vec<MassPiece>,
}

/// Bodies that joints hold together have the same number, counted from 0.
fn joined(bodies: usize, system: &System) -> (Vec<usize>, Vec<usize>) {
    let mut root: Vec<usize> = (0..bodies).collect();
    fn find(root: &[usize], mut k: usize) -> usize {
        while root[k] != k {
            k = root[k];
        }
        k
    }
    for [one, other] in system.joint_places.iter().flatten() {
        let (a, b) = (find(&root, one.body), find(&root, other.body));
        root[a.max(b)] = a.min(b);
    }
    let firsts: Vec<usize> = (0..bodies).filter(|&k| root[k] == k).collect();
    let number = |k: usize| firsts.binary_search(&find(&root, k)).unwrap_or(0);
    ((0..bodies).map(number).collect(), firsts)
}

impl Gathering<'_> {
    /// Displacements and turns at a place by those of a frame.
    fn carried(&self, frame: usize, at: &Vec3) -> DMatrix<f64> {
        let (n, arm) = (self.space.motions(), at - self.places[frame]);
        let mut own = DMatrix::identity(n, n);
        if self.space == MeshSpace::Plane {
            (own[(0, 2)], own[(1, 2)]) = (-arm.y, arm.x);
        } else {
            own.view_mut((0, 3), (3, 3)).copy_from(&-arm.cross_matrix());
        }
        own
    }

    /// Adds a stiffness between motions of bodies.
    fn add(&mut self, bodies: &[usize], stiffness: &DMatrix<f64>) {
        let n = self.space.motions();
        let carried: Vec<DMatrix<f64>> =
            bodies.iter().map(|&body| self.carried(self.frame_of[body], &self.centres[body])).collect();
        for (i, &a) in bodies.iter().enumerate() {
            for (j, &b) in bodies.iter().enumerate() {
                let block = stiffness.view((n * i, n * j), (n, n));
                self.block(self.frame_of[a], self.frame_of[b], &(carried[i].tr_mul(&(block * &carried[j]))));
            }
        }
    }

    /// Adds the part of a block that is on or above the diagonal.
    fn block(&mut self, a: usize, b: usize, block: &DMatrix<f64>) {
        let n = self.space.motions();
        for (k, &value) in block.iter().enumerate() {
            let (row, column) = (n * a + k % n, n * b + k / n);
            if row <= column {
                self.entries.push((row, column, value));
            }
        }
    }

    /// Adds a bar between points of frames.
    fn bar(&mut self, bar: &Bar, frames: [usize; 2], points: [Vec3; 2]) {
        let way = points[1] - points[0];
        let (length, along) = (way.norm(), way.normalize());
        let axes = self.space.axes();
        let row = |end: usize| -> DMatrix<f64> {
            let carried = self.carried(frames[end], &points[end]);
            let sign = if end == 0 { -1.0 } else { 1.0 };
            DMatrix::from_fn(1, axes, |_, k| sign * along[k]) * carried.rows(0, axes)
        };
        let rows = [row(0), row(1)];
        for (a, of_a) in rows.iter().enumerate() {
            for (b, of_b) in rows.iter().enumerate() {
                let block = of_a.tr_mul(of_b) * (bar.axial_stiffness / length);
                self.block(frames[a], frames[b], &block);
            }
        }
        if bar.mass == 0.0 {
            return;
        }
        let follows = |end: usize, part: f64| Follows { frame: frames[end], part, point: points[end] };
        let piece = |mass: f64, place: Vec3, follows: Vec<Follows>| MassPiece {
            mass: mass * bar.mass,
            spread: Mat3::zeros(),
            place,
            follows,
        };
        // mass/6 [2 1; 1 2] is a sixth at each end and the rest in the middle
        let consistent = bar.inertia == "consistent";
        let at_ends = if consistent { 1.0 / 6.0 } else { 0.5 };
        let mut own: Vec<MassPiece> =
            (0..2).map(|end| piece(at_ends, points[end], vec![follows(end, 1.0)])).collect();
        if consistent {
            let middle = (points[0] + points[1]) * 0.5;
            own.push(piece(2.0 / 3.0, middle, vec![follows(0, 0.5), follows(1, 0.5)]));
        }
        self.pieces.extend(own);
    }
}

/// Inertia of a body along global axes.
fn inertia(own: &Mat3, axes: &Mat3, space: MeshSpace) -> Mat3 {
    match space {
        // half of it comes from each axis of the plane
        MeshSpace::Plane => Mat3::from_diagonal(&Vec3::new(0.5, 0.5, 1.0)) * own[(2, 2)],
        MeshSpace::Solid => axes * own * axes.transpose(),
    }
}

impl Frames {
    /// Of a model of beams, bars and fixed joints that was taken apart and compiled. O(elements p^3)
    pub fn of(model: &Model, system: &System) -> Result<Frames, FrameFault> {
        let space = if model.space == Space::Planar { MeshSpace::Plane } else { MeshSpace::Solid };
        let given = Given::new(model);
        let (frame_of, firsts) = joined(model.bodies.len(), system);
        let centres: Vec<Vec3> = given.poses.iter().map(|pose| pose.r.into()).collect();
        let places: Vec<Vec3> = firsts.iter().map(|&k| centres[k]).collect();
        let (frame_of, centres) = (&frame_of[..], &centres[..]);
        let mut all =
            Gathering { space, frame_of, centres, places: &places, entries: Vec::new(), pieces: Vec::new() };
        for (k, body) in model.bodies.iter().enumerate() {
            let own = inertia(&body.inertia, &given.rotations[k], space);
            all.pieces.push(MassPiece::body(body.mass, &own, centres[k], frame_of[k]));
        }
        for (beam, stiffness) in system.beams.iter().zip(system.stiffness_at_rest()) {
            let n = space.motions() * beam.bodies.len();
            all.add(&beam.bodies, &DMatrix::from_row_slice(n, n, &stiffness));
        }
        let mut resolver = Resolver { model, given: &given, findings: Vec::new() };
        for (k, force) in model.forces.iter().enumerate() {
            let ForceKind::Bar(bar) = &force.kind else { continue };
            let found = resolver.pair(&Subject::Force(k), &force.ends, EndsKind::Points);
            let Some((places, _)) = found else { continue };
            let point =
                |place: &Place| centres[place.body] + given.rotations[place.body] * Vec3::from(place.s);
            let points = [point(&places[0]), point(&places[1])];
            let distance = (points[1] - points[0]).norm();
            let stretched = bar.rest_length.map_or(0.0, |rest| (distance / rest - 1.0).abs());
            // also what is no number is stretched
            if stretched.is_nan() || stretched > STRETCHED {
                return Err(FrameFault::Stretched(k));
            }
            all.bar(bar, places.map(|place| frame_of[place.body]), points);
        }
        let Gathering { entries, pieces, .. } = all;
        let stiffness = SymmetricMatrix::from_entries(space.motions() * places.len(), entries);
        let structure = Structure::from_frames(space, places.clone(), &stiffness, pieces)
            .map_err(FrameFault::Structure)?;
        Ok(Frames { structure, frame_of: frame_of.to_vec(), origins: given.origins, axes: given.rotations })
    }

    /// Displacement by fields, and turn, three rows each, of a place that moves with a body.
    pub fn moved(&self, body: usize, place: &Vec3, fields: &DMatrix<f64>) -> DMatrix<f64> {
        let (n, axes) = (self.structure.space.motions(), self.structure.space.axes());
        let frame = self.frame_of[body];
        let own = fields.rows(n * frame, n);
        let arm = place - self.structure.places[frame];
        DMatrix::from_fn(3, fields.ncols(), |row, column| {
            let shift = if row < axes { own[(row, column)] } else { 0.0 };
            let turn = match n {
                3 => Vec3::new(0.0, 0.0, own[(2, column)]),
                _ => Vec3::new(own[(3, column)], own[(4, column)], own[(5, column)]),
            };
            shift + turn.cross(&arm)[row]
        })
    }
}
