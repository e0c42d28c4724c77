"""What Kingpin exports, read by other programs. Arguments: folders, each with `results` and `out`."""

import sys
from pathlib import Path

import motion
import tables

for place in map(Path, sys.argv[1:]):
    folder, out = place / "results", place / "out"
    for found in [
        tables.check(folder, out),
        motion.gltf(folder, out / "motion.glb"),
        motion.vtk(folder, out / "motion.pvd"),
    ]:
        print(f"{place.name}: {found}")
