"""The commitInfo of a version: as a value, and as the action of our commits."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from ...runtime import __version__
from ...runtime.short import More, ShortRepr
from .actions import Metadata, Provenance
from .commit import Commit
from .file_actions import Add
from .properties import IN_COMMIT_TIMESTAMPS

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
#: Names of operationMetrics with the number of added rows: Delta's own and deltalake's.
_ROW_METRICS = ("numOutputRows", "num_added_rows")


class _Time:
    """A field for a time, given directly or as a function that is called on first access."""

    def __get__(self, instance: Any, owner: Any = None) -> datetime:
        if instance is None:
            # The dataclass then sees a field without a default.
            raise AttributeError("timestamp")
        found: datetime = instance.__dict__["timestamp"]
        if callable(found):
            found = instance.__dict__["timestamp"] = found()
        return found

    def __set__(self, instance: Any, value: datetime | Callable[[], datetime]) -> None:
        instance.__dict__["timestamp"] = value


@dataclass(frozen=True, repr=False)
class CommitInfo(ShortRepr):
    """Description of one commit of a table.

    Attributes:
        version: number of the version, from 0 on.
        operation: ``WRITE``, ``CREATE TABLE``, ...; "" if the writer does not say.
        timestamp: time of the commit in UTC, which time travel uses.
        num_files: number of added data files.
        num_rows: number of rows in them; None if unknown.
        num_bytes: their size in bytes.
        txn_id: the id of the transaction; None without one.
        txn_given: True if the id is from a txn action, which stays in the table's state.
        metrics: operationMetrics; whole numbers are ints.
        parameters: operationParameters, as texts.
        engine: the writer and its version.
    """

    version: int
    operation: str
    timestamp: datetime
    num_files: int
    num_rows: int | None
    num_bytes: int
    txn_id: str | None = None
    txn_given: bool = False
    metrics: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    engine: str | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "timestamp": self.timestamp}

    def _repr_parts(self) -> tuple[str, list[tuple[str, Any]]]:
        """Returns the parts of the repr, without metrics and parameters, which may be long."""
        names = ("operation", "num_files", "num_rows", "num_bytes", "txn_id", "engine")
        found = [(name, getattr(self, name)) for name in names]
        when = ("timestamp", More(self.timestamp.isoformat(" ", "seconds")))
        return "CommitInfo", [("version", self.version), when, *(each for each in found if each[1] is not None)]


# The class attribute for type checkers would be a default for dataclasses.
setattr(CommitInfo, "timestamp", _Time())  # noqa: B010


def commit_info(commit: Commit, time: datetime | Callable[[], datetime | None] | None = None) -> CommitInfo:
    """Returns the description of a commit that was made at ``time``, by default the time of its commitInfo.

    ``time`` may be a function that is called on first access; its result None means the default.
    """
    fields = commit.info

    def at() -> datetime:
        return (time() if callable(time) else time) or written_time(fields) or _EPOCH

    metrics = _metrics(fields.get("operationMetrics"))
    rows = next((metrics[name] for name in _ROW_METRICS if type(metrics.get(name)) is int), None)
    if rows is None:
        counts = [add.num_records for add in commit.adds]
        known = [count for count in counts if count is not None]
        rows = sum(known) if len(known) == len(counts) else None
    txn_id = _text(fields.get("txnId")) or next((txn.app_id for txn in commit.txns), None)
    return CommitInfo(
        version=commit.version,
        operation=_text(fields.get("operation")) or "",
        timestamp=cast(Any, at) if callable(time) else at(),
        num_files=len(commit.adds),
        num_rows=rows,
        num_bytes=sum(add.size for add in commit.adds),
        txn_id=txn_id,
        txn_given=any(txn.app_id == txn_id for txn in commit.txns),
        metrics=metrics,
        parameters=_texts(fields.get("operationParameters")),
        engine=_text(fields.get("engineInfo")),
    )


def written_time(fields: Mapping[str, Any]) -> datetime | None:
    """Returns the time of a commit by its writer's clock, in UTC; None if the commitInfo has no valid time."""
    return in_commit_time(fields) or _time(fields.get("timestamp"))


def in_commit_time(fields: Mapping[str, Any]) -> datetime | None:
    """Returns the in-commit timestamp of a commitInfo, in UTC; None if it has no valid one."""
    return _time(fields.get("inCommitTimestamp"))


def _time(value: Any) -> datetime | None:
    """Returns the time for milliseconds since 1970; None for other values and outside the years 1 to 9999."""
    try:
        return _EPOCH + timedelta(milliseconds=value) if type(value) is int else None
    except OverflowError:
        return None


def parameter_text(value: Any) -> str:
    """Returns a parameter or metric as text: a str unchanged, any other value as JSON."""
    return value if isinstance(value, str) else json.dumps(value, default=str)


def ago(period: timedelta) -> datetime:
    """Returns the time a period ago, but not before 1970, since all times of tables are later."""
    now = datetime.now(UTC)
    return now - min(period, now - _EPOCH)


def milliseconds(time: datetime) -> int:
    """Returns the milliseconds of an aware datetime since 1970."""
    return (time - _EPOCH) // timedelta(milliseconds=1)


def _metrics(values: Any) -> dict[str, Any]:
    if not isinstance(values, dict):
        return {}
    return {
        name: int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 20 else value
        for name, value in values.items()
    }


def _texts(values: Any) -> dict[str, str]:
    return {name: parameter_text(value) for name, value in values.items()} if isinstance(values, dict) else {}


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


ENGINE = f"lakecodec/{__version__}"


def provenance(
    operation: str,
    *,
    now: int,
    version: int,
    txn_id: str,
    parameters: Mapping[str, Any],
    metrics: Mapping[str, Any],
    metadata: Metadata,
    append: bool,
) -> Provenance:
    """Returns the commitInfo of a commit at ``now`` (milliseconds since 1970); parameters and metrics become texts."""
    in_commit = IN_COMMIT_TIMESTAMPS.of(metadata)
    return Provenance(
        {
            **({"inCommitTimestamp": now} if in_commit else {}),
            "timestamp": now,
            "operation": operation,
            "operationParameters": {name: parameter_text(value) for name, value in parameters.items()},
            **({"readVersion": version - 1} if version else {}),
            "isolationLevel": "Serializable",
            "isBlindAppend": append,
            "operationMetrics": {name: parameter_text(value) for name, value in metrics.items()},
            "engineInfo": ENGINE,
            "txnId": txn_id,
        }
    )


def count_files(adds: Sequence[Add], removes: Sequence[Add]) -> dict[str, int]:
    """Returns operationMetrics computed from the actions, under Delta's names."""
    metrics = {
        "numFiles": len(adds),
        "numOutputBytes": sum(add.size for add in adds),
        "numRemovedFiles": len(removes),
        "numRemovedBytes": sum(add.size for add in removes),
    }
    rows = [add.num_records for add in adds]
    if None not in rows:
        metrics["numOutputRows"] = sum(count or 0 for count in rows)
    return metrics
