"""Footers of a table's data files, stored in one file beside them, so that a scan reads only rows."""

from __future__ import annotations

import logging
import zlib
from threading import Lock
from typing import Any, NamedTuple

import pyarrow as pa

from ..log.storage import Storage

#: The name's underscore hides the file from readers and vacuum.
NAME = "_footers.arrow"
_LOGGER = logging.getLogger(__name__)
_SCHEMA = pa.schema(
    {"file": pa.string(), "size": pa.int64(), "start": pa.int64(), "crc": pa.uint32(), "metadata": pa.large_binary()},
    metadata={b"lakecodec.table.footers": b"1"},
)


class KeptFooter(NamedTuple):
    """A footer: the size of its file, the offset of its first byte, and its bytes.

    Of a Parquet file these are the encoded FileMetaData, of a Mosaic file all from the schema block on.
    """

    size: int
    start: int
    metadata: Any


class TableFooters:
    """The footers of a table's files, read from the table's directory on the first lookup.

    A data file is never written twice, so that path and size identify its footer. Damaged content is not
    trusted but read again. Safe to use from several threads; if several processes save at once, one wins.

    Args:
        storage: the table's directory.
        most: number of files of the table; at most twice as many footers are stored.
    """

    def __init__(self, storage: Storage, most: int) -> None:
        self._storage, self._most = storage, 2 * most
        self._lock = Lock()
        self._held: dict[str, KeptFooter] | None = None
        self._added = False

    def find(self, path: str, size: int | None) -> KeptFooter | None:
        """Returns the footer of the file at a path in the file system; None if it is not stored."""
        with self._lock:
            if self._held is None:
                self._held = self._load()
            found = self._held.get(self._key(path))
        return None if found is None or found.size != size else found

    def add(self, path: str, footer: KeptFooter) -> None:
        """Adds a footer that was read after `find` returned None."""
        with self._lock:
            assert self._held is not None
            self._held[self._key(path)] = footer._replace(metadata=bytes(footer.metadata))
            self._added = True

    def save(self) -> None:
        """Writes the footers if some were added; a failure is only logged, since the rows were read."""
        with self._lock:
            if not self._added or self._held is None:
                return
            rows = [(name, kept.size, kept.start, _crc(name, kept), kept.metadata) for name, kept in self._held.items()]
            self._added = False
        columns = zip(*rows[-self._most :], strict=True)
        table = pa.table(
            [pa.array(values, field.type) for values, field in zip(columns, _SCHEMA, strict=True)], _SCHEMA
        )
        sink = pa.BufferOutputStream()
        with pa.ipc.new_file(sink, _SCHEMA) as writer:
            writer.write_table(table)
        try:
            self._storage.replace(NAME, sink.getvalue().to_pybytes())
        except OSError as error:
            _LOGGER.warning("the footers of %s are not kept: %s", self._storage.name, error)

    def _load(self) -> dict[str, KeptFooter]:
        try:
            with pa.ipc.open_file(pa.BufferReader(self._storage.read(NAME))) as reader:
                if not reader.schema.equals(_SCHEMA, check_metadata=True):
                    return {}
                table = reader.read_all()
                table.validate(full=True)
        except FileNotFoundError:
            return {}
        except (ValueError, OSError, pa.ArrowException) as error:
            _LOGGER.warning("the footers kept beside %s are read anew: %s", self._storage.name, error)
            return {}
        names, sizes, starts, crcs, encoded = (column.to_pylist() for column in table.columns)
        found = {
            name: KeptFooter(*kept)
            for name, *kept in zip(names, sizes, starts, encoded, strict=True)
            if None not in kept
        }
        sound = dict(zip(names, crcs, strict=True))
        return {name: kept for name, kept in found.items() if _crc(name, kept) == sound[name]}

    def _key(self, path: str) -> str:
        return path.removeprefix(self._storage.root.rstrip("/") + "/")


def _crc(name: str, kept: KeptFooter) -> int:
    return zlib.crc32(kept.metadata, zlib.crc32(f"{name}\n{kept.size}\n{kept.start}\n".encode()))
