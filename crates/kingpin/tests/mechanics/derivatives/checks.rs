//! Derivatives of one system at one instant against dual numbers.

use crate::derivatives::common::Random;
use crate::derivatives::dense::{Matrix, compare, dense_pairs, dense_rows, dense_velocity_rows};
use kingpin::scalar::{Dual, Scalar};
use kingpin::spatial::euler;
use kingpin::system::{Derivatives, System, Work};

type D1 = Dual<f64>;
type D2 = Dual<D1>;

/// A random instant: coordinates need satisfy nothing, Euler parameters are not even of unit length.
pub struct Instant {
    pub t: f64,
    pub q: Vec<f64>,
    pub qdot: Vec<f64>,
    pub qddot: Vec<f64>,
    pub lam: Vec<f64>,
}

pub fn instant(system: &System, random: &mut Random) -> Instant {
    let n = system.coordinates();
    Instant {
        t: random.signed(),
        q: random.vector(n).iter().map(|x| 1.5 * x).collect(),
        qdot: random.vector(n),
        qddot: random.vector(n),
        lam: random.vector(system.constraints()),
    }
}

/// The work at coordinates and rates that need not be related by angular velocities.
pub fn work_at(system: &System, x: &Instant) -> Work {
    let mut work = system.work();
    let v = vec![0.0; system.velocities()];
    system.set(&mut work, x.t, &x.q, &v);
    for (node, body) in system.nodes.iter().zip(&mut work.bodies) {
        let rates = &x.qdot[node.q()];
        let (moves, turns) = node.split(rates);
        body.rdot[..moves.len()].copy_from_slice(moves);
        body.pdot[..turns.len()].copy_from_slice(turns);
        if system.dimensions() == 2 && node.turns() {
            body.w[0] = rates[2];
        }
    }
    system.set_floating(&mut work);
    work
}

fn seeded(x: &[f64], k: usize) -> Vec<D1> {
    x.iter().enumerate().map(|(l, v)| Dual::new(*v, f64::from(u8::from(k == l)))).collect()
}

fn constant<T: Scalar>(x: &[f64]) -> Vec<T> {
    x.iter().map(|v| T::from_f64(*v)).collect()
}

/// Columns d(f)/dx_k of a vector function given on dual numbers.
fn columns(x: &[f64], f: impl Fn(&[D1]) -> Vec<D1>) -> Matrix {
    Matrix::from_columns((0..x.len()).map(|k| f(&seeded(x, k)).iter().map(|y| y.d).collect()).collect())
}

/// Phi_q u at coordinates q, by dual numbers over T.
fn phi_q_times<T: Scalar>(system: &System, turns: &[f64], t: f64, q: &[T], u: &[T]) -> Vec<T> {
    let lifted: Vec<Dual<T>> = q.iter().zip(u).map(|(q, u)| Dual::new(*q, *u)).collect();
    system.phi(Dual::from_f64(t), &lifted, turns).iter().map(|y| y.d).collect()
}

/// gamma = -d2/dtau2 Phi(q + q' tau, t + tau), by dual numbers over T.
fn gamma<T: Scalar>(system: &System, turns: &[f64], t: T, q: &[T], qdot: &[T]) -> Vec<T> {
    let lift = |x: T, u: T| Dual::new(Dual::new(x, u), Dual::new(u, T::zero()));
    let lifted: Vec<Dual<Dual<T>>> = q.iter().zip(qdot).map(|(q, u)| lift(*q, *u)).collect();
    system.phi(lift(t, T::one()), &lifted, turns).iter().map(|y| -y.d.d).collect()
}

