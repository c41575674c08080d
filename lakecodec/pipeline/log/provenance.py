"""The commitInfo action of our commits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import __version__
from .actions import Metadata, Provenance
from .commit_info import parameter_text
from .file_actions import Add
from .properties import IN_COMMIT_TIMESTAMPS

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
    in_commit = (metadata.configuration.get(IN_COMMIT_TIMESTAMPS) or "").lower() == "true"
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
