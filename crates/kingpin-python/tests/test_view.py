"""The page is inside."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import kingpin as kp


def data_of(page: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="kingpin-data">(.*?)</script>', page, re.S)
    assert found is not None
    data: dict[str, object] = json.loads(found.group(1))
    return data


def test_pages_of_runs(tmp_path: Path) -> None:
    view = kp.load("models/four_bar.toml").build().run(t_end=0.5).view(height=400)
    data = data_of(view.page)
    frames = data["frames"]
    assert isinstance(frames, dict) and frames["count"] == 101
    shown = view._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and 'height="400"' in shown
    assert html.unescape(shown.split('srcdoc="')[1].split('" width=')[0]) == view.page
    view.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == view.page


def test_pages_of_mechanisms() -> None:
    data = data_of(kp.load("models/hmmwv14_stiff.toml").build().view().page)
    frames = data["frames"]
    assert isinstance(frames, dict) and frames["count"] == 1
