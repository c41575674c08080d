"""Table properties that writers here honour, with their types (``metaData.configuration``; PROTOCOL.md, Table Properties).

Others are kept unchanged. An unknown name that begins with ``delta.`` may require more than these writers
do, so it cannot be set here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Generic, TypeVar

from ...runtime.exact import exact
from ...runtime.suggest import did_you_mean
from .actions import Metadata

T = TypeVar("T")

_DURATION = re.compile(r"(\d{1,15})\s+(millisecond|second|minute|hour|day|week)s?", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,15})\s*([kmgt]?)b?", re.IGNORECASE)
_NAME = re.compile(r"\s*((?:`(?:[^`]|``)+`|[^`,])+)\s*(?:,|$)")
_KNOWN: dict[str, Property[Any]] = {}


@dataclass(frozen=True)
class Property(Generic[T]):
    """A property that writers honour.

    Attributes:
        name: its name in ``metaData.configuration``.
        parse: converts a text to the value; raises ValueError that says what is needed.
        default: the value if the table does not have the property.
        invalid: the value if another writer stored an invalid text.
        feature: the table feature that tables with the property need; None if every writer must know it.
        reader: True if that is also a feature of readers.
    """

    name: str
    parse: Callable[[str], T]
    default: T
    invalid: T
    feature: str | None = None
    reader: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        _KNOWN[self.name.lower()] = self

    def of(self, metadata: Metadata | None) -> T:
        """Returns the property's value in a table; the default for a new one (None)."""
        text = None if metadata is None else metadata.configuration.get(self.name)
        if text is None:
            return self.default
        try:
            return self.parse(text)
        except ValueError:
            return self.invalid


