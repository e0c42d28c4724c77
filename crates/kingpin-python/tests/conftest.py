"""What tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
os.environ.setdefault("MPLBACKEND", "Agg")

#: Runs the command with some arguments; the second says in which folder.
Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def models() -> Path:
    return ROOT / "models"


@pytest.fixture(scope="session")
def command() -> Command:
    """The command that cargo has built (KINGPIN names another), or that of the package where there is none."""
    built = Path(os.environ.get("KINGPIN", ROOT / "target/debug/kingpin"))
    own = [str(built)] if built.exists() else [sys.executable, "-m", "kingpin"]

    def run(*arguments: object, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
        words = [*own, *map(str, arguments)]
        return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)

    return run


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
