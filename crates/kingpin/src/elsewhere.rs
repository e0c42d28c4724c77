//! Words of other programs and of textbooks, and what stands for them here. All suggestions use these tables.

/// Words of ours, and what others call the same: each is known wherever the word of ours may stand. Letters count without
/// case, blanks and dashes.
const SYNONYMS: &[(&str, &[&str])] = &[
    // bodies
    (
        "ground",
        &[
            "world",
            "worldbody",
            "earth",
            "base",
            "origin",
            "inertial",
            "environment",
            "fixed_frame",
            "gnd",
            "frame0",
        ],
    ),
    // sections
    (
        "body",
        &[
            "part",
            "link",
            "rigidbody",
            "rigid_body",
            "segment",
            "structural_node",
            "chbody",
            "objectrigidbody",
        ],
    ),
    (
        "joint",
        &["constraint", "equality", "kinematic_pair", "pair", "mate", "connection", "connector", "chlink"],
    ),
    ("driver", &["motion", "prescribed_motion", "imposed_motion", "joint_motion", "mocap"]),
    ("force", &["load", "actuation", "force_element", "sforce", "gforce", "vforce"]),
    ("measure", &["sensor", "output", "request", "probe", "observer", "result", "objectsensor"]),
    ("marker", &["site", "frame", "coordinate_system", "csys", "reference_frame", "mount"]),
    ("shape", &["geom", "geometry", "visual", "solid", "graphics", "collision_geometry"]),
    ("road", &["terrain", "track", "surface", "heightfield", "hfield"]),
    ("event", &["zero_crossing", "trigger", "switch", "condition"]),
    (
        "parameters",
        &[
            "parameter",
            "variables",
            "variable",
            "constants",
            "constant",
            "define",
            "defines",
            "params",
            "let",
            "design_variable",
            "set",
            "var",
        ],
    ),
    (
        "simulation",
        &[
            "solver",
            "integrator",
            "options",
            "option",
            "settings",
            "analysis",
            "run",
            "solution",
            "control_data",
            "initial_value",
            "time",
        ],
    ),
    ("controller", &["control", "pid_controller", "regulator"]),
    ("state", &["diff", "differential_equation", "ode", "gse", "state_variable"]),
    ("input", &["variable_input", "control_input", "signal"]),
    ("beam", &["rod_element", "flexible_beam", "ancf", "ancf_cable", "beam3"]),
    (
        "superelement",
        &["flexbody", "flex_body", "flexible_body", "mnf", "modal_body", "craig_bampton", "ffrf"],
    ),
    ("assembly", &["subsystem", "component", "module", "model_instance", "default"]),
    ("include", &["import", "includes", "file", "submodel", "xi:include"]),
    ("pattern", &["replicate", "for", "loop", "repeat", "array"]),
    // joints
    (
        "revolute",
        &[
            "hinge",
            "pin",
            "pinned",
            "rotational",
            "rotary",
            "revolute_joint",
            "hinge_joint",
            "continuous",
            "lock_revolute",
            "totalpin",
        ],
    ),
    (
        "translational",
        &["prismatic", "slider", "slide", "linear", "sliding", "prismatic_joint", "translation"],
    ),
    (
        "spherical",
        &[
            "ball",
            "ball_joint",
            "ball_and_socket",
            "balljoint",
            "socket",
            "spherical_joint",
            "point_to_point",
        ],
    ),
    (
        "fixed",
        &[
            "weld",
            "welded",
            "rigid",
            "clamp",
            "clamped",
            "lock",
            "locked",
            "glue",
            "rigid_joint",
            "weld_joint",
            "generic_joint",
            "anchored",
            "static",
            "kinematic",
            "is_fixed",
        ],
    ),
    (
        "universal",
        &["cardan", "hooke", "hookes", "cardano", "u_joint", "cardan_joint", "universal_joint", "gimbal"],
    ),
    ("cylindrical", &["cylindrical_joint", "cylinder_joint", "cylinder"]),
    ("screw", &["helical", "screw_joint"]),
    ("planar", &["2d", "plane", "planar_joint"]),
    ("spatial", &["3d", "space3d", "three_dimensional"]),
    ("distance", &["rigid_link", "massless_link", "rod_joint", "distance_constraint", "length_constraint"]),
    ("point-on-line", &["inline", "in_line", "inline_joint", "point_line", "curve_joint"]),
    ("point-in-plane", &["inplane", "in_plane", "point_plane"]),
    ("pin-in-slot", &["slot", "pin_slot"]),
    ("rack-and-pinion", &["rackpinion", "rack", "rack_pinion"]),
    ("gear", &["gears", "coupler", "joint_coupler", "gear_joint"]),
    // forces
    (
        "spring",
        &[
            "spring_damper",
            "damper",
            "linear_spring",
            "dashpot",
            "translational_spring",
            "tsda",
            "springdamper",
            "rod_force",
            "shock",
        ],
    ),
    (
        "torsion-spring",
        &["torsional_spring", "rotational_spring", "torsion", "rsda", "torsionspring", "rotspring"],
    ),
    ("bushing", &["beam_force", "field", "mount", "compliance", "elastic_mount", "linear_bushing"]),
    ("torque", &["moment", "couple", "torque_force", "t", "mz", "storque"]),
    ("tyre", &["tire", "wheel", "pneumatic"]),
    ("inerter", &["inertance_element"]),
    ("actuator", &["cylinder", "hydraulic", "hydraulic_cylinder", "linear_actuator", "position_actuator"]),
    ("motor", &["servo", "engine", "rotary_actuator", "velocity_actuator"]),
    ("cable", &["rope", "wire", "string", "tendon", "line"]),
    // measures
    ("angle", &["theta", "phi", "rotation_angle", "joint_angle", "jointpos", "az", "hinge_angle", "q"]),
    ("displacement", &["travel", "joint_position", "stroke"]),
    ("coordinate", &["framepos", "absolute_position", "dx", "dy", "dz"]),
    ("attitude", &["euler_angles", "roll", "pitch", "yaw", "rpy"]),
    ("reaction", &["joint_force", "constraint_force", "joint_reaction"]),
    // fields
    ("stiffness", &["k", "spring_constant", "spring_rate", "kt", "stiff", "k_spring"]),
    ("damping", &["c", "d", "damp", "damping_coefficient", "ct", "viscous"]),
    (
        "rest_length",
        &[
            "free_length",
            "l0",
            "natural_length",
            "unstretched_length",
            "length0",
            "restlength",
            "springlength",
            "reference_length",
        ],
    ),
    ("rest_angle", &["free_angle", "natural_angle", "theta0", "springref", "reference_angle"]),
    ("preload", &["pretension", "prestress", "preload_force"]),
    (
        "com",
        &["cg", "cog", "cm", "center_of_mass", "centre_of_mass", "center_of_gravity", "centre_of_gravity"],
    ),
    (
        "inertia",
        &[
            "ixx",
            "iyy",
            "izz",
            "moment_of_inertia",
            "inertia_tensor",
            "moments_of_inertia",
            "ip",
            "j",
            "i",
            "diaginertia",
            "fullinertia",
        ],
    ),
    ("mass", &["m", "weight"]),
    ("density", &["rho"]),
    (
        "position",
        &[
            "pos",
            "location",
            "xyz",
            "r0",
            "coordinates",
            "place",
            "qg",
            "initial_position",
            "init_pos",
            "translate",
        ],
    ),
    (
        "orientation",
        &[
            "rot",
            "euler",
            "quat",
            "quaternion",
            "rotation",
            "rotate",
            "attitude",
            "reuler",
            "orient",
            "initial_rotation",
        ],
    ),
    ("velocity", &["vel", "v0", "initial_velocity", "init_vel", "speed", "lin_vel"]),
    (
        "angular_velocity",
        &["omega", "ang_vel", "angvel", "w0", "spin", "wvel", "angular_speed", "initial_angular_velocity"],
    ),
    (
        "body1",
        &[
            "parent",
            "body_a",
            "bodya",
            "i_marker",
            "i",
            "base_link",
            "from_body",
            "first_body",
            "part1",
            "predecessor",
            "body_i",
            "node1",
            "link1",
        ],
    ),
    (
        "body2",
        &[
            "child",
            "body_b",
            "bodyb",
            "j_marker",
            "j",
            "follower",
            "to_body",
            "second_body",
            "part2",
            "successor",
            "body_j",
            "node2",
            "link2",
        ],
    ),
    ("body", &["part", "link", "on_body", "parent", "bodyname"]),
    ("point", &["anchor", "attachment", "application_point", "at_point", "offset"]),
    ("at", &["anchor", "location", "pos", "position"]),
    ("axis", &["axes", "axis_of_rotation", "rotation_axis", "direction"]),
    ("direction", &["axis", "dir", "orientation"]),
    ("magnitude", &["value", "force", "function", "expression", "amplitude", "f", "torque"]),
    ("function", &["value", "expression", "profile", "law"]),
    ("name", &["id", "label", "adams_id", "title"]),
    ("type", &["kind", "class", "jtype"]),
    ("gravity", &["g", "grav", "gravitational_acceleration", "accgrav", "gravity_field"]),
    ("space", &["dimension", "dim", "dimensions"]),
    ("radius", &["r", "rad", "size"]),
    ("length", &["l", "height"]),
    ("friction", &["mu", "coulomb", "frictionloss", "friction_coefficient"]),
    (
        "stops",
        &["limit", "limits", "range", "joint_limits", "lower", "upper", "end_stops", "bounds", "hardstop"],
    ),
    // settings of runs
    (
        "t_end",
        &[
            "end",
            "end_time",
            "tend",
            "t_final",
            "tfinal",
            "final_time",
            "stop_time",
            "duration",
            "endtime",
            "tf",
            "t_max",
            "t_stop",
        ],
    ),
    (
        "t-end",
        &[
            "end",
            "end-time",
            "tend",
            "t-final",
            "tfinal",
            "final-time",
            "stop-time",
            "duration",
            "time",
            "tf",
            "t-max",
            "until",
            "t",
            "t-stop",
        ],
    ),
    ("h", &["dt", "timestep", "time_step", "step", "step_size", "stepsize", "fixed_step", "delta_t"]),
    ("h_max", &["hmax", "max_step", "maxstep", "dtmax", "max_step_size", "dt_max"]),
    ("h-max", &["hmax", "max-step", "dtmax", "max-step-size", "dt-max"]),
    ("tol", &["tolerance", "accuracy", "error", "reltol", "eps", "error_tolerance", "precision"]),
    ("rtol", &["reltol", "relative_tolerance"]),
    ("atol", &["abstol", "absolute_tolerance"]),
    (
        "frame",
        &[
            "dtout",
            "output_step",
            "hout",
            "output_interval",
            "print_step",
            "sampling",
            "sample_time",
            "fps",
            "steps",
            "output_dt",
        ],
    ),
    ("method", &["integrator", "integration_method", "scheme", "solver_type"]),
    ("start", &["initial", "initial_state", "initialize", "ic"]),
    ("table", &["print", "csv", "show"]),
    ("output", &["out", "dir", "folder", "results", "output-dir"]),
    ("near-frequency", &["near", "frequency", "freq", "sigma", "shift"]),
    ("threads", &["nthreads", "jobs", "cores", "num-threads", "nproc"]),
    ("quiet", &["silent", "no-progress"]),
    ("set", &["param", "parameter", "define", "override", "var", "with"]),
    ("force", &["overwrite", "replace", "yes"]),
    ("vary", &["range", "grid", "parameter", "param", "sweep"]),
    ("metric", &["objective", "response", "scalar"]),
    // methods
    ("auto", &["default", "lsoda", "automatic", "automatic_switching"]),
    (
        "dopri5",
        &[
            "rk45",
            "ode45",
            "rk4",
            "rk",
            "runge_kutta",
            "rkf45",
            "rkdp",
            "dormand_prince",
            "rk5",
            "explicit",
            "euler",
            "semi_implicit_euler",
            "implicitfast",
            "rungekutta4",
            "runge_kutta_4",
            "runge_kutta5",
            "runge_kutta3",
            "forward_euler",
            "explicit_euler",
            "heun",
            "rk23",
            "verlet",
            "leapfrog",
            "explicitmidpoint",
        ],
    ),
    ("dop853", &["rk8", "ode89", "dop8", "ode87", "rkf78"]),
    (
        "adams",
        &[
            "abm",
            "ode113",
            "adams_bashforth",
            "adams_moulton",
            "adams_bashforth_moulton",
            "msadams",
            "abam",
            "vode_adams",
        ],
    ),
    (
        "radau",
        &[
            "radau5",
            "radauiia",
            "bdf",
            "cvode",
            "ida",
            "idas",
            "dassl",
            "daspk",
            "ode15s",
            "gstiff",
            "wstiff",
            "gear_method",
            "si2",
            "i3",
            "implicit",
            "implicit_euler",
            "backward_euler",
            "euler_implicit",
            "stiff",
            "dae",
            "constant_stiff",
            "radau2a",
            "euler_implicit_linearized",
            "euler_implicit_projected",
        ],
    ),
    (
        "gen-alpha",
        &[
            "generalized_alpha",
            "generalised_alpha",
            "genalpha",
            "chung_hulbert",
            "generalizedalpha",
            "alpha",
            "trapezoidalindex2",
            "hybrid",
            "ms",
        ],
    ),
    ("hht", &["hht_i3", "hilber_hughes_taylor", "hilber", "hht_alpha"]),
    ("newmark", &["newmark_beta", "average_acceleration", "newmark_b"]),
    (
        "ssp-trap",
        &[
            "trapezoidal",
            "trapezoid",
            "trap",
            "crank_nicolson",
            "ode23t",
            "midpoint",
            "implicit_midpoint",
            "trapezoidal_linearized",
        ],
    ),
    ("for-rosen", &["rosenbrock", "ode23s", "ros4", "rodas", "rosenbrock4"]),
    ("esdirk", &["tr_bdf2", "trbdf2", "ode23tb", "kencarp4", "dirk", "sdirk"]),
    // commands
    ("run", &["simulate", "sim", "solve", "integrate", "execute", "start", "dynamics", "transient", "play"]),
    ("check", &["validate", "verify", "lint", "info", "inspect", "test", "parse", "compile"]),
    (
        "view",
        &["show", "open", "gui", "animate", "visualize", "visualise", "render", "display", "watch", "serve"],
    ),
    ("equilibrium", &["statics", "trim", "static_analysis"]),
    (
        "modes",
        &[
            "eigen",
            "eig",
            "modal",
            "linearize",
            "linearise",
            "linear",
            "vibration",
            "eigenvalues",
            "frequencies",
        ],
    ),
    (
        "sweep",
        &["batch", "doe", "study", "optimize", "optimise", "monte_carlo", "parametric", "montecarlo", "scan"],
    ),
    ("new", &["init", "create", "template", "example"]),
    ("export", &["convert", "save", "dump", "write"]),
    ("kinematics", &["inverse", "inverse_dynamics", "ik", "inverse_kinematics", "kinematic"]),
    ("plot", &["graph", "chart", "curves", "draw"]),
    ("topology", &["tree", "structure", "graphviz", "sparsity"]),
    ("explain", &["help", "man", "doc", "docs", "glossary", "what"]),
    ("list", &["ls", "elements", "examples", "methods", "joints"]),
    ("accelerations", &["acceleration", "forward_dynamics", "fd"]),
    // functions
    ("sign", &["sgn", "signum"]),
    ("abs", &["fabs", "magnitude_of"]),
    ("step", &["heaviside", "heav", "step5", "haversine", "havsin", "step_function"]),
    ("asin", &["arcsin"]),
    ("acos", &["arccos"]),
    ("atan", &["arctan"]),
    ("atan2", &["arctan2"]),
    ("ln", &["loge"]),
    ("pow", &["power", "pwr"]),
    ("sqrt", &["root", "sqr"]),
    ("mod", &["fmod", "rem", "modulo"]),
    ("if", &["ifelse", "where", "cond", "select", "iif"]),
    ("clamp", &["limit", "sat", "saturate", "saturation", "clip"]),
    ("ceil", &["ceiling"]),
    ("floor", &["int", "trunc", "aint"]),
    ("round", &["nint", "anint"]),
    ("norm", &["length", "mag"]),
    ("cross", &["cross_product", "vcross"]),
    ("dot", &["dot_product", "inner"]),
    ("smooth5", &["smoothstep", "poly345", "quintic", "cubspl"]),
    ("rms", &["root_mean_square"]),
    ("mean", &["avg", "average"]),
    ("max", &["maximum", "peak"]),
    ("min", &["minimum"]),
    ("last", &["final", "end"]),
    ("first", &["initial", "start"]),
    ("integral", &["integrate", "sum", "trapz"]),
    // channels of bodies, joints and forces, behind the name of the item
    (
        "vx",
        &[
            "vel", "velocity", "speed", "v", "xd", "xdot", "vel_x", "velx", "dx", "xvel", "lin_vel",
            "linvel", "vm",
        ],
    ),
    ("ax", &["acc", "accel", "acceleration", "a", "xdd", "xddot", "acc_x", "accx", "linacc", "accm"]),
    ("x", &["pos", "position", "p", "r", "loc", "xpos", "dm", "location"]),
    ("wx", &["omega", "angvel", "angular_velocity", "w", "ang_vel", "wm", "gyro"]),
    ("omega", &["w", "angvel", "angular_velocity", "ang_vel", "wz", "wm", "thetadot"]),
    ("alphax", &["alpha", "angacc", "angular_acceleration", "wdt"]),
    ("alpha", &["angacc", "angular_acceleration", "wdtz", "thetaddot"]),
    ("e0", &["quat", "quaternion", "orientation", "rot", "rotation", "q", "attitude"]),
    ("fx", &["force", "reaction", "f", "fm", "freac"]),
    ("rate", &["velocity", "vel", "speed", "angular_velocity", "omega", "dot"]),
    ("torque", &["moment", "t", "m", "tz"]),
    ("tension", &["force", "f", "fm"]),
    ("length", &["deflection", "distance", "dm"]),
    // ends of superelements and materials
    ("aluminium", &["aluminum", "alu", "al"]),
    ("steel", &["iron_steel", "stainless", "st37", "s235"]),
];

