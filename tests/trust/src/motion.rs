//! A mechanism and its true motion.

use kingpin::dynamics::Method;
use std::cell::RefCell;
use std::rc::Rc;

/// What is compared.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A channel, by name: one number.
    Channel(String),
    /// Distance of the origin of a body from its true place: three numbers, two in the plane.
    Place(String, usize),
    /// Angle between the attitude of a body and its true one: four numbers, Euler parameters.
    Attitude(String),
}

impl What {
    /// Numbers of the truth that it takes.
    pub fn width(&self) -> usize {
        match self {
            What::Channel(_) => 1,
            What::Place(_, dimension) => *dimension,
            What::Attitude(_) => 4,
        }
    }

    /// The channels it needs.
    pub fn channels(&self) -> Vec<String> {
        let of = |body: &str, parts: &[&str]| parts.iter().map(|part| format!("{body}.{part}")).collect();
        match self {
            What::Channel(name) => vec![name.clone()],
            What::Place(body, dimension) => of(body, &["x", "y", "z"][..*dimension]),
            What::Attitude(body) => of(body, &["e0", "e1", "e2", "e3"]),
        }
    }

    /// The difference of what was found from what is true.
    pub fn difference(&self, found: &[f64], truth: &[f64]) -> f64 {
        match self {
            What::Channel(_) => (found[0] - truth[0]).abs(),
            What::Place(..) => found.iter().zip(truth).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt(),
            What::Attitude(_) => crate::reference::rotation::angle_between(found, truth),
        }
    }
}

/// Something compared, and how large it is in this motion: errors are relative to that.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// What.
    pub what: What,
    /// Metres or radians; the amplitude of the motion if it is zero.
    pub scale: f64,
}

impl Track {
    /// A channel.
    pub fn channel(name: &str, scale: f64) -> Track {
        Track { what: What::Channel(name.into()), scale }
    }

    /// The origin of a spatial body.
    pub fn place(body: &str, scale: f64) -> Track {
        Track { what: What::Place(body.into(), 3), scale }
    }

    /// The origin of a planar body.
    pub fn planar(body: &str, scale: f64) -> Track {
        Track { what: What::Place(body.into(), 2), scale }
    }

    /// The attitude of a spatial body, in radians.
    pub fn attitude(body: &str) -> Track {
        Track { what: What::Attitude(body.into()), scale: 1.0 }
    }
}

/// How the run must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// With the true motion.
    Truth,
    /// With an error: there is no such motion.
    Error,
}

/// The numbers of all tracks, one after the other, at each of the times.
pub type Truth = Box<dyn Fn(&[f64]) -> Vec<Vec<f64>>>;

/// Times, and the true values there.
pub(crate) type Computed = (Vec<f64>, Rc<Vec<Vec<f64>>>);

/// A mechanism whose motion is known.
pub struct Motion {
    /// Its name, unique.
    pub name: String,
    /// The model as a user would write it.
    pub model: String,
    /// When the run ends; it starts at zero.
    pub t_end: f64,
    /// Frames between start and end.
    pub frames: usize,
    /// What is compared.
    pub tracks: Vec<Track>,
    /// The true values.
    pub(crate) truth: Truth,
    /// Those computed last, with their times: all runs have the same frames.
    pub(crate) last: RefCell<Computed>,
    /// How it must end.
    pub expect: Expect,
    /// Whether every method can be run in a moment, so that it is part of all tests.
    pub quick: bool,
    /// Whether implicit methods, whose matrices are as large as the freedoms, run it at the first tolerance only, and
    /// those of second order not at all.
    pub large: bool,
    /// Times as many steps as others may take.
    pub patience: f64,
}

impl Motion {
    /// A motion with fifty frames, quick, for all methods.
    pub fn new(
        name: impl Into<String>,
        model: String,
        t_end: f64,
        tracks: Vec<Track>,
        truth: Truth,
    ) -> Motion {
        let (name, expect, last) = (name.into(), Expect::Truth, RefCell::default());
        Motion {
            name,
            model,
            t_end,
            frames: 50,
            tracks,
            truth,
            last,
            expect,
            quick: true,
            large: false,
            patience: 1.0,
        }
    }

    /// The true values at the times.
    pub fn truth_at(&self, t: &[f64]) -> Rc<Vec<Vec<f64>>> {
        let mut last = self.last.borrow_mut();
        if last.0 != t {
            *last = (t.to_vec(), Rc::new((self.truth)(t)));
        }
        last.1.clone()
    }

    /// Part of the long table only.
    pub fn long(self) -> Motion {
        Motion { quick: false, ..self }
    }

    /// The methods that run it.
    pub fn methods(&self) -> Vec<Method> {
        Method::ALL.into_iter().filter(|m| !m.has_fixed_step()).collect()
    }

    /// The tolerances a method runs it at.
    pub fn tolerances(&self, method: Method) -> &'static [f64] {
        match method {
            Method::Adams | Method::Dopri5 | Method::Dop853 => &[1e-3, 1e-5, 1e-7, 1e-9],
            Method::SspTrap | Method::InflTrap if self.large => &[],
            Method::InflSdirk | Method::ForSdirk | Method::ForRosen | Method::Esdirk | Method::Radau
                if self.large =>
            {
                &[1e-3]
            }
            _ => &[1e-3, 1e-5, 1e-7],
        }
    }

    /// Whether a case is part of all tests: rules of second order take long at tight tolerances.
    pub fn is_quick(&self, method: Method, tol: f64) -> bool {
        let second = matches!(method, Method::SspTrap | Method::InflTrap);
        self.quick && (!second || tol > 1e-6)
    }
}