pub fn check_constraints(system: &System, what: &str, x: &Instant, work: &Work, d: &Derivatives) {
    let (turns, t) = (&work.turns[..], x.t);
    let rows = |blocks: &[f64], f: &dyn Fn(usize) -> [f64; 4]| dense_rows(system, blocks, f);
    let n = |b: usize| &d.normalisation[b];
    let name = |quantity: &str| format!("{what}: {quantity}");
    compare(
        &name("Phi_q"),
        &rows(&d.phi_q, &|b| n(b).phi_p),
        &columns(&x.q, |q| system.phi(D1::from_f64(t), q, turns)),
    );
    compare(
        &name("(Phi_q q')_q"),
        &rows(&d.rate_q, &|b| n(b).rate_p),
        &columns(&x.q, |q| phi_q_times(system, turns, t, q, &constant(&x.qdot))),
    );
    compare(
        &name("(Phi_q q'')_q"),
        &rows(&d.acc_q, &|b| n(b).acc_p),
        &columns(&x.q, |q| phi_q_times(system, turns, t, q, &constant(&x.qddot))),
    );
    let mut closed = d.gamma.clone();
    closed.extend(d.normalisation.iter().map(|n| n.gamma));
    compare(&name("gamma"), &Matrix::vector(closed), &Matrix::vector(gamma(system, turns, t, &x.q, &x.qdot)));
    compare(
        &name("gamma_q"),
        &rows(&d.gamma_q, &|_| [0.0; 4]),
        &columns(&x.q, |q| gamma(system, turns, D1::from_f64(t), q, &constant(&x.qdot))),
    );
    compare(
        &name("gamma_q'"),
        &rows(&d.gamma_qdot, &|b| n(b).gamma_pdot),
        &columns(&x.qdot, |u| gamma(system, turns, D1::from_f64(t), &constant(&x.q), u)),
    );
    let dual_t: Vec<D2> = system.phi(Dual::variable(Dual::variable(t)), &constant(&x.q), turns);
    let m = system.joint_equations();
    compare(
        &name("Phi_t"),
        &Matrix::vector(d.phi_t.clone()),
        &Matrix::vector(dual_t[..m].iter().map(|y| y.d.re).collect()),
    );
    compare(
        &name("Phi_tt"),
        &Matrix::vector(d.phi_tt.clone()),
        &Matrix::vector(dual_t[..m].iter().map(|y| y.d.d).collect()),
    );
    let gamma_t = gamma(system, turns, D1::variable(t), &constant::<D1>(&x.q), &constant(&x.qdot));
    compare(
        &name("gamma_t"),
        &Matrix::vector(d.gamma_t.clone()),
        &Matrix::vector(gamma_t[..m].iter().map(|y| y.d).collect()),
    );
    // Phi_qt vanishes: motions are functions of time alone
    let mixed = columns(&x.q, |q| {
        let lifted: Vec<D2> = q.iter().map(|y| Dual::new(*y, D1::zero())).collect();
        system.phi(Dual::variable(D1::from_f64(t)), &lifted, turns).iter().map(|y| y.d).collect()
    });
    assert!(mixed.data.iter().all(|y| *y == 0.0), "{what}: Phi_qt");
    // (Phi_q^T lam)_q: gradient of lam . Phi, differentiated again
    let hessian = columns(&x.q, |q| {
        (0..q.len())
            .map(|k| {
                let lifted: Vec<D2> = q
                    .iter()
                    .enumerate()
                    .map(|(l, y)| Dual::new(*y, D1::from_f64(f64::from(u8::from(k == l)))))
                    .collect();
                let phi = system.phi(D2::from_f64(t), &lifted, turns);
                phi.iter().zip(&x.lam).fold(D1::zero(), |s, (y, lam)| s + y.d.scale(*lam))
            })
            .collect()
    });
    compare(&name("(Phi_q^T lam)_q"), &dense_pairs(system, &d.lam_q), &hessian);
}

pub fn check_forces(system: &System, what: &str, x: &Instant, work: &Work, d: &Derivatives) {
    let (turns, pieces, t) = (&work.turns[..], &work.pieces[..], x.t);
    let name = |quantity: &str| format!("{what}: {quantity}");
    compare(
        &name("Q"),
        &Matrix::vector(d.force.clone()),
        &Matrix::vector(system.generalised_force(t, &x.q, &x.qdot, turns, pieces)),
    );
    compare(
        &name("Q_q"),
        &dense_pairs(system, &d.force_q),
        &columns(&x.q, |q| system.generalised_force(D1::from_f64(t), q, &constant(&x.qdot), turns, pieces)),
    );
    compare(
        &name("Q_q'"),
        &dense_pairs(system, &d.force_qdot),
        &columns(&x.qdot, |u| system.generalised_force(D1::from_f64(t), &constant(&x.q), u, turns, pieces)),
    );
    let by_t =
        system.generalised_force(D1::variable(t), &constant::<D1>(&x.q), &constant(&x.qdot), turns, pieces);
    compare(
        &name("Q_t"),
        &Matrix::vector(d.force_t.clone()),
        &Matrix::vector(by_t.iter().map(|y| y.d).collect()),
    );
    compare(
        &name("(M q'')_q"),
        &dense_pairs(system, &d.mass_q),
        &columns(&x.q, |q| system.generalised_mass_times(q, &constant(&x.qddot), turns)),
    );
}

