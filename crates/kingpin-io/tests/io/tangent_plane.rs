//! The equations of motion in the tangent plane, in all coordinates: exact linearisations, steps and runs of every
//! shipped model.

use kingpin_testing::models;

use kingpin::accel::{Problem, Solver};
use kingpin::analysis::{assemble, length_scale};
use kingpin::dynamics::{
    Bordered, Dynamics, Matrices, Method, Settings, Unwatched, Whole, settle_at_equilibrium, simulate_with,
};
use kingpin::integrate::{
    Begin, Control, Implicit, IterationMatrix, Norm, Scheme, Sdirk15Formula, Sdirk16Formula, SecondOrder,
    Solution, StageWeights, Stepper, Tolerance, TrapezoidalRule,
};
use kingpin::model::Model;
use kingpin::system::{State, System};
use std::path::Path;

struct Random(u64);

impl Random {
    /// Between -1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

/// A model ready to move.
struct Ready {
    name: String,
    system: System,
    start: State,
    redundant: Vec<bool>,
    dof: usize,
}

impl Ready {
    fn read(path: &Path) -> Self {
        let loaded = kingpin_io::read_path(path, &Default::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        Self::of(&path.display().to_string(), &model)
    }

    fn of(name: &str, model: &Model) -> Self {
        let (system, _) = System::compile(model).unwrap_or_else(|findings| panic!("{findings:?}"));
        let assembly = assemble(&system).expect("assembled");
        let (redundant, dof) = (assembly.diagnosis.redundant_rows, assembly.diagnosis.dof);
        Self { name: name.into(), system, start: assembly.state, redundant, dof }
    }

    fn mechanism(&self) -> Dynamics<'_> {
        Dynamics::new(&self.system, &self.redundant, Solver::Elimination)
    }

    fn whole<const EXACT: bool>(&self) -> Whole<'_, EXACT> {
        Whole::new(self.mechanism(), &self.start).unwrap_or_else(|trouble| panic!("{}: {trouble}", self.name))
    }

    /// A consistent state that moves: a step on, with other velocities.
    fn moving(&self, random: &mut Random) -> State {
        let (mut whole, n) = (self.whole::<false>(), self.system.velocities());
        let mut y = vec![0.0; 2 * n];
        whole.coordinates(&mut y);
        let mut change = random.vector(2 * n);
        // amplitudes are stiff
        for v in self.system.amplitudes().map(|node| self.system.nodes[node].v) {
            change[v] *= 1e-3;
            change[n + v] *= 1e-3;
        }
        let (positions, rates) = change.split_at_mut(n);
        whole.flatten(positions);
        whole.flatten(rates);
        y[..n].iter_mut().zip(positions).for_each(|(y, x)| *y += 0.004 * *x);
        y[n..].iter_mut().zip(rates).for_each(|(y, x)| *y += 5.0 * *x);
        whole.take_over(self.start.t + 0.01, &y).unwrap_or_else(|trouble| panic!("{}: {trouble}", self.name));
        let mut state = self.start.clone();
        whole.write_state(&mut state);
        state
    }
}

