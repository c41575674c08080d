"""Trees of sound bytes: every byte is explained, values are those of the ordinary reader."""

from __future__ import annotations

import json
import random
from importlib import resources
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lakecodec
from lakecodec.cli.app import run
from lakecodec.generated import deletion_vector, parquet
from lakecodec.generated import mosaic as declared
from lakecodec.workbench import diff, dump, explore, verify
from lakecodec.workbench.plain import tree_to_dict

from ..gallery import test_zip
from ..generator import goldens
from ..mosaic import examples, tables
from ..mosaic.sources import written
from ..parquet.files import arrow_file, flat_table
from ..paths import SPECS
from ..random_idls import random_idl
from ..round_trips import samples_of, types
from .trees import check_places, check_tree, gaps

EXAMPLES = [examples.PLAIN, examples.ENCODINGS, examples.PAGED, examples.NESTED]


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_files_of_the_reference_writer(number: int) -> None:
    data = bytes.fromhex(EXAMPLES[number][2])
    tree = explore(data)
    check_tree(tree)
    assert not gaps(tree)
    assert tree.format == "mosaic.File"
    assert tree.find("footer.magic").data == b"MOSA"
    assert tree.find("footer.magic").offset == len(data) - 4


def test_random_tables() -> None:
    for seed in range(12):
        rng = random.Random(seed)
        types = [tables.random_type(rng) for _ in range(rng.randint(1, 6))]
        columns = {f"c{n}": tables.random_array(rng, type, 40, 0.2, 9) for n, type in enumerate(types)}
        check_tree(explore(written(pa.table(columns), num_buckets=rng.randint(1, 4))))


@pytest.mark.parametrize("options", [{}, {"compression": "none", "write_page_index": True, "row_group_size": 500}])
def test_parquet_files(options: dict[str, object]) -> None:
    tree = explore(arrow_file(flat_table(), **options))
    check_tree(tree)
    assert not gaps(tree)
    assert tree.find("head.magic").value == b"PAR1"
    name = tree.find("meta.schema[1].name")
    assert (name.value, name.data[name.header + 1 :]) == ("bool", b"bool")


def test_unknown_fields_of_structs_are_explained() -> None:
    known = parquet.SchemaElement(name="x", num_children=1).to_bytes()
    strange = b"\x0c" + b"\xc8\x01" + b"\x15\x02\x00"  # field 100: a struct with an i32 of 1
    mapped = b"\x1b\x01\x85\x01b\x04"  # field 101: a map of one pair
    tree = explore(known[:-1] + strange + mapped + b"\x00", parquet.SchemaElement)
    check_tree(tree)
    assert tree.find("(field 100).(field 1)").value == 1
    assert [each.value for each in tree.find("(field 101)").children if each.kind == "field"] == [b"b", 2]


@pytest.mark.parametrize("case", goldens.CASES)
def test_golden_samples(case: str) -> None:
    for sample in goldens.samples(case):
        cls: Any = goldens.module(case).__spec__[sample["type"]].cls
        tree = explore(bytes.fromhex(sample["hex"]), cls)
        check_tree(tree)
        assert tree.root.value == cls.from_bytes(bytes.fromhex(sample["hex"]))


def test_deletion_vector() -> None:
    container = deletion_vector.Container.ARRAY(values=[1, 5, 9])
    keys = [deletion_vector.Key(upper=0, others=2)]
    bitmap = deletion_vector.Bitmap(cookie=12346, stated=1, keys=keys, places=[16], containers=[container])
    vector = deletion_vector.DeletionVector(buckets=[deletion_vector.Bucket(upper=0, lower=bitmap)])
    tree = explore(vector.to_bytes(), deletion_vector.DeletionVector)
    check_tree(tree)
    values = tree.find("buckets[0].lower.containers[0].values")
    assert [(each.offset, each.size, each.value) for each in values.children] == [
        (values.offset + 2 * index, 2, value) for index, value in enumerate([1, 5, 9])
    ]


def test_types_of_another_idl() -> None:
    data = test_zip.archive()
    tree = explore(data, "File", idl=SPECS / "gallery" / "zip.idl")
    check_tree(tree)
    assert tree.root.type == "File"
    assert tree.find("members[1].name").value == "folder/b"
    assert tree.find("members[1].content").view is not None
    assert not gaps(tree)


