"""Statements of generated methods: the cursor is told which field they are about where it would not know."""

from pathlib import Path

from lakecodec.generator.print.statements import Statements

GENERATED = Path(__file__).parents[2] / "lakecodec" / "generated"


def test_a_field_that_was_read_last_is_not_named_again() -> None:
    out = Statements("r")
    out.add_for("n", out.call("u8", '"n"'))
    out.about("n")
    out.about("m", can_fail=False)
    assert out.lines == ['r.u8("n")']


def test_another_field_is_named() -> None:
    out = Statements("r")
    out.add_for("n", out.call("u8", '"n"'))
    out.about("m")
    out.about("m")
    assert out.lines == ['r.u8("n")', 'r.about("m")']


def test_a_block_may_not_have_run() -> None:
    out = Statements("w", "n")
    with out.block("if c:"):
        out.add_for("m", out.call("u8", '"m"'))
    out.about("m")
    assert out.lines == ["if c:", '    w.u8("m")', 'w.about("m")']


def test_generated_modules_stay_short() -> None:
    # The formats of the first two releases; each later one has a bound of its own.
    later = {"avro": 300, "paimon": 250, "variant": 450}
    lines = {path.stem: path.read_text().count("\n") for path in GENERATED.glob("*.py")}
    assert {name: lines.pop(name) for name in later if lines[name] > later[name]} == {}
    assert sum(count for name, count in lines.items() if name not in later) <= 4100
