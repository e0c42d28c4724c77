"""Mechanisms and their analyses."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _native, _toml
from ._errors import CallError, Doubt, Interrupted, ModelError, RunError
from ._native import Simulation, State
from ._progress import Bar
from ._renamed import renamed
from ._results import Results

if TYPE_CHECKING:
    from ._model import Model, Number
    from ._native import _Asked, _Source
    from ._view import View

Array = npt.NDArray[np.float64]


class Linear(NamedTuple):
    """A mechanism about a state as a linear system: x' = A x + B u, y = C x + D u."""

    A: Array
    B: Array
    C: Array
    D: Array
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    #: The axes in which changes of the states are seen, such as "axes that do not turn". `None` if the motion is not
    #: steady: then A holds at this instant alone.
    axes: Optional[str] = None


class Equilibrium(NamedTuple):
    """A static equilibrium."""

    #: The state.
    state: State
    #: Whether it is stable.
    stable: bool
    #: All channels by name.
    values: dict[str, float]
    #: The output of `kingpin equilibrium --json`.
    report: dict[str, Any]


class Modes(NamedTuple):
    """Eigenvalues of the exactly linearised equations, largest magnitude first; a conjugate pair is one mode."""

    #: Complex, 1/s.
    eigenvalues: npt.NDArray[np.complex128]
    #: Hz.
    frequencies: Array
    damping_ratios: Array
    #: The output of `kingpin modes --json`, with the participating bodies.
    report: dict[str, Any]


def _asked(call: str, settings: Mapping[str, Any], max_steps: Optional[int], jacobian: str) -> _Asked:
    """Settings of a call as lines of a file."""
    if jacobian not in ("exact", "differences"):
        raise CallError(f"`jacobian` must be \"exact\" or \"differences\", not {jacobian!r}")
    if max_steps is not None and max_steps < 1:
        raise CallError("`max_steps` must be 1 or more")
    try:
        lines = [f"{name} = {_toml.value(given)}\n" for name, given in settings.items() if given is not None]
    except TypeError as error:
        raise CallError(f"{call}: {error}") from None
    return {"call": call, "text": "".join(lines), "max_steps": max_steps, "differences": jacobian == "differences"}


def _matrices(which: Optional[str]) -> Optional[str]:
    if which not in (None, "auto", "dense", "sparse"):
        raise CallError(f"`matrices` must be \"auto\", \"dense\" or \"sparse\", not {which!r}")
    return which


def _names(given: Union[str, Sequence[str]]) -> list[str]:
    """One name or several."""
    return [given] if isinstance(given, str) else list(given)


