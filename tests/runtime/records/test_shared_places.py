"""Records whose places point to the same bytes: a tree of more records than end, of which a bounded number is read."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import CodecError, DecodeError
from lakecodec.runtime.records import source
from lakecodec.workbench import explore

pytestmark = pytest.mark.usefixtures("each_backend")

IDL = "record Node : overlaps { u8 n; u16 p[n]; Node kids[i < n] at p[i] from source; }"
#: Each node points twice to the next one, and so is twice as many below it.
LEVELS = 40
DOUBLED = b"".join(struct.pack("<B2H", 2, end, end) for end in range(5, 5 * LEVELS + 1, 5)) + b"\0"
TOO_MANY = f"more than {2**16 + 8 * len(DOUBLED)} fields are placed in {len(DOUBLED)} bytes"


@pytest.fixture(scope="module")
def module() -> Any:
    return compile_idl(IDL)


class Reader:
    """A source as users have them."""

    size = len(DOUBLED)

    def read(self, offset: int, length: int) -> bytes:
        return DOUBLED[offset : offset + length]


@pytest.mark.parametrize(
    "visit",
    [lambda node: node.to_dict(), lambda node: node.to_bytes(), lambda node: node == type(node).from_bytes(DOUBLED)],
)
@pytest.mark.parametrize("opened", [lambda cls: cls.from_bytes(DOUBLED), lambda cls: cls.open(Reader())])
def test_trees_that_double_are_refused(
    module: Any, visit: Callable[[Any], object], opened: Callable[[Any], Any]
) -> None:
    with pytest.raises(CodecError, match=TOO_MANY) as caught:
        visit(opened(module.Node))
    assert caught.value.path.rpartition(".")[2].startswith("kids")


def test_exploring_them_ends(module: Any, tmp_path: Path) -> None:
    path = tmp_path / "doubled"
    path.write_bytes(DOUBLED)
    assert {error.rule for error in explore(path, type=module.Node).errors()} == {TOO_MANY}


def test_what_shares_little_is_read(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # Seven nodes: a root, two that it points to, and the same leaf four times. Each is read where it is pointed to, and the
    # leaves once more to find what they point to.
    data = struct.pack("<B2HB2HB2H", 2, 5, 10, 2, 15, 15, 2, 15, 15) + b"\0"
    monkeypatch.setattr(source, "MAX_PLACED", 10 - 8 * len(data))
    node = module.Node.from_bytes(data)
    assert node.to_dict()["kids"][1]["kids"][0] == {"n": 0, "p": [], "kids": []}
    monkeypatch.setattr(source, "MAX_PLACED", 9 - 8 * len(data))
    with pytest.raises(DecodeError, match="more than 9 fields are placed in 16 bytes"):
        module.Node.from_bytes(data).to_dict()


@pytest.mark.parametrize("gaps", [": gaps", ""])
def test_records_are_written_any_number_of_times(gaps: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a writer compares or keeps of the source is not read as a field."""
    data = b"\1\3"
    monkeypatch.setattr(source, "MAX_PLACED", 4 - 8 * len(data))
    module: Any = compile_idl(f"record R {gaps} {{ u8 p; u8 x at p; }}")
    found = module.R.from_bytes(data)
    for edit in range(3):
        for _ in range(10):
            found.to_bytes()
        found.x = edit
    assert found.to_bytes() == b"\1\2"
