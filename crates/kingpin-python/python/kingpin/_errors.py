"""What fails: the text of an exception is what the command `kingpin` would print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, TypedDict

if TYPE_CHECKING:
    from ._results import Results


class Diagnostic(TypedDict):
    """One message about a model, with its place."""

    severity: str
    message: str
    file: Optional[str]
    line: Optional[int]
    column: Optional[int]
    hint: Optional[str]


class Error(Exception):
    """Something asked of Kingpin was not done; the text is the whole explanation."""


class ModelError(Error):
    """A model cannot be read, compiled or assembled, or a mechanism refuses an analysis."""

    diagnostics: list[Diagnostic]

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.diagnostics = []


class CallError(Error, ValueError):
    """A call makes no sense: an unknown setting, a state of another mechanism."""


class FunctionError(Error, TypeError):
    """A function in Python gave something else than the number that was asked for."""


class RunError(Error):
    """A run could not go on: `t` says when, `results` holds what came before."""

    t: float
    recording: Any
    results: Optional["Results"]

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.t = float("nan")
        self.recording = None
        self.results = None


class Interrupted(KeyboardInterrupt):
    """Ctrl-C has stopped a run: `results` holds what was computed."""

    recording: Any
    results: Optional["Results"]

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.recording = None
        self.results = None


class Doubt(UserWarning):
    """Something legal but suspicious about a model or a run."""
