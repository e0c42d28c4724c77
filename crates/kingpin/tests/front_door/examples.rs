//! Everything in the folder of examples runs, and the short ones are short.

macro_rules! examples {
    ($($name:ident at $path:literal in $lines:literal lines),* $(,)?) => {
        $(
            #[path = $path]
            mod $name;
        )*

        $(
            #[test]
            fn $name() {
                $name::main().expect(stringify!($name));
                let lines = include_str!($path).lines().count();
                assert!(lines <= $lines, "{lines}");
            }
        )*

        const ALL: &[&str] = &[$(stringify!($name)),*];
    };
}

examples! {
    load_and_run at "../../examples/load_and_run.rs" in 15 lines,
    pendulum at "../../examples/pendulum.rs" in 30 lines,
    controller at "../../examples/controller.rs" in 60 lines,
    linearise at "../../examples/linearise.rs" in 60 lines,
}

#[test]
fn no_example_is_left_out() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<String> =
        files.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    found.sort();
    let mut listed: Vec<&str> = ALL.to_vec();
    listed.sort_unstable();
    assert_eq!(found, listed);
}