fn size(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// What is tangent is so, is what it was if it already is, and is orthogonal to the rest in the metric of the form, in which
/// turns and amplitudes are heavy.
#[test]
fn tangent_parts_are_projections() {
    for path in models::all_shipped() {
        let ready = Ready::read(&path);
        let (mut random, n) = (Random(3), ready.system.velocities());
        let mut whole = ready.whole::<false>();
        let (x, y) = (random.vector(n), random.vector(n));
        let [mut tangent, mut other] = [x.clone(), y.clone()];
        whole.flatten(&mut tangent);
        whole.flatten(&mut other);
        let (mut again, scale) = (tangent.clone(), size(&tangent));
        whole.flatten(&mut again);
        let far = again.iter().zip(&tangent).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        assert!(far < 1e-8 * scale, "{}: {far:e} of {scale:e}", ready.name);
        let mut rates = vec![0.0; ready.system.joint_equations()];
        ready.system.jacobian_times(&whole.mechanism.work, &tangent, &mut rates);
        assert!(size(&rates) < 1e-8 * scale, "{}: {:e} of {scale:e}", ready.name, size(&rates));
        // (x - Px) W^-1 Py = 0
        let heavy = 1e6 * length_scale(&ready.system).powi(2);
        let mut weights: Vec<f64> =
            ready.system.nodes.turning().map(|turns| if turns { heavy } else { 1.0 }).collect();
        ready.system.amplitudes().for_each(|node| weights[ready.system.nodes[node].v] = 1e6);
        let terms = || (0..n).map(|c| (x[c] - tangent[c]) * weights[c] * other[c]);
        let (product, most) = (terms().sum::<f64>(), terms().map(f64::abs).sum::<f64>());
        // where all terms vanish, as at a clamp, beside the vectors themselves
        let norm = |x: &dyn Fn(usize) -> f64| (0..n).map(|c| weights[c] * x(c) * x(c)).sum::<f64>().sqrt();
        let sizes = norm(&|c| x[c] - tangent[c]) * norm(&|c| other[c]);
        let allowed = 1e-7 * most + 1e-13 * sizes;
        assert!(product.abs() <= allowed, "{}: {product:e} of {most:e}, {sizes:e}", ready.name);
        // of as many dimensions as there are freedoms
        let unit = |k: usize| (0..n).map(|c| f64::from(c == k)).collect::<Vec<f64>>();
        let trace: f64 = (0..n)
            .map(|k| {
                let mut e = unit(k);
                whole.flatten(&mut e);
                e[k]
            })
            .sum();
        assert!((trace - ready.dof as f64).abs() < 1e-7, "{}: {trace} of {}", ready.name, ready.dof);
    }
}

/// (I - g G) (dp, dv) = (ep, ev) with the exact matrix: dv - g times the change of accelerations along (dp, dv), by
/// differences, is ev.
#[test]
fn exact_matrices_are_the_derivatives_of_accelerations() {
    for path in models::all_shipped() {
        let ready = Ready::read(&path);
        if ready.dof == 0 {
            continue;
        }
        let (mut random, n) = (Random(11), ready.system.velocities());
        let state = ready.moving(&mut random);
        let mut whole = ready.whole::<true>();
        whole.begin(&state);
        let mut y = vec![0.0; 2 * n];
        whole.coordinates(&mut y);
        let mut matrix = Bordered::<true>::new(n);
        let (t, (x, xdot)) = (state.t, y.split_at(n));
        whole.linearise(t, x, xdot, &mut matrix).expect("linearised");
        for g in [1e-3, 0.03] {
            matrix.factor(StageWeights { velocity: g, ratio: g }).expect("regular");
            let mut right = random.vector(2 * n);
            let (ep, ev) = right.split_at_mut(n);
            // the second time for the digits that heavy turns cost the first one
            for _ in 0..2 {
                whole.flatten(ep);
                whole.flatten(ev);
            }
            let (ep, ev) = (ep.to_vec(), ev.to_vec());
            let mut solution = [ep.clone(), ev.clone()].concat();
            matrix.solve_first_order(&mut solution);
            let (dp, dv) = solution.split_at(n);
            let close =
                |a: &[f64], b: &[f64], scale: f64| a.iter().zip(b).all(|(a, b)| (a - b).abs() < scale);
            let moved: Vec<f64> = ep.iter().zip(dv).map(|(e, v)| e + g * v).collect();
            assert!(close(dp, &moved, 1e-12 * (1.0 + size(dp))), "{}", ready.name);
            // differences along the solution
            let epsilon = 1e-5 / size(dp).max(1e-3 * size(dv));
            let mut along = |sign: f64| {
                let at = |y: &[f64], d: &[f64]| -> Vec<f64> {
                    y.iter().zip(d).map(|(y, d)| y + sign * epsilon * d).collect()
                };
                let mut a = vec![0.0; n];
                whole.acceleration(t, &at(x, dp), &at(xdot, dv), &mut a).expect("accelerations");
                a
            };
            let (ahead, behind) = (along(1.0), along(-1.0));
            let mut change: Vec<f64> =
                ahead.iter().zip(&behind).map(|(a, b)| g * (a - b) / (2.0 * epsilon)).collect();
            whole.flatten(&mut change);
            whole.flatten(&mut change);
            // what is left of the equations, as an error of the solution: stiff parts magnify rounding errors in the former
            let left: Vec<f64> = (0..n).map(|c| dv[c] - change[c] - ev[c]).collect();
            let mut error = [vec![0.0; n], left].concat();
            matrix.solve_first_order(&mut error);
            let (far, scale) = (size(&error[n..]), size(dv));
            assert!(far < 1e-7 * scale, "{} at g = {g}: {far:e} of {scale:e}", ready.name);
        }
    }
}

/// One step of a formula: in the tangent plane, for which normal parts do not count, it satisfies the formula with the
/// accelerations that its own states have. So it is the step that any basis of the plane would give.
fn check_trapezoidal_step(ready: &Ready) {
    let (mut random, n) = (Random(5), ready.system.velocities());
    let state = ready.moving(&mut random);
    let mut whole = ready.whole::<false>();
    whole.begin(&state);
    let mut y0 = vec![0.0; 2 * n];
    whole.coordinates(&mut y0);
    let mut a0 = vec![0.0; n];
    whole.acceleration(state.t, &y0[..n], &y0[n..], &mut a0).expect("accelerations");
    // nodes of beams, moved at random by millimetres, would fly by metres in longer steps: 5e8 m/s^2 in `cable_swing`
    let h = f64::min(1e-4, (0.01 / size(&a0)).sqrt());
    let norm = Norm::uniform(2 * n, Tolerance::both(1e-6));
    let mut stepper: Implicit<TrapezoidalRule, Bordered<false>> =
        Begin::begin(norm, Control::fixed(h), state.t, &y0, state.t + h);
    stepper.step(&mut whole).unwrap_or_else(|_| panic!("{}", ready.name));
    whole.take_over(stepper.t(), stepper.state()).expect("recovered");
    let (mut y1, mut a1) = (vec![0.0; 2 * n], vec![0.0; n]);
    whole.coordinates(&mut y1);
    whole
        .acceleration(stepper.t(), stepper.state().split_at(n).0, stepper.state().split_at(n).1, &mut a1)
        .expect("accelerations");
    let formula = |c: usize| {
        let position = y1[c] - y0[c] - h * y0[n + c] - 0.25 * h * h * (a0[c] + a1[c]);
        [position, y1[n + c] - y0[n + c] - 0.5 * h * (a0[c] + a1[c])]
    };
    for k in 0..2 {
        let mut left: Vec<f64> = (0..n).map(|c| formula(c)[k]).collect();
        whole.flatten(&mut left);
        let scale = size(&y1[k * n..][..n]) + h * size(&a1);
        assert!(size(&left) < 1e-7 * scale, "{}: {:e} of {scale:e}", ready.name, size(&left));
    }
}

#[test]
fn steps_are_those_of_the_tangent_plane() {
    for path in models::all_shipped() {
        let ready = Ready::read(&path);
        if ready.dof > 0 {
            check_trapezoidal_step(&ready);
        }
    }
}

/// The end of a run with one kind of matrices.
fn end(ready: &Ready, method: Method, matrices: Matrices, tol: f64, t_end: f64) -> (State, usize) {
    let settings = Settings { method, matrices, ..Settings::new(tol, t_end) };
    let run = simulate_with(ready.mechanism(), &ready.start, &settings, &mut Unwatched);
    assert_eq!(run.state.t, t_end, "{} by {}: {:?}", ready.name, method.name(), run.end);
    (run.state, run.statistics.steps)
}

#[test]
fn runs_agree_with_those_of_dense_matrices() {
    let tol = 1e-5;
    for path in models::all_shipped() {
        let ready = Ready::read(&path);
        // beams ring, which explicit methods follow wave by wave
        let t_end = if models::is_flexible(&path) { 2e-4 } else { 0.03 };
        let (reference, _) = end(&ready, Method::Dop853, Matrices::Auto, 1e-11, t_end);
        let error = |state: &State| {
            let numbers = state.q.iter().zip(&reference.q);
            numbers.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs() / (1.0 + b.abs())))
        };
        let methods = [Method::SspTrap, Method::InflSdirk, Method::ForSdirk, Method::ForRosen];
        // where stiff beams turn, methods whose stages are of first order take as many steps as their coordinates make them
        let of_low_order = if models::is_flexible(&path) { 0 } else { methods.len() };
        for method in methods.into_iter().take(of_low_order).chain([Method::Esdirk, Method::Radau]) {
            let (dense, sparse) = (
                end(&ready, method, Matrices::Dense, tol, t_end),
                end(&ready, method, Matrices::Sparse, tol, t_end),
            );
            let [own, other] = [&sparse, &dense].map(|(state, _)| error(state));
            let name = format!("{} by {}", ready.name, method.name());
            assert!(own < 10.0 * tol.max(other), "{name}: {own:e}, dense {other:e}");
            assert!(sparse.1 < 2 * dense.1 + 10, "{name}: {} steps, dense {}", sparse.1, dense.1);
        }
    }
}

