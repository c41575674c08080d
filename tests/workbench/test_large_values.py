"""Trees of files with long values: they are views of the file until somebody asks for the value."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lakecodec import compile_idl
from lakecodec.workbench import explore, page
from lakecodec.workbench.plain import shown, tree_to_dict

from ..memory import traced

CONTENT = bytes(range(256)) * 8192


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "x.tar"
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as file:
        for number in range(4):
            member = tarfile.TarInfo(f"{number}")
            member.size = len(CONTENT)
            file.addfile(member, io.BytesIO(CONTENT))
    return path


def test_long_values_are_copied_when_they_are_asked_for(archive: Path) -> None:
    tree = explore(archive)
    explore(archive).find("members[3].header")

    def look() -> None:
        node = tree.find("members[2].data")
        assert shown(node).startswith(" = b'\\x00\\x01\\x02")
        assert shown(node).endswith("... (2,097,152 bytes)")
        assert tree_to_dict(tree, node)["value"].endswith("... (2097152 bytes)")

    assert traced(look).peak < len(CONTENT)
    look()
    node = tree.find("members[2].data")
    assert type(node.value) is bytes
    assert node.value == CONTENT
    for values in (tree.find("members").value, [each.value for each in tree.find("members").children]):
        assert [type(each.data) for each in values] == [bytes] * len(values)
        assert values == tree.root.value.members
    assert tree.errors() == []


def test_pages_of_many_blocks_stay_small(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.BytesIO()
    values = np.random.default_rng(0).integers(0, 1 << 60, 5_000)
    pq.write_table(pa.table({f"c{number}": values for number in range(8)}), stream, use_dictionary=False)

    def pieces() -> list[int]:
        (file,) = page.page_data([explore(stream.getvalue())])["files"]
        return [len(each["pages"]) for each in file["views"]]

    whole = pieces()
    monkeypatch.setattr(page, "_ALL_PIECES", 40)
    assert sum(whole) > 140
    assert 0 < sum(pieces()) <= 40 + 4 * len(whole)


def test_numbers_up_to_the_end_are_made_when_asked_for() -> None:
    module = compile_idl("record A : big { u8 kind; i32 values[..]; }\n")
    tree = explore(b"\x05" + bytes(range(16)), module.A)
    found = tree.find("values").children
    assert [(each.path, each.offset, each.size) for each in found][1] == ("values[1]", 5, 4)
    assert [each.value for each in found] == tree.root.value.values
    (error,) = explore(b"\x05" + bytes(range(15)), module.A).errors()
    assert (error.path, error.offset, error.rule) == ("values[3]", 13, "unexpected end: 4 bytes needed, 3 left")
    cut = explore(b"\x05" + bytes(range(15)), module.A).find("values")
    assert [(each.name, each.offset, each.size) for each in cut.children] == [
        ("[0]", 1, 4), ("[1]", 5, 4), ("[2]", 9, 4), ("[3]", 13, 3),
    ]  # fmt: skip
