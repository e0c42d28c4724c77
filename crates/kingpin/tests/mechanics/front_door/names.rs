//! Names that programs get wrong.

use crate::front_door::pendulum;
use kingpin::prelude::*;

#[test]
fn unknown_names_are_told_with_a_guess() {
    let mechanism = Mechanism::new(pendulum()).expect("a mechanism");
    let mut motion = mechanism.motion().expect("a motion");
    let said = motion.value("rod.yy").expect_err("no channel").to_string();
    assert_eq!(said, "there is no channel `rod.yy`\n  help: did you mean `rod.y`?");
    let said = motion.set_input("push", 1.0).expect_err("no input").to_string();
    assert_eq!(said, "there is no input `push`\n  help: there are no inputs here");
    let results = mechanism.simulate().expect("results");
    assert!(results.series("swnig").is_err_and(|error| error.to_string().contains("`swing`")));
    assert!(mechanism.linearise(mechanism.state(), &[], &["rod.yy"]).is_err());
}

#[test]
fn closures_that_read_what_is_not_there() {
    let mut model = pendulum();
    let magnitude = Function::closure(&["swing.rte"], |x| x[0]);
    model.force("drag", Ends::on("rod", [0.0; 3]), AppliedTorque { magnitude, ..AppliedTorque::default() });
    let said = Mechanism::new(model).expect_err("refused").to_string();
    let told = "error: force `drag`, `magnitude`: the closure reads `swing.rte`, which does not exist\n  \
                help: did you mean `swing.rate`?";
    assert_eq!(said, told);
}

#[test]
fn inputs_have_names_of_their_own() {
    for (name, part) in [
        ("swing", "another item that functions can read has the name `swing`"),
        ("a b", "because its name is not an identifier"),
        ("", "an input must have"),
    ] {
        let mut model = pendulum();
        model.input(name, 0.0);
        let said = Mechanism::new(model).expect_err("refused").to_string();
        assert!(said.contains(part), "{said}");
    }
    // motions must not jump, events are located
    let mut model = pendulum();
    model.input("push", 0.0);
    let motion = Function::closure(&["push"], |x| x[0]);
    model.driver("crank", Ends::default(), DrivenAngle { joint: "pin".into(), motion: motion.clone() });
    model.event(Event { name: "now".into(), when: motion, ..Event::default() });
    let said = Mechanism::new(model).expect_err("refused").to_string();
    assert!(said.contains("time `t` only") && said.contains("cannot depend on an input"), "{said}");
}
