//! Every program in this folder runs, and the short ones are short.

macro_rules! programs {
    ($($name:ident in $lines:literal lines),* $(,)?) => {
        $(mod $name {
            include!(concat!("../", stringify!($name), ".rs"));

            #[test]
            fn runs() {
                main().expect(stringify!($name));
                let lines = include_str!(concat!("../", stringify!($name), ".rs")).lines().count();
                assert!(lines <= $lines, "{lines}");
            }
        })*

        const ALL: &[&str] = &[$(stringify!($name)),*];
    };
}

programs! {
    load_and_run in 15 lines,
    pendulum in 30 lines,
    controller in 50 lines,
    linearise in 50 lines,
    save_to_folder in 50 lines,
}

#[test]
fn no_program_is_left_out() {
    let files = std::fs::read_dir(env!("CARGO_MANIFEST_DIR")).expect("a folder");
    let names = files.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let mut found: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".rs")?.to_string())).collect();
    found.sort();
    let mut listed: Vec<&str> = ALL.to_vec();
    listed.sort_unstable();
    assert_eq!(found, listed);
}