/// Over a bump, where stiff bushings are hit and attempts at long steps fail: what a failed attempt leaves, and what is
/// guessed of the next step, must not stand in the way of shorter ones.
#[test]
fn a_stiff_car_crosses_a_bump_with_either_kind() {
    let path = models::all_shipped().into_iter().find(|path| path.ends_with("hmmwv14_stiff.toml"));
    let ready = Ready::read(&path.unwrap_or_else(|| panic!("the car is shipped")));
    let problem = Problem::new(&ready.system, &ready.redundant);
    let settled = settle_at_equilibrium(&ready.system, &problem, &ready.start, Matrices::Auto);
    let (start, t_end) = (settled.unwrap_or_else(|why| panic!("{why}")).0, 1.4);
    let run = |method: Method, matrices: Matrices, tol: f64| {
        let settings = Settings { method, matrices, ..Settings::new(tol, t_end) };
        let run = simulate_with(ready.mechanism(), &start, &settings, &mut Unwatched);
        assert_eq!(run.state.t, t_end, "{} at {tol}: {:?}", method.name(), run.end);
        (run.state, run.statistics.steps)
    };
    let reference = run(Method::ForSdirk, Matrices::Dense, 1e-7).0;
    let methods = [Method::SspTrap, Method::InflSdirk, Method::ForSdirk, Method::ForRosen];
    for method in methods.into_iter().chain([Method::Esdirk, Method::Radau]) {
        for tol in [1e-2, 1e-3, 1e-4] {
            let [dense, sparse] =
                [Matrices::Dense, Matrices::Sparse].map(|matrices| run(method, matrices, tol));
            let name = format!("{} at {tol}", method.name());
            let far =
                sparse.0.q.iter().zip(&reference.q).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            assert!(far < 10.0 * tol, "{name}: {far:e}");
            assert!(sparse.1 < 2 * dense.1 + 10, "{name}: {} steps, dense {}", sparse.1, dense.1);
        }
    }
}

