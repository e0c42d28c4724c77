#!/usr/bin/env python3
"""Kingpin and other programs in one run: ratios of their times at equal errors, and of their accelerations.

perf.py KINGPIN [--rounds N] [--only PROBLEM ...] [--work FOLDER], where KINGPIN is the optimised command; `make perf`
builds it first. FOLDER (default: target/perf) receives the virtual environment, sources and results.

Each round measures Kingpin, every other program, and Kingpin again, so that the load of the machine affects all of them
equally; the tables show medians. Programs that are not available or fail are skipped by name. The exit code is 1 only
if a result is wrong: Kingpin misses the reference values of a model file, or hand-derived equations give another motion.
"""

import argparse
import csv
import json
import os
import platform
import shutil
import signal
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True
import obtain
from compare import duration, fastest, table, time_at
from problems import PROBLEMS, error

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOLERANCES = "1e-2,1e-3,1e-4,1e-5,1e-6,1e-7,1e-8,1e-9"
# the solution that errors refer to
REFERENCE = ("--method", "dop853", "--tol", "1e-12")
# hand-derived equations are wrong if their end differs by more at the tightest tolerance
SAME = 1e-8
# greatest relative difference of accelerations that are compared; soft constraints cause about 1e-6
ALIKE = 1e-3
ACCELERATIONS = (("chain", 10), ("chain", 50), ("chain", 100), ("ladder", 10), ("ladder", 50))
FIRST = {"chain": "link1.alphay", "ladder": "lower1.alphay"}
# programs and their packages
PROGRAMS = {"MuJoCo": "mujoco", "Drake": "drake", "Exudyn": "exudyn", "Pinocchio": "pin"}
# and their scripts; Pinocchio has no integrator, Exudyn no call for accelerations alone
WITH_MOTIONS = {"MuJoCo": "mujoco", "Drake": "drake", "Exudyn": "exudyn"}
WITH_ACCELERATIONS = {"Pinocchio": "pinocchio", "MuJoCo": "mujoco", "Drake": "drake"}
# longest time of a worker in seconds
LIMIT = 300
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}


class Wrong(Exception):
    """A wrong result."""


def progress(text):
    print(text, file=sys.stderr, flush=True)


