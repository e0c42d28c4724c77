//! The allocator of the machine, counting: the calls of each thread, and the bytes in use of the process.
#![allow(unsafe_code)] // a global allocator cannot be written without

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// Whether bytes are counted; calls always are.
static BYTES: AtomicBool = AtomicBool::new(false);
static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static LIMIT: OnceLock<(usize, fn())> = OnceLock::new();

/// Counts bytes from now on, and calls a function when there are more than a limit.
pub fn limit(bytes: usize, beyond: fn()) {
    let _ = LIMIT.set((bytes, beyond));
    BYTES.store(true, Relaxed);
}

/// The greatest number of bytes in use since they are counted.
pub fn peak() -> usize {
    PEAK.load(Relaxed)
}

/// Allocations of this thread so far.
pub fn so_far() -> usize {
    ALLOCATIONS.with(Cell::get)
}

/// Allocations that a piece of work makes.
pub fn allocations(work: impl FnOnce()) -> usize {
    let before = so_far();
    work();
    so_far() - before
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn more(bytes: usize) {
    ALLOCATIONS.with(|n| n.set(n.get() + 1));
    if !BYTES.load(Relaxed) {
        return;
    }
    let now = NOW.fetch_add(bytes, Relaxed).wrapping_add(bytes);
    // what was allocated before counting began may be freed since: the sum may be below zero
    let now = if now > usize::MAX / 2 { 0 } else { now };
    if now > PEAK.fetch_max(now, Relaxed)
        && let Some((most, beyond)) = LIMIT.get()
        && now > *most
    {
        beyond();
    }
}

fn less(bytes: usize) {
    if BYTES.load(Relaxed) {
        NOW.fetch_sub(bytes, Relaxed);
    }
}

// SAFETY: every call is passed on unchanged to the allocator of the machine
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        less(layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        more(size);
        less(layout.size());
        unsafe { System.realloc(pointer, layout, size) }
    }
}