/// A planar chain of rods.
fn chain(rods: usize) -> Ready {
    let mut text = "space = \"planar\"\n".to_string();
    for k in 0..rods {
        let before = if k == 0 { "ground".into() } else { format!("rod{}", k - 1) };
        let end = if k == 0 { 0 } else { 1 };
        text += &format!(
            "[[body]]\nname = \"rod{k}\"\nmass = 1\ninertia = 0.1\ncom = [0.5, 0]\nposition = [{k}, 0]\n\
             [[joint]]\ntype = \"revolute\"\nname = \"hinge{k}\"\nbody1 = \"{before}\"\nbody2 = \"rod{k}\"\n\
             point1 = [{end}, 0]\npoint2 = [0, 0]\n"
        );
    }
    let loaded = kingpin_io::read_text("chain.toml", &text, "", &Default::default());
    Ready::of("chain", &loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)))
}

/// Small mechanisms keep dense matrices; long chains, and beams of many nodes, get sparse ones, and may be told otherwise.
#[test]
fn matrices_are_chosen_by_what_they_cost() {
    for path in models::all_shipped() {
        let ready = Ready::read(&path);
        assert_eq!(Matrices::Auto.is_sparse(&ready.mechanism()), ready.dof > 100, "{}", ready.name);
        assert!(Matrices::Sparse.is_sparse(&ready.mechanism()), "{}", ready.name);
    }
    assert!(!Matrices::Auto.is_sparse(&chain(99).mechanism()));
    for rods in [150, 2500] {
        let long = chain(rods);
        assert!(Matrices::Auto.is_sparse(&long.mechanism()), "{rods}");
        assert!(!Matrices::Dense.is_sparse(&long.mechanism()), "{rods}");
    }
}

/// Keeps the formulas on the list of what runs in all coordinates.
#[test]
fn other_formulas_take_a_step() {
    fn one<S: Scheme>(ready: &Ready) {
        let mut whole = ready.whole::<false>();
        let mut y = vec![0.0; 2 * ready.system.velocities()];
        whole.coordinates(&mut y);
        let norm = Norm::uniform(y.len(), Tolerance::both(1e-8));
        let mut stepper: Implicit<S, Bordered<false>> =
            Begin::begin(norm, Control::fixed(1e-3), ready.start.t, &y, ready.start.t + 1e-3);
        assert!(stepper.step(&mut whole).is_ok(), "{}", ready.name);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/four_bar.toml");
    let ready = Ready::read(&path);
    one::<Sdirk15Formula>(&ready);
    one::<Sdirk16Formula>(&ready);
}
