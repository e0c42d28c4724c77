//! The equations by definition, for any scalar: what the closed forms are checked against.
//!
//! Slow and allocating; derivatives follow by dual numbers.

use super::{System, in_space};
use crate::element::basic::Basic;
use crate::element::equation::{Direction, EquationForm};
use crate::model::function::Function;
use crate::scalar::{Dual, Scalar};
use crate::spatial::{Coords, Pose};

impl System {
    /// Phi(q, t) of joints and drivers, then of the normalisations.
    pub fn phi<T: Scalar>(&self, t: T, q: &[T], turns: &[f64]) -> Vec<T> {
        in_space!(self.space, C => self.phi_in::<C, T>(t, q, turns))
    }

    /// Q(q, q', t): applied forces on given pieces, weight, quadratic velocity terms.
    pub fn generalised_force<T: Scalar>(
        &self,
        t: T,
        q: &[T],
        qdot: &[T],
        turns: &[f64],
        pieces: &[u8],
    ) -> Vec<T> {
        in_space!(self.space, C => self.force_by_definition::<C, T>(t, q, qdot, turns, pieces))
    }

    /// M(q) x.
    pub fn generalised_mass_times<T: Scalar>(&self, q: &[T], x: &[T], turns: &[f64]) -> Vec<T> {
        in_space!(self.space, C => self.momentum::<C, T>(q, x, turns))
    }

    fn poses<C: Coords, T: Scalar>(&self, q: &[T]) -> Vec<Pose<T>> {
        let mut all: Vec<Pose<T>> = self.nodes.iter().map(|node| pose::<C, T>(&q[node.q()])).collect();
        all.push(Pose { r: [T::zero(); 3], p: C::identity().map(T::from_f64) });
        all
    }

    fn phi_in<C: Coords, T: Scalar>(&self, t: T, q: &[T], turns: &[f64]) -> Vec<T> {
        let poses = self.poses::<C, T>(q);
        let two = |of: [usize; 2]| [&poses[of[0]], &poses[of[1]]];
        let mut phi = Vec::with_capacity(self.constraints());
        for numbered in &self.layout.equations {
            match &numbered.equation.form {
                EquationForm::Coincide(c) => phi.extend_from_slice(&c.value::<C, T>(two(c.bodies))[..C::D]),
                EquationForm::Single(b, Function::Constant(f)) => {
                    phi.push(b.value::<C, T>(two(b.bodies()), turns) - T::from_f64(*f));
                }
                EquationForm::Single(b, motion) => {
                    phi.push(b.value::<C, T>(two(b.bodies()), turns) - motion.eval(&[t]));
                }
                EquationForm::Held(b, slot) => {
                    phi.push(b.value::<C, T>(two(b.bodies()), turns) - T::from_f64(turns[*slot]));
                }
                EquationForm::Sum(terms, value) => {
                    let mut sum = T::from_f64(-*value);
                    for (k, b) in terms {
                        sum += b.value::<C, T>(two(b.bodies()), turns).scale(*k);
                    }
                    phi.push(sum);
                }
            }
        }
        if C::NORMALISED {
            for body in self.nodes.normalised() {
                let p = &poses[body].p;
                phi.push(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - T::one());
            }
        }
        phi
    }

    /// Gradient and rate of a basic function, coordinate by coordinate.
    fn gradient<C: Coords, T: Scalar>(
        &self,
        basic: &Basic,
        q: &[T],
        qdot: &[T],
        turns: &[f64],
    ) -> (T, T, Vec<(usize, T)>) {
        let of = basic.bodies();
        let lift = |seed: Option<usize>| -> [Pose<Dual<T>>; 2] {
            of.map(|body| {
                if body == self.bodies() {
                    return Pose { r: [Dual::zero(); 3], p: C::identity().map(Dual::<T>::from_f64) };
                }
                let coordinates: Vec<Dual<T>> = self
                    .nodes
                    .q(body)
                    .map(|k| Dual::new(q[k], if seed == Some(k) { T::one() } else { T::zero() }))
                    .collect();
                pose::<C, Dual<T>>(&coordinates)
            })
        };
        let at = |seed: Option<usize>| {
            let poses = lift(seed);
            basic.value::<C, Dual<T>>([&poses[0], &poses[1]], turns)
        };
        let mut rows = Vec::new();
        let mut rate = T::zero();
        for body in of {
            if body < self.bodies() {
                for k in self.nodes.q(body) {
                    let slope = at(Some(k)).d;
                    rate += slope * qdot[k];
                    rows.push((k, slope));
                }
            }
        }
        (at(None).re, rate, rows)
    }

