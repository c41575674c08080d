"""What the native reader knows of records before it reads one."""

from __future__ import annotations

from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.records import backend

pytestmark = pytest.mark.skipif(backend.native is None, reason="facts are for the native reader")

MODULE: Any = compile_idl(
    """
    record Point { i32 x; i32 y; }
    record Fixed { u8 a; Point p; bytes b[3]; }
    record Sized { u8 n; u16 m; bytes b[n]; u8 c; u8 d; }
    record Checked { u8 n where n > 1; }
    record Nested { u8 n; Nested next if n > 0; }
    record Seen { u8 n; u8 numbers[n]; Point points[n] where points[0].y > 0; u8 k where k < count(numbers); Point p; }
    record Shown { u8 n; Point points[n]; u8 k where points[0] == points[1]; }
    codec deflated -> bytes = extern "runtime.compress:Deflate";
    record Coded { u8 n; Point p size n via deflated; u8 a; u8 b; u8 c; u8 d; u8 e; }
    """,
    name="facts",
)


def facts_of(name: str) -> Any:
    assert backend.native is not None
    program: Any = backend.native.program_of(getattr(MODULE, name))
    return program.facts


@pytest.mark.parametrize(
    ("name", "size"), [("Point", 8), ("Fixed", 12), ("Sized", -1), ("Checked", -1), ("Nested", -1), ("Seen", -1)]
)
def test_sizes_of_records(name: str, size: int) -> None:
    assert facts_of(name).fixed_size == size


def test_fields_that_are_stepped_over_as_one() -> None:
    steps = facts_of("Sized").steps
    assert [(each.run_size, each.run_count) for each in steps] == [(-1, 1), (2, 1), (-1, 1), (2, 2), (1, 1)]
    assert [each.offset for each in steps] == [0, 1, 3, -1, -1]
    assert [each.is_wanted for each in steps] == [True, False, False, False, False]


def test_views_are_enough_for_what_is_only_measured() -> None:
    count, numbers, points, _, single = facts_of("Seen").steps
    assert (count.view, numbers.view, points.view, single.view) == (0, 3, 1, 0)
    assert points.numbers == {"y": 1}
    assert facts_of("Shown").steps[1].view == 0


def test_instances_wait_where_they_can_be_read_again() -> None:
    waits = {
        name: facts_of(name).is_worth_reading_lazily and facts_of(name).is_native
        for name in ("Point", "Sized", "Seen", "Coded")
    }
    assert waits == {"Point": False, "Sized": True, "Seen": True, "Coded": False}
    assert (facts_of("Point").is_local, facts_of("Fixed").is_repeatable, facts_of("Sized").is_local) == (
        True,
        False,
        True,
    )


def test_two_threads_may_make_the_same_programs() -> None:
    from lakecodec.runtime.records import programs

    text = "record Inner { u8 n; bytes b[n]; } record Outer { u8 n; Inner all[n]; u8 k; }"
    module: Any = compile_idl(text, name="threads")
    first = programs._Programs()
    first.of(module.Outer)
    programs.install(module.Outer)
    first.install()
    assert module.Outer.from_bytes(b"\1\2ab\7").all[0].b == b"ab"
