//! The `kingpin` command.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{Write, stderr};
use std::process::ExitCode;

fn main() -> ExitCode {
    kingpin_cli::main(std::env::args_os()).into()
}

/// The allocator of the system; where it has no more memory, the command says so and ends.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// Each call is handed on as it is, so what callers owe the allocator of the system they owe this one.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        had(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        had(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        had(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Memory that was asked for, if there is any.
fn had(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() {
        end(bytes);
    }
    memory
}

/// Ends the command where there is no more memory: writing numbers to this stream takes none.
#[cold]
fn end(bytes: usize) -> ! {
    let mebibytes = bytes.div_ceil(1 << 20);
    let _ = write!(
        stderr(),
        "error: out of memory: {mebibytes} MiB could not be allocated\n\n  help: reduce the model, \
             or raise the memory limit (`ulimit -v`); continue a run with `--resume`\n"
    );
    exit()
}

#[cfg(unix)]
#[allow(unsafe_code)]
fn exit() -> ! {
    // SAFETY: ends the process at once, and runs nothing that could ask for memory
    unsafe { libc::_exit(1) }
}

#[cfg(not(unix))]
fn exit() -> ! {
    std::process::abort()
}
