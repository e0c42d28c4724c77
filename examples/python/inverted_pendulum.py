"""An inverted pendulum on a cart, kept upright twice: by a PID and by the gains that python-control finds for the
linear system of the mechanism (LQR)."""

import sys
from pathlib import Path

import control
import kingpin as kp
import matplotlib.pyplot as plt
import numpy as np


def balance() -> kp.Mechanism:
    """A cart on a rail and a pole on the cart, upright."""
    model = kp.Model("balance", space="planar", gravity=[0, -9.81])
    model.body(name="cart", mass="1 kg", inertia=0.1)
    model.body(name="pole", mass="0.2 kg", inertia="0.2/12", com=[0, "50 cm"])
    model.joint("translational", name="rail", body1="ground", body2="cart", axis=[1, 0])
    model.joint("revolute", name="hinge", body1="cart", body2="pole")
    model.measure("angle", name="lean", joint="hinge")
    model.measure("displacement", name="place", joint="rail")
    model.input(name="push")
    model.force("force", name="motor", body="cart", direction=[1, 0], magnitude="push")
    return model.build()


mechanism = balance()
linear = mechanism.linearise(["push"], ["lean", "place"])
print("states", linear.states, "eigenvalues", np.round(np.linalg.eigvals(linear.A), 3))
# what lean and place cost; products of measured numbers are symmetric to round-off only
cost = linear.C.T @ np.diag([100.0, 10.0]) @ linear.C
gains, _, poles = control.lqr(linear.A, linear.B, (cost + cost.T) / 2, [[0.1]])
print("closed loop", np.round(poles, 3))

# the states by name, so that the controller reads the very coordinates the gains are for
positions = linear.states[: len(linear.states) // 2]


def lqr(sim: kp.Simulation) -> float:
    x = np.array([sim[name] for name in positions] + [rate(sim, name) for name in positions])
    return float(-(np.asarray(gains) @ x)[0])


def rate(sim: kp.Simulation, name: str) -> float:
    body, coordinate = name.split(".")
    return sim[f"{body}.{ {'x': 'vx', 'y': 'vy', 'angle': 'omega'}[coordinate] }"]


class Pid:
    """Holds the pole upright, and takes care of the cart a little."""

    def __init__(self) -> None:
        self.sum = 0.0

    def __call__(self, sim: kp.Simulation) -> float:
        lean, step = sim["lean"], 0.01
        self.sum += lean * step
        return -40 * lean - 10 * self.sum - 6 * sim["lean.rate"] + sim["place"] + 2 * sim["place.rate"]


figure, axes = plt.subplots(2, 1, sharex=True, figsize=(8, 5), layout="constrained")
for name, law in (("PID", Pid()), ("LQR", lqr)):
    sim = mechanism.simulate(t_end=6)
    # a knock at the start
    state = sim.state
    sim.state = state.replace(v=state.v + np.array([0.0] * (len(state.v) - 1) + [0.8]))
    rows, k = [], 0
    while sim.advance(0.01 * k):
        sim["push"] = law(sim)
        rows.append((sim.t, sim["lean"], sim["place"]))
        k += 1
    t, lean, place = np.array(rows).T
    axes[0].plot(t, lean, label=name)
    axes[1].plot(t, place, label=name)
    print(f"{name}: lean {lean[-1]:.1e} rad, cart at {place[-1]:.1e} m after {t[-1]:.2f} s")
    assert abs(lean[-1]) < 0.02, "it fell"
axes[0].set_ylabel("lean [rad]")
axes[1].set_ylabel("cart [m]")
axes[1].set_xlabel("t [s]")
axes[0].legend()
figure.savefig(Path(sys.argv[1] if len(sys.argv) > 1 else ".") / "inverted_pendulum.png", dpi=80)
