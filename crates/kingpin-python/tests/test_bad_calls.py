"""Bad calls say what the command says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import kingpin as kp
import pytest

from conftest import Command

Change = Callable[[kp.Model], Any]


def pendulum() -> kp.Model:
    model = kp.Model("bad", space="planar", gravity=[0, -9.81], parameters={"length": "1 m"})
    model.body(name="rod", mass=1, inertia=0.1, com=["length/2", 0])
    model.joint("revolute", name="pin", body1="ground", body2="rod")
    return model


def untyped(model: kp.Model) -> Any:
    """For calls that a type checker would not let pass."""
    return model


#: What is added to a good model, and what is said about it.
MODELS: dict[str, tuple[Change, str]] = {
    "body without a mass": (lambda m: m.body(name="b", inertia=1), "lacks `mass`"),
    "negative mass": (lambda m: m.body(name="b", mass=-1, inertia=1), "greater than zero"),
    "unknown field": (lambda m: untyped(m).body(name="b", mas=1, inertia=1), "did you mean `mass`?"),
    "wrong unit": (lambda m: m.body(name="b", mass="1 m", inertia=1), "kg"),
    "unknown unit": (lambda m: m.body(name="b", mass="1 furlong", inertia=1), "furlong"),
    "unknown parameter": (lambda m: m.body(name="b", mass=1, inertia=1, com=["lenght/2", 0]), "lenght"),
    "expression that breaks off": (lambda m: m.body(name="b", mass="1 +", inertia=1), "missing"),
    "name twice": (lambda m: m.body(name="rod", mass=1, inertia=1), "`rod`"),
    "reserved name": (lambda m: m.body(name="ground", mass=1, inertia=1), "ground"),
    "vector of three in the plane": (lambda m: m.body(name="b", mass=1, inertia=1, com=[0, 0, 0]), "2"),
    "text for a flag": (lambda m: untyped(m).body(name="b", mass=1, inertia=1, point="yes"), "point"),
    "unknown joint": (lambda m: untyped(m).joint("hinge", name="j", body1="ground", body2="rod"), "hinge"),
    "spatial joint in the plane": (lambda m: m.joint("spherical", name="j", body1="ground", body2="rod"), "spatial"),
    "unknown body": (lambda m: m.joint("revolute", name="j", body1="ground", body2="rdo"), "did you mean `rod`?"),
    "joint of one body": (lambda m: m.joint("revolute", name="j", body1="rod", body2="rod"), "rod"),
    "measure of no joint": (lambda m: m.measure("angle", name="a", joint="pni"), "did you mean `pin`?"),
    "function of an unknown name": (
        lambda m: m.force("torque", name="t", body="rod", magnitude="2*swing"), "swing"),
    "table of unequal columns": (
        lambda m: m.force("torque", name="t", body="rod", magnitude={"t": [0, 1], "value": [0]}), "the numbers must be equal"),
    "unknown setting": (lambda m: m.simulation(tend=3), "did you mean `t_end`?"),
    "unknown method": (lambda m: m.simulation(method="rk4"), "rk4"),
    "end before the start": (lambda m: m.simulation(t_end=-1), "t_end"),
    "tolerance of nothing": (lambda m: m.simulation(tol=0), "tol"),
    "contradiction": (
        lambda m: m.joint("revolute", name="other", body1="ground", point1=[3, 0], body2="rod", point2=[1, 0]),
        "contradict"),
    "driver of nothing": (lambda m: m.driver("angle", name="d", joint="nip", motion="t"), "nip"),
    "shape without a size": (lambda m: untyped(m).shape("sphere", body="rod"), "radius"),
}


@pytest.mark.parametrize("what", MODELS)
def test_models(what: str, command: Command, tmp_path: Path) -> None:
    change, said = MODELS[what]
    model = pendulum()
    change(model)
    with pytest.raises(kp.ModelError) as caught:
        model.build()
    text = str(caught.value)
    assert said in text and "bad.toml:" in text and "^" in text, text
    # what the command prints of the same text
    (tmp_path / "bad.toml").write_text(model.to_toml())
    done = command("check", "bad.toml", folder=tmp_path)
    assert done.returncode != 0 and done.stderr.strip() == text.strip()


def test_there_are_twenty_five() -> None:
    assert len(MODELS) >= 25


def mechanism() -> kp.Mechanism:
    return kp.load("models/pendulum.toml").build()


#: Calls of a good mechanism, what they raise, and what is said.
CALLS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no such file": (lambda: kp.load("models/pendlum.toml").build(), kp.ModelError, "cannot read `models/pendlum.toml`"),
    "no such parameter": (lambda: kp.load("models/pendulum.toml", lenght=1).build(), kp.ModelError, "no parameter `lenght`"),
    "parameter of another unit": (lambda: kp.load("models/pendulum.toml", l="2 kg").build(), kp.ModelError, "kg"),
    "method": (lambda: mechanism().run(method="radua"), kp.CallError, "did you mean `radau`?"),
    "tolerance": (lambda: mechanism().run(tol=0.5), kp.CallError, "tol = 0.5"),
    "round-off": (lambda: mechanism().run(tol=1e-15), kp.CallError, "below round-off"),
    "unit of time": (lambda: mechanism().run(t_end="2 m"), kp.CallError, "t_end"),
    "fixed step": (lambda: mechanism().run(method="newmark"), kp.CallError, "`newmark` needs a step size"),
    "threads": (lambda: mechanism().run(threads=0), kp.CallError, "threads"),
    "too many frames": (lambda: mechanism().run(frame=1e-12), kp.CallError, "frames"),
    "setting of a simulation": (lambda: mechanism().simulate(tend=3), kp.CallError, "did you mean `t_end`?"),
    "steps": (lambda: mechanism().run(max_steps=0), kp.CallError, "max_steps"),
    "solver": (lambda: mechanism().accelerations("gauss"), kp.CallError, "there is no solver `gauss`"),
    "output": (lambda: mechanism().linearise([], ["rod.q"]), kp.CallError, "there is no channel `rod.q`"),
    "input": (lambda: mechanism().linearise(["push"]), kp.CallError, "there is no input `push`"),
    "checkpoint": (lambda: mechanism().resume(b"nothing"), kp.CallError, "checkpoint"),
    "state": (
        lambda: mechanism().run(start=kp.load("models/four_bar.toml").build().state), kp.CallError, "another mechanism"),
    "free mechanism": (lambda: mechanism().kinematics(), kp.ModelError, "free"),
    "not for a file": (lambda: mechanism().run(t_end=object()), kp.CallError, "cannot say `object`"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", CALLS)
def test_calls(what: str) -> None:
    call, kind, said = CALLS[what]
    with pytest.raises(kind) as caught:
        call()
    assert said in str(caught.value), caught.value


def test_runs_that_fail_say_what_the_command_says(command: Command) -> None:
    path = "crates/kingpin-cli/tests/fixtures/failures/root.toml"
    with pytest.raises(kp.RunError) as caught:
        kp.load(path).build().run()
    text = str(caught.value)
    assert "root.toml:27:13" in text and "^^^^^" in text and "Force `push` gives NaN" in text, text
    done = command("run", path, "--quiet", "--json")
    assert done.returncode == 1
    # advice names arguments instead of options
    head = text.split("Remedies")[0].strip()
    assert head in done.stderr, (head, done.stderr)
    results = caught.value.results
    assert results is not None and results.t[-1] <= caught.value.t
