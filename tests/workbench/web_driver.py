"""A browser that tests drive, by the W3C's WebDriver protocol of chromedriver."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import urllib.request
from typing import Any, Self

DRIVER = shutil.which("chromedriver")


class Browser:
    """A browser without a window; close it with ``with``.

    Args:
        binary: the browser's program.
    """

    def __init__(self, binary: str, size: tuple[int, int] = (1400, 900)) -> None:
        self._process = subprocess.Popen([str(DRIVER), "--port=0"], stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if "was started successfully on port" in line:
                port = line.strip().rstrip(".").rpartition(" ")[2]
                self._root = f"http://127.0.0.1:{port}/session"
                break
        arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        options = {"binary": binary, "args": [*arguments, f"--window-size={size[0]},{size[1]}"]}
        made = self._ask("", {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}})
        self._root += f"/{made['sessionId']}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._ask("", None, "DELETE")
        finally:
            self._process.terminate()
            self._process.communicate()

    def open(self, address: str) -> None:
        """Loads a page."""
        self._ask("/url", {"url": address})

    def run(self, script: str, *arguments: Any) -> Any:
        """Returns what a script returns; its arguments are called ``arguments``."""
        return self._ask("/execute/sync", {"script": script, "args": list(arguments)})

    def until(self, condition: str, seconds: float = 30) -> None:
        """Waits until an expression is true; fails after some seconds."""
        end = time.monotonic() + seconds
        while not self.run(f"return Boolean({condition})"):
            assert time.monotonic() < end, f"{condition} is not true after {seconds} seconds"
            time.sleep(0.05)

    def _ask(self, path: str, body: Any, method: str = "POST") -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._root + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]
