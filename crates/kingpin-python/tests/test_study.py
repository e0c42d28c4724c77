"""Studies give the table of the command, to the bit."""

from __future__ import annotations

from pathlib import Path

import kingpin as kp
import pandas as pd
import pytest

from conftest import Command

VARY = {"l": "0.5..2 m:4", "start": "[190, 200] deg"}
OF = {"low": "min(bob_y)", "far": "max(bob_x) - min(bob_x)"}


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return kp.sweep("models/pendulum.toml", VARY, OF, t_end=1)


def test_the_table_is_that_of_the_command(table: pd.DataFrame, command: Command, tmp_path: Path) -> None:
    words = [word for name, values in VARY.items() for word in ("--vary", f"{name}={values}")]
    words += [word for name, text in OF.items() for word in ("--metric", f"{name}={text}")]
    done = command("sweep", "models/pendulum.toml", *words, "--t-end", "1", "--output", tmp_path / "study", "--quiet")
    assert done.returncode == 0, done.stderr
    rows = [line.split(",") for line in (tmp_path / "study/table.csv").read_text().splitlines()]
    assert rows[0] == ["point", *table.columns] and len(rows) == 1 + len(table) == 9
    for k, row in enumerate(rows[1:]):
        for name, cell in zip(table.columns[:-1], row[1:-1]):
            # the shortest text of a number is that number and no other
            assert float(cell).hex() == float(table[name].iloc[k]).hex(), name


def test_any_number_of_threads_gives_the_same(table: pd.DataFrame) -> None:
    for threads in (1, 3):
        pd.testing.assert_frame_equal(kp.sweep("models/pendulum.toml", VARY, OF, t_end=1, threads=threads), table, check_exact=True)


def test_rows_are_those_of_runs(table: pd.DataFrame) -> None:
    alone = kp.load("models/pendulum.toml", l="0.5 m", start="190 deg").build().run(t_end=1)
    assert float(alone["bob_y"].min()) == table["low [m]"].iloc[0]


def test_built_models_and_samples() -> None:
    model = kp.Model("fall", gravity=[0, 0, -9.81], parameters={"height": "2 m", "drag": 0})
    model.body(name="ball", mass=1, point=True, position=[0, 0, "height"])
    model.force("force", name="air", body="ball", direction=[0, 0, 1], magnitude="drag * 1 N")
    drawn = kp.sweep(model, {"height": "1..3 m", "drag": [0.0, 1.0]}, "last(ball.z)", samples=3, seed=7, latin_hypercube=True)
    assert len(drawn) == 6 and drawn["outcome"].eq("good").all()
    again = kp.sweep(model, {"height": "1..3 m", "drag": [0.0, 1.0]}, "last(ball.z)", samples=3, seed=7, latin_hypercube=True)
    pd.testing.assert_frame_equal(drawn, again, check_exact=True)


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(kp.CallError, match="lenght"):
        kp.sweep("models/pendulum.toml", {"lenght": [1, 2]}, "max(bob_x)")
    with pytest.raises((kp.CallError, kp.ModelError), match="bob_q"):
        kp.sweep("models/pendulum.toml", {"l": [1, 2]}, "max(bob_q)")
