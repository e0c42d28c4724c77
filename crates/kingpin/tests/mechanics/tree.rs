//! The spanning tree of a system: placement, coordinates, cut equations.

use crate::common;

use common::Random;
use kingpin::analysis::assemble;
use kingpin::element::joint::{Distance, Revolute, Screw, Spherical, Translational, Universal};
use kingpin::model::{Body, Ends, Model, Space};
use kingpin::system::{System, Tree, Work};
use kingpin::topology::Wish;

fn compile(model: &Model) -> System {
    match System::compile(model) {
        Ok((system, _)) => system,
        Err(findings) => panic!("{findings:?}"),
    }
}

/// A floating hub with a loop of four bodies, a screw on ground and a rod across.
fn mixed() -> Model {
    let mut model = Model::new("mixed", Space::Spatial);
    for (k, name) in ["hub", "arm", "rod", "slider", "nut"].into_iter().enumerate() {
        let x = k as f64;
        model.body(
            Body { com: Some([0.1, -0.2, 0.3 * x].into()), ..Body::spatial(name, 1.0 + x, [1.0, 1.5, 2.0]) }
                .at([0.7 * x, 0.1 - x, 0.2 * x]),
        );
    }
    model
        .joint("hinge", Ends::at("hub", "arm", [0.2, 0.3, 0.4]).axis([1.0, 1.0, 0.0]), Revolute {})
        .joint("ball", Ends::at("rod", "arm", [1.0, 0.3, 0.9]), Spherical {})
        .joint(
            "cross",
            Ends::at("rod", "slider", [1.5, -0.3, 0.1]).axes([0.0, 0.0, 1.0], [1.0, 1.0, 0.0]),
            Universal {},
        )
        .joint("slide", Ends::at("slider", "hub", [2.0, 1.0, 0.3]).axis([0.0, 1.0, 0.3]), Translational {})
        .joint(
            "thread",
            Ends::at("nut", "ground", [3.0, 0.0, 0.3]).axis([0.0, 1.0, 1.0]),
            Screw { pitch: 0.1 },
        )
        .joint(
            "tie",
            Ends::points("nut", [0.1, 0.0, 0.0], "rod", [0.0, 0.2, 0.0]),
            Distance { length: None },
        );
    model
}

fn tree_of(system: &System) -> (Tree, Work) {
    let assembly = assemble(system).unwrap();
    let mut work = system.work();
    system.set_state(&mut work, &assembly.state);
    let tree = system.tree(&mut work, &assembly.diagnosis.redundant_rows).unwrap();
    (tree, work)
}

/// The velocities of all bodies.
fn velocities(system: &System, work: &Work) -> Vec<f64> {
    let (d, m) = (system.dimensions(), system.nodes.widest() - system.dimensions());
    work.bodies[..system.bodies()]
        .iter()
        .flat_map(|b| b.rdot[..d].iter().chain(&b.w[..m]).copied().collect::<Vec<_>>())
        .collect()
}

#[test]
fn places_bodies_and_reads_them_back() {
    let system = compile(&mixed());
    let (tree, mut work) = tree_of(&system);
    assert_eq!((tree.coordinates(), tree.cut_rows.len()), (6 + 1 + 1 + 2 + 1, 3 + 1));
    assert_eq!(tree.numbers, tree.coordinates() + 1, "a base has seven numbers");
    let mut random = Random::new(17);
    for _ in 0..20 {
        let mut q = random.vector(tree.numbers);
        let s = random.vector(tree.coordinates());
        let base = tree.graph.bases().next().unwrap();
        let p = &mut q[tree.first[base] + 3..][..4];
        let n = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        p.iter_mut().for_each(|x| *x /= n);
        tree.place(&system, &q, &s, &mut work);
        let (mut back, mut rates) = (q.clone(), vec![0.0; s.len()]);
        tree.read(&system, &work, &mut back, &mut rates);
        assert!(back.iter().zip(&q).all(|(a, b)| (a - b).abs() < 1e-12), "{back:?}\n{q:?}");
        assert!(rates.iter().zip(&s).all(|(a, b)| (a - b).abs() < 1e-12));
        // tree joints are closed, and the rows of all joints act on rates as on velocities
        system.evaluate_constraints(&mut work);
        let v = velocities(&system, &work);
        let mut expected = vec![0.0; system.joint_equations()];
        system.jacobian_times(&work, &v, &mut expected);
        for (group, of) in system.layout.groups.iter().enumerate() {
            let carries = tree.graph.link.contains(&Some(group));
            for row in of.rows.clone() {
                assert!(!carries || work.phi[row].abs() < 1e-12, "{}", of.name);
                let mut relative = vec![0.0; tree.coordinates()];
                tree.add_relative_row(&system, &work, row, &mut relative);
                let found: f64 = relative.iter().zip(&s).map(|(r, s)| r * s).sum();
                assert!((found - expected[row]).abs() < 1e-11, "{}: {found} {}", of.name, expected[row]);
                assert!(carries || relative.iter().any(|x| x.abs() > 1e-3), "{}", of.name);
            }
        }
    }
}

/// A door on two hinges: the tree takes one, and the equations of the other drop out, whichever is wanted.
#[test]
fn a_redundant_twin_drops_out() {
    let mut model = Model::new("door", Space::Spatial);
    model.body(Body { com: Some([0.5, 0.0, 1.0].into()), ..Body::spatial("door", 10.0, [3.0, 3.0, 1.0]) });
    for (name, z) in [("lower", 0.3), ("upper", 1.7)] {
        model.joint(name, Ends::at("ground", "door", [0.0, 0.0, z]).axis([0.0, 0.0, 1.0]), Revolute {});
    }
    for wanted in [None, Some(0), Some(1)] {
        for joint in 0..2 {
            model.joints[joint].start.tree = (wanted == Some(joint)).then_some(true);
        }
        let system = compile(&model);
        let (tree, _) = tree_of(&system);
        assert_eq!((tree.coordinates(), tree.cut_rows.len()), (1, 0), "{wanted:?}");
        assert!(wanted.is_none() || tree.graph.link[0] == wanted);
    }
    // both cut: the door floats, and five equations count
    let mut system = compile(&model);
    system.wishes = vec![Wish::Cut; 2];
    let (tree, _) = tree_of(&system);
    assert_eq!((tree.coordinates(), tree.cut_rows.len()), (6, 5));
}
