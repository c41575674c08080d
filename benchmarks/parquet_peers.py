"""Other implementations of Parquet's metadata, as functions of encoded footers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from lakecodec.generated import parquet

IDL = Path(__file__).parents[1] / "lakecodec" / "idl" / "parquet.idl"


@cache
def apache_classes() -> dict[str, type[Any]]:
    """Classes for Apache Thrift's accelerated protocol: what its compiler would generate from our IDL."""
    from thrift.Thrift import TType

    kinds = {
        "bool": TType.BOOL, "i8": TType.BYTE, "i16": TType.I16, "i32": TType.I32, "i64": TType.I64,
        "double": TType.DOUBLE, "binary": TType.STRING, "string": TType.STRING, "enum": TType.I32,
        "struct": TType.STRUCT, "list": TType.LIST,
    }  # fmt: skip
    specs = [spec for spec in parquet.__spec__.values() if spec.kind in ("struct", "union")]
    classes: dict[str, type[Any]] = {
        spec.name: type(spec.name, (), dict.fromkeys([field.name for field in spec.fields])) for spec in specs
    }

    def argument(kind: Any) -> Any:
        if kind.kind == "struct":
            return [classes[kind.cls.__name__], classes[kind.cls.__name__].thrift_spec]
        if kind.kind == "list":
            return (kinds[kind.value.kind], argument(kind.value), False)
        return {"binary": "BINARY", "string": "UTF8"}.get(kind.kind)

    # No type comes before those that it uses.
    for spec in specs:
        fields: list[Any] = [None] * (max((field.id for field in spec.fields), default=-1) + 1)
        for field in spec.fields:
            fields[field.id] = (field.id, kinds[field.type.kind], field.name, argument(field.type), None)
        cls: Any = classes[spec.name]
        cls.thrift_spec = tuple(fields)
    return classes


def apache_decode(data: bytes) -> Any:
    """FileMetaData through thrift's C++ accelerator."""
    from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
    from thrift.transport.TTransport import TMemoryBuffer

    cls = apache_classes()["FileMetaData"]
    value = cls()
    protocol = TCompactProtocolAccelerated(TMemoryBuffer(data), fallback=False)
    protocol._fast_decode(value, protocol, [cls, cls.thrift_spec])
    return value


def apache_encode(value: Any) -> bytes:
    from thrift.protocol.TCompactProtocol import TCompactProtocolAccelerated
    from thrift.transport.TTransport import TMemoryBuffer

    protocol = TCompactProtocolAccelerated(TMemoryBuffer(), fallback=False)
    encoded: bytes = protocol._fast_encode(value, [type(value), value.thrift_spec])
    return encoded


@cache
def thriftpy2_module() -> Any:
    import thriftpy2

    with IDL.open() as file:
        return thriftpy2.load_fp(file, "bench_parquet_thrift")


def thriftpy2_decode(data: bytes) -> Any:
    from thriftpy2.protocol import TCompactProtocol
    from thriftpy2.transport import TMemoryBuffer

    value = thriftpy2_module().FileMetaData()
    value.read(TCompactProtocol(TMemoryBuffer(data)))
    return value


def thriftpy2_encode(value: Any) -> bytes:
    from thriftpy2.protocol import TCompactProtocol
    from thriftpy2.transport import TMemoryBuffer

    buffer = TMemoryBuffer()
    value.write(TCompactProtocol(buffer))
    encoded: bytes = buffer.getvalue()
    return encoded


def fastparquet_decode(data: bytes) -> Any:
    from fastparquet.cencoding import from_buffer

    return from_buffer(data, "FileMetaData")


def pyarrow_decode(file: bytes) -> Any:
    """pyarrow decodes whole files only."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pq.read_metadata(pa.BufferReader(file))


def pyarrow_encode(metadata: Any) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    metadata.write_metadata_file(sink)
    encoded: bytes = sink.getvalue().to_pybytes()
    return encoded


def pyarrow_walk(metadata: Any) -> int:
    """Visits every column chunk's statistics."""
    seen = 0
    for group_number in range(metadata.num_row_groups):
        group = metadata.row_group(group_number)
        for number in range(group.num_columns):
            statistics = group.column(number).statistics
            if statistics is not None:
                seen += statistics.null_count
                _ = statistics.min, statistics.max
    return seen


def pyarrow_rows(path: str) -> list[tuple[Any, ...]]:
    """What `column_chunks` gives, by way of pyarrow's objects."""
    import pyarrow.parquet as pq

    metadata = pq.read_metadata(path)
    rows = []
    for group_number in range(metadata.num_row_groups):
        group = metadata.row_group(group_number)
        for number in range(group.num_columns):
            chunk = group.column(number)
            statistics = chunk.statistics
            rows.append(
                (
                    path,
                    group_number,
                    number,
                    chunk.path_in_schema,
                    chunk.physical_type,
                    chunk.compression,
                    chunk.encodings,
                    chunk.num_values,
                    statistics and statistics.null_count,
                    statistics and statistics.distinct_count,
                    chunk.data_page_offset,
                    chunk.dictionary_page_offset,
                    chunk.total_compressed_size,
                    chunk.total_uncompressed_size,
                    statistics and statistics.min,
                    statistics and statistics.max,
                    chunk.bloom_filter_offset,
                    group.num_rows,
                )
            )
    return rows
