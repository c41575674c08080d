"""Snapshots of a table: schema and protocol are loaded at once, data files on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import pyarrow as pa

from .actions import DomainMetadata, Metadata, Protocol, Txn
from .checkpoint_read import Checkpoint
from .column_mapping import mapped_schema, mapping_mode
from .commit import Commit
from .deletion_vectors import unique_id
from .errors import CorruptLogError
from .file_actions import Add, Remove
from .files import adds_of, files_of, identity, with_details, without
from .names import commit_name
from .protocol import check_readable
from .schema import from_delta

if TYPE_CHECKING:
    from .log import Log


class Snapshot:
    """State of one version of a table, replayed from a checkpoint and the commits after it.

    Attributes:
        log: the table's log.
        version: number of the version.
        protocol: the protocol action in force.
        metadata: the metaData action in force.
        checkpoint: the checkpoint from which it starts; None without one.

    Raises:
        CorruptLogError: the log has no protocol or no metaData.
        UnsupportedTableError: the table uses a feature that cannot be read here.
    """

    def __init__(self, log: Log, version: int, checkpoint: Checkpoint | None, commits: Sequence[Commit]) -> None:
        self.log = log
        self.version = version
        self.checkpoint = checkpoint
        #: The commits after the checkpoint, in order.
        self.commits = tuple(commits)
        protocol: Protocol | None = None
        metadata: Metadata | None = None
        for commit in self._headers():
            protocol = commit.protocol or protocol
            metadata = commit.metadata or metadata
        if protocol is None or metadata is None:
            missing = "protocol" if protocol is None else "metaData"
            raise CorruptLogError(f"up to this version the log has no {missing}", path=commit_name(version))
        self.protocol = protocol
        self.metadata = metadata
        check_readable(protocol, metadata)

    @cached_property
    def schema(self) -> pa.Schema:
        """The Arrow schema, partition columns included, in the table's order."""
        return _schema(self.metadata.schema_string, mapping_mode(self.metadata.configuration))

    @property
    def partition_columns(self) -> tuple[str, ...]:
        """Names of the partition columns, in the order of directories."""
        return self.metadata.partition_columns

    @property
    def format(self) -> str:
        """The format of the data files: "parquet" or "mosaic"."""
        return self.metadata.format

    @cached_property
    def txns(self) -> Mapping[str, Txn]:
        """The txn actions by application id (PROTOCOL.md, Transaction Identifiers)."""
        return {txn.app_id: txn for commit in self._headers() for txn in commit.txns}

    @property
    def transactions(self) -> Mapping[str, int]:
        """The version per application id; for our own transactions, the table version that their commit made."""
        return {app_id: txn.version for app_id, txn in self.txns.items()}

    @cached_property
    def domains(self) -> Mapping[str, DomainMetadata]:
        """The domainMetadata actions by domain, without removed ones."""
        latest = {domain.domain: domain for commit in self._headers() for domain in commit.domains}
        return {name: domain for name, domain in latest.items() if not domain.removed}

    @cached_property
    def live_files(self) -> pa.Table:
        """The data files as a table of the schema `files.FILES`, one row per file."""
        latest: dict[str, Add | None] = {}
        for commit in self.commits:
            # The actions of a commit have no order. Adds are applied last, since they describe the state after it.
            for remove in commit.removes:
                latest[identity(remove.path)] = None
            for add in commit.adds:
                latest[identity(add.path)] = add
        added = files_of(add for add in latest.values() if add is not None)
        if self.checkpoint is None:
            return added
        try:
            older = self.checkpoint.files
        except CorruptLogError as error:
            return self.log.without_checkpoint(self, error).live_files
        return pa.concat_tables([without(older, latest), added])

    def files_table(self) -> pa.Table:
        """Returns one row per data file: the columns of `files.FILES`, ``file`` (string) and ``num_records`` (int64).

        ``path`` is the log's, ``file`` the decoded path relative to the table; ``num_records`` counts deleted rows as well
        and is null where the statistics do not tell.
        """
        return with_details(self.live_files)

    @cached_property
    def files(self) -> list[Add]:
        """The add actions of the data files."""
        return list(adds_of(self.live_files))

    @property
    def tombstones(self) -> list[Remove]:
        """The remove actions of files that were not added again, if the log still has them."""
        found: dict[tuple[str, str | None], Remove] = {}
        try:
            older = self.checkpoint.tombstones if self.checkpoint is not None else ()
        except CorruptLogError as error:
            return self.log.without_checkpoint(self, error).tombstones
        found.update((_key(remove), remove) for remove in older)
        for commit in self.commits:
            found.update((_key(remove), remove) for remove in commit.removes)
            for add in commit.adds:
                found.pop(_key(add), None)
        return list(found.values())

    def _headers(self) -> Iterator[Commit]:
        """Yields the checkpoint's actions other than files, and the commits, oldest first."""
        if self.checkpoint is not None:
            yield self.checkpoint.header
        yield from self.commits

    def __repr__(self) -> str:
        return f"Snapshot({self.log.path!r}, version={self.version})"


def _key(file: Add | Remove) -> tuple[str, str | None]:
    """Returns the identity of a logical file: its path, and the id of its deletion vector."""
    return identity(file.path), unique_id(file.deletion_vector)


@lru_cache(maxsize=16)
def _schema(schema_string: str, mode: str) -> pa.Schema:
    return mapped_schema(from_delta(schema_string), mode)