/// What is said of words that have no counterpart of one word. The first list tells where they stand.
const ADVICE: &[(AdviceScope, &[&str], &str)] = &[
    (
        AdviceScope::Top,
        &["contact", "contacts", "collision", "contact_force", "contact_pair", "collide", "impact"],
        "there is no contact between shapes: `stops` of joints limit their travel, with restitution, and a `[[road]]` carries \
         tyres; other contact is a `[[force]]` whose magnitude depends on a `[[measure]]`",
    ),
    (
        AdviceScope::Top,
        &["units", "unit", "length_unit", "unit_system", "compiler", "angle_unit"],
        "a number without a unit is in SI units (m, kg, s, rad); write other units with it: `\"3 \
             mm\"`, `\"90 deg\"`",
    ),
    (
        AdviceScope::Top,
        &["initial_conditions", "initial", "ic", "keyframe", "qpos", "initial_condition"],
        "give `position`, `orientation`, `velocity` and `angular_velocity` of a `[[body]]`, and the \
             initial coordinates of a joint",
    ),
    (
        AdviceScope::Top,
        &["ground", "world", "worldbody", "environment"],
        "`ground` always exists and needs no block: name it in `body1` or `body2`",
    ),
    (
        AdviceScope::Top,
        &["material", "materials", "texture", "asset", "assets"],
        "a `[[body]]` has a `material` (`kingpin list materials`) or a `density`, and a `colour`",
    ),
    (
        AdviceScope::Top,
        &["free_joint", "freejoint", "floating", "free"],
        "a body without a joint is free: omit the block",
    ),
    (
        AdviceScope::Type,
        &["free", "floating", "freejoint", "free_joint", "6dof", "quaternion_floating"],
        "a body without a joint is free: omit the block",
    ),
    (
        AdviceScope::Type,
        &["contact", "collision", "impact", "sphere_contact", "penalty"],
        "there is no contact between shapes: `stops` of joints limit their travel, with restitution, and a `[[road]]` carries tyres",
    ),
    (
        AdviceScope::Type,
        &["gravity"],
        "gravity is a vector at the top of the file: `gravity = [0, 0, -9.81]`",
    ),
    (
        AdviceScope::Setting,
        &["dt", "timestep", "time_step", "step_size", "stepsize", "step", "fixed_step", "delta_t"],
        "the step size follows from the tolerance, `tol`; `frame` is the output interval, `h_max` \
             the maximum step size, and `h` the fixed step size of `newmark` and `hht`",
    ),
    (
        AdviceScope::Setting,
        &["steps", "nsteps", "n_steps", "number_of_steps", "num_steps"],
        "give the end time, `t_end`, and the output interval, `frame`",
    ),
    (
        AdviceScope::Setting,
        &["t_start", "start_time", "tstart", "t0", "begin"],
        "runs start at t = 0: shift the functions of time instead",
    ),
    (
        AdviceScope::Setting,
        &["gravity", "g", "accgrav"],
        "`gravity` belongs at the top of the file: `gravity = [0, 0, -9.81]`",
    ),
    (
        AdviceScope::Setting,
        &["iterations", "max_iterations", "niter", "maxit", "newton", "corrector", "formulation", "index"],
        "iterations are controlled by the tolerance, `tol`; there is no other setting",
    ),
    (
        AdviceScope::Field,
        &["limits", "limit", "lower_limit", "upper_limit", "limited"],
        "use `stops` for the limits of a joint: `kingpin explain stops`",
    ),
    (
        AdviceScope::Field,
        &["contype", "conaffinity", "collide", "solref", "solimp", "collision"],
        "there is no contact between shapes",
    ),
    (
        AdviceScope::Field,
        &["initial_angle", "qpos0", "q0", "initial_displacement", "init_angle"],
        "give the initial coordinates of the joint, such as `angle` or `displacement`",
    ),
];

