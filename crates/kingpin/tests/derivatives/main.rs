//! Every derivative of every element against dual numbers, at random states away from the constraints.

#[path = "../common/mod.rs"]
mod common;
mod points;

use common::{Random, base_model, random_ends, random_values};
use kingpin::element::driver::DriverKind;
use kingpin::element::force::{AppliedForce, ForceKind};
use kingpin::element::joint::JointKind;
use kingpin::element::road::{BumpRoad, ExpressionRoad, RoadKind, TableRoad};
use kingpin::element::switch::Gauge;
use kingpin::expr::{Curve, Extrapolate, Scope, parse};
use kingpin::model::{EndsKind, Event, Function, Model, Space, Vec3};
use kingpin::scalar::{Dual, Scalar};
use kingpin::spatial::euler;
use kingpin::system::{Derivatives, System, Work};

type D1 = Dual<f64>;
type D2 = Dual<D1>;

const STATES: usize = 100;
const TOLERANCE: f64 = 1e-10;

/// A dense matrix with a name, for comparison.
struct Matrix {
    rows: usize,
    columns: usize,
    data: Vec<f64>,
}

impl Matrix {
    fn new(rows: usize, columns: usize) -> Matrix {
        Matrix { rows, columns, data: vec![0.0; rows * columns] }
    }
    fn from_columns(columns: Vec<Vec<f64>>) -> Matrix {
        let rows = columns.first().map_or(0, Vec::len);
        let mut m = Matrix::new(rows, columns.len());
        for (j, column) in columns.iter().enumerate() {
            for (i, x) in column.iter().enumerate() {
                m.data[i * m.columns + j] = *x;
            }
        }
        m
    }
    fn vector(data: Vec<f64>) -> Matrix {
        Matrix { rows: data.len(), columns: 1, data }
    }
}

fn compare(what: &str, closed: &Matrix, dual: &Matrix) {
    assert_eq!((closed.rows, closed.columns), (dual.rows, dual.columns), "{what}: shape");
    let size = dual.data.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for i in 0..closed.rows {
        for j in 0..closed.columns {
            let (a, b) = (closed.data[i * closed.columns + j], dual.data[i * closed.columns + j]);
            assert!(
                (a - b).abs() <= TOLERANCE * size.max(1e-3),
                "{what}: entry ({i}, {j}) is {a}, dual numbers say {b} (largest entry {size})"
            );
        }
    }
}

/// Blocks of the layout as a dense matrix, normalisation rows appended.
fn dense_rows(system: &System, blocks: &[f64], normalisation: impl Fn(usize) -> [f64; 4]) -> Matrix {
    let mut m = Matrix::new(system.constraints(), system.coordinates());
    for block in &system.layout.blocks {
        let first = system.layout.groups[block.group].rows.start;
        for r in 0..block.rows {
            for (k, x) in system.nodes.q(block.body).zip(&blocks[block.row_q(r)]) {
                m.data[(first + r) * m.columns + k] = *x;
            }
        }
    }
    for (number, body) in system.nodes.normalised().enumerate() {
        let row = system.joint_equations() + number;
        for (k, x) in normalisation(number).iter().enumerate() {
            m.data[row * m.columns + system.nodes[body].q + 3 + k] = *x;
        }
    }
    m
}

/// Blocks of the layout in velocities as a dense matrix.
fn dense_velocity_rows(system: &System, blocks: &[f64]) -> Matrix {
    let mut m = Matrix::new(system.joint_equations(), system.velocities());
    for block in &system.layout.blocks {
        let first = system.layout.groups[block.group].rows.start;
        for r in 0..block.rows {
            m.data[(first + r) * m.columns..][block.columns()].copy_from_slice(&blocks[block.row(r)]);
        }
    }
    m
}

fn dense_pairs(system: &System, pairs: &[f64]) -> Matrix {
    let n = system.coordinates();
    let mut m = Matrix::new(n, n);
    // the mass has the diagonal pairs alone, unless it couples bodies
    for pair in system.layout.pairs.iter().filter(|pair| pair.at_q < pairs.len()) {
        let ([rows, columns], [a, b]) = (pair.nq, pair.bodies.map(|body| system.nodes[body].q));
        for i in 0..rows {
            for j in 0..columns {
                m.data[(a + i) * n + b + j] += pairs[pair.at_q + i * columns + j];
            }
        }
    }
    m
}

