//! The descriptor form: its methods give what the same formulas give in the state-space form, and its matrix is the
//! derivative of its residual.

use crate::common;

use common::{Random, random_body};
use kingpin::accel::Solver;
use kingpin::analysis::assemble;
use kingpin::dynamics::{Coordinates, Descriptor, Dynamics, Reduced, Saddle, Trouble};
use kingpin::element::driver::DrivenAngle;
use kingpin::element::force::Spring;
use kingpin::element::joint::{Distance, Revolute, Spherical, Universal};
use kingpin::integrate::{
    Begin, Control, EsdirkFormula, GeneralisedAlphaRule, HilberHughesTaylorRule, Implicit, IterationMatrix,
    Norm, RadauFormula, RosenbrockFormula, Sdirk15Formula, Sdirk16Formula, SecondOrder, StageWeights,
    Stepper, Tolerance, TrapezoidalRule,
};
use kingpin::model::{Body, Ends, Function, Model, Space, Vec3};
use kingpin::system::{State, System};

/// A body of a mechanism; the joints bring it into place.
fn body(name: &str, space: Space, at: [f64; 3], random: &mut Random) -> Body {
    let mut body = random_body(name, space, random);
    body.com = None;
    body.position = at.into();
    body.angular_velocity *= 0.3;
    body.velocity = Vec3::zeros();
    body
}

fn spring(model: &mut Model, name: &str, ends: Ends, stiffness: f64, damping: f64, length: f64) {
    model.force(name, ends, Spring { stiffness, damping, rest_length: Some(length), ..Spring::default() });
}

/// A five-bar loop with springs across: two degrees of freedom.
fn five_bar() -> Model {
    let (space, mut random) = (Space::Planar, Random::new(3));
    let mut model = Model::new("five bar", space);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let places = [[0.0, 0.5, 0.0], [0.6, 1.2, 0.0], [1.6, 1.2, 0.0], [2.0, 0.5, 0.0]];
    for (name, at) in ["a", "b", "c", "d"].iter().zip(places) {
        model.body(body(name, space, at, &mut random));
    }
    model.joint("A", Ends::at("ground", "a", [0.0, 0.0, 0.0]), Revolute {});
    model.joint("B", Ends::at("a", "b", [0.1, 1.0, 0.0]), Revolute {});
    model.joint("C", Ends::at("b", "c", [1.1, 1.5, 0.0]), Revolute {});
    model.joint("D", Ends::at("c", "d", [2.1, 1.0, 0.0]), Revolute {});
    model.joint("E", Ends::at("d", "ground", [2.0, 0.0, 0.0]), Revolute {});
    spring(&mut model, "s", Ends::points("a", [0.3, 0.2, 0.0], "c", [-0.2, 0.1, 0.0]), 200.0, 3.0, 0.7);
    spring(&mut model, "t", Ends::points("ground", [1.0, 0.0, 0.0], "c", [0.2, 0.3, 0.0]), 90.0, 2.0, 0.5);
    model
}

/// The same with a crank that speeds up: accelerations depend on time.
fn driven() -> Model {
    let mut model = five_bar();
    model.name = "driven five bar".into();
    let mut scope = kingpin::expr::Scope::new();
    scope.variable("t", 0, None);
    let motion = Function::Expr(kingpin::expr::parse("0.4*t + 1.5*t^2", &scope).expect("valid"));
    model.driver("crank", Ends::default(), DrivenAngle { joint: "A".into(), motion });
    model
}

/// A spatial loop of four bodies with a rod across.
fn spatial_loop() -> Model {
    let (space, mut random) = (Space::Spatial, Random::new(8));
    let mut model = Model::new("spatial loop", space);
    model.gravity = Vec3::new(0.5, -2.0, -9.0);
    let places = [[0.0, 0.5, 0.2], [0.6, 1.2, 0.1], [1.6, 1.2, 0.4], [2.0, 0.5, 0.0]];
    for (name, at) in ["a", "b", "c", "d"].iter().zip(places) {
        model.body(body(name, space, at, &mut random));
    }
    model.joint("A", Ends::at("ground", "a", [0.0, 0.0, 0.0]).axis([0.1, 0.2, 1.0]), Revolute {});
    model.joint("B", Ends::at("a", "b", [0.1, 1.0, 0.2]), Spherical {});
    let ends = Ends::at("b", "c", [1.1, 1.5, 0.3]).axes([1.0, 0.2, 0.0], [-0.2, 1.0, 0.1]);
    model.joint("C", ends, Universal {});
    model.joint("D", Ends::at("c", "d", [2.1, 1.0, 0.0]), Spherical {});
    model.joint("E", Ends::at("d", "ground", [2.0, 0.0, 0.0]).axis([0.3, 0.0, 1.0]), Revolute {});
    let rod = Ends::points("b", [0.2, 0.5, 0.1], "ground", [1.0, 2.5, 1.0]);
    model.joint("rod", rod, Distance::default());
    spring(&mut model, "s", Ends::points("a", [0.3, 0.2, 0.0], "c", [-0.2, 0.1, 0.4]), 200.0, 3.0, 0.7);
    spring(&mut model, "t", Ends::points("ground", [1.0, 0.0, 0.5], "c", [0.2, 0.3, 0.0]), 90.0, 2.0, 0.5);
    model
}

