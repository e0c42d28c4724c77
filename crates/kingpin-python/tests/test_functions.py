"""Forces and motions that are functions in Python."""

from __future__ import annotations

import gc
import pickle
import resource
from typing import Any

import kingpin as kp
import numpy as np
import pytest


def swinging(magnitude: Any) -> kp.Model:
    """A rod with a torque on it."""
    model = kp.Model("swinging", space="planar", gravity=[0, -9.81])
    model.body(name="rod", mass=1, inertia=0.1, com=[0.5, 0])
    model.joint("revolute", name="pin", body1="ground", body2="rod")
    model.measure("angle", name="swing", joint="pin")
    model.force("torque", name="drag", body="rod", magnitude=magnitude)
    model.simulation(t_end=1, tol=1e-8)
    return model


def drag(rate: float) -> float:
    return -0.2 * rate


def sloped() -> kp.Function:
    return kp.function("swing.rate", jacobian=lambda rate: [-0.2])(drag)


@pytest.mark.parametrize("method", ["dop853", "for-rosen", "radau"])
def test_functions_are_as_good_as_expressions(method: str) -> None:
    wanted = swinging("-0.2 N*m*s * swing.rate").build().run(method=method)["swing"][-1]
    for law in (kp.function("swing.rate")(drag), sloped()):
        assert swinging(law).build().run(method=method)["swing"][-1] == pytest.approx(wanted, abs=1e-6)


def test_parameters_name_what_is_read() -> None:
    def push(t: float, swing: float) -> float:
        return float(np.sin(t) - swing)

    wanted = swinging("sin(t) - swing").build().run()["swing"][-1]
    assert swinging(push).build().run()["swing"][-1] == pytest.approx(wanted, abs=1e-6)


def test_motions_are_functions_of_time() -> None:
    model = kp.Model("driven", space="planar")
    model.body(name="rod", mass=1, inertia=0.1)
    model.joint("revolute", name="pin", body1="ground", body2="rod")
    model.driver("angle", name="motor", joint="pin", motion=lambda t: 2 * t + t**2)
    found = model.build().kinematics(t_end=1, frames=10)
    assert np.allclose(found["rod.angle"], 2 * found.t + found.t**2)
    assert np.allclose(found["rod.alpha" if "rod.alpha" in found else "rod.angular_acceleration"], 2.0, atol=1e-5)


def test_events_may_be_functions() -> None:
    model = swinging("1e-3 N*m")
    model.event(name="low", when=lambda swing: swing + 1.0, action="stop")
    mechanism = model.build()
    results = mechanism.run()
    assert results.state is not None and results.state.t < 1
    assert mechanism.values(results.state)["swing"] == pytest.approx(-1.0, abs=1e-6)
    assert results.statistics["end"].startswith("stopped by")


def test_exceptions_come_back_as_they_are() -> None:
    class Mine(Exception):
        pass

    def bad(t: float) -> float:
        if t > 0.25:
            raise Mine("no more")
        return 0.0

    with pytest.raises(Mine, match="no more") as caught:
        swinging(bad).build().run()
    note = "".join(getattr(caught.value, "__notes__", []))
    assert "force `drag`, `magnitude`" in note and "t = 0." in note, note
    # without the time among what is read, the step is told
    def worse(swing: float) -> float:
        if swing < -0.5:
            raise Mine("too low")
        return 0.0

    with pytest.raises(Mine, match="too low") as caught:
        swinging(worse).build().run()
    note = "".join(getattr(caught.value, "__notes__", []))
    assert "in the step from t = 0." in note and "force `drag`" in note, note
    sim = swinging(worse).build().simulate()
    with pytest.raises(Mine, match="too low"):
        while sim.step():
            pass


def test_functions_cannot_ask_the_run_that_calls_them() -> None:
    runs: list[kp.Simulation] = []

    def curious(swing: float) -> float:
        return runs[0].t if runs else 0.0

    runs.append(swinging(curious).build().simulate())
    with pytest.raises(kp.CallError, match="inside a step"):
        runs[0].step()


def test_numbers_that_are_none() -> None:
    with pytest.raises(kp.RunError) as caught:
        swinging(lambda t: 0.0 if t < 0.4 else float("nan")).build().run()
    text = str(caught.value)
    assert "not finite" in text and "`drag`" in text and "gives NaN at t = 0." in text, text
    assert caught.value.results is not None and 0 < caught.value.results.t[-1] <= caught.value.t <= 0.45
    assert caught.value.results["swing"].shape == caught.value.results.t.shape


@pytest.mark.parametrize(
    ("given", "told"),
    [(np.zeros(3), r"`ndarray` of shape \(3,\)"), ("much", "`str`"), (None, "`NoneType`")],
)
def test_wrong_shapes(given: Any, told: str) -> None:
    with pytest.raises(kp.FunctionError, match=told) as caught:
        swinging(lambda t: given if t > 0.2 else 0.0).build().run()
    assert "force `drag`, `magnitude`: the function must return a number" in str(caught.value)
    assert "at t = 0." in "".join(getattr(caught.value, "__notes__", ["at t = 0."]))


def test_wrong_slopes() -> None:
    law = kp.function("swing.rate", jacobian=lambda rate: [1.0, 2.0])(drag)
    with pytest.raises(kp.FunctionError, match="must return 1 slopes"):
        swinging(law).build().run(method="radau")


def test_names_that_nobody_knows() -> None:
    with pytest.raises(kp.ModelError, match="`swign`") as caught:
        swinging(kp.function("swign")(drag)).build()
    assert "swinging.toml:" in str(caught.value) and "@drag" in str(caught.value)


def test_files_cannot_hold_functions() -> None:
    with pytest.raises(kp.CallError, match="force `drag`, `magnitude`"):
        swinging(drag).to_toml()


def test_functions_can_be_pickled_if_python_can() -> None:
    mechanism = swinging(kp.function("swing.rate")(drag)).build()
    other = pickle.loads(pickle.dumps(mechanism))
    assert other.run()["swing"].tobytes() == mechanism.run()["swing"].tobytes()


def test_a_million_calls_leak_nothing() -> None:
    calls = 0

    def count(swing: float) -> float:
        nonlocal calls
        calls += 1
        return -0.1 * swing

    mechanism = swinging(count).build()

    def some(least: int) -> int:
        until = calls + least
        while calls < until:
            mechanism.run(t_end=5, method="dopri5", h_max=1e-3, frame=1)
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = some(100_000)
    after = some(1_000_000)
    assert calls >= 1_100_000
    # a number of Python takes 24 bytes: a leak of one per call would be 24 MB
    assert after - before < 6_000, f"{after - before} kB more"
