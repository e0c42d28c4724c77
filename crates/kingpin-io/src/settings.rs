//! Simulation settings that a caller gives beside a model.

use crate::model_file::ReadError;
use crate::parameters::Overrides;
use crate::read::read_text;
use kingpin::model::Simulation;
use kingpin::model::describe::Described;

/// Settings over those of a model: `given` is what would stand under `[simulation]`, a line for each setting. Messages
/// call the text `name`.
pub fn simulation_over(model: &Simulation, name: &str, given: &str) -> Result<Simulation, ReadError> {
    if given.is_empty() {
        return Ok(model.clone());
    }
    let text = format!("[simulation]\n{given}");
    let loaded = read_text(name, &text, ".", &Overrides::none());
    let Some(read) = &loaded.model else { return Err(ReadError::of(&loaded)) };
    let said = |field: &str| loaded.sources.says_of_simulation(field);
    let mut values = model.values();
    // one number for all kinds, or a table of them, goes before what the model says of one kind
    let small = said("atol");
    values.retain(|(field, _)| !(small && field.starts_with("atol")));
    for (field, value) in read.simulation.values() {
        if said(field) || small && field.starts_with("atol") {
            values.retain(|(other, _)| *other != field);
            values.push((field, value));
        }
        // the two names of the tolerance are one setting
        if field == "tol" && said(field) {
            values.retain(|(other, _)| *other != "rtol");
        }
    }
    Ok(Simulation::from_values(&mut values).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_goes_first_and_the_rest_stays() {
        let model = Simulation {
            t_end: 7.0,
            rtol: Some(1e-3),
            atol_angle: Some(1e-3),
            h_max: Some(0.5),
            ..Simulation::default()
        };
        let over = |given: &str| simulation_over(&model, "run", given).expect("settings");
        assert_eq!(over(""), model);
        let short = over("t_end = '50 ms'\nmethod = 'radau'\n");
        assert_eq!((short.t_end, short.method.as_str(), short.rtol), (0.05, "radau", Some(1e-3)));
        assert_eq!((short.h_max, short.atol_angle), (Some(0.5), Some(1e-3)));
        let fine = over("tol = 1e-9\natol = 1e-12\n");
        assert_eq!((fine.tol, fine.rtol, fine.atol, fine.atol_angle), (1e-9, None, Some(1e-12), None));
        let angle = over("atol = { angle = 1e-5 }\n");
        assert_eq!((angle.atol, angle.atol_angle), (None, Some(1e-5)));
    }

    #[test]
    fn faults_are_underlined() {
        let said = |given: &str| {
            simulation_over(&Simulation::default(), "run", given).expect_err("refused").to_string()
        };
        assert!(
            said("method = 'radua'\n").contains("did you mean `radau`?"),
            "{}",
            said("method = 'radua'\n")
        );
        assert!(
            said("tend = 3\n").contains("there is no simulation setting `tend`"),
            "{}",
            said("tend = 3\n")
        );
        assert!(said("tol = 0.5\n").contains("run:2:7"), "{}", said("tol = 0.5\n"));
    }
}
