"""Exceptions. Their text is the message that the command `kingpin` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, TypedDict

if TYPE_CHECKING:
    from ._results import Results


class Diagnostic(TypedDict):
    """A message about a model, with its location."""

    severity: str
    message: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    hint: Optional[str]


class Error(Exception):
    """An error of Kingpin; the text is the complete explanation."""


class ModelError(Error):
    """A model cannot be read, compiled or assembled, or an analysis is not possible."""

    diagnostics: list[Diagnostic]

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.diagnostics = []


class CallError(Error, ValueError):
    """An invalid call: an unknown setting, a state of another mechanism."""


class FunctionError(Error, TypeError):
    """A function in Python did not return a number."""


class RunError(Error):
    """A run failed: `t` is the time of the failure, `results` has the frames before it."""

    t: float
    recording: Any
    results: Optional["Results"]

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.t = float("nan")
        self.recording = None
        self.results = None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a run: `results` has the frames so far."""

    recording: Any
    results: Optional["Results"]

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.recording = None
        self.results = None


class Doubt(UserWarning):
    """A warning about a model or a run."""
