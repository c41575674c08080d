"""A persistent cache of footers: one Arrow file with the encoded FileMetaData of many Parquet files."""

from __future__ import annotations

import os
import threading
import time
import zlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from operator import sub
from typing import TYPE_CHECKING, Any, NamedTuple

from ..runtime.ranges import MemoryReader, RangeReader
from ..runtime.sink import open_sink
from ..runtime.tail_cache import TAIL_SIZE, TailCache
from ..runtime.urls import filesystem_of
from .chunk_places import ChunkPlaces
from .footer import Footer, find_footer
from .metadata import decode_footer
from .searched_column import rest_of
from .sources import UNKNOWN, Source, stamps

if TYPE_CHECKING:
    import pyarrow as pa

    from ..generated.parquet import ColumnChunk, FileMetaData
    from .sources import Stamps

#: The metadata key that marks the Arrow file as a cache.
_KEY, _VERSION = b"lakecodec.footers", b"2"
#: The checksum of all columns except the footers. Each footer has its own checksum.
_CHECKSUM = b"lakecodec.footers.checksum"
#: The columns of `Stamps.numbers`.
_STATE = ("size", "changed", "inode", "modified")
#: A file that changed more recently than this may change again with the same modification time. The first value is for
#: storage with precise times, the second for coarse times.
_UNSETTLED_NS, _UNSETTLED_COARSE_NS = 50_000_000, 2_000_000_000


#: The most files whose column chunk places are kept in memory.
_MOST_PLACES = 256
#: The bytes that the read of a first footer takes, before it is known how long footers are: some 20,000 columns.
_FIRST_READ = 4 << 20


class _Entry(NamedTuple):
    """A footer that was read from a file in a certain state, at an offset. The attributes are the cache's columns."""

    file: str
    size: int
    changed: int
    inode: int
    modified: int
    etag: str
    start: int
    rest: int
    crc: int
    metadata: bytes


class FooterCache:
    """Footers of Parquet files, kept in one file, so that they need not be read again.

    Pass it to `column_chunks`, `statistics` and `row_groups_with`, which use the footers that it has and add those
    that it lacks. An entry is valid for a file of the same name, size, time of change and ETag (of local files: inode
    and
    ``mtime``). Files without a name are not kept, nor those that changed just now. The cache's file is replaced as a whole,
    so that it is complete after any crash; of several processes that write at once, one wins. A file that is damaged or no
    cache is not trusted but replaced.

    One object serves many calls, from several threads too; it reads its file once.

    Args:
        path: local path of the cache's file, which need not exist.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._lock = threading.Lock()
        self._held: _CachedRows | None = None
        #: By file name: the last known state of the file, and the places of its column chunks.
        self._places: dict[str, tuple[tuple[Any, ...], ChunkPlaces]] = {}

    def __repr__(self) -> str:
        return f"FooterCache({self.path!r})"

    def look_up(self, files: Sequence[Source]) -> CachedFooters:
        """Returns the cached footers of files. New footers can be added to the result."""
        with self._lock:
            if self._held is None:
                self._held = _CachedRows.load(self.path)
            return CachedFooters(self, self._held, files)

    def chunks(self, file: Any, columns: Iterable[str], *, filesystem: Any = None) -> list[ColumnChunk]:
        """Returns the column chunks of columns of one file, in the order of row groups, then of ``columns``.

        The place of every column chunk is kept in memory from the first call on, so that later ones decode only what they
        return, however wide the file is. A file that is not in the cache costs one read of its footer.

        Args:
            file: a file as in `read_metadata`; only a file with a name is kept.
            columns: dotted paths of columns; a group stands for all columns below it.
            filesystem: the pyarrow or fsspec file system that ``file`` is a path in.

        Raises:
            KeyError: the file has no column of a name.
            TypeError: ``columns`` is a single str.
            DecodeError: the file is not a valid Parquet file, or it is encrypted.
            OSError: the file cannot be read, or the cache cannot be written.
        """
        if isinstance(columns, str):
            raise TypeError("columns: an iterable of dotted paths is needed, not one str")
        return self._chunk_places(file, filesystem).chunks(columns)

    def metadata(self, file: Any, *, filesystem: Any = None) -> FileMetaData:
        """Returns the footer of one file, from the cache or read once.

        Args:
            file: a file as in `read_metadata`.
            filesystem: the pyarrow or fsspec file system that ``file`` is a path in.

        Raises:
            DecodeError: the file is not a valid Parquet file, or it is encrypted.
            OSError: the file cannot be read, or the cache cannot be written.
        """
        return decode_footer(self._chunk_places(file, filesystem).footer)

    def _chunk_places(self, file: Any, filesystem: Any) -> ChunkPlaces:
        if type(file) is not str and isinstance(file, os.PathLike):
            file = os.fspath(file)
        local = filesystem is None and isinstance(file, str) and "://" not in file
        if local and (kept := self._places.get(file)) is not None:
            state = os.stat(file)
            if kept[0] == (state.st_size, state.st_ctime_ns, state.st_ino, state.st_mtime_ns, ""):
                return kept[1]
        source = Source(file, None, filesystem)
        if isinstance(source.value, str) and filesystem is None and "://" in source.value:
            filesystem, path = filesystem_of(source.value)
            source = Source(path, source.value, filesystem)
        name = file if local else _key(source)
        kept = None if local or name is None else self._places.get(name)
        if kept is not None and kept[0] == _state_of(stamps([source])):
            return kept[1]
        found = self.look_up([source])
        if len(found):
            places = ChunkPlaces(found.footer(0))
        else:
            with source.open() as ranges:
                places = ChunkPlaces(find_footer(found.tail(ranges)))
            found.add(0, places.footer.metadata, places.footer.start)
            found.save()
        state_of = _state_of(found._stamps)
        if name is not None and state_of[-1] is not None and _is_time_unique(state_of[1], time.time_ns()):
            with self._lock:
                self._places.pop(name, None)
                self._places[name] = state_of, places
                while len(self._places) > _MOST_PLACES:
                    del self._places[next(iter(self._places))]
        return places

    def _add(self, entries: list[_Entry]) -> None:
        """Replaces the cache's file by one with more entries."""
        with self._lock:
            self._held = _CachedRows.load(self.path).with_entries(entries)
            self._held.write(self.path)


