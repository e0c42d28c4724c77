//! Sparse matrices of all coordinates and dense ones of independent coordinates give the same motion, on a hundred random
//! mechanisms: open and closed, with redundant equations, points, masses of one coordinate, inertances and bushings.

use crate::common;

use common::{Random, random_body};
use kingpin::accel::Solver;
use kingpin::analysis::assemble;
use kingpin::dynamics::{
    Bordered, Dynamics, Matrices, Method, Reduced, Settings, Unwatched, Whole, simulate_with,
};
use kingpin::element::force::{Bushing, Inerter, Spring, TorsionSpring};
use kingpin::element::joint::{Cylindrical, Distance, Revolute, Spherical, Translational, Universal};
use kingpin::integrate::{
    Begin, Control, Implicit, Norm, RadauFormula, SecondOrder, Solution, Stepper, Tolerance,
};
use kingpin::linalg::{InterfaceWay, Subdivision};
use kingpin::model::{Body, Ends, Model, Space, Vec3};
use kingpin::system::{State, System};

const MODELS: u64 = 100;

/// A mechanism in the making.
struct Maker {
    model: Model,
    random: Random,
    space: Space,
    /// Bodies that turn, so far.
    frames: Vec<String>,
    /// Degrees of freedom, at least.
    dof: usize,
    elements: usize,
}

impl Maker {
    fn name(&mut self, of: &str) -> String {
        self.elements += 1;
        format!("{of}{}", self.elements)
    }

    fn place(&mut self) -> [f64; 3] {
        let mut at = self.random.vec3() * 2.0;
        if self.space == Space::Planar {
            at.z = 0.0;
        }
        at.into()
    }

    /// One of the bodies so far, or the ground.
    fn some(&mut self) -> String {
        match self.random.below(self.frames.len() + 1) {
            0 => "ground".into(),
            k => self.frames[k - 1].clone(),
        }
    }

    fn spring(&mut self, one: &str, other: &str) {
        let (name, places) = (self.name("spring"), [self.place(), self.place()]);
        let stiffness = self.random.between(50.0, 2000.0);
        let law = Spring { stiffness, damping: 5.0, rest_length: Some(0.7), ..Spring::default() };
        // points and masses of one coordinate have one place alone
        let own = if self.frames.iter().any(|f| f == one) { places[0] } else { [0.0; 3] };
        self.model.force(&name, Ends::points(one, own, other, places[1]), law);
    }

    fn bushing(&mut self, one: &str, other: &str) {
        let (name, at) = (self.name("bushing"), self.place());
        let (k, c) = (self.random.between(100.0, 5000.0), 20.0);
        let all = |x: f64| Vec3::new(x, 1.5 * x, 0.7 * x);
        let law = Bushing {
            stiffness: all(k),
            damping: all(c),
            rotational_stiffness: all(0.3 * k),
            rotational_damping: all(c),
        };
        self.model.force(&name, Ends::at(one, other, at), law);
    }

    /// A body on one of those so far.
    fn body(&mut self) {
        let (name, carrier) = (self.name("body"), self.some());
        let mut body = random_body(&name, self.space, &mut self.random);
        body.com = None;
        body.velocity = Vec3::zeros();
        body.angular_velocity *= 0.3;
        self.model.body(body);
        let (joint, at, axis) = (self.name("joint"), self.place(), self.random.vec3().into());
        let ends = Ends::at(&carrier, &name, at);
        let freedoms = match (self.space, self.random.below(5)) {
            (Space::Planar, 0) => self.on(&joint, ends.axis([0.6, 0.8, 0.0]), Translational {}, 1),
            (Space::Planar, 1) | (_, 4) => {
                self.bushing(&carrier, &name);
                if self.space == Space::Planar { 3 } else { 6 }
            }
            (Space::Planar, _) => self.on(&joint, ends, Revolute {}, 1),
            (_, 0) => self.on(&joint, ends, Spherical {}, 3),
            (_, 1) => self.on(&joint, ends.axes([1.0, 0.2, 0.0], [-0.2, 1.0, 0.1]), Universal {}, 2),
            (_, 2) => self.on(&joint, ends.axis(axis), Cylindrical {}, 2),
            (_, _) => {
                self.on(&joint, ends.axis(axis), Revolute {}, 1);
                if self.random.below(2) == 0 {
                    // on the same axis: five equations that follow from the others
                    let along = Vec3::from(at) + Vec3::from(axis) * 0.7;
                    let (joint, ends) = (self.name("joint"), Ends::at(&carrier, &name, along.into()));
                    self.on(&joint, ends.axis(axis), Revolute {}, 0);
                }
                1
            }
        };
        self.frames.push(name);
        self.dof += freedoms;
    }

    fn on(
        &mut self,
        name: &str,
        ends: Ends,
        kind: impl Into<kingpin::element::joint::JointKind>,
        dof: usize,
    ) -> usize {
        self.model.joint(name, ends, kind);
        dof
    }

