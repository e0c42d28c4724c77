"""Models: read from files or built by calls."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native, _toml
from ._errors import CallError, ModelError
from ._function import Function, as_function
from ._items import Items
from ._renamed import renamed

if TYPE_CHECKING:
    from os import PathLike

    from ._mechanism import Mechanism
    from ._native import _Source
    from ._results import Results

#: A number in SI units, or a text with an expression and units, such as `"12 kN/mm"`.
Number = Union[float, str]


class _Item:
    """An item of a model: its section, its fields, the content of a pattern, and the location of its call."""

    def __init__(self, section: str, fields: Mapping[str, Any], where: str) -> None:
        self.section = section
        # a name that Python keeps for itself ends with an underscore: `from_`
        plain = {name[:-1] if name.endswith("_") else name: value for name, value in fields.items()}
        self.fields = {name: value for name, value in plain.items() if value is not None}
        self.where = where
        self.inside: list[_Item] = []

    def title(self) -> str:
        name = self.fields.get("name")
        return f"{self.section} `{name}`" if name else self.section


class _Writer:
    """Writes items as the text of a model file; functions get names."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.functions: dict[str, tuple[str, Function]] = {}
        self.calls: list[tuple[int, str]] = []

    def fields(self, title: str, fields: Mapping[str, Any]) -> None:
        for name, given in fields.items():
            function = as_function(given)
            try:
                text = self.named(f"{title}, `{name}`", function) if function else _toml.value(given)
            except TypeError as error:
                raise CallError(f"{title}, `{name}`: {error}") from None
            self.lines.append(f"{_toml.key(name)} = {text}")

    def named(self, place: str, function: Function) -> str:
        given = getattr(function.call, "__name__", "function")
        base = given if given.isidentifier() else "function"
        name, k = base, 1
        while name in self.functions:
            k += 1
            name = f"{base}_{k}"
        self.functions[name] = (place, function)
        return _toml.quoted("@" + name)

    def item(self, item: _Item, prefix: str = "") -> None:
        self.lines.append("")
        self.calls.append((len(self.lines) + 1, item.where))
        self.lines.append(f"[[{prefix}{item.section}]]")
        self.fields(item.title(), item.fields)
        for inner in item.inside:
            self.item(inner, f"{prefix}{item.section}.")


