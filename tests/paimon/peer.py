"""pypaimon, in a process of an environment of its own: `.ci/pypaimon` makes it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..paths import ROOT

PYTHON = Path(os.environ.get("LAKECODEC_PYPAIMON") or ROOT / ".venv-pypaimon/bin/python")
MISSING = f"there is no pypaimon at {PYTHON}: run .ci/pypaimon, or name its Python in LAKECODEC_PYPAIMON"


class Peer:
    """Tables by pypaimon; paths are ``<warehouse>/<database>.db/<table>``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 0
        self._log = open(folder / "pypaimon.log", "wb")  # noqa: SIM115
        self._process = subprocess.Popen(
            [str(PYTHON), str(Path(__file__).with_name("peer_process.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True,
        )  # fmt: skip

    def create(
        self,
        path: Any,
        data: pa.Table,
        partition_keys: Sequence[str] = (),
        options: Mapping[str, str] | None = None,
        primary_keys: Sequence[str] = (),
    ) -> None:
        self._ask("create", path=str(path), data=self._file(data), partition_keys=list(partition_keys),
                  options=dict(options or {}), primary_keys=list(primary_keys))  # fmt: skip

    def write(self, path: Any, data: pa.Table, overwrite: Mapping[str, Any] | None = None) -> None:
        self._ask("write", path=str(path), data=self._file(data), overwrite=overwrite)

    def read(self, path: Any, **options: Any) -> pa.Table:
        out = self._new()
        named = {f"scan.{name.replace('_', '-')}": str(value) for name, value in options.items()}
        self._ask("read", path=str(path), out=out, options=named)
        with pa.OSFile(out) as source:
            return pa.ipc.open_file(source).read_all()

    def alter(self, path: Any, *changes: Sequence[Any]) -> None:
        self._ask("alter", path=str(path), changes=[list(each) for each in changes])

    def tag(self, path: Any, name: str, snapshot: int) -> None:
        self._ask("tag", path=str(path), name=name, snapshot=snapshot)

    def branch(self, path: Any, name: str, tag: str) -> None:
        self._ask("branch", path=str(path), name=name, tag=tag)

    def delete_rows(self, path: Any, positions: Sequence[int]) -> None:
        self._ask("delete_rows", path=str(path), positions=list(positions))

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)
        self._log.close()

    def _ask(self, operation: str, **request: Any) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"operation": operation, **request}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline() or '{"error": "pypaimon has ended"}')
        if "error" in answer:
            raise RuntimeError(f"pypaimon: {answer['error']}")

    def _new(self) -> str:
        self._number += 1
        return str(self._folder / f"exchange-{self._number}.arrow")

    def _file(self, data: pa.Table) -> str:
        path = self._new()
        with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, data.schema) as writer:
            writer.write_table(data)
        return path


def rows(data: Any) -> list[str]:
    """Rows in an order that does not hang on the order of files; NaN is equal to itself in this form."""
    table = data.read_all() if isinstance(data, pa.RecordBatchReader) else data
    return sorted(map(repr, table.to_pylist()))