/// Where a word stands that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdviceScope {
    /// At the top of a model file.
    Top,
    /// As the type of an item.
    Type,
    /// As a field of an item.
    Field,
    /// Among the settings of runs.
    Setting,
}

/// A word by its letters and digits alone.
fn bare(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The one of some words that others call so. O(table).
pub fn meant_here<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = bare(word);
    let called = |others: &&[&str]| others.iter().any(|other| bare(other) == wanted);
    let ours: Vec<&str> = SYNONYMS.iter().filter(|(_, others)| called(others)).map(|(own, _)| *own).collect();
    if ours.is_empty() || wanted.is_empty() {
        return None;
    }
    // in the order of the table, not of the words
    let words: Vec<&str> = words.into_iter().filter(|word| ours.contains(word)).collect();
    ours.iter().find_map(|own| words.iter().find(|word| *word == own)).copied()
}

/// What is to be said of a word that nothing here is called by.
pub fn advice_on(place: AdviceScope, word: &str) -> Option<&'static str> {
    let wanted = bare(word);
    let told = ADVICE
        .iter()
        .find(|(own, words, _)| *own == place && words.iter().any(|other| bare(other) == wanted));
    told.map(|(.., advice)| *advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_others_are_known_where_ours_may_stand() {
        let joints = ["fixed", "revolute", "translational", "spherical"];
        for (word, ours) in [
            ("hinge", "revolute"),
            ("Prismatic", "translational"),
            ("ball-and-socket", "spherical"),
            ("weld", "fixed"),
        ] {
            assert_eq!(meant_here(word, joints), Some(ours));
        }
        assert_eq!(meant_here("RK45", ["adams", "dopri5"]), Some("dopri5"));
        assert_eq!(meant_here("hinge", ["spring"]), None);
        assert_eq!(meant_here("", joints), None);
        assert!(advice_on(AdviceScope::Top, "Contacts").is_some_and(|text| text.contains("`stops`")));
        assert_eq!(advice_on(AdviceScope::Top, "hinge"), None);
    }

    #[test]
    fn no_word_of_ours_is_said_to_be_another_one() {
        for (own, others) in SYNONYMS {
            assert!(!others.iter().any(|other| other == own), "`{own}` is called itself");
        }
        for (_, words, advice) in ADVICE {
            assert!(!words.is_empty() && !advice.ends_with('.'), "{advice}");
        }
    }
}
