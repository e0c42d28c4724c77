"""Hairer's DOPRI5, DOP853 and RADAU5 on hand-derived equations. Usage: with_hairer.py motion PROBLEM LIBRARY"""

import ctypes
import sys

from problems import PROBLEMS, Andrews, Chain, StiffPendulum
from worker import RUNS, SECONDS, emit_run

CODES = ("DOPRI5", "DOP853", "RADAU5")
TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11)
# explicit codes need a hundred times the steps on the stiff problem, and RADAU5 dense matrices on the chain
FIT = {"double_pendulum_stiff": ("RADAU5",), "andrews": CODES, "chain50": ("DOPRI5", "DOP853")}


def doubles(values):
    return (ctypes.c_double * len(values))(*values)


def data(library, problem):
    """Hands the data of the problem over; its number in the library."""
    p = problem
    if isinstance(p, StiffPendulum):
        library.set_pendulum(
            doubles(
                [
                    p.half1,
                    p.half2,
                    p.mass1,
                    p.mass2,
                    p.inertia1,
                    p.inertia2,
                    p.stiffness1,
                    p.damping1,
                    p.free1,
                    p.stiffness2,
                    p.damping2,
                    p.gravity,
                ]
            )
        )
        return 0
    if isinstance(p, Andrews):
        centres = [x for centre in p.centres for x in centre]
        library.set_andrews(
            doubles(
                [
                    *p.masses,
                    *p.inertias,
                    *centres,
                    p.rr,
                    p.d,
                    p.ss,
                    p.e,
                    p.zt,
                    p.zf,
                    p.u,
                    *p.A,
                    *p.B,
                    *p.C,
                    p.spring_rate,
                    p.spring_length,
                    *p.spring_point,
                    p.drive,
                ]
            )
        )
        return 1
    assert isinstance(p, Chain)
    library.set_chain(p.size, doubles([p.mass, p.length, p.across, p.gravity]))
    return 2


def main():
    problem, library = PROBLEMS[sys.argv[2]], ctypes.CDLL(sys.argv[3])
    library.solve.restype = ctypes.c_double
    number, bodies = data(library, problem), len(problem.start)
    n, start, y = 2 * bodies, doubles([*problem.start, *[0.0] * bodies]), doubles([0.0] * (2 * bodies))

    def measure(code, tolerance):
        seconds = library.solve(
            number,
            CODES.index(code),
            ctypes.c_double(tolerance),
            n,
            start,
            ctypes.c_double(problem.t_end),
            y,
            RUNS,
            ctypes.c_double(SECONDS),
        )
        if seconds < 0:
            raise RuntimeError("the code gave up")
        return seconds, y[:bodies]

    for code in (code for code in FIT[problem.name] if library.has(CODES.index(code))):
        for tolerance in TOLERANCES:
            emit_run(code, tolerance, lambda: measure(code, tolerance))


main()
