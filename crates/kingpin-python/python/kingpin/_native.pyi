from collections.abc import Callable, Sequence
from typing import Any, Optional, TypedDict

import numpy as np
import numpy.typing as npt

class _Source(TypedDict):
    path: Optional[str]
    text: Optional[tuple[str, str, str]]
    assignments: list[str]
    functions: dict[str, tuple[str, list[str], Callable[..., Any], Optional[Callable[..., Any]]]]

class _Asked(TypedDict):
    call: str
    text: str
    max_steps: Optional[int]
    differences: bool

class State:
    """Where a mechanism is at an instant, and how fast: time, coordinates, velocities, inputs."""

    def __init__(
        self,
        t: float,
        q: Sequence[float],
        v: Sequence[float],
        turns: Sequence[float],
        pieces: Sequence[int],
        inputs: Sequence[float],
    ) -> None: ...
    @property
    def t(self) -> float: ...
    @property
    def q(self) -> npt.NDArray[np.float64]: ...
    @property
    def v(self) -> npt.NDArray[np.float64]: ...
    @property
    def inputs(self) -> npt.NDArray[np.float64]: ...
    def replace(
        self, *, q: Optional[Sequence[float] | npt.NDArray[np.float64]] = None,
        v: Optional[Sequence[float] | npt.NDArray[np.float64]] = None,
    ) -> State:
        """The same with some parts changed."""

class Recording:
    def channels(self) -> list[tuple[str, str, str]]: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def events(self) -> list[tuple[float, str]]: ...
    def warnings(self) -> list[str]: ...
    def statistics(self) -> dict[str, Any]: ...
    def state(self) -> Optional[State]: ...
    def save(self, dir: str, force: bool) -> None: ...

class Simulation:
    """A run between two steps: drive it on, look at it, change it, save it."""

    def __init__(self, origin: Any, mechanism: Mechanism, asked: _Asked, checkpoint: Optional[bytes]) -> None: ...
    def step(self) -> bool:
        """One step, as long as the tolerance allows; whether the run can go on."""
    def advance(self, t: float) -> bool:
        """Steps to a time, or to the end if that is before; whether the run can go on."""
    @property
    def t(self) -> float:
        """The time reached."""
    @property
    def state(self) -> State:
        """The state reached. One that is set is brought onto the constraints by the least change."""
    @state.setter
    def state(self, state: State) -> None: ...
    def __getitem__(self, name: str) -> float:
        """An input, or a channel such as `crank.angle` at the state reached."""
    def __setitem__(self, name: str, value: float) -> None:
        """Gives an input another value from now on."""
    def values(self) -> dict[str, float]:
        """All channels at the state reached."""
    def events(self) -> list[tuple[float, str]]:
        """What happened since this was asked last: times and words."""
    @property
    def steps(self) -> tuple[int, int]:
        """Steps taken, and attempts rejected."""
    def checkpoint(self) -> bytes:
        """All that the run needs to go on from here: see `Mechanism.resume`."""

class Mechanism:
    def __init__(self, source: _Source, by: list[str] = ..., of: list[str] = ...) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def warnings(self) -> str: ...
    @property
    def freedoms(self) -> int: ...
    @property
    def solver(self) -> str: ...
    @property
    def inputs(self) -> list[str]: ...
    @property
    def state(self) -> State: ...
    def channels(self) -> list[tuple[str, str, str]]: ...
    def start(self) -> State: ...
    def to_toml(self) -> str: ...
    def check(self) -> str: ...
    def topology(self) -> str: ...
    def equilibrium(self, matrices: Optional[str]) -> tuple[str, State]: ...
    def modes(
        self,
        state: Optional[State],
        at: str,
        count: Optional[int],
        near: Optional[float],
        matrices: Optional[str],
    ) -> str: ...
    def accelerations(self, solver: str) -> str: ...
    def values(self, state: Optional[State]) -> dict[str, float]: ...
    def linearise(
        self, inputs: list[str], outputs: list[str], state: Optional[State]
    ) -> tuple[list[npt.NDArray[np.float64]], list[str], list[str], list[str], Optional[str]]: ...
    def kinematics(self, t_end: Optional[float], frames: int) -> Recording: ...
    def run(
        self,
        asked: _Asked,
        start: Optional[State],
        channels: list[str],
        progress: Optional[Callable[[float], object]],
        folder: Optional[str],
        force: bool,
    ) -> Recording: ...
    def timed(self, asked: _Asked, runs: int) -> tuple[float, float]: ...
    def page(self, dir: str) -> Optional[str]: ...

def toml_text(source: _Source) -> str: ...
def schema() -> str: ...
def command(arguments: list[str]) -> int: ...
