"""Excerpts of large trees: every part gets room, what is left out is told, and little of a file is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lakecodec.cli.app import run
from lakecodec.runtime.ranges import MemoryReader
from lakecodec.workbench import explore
from lakecodec.workbench.excerpt import MOST_NODES
from lakecodec.workbench.explorer import tree_of
from lakecodec.workbench.page import page_of
from lakecodec.workbench.plain import tree_to_dict

from ..mosaic.sources import written
from ..parquet.files import arrow_file

WIDE = arrow_file(pa.table({f"c{n}": [n] for n in range(3000)}))


def count(node: dict[str, Any]) -> int:
    below = [*node.get("children", ()), *([node["view"]] if "view" in node else [])]
    return 1 + sum(map(count, below))


def paths(node: dict[str, Any]) -> set[str]:
    return {node["path"]}.union(*map(paths, node.get("children", ())))


@pytest.mark.parametrize("most", [2000, MOST_NODES])
def test_every_part_has_room(most: int) -> None:
    found = tree_to_dict(explore(WIDE), most=most)
    assert most // 3 < count(found) <= most + 500
    assert {"chunks[0][0].pages[0].header.type", "meta.schema[1].name", "tail.magic"} <= paths(found)
    assert most < 3000 or any(path.startswith("meta.row_groups[0].columns[0].meta_data.") for path in paths(found))


def test_what_is_left_out_is_told() -> None:
    tree = explore(WIDE)
    found = tree_to_dict(tree, tree.find("meta.schema"), most=2000)
    assert len(found["children"]) + found["more"] == len(tree.find("meta.schema").children) > 3000
    closed = [each for each in found["children"] if "children" not in each]
    assert closed
    assert all(each["more"] is None for each in closed)


def test_all_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wide.parquet"
    # More than an excerpt of a list has.
    file.write_bytes(arrow_file(pa.table({f"c{n}": [n] for n in range(300)})))
    assert run(["explore", str(file), "--json", "--limit", "0"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert count(found) == sum(1 for _ in explore(file).walk())
    assert '"more"' not in json.dumps(found)


class Counting(MemoryReader):
    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.bytes_read = 0

    def read(self, offset: int, length: int, room: memoryview | None = None) -> Any:
        self.bytes_read += length
        return super().read(offset, length, room)


def test_a_long_list_of_texts_is_not_walked_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    from lakecodec.workbench import values

    walked: list[int] = []
    walk = values.walk
    monkeypatch.setattr(values, "walk", lambda *given: (walked.append(given[-1]), walk(*given))[1])
    data = written(pa.table({"s": [f"name {n}" for n in range(50_000)]}), compression="none")
    tree = explore(data)
    page_of(tree)
    assert sum(walked) < 5000
    last = tree.find("buckets[0][0].data.body.cells[0].values").children[49_999]
    assert last.value == "name 49999"
    assert last.end == tree.find("buckets[0][0].data.body").end


def test_little_of_a_large_file_is_read() -> None:
    column = pa.array(range(400_000), pa.int64())
    data = arrow_file(pa.table({"a": column, "b": column}), compression="none", use_dictionary=False)
    from lakecodec.generated import parquet_file

    reader = Counting(data)
    tree = tree_of(reader, parquet_file.File)
    assert tree.find("meta.num_rows").value == 400_000
    assert reader.bytes_read < 100_000 < len(data) // 10
