"""A humanoid in zero gravity turns its trunk by moving its arms: what it turns is not lost, angular momentum is."""

import sys
from pathlib import Path

import kingpin as kp
import matplotlib.pyplot as plt
import numpy as np

model = kp.Model("humanoid")


def limb(name: str, mass: float, length: float, radius: float, at: list[float], along: list[float]) -> None:
    """A part of the body: a cylinder whose frame is at its upper end."""
    direction = np.array(along, dtype=float)
    thick, thin = mass * (3 * radius**2 + length**2) / 12, mass * radius**2 / 2
    inertia = thick * np.eye(3) - (thick - thin) * np.outer(direction, direction)
    model.body(name=name, mass=mass, inertia=inertia, com=length / 2 * direction, position=at)
    model.shape("rod", body=name, to=length * direction, radius=radius)


def hinge(name: str, first: str, second: str, at: list[float], axis: list[float], motion: str) -> None:
    """A joint that muscles move."""
    model.joint("revolute", name=name, body1=first, body2=second, at=at, axis=axis)
    model.driver("angle", name=name + "_muscle", joint=name, motion=motion)


limb("trunk", 35, 0.55, 0.14, [0, 0, 0.55], [0, 0, -1])
limb("head", 5, 0.25, 0.09, [0, 0, 0.6], [0, 0, 1])
model.joint("fixed", name="neck", body1="trunk", body2="head", at=[0, 0, 0.6])
for side, y in (("left", 1.0), ("right", -1.0)):
    shoulder, hip = [0, 0.2 * y, 0.5], [0, 0.1 * y, 0.0]
    limb(side + "_arm", 2.2, 0.3, 0.05, shoulder, [0, 0, -1])
    limb(side + "_forearm", 1.6, 0.28, 0.04, [0, 0.2 * y, 0.2], [0, 0, -1])
    limb(side + "_thigh", 8, 0.42, 0.08, hip, [0, 0, -1])
    limb(side + "_shank", 4, 0.42, 0.06, [0, 0.1 * y, -0.42], [0, 0, -1])
    # both arms circle the same way, smoothly from rest
    hinge(side + "_shoulder", "trunk", side + "_arm", shoulder, [0, 1, 0], "6*(t - sin(2*pi*t/3)*3/(2*pi))")
    hinge(side + "_elbow", side + "_arm", side + "_forearm", [0, 0.2 * y, 0.2], [0, 1, 0], "-0.3*(1 - cos(2*pi*t/3))")
    hinge(side + "_hip", "trunk", side + "_thigh", hip, [0, 1, 0], "-0.2*(1 - cos(2*pi*t/3))")
    hinge(side + "_knee", side + "_thigh", side + "_shank", [0, 0.1 * y, -0.42], [0, 1, 0], "0.3*(1 - cos(2*pi*t/3))")

mechanism = model.build()
size = mechanism.check()
print(f"{size['bodies']} bodies, {size['joints']} joints, {mechanism.freedoms} degrees of freedom: only the trunk is free")
results = mechanism.run(t_end=3, tol=1e-8)

# attitude of the trunk about the y axis, from its Euler parameters
turned = 2 * np.unwrap(np.arctan2(results["trunk.e2"], results["trunk.e0"]), period=np.pi)
print(f"the trunk has turned by {np.degrees(turned[-1]):.1f} degrees while the arms made {6 * 3 / (2 * np.pi):.1f} turns")

axes = results.plot("trunk.x", "trunk.z")
axes.plot(results.t, turned, label="trunk turned [rad]")
axes.legend()
axes.set_title("Arms that circle turn the trunk the other way")
axes.figure.savefig(Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "humanoid.png", dpi=80)
