"""Candidates for Parquet's next footer against today's: bytes, reads that wait for each other, and time to find column chunks."""

from __future__ import annotations

import time

from lakecodec.parquet.lab import CANDIDATES, Candidate, Chunk, Reads
from lakecodec.runtime.ranges import MemoryReader

from .harness import Result, compare
from .lab_shapes import Workload, workloads

_TODAY = "today"


def run(quick: bool) -> list[Result]:
    """All candidates for each workload. What is compared with is today's footer, read by this library too."""
    return [result for workload in workloads(quick) for result in _compared(workload, 3 if quick else 7)]


def _compared(workload: Workload, repeat: int) -> list[Result]:
    files = {
        name: candidate.magic + candidate.encode(workload.metadata, len(candidate.magic))
        for name, candidate in CANDIDATES.items()
    }
    found = {name: _find(CANDIDATES[name], file, workload) for name, file in files.items()}
    today, reads_today = found[_TODAY]
    results = []
    for name, (chunks, reads) in found.items():
        # Bounds may be shorter.
        assert [chunk[:3] for chunk in chunks] == [chunk[:3] for chunk in today]
        assert all((chunk.min is not None and chunk.max is not None) == workload.statistics for chunk in chunks)
        if name == _TODAY:
            continue
        title = f"{name}, {workload.name}"
        results += [
            Result(f"bytes, {title}", len(files[name]), len(files[_TODAY]), _TODAY, unit="bytes"),
            Result(f"bytes read, {title}", reads.fetched, reads_today.fetched, _TODAY, unit="bytes"),
            Result(f"dependent reads, {title}", reads.rounds, reads_today.rounds, _TODAY, unit="reads"),
            *compare(
                f"time, {title}",
                {
                    name: lambda name=name: _find(CANDIDATES[name], files[name], workload),  # type: ignore[misc]
                    _TODAY: lambda: _find(CANDIDATES[_TODAY], files[_TODAY], workload),
                },
                repeat=repeat,
                clock=time.process_time,
            ),
        ]
    return results


def _find(candidate: Candidate, file: bytes, workload: Workload) -> tuple[list[Chunk], Reads]:
    reads = Reads(MemoryReader(file))
    return candidate.find(reads, workload.columns, statistics=workload.statistics), reads
