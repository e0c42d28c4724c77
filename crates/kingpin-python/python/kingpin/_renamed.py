"""Keywords that were renamed: the old name works for one version, with a warning."""

from __future__ import annotations

import warnings
from typing import Any

from ._errors import CallError

#: The version in which the old names end.
UNTIL = "0.3"


def renamed(new: str, value: Any, old: str, given: Any) -> Any:
    """The value of a keyword, given by its new name or by its old one."""
    if given is None:
        return value
    if value is not None and value != ():
        raise CallError(f"`{old}` is the old name of `{new}`: give only `{new}`")
    warnings.warn(
        f"`{old}` is now called `{new}`; the old name works until version {UNTIL}", DeprecationWarning, stacklevel=3
    )
    return given
