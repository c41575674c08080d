"""What an editor shows of generated classes: hovering over a field gives its type and the IDL's documentation."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ..paths import ROOT

SERVER = shutil.which(
    "basedpyright-langserver", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
)
SCRIPT = """\
from lakecodec.generated import mosaic, parquet

meta = parquet.FileMetaData.from_bytes(b"")
meta.num_rows
meta.row_groups[0].sorting_columns
parquet.LogicalType.STRING()
mosaic.Footer.from_bytes(b"").schema_offset
mosaic.TypeParams.DECIMAL(precision=1, scale=0).precision
parquet.Type.INT96
parquet.KeyValue(key="a").key
"""
SHOWN = {
    "num_rows": ["num_rows: int", "Rows of the file"],
    "row_groups": ["row_groups: list[RowGroup]", "The row groups in file order"],
    "sorting_columns": [
        "sorting_columns: list[SortingColumn] | None",
        "Order of the rows, most significant column first",
    ],
    "STRING": ["Text; with ConvertedType UTF8"],
    "schema_offset": ["schema_offset: int"],
    "precision": ["precision: int"],
    "INT96": ["12 bytes, used by old writers for timestamps"],
    "KeyValue": ["class KeyValue", "key: str,", "value: str | None = None"],
    "FileMetaData": ["class FileMetaData", "The footer of a file"],
}


class Server:
    """A client of the language server protocol, as far as hovering needs it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._calls = 0

    def send(self, method: str, params: Any, **more: Any) -> None:
        data = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        self._write(data)

    def call(self, method: str, params: Any) -> Any:
        """Returns the result of a request; the server's own requests are answered with nothing."""
        self._calls += 1
        self.send(method, params, id=self._calls)
        while True:
            message = self._read()
            if "method" in message and "id" in message:
                asked = message["params"].get("items") if message["method"] == "workspace/configuration" else None
                result = None if asked is None else [{} for _ in asked]
                self._write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode())
            elif message.get("id") == self._calls:
                assert "error" not in message, message
                return message["result"]

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._process.stdin.flush()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the server ended"
        return json.loads(self._process.stdout.read(length))


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    command = [str(SERVER), "--stdio"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder) as process:
        server = Server(process)
        root = folder.as_uri()
        hover = {"contentFormat": ["plaintext"]}
        capabilities = {"textDocument": {"hover": hover}, "workspace": {"configuration": True}}
        folders = [{"uri": root, "name": "user"}]
        server.call(
            "initialize",
            {"processId": os.getpid(), "rootUri": root, "capabilities": capabilities, "workspaceFolders": folders},
        )
        server.send("initialized", {})
        try:
            yield server
        finally:
            server.call("shutdown", None)
            server.send("exit", None)
            process.wait(30)


@pytest.mark.skipif(SERVER is None, reason="basedpyright is not installed")
def test_fields_on_hover(tmp_path: Path) -> None:
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT)]}))
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    lines = SCRIPT.splitlines()
    with serving(tmp_path) as server:
        document = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": SCRIPT}
        server.send("textDocument/didOpen", {"textDocument": document})
        for word, parts in SHOWN.items():
            number = next(number for number, line in enumerate(lines) if word in line)
            position = {"line": number, "character": lines[number].index(word) + 1}
            found = server.call("textDocument/hover", {"textDocument": {"uri": file.as_uri()}, "position": position})
            assert found is not None, word
            assert "constructor" not in found["contents"]["value"]
            for part in parts:
                assert part in found["contents"]["value"], word
