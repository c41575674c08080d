"""Kaitai Struct's own specs (.kst): each imports a format, reads a file, and compares values."""

from __future__ import annotations

import enum
import math
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from lakecodec import CodecError, DecodeError, IdlError
from lakecodec.importing import import_files
from lakecodec.importing.imported import Imported
from lakecodec.importing.ksy_expressions import (
    Array,
    Binary,
    Cast,
    EnumMember,
    Expr,
    Index,
    Literal,
    Member,
    Method,
    Name,
    Ternary,
    Unary,
    parse_expression,
)
from lakecodec.runtime.records.lazy import LazyRecord
from lakecodec.runtime.records.record import Variant

from ..paths import TESTS
from . import kaitai_externs


@dataclass(frozen=True)
class Outcome:
    """What came of a spec: `pass`, `refused` with what a note says, or `wrong`."""

    spec: str
    kind: str
    reason: str = ""


#: The modules of Python that the specs' formats name; `externs.py` has what they hold.
EXTERNS = ("custom_fx_no_args", "hello_world", "my_custom_fx", "nested.deeply")


class NotThereError(Exception):
    """Raised for a name that an object does not have."""


class NotSaidError(Exception):
    """Raised for what the specs' expressions can say and objects of the IDL do not have: streams, parents, sizes."""


def run(spec: Path, formats: Path, data: Path) -> Outcome:
    """Returns the outcome of one spec."""
    kaitai_externs.install(formats)
    said = yaml.safe_load(spec.read_text())
    name = said["id"]
    try:
        above = {"imports_abs": formats.parent / "gallery", "imports_abs_abs": formats / "ks_path"}
        above["imports_abs_rel"] = above["imports_abs_abs"]
        made = import_files([*([above[name]] if name in above else []), formats / f"{name}.ksy"])[-1]
        module = made.module(allow_extern=EXTERNS)
    except IdlError as error:
        return Outcome(name, "refused", error.message)
    wants_error = "exception" in said
    content = (data / said["data"]).read_bytes()
    try:
        root = getattr(module, str(made.root))
        found = root.from_bytes(content) if wants_error else read(root, content)
        if "asserts" in said:
            for each in said["asserts"]:
                _check(each, found)
    except (CodecError, DecodeError) as error:
        if wants_error:
            return Outcome(name, "pass")
        if "takes no bytes" in str(error):
            return Outcome(name, "refused", "elements that take no bytes are refused")
        if "ks-debug: true" in (formats / f"{name}.ksy").read_text():
            return Outcome(name, "refused", "what was read before an error is not kept")
        return Outcome(name, "refused" if made.notes else "wrong", _reason(made, f"DecodeError: {error}"))
    except NotThereError as error:
        missing = [each for each in made.notes if str(error) in each.message.split() or each.kind == "field"]
        return Outcome(
            name, "refused" if missing else "wrong", missing[0].message if missing else f"{error} is missing"
        )
    except NotSaidError as error:
        return Outcome(name, "refused", f"the spec asks for {error}")
    except AssertionError as error:
        if any(each.kind == "enum" for each in made.notes) and "no member of an enum" in str(error):
            return Outcome(name, "refused", made.notes[0].message)
        return Outcome(name, "wrong", f"{error}; notes: {[each.message for each in made.notes]}")
    if wants_error:
        return Outcome(name, "refused" if made.notes else "wrong", _reason(made, "no error is raised"))
    return Outcome(name, "pass")