def test_bits_know_their_place() -> None:
    data = bytes.fromhex(EXAMPLES[1][2])
    encodings = explore(data).find("buckets[0][0].data.body.encodings")
    assert [each.bits for each in encodings.children] == [(0, 2), (2, 2), (4, 2)]
    assert [each.offset for each in encodings.children] == [encodings.offset] * 3
    assert [each.value for each in encodings.children] == [1, 2, 3]


def test_bit_fields_have_the_bytes_of_their_number() -> None:
    idl = "record R { u8 z; u16 h { a : 4; b : 12; } u8 t; }"
    tree = explore(b"\0\x12\x34\x56", "R", idl=idl)
    check_tree(tree)
    found = {each.name: (each.offset, each.size, each.bits) for each in tree.root.children}
    assert found == {
        "z": (0, 1, None),
        "h": (1, 2, None),
        "a": (1, 2, (12, 4)),
        "b": (1, 2, (0, 12)),
        "t": (3, 1, None),
    }
    assert [tree.at(offset).path for offset in range(4)] == ["z", "h", "h", "t"]
    assert [each["bits"] for each in tree_to_dict(tree)["children"] if "bits" in each] == [[12, 4], [0, 12]]
    broken = explore(b"\x12\x34", "R", idl="record R { u16 h { a : 4; b : 12 = 7; } }").find("b")
    assert broken.error is not None
    assert (broken.offset, broken.size, broken.error.offset) == (0, 2, 0)


@pytest.mark.parametrize("data", [b"\3\0", b"\3\2ab", b"\3\3abc"])
def test_numbers_that_are_absent_have_no_nodes(data: bytes) -> None:
    idl = "record R { u8 n; u8 m; u8 x[i < n] if i >= n - m; u8 t[..]; }"
    tree = explore(data, "R", idl=idl)
    check_tree(tree)
    assert [each.offset for each in tree.find("x").children] == list(range(2, len(data)))
    broken = explore(data[:-1], "R", idl=idl).find("x") if len(data) > 2 else tree.find("x")
    assert [each.offset for each in broken.children] == list(range(2, len(data)))


@pytest.mark.parametrize("seed", [*range(5), 86])
def test_nodes_of_random_idls_are_in_their_places(seed: int) -> None:
    count = 0
    try:
        module = lakecodec.compile_idl(random_idl(random.Random(seed)))
    except lakecodec.IdlError:
        return
    for cls in types(module):
        for sample in samples_of(cls, 2, seed):
            check_places(explore(sample.data, cls, parameters=sample.parameters))
            count += 1
    assert count


def test_a_node_says_what_the_idl_says() -> None:
    node = explore(bytes.fromhex(EXAMPLES[0][2])).find("schema.body")
    assert node.type == "Schema"
    assert node.view is not None
    rule = node.view.root.children[0].rules
    assert "num_columns must be count(columns)" in rule
    order = node.view.root.children[-1]
    assert order.doc.startswith("Sorted position of each column")


def test_paths_and_offsets_lead_to_nodes() -> None:
    tree = explore(bytes.fromhex(EXAMPLES[0][2]))
    assert tree.at(tree.data.size - 1).path == "footer.magic"
    with pytest.raises(KeyError, match=r"there is no 'footer.majic'; footer has index_offset"):
        tree.find("footer.majic")
    with pytest.raises(IndexError, match="outside"):
        tree.at(tree.data.size)


def test_json_has_offsets_of_blocks() -> None:
    found = json.loads(json.dumps(tree_to_dict(explore(bytes.fromhex(EXAMPLES[2][2])))))
    assert found["format"] == "mosaic.File"
    schema = next(each for each in found["children"] if each["path"] == "schema")
    view = schema["children"][1]["view"]
    assert (view["offset"], view["path"]) == (0, "schema.body")
    assert view["children"][0] == {
        "path": "schema.body.num_columns", "offset": 0, "size": 1, "type": "uvarint32", "value": 3,
        "rules": ["num_columns must be count(columns)"], "children": [],
    }  # fmt: skip


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="not recognised by its magic"):
        explore(b"nothing")
    with pytest.raises(KeyError, match="no type 'Nothing'"):
        explore(b"", "Nothing")
    for look in (explore, verify, dump, lambda data, cls: diff(data, data, cls)):
        with pytest.raises(ValueError, match="parameters: Footer needs file_size"):
            look(bytes(32), declared.Footer)
    for wrong in (5, None, "text"):
        with pytest.raises(TypeError, match="parameters: a list of values is needed, not"):
            explore(bytes(32), declared.Footer, parameters=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="type: a generated record"):
        explore(b"", int)
    with pytest.raises(TypeError, match="source"):
        explore(3)
    with pytest.raises(KeyError, match="Fil"):
        explore(b"", "Fil", idl=SPECS / "mosaic.idl")
    assert lakecodec.explore is explore


