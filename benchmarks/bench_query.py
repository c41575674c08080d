"""Queries over Parquet footers beside the declared table, and streams beside whole buffers, by CPU time."""

from __future__ import annotations

import collections
import io
import tempfile
import time
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import lakecodec
from lakecodec import compile_idl, parquet
from lakecodec.generated.parquet import FileMetaData

from .bench_parquet import file_of
from .bench_records import samples
from .harness import Result, compare

_LOOPS = "rg, i in row_groups, cc, j in rg.columns"
_COLUMNS = (
    "file = source(), row_group = i, column = j, path = join(cc.meta_data.path_in_schema, '.'), "
    "codec = name_of(cc.meta_data.codec), num_values = cc.meta_data.num_values, "
    "total_compressed_size = cc.meta_data.total_compressed_size"
)
#: Columns of a file.
_WIDTH = 100


def run(quick: bool) -> list[Result]:
    """500 files and lists of 200,000 records; ``quick`` takes a tenth."""
    files, records, repeat = (50, 20_000, 3) if quick else (500, 200_000, 5)
    return _queries(files, repeat) + _streams(records, repeat) + _structs(files // 10, repeat)


def _queries(count: int, repeat: int) -> list[Result]:
    file = file_of(columns=_WIDTH, row_groups=1)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            (Path(folder) / f"{number:04}.parquet").write_bytes(file)
        fields = [each.partition(" =")[0].strip() for each in _COLUMNS.split(", ") if "=" in each]

        def asked() -> Any:
            return lakecodec.query(folder, over=_LOOPS, select=_COLUMNS)

        def declared() -> Any:
            return parquet.column_chunks(folder, fields=fields)

        assert asked().to_pylist() == declared().to_pylist()
        return compare(
            f"query of {count} footers of {_WIDTH} columns",
            {"lakecodec": asked, "the declared table": declared},
            bars={"the declared table": 1.1},
            repeat=repeat,
            clock=time.process_time,
        )


def _streams(count: int, repeat: int) -> list[Result]:
    idl = compile_idl(Path(__file__).with_name("records.idl"))
    results = []
    for name, _, data in samples(idl, count):
        holder = getattr(idl, name.capitalize())
        items = holder.from_bytes(data).items
        cls, elements = type(items[0]), b"".join(each.to_bytes() for each in items)
        assert list(cls.stream(io.BytesIO(elements))) == items

        look = attrgetter(cls.__slots__[0])

        def pushed(cls: Any = cls, data: bytes = elements, look: Any = look) -> None:
            feeder = cls.feeder()
            for part in _parts(data):
                _each(map(look, feeder.feed(part)))
            feeder.finish()

        def cut(cls: Any = holder, data: bytes = data, look: Any = look) -> None:
            feeder = cls.feeder()
            for part in _parts(data, 4096):
                for value in feeder.feed(part):
                    _each(map(look, value.items))
            feeder.finish()

        def pulled(cls: Any = cls, data: bytes = elements, look: Any = look) -> None:
            _each(map(look, cls.stream(io.BytesIO(data))))

        def whole(cls: Any = holder, data: bytes = data, look: Any = look) -> None:
            _each(map(look, cls.from_bytes(data).items))

        for how, function in (("stream", pulled), ("feeder", pushed), ("one value in parts of 4 kB", cut)):
            results += compare(
                f"{how} of {name}, a field looked at",
                {"lakecodec": function, "the whole buffer": whole},
                bars={"the whole buffer": 2.0},
                repeat=repeat,
                clock=time.process_time,
            )
    return results


def _structs(count: int, repeat: int) -> list[Result]:
    file = file_of(columns=_WIDTH, row_groups=10)
    footer = file[-8 - int.from_bytes(file[-8:-4], "little") : -8]
    data = footer * count

    def look(value: FileMetaData) -> None:
        _each(chunk.file_offset for group in value.row_groups for chunk in group.columns)

    def pushed() -> None:
        feeder = FileMetaData.feeder()
        for part in _parts(data, 4096):
            _each(map(look, feeder.feed(part)))
        feeder.finish()

    def whole() -> None:
        pos = 0
        while pos < len(data):
            value, pos = FileMetaData.read(data, pos)
            look(value)

    return compare(
        f"{count} Parquet footers in parts of 4 kB, a field of each chunk looked at",
        {"lakecodec": pushed, "the whole buffer": whole},
        bars={"the whole buffer": 2.0},
        repeat=repeat,
        clock=time.process_time,
    )


def _each(values: Iterator[Any]) -> None:
    collections.deque(values, maxlen=0)


def _parts(data: bytes, size: int = 65536) -> Iterator[bytes]:
    """Yields bytes as a socket gives them."""
    return (data[at : at + size] for at in range(0, len(data), size))
