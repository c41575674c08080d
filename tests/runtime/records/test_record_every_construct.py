"""Every declared record has a native program, which reads and writes what the generated methods do."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lakecodec.runtime.records import backend as record_backend
from lakecodec.workbench.sampling.sampler import sample_list

from ...compiled import compiled
from ...paths import SPECS
from .. import generated
from ..compact.records import Call, check, contents, native
from .test_record_bit_fields import b
from .test_record_checksums import c
from .test_record_measures import m
from .test_record_order import o
from .test_record_terminators import t

pytestmark = pytest.mark.skipif(record_backend.native is None, reason="no native reader was built")

#: Puffin's metadata are JSON, which a class written by hand reads.
WITHOUT_PROGRAMS = {"puffin"}
GALLERY = {each.stem: each for each in sorted((SPECS / "gallery").glob("*.idl")) if each.stem not in WITHOUT_PROGRAMS}
MODULES: dict[str, Any] = {"bits": b, "checksums": c, "measures": m, "orders": o, "terminators": t}


def module_of(name: str) -> Any:
    return MODULES[name] if name in MODULES else compiled(GALLERY[name])


def records(module: Any) -> list[Any]:
    """The classes of records and variants."""
    return [spec.cls for spec in module.__spec__.values() if spec.kind in ("record", "variant")]


@pytest.mark.parametrize("name", [*MODULES, *GALLERY])
def test_has_a_program(name: str) -> None:
    for cls in records(module_of(name)):
        assert native.program_of(cls) is not None, cls


#: Sums of bytes are found by trying, which takes long.
HARD_TO_SAMPLE = {"cpio", "leveldb", "tar"}


@pytest.mark.parametrize("name", [*MODULES, *sorted(GALLERY.keys() - HARD_TO_SAMPLE)])
def test_reads_and_writes_as_the_generated_methods(name: str) -> None:
    rng = random.Random(name)
    accepted = refused = written = 0
    for cls in records(module_of(name)):
        if hasattr(cls, "_placed"):
            continue
        try:
            samples = sample_list(cls, 6, 1)
        except ValueError:  # rules that values made at random hardly meet
            continue
        for value, data, parameters in samples:
            call = Call(cls, data, 0, parameters)
            assert check(call)
            accepted += 1
            refused += sum(not check(each) for each in (call.cut(rng), *(call.changed(rng) for _ in range(9))))
            written += same_bytes(value, parameters)
    assert accepted
    assert refused
    assert written


def same_bytes(value: Any, parameters: tuple[Any, ...]) -> bool:
    """Whether the native writer writes a value; its bytes and derived values are those of the generated writer."""
    data = generated.write(value, *parameters)
    before = contents(value)
    found = native.write(value, {}, 0, 192, parameters)
    assert found in (None, data)
    assert contents(value) == before
    return found is not None
