"""Broken files and bombs are refused by a process that has little memory and time."""

from __future__ import annotations

import sys

import pytest

from .bombs import BLOCKS, ROWS, SCHEMAS
from .broken_buckets import BUCKETS
from .broken_headers import HEADERS
from .outcomes import Outcome, Reader

BOMBS = BLOCKS | SCHEMAS | ROWS
#: The largest block that is inflated, and what Python and the allocators take around it.
MEMORY = 2**29
RULES = {
    **dict.fromkeys(BLOCKS, "zstd frame"),
    "a block of 1 GB that says 1 GB": "what the block can hold",
    **dict.fromkeys(SCHEMAS, "bytes together"),
    "one name that grows by rules": "a name is longer",
    "types in types": "nested more than",
    **dict.fromkeys(ROWS, "more memory than the limit"),
}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the size of the process is read from /proc")


@pytest.fixture(scope="module", params=["native", "pure"])
def outcomes(request: pytest.FixtureRequest) -> dict[str, Outcome]:
    with Reader(pure=request.param == "pure", memory=MEMORY, seconds=60) as reader:
        return dict(zip(BOMBS, reader.outcomes(list(BOMBS.values())), strict=True))


@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs(bomb: str, outcomes: dict[str, Outcome]) -> None:
    found = outcomes[bomb]
    assert isinstance(found, tuple)
    assert RULES[bomb] in found[0]


@pytest.mark.parametrize("pure", [False, True])
def test_broken_files(pure: bool) -> None:
    files = {name: case[0] for name, case in (HEADERS | BUCKETS).items()}
    with Reader(pure=pure, memory=2**27, seconds=20) as reader:
        found = dict(zip(files, reader.outcomes(list(files.values())), strict=True))
    assert [name for name, outcome in found.items() if not isinstance(outcome, tuple)] == []
