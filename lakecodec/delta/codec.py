"""PartitionCodec: the partition values of one table."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ..generated.delta_partition import Writer
from ..runtime.errors import CodecError, DecodeError, EncodeError
from .columns import decode_column, encode_column, has_null, segment_column, storage_array
from .paths import encode_uri, segment, split_directory
from .schema import Field, partition_fields, read_schema
from .text.arrow import Array, pc
from .text_codecs import Options, SegmentForm, ValueText, check_timezone, segment_form, value_text, writer_of
from .types import PartitionType
from .validation import match_keys, plain_values
from .values import located, python_value

_PREFIX_CHARACTERS = string.ascii_letters + string.digits
_DEFAULT_PREFIX_LENGTH = 2
#: Not kept in a codec, which must be picklable.
_SYSTEM_RANDOM = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class PartitionColumn:
    """One partition column: ``name`` as the schema spells it, ``key`` as `partitionValues` does."""

    name: str
    key: str
    type: PartitionType
    nullable: bool
    arrow: pa.DataType
    text: ValueText
    form: SegmentForm


class PartitionCodec:
    """Typed values of a table's partition columns, their texts in the log, and the directories and paths of its files.

    Args:
        schema: the table's schema, a ``pyarrow.Schema`` or the schemaString of a Delta log.
        partition_columns: names in the table's order; None for a table that is not partitioned.
        profile: "kernel" or "spark": which writer's form is written where they differ. Both are read.
        timezone: the zone of wall times, which is where "spark" directories of timestamps are written and where texts
            without a zone are read. The profile "kernel" knows UTC only.
        extended_years: allows years outside 0001-9999, which few readers take back.
        windows: escapes the characters as well that Windows forbids in directory names.
        column_mapping: "none", "name" or "id" as the table's `delta.columnMapping.mode`; "auto" maps when every partition
            column has a physical name in its field's metadata. Mapped tables have physical names as keys.
        random_prefix_length: characters of the random directory that stands in place of Hive's, 0 for Hive directories;
            by default 2 with column mapping and 0 without.
        rng: where the random prefixes come from.

    Raises ValueError, KeyError or TypeError that name the argument, for a definition no table can have.
    """

    def __init__(
        self,
        schema: pa.Schema | str,
        partition_columns: Sequence[str] | None,
        *,
        profile: str = "kernel",
        timezone: str = "UTC",
        extended_years: bool = False,
        windows: bool = False,
        column_mapping: str = "auto",
        random_prefix_length: int | None = None,
        rng: random.Random | None = None,
    ) -> None:
        self.profile = profile
        self.timezone = timezone
        writer = writer_of(profile)
        if writer is Writer.KERNEL and timezone != "UTC":
            raise ValueError(f"timezone: {timezone!r}, but the profile 'kernel' reads and writes UTC only")
        check_timezone(timezone)
        fields = read_schema(schema)
        chosen = (
            ()
            if partition_columns is None
            else partition_fields(fields, partition_columns, fold_case=writer is Writer.SPARK)
        )
        mapped = _is_mapped(column_mapping, chosen)
        options = Options(writer, extended_years, timezone)
        self.columns = tuple(_column(field, mapped, options, windows) for field in chosen)
        if random_prefix_length is None:
            random_prefix_length = _DEFAULT_PREFIX_LENGTH if mapped else 0
        if (
            isinstance(random_prefix_length, bool)
            or not isinstance(random_prefix_length, int)
            or random_prefix_length < 0
        ):
            raise ValueError(f"random_prefix_length: a count of characters is needed, not {random_prefix_length!r}")
        self.random_prefix_length = random_prefix_length
        self._random = rng
        self._by_name = {column.name: column for column in self.columns}

    def validate(self, values: Mapping[str, object] | None) -> dict[str, object]:
        """``values`` under the schema's names, in the table's order.

        EncodeError for keys that are unknown, there twice (without regard to case) or missing, for a null, empty text or
        empty bytes where the column is not nullable, and for a value that is not exactly of the column's type.
        """
        matched = match_keys(values, self.columns)
        plain_values(matched, self.columns)
        return {column.name: matched[column.name] for column in self.columns}

    def serialize(self, values: Mapping[str, object] | None) -> dict[str, str | None]:
        """The log's `partitionValues`; None is JSON null. Validates first."""
        matched = match_keys(values, self.columns)
        plain = plain_values(matched, self.columns)
        return {
            column.key: _encode(column, value, matched[column.name], column.text.encode)
            for column, value in zip(self.columns, plain, strict=True)
        }

    def directory(self, values: Mapping[str, object] | None) -> str:
        """The directory of the files with these values, relative to the table: `a=1/b=x y`, or a random prefix.

        Empty for a table that is not partitioned. Different values may share a directory (null and the text that stands for
        it, two instants of one wall time); the log tells them apart, and file names must be unique. EncodeError for NUL in
        the profile "spark" and for a name of more than 255 bytes.
        """
        matched = match_keys(values, self.columns)
        plain = plain_values(matched, self.columns)
        if self.random_prefix_length:
            rng = self._random or _SYSTEM_RANDOM
            return "".join(rng.choices(_PREFIX_CHARACTERS, k=self.random_prefix_length))
        pairs = zip(self.columns, plain, strict=True)
        return "/".join(self._segment(column, value, matched[column.name]) for column, value in pairs)

    def add_path(self, directory: str, file: str) -> str:
        """The log's `add.path` of a file in a directory that ``directory`` returned."""
        if not file or "/" in file:
            raise ValueError(f"file: {file!r} is not the name of a file")
        return encode_uri(f"{directory}/{file}" if directory else file, profile=self.profile)

    def parse(self, partition_values: Mapping[str, str | None]) -> dict[str, object]:
        """The values of the log's `partitionValues` by column name; a missing key, None and the empty text are None.

        Timestamps are aware datetimes in UTC. DecodeError, with the column and the text, for a text that is no value of the
        column's type and for a key that is no partition column.
        """
        known = {column.key for column in self.columns}
        for key in partition_values:
            if key not in known:
                raise DecodeError("the key is not a partition column", format="delta", path=str(key))
        return {column.name: _decode(column, partition_values.get(column.key)) for column in self.columns}

    def parse_directory(self, path: str) -> dict[str, object]:
        """The values that a Hive directory says, for tables without a log; a column without a directory is None."""
        texts = split_directory(path)
        for name in texts:
            if name not in self._by_name:
                raise DecodeError("the directory is not of a partition column", format="delta", path=name)
        return {column.name: _decode(column, texts.get(column.name)) for column in self.columns}

    def serialize_array(self, name: str, array: pa.Array[Any] | pa.ChunkedArray[Any]) -> pa.StringArray:
        """The log's texts of a whole column; null where ``serialize`` gives None.

        The array's type must be that of the column (any string, binary or decimal width, any unit of time, and dictionaries
        of them). KeyError for an unknown column; EncodeError names the row in its path.
        """
        column = self._column(name)
        texts: pa.StringArray = encode_column(self._storage(column, array), column.text, column.name)
        return texts

    def directory_array(self, columns: pa.Table | pa.RecordBatch | Mapping[str, Any]) -> pa.StringArray:
        """``directory`` for every row; ``columns`` has at least the partition columns, under the schema's names.

        ValueError for a table with random prefixes: its rows have no directory of their own.
        """
        if self.random_prefix_length:
            raise ValueError("columns: this table's directories are random, they do not depend on values")
        if not self.columns:
            raise ValueError("columns: this table is not partitioned")
        names = columns.column_names if isinstance(columns, pa.Table | pa.RecordBatch) else columns
        parts = []
        for column in self.columns:
            if column.name not in names:
                raise KeyError(f"columns: the partition column {column.name!r} is missing")
            storage = self._storage(column, columns[column.name])
            parts.append(segment_column(storage, column.text, column.name, column.form))
        if len({len(part) for part in parts}) > 1:
            raise ValueError("columns: the partition columns have different lengths")
        joined: pa.StringArray = parts[0] if len(parts) == 1 else pc.binary_join_element_wise(*parts, "/")
        return joined

    def parse_array(self, name: str, texts: pa.Array[Any] | pa.ChunkedArray[Any]) -> pa.Array[Any]:
        """The values of a whole column of the log's texts, in the schema's Arrow type (microseconds from a schemaString).

        KeyError for an unknown column; DecodeError names the row in its path.
        """
        column = self._column(name)
        values: pa.Array[Any] = decode_column(texts, column.text, column.name, column.arrow)
        return values

    def _column(self, name: str) -> PartitionColumn:
        if name not in self._by_name:
            raise KeyError(f"name: {name!r} is not a partition column")
        return self._by_name[name]

    def _storage(self, column: PartitionColumn, array: Array) -> Array:
        storage = storage_array(array, column.type, column.name)
        row = None if column.nullable else has_null(storage, column.text)
        if row is not None:
            rule = "the column is not nullable, the value is null or empty"
            raise EncodeError(rule, format="delta", path=f"{column.name}[{row}]")
        return storage

    def _segment(self, column: PartitionColumn, value: Any, given: object) -> str:
        text = _encode(column, value, given, column.text.encode_directory)
        try:
            return segment(column.form, text)
        except EncodeError as error:
            raise located(error, column.name, given) from None


