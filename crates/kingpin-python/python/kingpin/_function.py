"""Functions in Python for forces, motions and events."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union, cast

#: Derivatives with respect to the arguments of a function.
Slopes = Callable[..., Union[float, Sequence[float], Any]]


class Function:
    """A function in Python and the names of its arguments."""

    def __init__(
        self, call: Callable[..., float], reads: Sequence[str], jacobian: Optional[Slopes] = None
    ) -> None:
        self.call = call
        self.reads = list(reads)
        self.jacobian = jacobian

    def __call__(self, *numbers: float) -> float:
        return self.call(*numbers)

    def __repr__(self) -> str:
        name = getattr(self.call, "__name__", type(self.call).__name__)
        return f"kingpin.function({', '.join(map(repr, self.reads))})({name})"


def function(
    *reads: str, jacobian: Optional[Slopes] = None
) -> Callable[[Callable[..., float]], Function]:
    """A function for a field of a model, with the names of what it reads: `t` and what else the field offers,
    measures (`swing`, and `swing.rate`), switches and inputs.

    It should be pure and smooth: nobody looks for its corners. Without a `jacobian`, which gives the slopes with
    respect to all it reads, derivatives are differences.

    >>> import kingpin as kp
    >>> @kp.function("swing.rate", jacobian=lambda rate: -0.4 * abs(rate))
    ... def drag(rate):
    ...     return -0.2 * rate * abs(rate)
    >>> drag(2.0)
    -0.8
    """

    def decorate(call: Callable[..., float]) -> Function:
        return Function(call, reads, jacobian)

    return decorate


def as_function(given: Any) -> Optional[Function]:
    """A callable as a function whose parameter names are the names that it reads; None for other values."""
    if isinstance(given, Function):
        return given
    if not callable(given) or isinstance(given, type):
        return None
    call = cast("Callable[..., float]", given)
    names = [
        name
        for name, parameter in inspect.signature(call).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is parameter.empty
    ]
    return Function(call, names)
