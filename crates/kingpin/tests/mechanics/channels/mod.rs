//! Channels against what they claim to be.

use crate::common;
mod energy;
mod names;
mod rates;
mod reactions;

use common::{Random, random_body};
use kingpin::accel::{Accelerations, Accelerator, Solver};
use kingpin::analysis::assemble;
use kingpin::element::force::{AppliedForce, AppliedTorque, Bushing, Spring, TorsionSpring, Tyre};
use kingpin::element::joint::{
    Cylindrical, Fixed, JointKind, PinInSlot, Planar, PointInPlane, PointOnLine, Revolute, Screw, Spherical,
    Translational, Universal,
};
use kingpin::expr::{Curve, Extrapolate};
use kingpin::model::{Ends, Function, Model, Space, Vec3};
use kingpin::results::Channels;
use kingpin::system::{State, System};

const SPACES: [Space; 2] = [Space::Planar, Space::Spatial];

/// A mechanism with its accelerations, at an assembled state.
struct Instant {
    system: System,
    channels: Channels,
    accelerator: Accelerator,
    state: State,
    acc: Accelerations,
}

impl Instant {
    fn of(model: &Model) -> Option<Instant> {
        let (system, _) = System::compile(model).unwrap_or_else(|findings| panic!("{findings:?}"));
        let assembly = assemble(&system).ok()?;
        if !assembly.diagnosis.singular.is_empty() {
            return None;
        }
        let redundant = &assembly.diagnosis.redundant_rows;
        let mut accelerator = Accelerator::new(&system, redundant, Solver::Elimination);
        let mut acc = accelerator.result();
        let mut work = system.work();
        system.set_state(&mut work, &assembly.state);
        accelerator.evaluate(&system, &mut work, &mut acc).ok()?;
        let channels = Channels::new(&system);
        Some(Instant { system, channels, accelerator, state: assembly.state, acc })
    }

    /// All channels at a state, accelerations of that state.
    fn at(&mut self, state: &State) -> Vec<f64> {
        let mut work = self.system.work();
        self.system.set_state(&mut work, state);
        let mut acc = self.accelerator.result();
        self.accelerator.evaluate(&self.system, &mut work, &mut acc).expect("regular");
        let mut out = vec![f64::NAN; self.channels.len()];
        self.channels.fill(&self.system, &work, &acc, &mut out);
        out
    }

    fn now(&mut self) -> Vec<f64> {
        let state = self.state.clone();
        self.at(&state)
    }

    /// The state a moment later along the motion, right to second order.
    fn later(&self, h: f64) -> State {
        let (system, mut state) = (&self.system, self.state.clone());
        let (mut rate, mut second) = (vec![0.0; state.q.len()], vec![0.0; state.q.len()]);
        let mut work = system.work();
        system.set_state(&mut work, &state);
        system.rates(&state.q, &state.v, &mut rate);
        system.coordinate_accelerations(&work, &self.acc.acc, &mut second);
        for (k, q) in state.q.iter_mut().enumerate() {
            *q += h * rate[k] + 0.5 * h * h * second[k];
        }
        state.v.iter_mut().zip(&self.acc.acc).for_each(|(v, a)| *v += h * a);
        state.t += h;
        state
    }

    /// Rates of all channels along the motion, as difference quotients.
    fn quotients(&mut self) -> Vec<f64> {
        let h = 2e-5;
        let (before, after) = (self.later(-h), self.later(h));
        let (before, after) = (self.at(&before), self.at(&after));
        before.iter().zip(&after).map(|(a, b)| (b - a) / (2.0 * h)).collect()
    }

    fn get(&self, out: &[f64], name: &str) -> f64 {
        out[self.channels.find(name).unwrap_or_else(|| panic!("no channel {name}"))]
    }
}

fn planar(v: Vec3, space: Space) -> [f64; 3] {
    if space == Space::Planar { [v.x, v.y, 0.0] } else { v.into() }
}

fn body(k: usize) -> String {
    format!("b{k}")
}

/// A chain of bodies, joint after joint of a given list, from ground.
fn chain(space: Space, kinds: &[JointKind], random: &mut Random) -> Model {
    let mut model = Model::new("chain", space);
    model.gravity = planar(Vec3::new(0.3, -9.0, 2.0), space).into();
    for (k, kind) in kinds.iter().enumerate() {
        model.body(random_body(&body(k), space, random));
        let before = if k == 0 { "ground".to_string() } else { body(k - 1) };
        let ends = Ends::at(&before, &body(k), planar(random.vec3(), space));
        let ends = match kind {
            JointKind::Universal(_) => ends.axes(random.vec3().into(), random.vec3().into()),
            JointKind::Spherical(_) | JointKind::Fixed(_) => ends,
            JointKind::Revolute(_) if space == Space::Planar => ends,
            _ => ends.axis(planar(random.vec3(), space)),
        };
        model.joint(&format!("j{k}"), ends, kind.clone());
    }
    model
}

fn joints(space: Space) -> Vec<JointKind> {
    match space {
        Space::Planar => {
            vec![Revolute {}.into(), Translational {}.into(), PinInSlot {}.into(), Revolute {}.into()]
        }
        Space::Spatial => vec![
            Revolute {}.into(),
            Universal {}.into(),
            Cylindrical {}.into(),
            Planar {}.into(),
            Screw { pitch: 0.4 }.into(),
            Translational {}.into(),
            Spherical {}.into(),
            PointOnLine {}.into(),
            PointInPlane {}.into(),
            Fixed {}.into(),
        ],
    }
}

/// A random conservative mechanism: every kind of stored energy.
fn conservative(space: Space, random: &mut Random) -> Model {
    let mut model = chain(space, &joints(space)[..3], random);
    let points = |random: &mut Random, one: &str, two: &str| {
        Ends::points(one, planar(random.vec3(), space), two, planar(random.vec3() * 2.0, space))
    };
    let curve = Curve::new(vec![-1.0, 0.2, 0.9, 3.0], vec![-7.0, 0.1, 2.0, 30.0], Extrapolate::Linear);
    let spring = Spring {
        stiffness: 30.0,
        rest_length: Some(0.7),
        preload: 2.0,
        spring_curve: Some(curve.clone().expect("a valid curve")),
        actuator: Function::Constant(1.5),
        ..Spring::default()
    };
    let ends = points(random, "ground", "b1");
    model.force("coil", ends, spring);
    let twist = TorsionSpring {
        joint: Some("j0".into()),
        stiffness: 11.0,
        rest_angle: 0.4,
        spring_curve: curve.ok(),
        ..TorsionSpring::default()
    };
    model.force("twist", Ends::default(), twist);
    let bushing = Bushing {
        stiffness: planar(Vec3::new(9.0, 20.0, 5.0), space).into(),
        rotational_stiffness: Vec3::new(3.0, 8.0, 5.0),
        ..Bushing::default()
    };
    let ends = points(random, "b0", "b2");
    model.force("rubber", ends, bushing);
    let direction = planar(random.vec3(), space).into();
    let force = AppliedForce { magnitude: Function::Constant(4.0), direction, body_fixed: false };
    model.force("wind", Ends::on("b2", planar(random.vec3(), space)), force);
    if space == Space::Planar {
        let torque = AppliedTorque { magnitude: Function::Constant(-2.0), ..AppliedTorque::default() };
        model.force("motor", Ends::on("b1", [0.0; 3]), torque);
    }
    let tyre = Tyre { radius: 9.0, stiffness: 6.0, damping: 0.0, unilateral: true, road: None };
    model.force("tyre", Ends::on("b1", planar(random.vec3(), space)), tyre);
    model
}