def test_formats_of_the_gallery_are_recognised() -> None:
    pytest.importorskip("tzdata")
    data = resources.files("tzdata").joinpath("zoneinfo/Europe/Berlin").read_bytes()
    tree = explore(data)
    check_tree(tree)
    assert (tree.format, gaps(tree)) == ("tzif.File", [])
    assert tree.find("footer.rule").value == "CET-1CEST,M3.5.0,M10.5.0/3"


def test_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.mosaic"
    file.write_bytes(bytes.fromhex(EXAMPLES[0][2]))
    assert run(["explore", str(file), "--at", "footer", "--depth", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["00004d", "00", "00", "00", "00", "00", "00", "00", "…", "footer", "Footer"]
    assert lines[-1].split(maxsplit=5)[-1] == "magic bytes[4] = b'MOSA'"
    assert run(["explore", str(file), "--at", "footer.majic"]) == 2
    assert capsys.readouterr().err.startswith("lakecodec: --at: there is no 'footer.majic'")
    file.write_bytes(file.read_bytes()[:-1] + b"B")
    assert run(["explore", str(file), "--type", "mosaic.File"]) == 1
    assert "✗ bad magic bytes (at 0x000069)" in capsys.readouterr().out
    assert run(["explore", str(file), "--type", "mosaic.File", "--json"]) == 1
    assert run(["explore", str(file), "--type", "mosaic.File", "--html", str(tmp_path / "page.html")]) == 1
    capsys.readouterr()
    assert run(["explore", str(file), "--type", "mosaic.File", "--at", "footer.version"]) == 0
    capsys.readouterr()
    unknown = tmp_path / "x.bin"
    unknown.write_bytes(b"nothing")
    assert run(["explore", str(unknown)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


LOG = """
record Log : little { u32 n = count(entries); Entry entries[n]; u8 end = 7; }
record Entry : little { u16 level; u8 k = size(text); utf8 text[k]; u8 m = count(parts); Part parts[m]; }
record Part { u8 a = count(more); u8 more[a]; }
"""


def test_paths_to_elements_find_what_the_children_are() -> None:
    entry = b"\x03\x00\x02ab\x02" + b"\x01x" + b"\x02yz"
    data = (3).to_bytes(4, "little") + entry * 3 + b"\x07"
    nodes = list(explore(data, idl=LOG).walk())
    assert len(nodes) > 40
    for node in nodes:
        found = explore(data, idl=LOG).find(node.path)
        assert (found.offset, found.size, found.type, found.value) == (node.offset, node.size, node.type, node.value)
        assert [each.path for each in found.walk()] == [each.path for each in node.walk()]


def test_an_element_is_found_without_what_follows_it() -> None:
    data = (20_000).to_bytes(4, "little") + b"\x03\x00\x00\x00" * 20_000 + b"\x07"
    tree = explore(data, idl=LOG)
    assert (tree.find("entries[5].level").offset, tree.root.is_closed) == (24, True)
    # What is broken behind it is told by who reads on.
    tree = explore(data[:-3] + b"\xc8\x00\x07", idl=LOG)
    assert (tree.find("entries[5]").error, tree.root.is_closed) == (None, True)
    assert len(tree.errors()) == 1
    with pytest.raises(KeyError, match="entries has"):
        explore(data, idl=LOG).find("entries[20000]")


@pytest.mark.parametrize("size", [2, 4, 8])
def test_the_end_of_a_span_inside_of_others(size: int) -> None:
    real = "record Real { u16 n if end == 2; f32 a if end == 4; f64 b if end == 8; } record Rest { u8 more[rest]; }"
    idl = f"record File {{ u8 k; u8 n; Real r size n; Rest rest_of size 3; u8 z; }} {real}"
    data = bytes([1, size, *range(size), 7, 8, 9, 2])
    for _ in range(2):
        tree = explore(data, idl=idl)
        assert tree.errors() == []
        assert [each.path for each in tree.walk() if each.is_leaf()][2] == {2: "r.n", 4: "r.a", 8: "r.b"}[size]
        assert tree.find("rest_of.more").value == [7, 8, 9]
        module = lakecodec.compile_idl(idl)
        assert module.File.from_bytes(data).to_bytes() == data