/// A random instant: coordinates need satisfy nothing, Euler parameters are not even of unit length.
struct Instant {
    t: f64,
    q: Vec<f64>,
    qdot: Vec<f64>,
    qddot: Vec<f64>,
    lam: Vec<f64>,
}

fn instant(system: &System, random: &mut Random) -> Instant {
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
fn work_at(system: &System, x: &Instant) -> Work {
    let mut work = system.work();
    let v = vec![0.0; system.velocities()];
    system.set(&mut work, x.t, &x.q, &v);
    for (node, body) in system.nodes.iter().zip(&mut work.bodies) {
        let rates = &x.qdot[node.q()];
        let d = system.dimensions();
        body.rdot[..d].copy_from_slice(&rates[..d]);
        body.pdot[..node.nq - d].copy_from_slice(&rates[d..]);
        if d == 2 && node.turns() {
            body.w[0] = rates[2];
        }
    }
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

fn check_constraints(system: &System, what: &str, x: &Instant, work: &Work, d: &Derivatives) {
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

fn check_forces(system: &System, what: &str, x: &Instant, work: &Work, d: &Derivatives) {
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
fn check_velocity_form(system: &System, what: &str, pieces: &[u8], random: &mut Random) {
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
    system.add_inertance_forces(&work, &vec![0.0; v.len()], &mut closed);
    closed.iter_mut().zip(&work.force).for_each(|(out, force)| *out = force - *out);
    compare(&name("force in velocities"), &Matrix::vector(closed), &Matrix::vector(projected));
}

/// The gauntlet: a model with one more element, at many states.
fn gauntlet(what: &str, random: &mut Random, build: impl FnMut(&mut Random) -> Model) {
    gauntlet_of(STATES, what, random, build);
}

fn gauntlet_of(states: usize, what: &str, random: &mut Random, mut build: impl FnMut(&mut Random) -> Model) {
    for round in 0..states {
        let model = build(random);
        let (system, _) = System::compile(&model).unwrap_or_else(|e| panic!("{what}: {e:#?}"));
        let what = format!("{what}, state {round}");
        let x = instant(&system, random);
        let mut work = work_at(&system, &x);
        let mut d = system.derivatives();
        system.evaluate_derivatives(&work, &x.qddot, &x.lam, &mut d);
        check_constraints(&system, &what, &x, &work, &d);
        for pieces in combinations(&system) {
            work.pieces.copy_from_slice(&pieces);
            let what = format!("{what}, pieces {pieces:?}");
            system.evaluate_derivatives(&work, &x.qddot, &x.lam, &mut d);
            check_forces(&system, &what, &x, &work, &d);
            check_velocity_form(&system, &what, &pieces, random);
        }
    }
}

/// All combinations of pieces of all switches.
fn combinations(system: &System) -> Vec<Vec<u8>> {
    let mut all = vec![vec![]];
    for switch in &system.switches {
        let pieces = if matches!(switch.gauge, Gauge::Contact(_)) { 0..2 } else { 0..3 };
        all = all
            .iter()
            .flat_map(|some: &Vec<u8>| pieces.clone().map(|p| [&some[..], &[p]].concat()))
            .collect();
    }
    all
}

fn bodies(random: &mut Random) -> [&'static str; 2] {
    [["a", "b"], ["ground", "b"], ["b", "ground"], ["c", "a"]][random.below(4)]
}

const SPACES: [Space; 2] = [Space::Planar, Space::Spatial];

#[test]
fn every_joint() {
    for space in SPACES {
        for entry in JointKind::LIST {
            let blank = (entry.blank)();
            if !blank.element().spaces().contain(space) {
                continue;
            }
            let mut random = Random::new(17);
            gauntlet(&format!("joint {} ({space:?})", entry.tag), &mut random, |random| {
                let mut model = base_model(space, random);
                let mut values = random_values((entry.fields)(), space, random);
                let kind = (entry.build)(&mut values).expect("all fields");
                let mut on = bodies(random);
                if blank.element().ends() == kingpin::model::EndsKind::One {
                    on = ["a", "b"];
                }
                let ends = random_ends(kind.element().ends(), on, space, random);
                model.joint("element", ends, kind);
                model
            });
        }
    }
}

#[test]
fn every_driver() {
    for space in SPACES {
        for entry in DriverKind::LIST {
            let mut random = Random::new(23);
            gauntlet(&format!("driver {} ({space:?})", entry.tag), &mut random, |random| {
                let mut model = base_model(space, random);
                let mut values = random_values((entry.fields)(), space, random);
                for (name, value) in &mut values {
                    if *name == "joint" {
                        let joint = if entry.tag == "displacement" { "slide" } else { "hinge1" };
                        *value = kingpin::model::value::Value::Text(joint.into());
                    }
                }
                let kind = (entry.build)(&mut values).expect("all fields");
                let ends = random_ends(kind.element().ends(), ["c", "a"], space, random);
                model.driver("element", ends, kind);
                model
            });
        }
    }
}

#[test]
fn every_force() {
    for space in SPACES {
        for entry in ForceKind::LIST {
            let mut random = Random::new(31);
            gauntlet(&format!("force {} ({space:?})", entry.tag), &mut random, |random| {
                let mut model = base_model(space, random);
                model.road("road", random_road(random));
                let mut values = random_values((entry.fields)(), space, random);
                let kind = (entry.build)(&mut values).expect("all fields");
                let on_joint = values_have_joint(&kind);
                let ends_kind = kind.element().ends();
                let on = if ends_kind == kingpin::model::EndsKind::One { ["a", "b"] } else { bodies(random) };
                let ends =
                    if on_joint { Default::default() } else { random_ends(ends_kind, on, space, random) };
                model.force("element", ends, kind);
                model
            });
        }
    }
}

fn values_have_joint(kind: &ForceKind) -> bool {
    kind.values().iter().any(|(name, _)| *name == "joint")
}

fn random_road(random: &mut Random) -> RoadKind {
    match random.below(3) {
        // wheels are on it, beside it, and where the tangent takes over from the arc
        0 => BumpRoad { centre: 0.0, radius: random.between(0.3, 2.0), wheel_radius: 0.5 }.into(),
        1 => {
            let y = random.vector(5);
            let x = vec![-3.0, -1.0, 0.2, 1.5, 3.0];
            TableRoad { points: Curve::new(x, y, Extrapolate::Linear).expect("a valid curve") }.into()
        }
        _ => {
            let mut scope = Scope::new();
            scope.variable("x", 0, None);
            let height = Function::Expr(parse("0.2*sin(3*x) + 0.1*x", &scope).expect("valid"));
            ExpressionRoad { height }.into()
        }
    }
}

#[test]
fn forces_that_events_switch() {
    for (space, direction) in SPACES.into_iter().zip(["any", "falling"]) {
        let mut random = Random::new(41);
        gauntlet(&format!("{direction} event ({space:?})"), &mut random, |random| {
            let mut model = base_model(space, random);
            let function = |text: &str| {
                let mut scope = Scope::new();
                let names = ["t", "gap", "gap.rate", "turn", "turn.rate", "early", "on"];
                for (k, name) in names.into_iter().enumerate() {
                    scope.variable(name, k as u32, None);
                }
                Function::Expr(parse(text, &scope).expect("valid"))
            };
            let event = |name: &str, when: &str, action: &str| Event {
                name: name.into(),
                when: function(when),
                direction: direction.into(),
                action: action.into(),
            };
            model.event(event("early", "0.1 - t", "note"));
            model.event(event("on", "gap.rate - turn", "switch"));
            let magnitude = function("(1 + 3*on)*gap*turn.rate + sin(t)*on");
            let (direction, body_fixed) = (Vec3::new(0.6, 0.8, 0.0), random.below(2) == 0);
            let ends = random_ends(EndsKind::One, ["a", "b"], space, random);
            model.force("element", ends, AppliedForce { magnitude, direction, body_fixed });
            model
        });
    }
}
