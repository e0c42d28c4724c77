"""The report page in notebooks and browsers."""

from __future__ import annotations

import html
import shutil
import tempfile
import webbrowser
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Union

from ._errors import CallError

if TYPE_CHECKING:
    from . import _native


class View:
    """A self-contained page: shown in notebooks, opened in a browser or written to a file."""

    def __init__(self, page: str, height: int) -> None:
        self.page = page
        self.height = height

    @staticmethod
    def of(recording: _native.Recording, mechanism: _native.Mechanism, height: int) -> View:
        """The page of a run."""
        folder = Path(tempfile.mkdtemp(prefix="kingpin-"))
        try:
            recording.save(str(folder / "results"), False)
            page = mechanism.page(str(folder / "results"))
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if page is None:
            raise CallError("nothing can be shown: this build of Kingpin has no page")
        return View(page, height)

    def save(self, path: Union[str, PathLike[str]]) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self.page, encoding="utf-8")

    def open(self) -> Path:
        """Opens the page in the browser; the file is kept."""
        path = Path(tempfile.mkdtemp(prefix="kingpin-")) / "report.html"
        self.save(path)
        webbrowser.open(path.as_uri())
        return path

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="{self.height}" '
            'style="border: 0" allowfullscreen></iframe>'
        )

    def __repr__(self) -> str:
        return f"<page of {len(self.page):,} characters: `.open()` shows it in the browser, `.save(path)` keeps it>"
