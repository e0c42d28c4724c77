//! Observed orders on a closed loop with a driven crank, a spring and a damper: step halving against a tight
//! reference, positions and velocities; and the orders of the error estimates.

use kingpin::accel::Solver;
use kingpin::analysis::assemble;
use kingpin::dynamics::{Bordered, Coordinates, Dynamics, Full, Linearising, Reduced, Whole};
use kingpin::integrate::{
    Adams, Begin, Control, DenseMatrix, Dop853, Dopri5, EsdirkFormula, GeneralisedAlphaRule, Implicit, Norm,
    RadauFormula, Rosenbrock, RosenbrockFormula, Scheme, Sdirk15, Sdirk15Formula, Sdirk16, Sdirk16Formula,
    SecondOrder, Solution, Stepper, Tolerance, Trapezoidal, TrapezoidalRule,
};
use kingpin::system::{State, System};

const FIVE_BAR: &str = r#"
name = "five_bar"
space = "planar"
gravity = [0, -9.81]

[[body]]
name = "crank"
mass = 1
inertia = 0.02
com = [0.1, 0]
angle = 1

[[body]]
name = "left"
mass = 1.3
inertia = 0.04
com = [0.2, 0]
position = [0.108, 0.168]
angle = 0.9

[[body]]
name = "right"
mass = 0.9
inertia = 0.03
com = [0.2, 0.03]
position = [0.75, 0.17]
angle = 2.4
angular_velocity = 1

[[body]]
name = "rocker"
mass = 1.1
inertia = 0.02
com = [0.1, 0]
position = [0.6, 0]
angle = 0.85

[[joint]]
type = "revolute"
name = "A"
body1 = "ground"
body2 = "crank"
point1 = [0, 0]
point2 = [0, 0]

[[joint]]
type = "revolute"
name = "B"
body1 = "crank"
body2 = "left"
point1 = [0.2, 0]
point2 = [0, 0]

[[joint]]
type = "revolute"
name = "C"
body1 = "left"
body2 = "right"
point1 = [0.45, 0]
point2 = [0.45, 0]

[[joint]]
type = "revolute"
name = "D"
body1 = "rocker"
body2 = "right"
point1 = [0.22, 0]
point2 = [0, 0]

[[joint]]
type = "revolute"
name = "E"
body1 = "ground"
body2 = "rocker"
point1 = [0.6, 0]
point2 = [0, 0]

[[driver]]
type = "angle"
name = "motor"
joint = "A"
motion = "1 + 1.5*t + 0.2*sin(4*t)"

[[force]]
type = "torsion-spring"
name = "spring"
body1 = "rocker"
body2 = "right"
stiffness = 12
damping = 0.3
rest_angle = 1.2
"#;

const T_END: f64 = 0.4;

struct Setting {
    system: System,
    start: State,
    redundant: Vec<bool>,
    coordinates: Coordinates,
}

impl Setting {
    fn new() -> Self {
        let loaded = kingpin_io::read_text("five_bar.toml", FIVE_BAR, "", &Default::default());
        let model = loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let (system, _) = System::compile(&model).unwrap();
        let assembly = assemble(&system).unwrap();
        let (redundant, coordinates) = (assembly.diagnosis.redundant_rows, Coordinates::Partition);
        Self { start: assembly.state, redundant, system, coordinates }
    }

