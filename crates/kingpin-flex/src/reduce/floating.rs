//! A reduced body in a frame that follows it in the mean, ready to move in mechanisms.

use super::moments::{Mixed, Moments, cross, spun, twist};
use super::{Frame, Superelement};
use crate::FlexError;
use crate::mesh::Space;
use nalgebra::{Cholesky, DMatrix, DVector, Dyn, Matrix3, SymmetricEigen, Vector3};

/// A frame that others hold, in the body of [`Floating`].
#[derive(Clone, Debug, PartialEq)]
pub struct FloatingFrame {
    /// Name of the interface.
    pub name: String,
    /// Whether it turns; it is a point if not.
    pub turns: bool,
    /// Where it is in the undeformed body.
    pub place: Vector3<f64>,
    /// The mass that it has of the body.
    pub mass: f64,
    /// The inertia that it has of the body, about any axis.
    pub inertia: f64,
    /// Its displacement and turn, six rows, by the amplitudes.
    pub motion: DMatrix<f64>,
}

/// A flexible body by amplitudes of fields that are at right angles to rigid motions and to each other, in the metrics of
/// mass and stiffness. Each interface has a part of its mass, which moves with its frame; the numbers are those of the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Floating {
    /// Mass.
    pub mass: f64,
    /// Its centre.
    pub centre: Vector3<f64>,
    /// Inertia about the centre.
    pub inertia: Matrix3<f64>,
    /// Mass of each amplitude.
    pub masses: Vec<f64>,
    /// Stiffness of each amplitude.
    pub stiffness: Vec<f64>,
    /// Damping between amplitudes if all modes of the whole free body have that of critical damping.
    pub damping: DMatrix<f64>,
    /// J1_j about the centre.
    pub first: Vec<Matrix3<f64>>,
    /// J2_ij at `i * amplitudes + j`.
    pub second: Vec<Matrix3<f64>>,
    /// Angular momentum about the centre by amplitude i and the rate of j.
    pub turning: Vec<Vector3<f64>>,
    /// `G` and the amplitudes of a unit stretch between two interfaces, with least strain energy.
    pub foreshortening: Option<(DMatrix<f64>, DVector<f64>)>,
    /// Its interfaces.
    pub frames: Vec<FloatingFrame>,
    /// Frequencies of the whole body, free, in Hz.
    pub hertz: Vec<f64>,
    /// Mass of the whole body.
    pub whole_mass: f64,
    /// The fields of the superelement that each field is made of.
    pub amounts: DMatrix<f64>,
    /// The rigid motion, translation and turn about the origin, that each field has besides.
    pub rigid: DMatrix<f64>,
}

fn cholesky(matrix: DMatrix<f64>) -> Result<Cholesky<f64, Dyn>, FlexError> {
    Cholesky::new(matrix).ok_or(FlexError::ModesDepend { mode: 1 })
}

/// Rigid motions that a space has, among six.
fn rigid_rows(space: Space) -> &'static [usize] {
    match space {
        Space::Plane => &[0, 1, 5],
        Space::Solid => &[0, 1, 2, 3, 4, 5],
    }
}

/// Displacement and turn of a frame by unit rigid motions about the origin.
fn carried(place: &Vector3<f64>, turns: bool) -> DMatrix<f64> {
    let arm = cross(place);
    DMatrix::from_fn(6, 6, |i, j| match (i < 3, j < 3) {
        (true, true) => f64::from(u8::from(i == j)),
        (true, false) => -arm[(i, j - 3)],
        (false, true) => 0.0,
        (false, false) => f64::from(u8::from(i == j && turns)),
    })
}

/// Fields without rigid motions in them: how they are made of those of a superelement, and their rigid parts.
struct Elastic {
    amounts: DMatrix<f64>,
    rigid: DMatrix<f64>,
    mass: DMatrix<f64>,
    stiffness: DMatrix<f64>,
}

impl Elastic {
    fn of(body: &Superelement, moments: &Moments, complement: &DMatrix<f64>) -> Result<Elastic, FlexError> {
        let rows = rigid_rows(body.space);
        let (own, with_rigid) = moments.masses();
        let (own, with_rigid) = (complement.tr_mul(&(own * complement)), with_rigid * complement);
        let of_rigid = moments.rigid().select_rows(rows).select_columns(rows);
        let chosen = with_rigid.select_rows(rows);
        let solved = cholesky(of_rigid)?.solve(&chosen);
        let mass = symmetric(own - chosen.tr_mul(&solved));
        let mut rigid = DMatrix::zeros(6, complement.ncols());
        rows.iter().enumerate().for_each(|(k, &row)| rigid.set_row(row, &(-solved.row(k))));
        let stiffness = symmetric(complement.tr_mul(&(&body.stiffness * complement)));
        Ok(Elastic { amounts: complement.clone(), rigid, mass, stiffness })
    }

