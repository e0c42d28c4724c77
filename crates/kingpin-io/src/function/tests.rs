//! Functions of model files.

use crate::{Overrides, read_text};
use kingpin::element::force::ForceKind;
use kingpin::model::{Function, Model};

fn read(text: &str) -> Model {
    let loaded = read_text("a.toml", text, ".", &Overrides::none());
    let said = loaded.render(false);
    loaded.model.expect(&said)
}

fn actuators(model: &Model) -> Vec<Function> {
    let spring = |kind: &ForceKind| match kind {
        ForceKind::Spring(spring) => spring.actuator.clone(),
        _ => panic!("only springs here"),
    };
    model.forces.iter().map(|force| spring(&force.kind)).collect()
}

const SPRING: &str = "[[force]]\ntype = 'spring'\nbody1 = 'a'\nbody2 = 'b'\n";

#[test]
fn what_uses_no_variable_is_a_number() {
    let model = read(&format!("[parameters]\nF = '2 kN'\n{SPRING}name = 's'\nactuator = 'F/4'\n"));
    assert_eq!(actuators(&model), [Function::Constant(500.0)]);
}

#[test]
fn numbers_with_and_without_units_have_the_same_range() {
    for actuator in ["1e200", "'1e200 N'", "'1e100 * 1e100 N'"] {
        let text = format!("{SPRING}name = 's'\nactuator = {actuator}\n");
        let said = read_text("a.toml", &text, ".", &Overrides::none()).render(false);
        assert!(said.contains("`actuator` must not exceed 1e60 in size, but is 1e200"), "{said}");
    }
}

#[test]
fn variables_come_before_measures() {
    let measure = "[[measure]]\ntype = 'distance'\nname = 'gap'\nbody1 = 'a'\nbody2 = 'b'\n";
    let model = read(&format!("{SPRING}name = 's'\nactuator = '1 N*s/m * (rate + gap.rate)'\n{measure}"));
    let [Function::Expr(expr)] = &actuators(&model)[..] else { panic!() };
    assert_eq!(expr.variables().collect::<Vec<_>>(), [2, 4]);
    assert_eq!(expr.eval(&[0.0, 0.0, 1.0, 0.0, 10.0]), 11.0);
}

#[test]
fn indices_are_put_into_the_text() {
    let pattern = SPRING.replace("force", "pattern.force");
    let measure = "[[pattern.measure]]\ntype = 'distance'\nname = 'gap{i}'\nbody1 = 'a'\nbody2 = 'b'\n";
    let text = format!(
        "[[pattern]]\nto = 2\n{measure}{pattern}name = 's{{i}}'\nactuator = 'i * gap{{i}} * 3 N/m + i * 1 N'\n"
    );
    let made = actuators(&read(&text));
    let texts: Vec<&str> =
        made.iter().map(|f| if let Function::Expr(e) = f { e.text() } else { "" }).collect();
    assert_eq!(texts, ["(1) * gap1 * 3 N/m + (1) * 1 N", "(2) * gap2 * 3 N/m + (2) * 1 N"]);
    let Function::Expr(second) = &made[1] else { panic!() };
    assert_eq!(second.eval(&[0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0]), 32.0);
}

#[test]
fn programs_give_functions_by_name() {
    let text = format!("{SPRING}name = 's'\nactuator = '@pull'\n");
    let pull = Function::closure(&["rate"], |x| 2.0 * x[0]);
    let given = Overrides::none().function("pull", pull.clone());
    let read_by = |given: &Overrides| read_text("a.toml", &text, ".", given);
    assert_eq!(actuators(&read_by(&given).model.expect("a model")), std::slice::from_ref(&pull));
    let said = read_by(&Overrides::none().function("push", pull)).render(false);
    assert!(said.contains("a.toml:6:12") && said.contains("there are `push`"), "{said}");
    let said = read_by(&Overrides::none()).render(false);
    assert!(said.contains("only by the program"), "{said}");
}

#[test]
fn tables_hold_their_ends() {
    let model = read(&format!("{SPRING}name = 's'\nactuator = {{ t = [0, 1], value = ['1 kN', 0] }}\n"));
    assert_eq!(actuators(&model)[0].eval(&[-5.0, 0.0, 0.0]), 1000.0);
}
