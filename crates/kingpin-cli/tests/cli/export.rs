//! `kingpin export`: files, names, refusals.

use crate::run::{Ran, folder as empty, run_in};
use crate::sample::four_bar;
use std::fs;
use std::path::Path;

fn folder(name: &str) -> std::path::PathBuf {
    let place = empty(name);
    four_bar(&place.join("results"), true);
    place
}

fn export(place: &Path, more: &[&str]) -> Ran {
    run_in(place, &[&["export", "results"], more].concat())
}

fn good(place: &Path, more: &[&str]) -> String {
    let ran = export(place, more);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{more:?}");
    ran.out
}

#[test]
fn tables_go_where_they_should() {
    let place = folder("export-tables");
    assert_eq!(good(&place, &[]), "wrote results/results.csv: 51 frames of 54 channels\n");
    let said = good(&place, &["--format", "npy,csv", "-o", "tables", "--channels", "crank.*,rocker_angle"]);
    assert_eq!(
        said,
        "wrote tables/results.npy: 51 frames of 10 channels\nwrote tables/results.csv: 51 frames of 10 channels\n"
    );
    let said = good(&place, &["-o", "some.csv", "--every", "10", "--channels", "*.omega", "--to", "0.3"]);
    assert_eq!(said, "wrote some.csv: 4 frames of 3 channels\n");
    let text = fs::read_to_string(place.join("some.csv")).expect("a table");
    assert!(
        text.starts_with("time [s],crank.omega [rad/s],coupler.omega [rad/s],rocker.omega [rad/s]\r\n0.0,")
    );
    let stream = export(&place, &["-o", "-", "--channels", "*.omega", "--to", "300ms", "--every", "10"]);
    assert_eq!((stream.code, stream.out), (0, text));
    assert!(place.join("tables/results.npy.json").exists());
}

#[test]
fn motions_need_only_the_folder() {
    let place = folder("export-motion");
    let said = good(&place, &["--gltf", "bars.glb", "--vtk", "bars.pvd", "--every", "25"]);
    assert_eq!(said, "wrote bars.glb: 3 frames\nwrote bars.pvd: 3 frames\n");
    assert_eq!(&fs::read(place.join("bars.glb")).expect("a file")[..4], b"glTF");
    assert!(place.join("bars/bars_000002.vtp").exists() && !place.join("bars/bars_000003.vtp").exists());
    assert_eq!(good(&place, &["--vtk", "more"]), "wrote more/results.pvd: 51 frames\n");
    fs::remove_file(place.join("results/model.toml")).expect("removed");
    insta::assert_snapshot!(export(&place, &["--gltf", "again.glb"]).err, @r"
    error: `results/model.toml` is damaged: it ends after 0 bytes, and it is missing or incomplete

      help: run `kingpin run` with the same model and options and `--resume` to compute it again
    ");
}

#[test]
fn runs_under_way_say_so() {
    let place = empty("export-unfinished");
    four_bar(&place.join("results"), false);
    let said = good(&place, &["--format", "npy"]);
    assert_eq!(
        said,
        "wrote results/results.npy: 51 frames of 54 channels\nthe run has not finished: 51 frames so far\n"
    );
}

#[test]
fn nothing_is_overwritten_by_accident() {
    let place = folder("export-exists");
    fs::write(place.join("mine.csv"), "precious").expect("written");
    let ran = export(&place, &["--gltf", "new.glb", "-o", "mine.csv"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.err, @r"
    error: `mine.csv` exists already

      help: choose another name, or overwrite it with `--force`
    ");
    assert_eq!(fs::read_to_string(place.join("mine.csv")).expect("kept"), "precious");
    assert!(!place.join("new.glb").exists());
    good(&place, &["-o", "mine.csv", "--force"]);
    assert!(fs::read_to_string(place.join("mine.csv")).expect("a table").starts_with("time [s],"));
}

#[test]
fn refusals() {
    let place = folder("export-refusals");
    let mut told = String::new();
    for more in [
        &["--channels", "crank.omgea"][..],
        &["--channels", "*.tension"],
        &["--from", "2"],
        &["--gltf", "bars.gltf"],
        &["-o", "a.npy", "--format", "csv"],
        &["-o", "a.csv", "--format", "csv,npy"],
        &["-o", "-", "--format", "npy"],
    ] {
        let ran = export(&place, more);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{more:?}");
        told += &format!("{}\n{}\n", more.join(" "), ran.err);
    }
    insta::assert_snapshot!(told);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_says_how_to_get_it() {
    let place = folder("export-parquet");
    let ran = export(&place, &["--format", "parquet"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(ran.err);
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_is_written() {
    let place = folder("export-parquet");
    assert_eq!(good(&place, &["-o", "bars.parquet"]), "wrote bars.parquet: 51 frames of 54 channels\n");
    assert_eq!(&fs::read(place.join("bars.parquet")).expect("a file")[..4], b"PAR1");
}
