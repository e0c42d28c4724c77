"""A first pendulum: a model by calls, a run, a picture."""

import sys
from pathlib import Path

import kingpin as kp

model = kp.Model("pendulum", space="planar", gravity=[0, -9.81])
model.body(name="rod", mass="2 kg", inertia="0.17 kg*m^2", com=["50 cm", 0])
model.joint("revolute", name="pin", body1="ground", body2="rod", angle="30 deg")
model.measure("angle", name="swing", joint="pin")
model.shape("rod", body="rod", to=["1 m", 0], radius="2 cm", colour="#c0392b")

results = model.build().run(t_end=4)
print(f"{len(results)} frames, {results.statistics['steps']} steps by {results.statistics['methods'][-1][1]}")
print(f"the rod swings from {results['swing'].max():.3f} to {results['swing'].min():.3f} rad")

axes = results.plot("swing", "rod.omega")
axes.set_title("A pendulum let go at 30 degrees")
axes.figure.savefig(Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "first_pendulum.png", dpi=80)
