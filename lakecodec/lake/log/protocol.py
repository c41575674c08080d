"""Protocol versions and table features: which tables can be read and written here, and which protocol a table needs.

A listed but unused feature does no harm, so every known feature has a test for its use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pyarrow as pa

from .actions import PARQUET, Metadata, Protocol
from .column_mapping import mapping_mode
from .column_rules import features_of
from .errors import UnsupportedTableError
from .properties import features
from .schema import uses_timestamp_ntz, uses_variant

MOSAIC = "mosaic"
#: The feature that stops readers without Mosaic, which would open Mosaic files as Parquet.
MOSAIC_FEATURE = "lakecodec.mosaic"
TIMESTAMP_NTZ = "timestampNtz"
TYPE_WIDENING = "typeWidening"
VARIANT_TYPE, VARIANT_SHREDDING = "variantType", "variantShredding"
#: Features that tables may also list under their preview names, with the same meaning.
_PREVIEWED = (TYPE_WIDENING, VARIANT_TYPE, VARIANT_SHREDDING)
CONSTRAINTS = "checkConstraints"
ROW_TRACKING_FEATURE = "rowTracking"
#: The prefix of properties that are constraints; writers check them, see `writing.constraints`.
CONSTRAINT = "delta.constraints."

_MAX_READER, _MAX_WRITER = 3, 7
_LISTED_READER, _LISTED_WRITER = 3, 7
#: The features that each writer version without a feature list adds to those of the previous version.
_LEGACY_WRITER = {
    2: ("appendOnly", "invariants"),
    3: (CONSTRAINTS,),
    4: ("changeDataFeed", "generatedColumns"),
    5: ("columnMapping",),
    6: ("identityColumns",),
}

_Used = Callable[[Metadata], bool]


def _never(metadata: Metadata) -> bool:
    return False


def _unreadable_mapping(metadata: Metadata) -> bool:
    return mapping_mode(metadata.configuration) not in (
        ("none",) if metadata.format == MOSAIC else ("none", "name", "id")
    )


#: Reader features, with the conditions under which a table cannot be read. Deletion vectors are checked per file.
_READER: Mapping[str, _Used] = {
    TIMESTAMP_NTZ: _never,
    MOSAIC_FEATURE: _never,
    "v2Checkpoint": _never,
    "vacuumProtocolCheck": _never,
    "deletionVectors": _never,
    "columnMapping": _unreadable_mapping,
    **{f"{name}{preview}": _never for name in _PREVIEWED for preview in ("", "-preview")},
}
#: Writer features, with the conditions under which a table cannot be written. `writing.rows` and `writing.constraints`
#: enforce the rules of columns.
_WRITER: Mapping[str, _Used] = {
    **_READER,
    "appendOnly": _never,
    "inCommitTimestamp": _never,
    "domainMetadata": _never,
    "clustering": _never,  # new files get statistics of the clustering columns
    "changeDataFeed": _never,
    "invariants": _never,
    CONSTRAINTS: _never,
    "generatedColumns": _never,
    "allowColumnDefaults": _never,
    "identityColumns": _never,
    ROW_TRACKING_FEATURE: _never,
}


def check_readable(protocol: Protocol, metadata: Metadata) -> None:
    """Raises UnsupportedTableError, which names the table feature, if a table cannot be read here."""
    if protocol.min_reader_version > _MAX_READER:
        raise UnsupportedTableError(f"the table needs readers of version {protocol.min_reader_version}")
    listed = protocol.reader_features if protocol.min_reader_version == _LISTED_READER else None
    implied = ("columnMapping",) if protocol.min_reader_version == 2 else ()
    _check(implied if listed is None else listed, _READER, metadata, "read")
    if metadata.format not in (PARQUET, MOSAIC):
        raise UnsupportedTableError(f"the table's files are of the format {metadata.format!r}", metadata.format)


def check_writable(protocol: Protocol, metadata: Metadata) -> None:
    """Raises UnsupportedTableError, which names the table feature, if a table cannot be written here."""
    check_readable(protocol, metadata)
    if protocol.min_writer_version > _MAX_WRITER:
        raise UnsupportedTableError(f"the table needs writers of version {protocol.min_writer_version}")
    _check(writer_features(protocol), _WRITER, metadata, "written")


def writer_features(protocol: Protocol) -> tuple[str, ...]:
    """Returns the features that a writer of the table must know, listed or implied by the writer version."""
    if protocol.min_writer_version == _LISTED_WRITER:
        return protocol.writer_features or ()
    return tuple(
        feature
        for version, features in _LEGACY_WRITER.items()
        if version <= protocol.min_writer_version
        for feature in features
    )


def protocol_for(
    schema: pa.Schema, format: str, configuration: Mapping[str, str], current: Protocol | None = None
) -> Protocol:
    """Returns the protocol of a table with this definition: ``current`` itself if that suffices.

    Args:
        schema: Arrow schema of the table.
        format: format of the data files.
        configuration: the table's properties.
        current: the table's protocol; None for a new table.
    """
    readers, writers = features(configuration)
    writers += features_of(schema)
    if ROW_TRACKING_FEATURE in writers:
        writers.append("domainMetadata")  # its metadata has the highest row id
    if uses_timestamp_ntz(schema):
        readers.append(TIMESTAMP_NTZ)
    if uses_variant(schema) or VARIANT_SHREDDING in readers:
        readers.append(VARIANT_TYPE)
    if format == MOSAIC:
        readers.append(MOSAIC_FEATURE)
    base = Protocol() if current is None else current
    known = base.reader_features or (("columnMapping",) if base.min_reader_version == 2 else ())
    listed_so = [name for name in _PREVIEWED if f"{name}-preview" in known]
    readers, writers = ([name for name in names if name not in listed_so] for names in (readers, writers))
    listed = writer_features(base)
    if set(readers) <= set(known) and {*readers, *writers} <= set(listed):
        return base
    if current is None and readers:
        listed = ()  # a new table does not use the features that the version implies
    reader = tuple(dict.fromkeys([*known, *readers]))
    writer = tuple(dict.fromkeys([*listed, *known, *readers, *writers]))
    if base.min_reader_version == _LISTED_READER or readers:
        return Protocol(_LISTED_READER, _LISTED_WRITER, reader, writer)
    return Protocol(base.min_reader_version, _LISTED_WRITER, None, writer)


def _check(features: tuple[str, ...], known: Mapping[str, _Used], metadata: Metadata, what: str) -> None:
    for feature in features:
        if (used := known.get(feature)) is None:
            raise UnsupportedTableError(f"the table uses the feature {feature!r} and cannot be {what} here", feature)
        if used(metadata):
            mode = mapping_mode(metadata.configuration)
            detail = f" (mode {mode!r})" if feature == "columnMapping" else ""
            raise UnsupportedTableError(
                f"the table uses the feature {feature!r}{detail} and cannot be {what} here", feature
            )
