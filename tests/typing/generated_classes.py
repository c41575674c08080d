"""What a user writes, right and wrong: type checkers must complain about every line that is marked, and no other."""

from __future__ import annotations

from typing import assert_type

from lakecodec.generated.parquet import (
    DecimalType,
    FileMetaData,
    KeyValue,
    LogicalType,
    RowGroup,
    SchemaElement,
    Statistics,
    StringType,
    Type,
)

# ---- what is right ----

key = KeyValue(key="k")
element = SchemaElement(name="a", type=Type.INT32, logicalType=LogicalType.STRING())
meta = FileMetaData(version=2, schema=[element], num_rows=0, row_groups=[], key_value_metadata=[key])
statistics = Statistics()
statistics.max_value = b"z"
meta.num_rows += 1

assert_type(meta, FileMetaData)
assert_type(meta.num_rows, int)
assert_type(meta.row_groups, list[RowGroup])
assert_type(meta.created_by, str | None)
assert_type(statistics.min_value, bytes | None)
assert_type(element.type, Type | int | None)
assert_type(FileMetaData.from_bytes(b""), FileMetaData)
assert_type(FileMetaData.read(b"", 3), tuple[FileMetaData, int])
assert_type(meta.to_bytes(), bytes)
assert_type(LogicalType.STRING(), LogicalType)
assert_type(LogicalType.STRING(StringType()), LogicalType)
assert_type(LogicalType.DECIMAL(DecimalType(scale=2, precision=9)), LogicalType)
assert_type(LogicalType.from_bytes(b"").kind, str | None)

# ---- what is wrong ----

KeyValue()  # type: ignore[call-arg]  # pyright: ignore
KeyValue(key=b"k")  # type: ignore[arg-type]  # pyright: ignore
KeyValue(key="k", valeu="v")  # type: ignore[call-arg]  # pyright: ignore
KeyValue("k")  # type: ignore[call-arg]  # pyright: ignore
FileMetaData(version=2, schema=[element], num_rows=0)  # type: ignore[call-arg]  # pyright: ignore
FileMetaData(version=2, schema=[key], num_rows=0, row_groups=[])  # type: ignore[list-item]  # pyright: ignore
DecimalType(scale=2, precision=None)  # type: ignore[arg-type]  # pyright: ignore
statistics.max_value = "z"  # type: ignore[assignment]  # pyright: ignore
statistics.maximum = b"z"  # type: ignore[attr-defined]  # pyright: ignore
nothing = meta.num_rows.nothing  # type: ignore[attr-defined]  # pyright: ignore
LogicalType.DECIMAL()  # type: ignore[call-arg]  # pyright: ignore
LogicalType.DECIMAL(StringType())  # type: ignore[arg-type]  # pyright: ignore
LogicalType.TEXT()  # type: ignore[attr-defined]  # pyright: ignore
FileMetaData.from_bytes("text", allow_trailing="yes")  # type: ignore[arg-type]  # pyright: ignore