    fn force_by_definition<C: Coords, T: Scalar>(
        &self,
        t: T,
        q: &[T],
        qdot: &[T],
        turns: &[f64],
        pieces: &[u8],
    ) -> Vec<T> {
        let mut force = self.inertial_force::<C, T>(q, qdot, turns);
        for (b, inertia) in self.inertia.iter().enumerate() {
            for k in 0..self.nodes[b].places {
                force[self.nodes[b].q + k] += T::from_f64(inertia.weight * self.gravity[k]);
            }
        }
        for term in &self.terms {
            let mut vars = vec![t];
            for basic in &term.inputs {
                let (value, rate, _) = self.gradient::<C, T>(basic, q, qdot, turns);
                vars.extend([value, rate]);
            }
            vars.extend(term.flags.iter().map(|flag| T::from_f64(flag.value(pieces, &self.given.inputs))));
            let strength = term.strength.eval(&vars, pieces);
            for (k, w) in self.direction_by_definition::<C, T>(&term.direction, q, qdot, turns) {
                force[k] += strength * w;
            }
        }
        self.beams_by_definition::<C, T>(q, qdot, &mut force);
        self.cells_by_definition(q, qdot, &mut force);
        self.floating_by_definition(q, qdot, &mut force);
        force
    }

    /// -sum w eps_q . C (eps + c eps') of all elements of beams.
    fn beams_by_definition<C: Coords, T: Scalar>(&self, q: &[T], qdot: &[T], force: &mut [T]) {
        for beam in &self.beams {
            let along = |rates: &dyn Fn(usize) -> T| {
                let lifted = |body: &usize| {
                    let own: Vec<Dual<T>> = self.nodes.q(*body).map(|k| Dual::new(q[k], rates(k))).collect();
                    pose::<C, Dual<T>>(&own)
                };
                let poses: Vec<Pose<Dual<T>>> = beam.bodies.iter().map(lifted).collect();
                beam.strains_by_definition::<C, Dual<T>>(&poses)
            };
            let moving = along(&|k| qdot[k]);
            for k in beam.bodies.iter().flat_map(|body| self.nodes.q(*body)) {
                let slopes = along(&|l| if k == l { T::one() } else { T::zero() });
                for (place, ((strain, weight), (slope, _))) in moving.iter().zip(&slopes).enumerate() {
                    for (row, slope) in beam.section(place).iter().zip(slope) {
                        for (c, e) in row.iter().zip(strain) {
                            force[k] -= slope.d * (e.re + e.d.scale(beam.damping)).scale(c * weight);
                        }
                    }
                }
            }
        }
    }

    fn direction_by_definition<C: Coords, T: Scalar>(
        &self,
        direction: &Direction,
        q: &[T],
        qdot: &[T],
        turns: &[f64],
    ) -> Vec<(usize, T)> {
        match direction {
            Direction::Along(basic, sign) => {
                let (_, _, rows) = self.gradient::<C, T>(basic, q, qdot, turns);
                rows.into_iter().map(|(k, w)| (k, w.scale(*sign))).collect()
            }
            Direction::BodyForce { body, .. } | Direction::Torque { body, .. } if *body == self.bodies() => {
                vec![]
            }
            Direction::BodyForce { body, s, dir } => {
                let (first, own) = (self.nodes[*body].q, self.nodes.q(*body));
                let f = C::rotate(&pose::<C, T>(&q[own.clone()]).p, dir);
                // virtual displacement of the point, coordinate by coordinate
                (0..own.len())
                    .map(|k| {
                        let lifted: Vec<Dual<T>> = (0..own.len())
                            .map(|l| Dual::new(q[first + l], if k == l { T::one() } else { T::zero() }))
                            .collect();
                        let pose = pose::<C, Dual<T>>(&lifted);
                        let turned = C::rotate(&pose.p, s);
                        let mut work = T::zero();
                        for d in 0..C::D {
                            work += (pose.r[d] + turned[d]).d * f[d];
                        }
                        (first + k, work)
                    })
                    .collect()
            }
            Direction::Torque { body, dir, body_fixed } => {
                let first = self.nodes[*body].q;
                if !C::NORMALISED {
                    return vec![(first + C::D, T::one())];
                }
                // w = 2 G p' in the axes of the body, 2 E p' in global axes: virtual power n . w
                let p = pose::<C, T>(&q[self.nodes.q(*body)]).p;
                let flip = if *body_fixed { T::one() } else { -T::one() };
                let rows = [
                    [-p[1], p[0], flip * p[3], -(flip * p[2])],
                    [-p[2], -(flip * p[3]), p[0], flip * p[1]],
                    [-p[3], flip * p[2], -(flip * p[1]), p[0]],
                ];
                (0..4)
                    .map(|k| {
                        let mut power = T::zero();
                        for d in 0..3 {
                            power += rows[d][k].scale(2.0 * dir[d]);
                        }
                        (first + C::D + k, power)
                    })
                    .collect()
            }
        }
    }

