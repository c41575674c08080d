"""Writers of CSV and JSON lines files."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.csv as pc

from .json_values import check_type, in_base64, is_binary, is_text, json_values, plain, plain_type
from .options import TargetOptions

_types = pa.types


class CsvTarget:
    """Writer of a CSV file in UTF-8 with a header; text is quoted, null is empty, binary values are text in base64."""

    def __init__(self, path: str, schema: pa.Schema, options: TargetOptions) -> None:
        self._schema = pa.schema([(field.name, _csv_type(field.type)) for field in schema])
        self._writer = pc.CSVWriter(path, self._schema)

    def write(self, batch: pa.RecordBatch) -> None:
        columns = [_csv_values(column, field.type) for column, field in zip(batch.columns, self._schema, strict=True)]
        self._writer.write_batch(pa.record_batch(columns, schema=self._schema))

    def close(self) -> None:
        self._writer.close()

    def abort(self) -> None:
        self._writer.close()


class JsonLinesTarget:
    """Writer of a JSON lines file in UTF-8, one object per row; values are converted by `json_values`."""

    def __init__(self, path: str, schema: pa.Schema, options: TargetOptions) -> None:
        self._names = schema.names
        self._encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
        self._file = open(path, "w", encoding="utf-8", newline="\n")  # noqa: SIM115 -- close and abort close it

    def write(self, batch: pa.RecordBatch) -> None:
        encode, names = self._encode, self._names
        for row in zip(*map(json_values, batch.columns), strict=True):
            self._file.write(encode(dict(zip(names, row, strict=True))))
            self._file.write("\n")

    def close(self) -> None:
        self._file.close()

    def abort(self) -> None:
        self._file.close()


def check_csv_field(field: pa.Field) -> None:
    """Raises ValueError if CSV cannot store a column: nested and run-end encoded values, and intervals."""
    type = plain_type(field.type)
    if _types.is_nested(type) or _types.is_run_end_encoded(type) or _types.is_interval(type):
        raise ValueError(f"CSV has no type for {type}")


def check_json_field(field: pa.Field) -> None:
    """Raises ValueError if JSON cannot store a column, as `check_type` does."""
    check_type(field.type)


def _csv_type(type: pa.DataType) -> pa.DataType:
    """Returns the type that a column is cast to for pyarrow's CSV writer."""
    type = plain_type(type)
    if is_text(type) or is_binary(type):
        return pa.string()
    return pa.float32() if _types.is_float16(type) else type


def _csv_values(array: pa.Array, type: pa.DataType) -> pa.Array:
    """Returns a column in the type of `_csv_type`."""
    array = plain(array)
    return in_base64(array) if is_binary(array.type) else array.cast(type)