class Bench:
    def __init__(self, kingpin, rounds, work):
        self.kingpin, self.rounds, self.folder = kingpin, rounds, work
        self.skipped = {}
        work.mkdir(parents=True, exist_ok=True)
        requirements = HERE / "requirements.txt"
        self.python = obtain.packages(work, requirements, PROGRAMS, self.skip)
        pip = str(self.python or sys.executable)
        self.library, self.gfortran = obtain.hairer(work, HERE / "equations.c", pip, self.skip)

    def skip(self, name, why):
        """Records the first reason for which a program is left out."""
        self.skipped.setdefault(name, why)

    def output_of(self, *words):
        """Standard output of the command."""
        done = subprocess.run([str(self.kingpin), *map(str, words)], capture_output=True, text=True, cwd=ROOT)
        if done.returncode:
            raise Wrong(f"kingpin {' '.join(map(str, words))}: {obtain.last_line(done.stderr)}")
        return done.stdout

    def last_row(self, model, *options, row=-1):
        """Channels of the last frame of a run, or of another."""
        folder = self.folder / "run"
        shutil.rmtree(folder, ignore_errors=True)
        self.output_of("run", model, *options, "-o", folder, "--quiet")
        with open(folder / "results.csv", newline="") as file:
            head, *rows = csv.reader(file)
        return {name.split(" ")[0]: float(x) for name, x in zip(head, rows[row])}

    def run_worker(self, program, subject, script, *words):
        """Results of a worker. If it fails, the program is skipped on this subject."""
        python, name = sys.executable if script == "hairer" else self.python, f"{program} on {subject}"
        if python is None or program in self.skipped or name in self.skipped:
            return []
        environment = {**os.environ, **ONE_THREAD, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONWARNINGS": "ignore"}
        command = [str(python), str(HERE / f"with_{script}.py"), *map(str, words)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self.skip(name, f"took more than {LIMIT} s")
            return []
        if done.returncode < 0:
            self.skip(name, f"ended by {signal.Signals(-done.returncode).name}")
        elif done.returncode:
            self.skip(name, obtain.last_line(done.stderr))
        return [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "{" and line[-1:] == "}"]

    # ---- motions

    def reference(self, problem):
        """Positions and orientations at the end, checked against the values in the model file."""
        end = ("--t-end", problem.t_end, "--frame", problem.t_end)
        found = self.last_row(problem.model, *REFERENCE, *end)
        for name, value in problem.known.items():
            if not abs(found[name] - value) <= problem.digits:
                raise Wrong(f"{problem.model}: {name} is {found[name]}, the model file says {value}")
        return found

    def ours(self, problem):
        """Points (method, setting, error, seconds)."""
        runs = ("--methods", problem.methods, "--tols", TOLERANCES, "--t-end", problem.t_end, "--grid", 1)
        text = self.output_of("bench", "integrate", problem.model, *runs, "--json")
        return [(p["method"], p["tol"], p["error"], p["wall_s"]) for p in json.loads(text) if p["error"] is not None]

    def theirs(self, name, script, problem, reference, *words):
        points = []
        for line in self.run_worker(name, problem.name, script, "motion", problem.name, *words):
            if "failed" in line:
                self.skip(f"{name} {line['method']} with {line['setting']} on {problem.name}", line["failed"])
            else:
                points.append(
                    (line["method"], line["setting"], error(problem, line["angles"], reference), line["seconds"])
                )
        return points

    def motion(self, problem):
        """All points of a problem: {program: {method: [(error, median of seconds)]}}."""
        reference = self.reference(problem)
        samples = defaultdict(list)

        def collect(program, points):
            for method, setting, off, seconds in points:
                samples[program, method, setting].append((off, seconds))

        for k in range(self.rounds):
            progress(f"{problem.name}: round {k + 1} of {self.rounds}")
            collect("Kingpin", self.ours(problem))
            if self.library:
                codes = self.theirs("Hairer's codes", "hairer", problem, reference, self.library)
                for method in dict.fromkeys(point[0] for point in codes):
                    own = [point for point in codes if point[0] == method]
                    if min(point[2] for point in own) > SAME:
                        raise Wrong(
                            f"{method} on the hand-derived equations of {problem.name} stays "
                            f"{min(point[2] for point in own):.1e} away from the reference"
                        )
                    collect(method, own)
            for name, script in WITH_MOTIONS.items():
                collect(name, self.theirs(name, script, problem, reference))
            collect("Kingpin", self.ours(problem))
        points = defaultdict(lambda: defaultdict(list))
        for (program, method, _), of in samples.items():
            points[program][method].append((of[-1][0], statistics.median(seconds for _, seconds in of)))
        return points

    # ---- accelerations

    def accelerations(self, kind, size):
        """{program: (method, median of seconds)}, ours with the solver that is chosen."""
        model = self.folder / f"{kind}{size}.toml"
        model.write_text(self.output_of("generate", kind, "--size", size))
        first = self.last_row(model, "--t-end", 1e-6, "--frame", 1e-6, row=0)[FIRST[kind]]
        samples = defaultdict(list)
        # the other programs compute the multipliers of closed loops as well
        figure = "only_ns" if kind == "chain" else "whole_ns"

        def ours():
            lines = json.loads(self.output_of("bench", "accel", model, "--budget", 20, "--json"))
            line = next(line for line in lines if line["chosen"])
            samples["Kingpin", line["solver"]].append(1e-9 * line[figure])

        for _ in range(self.rounds):
            ours()
            for name, script in WITH_ACCELERATIONS.items():
                for line in self.run_worker(name, f"accelerations of a {kind}", script, "accelerations", kind, size):
                    off = abs(line["first"] / first - 1)
                    if off < ALIKE:
                        samples[name, line["method"]].append(line["seconds"])
                    else:
                        self.skip(
                            f"{name} on accelerations of a {kind} of {size}",
                            f"they differ from ours by {100 * off:.1g} %",
                        )
        ours()
        return {name: (method, statistics.median(of)) for (name, method), of in samples.items()}


def ratio(ours, theirs):
    return "" if ours is None or theirs is None else f"{ours / theirs:.2g}"


def motion_rows(problem, points):
    """Rows of the table, and for each program the loosest error that it did not reach."""
    rows, missing = [], {}
    others = {program: methods for program, methods in points.items() if program != "Kingpin"}
    for level in problem.levels:
        auto, best = time_at(points["Kingpin"]["auto"], level), fastest(points["Kingpin"], level)
        if best is None:
            missing.setdefault("Kingpin", level)
            continue
        # a row for each other program; a row of ours alone if there is no other program
        for program, methods in (others or {"none": {}}).items():
            seconds, method = fastest(methods, level) or (None, None)
            if seconds is None and others:
                missing.setdefault(program, level)
                continue
            name = program if method in (None, program) else f"{program} {method}"
            times = duration(seconds), duration(auto), ratio(auto, seconds), best[1], duration(best[0])
            rows.append((problem.name, f"{level:.0e}", name, *times, ratio(best[0], seconds)))
    return rows, [f"{program} on {problem.name} {level:.0e}" for program, level in missing.items()]


def acceleration_rows(case, times):
    """Rows of the table of accelerations."""
    solver, ours = times["Kingpin"]
    others = {program: of for program, of in times.items() if program != "Kingpin"}
    return [
        (case, f"{program} {function}".strip(), duration(seconds), solver, duration(ours), ratio(ours, seconds))
        for program, (function, seconds) in (others or {"none": ("", None)}).items()
    ]


def machine(bench):
    """Description of the machine, one line."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    fortran = f", gfortran {bench.gfortran}" if bench.gfortran else ""
    return f"{model}, {os.cpu_count()} processors, load {load}{fortran}, Python {platform.python_version()}; one thread each"


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("kingpin", type=Path)
    arguments.add_argument("--rounds", type=int, default=3, help="number of rounds (default: 3)")
    arguments.add_argument(
        "--only", nargs="+", choices=[*PROBLEMS, "accelerations"], default=[*PROBLEMS, "accelerations"]
    )
    arguments.add_argument("--work", type=Path, default=ROOT / "target" / "perf")
    given = arguments.parse_args()
    bench = Bench(given.kingpin.resolve(strict=True), given.rounds, given.work.resolve())
    before = machine(bench)

    rows, missing, everything = [], [], {}
    for name in (name for name in PROBLEMS if name in given.only):
        points = bench.motion(PROBLEMS[name])
        everything[name] = points
        more, absent = motion_rows(PROBLEMS[name], points)
        rows, missing = rows + more, missing + absent
    fast = []
    for kind, size in ACCELERATIONS if "accelerations" in given.only else ():
        progress(f"accelerations of {kind} {size}")
        everything[f"{kind} {size}"] = times = bench.accelerations(kind, size)
        fast += acceleration_rows(f"{kind} {size}", times)

    text = [before, ""]
    if rows:
        head = "problem|error|other program|its time|`auto`|ratio|our fastest|its time|ratio".split("|")
        text += ["Time to reach an error (m, rad) at the end; ratio: our time over the time of the other program", ""]
        text += [table(head, rows), ""]
    if fast:
        head = "accelerations|other program|its time|our solver|our time|ratio".split("|")
        text += [table(head, fast), ""]
    text += [f"skipped: {name}: {why}" for name, why in bench.skipped.items()]
    text += [f"not reached with the settings tried: {'; '.join(missing)}"] if missing else []
    print("\n".join(text))
    (bench.folder / "table.md").write_text("\n".join(text) + "\n")
    (bench.folder / "points.json").write_text(json.dumps(everything, indent=1))


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"error: {wrong}")
    except FileNotFoundError as missing:
        sys.exit(f"error: {missing}")