    fn mechanism(&self) -> Dynamics<'_> {
        Dynamics::new(&self.system, &self.redundant, Solver::Elimination)
    }

    fn full(&self) -> Full<'_> {
        let mut full = Full::new(self.mechanism());
        self.system.set_state(&mut full.mechanism.work, &self.start);
        full
    }

    /// All coordinates and velocities at the end with an implicit method and steps of size `h`, and the
    /// estimated error of the first step.
    fn implicit<S>(&self, h: f64, make: fn(Norm, Control, f64, &[f64], f64) -> S) -> (Vec<f64>, f64)
    where
        S: for<'a> Stepper<Reduced<'a>, Error = kingpin::dynamics::Trouble>,
    {
        let reduced = Reduced::in_coordinates(self.mechanism(), &self.start, self.coordinates);
        let mut reduced = reduced.unwrap();
        let n = reduced.dim();
        let mut y = vec![0.0; 2 * n];
        reduced.independent(&mut y);
        let norm = Norm::uniform(2 * n, Tolerance { atol: 1e-11, rtol: 0.0 });
        let mut stepper = make(norm, Control::fixed(h), 0.0, &y, T_END);
        let mut estimate = None;
        while !stepper.finished() {
            let report = stepper.step(&mut reduced).unwrap();
            estimate.get_or_insert(report.error);
            reduced.accept(stepper.t(), stepper.state()).unwrap();
        }
        let mut end = self.start.clone();
        reduced.write_state(&mut end);
        ([end.q, end.v].concat(), estimate.unwrap())
    }

    /// The same in all coordinates, with sparse matrices.
    fn sparse<S: Scheme, const EXACT: bool>(&self, h: f64) -> (Vec<f64>, f64) {
        let mut whole = Whole::<EXACT>::new(self.mechanism(), &self.start).unwrap();
        let mut y = vec![0.0; 2 * self.system.velocities()];
        whole.coordinates(&mut y);
        let norm = Norm::uniform(y.len(), Tolerance { atol: 1e-11, rtol: 0.0 });
        let mut stepper: Implicit<S, Bordered<EXACT>> = Begin::begin(norm, Control::fixed(h), 0.0, &y, T_END);
        let mut estimate = None;
        while stepper.t() < T_END {
            let report = stepper.step(&mut whole).unwrap_or_else(|_| panic!("a step at {}", stepper.t()));
            estimate.get_or_insert(report.error);
            whole.take_over(stepper.t(), stepper.state()).unwrap();
        }
        let mut end = self.start.clone();
        whole.write_state(&mut end);
        ([end.q, end.v].concat(), estimate.unwrap())
    }

    fn explicit<S>(&self, h: f64, make: fn(Norm, Control, f64, &[f64], f64) -> S) -> (Vec<f64>, f64)
    where
        S: for<'a> Stepper<Full<'a>, Error = kingpin::dynamics::Trouble>,
    {
        let mut full = self.full();
        let y = [&self.start.q[..], &self.start.v[..]].concat();
        let norm = Norm::uniform(y.len(), Tolerance { atol: 1e-9, rtol: 0.0 });
        let mut stepper = make(norm, Control::fixed(h), 0.0, &y, T_END);
        let mut estimate = None;
        while !stepper.finished() {
            let report = stepper.step(&mut full).unwrap();
            estimate.get_or_insert(report.error);
        }
        (stepper.state().to_vec(), estimate.unwrap())
    }

    fn reference(&self) -> Vec<f64> {
        self.explicit(1e-3, |norm, control, t, y, end| Dop853::new(norm, Some(control), t, y, end)).0
    }
}

/// Observed order of positions and of velocities, and of the estimated error of a step.
fn orders(reference: &[f64], coarse: &(Vec<f64>, f64), fine: &(Vec<f64>, f64)) -> [f64; 3] {
    let n = reference.len() / 2;
    let error = |y: &[f64], range: std::ops::Range<usize>| {
        range.map(|i| (y[i] - reference[i]).abs()).fold(0.0, f64::max)
    };
    let order =
        |range: std::ops::Range<usize>| (error(&coarse.0, range.clone()) / error(&fine.0, range)).log2();
    [order(0..n), order(n..2 * n), (coarse.1 / fine.1).log2()]
}

fn near(observed: [f64; 3], expected: [f64; 3], name: &str) {
    println!("{name}: {observed:.2?}");
    // the estimate is that of a single step, further from its limit
    let good = |k: usize| (observed[k] - expected[k]).abs() < [0.3, 0.3, 0.45][k];
    assert!(good(0) && good(1) && good(2), "{name}: {observed:.2?} instead of {expected:?}");
}

#[test]
fn implicit_methods_have_their_orders() {
    for coordinates in [Coordinates::Partition, Coordinates::Tangent] {
        check_orders(&Setting { coordinates, ..Setting::new() });
    }
}

fn check_orders(setting: &Setting) {
    let reference = setting.reference();
    let (h, half) = (0.008, 0.004);
    let trapezoidal = [h, half].map(|h| setting.implicit(h, Trapezoidal::new));
    near(orders(&reference, &trapezoidal[0], &trapezoidal[1]), [2.0, 2.0, 2.0], "trapezoidal");
    let alpha = [h, half].map(|h| setting.implicit(h, begin::<GeneralisedAlphaRule>));
    // that of its first step knows less than those behind it
    near(orders(&reference, &alpha[0], &alpha[1]), [2.0, 2.0, 2.0], "generalised alpha");
    let sdirk = [h, half].map(|h| setting.implicit(h, Sdirk16::new));
    near(orders(&reference, &sdirk[0], &sdirk[1]), [4.0, 4.0, 4.0], "SDIRK4/16");
    let sdirk = [h, half].map(|h| setting.implicit(h, Sdirk15::new));
    near(orders(&reference, &sdirk[0], &sdirk[1]), [4.0, 4.0, 4.0], "SDIRK4/15");
    let rosenbrock = [0.004, 0.002].map(|h| setting.implicit(h, Rosenbrock::new));
    near(orders(&reference, &rosenbrock[0], &rosenbrock[1]), [4.0, 4.0, 4.0], "Rosenbrock");
    // of what estimates have of orders of their own, the tests of the formulas tell
    let observe = |runs: [(Vec<f64>, f64); 2], order: f64, name: &str| {
        let [position, velocity, _] = orders(&reference, &runs[0], &runs[1]);
        near([position, velocity, order], [order; 3], name);
    };
    observe([h, half].map(|h| setting.implicit(h, begin::<EsdirkFormula>)), 4.0, "ESDIRK4(3)6L[2]SA");
    observe([0.02, 0.01].map(|h| setting.implicit(h, begin::<RadauFormula>)), 5.0, "Radau IIA");
}

