"""Inverse dynamics of an excavator: the path of its tip in, strokes and forces of its cylinders out and back in."""

import sys
from pathlib import Path

import kingpin as kp
import matplotlib.pyplot as plt

GALLERY = Path(__file__).parents[2] / "docs" / "gallery"
CYLINDERS = {"boom": "ground", "arm": "boom", "bucket": "arm"}

path = kp.load(GALLERY / "excavator_path.toml")
done = path.inverse([f"{part}_cylinder" for part in CYLINDERS], t_end=4, frames=400)

# every other stroke as a table of a model whose cylinders are driven
machine = kp.load(GALLERY / "excavator_machine.toml")
for part, below in CYLINDERS.items():
    strokes = done[f"{part}_cylinder.stroke"][::2].tolist()
    machine.driver(
        "distance",
        name=f"{part}_cylinder",
        body1=below,
        point1=f"{part}_low",
        body2=part,
        point2=f"{part}_high",
        motion={"t": done.t[::2].tolist(), "value": strokes, "join": "spline"},
    )
again = machine.build().kinematics(t_end=4, frames=400)
missed = max(abs(again[f"bucket.{axis}"] - done[f"bucket.{axis}"]).max() for axis in "xy")
print(f"with the strokes as tables the bucket is off by {missed:.0e} m at most")

axes = done.plot(*[f"{part}_cylinder.force" for part in CYLINDERS])
axes.set_title("What the cylinders take to draw the tip along its path")
plt.savefig(Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "excavator_path.png", dpi=80)
