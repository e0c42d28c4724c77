"""Shared by the workers. A worker measures one program on one problem and prints a line of JSON for each method and
setting.

A line of a motion has `method`, `setting`, `seconds` and `angles`, the angles of all bodies at the end. A line of
accelerations has `method`, `seconds` and `first`, the first joint acceleration. Import, construction of the model and
set-up are not part of the time; Kingpin's times leave them out too.
"""

import json
import time
from math import isfinite

# the same as in `kingpin bench integrate`: the fastest run of this number, or of those that start within these seconds
RUNS, SECONDS = 5, 1.0


def emit(**line):
    print(json.dumps(line), flush=True)


def fastest(prepare, run):
    """The least time of `run(prepare())`, and the result of the last call."""
    best, spent, result = float("inf"), 0.0, None
    for _ in range(RUNS):
        made = prepare()
        begin = time.perf_counter()
        result = run(made)
        took = time.perf_counter() - begin
        best, spent = min(best, took), spent + took
        if spent > SECONDS:
            break
    return best, result


def seconds_per_call(call, budget=0.1, repetitions=3):
    """Seconds of one call of a fast function: the fastest of a few loops that take `budget` seconds each."""
    begin = time.perf_counter()
    call()
    loops = max(1, int(budget / max(time.perf_counter() - begin, 1e-7)))
    best = float("inf")
    for _ in range(repetitions):
        begin = time.perf_counter()
        for _ in range(loops):
            call()
        best = min(best, (time.perf_counter() - begin) / loops)
    return best


def emit_run(method, setting, measure):
    """Prints the time and the angles that `measure` returns, or the cause of its failure."""
    try:
        seconds, angles = measure()
        angles = [float(a) for a in angles]
        if not all(isfinite(a) for a in angles):
            raise RuntimeError("unstable")
        emit(method=method, setting=setting, seconds=seconds, angles=angles)
    except Exception as error:  # exceptions of the other programs have no common type
        text = (str(error).strip() or repr(error)).splitlines()[0][:120]
        emit(method=method, setting=setting, failed=text)
