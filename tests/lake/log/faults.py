"""What runs in processes of their own: writers that race, and one that dies in the middle of a commit."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from lakecodec.lake.log import atomic_write as put
from tests.lake.log.tables import append, rows


def write_many(root: str, writer: int, own: int, shared: int) -> None:
    """Commits again and again, first with ids that the other processes use as well."""
    for number in range(shared):
        append(Path(root), rows(10 * number), txn_id=f"shared {number}")
    for number in range(own):
        append(Path(root), rows(1000 * (writer + 1) + 10 * number), txn_id=f"{writer} {number}")


def die(root: str, moment: str) -> None:
    """Appends, and is killed when the commit's temporary file is written, or when it is linked."""

    def kill(*args: object, **options: object) -> None:
        if moment == "after":
            link(*args, **options)  # type: ignore[arg-type]
        os.kill(os.getpid(), signal.SIGKILL)

    link = os.link
    put.os.link = kill  # type: ignore[attr-defined]
    append(Path(root), rows(70), txn_id="doomed")


if __name__ == "__main__":
    die(sys.argv[1], sys.argv[2])
