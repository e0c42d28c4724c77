//! `--reproducible`: the same bits on all processors.

use kingpin::linalg::Arithmetic;

/// Sine, exponential and their like choose their instructions by the processor, too, where the system library has
/// several: this keeps it from doing so.
const VARIABLE: &str = "GLIBC_TUNABLES";
const PLAIN: &str = "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX512F";

/// The arithmetic asked for. The system library looks at its variable only when a program starts, so this starts the
/// command again, in its own place, if it has to.
pub fn chosen(portable: bool) -> Arithmetic {
    if !portable {
        return Arithmetic::Fastest;
    }
    if cfg!(all(target_os = "linux", target_env = "gnu")) && std::env::var(VARIABLE).is_ok_and(|v| v == PLAIN)
    {
        return Arithmetic::Portable;
    }
    start_again();
    Arithmetic::Portable
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn start_again() {
    use std::os::unix::process::CommandExt;
    let Ok(program) = std::env::current_exe() else { return };
    // comes back only if it fails
    let error =
        std::process::Command::new(program).args(std::env::args_os().skip(1)).env(VARIABLE, PLAIN).exec();
    let text =
        format!("functions of the system library may give other bits on other processors: {error}\n\n");
    crate::output::warn("not-portable", &text);
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn start_again() {}
