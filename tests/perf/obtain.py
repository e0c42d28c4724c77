"""Obtains the other programs: Fortran sources from source packages, Python packages in a virtual environment.
Unavailable programs are skipped by name. All files are in the work folder."""

import os
import shutil
import subprocess
import sys

# source package, and the files in it
SOURCES = (
    ("assimulo==3.0", ("dopri5.f", "radau_decsol.f", "LICENSE_HAIRER")),
    ("scipy==1.1.0", ("dop853.f",)),
)
CODES = {"DOPRI5": "dopri5.f", "DOP853": "dop853.f", "RADAU5": "radau_decsol.f"}
QUIET = ("--quiet", "--no-cache-dir", "--disable-pip-version-check", "--retries", "1", "--timeout", "30")


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:160] if lines else "no message"


def packages(work, requirements, programs, skip):
    """Python of a virtual environment with the packages of the programs {name: package}; None if it cannot be created."""
    home = work / "venv"
    python = home / "bin" / "python"
    if not python.exists():
        made = subprocess.run([sys.executable, "-m", "venv", str(home)], capture_output=True, text=True)
        if made.returncode:
            shutil.rmtree(home, ignore_errors=True)
            skip(", ".join(programs), f"no virtual environment: {last_line(made.stderr or made.stdout)}")
            return None
    # one by one: a package that does not install does not affect the others
    program_of = {package: program for program, package in programs.items()}
    for requirement in requirements.read_text().split():
        done = subprocess.run(
            [str(python), "-m", "pip", "install", *QUIET, requirement], capture_output=True, text=True
        )
        program = program_of.get(requirement.split("==")[0])
        if done.returncode and program:
            errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
            reason = errors[0].split(": ", 1)[1] if errors else last_line(done.stderr)
            skip(program, f"{requirement} does not install: {reason}")
    return python


def unpack(package, files, folder, pip):
    """Downloads a source package and copies files of it. The build that pip prepares may fail: only sources are needed."""
    if all((folder / name).exists() for name in files):
        return
    scratch = folder / "scratch"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    command = [
        pip,
        "-m",
        "pip",
        "download",
        *QUIET,
        "--no-clean",
        "--no-deps",
        "--no-binary",
        ":all:",
        "--no-build-isolation",
        "--dest",
        str(scratch),
        package,
    ]
    subprocess.run(command, capture_output=True, env={**os.environ, "TMPDIR": str(scratch)})
    for name in files:
        for path in scratch.rglob(name):
            shutil.copyfile(path, folder / name)
    shutil.rmtree(scratch, ignore_errors=True)


def hairer(work, equations, pip, skip):
    """A shared library of the Fortran codes and our equations, and the version of the compiler; or None, None."""
    names = ", ".join(CODES)
    compiler, fortran = shutil.which("cc") or shutil.which("gcc"), shutil.which("gfortran")
    if not fortran or not compiler:
        skip(names, "gfortran was not found" if not fortran else "no C compiler was found")
        return None, None
    folder = work / "hairer"
    folder.mkdir(parents=True, exist_ok=True)
    for package, files in SOURCES:
        unpack(package, files, folder, pip)
    objects = []
    for code, name in CODES.items():
        if not (folder / name).exists():
            package = next(package for package, files in SOURCES if name in files)
            skip(code, f"its source package {package} could not be downloaded")
            continue
        target = folder / f"{name}.o"
        done = subprocess.run(
            [
                fortran,
                "-O3",
                "-march=native",
                "-fPIC",
                "-std=legacy",
                "-w",
                "-c",
                str(folder / name),
                "-o",
                str(target),
            ],
            capture_output=True,
            text=True,
        )
        if done.returncode:
            skip(code, f"does not compile: {last_line(done.stderr)}")
        else:
            objects.append(str(target))
    if not objects:
        return None, None
    library = folder / "codes.so"
    done = subprocess.run(
        [
            compiler,
            "-O3",
            "-march=native",
            "-fPIC",
            "-shared",
            "-o",
            str(library),
            str(equations),
            *objects,
            "-lgfortran",
            "-lm",
        ],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        skip(names, f"do not link: {last_line(done.stderr)}")
        return None, None
    version = subprocess.run([fortran, "-dumpversion"], capture_output=True, text=True).stdout.strip()
    return library, version