class _Source:
    """Bytes as a source of lazy records."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.size = len(data)

    def read(self, offset: int, length: int) -> bytes:
        return self._data[offset : offset + length]


def read(cls: Any, data: bytes) -> Any:
    """Returns a record; what is placed is read when it is asked for, as Kaitai does it."""
    return cls.open(_Source(data)) if issubclass(cls, LazyRecord) else cls.from_bytes(data)


def _reason(made: Imported, otherwise: str) -> str:
    return made.notes[0].message if made.notes else otherwise


def _check(each: dict[str, Any], found: Any) -> None:
    if "exception" in each:
        with pytest.raises(CodecError):
            evaluate(parse_expression(str(each["actual"])), found)
        return
    actual = plain(evaluate(parse_expression(str(each["actual"])), found))
    wanted = each["expected"]
    if wanted == "null" or wanted is None:
        assert actual is None, f"{each['actual']} is {actual!r}, not null"
        return
    expected = parse_expression(str(wanted)) if not isinstance(wanted, bool) else Literal(wanted)
    if isinstance(expected, EnumMember):
        assert isinstance(actual, enum.IntEnum), f"{each['actual']} is {actual!r}, no member of an enum"
        assert actual.name.rstrip("_") == expected.path[-1].rstrip("_"), f"{each['actual']} is {actual!r}, not {wanted}"
        return
    value = evaluate(expected, found)
    if isinstance(value, float):
        same = isinstance(actual, float | int) and math.isclose(actual, value, rel_tol=1e-6)
    elif isinstance(actual, list | tuple):
        same = list(map(plain, actual)) == list(value)
    elif isinstance(value, bytes) or isinstance(actual, bytes):
        same = bytes(actual) == value
    else:
        same = actual == value and isinstance(actual, str) == isinstance(value, str)
    assert same, f"{each['actual']} is {actual!r}, not {value!r}"


def plain(value: Any) -> Any:
    """Returns what a variant, or the record of an element, stands for."""
    while isinstance(value, Variant) or (type(value).__name__.endswith("Element") and hasattr(value, "value")):
        value = getattr(value, "value", None)
    return value


def evaluate(expr: Expr, found: Any) -> Any:
    """Returns the value of an expression about an object."""
    match expr:
        case Literal(value=value):
            return value
        case Array():
            data = expr.as_bytes
            return [evaluate(each, found) for each in expr.items] if data is None else data
        case Name(name=name):
            return member(found, name)
        case Member(base=base, name=name):
            return member(evaluate(base, found), name)
        case Method(base=base, name=name, arguments=()):
            return member(evaluate(base, found), name)
        case Index(base=base, index=index):
            return plain(evaluate(base, found))[evaluate(index, found)]
        case Cast(base=base):
            return evaluate(base, found)
        case Unary(operator="-", operand=operand):
            return -evaluate(operand, found)
        case Ternary(condition=condition, then=then, otherwise=otherwise):
            return evaluate(then if evaluate(condition, found) else otherwise, found)
        case Binary(operator=operator, left=left, right=right):
            return _OPERATORS[operator](evaluate(left, found), evaluate(right, found))
    raise NotSaidError(str(expr))


_OPERATORS = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, ">": lambda a, b: a > b,
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
}  # fmt: skip


def member(value: Any, name: str) -> Any:
    value = plain(value)
    if name in ("_io", "_parent", "_root", "_sizeof", "_debug"):
        raise NotSaidError(name)
    if isinstance(value, bytes | memoryview | str | list | tuple):
        items = list(value) if isinstance(value, list | tuple) else value
        match name:
            case "size" | "length":
                return len(items)
            case "first":
                return items[0]
            case "last":
                return items[-1]
            case "min":
                return min(items)
            case "max":
                return max(items)
    if name == "to_i":
        return int(value)
    if name == "to_s" and not hasattr(value, "to_s"):
        return str(value)
    for each in (f"{name}_", name):
        if hasattr(value, each) and not callable(getattr(value, each)):
            return getattr(value, each)
    raise NotThereError(name)


def unpacked(folder: Path) -> list[Path]:
    """Returns the specs of tests/data/kaitai, in a folder with their formats and files."""
    with zipfile.ZipFile(TESTS / "data/kaitai/specs.zip") as archive:
        archive.extractall(folder)
    return sorted((folder / "spec/ks").glob("*.kst"))


def outcomes(specs: Iterable[Path]) -> list[Outcome]:
    """Returns the outcomes of specs that stand beside their formats and files."""
    return [run(each, each.parents[2] / "formats", each.parents[2] / "src") for each in specs]
