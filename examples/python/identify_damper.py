"""A damper and a stiffness found from a measured motion by least squares (scipy)."""

import sys
from pathlib import Path

import kingpin as kp
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import least_squares


def suspended(stiffness: float, damping: float) -> kp.Results:
    """A mass that falls onto its spring."""
    model = kp.Model("suspended", space="planar", gravity=[0, -9.81])
    model.body(name="mass", mass=2, inertia=0.1)
    model.joint("translational", name="guide", body1="ground", body2="mass", axis=[0, 1])
    model.force(
        "spring", name="spring", body1="ground", point1=[0, 1], body2="mass",
        stiffness=stiffness, damping=damping, rest_length=1,
    )
    return model.build().run(t_end=2, tol=1e-6, method="radau", channels=["mass.y"])


# what an experiment would give: a motion with noise
truth = (800.0, 12.0)
noise = np.random.default_rng(1)
times = np.linspace(0, 2, 200)
measured = np.interp(times, suspended(*truth).t, suspended(*truth)["mass.y"]) + noise.normal(0, 2e-4, times.size)

found = least_squares(
    lambda x: kp.residuals(suspended(*x), {"mass.y": (times, measured)}), x0=[500.0, 2.0], x_scale=[100.0, 1.0]
)
print(f"stiffness {found.x[0]:.1f} N/m (is {truth[0]}), damping {found.x[1]:.2f} N*s/m (is {truth[1]})")
print(f"{found.nfev} evaluations")
assert abs(found.x[0] / truth[0] - 1) < 0.01 and abs(found.x[1] / truth[1] - 1) < 0.05

figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
axes.plot(times, measured, ".", markersize=3, label="measured")
suspended(500.0, 2.0).plot("mass.y", ax=axes, linestyle=":", color="gray")
suspended(*found.x).plot("mass.y", ax=axes)
axes.set_title("A damper identified from a motion")
figure.savefig(Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "identify_damper.png", dpi=80)
