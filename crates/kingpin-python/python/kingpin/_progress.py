"""A progress bar, in terminals and in notebooks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Optional, TextIO, Union


class Bar:
    """The time reached, written over and over on one line."""

    def __init__(self, stream: Optional[TextIO] = None) -> None:
        self.stream = stream or sys.stderr
        self.shown = False

    @staticmethod
    def of(wanted: Union[bool, Callable[[float], object]]) -> Optional[Callable[[float], object]]:
        """The selected bar, or the function to call instead."""
        if isinstance(wanted, bool):
            return Bar() if wanted else None
        return wanted

    def __call__(self, t: float) -> None:
        # notebooks understand the return of the carriage as terminals do
        self.stream.write(f"\r  t = {t:.6g} s   ")
        self.stream.flush()
        self.shown = True

    def close(self) -> None:
        """Leaves a clean line."""
        if self.shown:
            self.stream.write("\r" + " " * 30 + "\r")
            self.stream.flush()
