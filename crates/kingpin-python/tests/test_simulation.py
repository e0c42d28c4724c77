"""Runs driven on step by step."""

from __future__ import annotations

import pickle

import kingpin as kp
import numpy as np
import pytest

from test_analyses import cart


def test_a_controller_in_the_loop() -> None:
    sim = cart().simulate(t_end=4)
    k = 0
    while sim.advance(0.02 * k):
        sim["push"] = 8 * (1 - sim["cart.x"]) - 8 * sim["cart.vx"]
        k += 1
    assert sim.t == 4.0 and abs(sim["cart.x"] - 1) < 1e-2
    assert sim["push"] == sim.state.inputs[0]


def test_steps_are_those_of_a_run() -> None:
    mechanism = kp.load("models/pendulum.toml").build()
    sim = mechanism.simulate(t_end=1)
    steps = 0
    while sim.step():
        steps += 1
    whole = mechanism.run(t_end=1)
    assert whole.state is not None
    assert sim.t == 1.0 and sim.steps[0] == steps + 1
    assert np.allclose(sim.state.q, whole.state.q, atol=1e-6)
    assert set(sim.values()) >= {"bob_x", "bob_y"}
    with pytest.raises(kp.CallError, match="the run has ended"):
        sim.state = sim.state


def test_checkpoints_go_on_to_the_same_bits() -> None:
    mechanism = kp.load("models/hmmwv14_stiff.toml").build()
    sim = mechanism.simulate(t_end=0.6)
    sim.advance(0.3)
    kept = sim.checkpoint()
    packed = pickle.loads(pickle.dumps(sim))
    other = pickle.loads(pickle.dumps(mechanism)).resume(kept, t_end=0.6)
    for one in (sim, packed, other):
        one.advance(0.6)
    assert isinstance(packed, kp.Simulation)
    assert sim.state == packed.state == other.state
    assert sim.state.q.tobytes() == other.state.q.tobytes()


def test_states_are_brought_onto_the_constraints() -> None:
    sim = kp.load("models/pendulum.toml").build().simulate(t_end=1)
    state = sim.state
    sim.state = state.replace(q=state.q + 1e-3)
    assert abs(np.hypot(sim["bob_x"], sim["bob_y"]) - 1.0) < 1e-9


def test_events_and_unknown_names() -> None:
    sim = kp.load("models/hmmwv14_stiff.toml").build().simulate(t_end=1)
    while sim.step():
        pass
    assert sim.events() and not sim.events()
    with pytest.raises(KeyError, match="there is no channel `chasis.z`"):
        sim["chasis.z"]
    with pytest.raises(kp.CallError, match="there is no input `push`"):
        sim["push"] = 1.0
    with pytest.raises(kp.CallError, match="finite"):
        cart().simulate()["push"] = float("nan")


def test_pickled_mechanisms_give_the_same_bits() -> None:
    mechanism = kp.load("models/hmmwv14_stiff.toml", speed="12 mph").build()
    other = pickle.loads(pickle.dumps(mechanism))
    assert isinstance(other, kp.Mechanism)
    one, two = mechanism.run(t_end=0.3), other.run(t_end=0.3)
    assert one["chassis.z"].tobytes() == two["chassis.z"].tobytes()
    again = pickle.loads(pickle.dumps(one))
    assert again["chassis.z"].tobytes() == one["chassis.z"].tobytes() and again.events == one.events
    with pytest.raises(kp.CallError, match="pickled"):
        again.view()
    assert pickle.loads(pickle.dumps(mechanism.state)) == mechanism.state