    /// Squares of frequencies, increasing, and vectors with unit mass. The slowest are the most accurate.
    fn modes(&self) -> Result<(Vec<f64>, DMatrix<f64>), FlexError> {
        let stiff = cholesky(self.stiffness.clone())?;
        let l = stiff.l();
        let solve = |x: &DMatrix<f64>| l.solve_lower_triangular(x).unwrap_or_else(|| x.clone());
        let half = solve(&self.mass);
        let eigen = SymmetricEigen::new(symmetric(solve(&half.transpose())));
        let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        if let Some(k) = order.iter().position(|&k| eigen.eigenvalues[k] <= 0.0) {
            return Err(FlexError::ModesDepend { mode: k + 1 });
        }
        let squares = order.iter().map(|&k| 1.0 / eigen.eigenvalues[k]).collect();
        let sorted = eigen.eigenvectors.select_columns(&order);
        let mut vectors = l.tr_solve_lower_triangular(&sorted).unwrap_or(sorted);
        for (k, &from) in order.iter().enumerate() {
            vectors.column_mut(k).scale_mut(1.0 / eigen.eigenvalues[from].sqrt());
        }
        Ok((squares, vectors))
    }

    /// Motions of a frame by the fields.
    fn motion(&self, frame: &Frame) -> DMatrix<f64> {
        &frame.motion * &self.amounts + carried(&frame.place, frame.turns) * &self.rigid
    }
}

fn symmetric(a: DMatrix<f64>) -> DMatrix<f64> {
    (&a + a.transpose()) * 0.5
}

impl Superelement {
    /// The body in a frame that follows it in the mean. O(amplitudes^3)
    ///
    /// # Errors
    /// Fields that depend on each other.
    pub fn floating(&self) -> Result<Floating, FlexError> {
        let mut moments = Moments::of(&self.invariants);
        let complement = self.complement();
        let whole = Elastic::of(self, &moments, &complement)?;
        let shares = self.shares(&moments, &complement)?;
        for (frame, [mass, inertia]) in self.frames.iter().zip(&shares) {
            let spread = Matrix3::identity() * (-0.5 * inertia);
            moments.add_body(-mass, &spread, &frame.place, &frame.motion);
        }
        let rest = Elastic::of(self, &moments, &complement)?;
        let (squares, mut vectors) = rest.modes()?;
        // amplitudes are the largest displacements of nodes; those of beams that twist, whose nodes stay where they are,
        // displacements in the mean of the mass: fields have unit mass before
        let in_the_mean = 1.0 / moments.mass.sqrt();
        let amounts = &rest.amounts * &vectors;
        let rigid = &rest.rigid * &vectors;
        for k in 0..squares.len() {
            let most = self.largest(&amounts.column(k).into_owned(), &rigid.column(k).into_owned());
            vectors.column_mut(k).scale_mut(1.0 / most.max(in_the_mean));
        }
        let made = Made { amounts: &rest.amounts * &vectors, rigid: &rest.rigid * &vectors };
        let masses: Vec<f64> = vectors.column_iter().map(|x| x.dot(&(&rest.mass * x))).collect();
        let stiffness: Vec<f64> = squares.iter().zip(&masses).map(|(square, m)| square * m).collect();
        let (hertz, damping) = damping(&whole, &vectors)?;
        let frames: Vec<FloatingFrame> = (self.frames.iter().zip(&shares))
            .map(|(frame, [mass, inertia])| FloatingFrame {
                name: frame.name.clone(),
                turns: frame.turns,
                place: frame.place,
                mass: *mass,
                inertia: *inertia,
                motion: &frame.motion * &made.amounts + carried(&frame.place, frame.turns) * &made.rigid,
            })
            .collect();
        let foreshortening = self.shortening(&made, &frames, &stiffness);
        let body = made.moments(&moments);
        let n = masses.len();
        let all = || (0..n * n).map(|k| body.at(k / n + 1, k % n + 1));
        Ok(Floating {
            mass: body.mass,
            centre: moments.first[0] / moments.mass,
            inertia: body.inertia(),
            masses,
            stiffness,
            damping,
            first: (1..=n).map(|j| spun(body.at(j, 0)) * 2.0).collect(),
            second: all().map(spun).collect(),
            turning: all().map(twist).collect(),
            foreshortening,
            frames,
            hertz,
            whole_mass: self.invariants.mass,
            amounts: made.amounts,
            rigid: made.rigid,
        })
    }

    /// A basis of the amplitudes without those of rigid motions. Interfaces that are held one by one determine these.
    fn complement(&self) -> DMatrix<f64> {
        let n = self.mass.nrows();
        if self.hertz.len() == n {
            return DMatrix::identity(n, n);
        }
        let rows = rigid_rows(self.space);
        let scale = self.mass.diagonal().map(|m| if m > 0.0 { m.sqrt() } else { 1.0 });
        let rigid = self.rigid_amplitudes().select_columns(rows);
        let scaled = DMatrix::from_fn(n, rigid.ncols(), |i, j| rigid[(i, j)] * scale[i]);
        let mut turned = DMatrix::identity(n, n);
        scaled.qr().q_tr_mul(&mut turned);
        let across = turned.rows(rigid.ncols(), n - rigid.ncols()).transpose();
        DMatrix::from_fn(n, across.ncols(), |i, j| across[(i, j)] / scale[i])
    }