    /// Joins two bodies, if enough can move then.
    fn close(&mut self) {
        let (a, b) = (self.frames[self.random.below(self.frames.len())].clone(), self.some());
        let (name, at) = (self.name("loop"), self.place());
        let taken = if self.space == Space::Planar { 2 } else { 3 };
        if a == b || self.dof < taken + 2 {
            return;
        }
        if self.random.below(2) == 0 {
            let ends = Ends::points(&a, [0.3, 0.1, 0.0], &b, at);
            self.model.joint(&name, ends, Distance::default());
            self.dof -= 1;
        } else if self.space == Space::Planar {
            self.model.joint(&name, Ends::at(&a, &b, at), Revolute {});
            self.dof -= taken;
        } else {
            self.model.joint(&name, Ends::at(&a, &b, at), Spherical {});
            self.dof -= taken;
        }
    }

    /// A point or a mass of one coordinate, held by springs; an inertance somewhere.
    fn small(&mut self) {
        let (name, at) = (self.name("small"), self.place());
        let body = match self.random.below(2) {
            0 => Body::point(&name, 0.4).at(at),
            _ => Body::scalar(&name, 0.6).at([at[0], 0.0, 0.0]),
        };
        self.model.body(body);
        for _ in 0..2 {
            let other = self.some();
            self.spring(&name, &other);
        }
        let (own, other) = (self.frames[0].clone(), self.some());
        if own != other {
            let (name, at) = (self.name("inerter"), self.place());
            let ends = Ends::points(&own, [0.2, 0.0, 0.0], &other, at);
            self.model.force(&name, ends, Inerter { inertance: 0.5 });
        }
    }
}

fn model(seed: u64) -> Model {
    let space = if seed.is_multiple_of(2) { Space::Planar } else { Space::Spatial };
    let mut random = Random::new(1000 + seed);
    let mut model = Model::new("random", space);
    model.gravity = Vec3::new(0.3, -9.81, 0.0);
    let bodies = 2 + random.below(6);
    let mut maker = Maker { model, random, space, frames: Vec::new(), dof: 0, elements: 0 };
    (0..bodies).for_each(|_| maker.body());
    (0..bodies / 2).for_each(|_| maker.close());
    let (a, b) = (maker.frames[0].clone(), maker.some());
    if a != b {
        maker.spring(&a, &b);
    }
    if maker.random.below(2) == 0 {
        maker.small();
    }
    maker.model
}

/// A mechanism that fits together.
struct Ready {
    name: String,
    system: System,
    start: State,
    redundant: Vec<bool>,
}

impl Ready {
    fn new(seed: u64) -> Self {
        let (system, _) =
            System::compile(&model(seed)).unwrap_or_else(|findings| panic!("{seed}: {findings:?}"));
        let assembly = assemble(&system).unwrap_or_else(|why| panic!("{seed}: {why:?}"));
        assert!(assembly.diagnosis.dof > 0, "{seed}");
        let redundant = assembly.diagnosis.redundant_rows;
        Self { name: format!("mechanism {seed}"), system, start: assembly.state, redundant }
    }

    fn mechanism(&self) -> Dynamics<'_> {
        Dynamics::new(&self.system, &self.redundant, Solver::Elimination)
    }

    /// The state behind a step of `radau` with sparse matrices.
    fn sparse_step(&self, h: f64) -> State {
        let mut whole = Whole::<false>::new(self.mechanism(), &self.start).expect("independent");
        let mut y = vec![0.0; 2 * self.system.velocities()];
        whole.coordinates(&mut y);
        let norm = Norm::uniform(y.len(), Tolerance::both(1e-11));
        let mut stepper: Implicit<RadauFormula, Bordered<false>> =
            Begin::begin(norm, Control::fixed(h), 0.0, &y, h);
        stepper.step(&mut whole).unwrap_or_else(|_| panic!("{}", self.name));
        whole.take_over(stepper.t(), stepper.state()).expect("recovered");
        let mut state = self.start.clone();
        whole.write_state(&mut state);
        state
    }

    /// The end of a run.
    fn end(&self, method: Method, matrices: Matrices, tol: f64) -> State {
        let settings = Settings { method, matrices, most_steps: 3000, ..Settings::new(tol, 0.03) };
        let run = simulate_with(self.mechanism(), &self.start, &settings, &mut Unwatched);
        assert_eq!(run.state.t, 0.03, "{} by {}, {matrices:?}: {:?}", self.name, method.name(), run.end);
        run.state
    }
}

/// The largest difference of positions, and of velocities, as a part of their sizes.
fn distance(a: &State, b: &State) -> f64 {
    let largest = |x: &[f64]| x.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    let far = |a: &[f64], b: &[f64]| {
        a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) / largest(b)
    };
    far(&a.q, &b.q).max(far(&a.v, &b.v))
}

