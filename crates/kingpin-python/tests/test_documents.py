"""Examples, docstrings and the page of documentation run as they stand."""

from __future__ import annotations

import doctest
import importlib
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import kingpin
import matplotlib.pyplot as plt
import pytest

from conftest import ROOT

EXAMPLES = sorted((ROOT / "examples/python").glob("*.py"))


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_examples(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if script.stem == "inverted_pendulum":
        pytest.importorskip("control")
    monkeypatch.setattr(sys, "argv", [str(script), str(tmp_path)])
    runpy.run_path(str(script), run_name="__main__")
    plt.close("all")
    (picture,) = tmp_path.glob("*.png")
    assert picture.stem == script.stem and picture.stat().st_size > 5_000
    assert (ROOT / "docs/pictures/python" / picture.name).exists()


@pytest.mark.parametrize("name", ["", "._function", "._mechanism", "._model", "._results", "._study"])
def test_docstrings(name: str) -> None:
    module = importlib.import_module("kingpin" + name)
    failed, tried = doctest.testmod(module)
    assert tried > 0 and failed == 0


def test_the_page_of_documentation() -> None:
    text = (ROOT / "docs/python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) >= 6
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    named = set(re.findall(r"\((?:\.\./examples/python/)(\w+\.py)\)", text))
    assert named == {path.name for path in EXAMPLES}


def test_all_that_is_offered_is_explained() -> None:
    for name in kingpin.__all__:
        assert getattr(kingpin, name).__doc__, name
