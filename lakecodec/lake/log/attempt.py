"""Transaction ids, and the search for an earlier commit of the same id."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self
from uuid import uuid4

from .actions import Provenance, Txn
from .commit import Commit
from .commit_info import CommitInfo, commit_info
from .errors import LogError

if TYPE_CHECKING:
    from .snapshot import Snapshot

#: The form of a random id if the outcome of its commit is unknown.
_UNCERTAIN = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@(\d{1,19})")


@dataclass
class Attempt:
    """Id of a transaction.

    Ids from users are kept in the table's state forever. Random ones are not, since they would only make it grow: if
    the outcome of a commit is unknown, the id for its repetition contains the only version that can be that commit.

    Attributes:
        txn_id: given, or random.
        given: True if it is from the user.
        sequence: number of the transaction among those of the id; None if the id is for a single one.
        uncertain: a random id, and the version that may be its commit.
    """

    txn_id: str
    given: bool
    sequence: int | None = None
    uncertain: tuple[str, int] | None = None

    @classmethod
    def of(cls, txn_id: str | None, sequence: int | None = None) -> Self:
        if txn_id is None:
            return cls(str(uuid4()), given=False)
        found = None if sequence is not None else _UNCERTAIN.fullmatch(txn_id)
        return cls(txn_id, True, sequence, (found[1], int(found[2])) if found else None)

    def failed(self, version: int) -> str:
        """Records that ``version`` may be the commit, and returns the id for repeating it."""
        self.uncertain = (self.txn_id, version)
        return self.txn_id if self.given else f"{self.txn_id}@{version}"

    def earlier(self, current: Snapshot) -> CommitInfo | None:
        """Returns the commit of this id in the table; None if there is none.

        After log cleanup only its version is known.

        Raises:
            LogError: the id belongs to an application that does not count by table versions.
        """
        if self.uncertain is not None and self.uncertain[1] <= current.version:
            txn_id, version = self.uncertain
            info = current.log.info(version)
            if info.txn_id == txn_id:
                return info
        if not self.given or self.txn_id not in current.txns:
            return None
        txn = current.txns[self.txn_id]
        if self.sequence is not None:
            return None if txn.version < self.sequence else self._recorded(current.version, txn)
        try:
            info = current.log.info(txn.version)
        except LogError:
            return self._recorded(txn.version, txn)
        if info.txn_id != self.txn_id:
            raise LogError(f"txn_id: {self.txn_id!r} is the id of another application, which counts in its own way")
        return info

    def _recorded(self, version: int, txn: Txn) -> CommitInfo:
        """Returns the CommitInfo of a commit whose only known action is txn."""
        return commit_info(Commit.of(version, [Provenance({"timestamp": txn.last_updated, "txnId": self.txn_id}), txn]))
