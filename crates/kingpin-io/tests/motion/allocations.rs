//! Once under way, no method allocates: not in steps, not in linearisations.

use crate::Ready;
use kingpin::dynamics::{Method, Observer, Settings, Step, simulate};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system allocator, counting the calls of each thread.
struct Counting;

fn count() {
    ALLOCATIONS.with(|n| n.set(n.get() + 1));
}

// SAFETY: every call is passed on unchanged to the system allocator
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations between two accepted steps, after the first few.
#[derive(Default)]
struct Watch {
    steps: usize,
    before: usize,
    most: usize,
}

impl Observer for Watch {
    fn step(&mut self, _: &Step) -> ControlFlow<()> {
        let now = ALLOCATIONS.with(Cell::get);
        self.steps += 1;
        if self.steps > 3 {
            self.most = self.most.max(now - self.before);
        }
        self.before = now;
        ControlFlow::Continue(())
    }
}

#[test]
fn steps_allocate_nothing() {
    // ends for implicit and for explicit methods
    let models = [
        ("hmmwv14_stiff.toml", 0.05, 5e-4),
        ("andrews.toml", 0.004, 0.01),
        ("double_pendulum_stiff.toml", 0.1, 1e-3),
    ];
    for (model, implicit_end, explicit_end) in models {
        let ready = Ready::shipped(model);
        for method in [
            Method::ForRosen,
            Method::ForSdirk,
            Method::SspTrap,
            Method::Dopri5,
            Method::Dop853,
            Method::Adams,
        ] {
            let explicit = matches!(method, Method::Dopri5 | Method::Dop853 | Method::Adams);
            let t_end = if explicit { explicit_end } else { implicit_end };
            let settings = Settings { method, ..Settings::new(1e-5, t_end) };
            let mut watch = Watch::default();
            simulate(&ready.system, &ready.start, &ready.redundant, &settings, &mut watch);
            assert!(watch.steps > 3, "{model} {}", method.name());
            assert_eq!(watch.most, 0, "{model} {}: allocations in a step", method.name());
        }
    }
}
