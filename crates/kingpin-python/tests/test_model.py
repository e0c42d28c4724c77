"""Models built by calls say what files say."""

from __future__ import annotations

import math
import warnings
from pathlib import Path

import kingpin as kp
import numpy as np
import pytest


def pendulum() -> kp.Model:
    model = kp.Model("pendulum", space="planar", gravity=[0, -9.81], parameters={"l": "1 m", "m": 2})
    model.body(name="rod", mass="m", inertia="m * l^2 / 12", com=["l/2", 0])
    model.joint("revolute", name="pin", body1="ground", body2="rod", angle=0.3)
    model.measure("angle", name="swing", joint="pin")
    model.simulation(t_end="500 ms", tol=1e-8)
    return model


def test_texts_of_built_models_read_back(tmp_path: Path) -> None:
    path = tmp_path / "pendulum.toml"
    with warnings.catch_warnings():
        # `l` and `m` are names that one may mistake for units
        warnings.simplefilter("ignore", kp.Doubt)
        path.write_text(pendulum().to_toml())
        built, read = pendulum().build().run(), kp.load(path).build().run()
    assert built["swing"].tobytes() == read["swing"].tobytes()
    assert built.t[-1] == 0.5


def test_parameters_of_both_kinds_of_models() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kp.Doubt)
        short = pendulum().set(l="25 cm").build()
        long = pendulum().build()
    assert short.values()["energy.potential"] != long.values()["energy.potential"]
    assert kp.load("models/pendulum.toml", l=2).build().values() != kp.load("models/pendulum.toml").build().values()


def test_loaded_models_can_be_added_to() -> None:
    model = kp.load("models/four_bar.toml", omega="0 rpm")
    model.driver("angle", name="motor", joint="A", motion="phi + 10*t")
    model.simulation(t_end=0.2)
    driven = model.build()
    assert driven.freedoms == 0 and driven.name == "four_bar"
    crank = driven.kinematics(t_end=0.2, frames=4)
    assert np.allclose(crank["crank_angle"] - crank["crank_angle"][0], 10 * crank.t)
    # the model it was copied from stays as it is
    other = kp.load("models/four_bar.toml")
    copy = other.copy()
    copy.simulation(t_end=0.1)
    assert other.build().run().t[-1] == 2.0 and copy.build().run().t[-1] == pytest.approx(0.1)


def test_values_of_numpy_and_tables() -> None:
    model = kp.Model("table", gravity=np.array([0.0, 0.0, -9.81]))
    model.body(name="ball", mass=np.float64(2), point=True, position=np.zeros(3), velocity=(1, 0, 0))
    model.force("force", name="push", body="ball", direction=[0, 0, 1], magnitude={"t": [0, 1], "value": [0, "40 N"]})
    results = model.build().run(t_end=1, tol=1e-9)
    exact = 10 / 3 - 9.81 / 2
    assert results["ball.z"][-1] == pytest.approx(exact, abs=0.1)
    assert results["ball.x"][-1] == pytest.approx(1.0)


def test_patterns_in_patterns() -> None:
    model = kp.Model("grid")
    with model.pattern(to=2):
        with model.pattern(to=3, index="j", first=2):
            model.body(name="p{i}_{j}", mass=1, point=True, position=["i * 1 m", "j * 1 m", 0])
    mechanism = model.build()
    assert mechanism.freedoms == 12
    assert mechanism.values()["p2_3.y"] == 3.0


def test_names_that_python_keeps_for_itself() -> None:
    model = kp.Model("beam", space="planar")
    model.beam(name="b", from_=[0, 0], to=[1, 0], youngs_modulus="200 GPa", density=7850, poissons_ratio=0.3, section="circle", diameter="1 cm", elements=2)
    assert model.build().freedoms > 3


def test_messages_tell_the_line_and_the_call() -> None:
    model = pendulum()
    model.force("torque", name="motor", body="rdo", magnitude=1)
    with pytest.raises(kp.ModelError) as caught:
        model.build()
    text = str(caught.value)
    assert "pendulum.toml:" in text and 'body = "rdo"' in text and "^^^^^" in text and "did you mean `rod`?" in text
    (one,) = (d for d in caught.value.diagnostics if d["severity"] == "error")
    assert one["line"] == model.to_toml().splitlines().index('body = "rdo"') + 1
    notes = "".join(getattr(caught.value, "__notes__", []))
    assert not hasattr(caught.value, "add_note") or "test_model.py:" in notes


def test_what_is_suspicious_is_warned_of() -> None:
    model = kp.Model("idle", parameters={"unused": 3})
    model.body(name="ball", mass=1, point=True)
    with pytest.warns(kp.Doubt, match="`unused` is not used"):
        model.build()


def test_what_a_file_cannot_say() -> None:
    model = kp.Model("odd")
    model.body(name="ball", mass={1, 2}, point=True)  # type: ignore[arg-type]
    with pytest.raises(kp.CallError, match="body `ball`, `mass`: a model file cannot say `set`"):
        model.build()


def test_numbers_keep_their_bits() -> None:
    model = kp.Model("bits")
    place = [math.pi, 1e-300, -1e22]
    model.body(name="ball", mass=0.1, point=True, position=place)
    assert [model.build().values()[f"ball.{axis}"] for axis in "xyz"] == place


def test_ranges_are_written_and_checked() -> None:
    model = kp.Model("ball", parameters={"mass": "2 kg"}, ranges={"mass": ["1 kg", "3 kg", 0.5]})
    model.body(name="ball", mass="mass", point=True)
    assert '[ranges]\nmass = ["1 kg", "3 kg", 0.5]' in model.copy().to_toml()
    model.build()
    model.ranges["mass"] = ["3 kg", "1 kg"]
    with pytest.raises(kp.ModelError, match="must be greater than the lower end"):
        model.build()
