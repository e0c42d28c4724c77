"""Parameter studies, with the engine of `kingpin sweep`."""

from __future__ import annotations

import csv
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _toml
from ._errors import CallError, ModelError
from ._model import Model, load
from ._renamed import renamed

if TYPE_CHECKING:
    import pandas as pd

#: The command that is in the package.
COMMAND = [sys.executable, "-m", "kingpin"]
#: Exit code of `kingpin sweep` when it was interrupted.
STOPPED = 130


def sweep(
    model: Union[Model, str, PathLike[str]],
    vary: Mapping[str, Union[str, Sequence[float]]],
    metrics: Union[str, Sequence[str], Mapping[str, str]] = (),
    *,
    samples: Optional[int] = None,
    seed: int = 0,
    latin_hypercube: bool = False,
    threads: Optional[int] = None,
    channels: Sequence[str] = (),
    folder: Union[str, PathLike[str], None] = None,
    force: bool = False,
    resume: bool = False,
    progress: bool = False,
    of: Union[str, Sequence[str], Mapping[str, str], None] = None,
    **settings: Any,
) -> pd.DataFrame:
    """Runs a parameter study on all cores and returns one row per point.

    `vary` holds values by parameter, in the format of `kingpin sweep --vary`, `"10..100 N/m:20"`, or as a list. `metrics`
    are the numbers to compute for each run, such as `"max(tip.z)"`, or a mapping from column names to them; `of` is the old
    name. Failed points have the reason in the column `outcome`. `settings` are those of a run: `t_end`, `tol`, `method` and
    so on. The table has the same bits as that of the command. After Ctrl-C, the rows so far are returned.

    >>> import kingpin as kp
    >>> table = kp.sweep("models/pendulum.toml", {"l": [0.5, 1, 2]}, {"low": "min(bob_y)"}, t_end=2, threads=1)
    >>> list(table["low [m]"].round(2))
    [-0.5, -1.0, -2.0]
    """
    metrics = renamed("metrics", metrics, "of", of)
    given = model if isinstance(model, Model) else load(model)
    words: list[str] = []
    for name, values in vary.items():
        text = values if isinstance(values, str) else _toml.value(values)
        words += ["--vary", f"{name}={text}"]
    texts = [metrics] if isinstance(metrics, str) else metrics
    named = texts.items() if isinstance(texts, Mapping) else ((None, text) for text in texts)
    for column, text in named:
        words += ["--metric", text if column is None else f"{column}={text}"]
    if samples is not None:
        words += ["--samples", str(samples), "--seed", str(seed)]
        words += ["--latin-hypercube"] if latin_hypercube else []
    words += ["--threads", str(threads)] if threads is not None else []
    words += ["--channels", ",".join(channels)] if channels else []
    for name, value in settings.items():
        if value is not None:
            spelled = value if isinstance(value, str) else _toml.value(value)
            words += [f"--{name.replace('_', '-')}", spelled]
    with tempfile.TemporaryDirectory(prefix="kingpin-") as scratch:
        source = given._source()
        if source["functions"]:
            raise CallError("a study cannot call functions in Python: run the points in a loop")
        path = source["path"]
        if path is None:
            assert source["text"] is not None
            name, text, _ = source["text"]
            path = str(Path(scratch) / name)
            Path(path).write_text(text, encoding="utf-8")
        sets = [word for assignment in source["assignments"] for word in ("--set", assignment)]
        out = fspath(folder) if folder is not None else str(Path(scratch) / "study")
        words += ["--output", out, *(["--force"] if force else []), *(["--resume"] if resume else [])]
        _command([path, *sets, *words], progress)
        return _table(Path(out) / "table.csv")


def _command(words: list[str], progress: bool) -> None:
    """Runs `kingpin sweep`; errors are raised."""
    command = [*COMMAND, "sweep", *words, *([] if progress else ["--quiet"])]
    told = None if progress else subprocess.PIPE
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=told, text=True) as running:
        try:
            _, said = running.communicate()
        except KeyboardInterrupt:
            # it has heard of it too, where both are in one terminal, and ends with the rows so far
            running.send_signal(signal.SIGINT)
            _, said = running.communicate()
    if running.returncode in (0, STOPPED):
        return
    text = (said or "the study was refused; see above").strip()
    raise (CallError if running.returncode == 2 else ModelError)(text)


def _table(path: Path) -> pd.DataFrame:
    """The table with its numbers to the bit."""
    import pandas as pd

    with path.open(encoding="utf-8", newline="") as file:
        heading, *rows = csv.reader(file)
    # numbers are read by Python, which is exact
    columns: dict[str, Any] = {
        name: [float(row[k]) if row[k] else float("nan") for row in rows]
        for k, name in enumerate(heading)
        if 0 < k < len(heading) - 1
    }
    columns[heading[-1]] = [row[-1] for row in rows]
    return pd.DataFrame(columns, index=pd.Index([int(row[0]) for row in rows], name=heading[0]))
