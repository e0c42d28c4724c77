"""Results: the numbers of the command, without copies."""

from __future__ import annotations

import json
from pathlib import Path

import kingpin as kp
import numpy as np
import pandas as pd
import pytest

from conftest import Command


@pytest.fixture(scope="module")
def car() -> kp.Results:
    return kp.load("models/hmmwv14_stiff.toml").build().run(t_end=1)


def rows_of(folder: Path) -> tuple[list[str], "np.ndarray[tuple[int, int], np.dtype[np.float64]]"]:
    """Names and rows as a folder of results holds them."""
    header = json.loads((folder / "channels.json").read_text())
    names = ["t", *(channel["name"] for channel in header["channels"])]
    rows = np.fromfile(folder / "rows.f64", dtype="<f8").reshape(-1, len(names))
    return names, rows


def test_numbers_are_those_of_the_command_to_the_bit(car: kp.Results, command: Command, tmp_path: Path) -> None:
    done = command("run", "models/hmmwv14_stiff.toml", "--t-end", "1", "-o", tmp_path / "out", "--quiet")
    assert done.returncode == 0, done.stderr
    names, rows = rows_of(tmp_path / "out")
    assert names[1:] == car.channels
    assert rows[:, 0].tobytes() == car.t.tobytes()
    for k, name in enumerate(names[1:]):
        assert rows[:, k + 1].tobytes() == car[name].tobytes(), name
    assert car["chassis.z"].tobytes() == rows[:, names.index("chassis.z")].tobytes()


def test_no_number_is_copied(car: kp.Results) -> None:
    assert car._recording is not None
    about = car._recording.__array_interface__
    first, stride = about["data"][0], about["strides"][0]
    place = car.channels.index("chassis.z") + 1
    assert car["chassis.z"].__array_interface__["data"][0] == first + stride * place
    assert car.t.__array_interface__["data"][0] == first
    assert not car["chassis.z"].flags.writeable and car["chassis.z"].flags.c_contiguous
    frame = car.frame["chassis.z"].to_numpy()
    assert frame.__array_interface__["data"][0] == first + stride * place
    with pytest.raises(ValueError, match="read-only"):
        car["chassis.z"][0] = 1.0


def test_arrays_outlive_their_results() -> None:
    heights = kp.load("models/pendulum.toml").build().run(t_end=1)["bob_y"]
    kept = heights.copy()
    for _ in range(20):
        kp.load("models/pendulum.toml").build().run(t_end=1)
    assert heights.tobytes() == kept.tobytes()


def test_arrow_and_parquet_are_the_same_memory(car: kp.Results, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = car.arrow()
    column = table.column("chassis.z").chunk(0)
    assert column.buffers()[1].address == car["chassis.z"].__array_interface__["data"][0]
    assert table.schema.field("chassis.z").metadata == {b"unit": b"m"}
    assert isinstance(table, pa.Table)
    car.to_parquet(tmp_path / "car.parquet")
    read = parquet.read_table(tmp_path / "car.parquet")
    assert read.column("chassis.z").to_numpy().tobytes() == car["chassis.z"].tobytes()


def test_frames_of_pandas(car: kp.Results) -> None:
    assert isinstance(car.frame, pd.DataFrame)
    assert car.frame.index.name == "t" and car.frame.shape == (len(car), len(car.channels))
    assert car.frame["chassis.z"].iloc[-1] == car["chassis.z"][-1]


def test_what_happened_and_how_it_went(car: kp.Results) -> None:
    assert any("road" in event.what or "bump" in event.what for event in car.events), car.events
    assert car.statistics["end"] == "the end time was reached" and car.statistics["steps"] > 20
    assert car.units["chassis.z"] == "m" and "chassis.z" in car
    assert car.state is not None and car.state.t == 1.0


def test_unknown_channels(car: kp.Results) -> None:
    with pytest.raises(KeyError, match="did you mean `chassis.z`"):
        car["chasis.z"]


def test_chosen_channels_and_frames() -> None:
    mechanism = kp.load("models/hmmwv14_stiff.toml").build()
    few = mechanism.run(t_end=0.1, channels=["chassis.z"], frame="20 ms")
    assert "chassis.z" in few and "chassis.x" not in few and len(few) == 6


def test_comparing(car: kp.Results) -> None:
    assert car.mechanism is not None
    same = car.compare(car)
    assert (same["difference"] == 0).all()
    coarse = car.mechanism.run(t_end=1, tol=1e-3, frame=0.02)
    apart = car.compare(coarse, ["chassis.z"])
    assert 0 < float(apart["difference"].iloc[0]) < 1e-2 and list(apart.index) == ["chassis.z"]


def test_folders_are_those_of_the_command(car: kp.Results, command: Command, tmp_path: Path) -> None:
    car.save(tmp_path / "saved")
    names, rows = rows_of(tmp_path / "saved")
    assert rows[:, names.index("chassis.z")].tobytes() == car["chassis.z"].tobytes()
    shown = command("plot", tmp_path / "saved", "chassis.z")
    assert shown.returncode == 0, shown.stderr
    with pytest.raises(OSError, match="already"):
        car.save(tmp_path / "saved")
    car.save(tmp_path / "saved", force=True)


def test_plots() -> None:
    axes = kp.load("models/four_bar.toml").build().run().plot("crank_angle", "rocker_angle")
    assert [line.get_label() for line in axes.get_lines()] == ["crank_angle", "rocker_angle"]
    assert axes.get_ylabel() == " [rad]" and axes.get_xlabel() == "t [s]"


def test_residuals_for_least_squares() -> None:
    results = kp.load("models/pendulum.toml").build().run(t_end=1, frame=0.1)
    apart = kp.residuals(results, {"bob_x": (results.t, results["bob_x"] + 1.0), "bob_y": ([0.05], [0.0])})
    assert apart.shape == (12,) and np.allclose(apart[:11], -1.0)
