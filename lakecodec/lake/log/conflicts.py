"""Conflict detection between a transaction and the commits that came before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from .actions import Metadata
from .commit import Commit
from .errors import ConflictError
from .file_actions import Add
from .files import identity
from .schema import same_schema

#: Returns whether a transaction depends on a file with these partition values.
Matches = Callable[[Mapping[str, str | None]], bool]
#: Returns whether a transaction would have had to read a file that others added.
Reads = Callable[[Add], bool]


@dataclass
class Footprint:
    """Reads and writes of a transaction, against which concurrent commits are checked.

    Attributes:
        metadata: metaData of the version that it read.
        removes: identities of the files that it removes.
        replaces: whether it removes all matching files at commit time, so that rows moved by others do not matter.
        reads: identities of other files that it has read; they must not have been removed, unless rows were only moved.
        matches: conditions on partition values; files for which one is true must not have been added or removed.
        files: conditions on added files; one for which one is true must not have been added.
        whole_table: whether no file at all may have been added or removed.
        defines: whether it sets the table's definition.
    """

    metadata: Metadata | None = None
    removes: set[str] = field(default_factory=set)
    replaces: bool = False
    reads: set[str] = field(default_factory=set)
    matches: list[Matches] = field(default_factory=list)
    files: list[Reads] = field(default_factory=list)
    whole_table: bool = False
    defines: bool = False


def check_conflicts(footprint: Footprint, winners: Iterable[Commit]) -> None:
    """Raises ConflictError, which names the versions, if commits of ``winners`` conflict with a transaction."""
    found: dict[int, str] = {}
    moved = True
    for commit in winners:
        reason = _conflict(footprint, commit)
        if reason is not None:
            found[commit.version] = reason
            moved = moved and _only_moves(commit)
    if found:
        reasons = "; ".join(f"version {version} {reason}" for version, reason in found.items())
        raise ConflictError(f"the transaction contradicts others that came first: {reasons}", list(found), moved=moved)


def _only_moves(commit: Commit) -> bool:
    """Returns True if a commit changes neither rows nor the table's definition, as OPTIMIZE does."""
    if commit.protocol is not None or commit.metadata is not None:
        return False
    return not any(add.data_change for add in commit.adds) and not any(gone.data_change for gone in commit.removes)


def _conflict(footprint: Footprint, commit: Commit) -> str | None:
    if commit.protocol is not None:
        return "changed the protocol"
    if commit.metadata is not None and (
        footprint.defines or footprint.metadata is None or not same_definition(footprint.metadata, commit.metadata)
    ):
        return "changed the table's definition"
    for remove in commit.removes:
        if identity(remove.path) in footprint.removes and (remove.data_change or not footprint.replaces):
            return f"removed {remove.path!r}, which this one removes, too"
        if remove.data_change and (
            identity(remove.path) in footprint.reads or _depends(footprint, remove.partition_values)
        ):
            return f"removed {remove.path!r}, which this one depends on"
    for add in commit.adds:
        if add.data_change and (
            _depends(footprint, add.partition_values) or any(reads(add) for reads in footprint.files)
        ):
            return f"added {add.path!r}, which this one does not know"
    return None


def _depends(footprint: Footprint, values: Mapping[str, str | None] | None) -> bool:
    if footprint.whole_table:
        return True
    if not footprint.matches:
        return False
    # Some writers do not store the partition of a removed file.
    return values is None or any(matches(values) for matches in footprint.matches)


def same_definition(first: Metadata, second: Metadata) -> bool:
    """Returns True if schema, partition columns, format and configuration are equal; names and descriptions may differ."""
    return (
        same_schema(first.schema_string, second.schema_string)
        and first.partition_columns == second.partition_columns
        and first.format == second.format
        and first.configuration == second.configuration
    )
