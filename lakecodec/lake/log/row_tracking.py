"""Row tracking (PROTOCOL.md, Row Tracking): each row of a table has a number of its own that stays.

New files get numbers when a version is made: those of rows that come first begin behind the highest one of the table. Files
that only get a deletion vector or other statistics keep theirs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from .actions import DomainMetadata, Metadata, Protocol
from .errors import LogError, UnsupportedTableError
from .file_actions import Add
from .properties import ROW_TRACKING
from .protocol import ROW_TRACKING_FEATURE, writer_features

if TYPE_CHECKING:
    from .snapshot import Snapshot

_DOMAIN, _HIGHEST = "delta.rowTracking", "rowIdHighWaterMark"
_COLUMNS = {
    "materializedRowIdColumnName": "_row-id-col-",
    "materializedRowCommitVersionColumnName": "_row-commit-version-col-",
}


def with_tracking(configuration: Mapping[str, str]) -> dict[str, str]:
    """Returns properties of a new table, with names of the columns that keep numbers of rows where it tracks rows."""
    if not ROW_TRACKING.of(Metadata("", "", configuration=configuration)):
        return dict(configuration)
    names = {f"{_DOMAIN}.{key}": f"{start}{uuid4()}" for key, start in _COLUMNS.items()}
    return {**names, **configuration}


def check_rewrite(metadata: Metadata) -> None:
    """Raises UnsupportedTableError if rows of a table would lose their numbers where they are written again."""
    if ROW_TRACKING.of(metadata):
        rule = f"rows keep their numbers ({ROW_TRACKING.name}), and would lose them when they are written to other files here"
        raise UnsupportedTableError(rule, ROW_TRACKING_FEATURE)


def numbered(
    adds: Iterable[Add], version: int, current: Snapshot | None, protocol: Protocol
) -> tuple[list[Add], list[DomainMetadata]]:
    """Returns files with the numbers of their rows, and the action that says the highest one.

    Args:
        adds: files of a version.
        version: its number.
        current: the version before, None for a new table.
        protocol: in force after the commit. Without the feature nothing changes.

    Raises:
        LogError: a file does not say how many rows it has.
    """
    found = list(adds)
    if ROW_TRACKING_FEATURE not in writer_features(protocol):
        return found, []
    domain = None if current is None else current.domains.get(_DOMAIN)
    before = highest = -1 if domain is None else int(json.loads(domain.configuration)[_HIGHEST])
    for index, add in enumerate(found):
        if add.base_row_id is None:
            if add.num_records is None:
                raise LogError(f"{add.path!r}: the table tracks rows, the file does not say how many it has")
            found[index] = replace(add, base_row_id=highest + 1, default_row_commit_version=version)
            highest += add.num_records
    said = json.dumps({_HIGHEST: highest}, separators=(",", ":"))
    return found, [] if highest == before else [DomainMetadata(_DOMAIN, said)]
