// Results into a folder that survives crashes, and out of it again.
use kingpin_io::{ModelFile, to_toml};
use kingpin_results::{Folder, Reader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/four_bar.toml");
    let mechanism = ModelFile::new(path).mechanism()?;
    let dir = std::env::temp_dir().join(format!("kingpin-example-{}", std::process::id()));
    let mut folder = Folder::create(&dir, &mechanism, &to_toml(mechanism.model()))?;
    let mut settings = mechanism.settings();
    (settings.t_end, settings.frame) = (0.5, Some(0.01));
    let outcome = mechanism.simulate_into(&settings, &mut folder)?;
    folder.finish(&outcome)?;

    let reader = Reader::open(&dir)?;
    println!("{} frames of {} channels", reader.frames(), reader.header().channels.len());
    std::fs::remove_dir_all(&dir)?;
    Ok(())
}
