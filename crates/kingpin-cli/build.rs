//! Builds the report page of `viewer/` into the command, unless the feature `viewer` is off.

#[path = "page_parts.rs"]
mod page_parts;

use page_parts::PAGE_PARTS;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The block that the page must hold once, for the data.
const BLOCK: &str = r#"<script type="application/json" id="kingpin-data"></script>"#;
/// The oldest Node.js that can build the page.
const NODE: (u32, u32) = (20, 19);
/// A page built elsewhere.
const READY: &str = "KINGPIN_PAGE";
/// Where the sources of the page are.
const VIEWER: &str = "../../viewer";
/// The page of a source package, which has no sources of the page.
const PACKAGED: &str = "page/index.html";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={READY}");
    // the shipped models: of the repository, or of a source package
    let models = ["../../models", "models"].into_iter().find_map(|folder| fs::canonicalize(folder).ok());
    match models {
        Some(folder) => println!("cargo::rustc-env=KINGPIN_MODELS={}", folder.display()),
        None => println!("cargo::error=the folder `models` of the repository is missing"),
    }
    if env::var_os("CARGO_FEATURE_VIEWER").is_none() {
        return;
    }
    if let Err(lines) = page() {
        for line in lines.lines() {
            println!("cargo::error={line}");
        }
    }
}

/// Puts `page.html` into the folder of the build; or says what is missing.
fn page() -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo did not say where to build")?);
    let built = match env::var_os(READY).filter(|path| !path.is_empty()) {
        Some(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            PathBuf::from(path)
        }
        None if Path::new(PACKAGED).is_file() && !Path::new(VIEWER).is_dir() => PathBuf::from(PACKAGED),
        None => build(&out)?,
    };
    let text = fs::read_to_string(&built)
        .map_err(|error| format!("cannot read the report page `{}`: {error}", built.display()))?;
    match text.matches(BLOCK).count() {
        1 => fs::write(out.join("page.html"), text)
            .map_err(|error| format!("cannot write the report page: {error}")),
        _ => Err(format!("`{}` is not a report page: it has no place for data", built.display())),
    }
}

/// Builds the page into a folder of its own, so that builds at the same time do not meet.
fn build(out: &Path) -> Result<PathBuf, String> {
    let viewer = Path::new(VIEWER);
    for part in PAGE_PARTS {
        println!("cargo::rerun-if-changed={}", viewer.join(part).display());
    }
    if !viewer.join("package-lock.json").is_file() {
        return Err(format!("the folder `viewer` of the repository is missing\n{}", without()));
    }
    demand_node()?;
    install(viewer)?;
    let target = out.join("page");
    let mut vite = Command::new("node");
    vite.arg("node_modules/vite/bin/vite.js").args(["build", "--logLevel", "warn", "--emptyOutDir"]);
    run(vite.arg("--outDir").arg(&target).current_dir(viewer), "the build of the report page failed")?;
    Ok(target.join("index.html"))
}

/// Node.js must be there and new enough.
fn demand_node() -> Result<(), String> {
    let (major, minor) = NODE;
    let get = format!(
        "get Node.js {major}.{minor} or later (nodejs.org, or a package such as `nodejs` with `npm`)\n{}",
        without()
    );
    let output = Command::new("node").arg("--version").output();
    let Ok(output) = output else {
        return Err(format!("the report page is built with Node.js, and `node` was not found\n{get}"));
    };
    let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
    let mut parts = text.trim_start_matches('v').split('.').map_while(|part| part.parse::<u32>().ok());
    match (parts.next(), parts.next()) {
        (Some(a), Some(b)) if (a, b) >= NODE => Ok(()),
        _ => Err(format!("the report page cannot be built with Node.js {text}\n{get}")),
    }
}

/// Brings in the packages of the page if they are missing or older than their list.
fn install(viewer: &Path) -> Result<(), String> {
    let time = |name: &str| fs::metadata(viewer.join(name)).and_then(|found| found.modified()).ok();
    let fresh = || {
        time("node_modules/.package-lock.json").is_some_and(|at| Some(at) >= time("package-lock.json"))
            && viewer.join("node_modules/vite/bin/vite.js").is_file()
    };
    if fresh() {
        return Ok(());
    }
    // one build at a time; the lock ends with the file
    let lock = File::create(viewer.join(".installing")).and_then(|file| file.lock().map(|()| file));
    if lock.is_ok() && fresh() {
        return Ok(());
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(npm);
    command.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(viewer);
    run(&mut command, "the packages of the report page could not be installed")
}

/// Runs a program; if it fails, says so with what it printed.
fn run(command: &mut Command, failure: &str) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output =
        command.output().map_err(|error| format!("cannot start `{name}`: {error}\n{}", without()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(format!("{failure}\n{}\n{}", String::from_utf8_lossy(&said).trim(), without()))
}

fn without() -> String {
    format!(
        "or build without the report page: cargo build --no-default-features\n\
         or name a page that was built elsewhere: {READY}=/path/to/index.html cargo build"
    )
}
