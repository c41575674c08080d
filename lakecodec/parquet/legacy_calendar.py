"""Dates and times that Spark stored in its legacy calendar: Julian up to 1582-10-04, Gregorian from 1582-10-15 on.

Spark 2, and later versions in the mode LEGACY, store the days of that calendar; Arrow, Delta and Spark's own values are
those of the Gregorian calendar at all times. Keys in a file's footer tell which of the two a file has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..generated.parquet import FileMetaData
from ..runtime.arrow_nested import as_type
from ..runtime.errors import DecodeError

#: 1582-10-15 in days since 1970. From this day on both calendars agree.
FIRST_DAY = -141427
#: 1900-01-01 in microseconds since 1970. From then on legacy time zones have today's offsets.
FIRST_MICROSECOND = -2_208_988_800_000_000

_SPARK = "org.apache.spark"
_UTC = frozenset({"UTC", "Etc/UTC", "Z", "GMT", "Etc/GMT", "+00:00", "Etc/UCT", "UCT", "Zulu"})
_SECOND = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
#: The days from 0000-03-01 of the Julian calendar to 1970-01-01, and the days of four of its years.
_EPOCH, _FOUR_YEARS = 719_470, 1461


@dataclass(frozen=True)
class LegacyCalendar:
    """The parts of a file that are in the legacy calendar.

    Attributes:
        file: path that errors name.
        plain: whether dates and times are, but for those stored as INT96.
        int96: whether times stored as INT96 are.
        zone: name of the time zone in which times were taken apart; None where the file does not tell.
    """

    file: str
    plain: bool
    int96: bool
    zone: str | None

    @classmethod
    def of(cls, pairs: Mapping[str, str | None], file: str) -> LegacyCalendar | None:
        """Returns the calendar named by a footer's key-value metadata; None for the Gregorian one."""
        version = pairs.get(f"{_SPARK}.version")
        if version is None:  # Spark's default for such files
            return None
        plain = version < "3.0.0" or f"{_SPARK}.legacyDateTime" in pairs
        int96 = version < "3.1.0" or f"{_SPARK}.legacyINT96" in pairs
        return cls(file, plain, int96, pairs.get(f"{_SPARK}.timeZone")) if plain or int96 else None

    @classmethod
    def of_footer(cls, footer: FileMetaData, file: str = "") -> LegacyCalendar | None:
        """Returns the calendar of a footer that our codec read, see `of`."""
        return cls.of({pair.key: pair.value for pair in footer.key_value_metadata or ()}, file)

    @classmethod
    def of_arrow(cls, metadata: Any, file: str) -> LegacyCalendar | None:
        """Returns the calendar of a pyarrow.parquet.FileMetaData, see `of`."""
        pairs = {
            key.decode(errors="replace"): text.decode(errors="replace")
            for key, text in (metadata.metadata or {}).items()
            if key.startswith(_SPARK.encode())
        }
        return cls.of(pairs, file)

    def as_type(self, array: Any, kind: pa.DataType) -> Any:
        """Returns ``array`` of a file, at any depth, in the Gregorian calendar and cast to the type ``kind``.

        Times without a zone that become times with one are taken for INT96, which have none in Arrow.

        Raises:
            DecodeError: times before 1900 were taken apart in a time zone whose legacy offsets only Spark knows.
            pa.ArrowInvalid, pa.ArrowNotImplementedError: as `arrow_nested.as_type`.
        """
        return as_type(array, kind, self.leaf)

    def batch(self, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
        """Returns a batch of a file in the Gregorian calendar, its columns cast to their types in ``schema``, see `as_type`."""
        fields = [schema.field(name) for name in batch.schema.names]
        arrays = [self.as_type(array, field.type) for array, field in zip(batch.columns, fields, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))

    def leaf(self, array: Any, kind: pa.DataType) -> Any:
        """Returns values that are no structs, lists or maps as `as_type` does."""
        if pa.types.is_date32(array.type) and self.plain:
            array = self._changed(array, pa.int32(), FIRST_DAY, gregorian_days)
        elif pa.types.is_timestamp(array.type) and getattr(kind, "tz", None) and self._is_legacy_time(array.type):
            second = _SECOND[array.type.unit]
            array = self._changed(array, pa.int64(), FIRST_MICROSECOND * second // 1_000_000, self._times(second))
        return array.cast(kind)

    def _is_legacy_time(self, kind: Any) -> bool:
        return self.int96 if kind.tz is None else self.plain

    def _times(self, second: int) -> Any:
        day = 86_400 * second

        def changed(values: Any) -> Any:
            if self.zone not in _UTC:
                rule = (
                    f"times before 1900 are in Spark's legacy calendar and the time zone {self.zone or 'of its writer'}, "
                    f"which only Spark converts: read the file by Spark and write it again"
                )
                raise DecodeError(rule, format="parquet", path=self.file)
            days = np.floor_divide(values, day)
            return np.where(days < FIRST_DAY, values + (gregorian_days(days) - days) * day, values)

        return changed

    @staticmethod
    def _changed(array: Any, number: Any, first: int, change: Any) -> Any:
        """Returns ``array`` with ``change`` applied to values before ``first``; the array itself if it has none."""
        numbers = array.view(number)
        least = pc.min(numbers).as_py()
        if least is None or least >= first:
            return array
        values = pc.fill_null(numbers, 0).to_numpy().astype(np.int64)
        early = values < first
        values[early] = change(values[early])
        mask = pc.is_null(array).to_numpy(zero_copy_only=False)
        return pa.array(values, mask=mask).cast(number).view(array.type)


def gregorian_days(days: Any) -> Any:
    """Returns days before 1582-10-15 of the legacy calendar, in days since 1970, as days of the same names in the Gregorian one.

    29 February of a year that has none there is 1 March, as in Spark.
    """
    year = np.floor_divide((days + _EPOCH) * 4 + 3, _FOUR_YEARS)  # the year begins in March
    return days + 2 - np.floor_divide(year, 100) + np.floor_divide(year, 400)
