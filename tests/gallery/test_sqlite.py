"""Databases of the standard library's sqlite3, which checks and reads the changed ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from .gallery import Gallery

SQLITE = Gallery("sqlite")
ROWS: list[tuple[Any, ...]] = [(i, f"name {i}", i / 3, None if i % 5 else bytes(i)) for i in range(1, 120)]
LONG = (1000, "y" * 9_000, -(2**40), b"z")


@pytest.fixture(params=[512, 4096])
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"pragma page_size = {request.param}")
        connection.execute("create table t (id integer primary key, name text, amount, extra blob)")
        connection.executemany("insert into t values (?, ?, ?, ?)", [*ROWS, LONG])
        connection.execute("create index by_name on t (name)")
        # Pages that belong to no tree.
        connection.execute("create table gone (x)")
        connection.execute("insert into gone values (?)", ("g" * 5000,))
        connection.execute("drop table gone")
        connection.commit()
    return path


def plain(value: Any) -> Any:
    if value.kind == "BYTES":
        return value.v if value.tag % 2 == 0 else value.v.decode()
    return {"NOTHING": None, "ZERO": 0, "ONE": 1}[value.kind] if not hasattr(value, "v") else value.v


def whole(payload: Any) -> bytes:
    """The bytes of a row that goes over several pages."""
    found, part = payload.begin, payload.more
    while part is not None:
        found, part = found + part.content, part.more
    return found


def rows(found: Any, root: int) -> Iterator[tuple[Any, ...]]:
    """The rows of the table whose tree begins on a page."""
    page = found.pages[root - 1]
    for cell in page.cells:
        if page.kind == 5:
            yield from rows(found, cell.left)
        else:
            payload = cell.payload
            row = payload.row or SQLITE.module.Row.from_bytes(whole(payload))
            yield (cell.row_id, *map(plain, row.values))
    if page.kind == 5:
        yield from rows(found, page.right)


def schema(found: Any) -> dict[str, int]:
    return {row[2]: row[4] for row in rows(found, 1)}


def test_rows(database: Path) -> None:
    found = SQLITE.round_trip(database.read_bytes())
    roots = schema(found)
    assert set(roots) == {"t", "by_name"}
    # The number of the row stands for the primary key.
    assert [(number, *rest) for number, _, *rest in rows(found, roots["t"])] == [*ROWS, LONG]
    assert found.pages[0].header.page_size == len(database.read_bytes()) // len(found.pages)
    assert found.page_size == found.usable == found.pages[0].header.page_size


def test_changed_rows(database: Path) -> None:
    found = SQLITE.round_trip(database.read_bytes())
    leaves = [page for page in found.pages if page.kind in (10, 13)]
    for cell in (cell for page in leaves for cell in page.cells if cell.payload.row):
        for value in cell.payload.row.values:
            if value.kind == "BYTES" and value.v == b"name 99":
                value.v = b"name 9x"
    found.pages[0].header.user_version = 7
    database.write_bytes(SQLITE.write(found))
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert connection.execute("pragma user_version").fetchone() == (7,)
        assert connection.execute("select id from t where name = 'name 9x'").fetchall() == [(99,)]
        assert connection.execute("select * from t where id = 1000").fetchone() == LONG


def test_cells_do_not_grow_into_others(database: Path) -> None:
    found = SQLITE.round_trip(database.read_bytes())
    page = next(page for page in found.pages if page.kind == 13 and len(page.cells) > 1)
    page.cells[0].payload.row.values[0] = SQLITE.module.Value.BYTES(v=b"x" * 60, tag=13 + 2 * 60)
    page.cells[0].payload.row.types.codes[0] = 13 + 2 * 60
    page.cells[0].size_of_payload += 60
    with pytest.raises(ValueError, match="cells"):
        found.to_bytes()


def test_damage(database: Path) -> None:
    assert SQLITE.damage(database.read_bytes(), rounds=6) > 1
    # The oracle takes a second for each of these files.
    assert Gallery("sqlite", oracle=False).damage(database.read_bytes(), rounds=60) > 20