    /// T_q - d/dt T_q' at zero acceleration, from the kinetic energy T = 1/2 q'^T M(q) q'.
    fn inertial_force<C: Coords, T: Scalar>(&self, q: &[T], qdot: &[T], turns: &[f64]) -> Vec<T> {
        let n = q.len();
        let mut out = vec![T::zero(); n];
        for k in 0..n {
            // T_q: derivative of 1/2 q'^T M q' along coordinate k
            let lifted: Vec<Dual<T>> =
                (0..n).map(|l| Dual::new(q[l], if k == l { T::one() } else { T::zero() })).collect();
            let rates: Vec<Dual<T>> = qdot.iter().map(|x| Dual::new(*x, T::zero())).collect();
            let momentum = self.momentum::<C, Dual<T>>(&lifted, &rates, turns);
            let mut energy = T::zero();
            for l in 0..n {
                energy += (momentum[l] * rates[l]).d.scale(0.5);
            }
            out[k] = energy;
        }
        // M' q': derivative of the momentum along the motion
        let along: Vec<Dual<T>> = q.iter().zip(qdot).map(|(x, y)| Dual::new(*x, *y)).collect();
        let rates: Vec<Dual<T>> = qdot.iter().map(|x| Dual::new(*x, T::zero())).collect();
        for (out, change) in out.iter_mut().zip(self.momentum::<C, Dual<T>>(&along, &rates, turns)) {
            *out -= change.d;
        }
        out
    }

    fn momentum<C: Coords, T: Scalar>(&self, q: &[T], x: &[T], turns: &[f64]) -> Vec<T> {
        let mut out = Vec::with_capacity(q.len());
        for (inertia, node) in self.inertia.iter().zip(self.nodes.iter()) {
            let (q, x) = (&q[node.q()], &x[node.q()]);
            out.extend((0..node.places).map(|k| x[k].scale(inertia.mass)));
            if !node.turns() {
                continue;
            }
            if !C::NORMALISED {
                out.push(x[C::D].scale(inertia.tensor[0][0]));
                continue;
            }
            let p = &q[C::D..];
            let g = [[-p[1], p[0], p[3], -p[2]], [-p[2], -p[3], p[0], p[1]], [-p[3], p[2], -p[1], p[0]]];
            let gx: Vec<T> =
                g.iter().map(|row| (0..4).fold(T::zero(), |s, k| s + row[k] * x[C::D + k])).collect();
            let jgx: Vec<T> = inertia
                .tensor
                .iter()
                .map(|row| (0..3).fold(T::zero(), |s, k| s + gx[k].scale(row[k])))
                .collect();
            out.extend((0..4).map(|k| (0..3).fold(T::zero(), |s, d| s + g[d][k] * jgx[d]).scale(4.0)));
        }
        for inertance in &self.inertances {
            let (_, rate, rows) = self.gradient::<C, T>(&inertance.basic, q, x, turns);
            rows.into_iter().for_each(|(k, g)| out[k] += (rate * g).scale(inertance.amount));
        }
        self.add_floating_momentum::<C, T>(q, x, &mut out);
        out
    }
}

fn pose<C: Coords, T: Scalar>(q: &[T]) -> Pose<T> {
    let mut pose = Pose { r: [T::zero(); 3], p: C::identity().map(T::from_f64) };
    // a scalar is a place on the first axis
    let places = q.len().min(C::D);
    pose.r[..places].copy_from_slice(&q[..places]);
    // a point has the attitude of the ground
    if q.len() == C::NQ {
        pose.p[..C::K].copy_from_slice(&q[C::D..]);
    }
    pose
}
