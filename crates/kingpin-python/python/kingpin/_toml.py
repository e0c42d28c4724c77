"""Python values in the format of model files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def quoted(text: str) -> str:
    """A text as a TOML string."""
    out = []
    for letter in text:
        if letter in '"\\':
            out.append("\\" + letter)
        elif letter == "\n":
            out.append("\\n")
        elif letter == "\t":
            out.append("\\t")
        elif letter == "\r":
            out.append("\\r")
        elif ord(letter) < 32 or ord(letter) == 127:
            out.append(f"\\u{ord(letter):04x}")
        else:
            out.append(letter)
    return '"' + "".join(out) + '"'


def key(name: str) -> str:
    """A key, in quotes where it needs them."""
    plain = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if plain else quoted(name)


def value(given: Any) -> str:
    """A value in the format of model files; `TypeError` for unsupported values."""
    if isinstance(given, np.ndarray):
        given = given.tolist()
    elif isinstance(given, np.generic):
        given = given.item()
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, str):
        return quoted(given)
    if isinstance(given, int):
        # what exceeds 64 bits is a number with a point
        return str(given) if abs(given) < 2**63 else number(float(given))
    if isinstance(given, float):
        return number(given)
    if isinstance(given, Mapping):
        inside = ", ".join(f"{key(str(name))} = {value(item)}" for name, item in given.items())
        return "{ " + inside + " }"
    if isinstance(given, (list, tuple, range)):
        return "[" + ", ".join(value(item) for item in given) + "]"
    raise TypeError(f"a model file cannot say `{type(given).__name__}`")


def number(x: float) -> str:
    """The shortest text that reads as the same number."""
    if x != x:
        return "nan"
    if x in (float("inf"), float("-inf")):
        return "inf" if x > 0 else "-inf"
    text = repr(x)
    return text
