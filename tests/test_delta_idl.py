"""The tables that the codec runs on are those that the IDL declares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lakecodec
from lakecodec.delta import layout
from lakecodec.runtime.declaration import Encoding, Reference, Use

IDL = Path(__file__).parents[1] / "idl" / "delta_partition.idl"
CONSTANTS = [name for name in vars(layout) if name.isupper()]
TYPES: dict[str, tuple[Any, ...]] = {
    "bool": (),
    **{f"int{bits}": () for bits in (8, 16, 32, 64)},
    "float32": (),
    "float64": (),
    "decimal128": (12, 3),
    "date32": (),
    "timestamp": ("us", "UTC"),
    "duration": (),
    "interval": (),
    "utf8": (),
    "binary": (),
}
CASES = [*TYPES.items(), ("timestamp", ("us", ""))]


@pytest.fixture(scope="module")
def compiled() -> Any:
    return lakecodec.compile_idl(IDL)


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants(compiled: Any, name: str) -> None:
    assert getattr(compiled, name) == getattr(layout, name)


def test_nothing_is_left_out(compiled: Any) -> None:
    def public(module: Any) -> set[str]:
        return {name for name in vars(module) if not name.startswith("_")} - {"annotations"}

    assert public(compiled) == public(layout)


@pytest.mark.parametrize("writer", list(layout.Writer))
@pytest.mark.parametrize(("name", "arguments"), CASES)
@pytest.mark.parametrize("encoding", ["PartitionValue", "DirectoryText"])
def test_text_codecs(
    compiled: Any, encoding: str, name: str, arguments: tuple[Any, ...], writer: layout.Writer
) -> None:
    for extended in (False, True):
        options = (int(writer), extended, "Europe/Berlin")
        ours = codec_of(getattr(layout, encoding)(*options), name, arguments)
        assert ours is not None
        assert ours == codec_of(getattr(compiled, encoding)(*options), name, arguments)


@pytest.mark.parametrize("writer", list(layout.Writer))
def test_escapes(compiled: Any, writer: layout.Writer) -> None:
    assert parts(layout.add_path(writer)) == parts(compiled.add_path(int(writer)))
    assert layout.refused(writer) == compiled.refused(int(writer))
    for windows in (False, True):
        assert parts(layout.hive(windows)) == parts(compiled.hive(windows))


def codec_of(encoding: Encoding, name: str, arguments: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]] | None:
    case = encoding.case(name, *arguments)
    if case is None:
        return None
    fields = case.fields() if case.patterns[0][0] == "any" else case.fields(*arguments)
    assert len(fields) == 1
    inner = fields[0].type
    return codec_of(inner.resolve(), name, arguments) if isinstance(inner, Reference) else parts(fields[0].via[0])


def parts(use: Use) -> tuple[str, tuple[Any, ...]]:
    return use.codec.target, use.arguments
