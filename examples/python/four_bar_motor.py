"""A four-bar linkage with a motor: a model file, a driver added to it, the torque that the motor needs."""

import sys
from pathlib import Path

import kingpin as kp
import matplotlib.pyplot as plt

MODELS = Path(__file__).parents[2] / "models"

model = kp.load(MODELS / "four_bar.toml", omega="200 rpm")
model.driver("angle", name="motor", joint="A", motion="phi + omega*t")
mechanism = model.build()
print(f"{mechanism.name} with a motor: {mechanism.freedoms} degrees of freedom")

# nothing is free: positions, velocities, accelerations and forces follow from the motor
turn = mechanism.kinematics(t_end=0.3, frames=300)
torque = next(name for name in turn.channels if name.startswith("motor.") and turn.units[name] == "N*m")

figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(8, 5), layout="constrained")
turn.plot("rocker_angle", ax=above)
turn.plot(torque, ax=below)
above.set_title("One turn of the crank at 200 rpm: the rocker, and what the motor must do")
print(f"the motor needs {abs(turn[torque]).max():.3f} N*m at most")
figure.savefig(Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "four_bar_motor.png", dpi=80)