class CachedFooters:
    """The footers of some files, as far as a cache has them, and those to be added to it."""

    def __init__(self, cache: FooterCache, held: _CachedRows, files: Sequence[Source]) -> None:
        self._cache = cache
        self._held = held
        self._files = files
        self._keys = [_key(file) for file in files]
        self._stamps = stamps(files)
        self._rows, self._metadata = held.find(self._keys, self._stamps)
        self._added: list[_Entry] = []
        self._now = time.time_ns()

    def __len__(self) -> int:
        """Returns the number of files whose footers are cached."""
        return len(self._rows) - self._rows.count(None)

    def metadata(self, number: int) -> memoryview | None:
        """Returns the encoded FileMetaData of a file, None if it is not there."""
        return self._metadata[number]

    def rest(self, number: int) -> int:
        """Returns the offset of what follows a footer's row groups (`rest_of`), 0 if it is not known."""
        row = self._rows[number]
        return 0 if row is None else self._held.rests[row]

    def footer(self, number: int) -> Footer:
        """Returns the footer of a file that is there; the file is opened when other parts of it are read."""
        file, row = self._files[number], self._rows[number]
        assert row is not None

        def fetch(offset: int, length: int) -> Any:
            with file.open() as ranges:
                return ranges.read(offset, length)

        ranges = RangeReader(file.name or "", self._held.sizes[row], fetch, _nothing)
        return Footer(self._held.metadata(row), self._held.starts[row], TailCache(ranges, tail=memoryview(b"")))

    def tail(self, ranges: RangeReader) -> TailCache | MemoryReader:
        """Returns the end of a file that is not there, in one read if its footer is about as long as those that are."""
        return ranges if isinstance(ranges, MemoryReader) else TailCache(ranges, self._held.longest or _FIRST_READ)

    def add(self, number: int, metadata: Any, start: int) -> None:
        """Adds a footer that was read after the lookup; `save` writes it."""
        key, etag = self._keys[number], self._stamps.etags[number]
        state = self._stamps.numbers[number].tolist()
        if key is not None and etag is not None and _is_time_unique(state[1], self._now):
            encoded = bytes(metadata)
            read = etag, start, rest_of(encoded), zlib.crc32(encoded), encoded
            self._added.append(_Entry._make([key, *state, *read]))

    def save(self) -> None:
        """Writes the footers that were noted."""
        if self._added:
            self._cache._add(self._added)
            self._added = []


