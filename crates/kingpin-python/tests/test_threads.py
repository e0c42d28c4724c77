"""Runs let other threads work, and Ctrl-C keeps what was computed."""

from __future__ import annotations

import os
import signal
import threading
import time

import kingpin as kp
import numpy as np
import pytest


def test_other_threads_of_python_go_on_while_a_run_computes() -> None:
    mechanism = kp.load("models/pendulum.toml").build()
    counted, over = 0, threading.Event()

    class Enough(Exception):
        pass

    def progress(t: float) -> None:
        if counted > 50:
            raise Enough

    def compute() -> None:
        # it would take hours, and ends as soon as the other thread has counted
        with pytest.raises(Enough):
            mechanism.run(t_end=900, h_max=1e-5, frame=900, progress=progress)
        over.set()

    worker = threading.Thread(target=compute)
    worker.start()
    # if the run held the interpreter between its reports, this loop would not turn
    while not over.is_set():
        counted += 1
        time.sleep(0.001)
    worker.join()
    assert counted > 50


def test_four_threads_give_the_numbers_of_one() -> None:
    names = ["pendulum", "four_bar", "slider_crank", "hmmwv14_stiff"]
    mechanisms = [kp.load(f"models/{name}.toml").build() for name in names]
    alone = [mechanism.run(t_end=0.5) for mechanism in mechanisms]
    beside: dict[int, kp.Results] = {}

    def compute(k: int) -> None:
        beside[k] = mechanisms[k].run(t_end=0.5)

    workers = [threading.Thread(target=compute, args=(k,)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for k, results in enumerate(alone):
        assert np.array_equal(results._columns, beside[k]._columns, equal_nan=True)


def test_one_mechanism_runs_in_several_threads_with_functions() -> None:
    model = kp.Model("ball")
    model.body(name="ball", mass=1, point=True)
    model.force("force", name="push", body="ball", direction=[1, 0, 0], magnitude=lambda t: float(np.sin(t)))
    mechanism = model.build()
    wanted = mechanism.run(t_end=2)["ball.x"].tobytes()
    found: list[bytes] = []
    workers = [threading.Thread(target=lambda: found.append(mechanism.run(t_end=2)["ball.x"].tobytes())) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [wanted] * 4


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_keeps_what_was_computed(threads: int) -> None:
    mechanism = kp.load("models/pendulum.toml").build()
    reached: list[float] = []

    def progress(t: float) -> None:
        reached.append(t)
        if len(reached) == 2:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as caught:
        mechanism.run(t_end=900, h_max=1e-5, frame=0.01, progress=progress, threads=threads)
    assert isinstance(caught.value, kp.Interrupted)
    kept = caught.value.results
    assert kept is not None and kept is mechanism.interrupted
    assert len(kept) >= 1 and kept.statistics["end"] == "interrupted" and 0 < kept.statistics["t"] < 900
    assert np.isfinite(kept["bob_x"]).all()


def test_errors_in_progress_come_back() -> None:
    def progress(t: float) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        kp.load("models/pendulum.toml").build().run(t_end=900, h_max=1e-5, frame=1, progress=progress)


def test_progress_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    kp.load("models/pendulum.toml").build().run(t_end=1, h_max=1e-5, frame=1, progress=True)
    assert "t = 0." in capsys.readouterr().err