/// A mechanism to start from.
struct Setting {
    name: String,
    system: System,
    start: State,
    redundant: Vec<bool>,
    coordinates: Coordinates,
}

impl Setting {
    fn new(model: &Model) -> Self {
        let (system, _) = System::compile(model).unwrap_or_else(|findings| panic!("{findings:?}"));
        let assembly = assemble(&system).expect("the mechanism can be assembled");
        let redundant = assembly.diagnosis.redundant_rows;
        let (name, coordinates) = (model.name.clone(), Coordinates::Partition);
        Self { name, system, start: assembly.state, redundant, coordinates }
    }

    /// Three mechanisms, in both kinds of coordinates.
    fn all() -> [Self; 6] {
        let models = [five_bar(), driven(), spatial_loop()];
        std::array::from_fn(|k| {
            let coordinates = [Coordinates::Partition, Coordinates::Tangent][k / 3];
            Self { coordinates, ..Self::new(&models[k % 3]) }
        })
    }

    fn reduced(&self) -> Reduced<'_> {
        let mechanism = Dynamics::new(&self.system, &self.redundant, Solver::Elimination);
        let reduced = Reduced::in_coordinates(mechanism, &self.start, self.coordinates);
        let reduced = reduced.expect("the constraints are independent");
        assert!(reduced.dim() >= 1, "{}: {}", self.name, reduced.dim());
        reduced
    }

    fn descriptor(&self) -> Descriptor<'_> {
        Descriptor::new(self.reduced())
    }
}

/// The state at the start.
fn state_of(reduced: &Reduced) -> Vec<f64> {
    let mut y = vec![0.0; 2 * reduced.dim()];
    reduced.independent(&mut y);
    y
}

const END: f64 = 0.16;

/// Positions and velocities of all bodies after fixed steps, the coordinates kept.
fn after<'a, P, S>(problem: &mut P, of: fn(&mut P) -> &mut Reduced<'a>, start: &State, h: f64) -> Vec<f64>
where
    S: Stepper<P, Error = Trouble> + Begin,
{
    let y = &state_of(of(problem));
    let norm = Norm::uniform(y.len(), Tolerance::both(1e-10));
    let mut stepper = S::begin(norm, Control::fixed(h), 0.0, y, END);
    while !stepper.finished() {
        stepper.step(problem).expect("the step succeeds");
        of(problem).accept(stepper.t(), stepper.state()).expect("the state is consistent");
    }
    let mut state = start.clone();
    of(problem).write_state(&mut state);
    [state.q, state.v].concat()
}

/// The same in the state-space form and in the descriptor form.
macro_rules! after_both {
    ($formula:ty, $setting:expr, $h:expr) => {{
        let (start, setting): (&State, &Setting) = (&$setting.start, $setting);
        let plain = after::<_, Implicit<$formula, _>>(&mut setting.reduced(), |own| own, start, $h);
        let descriptor = &mut setting.descriptor();
        (plain, after::<_, Implicit<$formula, Saddle>>(descriptor, |own| &mut own.reduced, start, $h))
    }};
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
}

/// Up to what is left of the iterations: 0.003 of the tolerance per stage, of which the weights of SDIRK4/16 make up to
/// thirty times as much, in each of sixteen steps. Methods whose unknowns are no accelerations solve their linear
/// systems with the sparse matrix too.
#[test]
fn both_forms_give_the_same_solution() {
    for setting in &Setting::all() {
        let (h, name) = (0.01, &setting.name);
        let same = |of: &str, (plain, sparse): (Vec<f64>, Vec<f64>)| {
            let moved = distance(&setting.start.q, &plain);
            assert!(moved > 0.05, "{name} moves by {moved}");
            assert!(distance(&plain, &sparse) < 5e-10, "{name} {of}: {plain:?} {sparse:?}");
        };
        same("trapezoidal", after_both!(TrapezoidalRule, setting, h));
        // its lagging accelerations are consistent in one form only, where charts change from step to step
        if setting.system.dimensions() == 2 {
            same("hht", after_both!(HilberHughesTaylorRule, setting, h));
            same("gen-alpha", after_both!(GeneralisedAlphaRule, setting, h));
        }
        same("sdirk16", after_both!(Sdirk16Formula, setting, h));
        same("sdirk15", after_both!(Sdirk15Formula, setting, h));
        same("esdirk", after_both!(EsdirkFormula, setting, h));
        // its stages are corrected together, without a second look: in the plane they ask for shorter steps
        let short = if setting.coordinates == Coordinates::Tangent { 0.5 * h } else { h };
        same("radau", after_both!(RadauFormula, setting, short));
        same("rosenbrock", after_both!(RosenbrockFormula, setting, h));
    }
}

