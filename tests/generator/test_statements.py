"""Statements of generated methods: which lines are left out since nothing that follows needs them."""

from pathlib import Path

from lakecodec.generator.print.statements import Statements

GENERATED = Path(__file__).parents[2] / "lakecodec" / "generated"


def read_list(out: Statements) -> None:
    saved = out.add("begin = pos")
    with out.block("for index in range(n):"):
        out.add("read()")
    out.add_restoring("index, start = None, begin", "index = None", saved)


LOOP = ["for index in range(n):", "    read()"]


def test_a_method_begins_with_its_first_field() -> None:
    out = Statements()
    out.begin_field("first")
    out.add("read()")
    out.begin_field("second")
    out.add("read()")
    assert out.first == '"first"'
    assert out.lines == ["read()", 'field, start = "second", pos', "read()"]


def test_a_method_that_does_something_before_names_its_first_field() -> None:
    out = Statements()
    out.start_with("")
    out.begin_field("first")
    assert out.first == '""'
    assert out.lines == ['field, start = "first", pos']


def test_what_cannot_fail_is_about_no_field() -> None:
    out = Statements()
    out.add_sure("self.version = VERSION")
    out.about("other")
    out.add("check()")
    assert out.first == '"other"'
    assert out.lines == ["self.version = VERSION", "check()"]


def test_nothing_is_restored_at_the_end() -> None:
    out = Statements()
    read_list(out)
    out.add_sure("else:", "    obj.items = None")
    assert out.lines == [*LOOP, "else:", "    obj.items = None"]


def test_the_next_field_has_its_own_start() -> None:
    out = Statements()
    read_list(out)
    out.begin_field("next")
    assert out.lines == [*LOOP, "index = None", 'field, start = "next", pos']


def test_a_check_of_a_list_needs_where_it_begins() -> None:
    out = Statements()
    read_list(out)
    out.add("check()")
    out.begin_field("next")
    assert out.lines == ["begin = pos", *LOOP, "index, start = None, begin", "check()", 'field, start = "next", pos']


def test_generated_modules_stay_short() -> None:
    assert sum(path.read_text().count("\n") for path in GENERATED.glob("*.py")) <= 8000
