"""Actions of the log as dataclasses, converted to and from their JSON objects (PROTOCOL.md, Actions).

``from_json`` of each raises FieldError for what the protocol does not allow; unknown fields are ignored, as
the protocol asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self
from typing import Protocol as Interface

from .fields import count, names, optional, required, texts

#: Delta's name of the file format of an ordinary table.
PARQUET = "parquet"


class Action(Interface):
    """An action, one line of a commit file; ``key`` is its name there."""

    key: ClassVar[str]

    def to_json(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class Protocol:
    """The protocol action; feature lists are None in the versions that have none (PROTOCOL.md, Protocol Evolution)."""

    key: ClassVar[str] = "protocol"
    min_reader_version: int = 1
    min_writer_version: int = 2
    reader_features: tuple[str, ...] | None = None
    writer_features: tuple[str, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        lists = {"readerFeatures": self.reader_features, "writerFeatures": self.writer_features}
        return {
            "minReaderVersion": self.min_reader_version,
            "minWriterVersion": self.min_writer_version,
            **{name: list(features) for name, features in lists.items() if features is not None},
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        return cls(
            count(fields, "minReaderVersion"),
            count(fields, "minWriterVersion"),
            names(fields, "readerFeatures"),
            names(fields, "writerFeatures"),
        )


@dataclass(frozen=True)
class Metadata:
    """The metaData action (PROTOCOL.md, Change Metadata); ``created_time`` is in milliseconds since 1970."""

    key: ClassVar[str] = "metaData"
    id: str
    schema_string: str
    partition_columns: tuple[str, ...] = ()
    format: str = PARQUET
    configuration: Mapping[str, str] = field(default_factory=dict)
    created_time: int | None = None
    name: str | None = None
    description: str | None = None
    format_options: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return without_none(
            id=self.id,
            name=self.name,
            description=self.description,
            format={"provider": self.format, "options": dict(self.format_options)},
            schemaString=self.schema_string,
            partitionColumns=list(self.partition_columns),
            configuration=dict(self.configuration),
            createdTime=self.created_time,
        )

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        form = required(fields, "format", dict)
        return cls(
            id=required(fields, "id", str),
            # A table may get its columns later; a reader that needs the schema of such a version gets an error.
            schema_string=optional(fields, "schemaString", str) or "",
            partition_columns=names(fields, "partitionColumns") or (),
            format=required(form, "provider", str),
            configuration=texts(fields, "configuration", nulls=True) or {},
            created_time=optional(fields, "createdTime", int),
            name=optional(fields, "name", str),
            description=optional(fields, "description", str),
            format_options=texts(form, "options", nulls=True) or {},
        )


@dataclass(frozen=True)
class Txn:
    """The txn action: the last version that an application has committed (PROTOCOL.md, Transaction Identifiers)."""

    key: ClassVar[str] = "txn"
    app_id: str
    version: int
    last_updated: int | None = None

    def to_json(self) -> dict[str, Any]:
        return without_none(appId=self.app_id, version=self.version, lastUpdated=self.last_updated)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        return cls(
            required(fields, "appId", str), required(fields, "version", int), optional(fields, "lastUpdated", int)
        )


@dataclass(frozen=True)
class DomainMetadata:
    """The domainMetadata action; carried along for the writers that know the domain."""

    key: ClassVar[str] = "domainMetadata"
    domain: str
    configuration: str
    removed: bool = False

    def to_json(self) -> dict[str, Any]:
        return {"domain": self.domain, "configuration": self.configuration, "removed": self.removed}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        return cls(
            required(fields, "domain", str),
            required(fields, "configuration", str),
            optional(fields, "removed", bool) or False,
        )


@dataclass(frozen=True)
class Provenance:
    """The commitInfo action: any JSON object (PROTOCOL.md, Commit Provenance Information)."""

    key: ClassVar[str] = "commitInfo"
    fields: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return dict(self.fields)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Self:
        return cls(fields)


def without_none(**fields: Any) -> dict[str, Any]:
    """Returns a JSON object without the fields that are None."""
    return {name: value for name, value in fields.items() if value is not None}
