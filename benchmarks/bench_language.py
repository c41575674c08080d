"""The language server against its limits: diagnostics after a key in a file of 1,000 lines, completion, hover, and memory."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Self

from .harness import Result

#: Seconds until diagnostics, and for an answer; bytes of memory.
_LIMITS = {"diagnostics": 0.1, "completion": 0.1, "hover": 0.05}
_MEMORY = 200 << 20


def run(quick: bool) -> list[Result]:
    """One server process, spoken to as an editor does; each key changes another line."""
    text = _text(1000)
    with tempfile.TemporaryDirectory() as folder, _Server(Path(folder) / "long.idl", text) as server:
        samples: dict[str, list[float]] = {name: [] for name in _LIMITS}
        for number in range(3 if quick else 30):
            line = 10 * (7 * number % 100) + 3
            samples["diagnostics"].append(server.type(line))
            for name, place in (("completion", 20), ("hover", 3)):
                samples[name].append(server.ask(f"textDocument/{name}", line, place))
        memory = server.memory()
    found = [
        Result(f"language server, {name}, 1,000 lines", statistics.median(each), _LIMITS[name], "limit", bar=1.0)
        for name, each in samples.items()
    ]
    return [*found, Result("language server, memory", memory, _MEMORY, "limit", bar=1.0, unit="bytes")]


_RECORD = """/** Number {number}. */
record R{number} : little {{
  u16 n = count(items);
  u32 size = size(name) where size < 1000;
  utf8 name[size];
  R{before} items[n];
  u8 kind where kind <= 3 else "no such kind";
  bytes rest[..] if kind > 1;
}}

"""


def _text(lines: int) -> str:
    """Returns records of ten lines each, every one using the one before."""
    records = (_RECORD.format(number=number, before=number - 1) for number in range(1, lines // 10 + 1))
    return "".join(["/** The first. */\nrecord R0 { u8 x; }\n", *records])


class _Server:
    def __init__(self, path: Path, text: str) -> None:
        self._lines, self._path, self._number, self._version = text.split("\n"), path, 0, 1
        path.write_text(text)
        command = [sys.executable, "-m", "lakecodec", "lsp"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._call("initialize", {"processId": None, "rootUri": path.parent.as_uri(), "capabilities": {}})
        self._send("initialized", {})
        document = {"uri": path.as_uri(), "languageId": "lakecodec-idl", "version": 1, "text": text}
        self._send("textDocument/didOpen", {"textDocument": document})
        self._until_diagnostics()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._call("shutdown", None)
        self._send("exit", None)
        self._process.communicate(timeout=30)

    def type(self, line: int) -> float:
        """Returns the seconds from a key, which changes a name in a line, to the diagnostics of the file."""
        self._version += 1
        text = self._lines[line]
        changed = text + " " if self._version % 2 else text.rstrip()
        place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": len(text)}}
        self._lines[line] = changed
        start = time.perf_counter()
        document = {"uri": self._path.as_uri(), "version": self._version}
        changes = [{"range": place, "text": changed}]
        self._send("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        self._until_diagnostics()
        return time.perf_counter() - start

    def ask(self, method: str, line: int, character: int) -> float:
        """Returns the seconds that an answer takes."""
        start = time.perf_counter()
        position = {"line": line, "character": character}
        self._call(method, {"textDocument": {"uri": self._path.as_uri()}, "position": position})
        return time.perf_counter() - start

    def memory(self) -> int:
        """Returns the bytes that the server holds."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return 1024 * int(status.split("VmRSS:")[1].split()[0])

    def _until_diagnostics(self) -> None:
        while (message := self._receive()).get("method") != "textDocument/publishDiagnostics":
            pass
        assert message["params"]["diagnostics"] == [], message

    def _call(self, method: str, parameters: Any) -> Any:
        self._number += 1
        self._send(method, parameters, id=self._number)
        while (message := self._receive()).get("id") != self._number:
            pass
        return message["result"]

    def _send(self, method: str, parameters: Any, **more: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters, **more}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _receive(self) -> Any:
        assert self._process.stdout is not None
        size = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        return json.loads(self._process.stdout.read(size))
