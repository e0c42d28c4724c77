// Loads a model, changes a parameter, runs, and prints a channel.
use kingpin_io::ModelFile;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/pendulum.toml");
    let mechanism = ModelFile::new(path).set("l", "2 m").mechanism()?;
    let results = mechanism.simulate()?;
    for (t, x) in results.times().iter().zip(results.series("bob_x")?).step_by(50) {
        println!("{t:5.2} s  {x:9.6} m");
    }
    Ok(())
}
