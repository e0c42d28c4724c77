//! Ctrl-C: the first one ends a run after the step under way, the second one ends the program.

use std::sync::atomic::{AtomicBool, Ordering};

static WANTED: AtomicBool = AtomicBool::new(false);
static HEEDED: AtomicBool = AtomicBool::new(false);

/// From now on, interruptions are noted instead of ending the program.
pub fn heed() {
    HEEDED.store(true, Ordering::SeqCst);
    // without a handler Ctrl-C ends the program at once, which loses a second of frames at most
    let _ = ctrlc::set_handler(|| {
        if !HEEDED.load(Ordering::SeqCst) || WANTED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
}

/// From now on, interruptions end the program.
pub fn ignore() {
    HEEDED.store(false, Ordering::SeqCst);
}

/// Whether the user has had enough.
pub fn wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}