/// Both ways differ in what they discretise, coordinates of one kind or another, by the fifth power of a step that is short:
/// what is left is round-off.
#[test]
fn a_step_is_the_same_to_round_off() {
    let h = 2e-4;
    let mut redundant = 0;
    for ready in (0..MODELS).map(Ready::new) {
        redundant += usize::from(ready.redundant.contains(&true));
        let sparse = ready.sparse_step(h);
        let mut reduced = Reduced::new(ready.mechanism(), &ready.start).expect("independent");
        let mut y = vec![0.0; 2 * reduced.dim()];
        reduced.independent(&mut y);
        let norm = Norm::uniform(y.len(), Tolerance::both(1e-11));
        let mut stepper: Implicit<RadauFormula, _> = Begin::begin(norm, Control::fixed(h), 0.0, &y, h);
        stepper.step(&mut reduced).unwrap_or_else(|_| panic!("{}", ready.name));
        reduced.accept(stepper.t(), stepper.state()).expect("recovered");
        let mut dense = ready.start.clone();
        reduced.write_state(&mut dense);

        let far = distance(&sparse, &dense);
        assert!(distance(&sparse, &ready.start) > 1e-9, "{} moves", ready.name);
        assert!(far < 1e-10, "{}: {far:e}", ready.name);
    }
    assert!(redundant > 5, "{redundant} with redundant equations");
}

/// Sub-domains and the interfaces between them are the same equations in another order.
#[test]
fn sub_domains_take_the_same_step() {
    let h = 2e-4;
    for mut ready in (0..MODELS).map(Ready::new) {
        let whole = ready.sparse_step(h);
        for domains in [2, 3, 5] {
            for way in InterfaceWay::ALL {
                let cut = Subdivision::new(domains, way);
                ready.system.subdivision = Some(cut.clone());
                let far = distance(&ready.sparse_step(h), &whole);
                let counts = cut.tally.counts();
                assert!(far < 1e-9, "{} in {domains} by {}: {far:e}, {counts:?}", ready.name, way.name());
                assert!(counts.domains <= domains && counts.domains > 0, "{counts:?}");
            }
        }
    }
}

#[test]
fn runs_are_the_same_within_the_tolerance() {
    let tol = 1e-5;
    let methods = [
        Method::SspTrap,
        Method::InflTrap,
        Method::InflSdirk,
        Method::ForSdirk,
        Method::ForRosen,
        Method::Esdirk,
        Method::Radau,
    ];
    for seed in 0..MODELS {
        let ready = Ready::new(seed);
        let method = methods[seed as usize % methods.len()];
        let reference = ready.end(Method::Dop853, Matrices::Auto, 1e-9);
        let [dense, sparse] = [Matrices::Dense, Matrices::Sparse]
            .map(|matrices| distance(&ready.end(method, matrices, tol), &reference));
        let name = format!("{} by {}", ready.name, method.name());
        assert!(sparse < 10.0 * tol.max(dense), "{name}: {sparse:e}, dense {dense:e}");
        assert!(dense < 100.0 * tol, "{name}: dense {dense:e}");
    }
}

/// The parts of a long chain behind a hinge weigh millions of times what a rod does, and its equations are none the worse:
/// the far end falls freely.
#[test]
fn long_chains_fall() {
    const RODS: usize = 600;
    let mut model = Model::new("chain", Space::Spatial);
    model.gravity = Vec3::new(0.0, 0.0, -9.81);
    for k in 0..RODS {
        let (name, carrier) =
            (format!("rod{k}"), if k == 0 { "ground".into() } else { format!("rod{}", k - 1) });
        let (pin, at) = (format!("pin{k}"), [k as f64, 0.0, 0.0]);
        let rod = Body::spatial(&name, 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]);
        model.body(rod.at([k as f64 + 0.5, 0.0, 0.0]));
        model.joint(&pin, Ends::at(&carrier, &name, at).axis([0.0, 1.0, 0.0]), Revolute {});
        let joint = Some(pin);
        let law = TorsionSpring { joint, stiffness: 2000.0, damping: 2000.0, ..TorsionSpring::default() };
        model.force(&format!("spring{k}"), Ends::default(), law);
    }
    let (system, _) = System::compile(&model).expect("a model");
    let assembly = assemble(&system).expect("assembled");
    let mechanism = Dynamics::new(&system, &assembly.diagnosis.redundant_rows, Solver::Auto);
    let settings =
        Settings { method: Method::Radau, matrices: Matrices::Sparse, ..Settings::new(1e-4, 0.05) };
    let run = simulate_with(mechanism, &assembly.state, &settings, &mut Unwatched);
    assert_eq!(run.state.t, 0.05, "{:?}", run.end);
    let fallen = run.state.q[(RODS - 1) * 7 + 2];
    assert!((fallen + 0.5 * 9.81 * 0.05 * 0.05).abs() < 1e-6, "{fallen}");
}