    /// Mass and inertia that each interface can have, so that what is left of the body is half of it or more: with the
    /// mobility C of an interface, C^-1 is the most that can be taken there, and each takes its part of a half.
    fn shares(&self, moments: &Moments, complement: &DMatrix<f64>) -> Result<Vec<[f64; 2]>, FlexError> {
        let elastic = Elastic::of(self, moments, complement)?;
        let rows = rigid_rows(self.space);
        let of_rigid = cholesky(moments.rigid().select_rows(rows).select_columns(rows))?;
        let of_fields = cholesky(elastic.mass.clone())?;
        let part = 0.25 / self.frames.len() as f64;
        let share = |frame: &Frame| {
            let moved = elastic.motion(frame);
            let carried = carried(&frame.place, frame.turns).select_columns(rows);
            let mobility = &moved * of_fields.solve(&moved.transpose())
                + &carried * of_rigid.solve(&carried.transpose());
            let largest = |first: usize| {
                mobility.view((first, first), (3, 3)).into_owned().symmetric_eigenvalues().max()
            };
            [part / largest(0), if frame.turns { part / largest(3) } else { 0.0 }]
        };
        Ok(self.frames.iter().map(share).collect())
    }

    /// The largest displacement of the nodes kept.
    fn largest(&self, amounts: &DVector<f64>, rigid: &DVector<f64>) -> f64 {
        let field = &self.displacements * amounts;
        let (shift, turn) =
            (Vector3::new(rigid[0], rigid[1], rigid[2]), Vector3::new(rigid[3], rigid[4], rigid[5]));
        let each = field.as_slice().chunks(3).zip(&self.places);
        each.map(|(u, place)| (Vector3::from_column_slice(u) + shift + turn.cross(place)).norm())
            .fold(0.0, f64::max)
    }

    /// G over new fields and the amplitudes of a unit stretch, where interfaces are held one by one: then rigid motions
    /// are among the fields that G was made for.
    fn shortening(
        &self,
        made: &Made,
        frames: &[FloatingFrame],
        stiffness: &[f64],
    ) -> Option<(DMatrix<f64>, DVector<f64>)> {
        let g = self.foreshortening.as_ref().filter(|_| self.hertz.len() < self.mass.nrows())?;
        let [a, b] = frames else { return None };
        let whole = &made.amounts + self.rigid_amplitudes() * &made.rigid;
        let along = (b.place - a.place).normalize();
        let stretch = DVector::from_fn(stiffness.len(), |j, _| {
            (0..3).map(|k| along[k] * (b.motion[(k, j)] - a.motion[(k, j)])).sum::<f64>()
        });
        let yielding = DVector::from_fn(stiffness.len(), |j, _| stretch[j] / stiffness[j]);
        let unit = stretch.dot(&yielding);
        Some((symmetric(whole.tr_mul(&(g * &whole))), yielding / unit))
    }
}

/// How fields are made of those of a superelement and rigid motions.
struct Made {
    amounts: DMatrix<f64>,
    rigid: DMatrix<f64>,
}

impl Made {
    /// Moments of the fields, with places counted from the centre of mass.
    fn moments(&self, of: &Moments) -> Moments {
        let centre = of.first[0] / of.mass;
        let place =
            Mixed { amounts: vec![0.0; of.fields() - 1], turned: Matrix3::identity(), shift: -centre };
        let field = |j: usize| {
            let three = |row: usize| {
                Vector3::new(self.rigid[(row, j)], self.rigid[(row + 1, j)], self.rigid[(row + 2, j)])
            };
            Mixed {
                amounts: self.amounts.column(j).iter().copied().collect(),
                turned: cross(&three(3)),
                shift: three(0),
            }
        };
        let fields: Vec<Mixed> = std::iter::once(place).chain((0..self.amounts.ncols()).map(field)).collect();
        of.mixed(&fields)
    }
}

/// Frequencies of the whole body, and the damping matrix over vectors in its fields that is critical for all its modes.
fn damping(whole: &Elastic, vectors: &DMatrix<f64>) -> Result<(Vec<f64>, DMatrix<f64>), FlexError> {
    let (squares, modes) = whole.modes()?;
    let momenta = (&whole.mass * modes).tr_mul(vectors);
    let mut sum = DMatrix::zeros(vectors.ncols(), vectors.ncols());
    for (square, row) in squares.iter().zip(momenta.row_iter()) {
        sum += row.transpose() * row * (2.0 * square.sqrt());
    }
    let hertz = squares.iter().map(|square| square.sqrt() / std::f64::consts::TAU).collect();
    Ok((hertz, symmetric(sum)))
}
