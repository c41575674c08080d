"""Values that share a beginning with those before them: a call makes a bounded number of bytes of few."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from lakecodec import compile_idl
from lakecodec.runtime.errors import DecodeError
from lakecodec.runtime.records import span

pytestmark = pytest.mark.usefixtures("each_backend")

IDL = """
codec front_coded -> bytes with bytes prev = b"" {
  u8    shared        = common_prefix(prev, value);
  u8    added         = count(value) - shared;
  bytes suffix[added] = value[shared:];
} value = prev[:shared] + suffix;
codec doubled -> bytes with bytes prev = b"" { u8 zero = 0; } value = count(prev) == 0 ? b"a" : prev + prev;
record Names { u32 n; Name items[n]; bytes pad[8]; }
record Name { utf8 name via front_coded; }
record Doubled { u32 n; Double items[n]; bytes pad[n]; }
record Shared : overlaps { u32 n; bytes items[i < n] at 4 size end - 4; }
record Double { bytes value via doubled; }
"""


@pytest.fixture(scope="module")
def module() -> Any:
    return compile_idl(IDL)


def test_doubling_values_are_refused(module: Any) -> None:
    data = struct.pack("<I", 60) + bytes(120)
    with pytest.raises(DecodeError, match=f"values repeat more than {2**27 + 8 * 124} bytes of those before") as caught:
        module.Doubled.from_bytes(data)
    assert (caught.value.path, caught.value.offset) == ("items[27].value", 31)


def test_what_names_share_is_counted(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["".join("abcdefgh"[:size]) for size in range(1, 9)] * 20
    data = module.Names(n=len(names), items=[module.Name(name=name) for name in names], pad=bytes(8)).to_bytes()
    # Each is stored with two numbers, and so is read from as many bytes more.
    repeated = sum(max(0, size - 3) for size in range(1, 9)) * 20
    most = repeated - 8 * len(data)
    monkeypatch.setattr(span, "MAX_REPEATED", most)
    assert [each.name for each in module.Names.from_bytes(data).items] == names
    monkeypatch.setattr(span, "MAX_REPEATED", most - 1)
    with pytest.raises(DecodeError, match="values repeat more than") as caught:
        module.Names.from_bytes(data)
    assert caught.value.path == "items[159].name"


def test_elements_that_share_bytes_are_counted(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    data = struct.pack("<I", 10) + bytes(100)
    monkeypatch.setattr(span, "MAX_REPEATED", 1000 - 8 * 104)
    assert module.Shared.from_bytes(data).items == [bytes(100)] * 10
    monkeypatch.setattr(span, "MAX_REPEATED", 999 - 8 * 104)
    with pytest.raises(DecodeError, match="values repeat more than 999 bytes of those before") as caught:
        module.Shared.from_bytes(data)
    assert (caught.value.format, caught.value.path, caught.value.offset) == ("idl.Shared", "items[9]", 4)
