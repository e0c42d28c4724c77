"""A door on two hinges: five equations too many, which do no harm, until the hinges do not fit."""

import sys
from pathlib import Path

import kingpin as kp

MODELS = Path(__file__).parents[2] / "models"

door = kp.load(MODELS / "door.toml").build()
report = door.check()
print(f"{door.freedoms} degree of freedom, {report['redundant'][0]['equations']} redundant equations:")
for entry in report["redundant"]:
    print(f"  {entry['joint']} follows from {', '.join(entry['follows_from'])}")

results = door.run(t_end=4)
print(f"constraints hold to {results.statistics['position_residual']:.1e} m")

# ten millimetres are too many
try:
    kp.load(MODELS / "door.toml", misalign="10 mm").build()
except kp.ModelError as error:
    print(error)

angle = next(name for name in results.channels if name.endswith("angle") and "hinge" in name)
axes = results.plot(angle)
axes.set_title("The door swings, redundant or not")
axes.figure.savefig(Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "redundant_door.png", dpi=80)
