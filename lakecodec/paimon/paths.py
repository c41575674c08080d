"""Paths of data files: directories of the partition and of the bucket."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from ..delta import escape_path_name
from ..generated.paimon import DEFAULT_PARTITION
from ..runtime.errors import DecodeError
from .schemas import TableSchema

_EPOCH = date(1970, 1, 1)
_NAME = re.compile(r"[^/\\\0]+")


def bucket_path(schema: TableSchema, partition: Sequence[Any], bucket: int) -> str:
    """Returns the directory of a bucket, relative to the table."""
    default = schema.options.get("partition.default-name", DEFAULT_PARTITION)
    legacy = schema.is_on("partition.legacy-name", True)
    parts = [
        f"{escape_path_name(name)}={escape_path_name(partition_text(value, kind, default, legacy=legacy))}"
        for name, value, kind in zip(schema.partition_keys, partition, schema.partition_kinds, strict=True)
    ]
    top = schema.options.get("data-file.path-directory")
    return "/".join([*([top.strip("/")] if top else []), *parts, f"bucket-{bucket}"])


def plain_name(name: str, path: str) -> str:
    """Returns the name of a file.

    Raises:
        DecodeError: it leads to another directory.
    """
    if not _NAME.fullmatch(name) or name in (".", ".."):
        raise DecodeError(f"{name!r} is not a name of a file", format="paimon", path=path)
    return name


def partition_text(value: Any, kind: Any, default: str, *, legacy: bool) -> str:
    """Returns the text of a partition value as Paimon's writers write it; ``legacy`` is their default form."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return default
    match value:
        case bool():
            return str(value).lower()
        case float():
            return java_text(value, single=kind == pa.float32())
        case Decimal():
            return format(value, "f")
        case datetime():
            moment = value.replace(tzinfo=None)
            return _legacy_moment(moment) if legacy else _moment(moment, kind)
        case date() if legacy:
            return str((value - _EPOCH).days)
        case time() if legacy:
            return str(((value.hour * 60 + value.minute) * 60 + value.second) * 1000 + value.microsecond // 1000)
        case _:
            return str(value)


def _legacy_moment(moment: datetime) -> str:
    """Returns Java's text of a LocalDateTime, which leaves out seconds that are zero."""
    text = moment.isoformat(timespec="minutes")
    if not (moment.second or moment.microsecond):
        return text
    if not moment.microsecond:
        return moment.isoformat(timespec="seconds")
    return moment.isoformat(timespec="milliseconds" if moment.microsecond % 1000 == 0 else "microseconds")


def _moment(moment: datetime, kind: Any) -> str:
    text = moment.isoformat(" ", "seconds")
    digits = {"s": 0, "ms": 3, "us": 6, "ns": 9}[kind.unit]
    fraction = f"{moment.microsecond:06d}".ljust(9, "0")[:digits].rstrip("0")
    return f"{text}.{fraction}" if fraction else text


def java_text(value: float, *, single: bool = False) -> str:
    """Returns a number as Java's Double.toString and Float.toString write it, by the shortest digits."""
    if value != value or value in (float("inf"), float("-inf")):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    digits = np.format_float_scientific(np.float32(value) if single else np.float64(value), unique=True, trim="0")
    mantissa, _, exponent = digits.partition("e")
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return np.format_float_positional(np.float32(value) if single else np.float64(value), unique=True, trim="0")
    return f"{mantissa}E{int(exponent)}"
