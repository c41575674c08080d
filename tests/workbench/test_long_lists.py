"""Lists of many records of different sizes: where they begin is kept, and nothing else until somebody looks."""

from __future__ import annotations

from io import StringIO
from itertools import islice, pairwise
from pathlib import Path

import pytest
from rich.console import Console

from lakecodec import compile_idl
from lakecodec.workbench import explore
from lakecodec.workbench.plain import shown
from lakecodec.workbench.stretches import LARGE, StretchNodes
from lakecodec.workbench.terminal import render

from ..memory import traced

IDL = """
record Item { u8 kind; u8 n; bytes body[n]; }
record Log { u32 many = count(items); Item items[many]; u32 check; u8 tail[..]; }
record Logs { Item items[..]; }
"""
MANY = 20_000


def _items(number: int) -> bytes:
    return b"".join(bytes([index % 7, index % 250]) + bytes(index % 250) for index in range(number))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "log"
    path.write_bytes(MANY.to_bytes(4, "little") + _items(MANY) + b"\1\0\0\0tail")
    assert path.stat().st_size > 2 * LARGE
    return path


def test_elements_are_made_when_they_are_asked_for(log: Path) -> None:
    tree = explore(log, "Log", idl=IDL)
    many, items, check, tail = tree.root.children
    assert (many.value, check.value, bytes(tail.value)) == (MANY, 1, b"tail")
    assert isinstance(items.children, StretchNodes)
    assert len(items.children) == MANY
    for index in (0, 1, 39, MANY - 1):
        node = tree.find(f"items[{index}]")
        assert (node.path, node.value.kind, node.value.n) == (f"items[{index}]", index % 7, index % 250)
        assert node.size == 2 + index % 250
        assert tree.find(f"items[{index}].n").value == index % 250
        assert tree.at(node.offset).path == f"items[{index}].kind"
    with pytest.raises(KeyError, match=r"items has \[0\], \[1\]"):
        tree.find(f"items[{MANY}]")
    assert [each.kind for each in islice(items.value, 9)] == [0, 1, 2, 3, 4, 5, 6, 0, 1]


@pytest.mark.parametrize(
    ("field", "declared"),
    [
        ("E a[2];", "record E { u8 v; u8 w; }"),
        ("E a[2];", "record E { u8 v; u8 w[1]; }"),
        ("V(1) a[2];", "variant V(u8 k) on k { 1: A { u8 v; u8 w; }; else: B { u8 v; }; }"),
        ("V(1) a[i < 2];", "variant V(u8 k) on k { 1: A { u8 v; u8 w; }; else: B { u8 v; }; }"),
        ("E a[2];", "record E { u8 v; I i; } record I { u8 w; }"),
        ("E a[i < 2];", "record E { u8 v; I i[1]; } record I { u8 w; }"),
    ],
)
def test_lists_look_the_same_in_short_and_long_files(field: str, declared: str) -> None:
    idl = f"record File {{ {field} bytes more[..]; }} {declared}"
    pages = []
    for left in (9, 2 * LARGE):
        console = Console(record=True, file=StringIO(), width=120)
        render(explore(b"\1\2\3\4" + bytes(left), "File", idl=idl), console)
        pages.append(console.export_text().partition("more")[0].splitlines()[2:-1])
    assert pages[0] == pages[1]
    assert "a " in pages[1][0]
    assert "2 elements" in pages[1][0]


def test_all_bytes_are_explained(log: Path) -> None:
    short = explore(log, "Log", idl=IDL).root.children[1]
    assert short.offset == 4
    ends = [(each.offset, each.end) for each in short.children]
    assert ends[0][0] == 4
    assert all(before[1] == after[0] for before, after in pairwise(ends))
    assert ends[-1][1] == short.end


@pytest.mark.parametrize(("start", "type"), [(4, "Logs"), (0, "Log")])
def test_a_damaged_element_has_the_error(log: Path, start: int, type: str) -> None:
    tree = explore(log.read_bytes()[start : 2 * LARGE], type, idl=IDL)
    items = next(each for each in tree.root.children if each.name == "items")
    last = items.children[-1]
    assert last.error is not None
    assert last.error.path.startswith(last.path)
    assert last.error.path == f"items[{len(items.children) - 1}].body"
    assert tree.at(last.offset).path.startswith(last.path)


def test_memory_is_a_place_per_element(log: Path) -> None:
    explore(log, "Log", idl=IDL)
    assert traced(lambda: len(explore(log, "Log", idl=IDL).root.children)).peak < 32 * MANY


def test_lists_at_places_show_their_counts() -> None:
    idl = "record File : gaps { u8 n; u8 at_; E xs[n] at at_; E ys[2] at 6; } record E { u8 v; }"
    tree = explore(bytes((2, 3, 0, 2, 9, 0, 5, 6)), compile_idl(idl).File)
    assert [f"{each.name}{shown(each)}" for each in tree.root.children[2:] if each.kind == "field"] == [
        "xs, 2 elements",
        "ys, 2 elements",
    ]