class Mechanism:
    """A model that is compiled, assembled and diagnosed, ready for every analysis. It never changes: runs may go on in
    several threads at the same time, and let other threads of Python work meanwhile.

    >>> import kingpin as kp
    >>> results = kp.load("models/pendulum.toml").build().run(t_end=1)
    >>> round(float(results["bob_y"].min()), 2)
    -1.0
    """

    def __init__(self, model: Model) -> None:
        self._source: _Source = model._source()
        try:
            self._native = _native.Mechanism(self._source)
        except ModelError as error:
            model._note(error)
            raise
        if self._native.warnings:
            warnings.warn(self._native.warnings, Doubt, stacklevel=3)
        #: The results of the last run that Ctrl-C stopped.
        self.interrupted: Optional[Results] = None

    @classmethod
    def _of(cls, source: _Source, by: Sequence[str] = (), of: Sequence[str] = ()) -> Mechanism:
        """A mechanism from a source of another process, or with unknown forces of actuators."""
        made = cls.__new__(cls)
        made._source, made._native = source, _native.Mechanism(source, list(by), list(of))
        made.interrupted = None
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        source = self._source
        if source["path"] is not None:
            # files need not be where this is read
            text = (f"{self.name}.toml", self._native.to_toml(), ".")
            source = {"path": None, "text": text, "assignments": [], "functions": {}}
        return (_rebuilt, (source,))

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._native.name

    @property
    def freedoms(self) -> int:
        """Degrees of freedom: coordinates less independent equations."""
        return self._native.freedoms

    @property
    def inputs(self) -> list[str]:
        """Names of the inputs of the model."""
        return self._native.inputs

    @property
    def channels(self) -> dict[str, str]:
        """The channels of a run, with their units."""
        return {name: unit for name, unit, _ in self._native.channels()}

    @property
    def state(self) -> State:
        """The assembled state: the given one, made consistent with all joints and drivers."""
        return self._native.state

    @property
    def start(self) -> State:
        """The initial state of runs: the assembled state, or the equilibrium near it if the model selects it."""
        return self._native.start()

    def to_toml(self) -> str:
        """The model as the text of a model file, all expressions of numbers evaluated."""
        return self._native.to_toml()

    def check(self) -> dict[str, Any]:
        """Properties of the model: degrees of freedom, redundancy, time constants, as `kingpin check --json` prints them."""
        report: dict[str, Any] = json.loads(self._native.check())
        return report

    def topology(self) -> dict[str, Any]:
        """The joint graph and the elimination order, as `kingpin topology --json` prints them."""
        report: dict[str, Any] = json.loads(self._native.topology())
        return report

    def accelerations(self, solver: str = "auto") -> dict[str, Any]:
        """Accelerations, multipliers and reactions at the assembled state, as `kingpin accelerations --json` prints them."""
        report: dict[str, Any] = json.loads(self._native.accelerations(solver))
        return report

    def values(self, state: Optional[State] = None) -> dict[str, float]:
        """All channels at a consistent state: positions, velocities, accelerations, reactions, forces, energies."""
        return self._native.values(state)

    def equilibrium(self, matrices: Optional[str] = None) -> Equilibrium:
        """The static equilibrium near the assembled state, and its stability."""
        text, state = self._native.equilibrium(_matrices(matrices))
        report = json.loads(text)
        return Equilibrium(state, report["stable"], report["final"], report)

    def static(self, matrices: Optional[str] = None) -> Equilibrium:
        """Another name of `equilibrium`."""
        return self.equilibrium(matrices)

    def modes(
        self,
        state: Optional[State] = None,
        *,
        at: Literal["start", "equilibrium", "steady"] = "start",
        count: Optional[int] = None,
        near_frequency: Optional[float] = None,
        matrices: Optional[str] = None,
        near: Optional[float] = None,
    ) -> Modes:
        """Eigenvalues at the assembled state, at the equilibrium or steady motion near it, or at another state.

        `near` is the old name of `near_frequency`.
        """
        near_frequency = renamed("near_frequency", near_frequency, "near", near)
        if at not in ("start", "equilibrium", "steady"):
            raise CallError(f"`at` must be \"start\", \"equilibrium\" or \"steady\", not {at!r}")
        which = _matrices(matrices)
        if at == "equilibrium":
            state = self.equilibrium(matrices).state if state is None else state
        report = json.loads(self._native.modes(state, at, count, near_frequency, which))
        found = report["modes"]
        eigenvalues = np.array([complex(mode["real"], mode["imaginary"]) for mode in found], dtype=complex)
        frequencies = np.array([mode["frequency"] for mode in found], dtype=float)
        damping = np.array([mode["damping_ratio"] for mode in found], dtype=float)
        return Modes(eigenvalues, frequencies, damping, report)

    def linearise(
        self, inputs: Sequence[str] = (), outputs: Sequence[str] = (), state: Optional[State] = None
    ) -> Linear:
        """The matrices of the mechanism about a consistent state, for inputs of the model and channels as outputs.

        About a steady motion, states are seen in axes in which A is constant (`axes`).
        """
        matrices, states, names, shown, axes = self._native.linearise(list(inputs), list(outputs), state)
        return Linear(matrices[0], matrices[1], matrices[2], matrices[3], states, names, shown, axes)

    def kinematics(
        self,
        t_end: Optional[float] = None,
        frames: int = 100,
        *,
        actuators: Union[str, Sequence[str]] = (),
        motions: Union[str, Sequence[str]] = (),
        by: Union[str, Sequence[str], None] = None,
        of: Union[str, Sequence[str], None] = None,
    ) -> Results:
        """Computes motion, reactions and driver forces of a fully driven mechanism.

        With `actuators`, inverse dynamics as with `kingpin kinematics --actuators`: the required forces of these drivers,
        actuators, motors or inputs are computed for the `motions` of other drivers, by default of all others. Strokes
        and forces are channels. `by` and `of` are the old names of `actuators` and `motions`.
        """
        actuators = renamed("actuators", actuators, "by", by)
        motions = renamed("motions", motions, "of", of)
        if frames < 1:
            raise CallError("`frames` must be 1 or more")
        actuators, motions = _names(actuators), _names(motions)
        if motions and not actuators:
            raise CallError("`motions` needs `actuators`: name the actuators to solve for")
        made = Mechanism._of(self._source, actuators, motions) if actuators else self
        return Results(made._native.kinematics(t_end, frames), made)

    def run(
        self,
        t_end: Optional[Number] = None,
        tol: Optional[Number] = None,
        method: Optional[str] = None,
        *,
        frame: Optional[Number] = None,
        rtol: Optional[Number] = None,
        atol: Union[Number, Mapping[str, Number], None] = None,
        h: Optional[Number] = None,
        h_max: Optional[Number] = None,
        solver: Optional[str] = None,
        matrices: Optional[str] = None,
        coordinates: Optional[str] = None,
        stabilisation: Optional[str] = None,
        stabilisation_weights: Optional[str] = None,
        spectral_radius: Optional[float] = None,
        threads: Optional[int] = None,
        max_steps: Optional[int] = None,
        jacobian: Literal["exact", "differences"] = "exact",
        start: Optional[State] = None,
        channels: Sequence[str] = (),
        progress: Union[bool, Callable[[float], object]] = False,
        folder: Optional[str] = None,
        force: bool = False,
        view: bool = False,
    ) -> Results:
        """Simulates from the start to `t_end`; the defaults of all settings are those of the model.

        `channels` chooses by patterns such as `crank.*`; `progress` shows a bar, or is called with the time reached;
        `folder` keeps results as `kingpin run` does; `view` shows the page in a notebook while the run goes on.
        """
        given = {
            "t_end": t_end, "tol": tol, "method": method, "frame": frame, "rtol": rtol, "atol": atol, "h": h,
            "h_max": h_max, "solver": solver, "matrices": matrices, "coordinates": coordinates,
            "stabilisation": stabilisation, "stabilisation_weights": stabilisation_weights,
            "spectral_radius": spectral_radius, "threads": threads,
        }
        asked = _asked("run", given, max_steps, jacobian)
        live = None
        if view:
            from ._live import Live

            live = Live(self, folder)
            folder = live.folder
        bar = Bar.of(progress)
        shown: Optional[Results] = None
        try:
            results = shown = Results(self._native.run(asked, start, list(channels), bar, folder, force), self)
        except (RunError, Interrupted) as error:
            error.results = shown = Results(error.recording, self)
            if isinstance(error, Interrupted):
                self.interrupted = error.results
            raise
        finally:
            if isinstance(bar, Bar):
                bar.close()
            if live is not None:
                live.close(shown)
        for text in results.warnings:
            warnings.warn(text, Doubt, stacklevel=2)
        return results

    def simulate(
        self,
        t_end: Optional[Number] = None,
        tol: Optional[Number] = None,
        method: Optional[str] = None,
        *,
        max_steps: Optional[int] = None,
        jacobian: Literal["exact", "differences"] = "exact",
        **settings: Any,
    ) -> Simulation:
        """A run that is advanced step by step, with inputs set by a controller between steps.

        >>> import kingpin as kp
        >>> sim = kp.load("models/pendulum.toml").build().simulate(t_end=0.5)
        >>> while sim.step():
        ...     pass
        >>> sim.t
        0.5
        """
        given = {"t_end": t_end, "tol": tol, "method": method, **settings}
        return self._simulation(_asked("simulate", given, max_steps, jacobian), None)

    def resume(
        self,
        checkpoint: bytes,
        t_end: Optional[Number] = None,
        tol: Optional[Number] = None,
        method: Optional[str] = None,
        **settings: Any,
    ) -> Simulation:
        """A run that continues from `Simulation.checkpoint`, with the settings of the original one: the rest has the
        same bits as an uninterrupted run. Only the end time can be later."""
        given = {"t_end": t_end, "tol": tol, "method": method, **settings}
        return self._simulation(_asked("resume", given, None, "exact"), checkpoint)

    def _simulation(self, asked: _Asked, checkpoint: Optional[bytes]) -> Simulation:
        return Simulation(self, self._native, asked, checkpoint)

    def view(self, height: int = 620) -> View:
        """The page with the mechanism in its initial state."""
        start = self.start
        asked = _asked("view", {"t_end": start.t}, None, "exact")
        return Results(self._native.run(asked, start, [], None, None, False), self).view(height)

    def _repr_html_(self) -> str:
        return self.view()._repr_html_()

    def __repr__(self) -> str:
        return f"<mechanism {self.name!r}: {self.freedoms} degrees of freedom>"


def _rebuilt(source: _Source) -> Mechanism:
    return Mechanism._of(source)


def _resumed(mechanism: Mechanism, asked: _Asked, checkpoint: bytes) -> Simulation:
    return mechanism._simulation(asked, checkpoint)
