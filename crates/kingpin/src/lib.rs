//! Kingpin: multibody dynamics. Mechanisms with closed loops, exact derivatives, error-controlled integration.
//!
//! A [`Model`](model::Model) contains bodies, joints, drivers, forces, measures and events. It is built by calls or
//! read from a file by `kingpin-io`. [`Mechanism::new`](mechanism::Mechanism::new) compiles, assembles and diagnoses
//! it. A mechanism offers all analyses: simulations and step-by-step integration, accelerations and reactions,
//! equilibrium, modes, linearisation, kinematics. Errors are values with time, location, cause and remedies.
//!
//! # A pendulum
//!
//! ```
//! use kingpin::prelude::*;
//!
//! let mut model = Model::new("pendulum", Space::Planar);
//! model.gravity = Vec3::new(0.0, -9.81, 0.0);
//! model.body(Body::planar("rod", 1.0, 1.0 / 12.0).at([0.5, 0.0, 0.0]));
//! model.joint("pin", Ends::at("ground", "rod", [0.0; 3]), Revolute {});
//! model.simulation.t_end = 2.0;
//!
//! let mechanism = Mechanism::new(model)?;
//! assert_eq!(mechanism.freedoms(), 1);
//! let results = mechanism.simulate()?;
//! // let go from the horizontal, it is never higher than that
//! assert!(results.series("rod.y")?.iter().all(|y| *y < 1e-6));
//! # Ok::<(), Error>(())
//! ```
//!
//! # A model file
//!
//! ```
//! use kingpin_io::ModelFile;
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/pendulum.toml");
//! let mechanism = ModelFile::new(path).set("start", "200 deg").mechanism()?;
//! let results = mechanism.simulate()?;
//! println!("the bob is at {} m after {} s", results.last("bob_x")?, results.times().len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A controller between steps
//!
//! ```
//! use kingpin::prelude::*;
//!
//! let mut model = Model::new("cart", Space::Planar);
//! model.body(Body::planar("cart", 2.0, 1.0));
//! model.joint("rail", Ends::at("ground", "cart", [0.0; 3]).axis([1.0, 0.0, 0.0]), Translational {});
//! model.input("push", 0.0);
//! let magnitude = Function::closure(&["push"], |x| x[0]);
//! let direction = Vec3::new(1.0, 0.0, 0.0);
//! model.force("motor", Ends::on("cart", [0.0; 3]), AppliedForce { magnitude, direction, body_fixed: false });
//! model.simulation.t_end = 4.0;
//!
//! let mechanism = Mechanism::new(model)?;
//! let mut motion = mechanism.motion()?;
//! let mut k = 0;
//! while motion.advance_to(0.02 * f64::from(k))? == Progress::Going {
//!     let (x, v) = (motion.value("cart.x")?, motion.value("cart.vx")?);
//!     motion.set_input("push", 8.0 * (1.0 - x) - 8.0 * v)?;
//!     k += 1;
//! }
//! assert!((motion.value("cart.x")? - 1.0).abs() < 1e-2);
//! # Ok::<(), Error>(())
//! ```
//!
//! # A linear system
//!
//! ```
//! # use kingpin::prelude::*;
//! # let mut model = Model::new("cart", Space::Planar);
//! # model.body(Body::planar("cart", 2.0, 1.0));
//! # model.joint("rail", Ends::at("ground", "cart", [0.0; 3]).axis([1.0, 0.0, 0.0]), Translational {});
//! # model.input("push", 0.0);
//! # let magnitude = Function::closure(&["push"], |x| x[0]);
//! # let direction = Vec3::new(1.0, 0.0, 0.0);
//! # model.force("motor", Ends::on("cart", [0.0; 3]), AppliedForce { magnitude, direction, body_fixed: false });
//! # let mechanism = Mechanism::new(model)?;
//! // the cart of before: two kilograms on a rail
//! let linear = mechanism.linearise(mechanism.state(), &["push"], &["cart.x"])?;
//! assert_eq!(linear.states, ["cart.x", "cart.x_rate"]);
//! assert!((linear.b[(1, 0)] - 0.5).abs() < 1e-12);
//! # Ok::<(), Error>(())
//! ```
//!
//! More to copy from is in the folder `examples` of the repository.
//!
//! # What is where
//!
//! | module | holds |
//! |---|---|
//! | [`prelude`] | all that most programs need |
//! | [`mechanism`] | the front door: mechanisms, motions, results, errors |
//! | [`model`] | what a model consists of |
//! | [`elements`] | kinds of joints, drivers, forces, measures, roads and shapes |
//!
//! All other modules are for the crates beside this one and may change at any time.

pub mod elements;
pub mod mechanism;
pub mod model;
pub mod prelude;

#[doc(hidden)]
pub mod accel;
#[doc(hidden)]
pub mod analysis;
#[doc(hidden)]
pub mod dynamics;
#[doc(hidden)]
pub mod element;
#[doc(hidden)]
pub mod elsewhere;
#[doc(hidden)]
pub mod expr;
#[doc(hidden)]
pub mod integrate;
#[doc(hidden)]
pub mod linalg;
#[doc(hidden)]
pub mod ranks;
#[doc(hidden)]
pub mod results;
#[doc(hidden)]
pub mod scalar;
#[doc(hidden)]
pub mod spatial;
#[doc(hidden)]
pub mod system;
#[doc(hidden)]
pub mod tally;
#[doc(hidden)]
pub mod threads;
#[doc(hidden)]
pub mod topology;
#[doc(hidden)]
pub mod words;
