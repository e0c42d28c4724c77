"""What a call from Python costs beside the same from Rust: python crates/kingpin-python/tests/overhead.py

Runs and steps of the pendulum, in turn from Rust and from Python in one process; the least of several rounds counts.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import kingpin as kp
from kingpin._mechanism import _asked

MODELS = Path(__file__).parents[3] / "models"
RUNS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
ROUNDS = 5


def pendulum() -> None:
    """Runs and steps of the pendulum."""
    mechanism = kp.load(MODELS / "pendulum.toml").build()
    asked = _asked("run", {}, None, "exact")
    rust, rust_step, python, python_step = [], [], [], []
    for _ in range(ROUNDS):
        seconds, step = mechanism._native.timed(asked, RUNS // ROUNDS)
        rust.append(seconds)
        rust_step.append(step)
        begun = time.perf_counter()
        for _ in range(RUNS // ROUNDS):
            mechanism.run()
        python.append(time.perf_counter() - begun)
        steps, begun = 0, time.perf_counter()
        for _ in range(RUNS // ROUNDS):
            sim = mechanism.simulate()
            steps += 1
            while sim.step():
                steps += 1
        python_step.append((time.perf_counter() - begun) / steps)
    each = 1e6 * ROUNDS / RUNS
    print(f"a run of the pendulum: {min(rust) * each:.1f} us in Rust, {min(python) * each:.1f} us from Python")
    print(f"ratio {min(python) / min(rust):.3f} (must be at most 1.2)")
    print(f"a step: {min(rust_step) * 1e6:.3f} us in Rust, {min(python_step) * 1e6:.3f} us from Python")
    print(f"difference {(min(python_step) - min(rust_step)) * 1e6:.3f} us (must be at most 3)")


def cores() -> None:
    """Four threads of Python with four mechanisms: cores that they keep busy."""
    mechanisms = [kp.load(MODELS / "hmmwv14_stiff.toml").build() for _ in range(4)]

    def compute(mechanism: kp.Mechanism) -> None:
        mechanism.run(t_end=0.2, method="adams", tol=1e-3)

    workers = [threading.Thread(target=compute, args=(mechanism,)) for mechanism in mechanisms]
    begun, busy = time.perf_counter(), time.process_time()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    wall, used = time.perf_counter() - begun, time.process_time() - busy
    print(f"four threads: {used:.2f} s of processors in {wall:.2f} s: {used / wall:.2f} of {os.cpu_count()} cores busy")


if __name__ == "__main__":
    pendulum()
    cores()