class Model(Items):
    """A model: bodies, joints, forces and all other items of a model file, added by calls with the fields of the file.

    >>> import kingpin as kp
    >>> model = kp.Model("pendulum", space="planar", gravity=[0, -9.81])
    >>> model.body(name="rod", mass="1 kg", inertia="0.1 kg*m^2", com=["50 cm", 0])
    >>> model.joint("revolute", name="pin", body1="ground", body2="rod")
    >>> model.simulation(t_end=2)
    >>> mechanism = model.build()
    >>> mechanism.freedoms
    1
    """

    def __init__(
        self,
        name: str = "model",
        *,
        space: Optional[str] = None,
        gravity: Any = None,
        description: Optional[str] = None,
        parameters: Optional[Mapping[str, Number]] = None,
        ranges: Optional[Mapping[str, Sequence[Number]]] = None,
    ) -> None:
        self.name = name
        self.parameters: dict[str, Number] = dict(parameters or {})
        self.ranges: dict[str, Sequence[Number]] = dict(ranges or {})
        self._path: Optional[str] = None
        self._top = {"description": description, "space": space, "gravity": gravity}
        self._settings: dict[str, Any] = {}
        self._items: list[_Item] = []
        self._open: list[_Item] = []

    def _add(self, section: str, fields: Mapping[str, Any]) -> None:
        item = _Item(section, fields, _caller())
        (self._open[-1].inside if self._open else self._items).append(item)

    @contextmanager
    def pattern(self, to: Number, *, index: str = "i", first: Optional[Number] = None) -> Iterator[None]:
        """Items repeated for each value of an index, from one number to another.

        >>> import kingpin as kp
        >>> model = kp.Model("balls", gravity=[0, 0, -9.81])
        >>> with model.pattern(to=3):
        ...     model.body(name="ball{i}", mass="i * 1 kg", point=True, position=["i * 1 m", 0, 0])
        ...     model.force("force", name="lift{i}", body="ball{i}", direction=[0, 0, 1], magnitude="i * 9.81 N")
        >>> model.build().freedoms
        9
        """
        item = _Item("pattern", {"index": index, "from": first, "to": to}, _caller(3))
        (self._open[-1].inside if self._open else self._items).append(item)
        self._open.append(item)
        try:
            yield
        finally:
            self._open.pop()

    def assembly(
        self,
        name: str,
        include: Sequence[str],
        *,
        parameters: Optional[Mapping[str, Number]] = None,
        points: Optional[Mapping[str, Any]] = None,
        position: Any = None,
        orientation: Optional[Mapping[str, Any]] = None,
        angle: Optional[Number] = None,
        mirror: Optional[str] = None,
    ) -> None:
        """Uses model files with a name and a position, optionally mirrored along an axis. Names of items get that name
        and a dot as a prefix."""
        place = {"position": position, "orientation": orientation, "angle": angle, "mirror": mirror}
        self._add("assembly", {"name": name, "include": list(include), "parameters": parameters, "points": points, **place})

    def simulation(self, **settings: Any) -> None:
        """Default settings of runs: `t_end`, `tol`, `method`, `start`, `frame` and the other settings of `[simulation]`."""
        self._settings.update({name: value for name, value in settings.items() if value is not None})

    def set(self, **parameters: Number) -> Model:
        """Sets parameters: numbers in SI units, or texts such as `3 kN/m`."""
        self.parameters.update(parameters)
        return self

    def copy(self) -> Model:
        """A copy, which can be changed independently."""
        other = Model(self.name, parameters=self.parameters, ranges=self.ranges)
        other._path, other._top, other._settings = self._path, dict(self._top), dict(self._settings)
        other._items = list(self._items)
        return other

    def to_toml(self) -> str:
        """The model as the text of a model file."""
        if self._path is None:
            writer = self._written()
            if writer.functions:
                places = "; ".join(place for place, _ in writer.functions.values())
                raise CallError(f"a model file cannot hold functions of Python: {places}")
            return "\n".join(writer.lines) + "\n"
        return _native.toml_text(self._source())

    def build(self) -> Mechanism:
        """The mechanism: compiled, assembled and diagnosed."""
        from ._mechanism import Mechanism

        return Mechanism(self)

    def inverse(
        self,
        actuators: Union[str, Sequence[str]] = (),
        motions: Union[str, Sequence[str]] = (),
        *,
        t_end: Optional[float] = None,
        frames: int = 100,
        by: Union[str, Sequence[str], None] = None,
        of: Union[str, Sequence[str], None] = None,
    ) -> Results:
        """Computes strokes and required forces of `actuators` for the `motions` of other drivers, by default of all others,
        as `kingpin kinematics --actuators` does. The prescribed motions of drivers among the actuators are ignored, so the
        model need not be one that can be built. `by` and `of` are the old names of `actuators` and `motions`.

        >>> import kingpin as kp
        >>> model = kp.load("docs/gallery/excavator_path.toml")
        >>> done = model.inverse(["boom_cylinder", "arm_cylinder", "bucket_cylinder"], frames=10)
        >>> done["boom_cylinder.force"].shape
        (11,)
        """
        from ._mechanism import Mechanism, _names
        from ._results import Results as Recorded

        actuators = _names(renamed("actuators", actuators, "by", by))
        motions = _names(renamed("motions", motions, "of", of))
        if frames < 1:
            raise CallError("`frames` must be 1 or more")
        if not actuators:
            raise CallError("`actuators` is empty: name the actuators to solve for")
        try:
            made = Mechanism._of(self._source(), actuators, motions)
        except ModelError as error:
            self._note(error)
            raise
        return Recorded(made._native.kinematics(t_end, frames), made)

    def _changed(self) -> bool:
        return bool(self._items or self._settings or self.ranges)

    def _written(self) -> _Writer:
        writer = _Writer()
        top: dict[str, Any] = {"name": self.name, **self._top}
        if self._path is not None:
            top = {**_title(self._path), "include": [str(Path(self._path).resolve())]}
        writer.fields("model", {name: value for name, value in top.items() if value is not None})
        if self._path is None and self.parameters:
            writer.lines += ["", "[parameters]"]
            writer.fields("parameters", self.parameters)
        if self.ranges:
            writer.lines += ["", "[ranges]"]
            writer.fields("ranges", self.ranges)
        if self._settings:
            writer.lines += ["", "[simulation]"]
            writer.fields("simulation", self._settings)
        for item in self._items:
            writer.item(item)
        return writer

    def _source(self) -> _Source:
        """The source for the reader."""
        given = self.parameters.items() if self._path is not None else ()
        assignments = [f"{name}={value if isinstance(value, str) else _toml.value(value)}" for name, value in given]
        if self._path is not None and not self._changed():
            return {"path": self._path, "text": None, "assignments": assignments, "functions": {}}
        writer = self._written()
        functions = {
            name: (place, function.reads, function.call, function.jacobian)
            for name, (place, function) in writer.functions.items()
        }
        text = (f"{self.name}.toml", "\n".join(writer.lines) + "\n", ".")
        return {"path": None, "text": text, "assignments": assignments, "functions": functions}

    def _note(self, error: ModelError) -> None:
        """Adds the locations of the calls that caused the lines of an error."""
        if not hasattr(error, "add_note") or self._path is not None and not self._changed():
            return
        calls, told = self._written().calls, set()
        for diagnostic in error.diagnostics:
            line = diagnostic["line"]
            if line is None or diagnostic["file"] != f"{self.name}.toml":
                continue
            where = [where for first, where in calls if first <= line][-1:]
            if where and where[0] not in told:
                told.add(where[0])
                error.add_note(f"line {line} was called for at {where[0]}")

    def __repr__(self) -> str:
        return f"kingpin.Model({self.name!r})" if self._path is None else f"kingpin.load({self._path!r})"


def _title(path: str) -> dict[str, str]:
    """Name and description of a file, which are not included."""
    import json

    lines = _native.toml_text({"path": path, "text": None, "assignments": [], "functions": {}}).splitlines()
    pairs = (line.split(" = ", 1) for line in lines[:2] if line.startswith(("name = ", "description = ")))
    return {name: json.loads(value) for name, value in pairs}


def _caller(depth: int = 2) -> str:
    """File and line of the call that is outside of this package."""
    frame = sys._getframe(depth)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


_HERE = str(Path(__file__).parent)


def load(path: Union[str, PathLike[str]], **parameters: Number) -> Model:
    """A model file, with new values of parameters.

    >>> import kingpin as kp
    >>> mechanism = kp.load("models/pendulum.toml", l="2 m").build()
    >>> mechanism.freedoms
    1
    """
    model = Model(Path(path).stem)
    model._path = str(path)
    return model.set(**parameters)
