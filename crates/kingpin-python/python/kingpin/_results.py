"""Results of runs: channels by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from ._errors import CallError

if TYPE_CHECKING:
    import pandas as pd

    from ._mechanism import Mechanism
    from ._native import Recording, State
    from ._view import View

Array = npt.NDArray[np.float64]


class Event(NamedTuple):
    """An event of a run."""

    t: float
    what: str


class Results:
    """The results of a run. Arrays share the memory of the run without copies.

    >>> import kingpin as kp
    >>> results = kp.load("models/pendulum.toml").build().run(t_end=1, frame=0.1)
    >>> len(results), results.t[-1]
    (11, np.float64(1.0))
    >>> results.units["bob_x"]
    'm'
    """

    def __init__(self, recording: Recording, mechanism: Optional[Mechanism] = None) -> None:
        self._recording: Optional[Recording] = recording
        self._columns: Array = np.asarray(recording)
        channels = recording.channels()
        self._place = {name: k + 1 for k, (name, _, _) in enumerate(channels)}
        self.mechanism = mechanism
        #: Units of the channels; empty for pure numbers.
        self.units: dict[str, str] = {name: unit for name, unit, _ in channels}
        #: Descriptions of the channels.
        self.meanings: dict[str, str] = {name: about for name, _, about in channels}
        #: Events.
        self.events: list[Event] = [Event(t, what) for t, what in recording.events()]
        #: Counts, residuals, methods and the outcome of the run.
        self.statistics: dict[str, Any] = recording.statistics()
        #: Warnings about the run.
        self.warnings: list[str] = recording.warnings()
        #: The last state; None for kinematics.
        self.state: Optional[State] = recording.state()

    def __getstate__(self) -> dict[str, Any]:
        kept = dict(self.__dict__, _recording=None)
        kept["_columns"] = self._columns.copy()
        return kept

    @property
    def t(self) -> Array:
        """The times of the frames."""
        times: Array = self._columns[0]
        return times

    def __getitem__(self, channel: str) -> Array:
        """A channel over time, such as `crank.angle`."""
        place = self._place.get(channel)
        if place is None:
            raise KeyError(_unknown(channel, self._place))
        numbers: Array = self._columns[place]
        return numbers

    def __contains__(self, channel: object) -> bool:
        return channel in self._place

    def __iter__(self) -> Iterator[str]:
        return iter(self._place)

    def __len__(self) -> int:
        """Frames."""
        return int(self._columns.shape[1])

    @property
    def channels(self) -> list[str]:
        """Names of all channels."""
        return list(self._place)

    @property
    def frame(self) -> pd.DataFrame:
        """All channels as a frame of pandas over time, on the same memory."""
        import pandas as pd

        times = pd.Index(self.t, name="t", copy=False)
        return pd.DataFrame(self._columns[1:].T, index=times, columns=self.channels, copy=False)

    def arrow(self) -> Any:
        """All channels as a table of Arrow, on the same memory: `t` first."""
        import pyarrow as pa

        def column(numbers: Array) -> Any:
            return pa.Array.from_buffers(pa.float64(), len(numbers), [None, pa.py_buffer(numbers)])

        units = {"t": "s", **self.units}
        fields = [pa.field(name, pa.float64(), metadata={"unit": unit}) for name, unit in units.items()]
        return pa.Table.from_arrays([column(row) for row in self._columns], schema=pa.schema(fields))

    def to_parquet(self, path: Union[str, PathLike[str]]) -> None:
        """Writes all channels as a Parquet file."""
        import pyarrow.parquet as parquet

        parquet.write_table(self.arrow(), fspath(path))

    def save(self, folder: Union[str, PathLike[str]], *, force: bool = False) -> None:
        """Writes a folder of results, as `kingpin run` does: for `kingpin view`, `plot` and `export`."""
        if self._recording is None:
            raise CallError("results that were pickled cannot be saved as a folder; save them before")
        self._recording.save(fspath(folder), force)

    def plot(self, *channels: str, x: str = "t", ax: Any = None, **options: Any) -> Any:
        """Curves of channels over time, or over another channel, by matplotlib; returns the axes."""
        import matplotlib.pyplot as plt

        if ax is None:
            ax = plt.figure(figsize=(8, 4.5), layout="constrained").add_subplot()
        chosen = list(channels) or self.channels[:1]
        across = self.t if x == "t" else self[x]
        for channel in chosen:
            ax.plot(across, self[channel], label=channel, **options)
        units = {self.units[channel] for channel in chosen}
        ax.set_xlabel("t [s]" if x == "t" else _labelled(x, self.units[x]))
        if len(units) == 1:
            ax.set_ylabel(_labelled(chosen[0] if len(chosen) == 1 else "", units.pop()))
        if len(chosen) > 1:
            ax.legend()
        ax.grid(True, alpha=0.3)
        return ax

    def view(self, height: int = 620) -> View:
        """The report page of the run, with animation and charts. In a notebook it is shown directly."""
        from ._view import View

        if self._recording is None or self.mechanism is None:
            raise CallError("results that were pickled cannot be shown; show them before")
        return View.of(self._recording, self.mechanism._native, height)

    def compare(self, other: Results, channels: Sequence[str] = ()) -> pd.DataFrame:
        """The differences to another run with the same channels: one row per channel, largest first.

        `difference` is the greatest, `t` is when, `scale` the greatest magnitude of the channel, `relative` their ratio.
        At times that the other has no frame for, its numbers are those of lines between frames.
        """
        import pandas as pd

        names = list(channels) or [name for name in self._place if name in other]
        inside = (self.t >= other.t[0]) & (self.t <= other.t[-1])
        same = len(self) == len(other) and bool(np.array_equal(self.t, other.t))
        rows = []
        for name in names:
            mine = self[name][inside]
            theirs = other[name] if same else np.interp(self.t[inside], other.t, other[name])
            apart = np.abs(mine - theirs)
            k = int(np.argmax(apart)) if len(apart) else 0
            difference = float(apart[k]) if len(apart) else float("nan")
            scale = float(np.max(np.abs(mine), initial=0.0))
            relative = difference / scale if scale > 0 else (0.0 if difference == 0 else float("inf"))
            at = float(self.t[inside][k]) if len(apart) else float("nan")
            rows.append((name, difference, at, scale, relative))
        table = pd.DataFrame(rows, columns=["channel", "difference", "t", "scale", "relative"])
        return table.set_index("channel").sort_values("relative", ascending=False, kind="stable")

    def at(self, t: float) -> dict[str, float]:
        """All channels at a time, interpolated linearly between frames."""
        return {name: float(np.interp(t, self.t, self[name])) for name in self._place}

    def __repr__(self) -> str:
        return f"<results: {len(self)} frames of {len(self._place)} channels>"


def _labelled(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def _unknown(name: str, known: Mapping[str, int]) -> str:
    """The message for an unknown channel."""
    import difflib

    near = difflib.get_close_matches(name, known, n=1)
    advice = f"did you mean `{near[0]}`?" if near else "`results.channels` lists them"
    return f"there is no channel `{name}`\n  help: {advice}"


def residuals(results: Results, measured: Mapping[str, tuple[Any, Any]]) -> Array:
    """The residual vector between a run and measured curves, for `scipy.optimize.least_squares`:
    `measured` has times and values by channel."""
    parts = [
        np.interp(np.asarray(t, dtype=float), results.t, results[channel]) - np.asarray(values, dtype=float)
        for channel, (t, values) in measured.items()
    ]
    return np.concatenate(parts) if parts else np.zeros(0)
