"""PartitionCodec, which converts the partition values of one table."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ..generated.delta_partition import Writer
from ..runtime.errors import CodecError, DecodeError, EncodeError
from ..runtime.exact import check_type, exact, exact_text
from ..runtime.short import More, ShortRepr, html_table
from ..runtime.suggest import no_such
from .columns import decode_column, encode_column, has_null, segment_column, storage_array
from .paths import encode_uri, segment, split_directory
from .schema import Field, partition_fields, read_schema
from .text.base import Array, pc
from .text_codecs import Options, Profile, SegmentForm, ValueText, check_timezone, segment_form, value_text, writer_of
from .types import PartitionType, to_arrow
from .validation import match_keys, plain_values
from .values import located, python_value, widened

_PREFIX_CHARACTERS = string.ascii_letters + string.digits
_DEFAULT_PREFIX_LENGTH = 2
#: Not an attribute of a codec, which must be picklable.
_SYSTEM_RANDOM = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class PartitionColumn:
    """A partition column: its name in the schema and its key in `partitionValues`, which differ under column mapping."""

    name: str
    key: str
    type: PartitionType
    nullable: bool
    arrow: pa.DataType
    text: ValueText
    form: SegmentForm
    earlier: tuple[tuple[PartitionType, ValueText], ...] = ()


class PartitionCodec(ShortRepr):
    """Converts the partition values of one table to the log's texts, directory names and paths, and back.

    Delta protocol, sections "Add File and Remove File" and "Partition Value Serialization".

    Args:
        schema: the table's schema, a ``pyarrow.Schema`` or the schemaString of a Delta log.
        partition_columns: column names in the table's order; None for a table that is not partitioned.
        profile: "kernel" or "spark": whose form is written if the two differ. Both forms are read.
        timezone: IANA name of the zone of wall times: "spark" writes directories of timestamps in it, and texts without a
            zone are read in it. The profile "kernel" accepts UTC only.
        extended_years: allows years outside 0001-9999, which few readers accept.
        windows: also escapes the characters that Windows forbids in directory names.
        column_mapping: "none", "name" or "id", the table's `delta.columnMapping.mode`; "auto" maps the columns that have a
            physical name in their field's metadata. Mapped columns have physical names as keys.
        random_prefix_length: number of characters of the random directory that replaces Hive directories; 0 for Hive
            directories. Default: 2 with column mapping, else 0.
        rng: source of the random prefixes.

    Raises:
        ValueError, KeyError, TypeError: the arguments describe no valid table; the message names the argument.
    """

    def __init__(
        self,
        schema: pa.Schema | str,
        partition_columns: Sequence[str] | None,
        *,
        profile: Profile = "kernel",
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
        check_type("extended_years", extended_years, bool)
        check_type("windows", windows, bool)
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
        self.columns = tuple(_column(field, column_mapping, options, windows) for field in chosen)
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

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        columns = [More(f"{column.name}: {column.arrow}") for column in self.columns]
        zone = [] if self.timezone == "UTC" else [("timezone", self.timezone)]
        return "PartitionCodec", [("", columns), ("profile", self.profile), *zone]

    def _repr_html_(self) -> str:
        rows = [(each.name, str(each.arrow), "" if each.nullable else "not null", each.key) for each in self.columns]
        return html_table(f"PartitionCodec, profile {self.profile}", rows, ("column", "type", "nulls", "key"))

    def validate(self, values: Mapping[str, object] | None) -> dict[str, object]:
        """Returns the checked values under the schema's names, in the table's order.

        Raises:
            EncodeError: a key is unknown, given twice (case is ignored) or missing; a value is null or empty and the column is
                not nullable; a value is not exactly of the column's type.
        """
        matched = match_keys(values, self.columns)
        plain_values(matched, self.columns)
        return {column.name: matched[column.name] for column in self.columns}

    def serialize(self, values: Mapping[str, object] | None) -> dict[str, str | None]:
        """Returns `add.partitionValues`: a text for each column, None for JSON null.

        Raises:
            EncodeError: as ``validate``.
        """
        matched = match_keys(values, self.columns)
        plain = plain_values(matched, self.columns)
        return {
            column.key: _encode(column, value, matched[column.name], column.text.encode)
            for column, value in zip(self.columns, plain, strict=True)
        }

    def directory(self, values: Mapping[str, object] | None) -> str:
        """Returns the directory of files with these values, relative to the table: `a=1/b=x y`, or a random prefix.

        The result is empty for a table that is not partitioned. Different values may share a directory (null and the text of
        its placeholder, two instants with one wall time), so file names must be unique.

        Raises:
            EncodeError: as ``validate``; a NUL character in the profile "spark"; a directory name longer than 255 bytes.
        """
        matched = match_keys(values, self.columns)
        plain = plain_values(matched, self.columns)
        if self.random_prefix_length:
            rng = self._random or _SYSTEM_RANDOM
            return "".join(rng.choices(_PREFIX_CHARACTERS, k=self.random_prefix_length))
        pairs = zip(self.columns, plain, strict=True)
        return "/".join(self._segment(column, value, matched[column.name]) for column, value in pairs)

    def add_path(self, directory: str, file: str) -> str:
        """Returns the URI-encoded `add.path` of a file in a directory that ``directory`` returned.

        Raises:
            ValueError: ``file`` is empty or has a slash.
        """
        directory, file = exact_text("directory", directory), exact_text("file", file)
        if not file or "/" in file:
            raise ValueError(f"file: {file!r} is not the name of a file")
        return encode_uri(f"{directory}/{file}" if directory else file, profile=self.profile)

    def parse(self, partition_values: Mapping[str, str | None]) -> dict[str, object]:
        """Returns Python values by column name; a missing key, None and the empty text give None.

        Timestamps are aware datetimes in UTC, decimals ``Decimal``, floats rounded to their own width.

        Args:
            partition_values: `add.partitionValues`, by physical name where columns are mapped.

        Raises:
            DecodeError: a text is no value of its column's type, or a key is no partition column.
        """
        check_type("partition_values", partition_values, Mapping)
        known = {column.key for column in self.columns}
        for key in partition_values:
            if key not in known:
                raise DecodeError("the key is not a partition column", format="delta", path=str(key))
        return {column.name: _decode(column, partition_values.get(column.key)) for column in self.columns}

    def parse_directory(self, path: str) -> dict[str, object]:
        """Returns the values in a Hive directory name, for tables without a log; a column without a directory gives None.

        Raises:
            DecodeError: a directory is not of a partition column, or its text is no value of the column's type.
        """
        texts = split_directory(path)
        for name in texts:
            if name not in self._by_name:
                raise DecodeError("the directory is not of a partition column", format="delta", path=name)
        return {column.name: _decode(column, texts.get(column.name)) for column in self.columns}

    def serialize_array(self, name: str, array: pa.Array[Any] | pa.ChunkedArray[Any]) -> pa.StringArray:
        """Returns the log's text of every element of a column; null where ``serialize`` gives None.

        Args:
            name: of a partition column.
            array: values of the column's type; any string, binary or decimal width, any time unit, and dictionaries of them.

        Raises:
            KeyError: ``name`` is no partition column.
            EncodeError: a value cannot be written; the error's path has the row.
        """
        column = self._column(name)
        texts: pa.StringArray = encode_column(self._storage(column, array), column.text, column.name)
        return texts

    def directory_array(self, columns: pa.Table | pa.RecordBatch | Mapping[str, Any]) -> pa.StringArray:
        """Returns the ``directory`` of every row.

        Args:
            columns: at least the partition columns, under the schema's names and of equal length.

        Raises:
            KeyError: a partition column is missing.
            ValueError: the columns differ in length, or the table's directories are random or there are none.
            EncodeError: a value cannot be written; the error's path has the row.
        """
        if self.random_prefix_length:
            raise ValueError("columns: this table's directories are random, they do not depend on values")
        if not self.columns:
            raise ValueError("columns: this table is not partitioned")
        if isinstance(columns, pa.Table | pa.RecordBatch):
            names: Iterable[str] = columns.column_names
        else:
            check_type("columns", columns, Mapping)
            names = columns
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
        """Returns the values of the log's texts of a column, in the schema's Arrow type (microseconds from a schemaString).

        Args:
            name: of a partition column.
            texts: string array of `add.partitionValues`.

        Raises:
            KeyError: ``name`` is no partition column.
            DecodeError: a text is no value of the column's type; the error's path has the row.
        """
        column = self._column(name)
        try:
            values: pa.Array[Any] = decode_column(texts, column.text, column.name, column.arrow)
        except DecodeError:
            if not column.earlier:
                raise
            found = [_decode(column, text) for text in texts.to_pylist()]
            values = pa.array(found, to_arrow(column.type)).cast(column.arrow)
        return values

    def _column(self, name: str) -> PartitionColumn:
        name = exact_text("name", name)
        if name not in self._by_name:
            raise KeyError(f"name: {no_such(name, self._by_name, 'partition column')}")
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
    """Returns the text of a plain value; an error shows the value as it was given."""
    if value is None:
        return None
    try:
        return encode(value)
    except EncodeError as error:
        raise located(error, column.name, given) from None


def _decode(column: PartitionColumn, text: str | None) -> object:
    if text is None:
        return None
    if not isinstance(text, str):
        raise located(DecodeError("a partition value is a string or null"), column.name, text)
    text = exact(text)
    if not text:
        return None
    try:
        return python_value(_plain(column, text), column.type)
    except CodecError as error:
        rule = f"{error.rule} (column of the type {column.type.name})"
        raise located(DecodeError(rule), column.name, text) from None


def _plain(column: PartitionColumn, text: str) -> Any:
    """Returns the plain value of a text in the column's type, or in one of its earlier types."""
    try:
        return column.text.log.decode(text)
    except CodecError:
        for kind, earlier in column.earlier:
            with suppress(CodecError):
                return widened(earlier.log.decode(text), kind, column.type)
        raise


def _column(field: Field, mode: str, options: Options, windows: bool) -> PartitionColumn:
    assert field.type is not None
    if mode in ("name", "id") and field.physical_name is None:
        raise ValueError(f"column_mapping: the column {field.name!r} has no physical name in its metadata")
    return PartitionColumn(
        name=field.name,
        key=field.name if mode == "none" or field.physical_name is None else field.physical_name,
        type=field.type,
        nullable=field.nullable,
        arrow=field.arrow,
        text=value_text(field.type, options),
        form=segment_form(field.name, windows),
        earlier=tuple((kind, value_text(kind, options)) for kind in field.earlier),
    )


def _is_mapped(mode: str, fields: Sequence[Field]) -> bool:
    if mode == "auto":
        return any(field.physical_name is not None for field in fields)
    if mode not in ("none", "name", "id"):
        raise ValueError(f"column_mapping: {mode!r} is not one of 'auto', 'none', 'name', 'id'")
    return mode != "none"