class _CachedRows:
    """The rows of a cache's file."""

    def __init__(self, table: pa.Table) -> None:
        import numpy as np

        self.table = table
        self._numbers = np.stack([table[name].to_numpy() for name in _STATE], 1)
        names = ("file", "etag", "size", "start", "rest", "crc")
        self._keys, self._etags, self.sizes, self.starts, self.rests, self._crcs = (
            table[name].to_pylist() if table.schema.field(name).type == "string" else table[name].to_numpy().tolist()
            for name in names
        )
        self._rows = dict(zip(self._keys, range(len(self._keys)), strict=True))
        chunk = table["metadata"].combine_chunks()
        _, offsets, data = chunk.buffers()
        self._offsets = memoryview(offsets or b"").cast("q")[chunk.offset :].tolist() if len(chunk) else [0]
        self._data = memoryview(data or b"").cast("B")

    @classmethod
    def load(cls, path: str) -> _CachedRows:
        """Returns the rows of a file, none if it does not exist or is no sound cache."""
        import pyarrow as pa

        try:
            with pa.memory_map(path) as file, pa.ipc.open_file(file) as reader:
                schema = reader.schema
                if schema.equals(_schema()) and reader.num_record_batches <= 1:
                    table = reader.read_all()
                    table.validate(full=True)
                    known = {_KEY: _VERSION, _CHECKSUM: _checksum(table)}
                    if schema.metadata == known and not any(column.null_count for column in table.columns):
                        return cls(table)
        except (OSError, ValueError, pa.ArrowException):
            pass
        return cls(_schema().empty_table())

    def find(self, keys: list[str | None], wanted: Stamps) -> tuple[list[int | None], list[memoryview | None]]:
        """Returns the row of each file and its footer, None if the cache has none of the file's state."""
        import numpy as np

        rows = np.array([self._rows.get(key, -1) for key in keys], np.int64)
        known = np.flatnonzero(rows >= 0)
        same = known[(self._numbers[rows[known]] == wanted.numbers[known]).all(1)]
        found: list[int | None] = [None] * len(keys)
        footers: list[memoryview | None] = [None] * len(keys)
        for number, row in zip(same.tolist(), rows[same].tolist(), strict=True):
            footer = self.metadata(row)
            if wanted.etags[number] == self._etags[row] and zlib.crc32(footer) == self._crcs[row]:
                found[number], footers[number] = row, footer
        return found, footers

    @cached_property
    def longest(self) -> int:
        """The bytes at the end of a file that the longest footer takes, and some more; 0 without footers."""
        found = max(map(sub, self.sizes, self.starts), default=0)
        return found and max(TAIL_SIZE, found + found // 4)

    def metadata(self, row: int) -> memoryview:
        return self._data[self._offsets[row] : self._offsets[row + 1]]

    def with_entries(self, entries: list[_Entry]) -> _CachedRows:
        """Returns these rows with others added, which replace those of the same files."""
        import pyarrow as pa

        added = {entry.file: entry._asdict() for entry in entries}
        kept = [
            row
            for row, key in enumerate(self._keys)
            if key not in added and zlib.crc32(self.metadata(row)) == self._crcs[row]
        ]
        new = pa.Table.from_pylist(list(added.values()), _schema())
        table = self.table.replace_schema_metadata(None).take(pa.array(kept, pa.int64()))
        return _CachedRows(pa.concat_tables([table, new]).combine_chunks())

    def write(self, path: str) -> None:
        """Replaces a file by one with these rows.

        Raises:
            OSError: the file cannot be written.
        """
        import pyarrow as pa

        sink = open_sink(path, argument="cache", sync=True)
        try:
            buffer = pa.BufferOutputStream()
            table = self.table.replace_schema_metadata({_KEY: _VERSION, _CHECKSUM: _checksum(self.table)})
            with pa.ipc.new_file(buffer, table.schema) as writer:
                writer.write_table(table)
            sink.write(buffer.getvalue())
            sink.commit()
        except BaseException:
            sink.abort()
            raise


def _schema() -> pa.Schema:
    import pyarrow as pa

    fields = [
        ("file", pa.string()), *((name, pa.int64()) for name in _STATE), ("etag", pa.string()), ("start", pa.int64()),
        ("rest", pa.int64()), ("crc", pa.uint32()), ("metadata", pa.large_binary()),
    ]  # fmt: skip
    return pa.schema(fields)


def _checksum(table: pa.Table) -> bytes:
    """Returns the checksum of all columns but the footers."""
    batches = table.drop_columns(["metadata"]).replace_schema_metadata(None).combine_chunks().to_batches()
    return b"%08x" % zlib.crc32(b"".join([batch.serialize() for batch in batches]))


def _state_of(found: Stamps) -> tuple[Any, ...]:
    """Returns the state of the first file, its ETag last."""
    return *found.numbers[0].tolist(), found.etags[0]


def _key(file: Source) -> str | None:
    """Returns a file's key in the cache: its absolute path or URL; None for a file without a name."""
    if not isinstance(file.value, str):
        return None
    if file.filesystem is None:
        return file.value if file.value[:1] == os.sep else os.path.abspath(file.value)
    protocol = getattr(file.filesystem, "type_name", None) or getattr(file.filesystem, "protocol", "")
    return f"{protocol}:{file.value}"


def _is_time_unique(changed: int, now: int) -> bool:
    """Returns True if another change of a file would have another time than ``changed``."""
    if changed == UNKNOWN:
        return True
    return changed < now - (_UNSETTLED_NS if changed % 1_000_000 else _UNSETTLED_COARSE_NS)


def _nothing() -> None:
    pass
