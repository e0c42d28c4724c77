"""A force of one's own: drag that grows with the square of the speed, as a function in Python."""

import sys
from pathlib import Path

import kingpin as kp
import matplotlib.pyplot as plt


@kp.function("swing.rate", jacobian=lambda rate: -0.6 * abs(rate))
def drag(rate: float) -> float:
    """Torque of the air, with its slope given so that implicit methods need no differences."""
    return -0.3 * rate * abs(rate)


def swinging(torque: "kp.Function | str") -> kp.Results:
    model = kp.Model("pendulum", space="planar", gravity=[0, -9.81])
    model.body(name="rod", mass=1, inertia=1 / 12, com=[0.5, 0])
    model.joint("revolute", name="pin", body1="ground", body2="rod")
    model.measure("angle", name="swing", joint="pin")
    model.force("torque", name="drag", body="rod", magnitude=torque)
    return model.build().run(t_end=8)


figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
for name, torque in (("without", "1e-9 N*m"), ("with drag", drag)):
    results = swinging(torque)
    axes.plot(results.t, results["swing"], label=name)
    print(f"{name}: {results.statistics['evaluations']} evaluations, at rest it would hang at -1.571 rad")
axes.set_xlabel("t [s]")
axes.set_ylabel("swing [rad]")
axes.legend()
axes.set_title("A pendulum in still air and in none")
figure.savefig(Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "custom_force.png", dpi=80)
