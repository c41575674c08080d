"""A format that is declared in tests only, as generated code and as the oracle reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lakecodec.generator.model import Record
from lakecodec.runtime.errors import DecodeError

from ..compiled import compiled
from .backends import BACKENDS, running
from .compare import differences
from .nodes import Node, Refused
from .reader import Oracle, is_located


class Format:
    """An IDL file, by its path. Attributes: ``module`` is the generated one."""

    def __init__(self, path: Path) -> None:
        self.module: Any = compiled(path)
        self.oracle = Oracle(path)
        #: What is placed with `at` is read when it is asked for.
        self._is_lazy = any(is_located(each) for each in self.oracle.module.definitions if isinstance(each, Record))

    def read(self, name: str, data: bytes) -> Any:
        """The generated record, which is what the oracle reads."""
        return self.read_both(name, data)[0]

    def read_both(
        self, name: str, data: bytes, ours: tuple[Any, ...] = (), nodes: tuple[Any, ...] = ()
    ) -> tuple[Any, Node]:
        """(generated record, the oracle's), which agree; ``ours`` and ``nodes`` are the parameters of each."""
        node = self.oracle.read(name, data, *nodes)
        for backend in reversed(BACKENDS):
            with running(backend):
                found = getattr(self.module, name).from_bytes(data, *ours)
                assert list(differences(found, node)) == []
        return found, node

    def refuses(self, name: str, data: bytes, *numbers: int) -> bool:
        """Whether all refuse the bytes; see `outcome`."""
        return self.outcome(name, data, *numbers) is None

    def outcome(self, name: str, data: bytes, *numbers: int) -> Any:
        """The generated record, None where all refuse the bytes; fails where only some do. Parameters can be numbers."""
        try:
            node: Node | None = self.oracle.read(name, data, *numbers)
        except Refused:
            node = None
        found = None
        for backend in BACKENDS:
            with running(backend):
                found = self._found(name, data, numbers)
                assert (found is None) == (node is None), (name, data, backend, found)
                assert node is None or list(differences(found, node)) == []
        return found

    def _found(self, name: str, data: bytes, numbers: tuple[int, ...]) -> Any:
        try:
            found = getattr(self.module, name).from_bytes(data, *numbers)
            if self._is_lazy:
                found.to_dict()
            return found
        except DecodeError:
            return None

    def check_written(self, name: str, record: Any) -> bytes:
        """The bytes of a record that was read, in which the oracle finds the same."""
        data: bytes = record.to_bytes()
        assert list(differences(record, self.oracle.read(name, data))) == []
        return data
