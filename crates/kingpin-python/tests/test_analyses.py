"""Analyses give what the command prints."""

from __future__ import annotations

import json

import kingpin as kp
import numpy as np
import pytest

from conftest import Command


def said(command: Command, *arguments: object) -> object:
    done = command(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["door", "four_bar", "hmmwv14"])
def test_reports_are_those_of_the_command(name: str, command: Command) -> None:
    path = f"models/{name}.toml"
    mechanism = kp.load(path).build()
    assert mechanism.check() == said(command, "check", path)
    assert mechanism.topology() == said(command, "topology", path)
    assert mechanism.accelerations() == said(command, "accel", path)


def test_equilibrium_and_modes(command: Command) -> None:
    mechanism = kp.load("models/hmmwv14_stiff.toml").build()
    rest = mechanism.equilibrium()
    assert rest.report == said(command, "static", "models/hmmwv14_stiff.toml")
    assert rest.stable and rest.values["chassis_z"] == pytest.approx(0.71, abs=1e-3)
    modes = mechanism.modes(at="equilibrium")
    assert modes.report == said(command, "modes", "models/hmmwv14_stiff.toml", "--at", "equilibrium")
    assert modes.eigenvalues.shape == modes.frequencies.shape == modes.damping_ratios.shape
    assert mechanism.modes(rest.state, at="equilibrium").eigenvalues.tobytes() == modes.eigenvalues.tobytes()


def cart() -> kp.Mechanism:
    model = kp.Model("cart", space="planar")
    model.body(name="cart", mass=2, inertia=1)
    model.joint("translational", name="rail", body1="ground", body2="cart", axis=[1, 0])
    model.input(name="push")
    model.force("force", name="motor", body="cart", direction=[1, 0], magnitude="push")
    return model.build()


def test_linear_systems() -> None:
    linear = cart().linearise(["push"], ["cart.x"])
    assert linear.states == ["cart.x", "cart.x_rate"]
    assert np.allclose(linear.A, [[0.0, 1.0], [0.0, 0.0]]) and np.allclose(linear.B, [[0.0], [0.5]])
    assert np.allclose(linear.C, [[1.0, 0.0]]) and np.allclose(linear.D, [[0.0]])
    bare = cart().linearise()
    assert bare.A.shape == (2, 2) and bare.B.shape == (2, 0) and bare.C.shape == (0, 2)


def test_values_at_states() -> None:
    mechanism = cart()
    moved = mechanism.state.replace(v=[3.0, 0.0, 0.0])
    assert mechanism.values(moved)["cart.vx"] == 3.0
    assert moved.q.shape == moved.v.shape == (3,) and moved.inputs.shape == (1,)


def test_runs_from_other_states() -> None:
    mechanism = cart()
    ran = mechanism.run(t_end=1, start=mechanism.state.replace(v=[3.0, 0.0, 0.0]))
    assert ran["cart.x"][-1] == pytest.approx(3.0)
    other = kp.load("models/pendulum.toml").build().run(t_end=0.1)
    on = kp.load("models/pendulum.toml").build().run(t_end=0.2, start=other.state)
    assert on.t[0] == 0.1


def test_names_and_sizes() -> None:
    mechanism = kp.load("models/door.toml").build()
    assert mechanism.name == "door" and mechanism.freedoms == 1
    assert mechanism.channels["door.z"] == "m"
    assert "upper_hinge" in {entry["joint"] for entry in mechanism.check()["redundant"]}
    assert kp.load("models/door.toml").to_toml() == mechanism.to_toml()


CYLINDERS = ["boom_cylinder", "arm_cylinder", "bucket_cylinder"]


def test_inverse_dynamics_is_that_of_the_command(command: Command) -> None:
    path = "docs/gallery/excavator_path.toml"
    shown = [f"{name}.{what}" for name in CYLINDERS for what in ("stroke", "force")]
    asked = [word for channel in shown for word in ("--channels", channel)]
    report = said(command, "kinematics", path, "--actuators", ",".join(CYLINDERS), "--frames", 10, *asked)
    model = kp.load(path)
    for done in (model.inverse(CYLINDERS, frames=10), model.build().kinematics(frames=10, actuators=CYLINDERS)):
        assert done.t.tolist() == report["times"]  # type: ignore[index]
        for channel in shown:
            assert done[channel].tolist() == report["series"][channel]  # type: ignore[index]
    drivers = ["path_x", "path_y", "path_angle"]
    some = model.inverse(actuators=CYLINDERS, motions=drivers, frames=10)
    assert some["boom_cylinder.force"].tolist() == done["boom_cylinder.force"].tolist()


def test_one_actuator_by_its_name() -> None:
    model = kp.Model("lift", space="planar", gravity=[0, -10])
    model.body(name="cage", mass=3, inertia=1)
    model.joint("translational", name="rail", body1="ground", body2="cage", axis=[0, 1])
    model.driver("displacement", name="motion", joint="rail", motion="t^2")
    model.force("actuator", name="winch", joint="rail", force=0)
    done = model.inverse("winch", t_end=1, frames=4)
    assert np.allclose(done["winch.force"], 3 * (10 + 2))
    assert np.allclose(model.build().kinematics(1, 4, actuators="winch", motions="motion")["winch.force"], 36)


def test_what_cannot_be_produced() -> None:
    model = kp.load("docs/gallery/excavator_path.toml")
    with pytest.raises(kp.ModelError, match="boom_cylinder"):
        model.inverse(["boom_cilinder"])
    with pytest.raises(kp.CallError, match="`actuators` is empty"):
        model.inverse([])
    with pytest.raises(kp.CallError, match="needs `actuators`"):
        model.build().kinematics(motions=["path_x"])
    with pytest.raises(kp.CallError, match="`frames`"):
        model.inverse(CYLINDERS, frames=0)


def test_old_names_of_keywords_work_with_a_warning() -> None:
    model = kp.load("docs/gallery/excavator_path.toml")
    with pytest.warns(DeprecationWarning, match="`by` is now called `actuators`"):
        model.inverse(by=CYLINDERS, frames=1)
    with pytest.warns(DeprecationWarning, match="`near` is now called `near_frequency`"):
        kp.load("models/pendulum.toml").build().modes(near=0.0)
    with pytest.raises(kp.CallError, match="give only `actuators`"):
        model.inverse(CYLINDERS, by=CYLINDERS)