/// A formula that begins, with dense matrices.
fn begin<S: Scheme>(norm: Norm, control: Control, t: f64, y: &[f64], end: f64) -> Implicit<S, DenseMatrix> {
    Begin::begin(norm, control, t, y, end)
}

/// Errors of positions and velocities alone: estimates without a yardstick are those of all coordinates, normal parts
/// included.
#[test]
fn implicit_methods_have_their_orders_with_sparse_matrices() {
    let setting = Setting::new();
    let reference = setting.reference();
    let observe = |runs: [(Vec<f64>, f64); 2], order: f64, name: &str| {
        let [position, velocity, _] = orders(&reference, &runs[0], &runs[1]);
        near([position, velocity, order], [order; 3], name);
    };
    let (h, half) = (0.008, 0.004);
    observe([h, half].map(|h| setting.sparse::<TrapezoidalRule, false>(h)), 2.0, "trapezoidal");
    observe([h, half].map(|h| setting.sparse::<GeneralisedAlphaRule, false>(h)), 2.0, "generalised alpha");
    observe([h, half].map(|h| setting.sparse::<Sdirk16Formula, false>(h)), 4.0, "SDIRK4/16");
    observe([h, half].map(|h| setting.sparse::<Sdirk15Formula, false>(h)), 4.0, "SDIRK4/15");
    observe([h, half].map(|h| setting.sparse::<EsdirkFormula, false>(h)), 4.0, "ESDIRK4(3)6L[2]SA");
    observe([0.02, 0.01].map(|h| setting.sparse::<RadauFormula, false>(h)), 5.0, "Radau IIA");
    observe([0.004, 0.002].map(|h| setting.sparse::<RosenbrockFormula, true>(h)), 4.0, "Rosenbrock");
}

#[test]
fn explicit_methods_have_their_orders() {
    let setting = Setting::new();
    let reference = setting.reference();
    let dopri5 = [0.02, 0.01]
        .map(|h| setting.explicit(h, |norm, control, t, y, end| Dopri5::new(norm, Some(control), t, y, end)));
    near(orders(&reference, &dopri5[0], &dopri5[1]), [5.0, 5.0, 5.0], "Dormand-Prince 5");
    let dop853 = [0.05, 0.025]
        .map(|h| setting.explicit(h, |norm, control, t, y, end| Dop853::new(norm, Some(control), t, y, end)));
    near(orders(&reference, &dop853[0], &dop853[1]), [8.0, 8.0, 8.0], "Dormand-Prince 8");
    let adams = [0.002, 0.001].map(|h| {
        setting.explicit(h, |norm, control, t, y, end| {
            Adams::new(norm, control, t, y, end).with_highest_order(3)
        })
    });
    let [position, velocity, _] = orders(&reference, &adams[0], &adams[1]);
    // a start at order one costs nothing at fixed steps as small as these
    assert!(position > 1.8 && velocity > 1.8, "{position} {velocity}");
}

#[test]
fn derivatives_in_time_are_those_of_the_accelerations() {
    let setting = Setting::new();
    let mut reduced = Reduced::new(setting.mechanism(), &setting.start).unwrap();
    let n = reduced.dim();
    let mut y = vec![0.0; 2 * n];
    reduced.independent(&mut y);
    // equations are linearised at accepted states
    let mut state = setting.start.clone();
    reduced.accept(0.02, &y).unwrap();
    reduced.write_state(&mut state);
    reduced.start(&state);
    let [exact, columns, differences] =
        [Linearising::Reduced, Linearising::Columns, Linearising::Differences].map(|linearising| {
            reduced.linearising = linearising;
            reduced.linearised().unwrap().f_t
        });
    for i in 0..n {
        // the motor speeds up, so that there is something to compare
        assert!(exact[i].abs() > 1.0, "{exact:?}");
        assert!((exact[i] - differences[i]).abs() < 1e-6 * exact[i].abs(), "{exact:?} {differences:?}");
        assert!((exact[i] - columns[i]).abs() < 1e-9 * exact[i].abs(), "{exact:?} {columns:?}");
    }
}