#[test]
fn observed_orders_are_2_and_4() {
    for setting in &Setting::all() {
        let n = setting.start.q.len();
        let order = |name: &str, h: f64| {
            let solve = |h: f64| match name {
                "sdirk16" => after_both!(Sdirk16Formula, setting, h).1,
                "gen-alpha" => after_both!(GeneralisedAlphaRule, setting, h).0,
                "sparse gen-alpha" => after_both!(GeneralisedAlphaRule, setting, h).1,
                _ => after_both!(TrapezoidalRule, setting, h).1,
            };
            let (coarse, middle, fine) = (solve(h), solve(h / 2.0), solve(h / 4.0));
            let ratio = |part: std::ops::Range<usize>| {
                (distance(&coarse[part.clone()], &middle[part.clone()])
                    / distance(&middle[part.clone()], &fine[part]))
                .log2()
            };
            (ratio(0..n), ratio(n..coarse.len()))
        };
        let alphas = [("gen-alpha", 0.01, 2.0), ("sparse gen-alpha", 0.01, 2.0)];
        for (name, h, expected) in
            [("trapezoidal", 0.01, 2.0), ("sdirk16", 0.02, 4.0)].into_iter().chain(alphas)
        {
            let (positions, velocities) = order(name, h);
            let near = |order: f64| (order - expected).abs() < 0.3;
            assert!(
                near(positions) && near(velocities),
                "{} {name}: {positions} {velocities} instead of {expected}",
                setting.name
            );
        }
    }
}

/// A correction from unknowns near the solution leads back to it up to the square of the distance: the matrix is the
/// derivative of the residual along positions and velocities that move with the accelerations.
#[test]
fn corrections_are_newtons() {
    for setting in &Setting::all() {
        let (name, state, problem) = (&setting.name, &setting.start, &mut setting.descriptor());
        let n = problem.dim();
        let mut random = Random::new(12);
        let matrix = &mut Saddle::new(n);
        for weights in
            [StageWeights { velocity: 0.03, ratio: 0.03 }, StageWeights { velocity: 0.2, ratio: 0.07 }]
        {
            for _ in 0..4 {
                // the matrix is that of a chart where it is based
                let reduced = &mut problem.reduced;
                reduced.start(state);
                let (mut y, mut near) = (state_of(reduced), state.clone());
                y[..n].iter_mut().for_each(|x| *x += 0.02 * random.signed());
                y[n..].iter_mut().for_each(|x| *x += 2.0 * random.signed());
                reduced.recover_at(0.0, &y).unwrap();
                reduced.write_state(&mut near);
                reduced.start(&near);
                y = state_of(reduced);
                let (v, vdot) = (y[..n].to_vec(), y[n..].to_vec());
                let mut a = vec![0.0; problem.unknowns()];
                problem.acceleration(0.0, &v, &vdot, &mut a).unwrap();
                problem.linearise(0.0, &v, &vdot, matrix).unwrap();
                matrix.factor(weights).unwrap();
                let left = problem.residual(matrix, (0.0, &v, &vdot), &a).unwrap();
                assert!(distance(left, &vec![0.0; left.len()]) < 1e-9, "{name}: {left:?}");
                let delta: Vec<f64> = a.iter().map(|x| 1e-4 * (1.0 + x.abs()) * random.signed()).collect();
                let mut correction = |sign: f64| {
                    let moved = |x: &[f64], weight: f64| -> Vec<f64> {
                        x.iter().zip(&delta).map(|(x, d)| x + sign * weight * d).collect()
                    };
                    let (v, vdot) = (moved(&v, weights.position()), moved(&vdot, weights.velocity));
                    let mut da = vec![0.0; a.len()];
                    problem.correct(matrix, (0.0, &v, &vdot), &moved(&a, 1.0), &mut da).unwrap();
                    da
                };
                let (plus, minus) = (correction(1.0), correction(-1.0));
                for i in 0..a.len() {
                    let difference = 0.5 * (plus[i] - minus[i]);
                    let scale = 1e-4 * (1.0 + a.iter().fold(0.0, |m: f64, x| m.max(x.abs())));
                    let error = (difference + delta[i]).abs() / scale;
                    assert!(error < 1e-6, "{name} unknown {i}: {difference:e} {:e} ({error:e})", delta[i]);
                }
            }
        }
    }
}