def _flag(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError("true or false is needed")
    return text.lower() == "true"


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise ValueError("a positive whole number is needed")
    return int(text)


def _number_of_columns(text: str) -> int:
    if text != "-1" and not text.isdecimal():
        raise ValueError("a number of columns is needed, or -1 for all")
    return int(text)


def _duration(text: str) -> timedelta:
    body = re.sub(r"^\s*interval\s+", "", text, flags=re.IGNORECASE).strip()
    if not body or _DURATION.sub("", body).strip():
        raise ValueError("a time such as 'interval 7 days' is needed, in weeks at most")
    try:
        return sum(
            (timedelta(**{f"{unit.lower()}s": int(count)}) for count, unit in _DURATION.findall(body)), timedelta()
        )
    except OverflowError:
        raise ValueError("a time of less than 2,700,000 years is needed") from None


def _size(text: str) -> int:
    found = _SIZE.fullmatch(text.strip())
    if found is None or not int(found[1]):
        raise ValueError("a size such as 128mb or a number of bytes is needed")
    return int(found[1]) << 10 * " kmgt".index(found[2].lower() or " ")


def _names(text: str) -> tuple[str, ...]:
    found = _NAME.findall(text)
    if not found or _NAME.sub("", text).strip():
        raise ValueError("names of columns with commas between them are needed")
    return tuple(re.sub(r"`((?:[^`]|``)+)`", lambda part: part[1].replace("``", "`"), name.strip()) for name in found)


def _policy(text: str) -> bool:
    if text.lower() not in ("classic", "v2"):
        raise ValueError("classic or v2 is needed")
    return text.lower() == "v2"


def _mapping(text: str) -> str:
    if text.lower() not in ("none", "name", "id"):
        raise ValueError("none, name or id is needed")
    return text.lower().replace("none", "")


APPEND_ONLY = Property("delta.appendOnly", _flag, False, False, "appendOnly")
CHANGE_DATA_FEED = Property("delta.enableChangeDataFeed", _flag, False, False, "changeDataFeed")
DELETION_VECTORS = Property("delta.enableDeletionVectors", _flag, False, False, "deletionVectors", reader=True)
TYPE_WIDENING = Property("delta.enableTypeWidening", _flag, False, False, "typeWidening", reader=True)
VARIANT_SHREDDING = Property("delta.enableVariantShredding", _flag, False, False, "variantShredding", reader=True)
CHECKPOINT_INTERVAL = Property("delta.checkpointInterval", _positive, 10, 10)
STATISTICS_AS_JSON = Property("delta.checkpoint.writeStatsAsJson", _flag, True, False)
STATISTICS_AS_STRUCT = Property("delta.checkpoint.writeStatsAsStruct", _flag, False, True)
#: How long tombstones stay; None (forever) if the table's text is invalid.
DELETED_FILE_RETENTION: Property[timedelta | None] = Property(
    "delta.deletedFileRetentionDuration", _duration, timedelta(weeks=1), None
)
#: How long versions stay in the log; None (forever) if the table does not have the property.
LOG_RETENTION: Property[timedelta | None] = Property("delta.logRetentionDuration", _duration, None, None)
LOG_CLEANUP = Property("delta.enableExpiredLogCleanup", _flag, True, False)
INDEXED_COLUMNS = Property("delta.dataSkippingNumIndexedCols", _number_of_columns, 32, 32)
STATISTICS_COLUMNS: Property[tuple[str, ...] | None] = Property("delta.dataSkippingStatsColumns", _names, None, None)
TARGET_FILE_SIZE: Property[int | None] = Property("delta.targetFileSize", _size, None, None)
IN_COMMIT_TIMESTAMPS = Property("delta.enableInCommitTimestamps", _flag, False, False, "inCommitTimestamp")
#: The version that enabled in-commit timestamps, and its time; absent if it was the first version.
IN_COMMIT_TIMESTAMPS_SINCE = "delta.inCommitTimestampEnablementVersion"
IN_COMMIT_TIMESTAMPS_FROM = "delta.inCommitTimestampEnablementTimestamp"
#: Whether checkpoints have version 2, with separate files (sidecars) for file actions.
CHECKPOINT_POLICY = Property("delta.checkpointPolicy", _policy, False, False, "v2Checkpoint", reader=True)
#: The mode of column mapping; empty for no mapping.
COLUMN_MAPPING = Property("delta.columnMapping.mode", _mapping, "", "", "columnMapping", reader=True)
ROW_TRACKING = Property("delta.enableRowTracking", _flag, False, False, "rowTracking")


def configured(given: Mapping[str, Any]) -> dict[str, str]:
    """Returns properties to set, as texts under their names in the protocol's spelling.

    Raises:
        TypeError: a name or a value has the wrong type.
        ValueError: a value is invalid for its property.
        KeyError: a name with the prefix ``delta.`` is unknown.
    """
    if not isinstance(given, Mapping) or not given:
        raise TypeError(f"properties: a dict of names and values is needed, not {given!r}")
    found = {}
    for name, value in given.items():
        text, name = _text(name, value), exact(name)
        known = _KNOWN.get(name.lower())
        if known is None and name.lower().startswith("delta."):
            near = did_you_mean(name, [each.name for each in _KNOWN.values()])
            raise KeyError(
                f"properties: unsupported table property {name!r}{near}; use a name without delta. for your own"
            )
        if known is not None:
            try:
                known.parse(text)
            except ValueError as error:
                raise ValueError(f"properties: {known.name}: {error}, not {text!r}") from None
        found[name if known is None else known.name] = text
    return found


def features(configuration: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Returns (reader features, writer features) that tables with these properties need."""
    used = [
        known
        for known in _KNOWN.values()
        if known.feature is not None
        and known.name in configuration
        and known.of(Metadata("", "", configuration=configuration))
    ]
    return [known.feature or "" for known in used if known.reader], [known.feature or "" for known in used]


def _text(name: Any, value: Any) -> str:
    if not isinstance(name, str) or not name:
        raise TypeError(f"properties: a name is needed, not {name!r}")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, timedelta):
        return f"interval {value // timedelta(seconds=1)} seconds"
    if not isinstance(value, str | int):
        raise TypeError(f"properties: a text, number, bool or timedelta is needed for {name!r}, not {value!r}")
    return str(exact(value))