def _encode(column: PartitionColumn, value: Any, given: object, encode: Callable[[Any], str | None]) -> str | None:
    """The text of a plain value; errors show it as it was given."""
    if value is None:
        return None
    try:
        return encode(value)
    except EncodeError as error:
        raise located(error, column.name, given) from None


def _decode(column: PartitionColumn, text: str | None) -> object:
    if text is None or text == "":
        return None
    if not isinstance(text, str):
        raise located(DecodeError("a partition value is a string or null"), column.name, text)
    try:
        return python_value(column.text.log.decode(text), column.type)
    except CodecError as error:
        rule = f"{error.rule} (column of the type {column.type.name})"
        raise located(DecodeError(rule), column.name, text) from None


def _column(field: Field, mapped: bool, options: Options, windows: bool) -> PartitionColumn:
    assert field.type is not None
    if mapped and field.physical_name is None:
        raise ValueError(f"column_mapping: the column {field.name!r} has no physical name in its metadata")
    return PartitionColumn(
        name=field.name,
        key=field.physical_name if mapped and field.physical_name is not None else field.name,
        type=field.type,
        nullable=field.nullable,
        arrow=field.arrow,
        text=value_text(field.type, options),
        form=segment_form(field.name, windows),
    )


def _is_mapped(mode: str, fields: Sequence[Field]) -> bool:
    if mode == "auto":
        return bool(fields) and all(field.physical_name is not None for field in fields)
    if mode not in ("none", "name", "id"):
        raise ValueError(f"column_mapping: {mode!r} is none of 'auto', 'none', 'name', 'id'")
    return mode != "none"
