"""The page during a run, served by `kingpin view` and shown in the notebook or in the browser."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import tempfile
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from ._errors import CallError

if TYPE_CHECKING:
    from ._mechanism import Mechanism
    from ._results import Results

#: Polling interval until the run has written its first frame, s.
PAUSE = 0.05


class Live:
    """Shows a folder of results from its first frame on."""

    def __init__(self, mechanism: Mechanism, folder: Optional[str]) -> None:
        if mechanism._source["functions"]:
            raise CallError(
                "a run with functions in Python cannot be shown while it goes on; `results.view()` shows it afterwards"
            )
        self._temporary = None if folder else tempfile.mkdtemp(prefix="kingpin-")
        self.folder = folder or str(Path(str(self._temporary)) / "results")
        self.url: Optional[str] = None
        self._server: Optional[subprocess.Popen[str]] = None
        self._over = threading.Event()
        self._handle = _placeholder()
        self._worker = threading.Thread(target=self._serve, daemon=True)
        self._worker.start()

    def _serve(self) -> None:
        """Waits for the first frame, then starts the server."""
        while not (Path(self.folder) / "channels.json").exists():
            if self._over.wait(PAUSE):
                return
        words = [sys.executable, "-m", "kingpin", "view", self.folder, "--no-open"]
        if self._handle is not None:
            words.append("--embed")
        self._server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self._server.stdout is not None
        line = self._server.stdout.readline()
        self.url = next((word for word in line.split() if word.startswith("http://")), None)
        if self.url is None or self._over.is_set():
            return
        if self._handle is None:
            webbrowser.open(self.url)
        else:
            self._handle.update(_frame(self.url))

    def close(self, results: Optional[Results]) -> None:
        """Stops the server; a notebook then shows the page of the whole run."""
        self._over.set()
        self._worker.join()
        if self._handle is not None:
            if results is not None:
                self._handle.update(results.view())
            if self._server is not None:
                self._server.terminate()
                self._server.wait()
            if self._temporary is not None:
                shutil.rmtree(self._temporary, ignore_errors=True)


def _placeholder() -> Any:
    """The output of a notebook in which the page is shown; None outside notebooks."""
    try:
        shell = importlib.import_module("IPython").get_ipython()
    except ImportError:
        return None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    shows = importlib.import_module("IPython.display")
    return shows.display(shows.HTML("<em>the run begins</em>"), display_id=True)


def _frame(url: str) -> Any:
    return importlib.import_module("IPython.display").IFrame(url, "100%", 620)