/// The form in velocities, at a state with unit Euler parameters.
pub fn check_velocity_form(system: &System, what: &str, pieces: &[u8], random: &mut Random) {
    let mut x = instant(system, random);
    for body in system.nodes.normalised() {
        let p = &mut x.q[system.nodes.q(body)][3..];
        let n = p.iter().map(|e| e * e).sum::<f64>().sqrt();
        p.iter_mut().for_each(|e| *e /= n);
    }
    let v = random.vector(system.velocities());
    let mut work = system.work();
    work.pieces.copy_from_slice(pieces);
    system.set(&mut work, x.t, &x.q, &v);
    system.evaluate_constraints(&mut work);
    system.evaluate_forces(&mut work);
    let (turns, m) = (work.turns.clone(), system.joint_equations());
    let name = |quantity: &str| format!("{what}: {quantity}");
    let phi = system.phi(x.t, &x.q, &turns);
    compare(&name("Phi"), &Matrix::vector(work.phi.clone()), &Matrix::vector(phi[..m].to_vec()));
    let rates = |v: &[f64]| {
        let mut out = vec![0.0; x.q.len()];
        system.rates(&x.q, v, &mut out);
        out
    };
    let phi_v = Matrix::from_columns(
        (0..v.len())
            .map(|k| {
                let unit: Vec<f64> = (0..v.len()).map(|l| f64::from(u8::from(k == l))).collect();
                phi_q_times(system, &turns, x.t, &x.q, &rates(&unit))[..m].to_vec()
            })
            .collect(),
    );
    compare(&name("Phi_v"), &dense_velocity_rows(system, &work.phi_v), &phi_v);
    // q'' at v' = 0: p'' = -1/4 (w.w) p
    let qdot = rates(&v);
    let mut qddot = vec![0.0; x.q.len()];
    for body in system.nodes.normalised() {
        let node = &system.nodes[body];
        let w2: f64 = v[node.v + 3..node.v + 6].iter().map(|w| w * w).sum();
        for k in node.q + 3..node.q + 7 {
            qddot[k] = -0.25 * w2 * x.q[k];
        }
    }
    let lift = |k: usize| D2::new(D1::new(x.q[k], qdot[k]), D1::new(qdot[k], qddot[k]));
    let lifted: Vec<D2> = (0..x.q.len()).map(lift).collect();
    let second = system.phi(D2::variable(D1::variable(x.t)), &lifted, &turns);
    compare(
        &name("gamma in velocities"),
        &Matrix::vector(work.gamma.clone()),
        &Matrix::vector(second[..m].iter().map(|y| -y.d.d).collect()),
    );
    let by_t = system.phi(D1::variable(x.t), &constant::<D1>(&x.q), &turns);
    compare(
        &name("nu"),
        &Matrix::vector(work.nu.clone()),
        &Matrix::vector(by_t[..m].iter().map(|y| -y.d).collect()),
    );
    // forces less inertia forces at v' = 0: the same virtual power in both forms
    let mut force = system.generalised_force(x.t, &x.q, &qdot, &turns, &work.pieces);
    let inertia = system.generalised_mass_times(&x.q, &qddot, &turns);
    force.iter_mut().zip(&inertia).for_each(|(f, m)| *f -= m);
    let mut projected = Vec::new();
    for node in system.nodes.iter() {
        let f = &force[node.q()];
        if node.nq == 7 {
            let p: [f64; 4] = std::array::from_fn(|k| x.q[node.q + 3 + k]);
            let turn = euler::g_times(&p, &[f[3], f[4], f[5], f[6]]);
            projected.extend_from_slice(&f[..3]);
            projected.extend(turn.map(|y| 0.5 * y));
        } else {
            projected.extend_from_slice(f);
        }
    }
    let mut closed = vec![0.0; v.len()];
    system.add_shared_inertia(&work, &vec![0.0; v.len()], &mut closed);
    closed.iter_mut().zip(&work.force).for_each(|(out, force)| *out = force - *out);
    compare(&name("force in velocities"), &Matrix::vector(closed), &Matrix::vector(projected));
}
