#!/usr/bin/env python3
"""Instructions of start-up, accelerations and runs, counted by callgrind and compared with the list in the tree.

usage: count.py [--update | --whole] [--only TEXT] DIRECTORY_OF_BINARIES

The directory holds `kingpin` and `examples/accelerations`, built for release. Each case is a line of cases.txt; each
count a line of counts.txt, whose first line names the compiler; functions.txt holds the functions that cost most, so
that a rise has a name. More than 3 percent in any line fails. With another compiler nothing fails: counts are printed.
--update writes both lists; --whole runs all models to their ends and only prints.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CASES, COUNTS, FUNCTIONS = (HERE / f"{name}.txt" for name in ("cases", "counts", "functions"))
# mathematics of the system library that is the same on all processors; the command starts itself again without it
PLAIN = "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX512F"
# a rise beyond this part fails
MOST = 0.03
# functions that are kept for each case
KEPT = 12


def cases(whole: bool, room: pathlib.Path) -> list[tuple[str, str, list[str]]]:
    """Name, part that is counted (empty: all) and command line of each case."""
    found = []
    for line in CASES.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        kind, *words = line.split()
        if kind == "start":
            found.append((f"start/{'-'.join(w.removeprefix('models/').removesuffix('.toml') for w in words)}", "", ["kingpin", *words]))
        elif kind == "run":
            model, method, end = words
            more = [] if whole or end == "-" else ["--t-end", end]
            command = ["kingpin", "run", f"models/{model}.toml", "--method", method, *more, "--no-results", "--reproducible", "--quiet"]
            found.append((f"run/{model}/{method}", "", command))
        elif kind == "accelerations":
            model, *solvers = words
            path = str(generated(model, room)) if model.startswith("chain") else f"models/{model}.toml"
            for solver in solvers:
                found.append((f"accelerations/{model}/{solver}", "accelerations::counted", ["examples/accelerations", path, solver, "3"]))
        else:
            sys.exit(f"{CASES.name}: no such kind of case: {kind}")
    return found


def generated(model: str, room: pathlib.Path) -> pathlib.Path:
    """A chain of as many links as its name says."""
    path = room / f"{model}.toml"
    if not path.exists():
        size = model.removeprefix("chain")
        path.write_bytes(subprocess.run([BINARIES / "kingpin", "generate", "chain", "--size", size], check=True, stdout=subprocess.PIPE).stdout)
    return path


def count(case: tuple[str, str, list[str]], room: pathlib.Path) -> tuple[str, int, dict[str, int]]:
    """Instructions of a case, in all and of each function."""
    name, part, command = case
    out = room / name.replace("/", "_")
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
    if part:
        valgrind.append(f"--toggle-collect={part}")
    # the environment and the folder are on the stack of the program, so they are the same everywhere
    done = subprocess.run(
        [*valgrind, str(BINARIES / command[0]), *command[1:]],
        cwd=ROOT, env={"PATH": os.environ["PATH"], "GLIBC_TUNABLES": PLAIN}, capture_output=True, text=True,
    )
    total = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or total is None:
        sys.exit(f"{name}: {' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    functions = of_functions(out)
    out.unlink()
    return name, int(total.group(1)), functions


def of_functions(out: pathlib.Path) -> dict[str, int]:
    """Instructions that each function takes itself, from callgrind's file."""
    names: dict[str, str] = {}
    costs: dict[str, int] = {}
    now, call = "", False
    for line in out.read_text().splitlines():
        if line.startswith("fn="):
            key, _, text = line[3:].partition(" ")
            if text:
                names[key] = plain(text)
            now = names[key]
        elif line.startswith(("cfn=", "cfi=", "cob=")):
            key, _, text = line[4:].partition(" ")
            if line.startswith("cfn=") and text:
                names[key] = plain(text)
        elif line.startswith("calls="):
            call = True
        elif line[:1] in "+-*0123456789" and line:
            # the line behind `calls=` has what the called function takes
            if not call:
                costs[now] = costs.get(now, 0) + int(line.split()[1])
            call = False
    return costs


def plain(name: str) -> str:
    """A name without the hash of its build."""
    return re.sub(r"(::h[0-9a-f]{16}|'\d+|\.llvm\.\d+|\.\d+)+$", "", name).replace(" ", "_")


def listed() -> tuple[str, dict[str, int], dict[str, dict[str, int]]]:
    """What the tree says: compiler, counts, functions."""
    compiler, *lines = COUNTS.read_text().splitlines()
    counts = {name: int(n) for name, n in (line.split() for line in lines)}
    functions: dict[str, dict[str, int]] = {}
    for line in FUNCTIONS.read_text().splitlines():
        case, n, name = line.split(maxsplit=2)
        functions.setdefault(case, {})[name] = int(n)
    return compiler, counts, functions


def main() -> int:
    update, whole = "--update" in sys.argv, "--whole" in sys.argv
    if update and "--only" in sys.argv:
        sys.exit("--update writes the whole list: leave --only away")
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    compiler = subprocess.run(["rustc", "--version"], check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        room = pathlib.Path(folder)
        wanted = [case for case in cases(whole, room) if only in case[0]]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = list(pool.map(lambda case: count(case, room), wanted))
    if update:
        COUNTS.write_text("\n".join([compiler, *(f"{name} {n}" for name, n, _ in results)]) + "\n")
        most = lambda costs: sorted(costs.items(), key=lambda item: -item[1])[:KEPT]
        FUNCTIONS.write_text("".join(f"{name} {n} {function}\n" for name, _, costs in results for function, n in most(costs)))
        print(f"{len(results)} counts written")
        return 0
    known, before, functions = listed()
    worse = []
    for name, n, costs in results:
        was = None if whole else before.get(name)
        if was is None:
            print(f"{name:44} {n:14,}" + ("" if whole else "   not in the list"))
            worse += [] if whole else [f"{name} is not in the list: tests/instructions/count.py --update"]
            continue
        change = n / was - 1
        print(f"{name:44} {was:14,} {n:14,} {100 * change:+8.2f} %")
        if change > MOST:
            of = functions.get(name, {})
            least = min(of.values(), default=0)
            function, rise = max(((f, c - of.get(f, min(c, least))) for f, c in costs.items()), key=lambda item: item[1])
            worse.append(f"{name} takes {100 * change:.1f} % more instructions: {rise:,} of them in {function}")
    if not only and not whole:
        worse += [f"{name} is in the list and was not counted" for name in before if name not in {name for name, _, _ in results}]
    for line in worse:
        print(line)
    if worse and known != compiler:
        print(f"not a failure: the list is of {known}, this is {compiler}")
        return 0
    if worse:
        print("A rise that buys something is a commit of its own that changes the list: tests/instructions/count.py --update target/release")
    return 1 if worse else 0


if __name__ == "__main__":
    BINARIES = pathlib.Path(sys.argv[-1]).resolve()
    sys.exit(main())
