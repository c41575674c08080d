"""Every mutation of the project's IDL files that does something else with bytes is a finding of `breaking`."""

from __future__ import annotations

from zlib import crc32

import pytest

from lakecodec import breaking, compile_idl
from lakecodec.generator.diagnostics import IdlError

from ..mutation.mutations import Mutation
from ..mutation.test_spec_drives import SPEC_FILES, Spec, found_mutations, survives
from ..paths import SPECS

#: How many mutations of a file a short run takes.
_SHORT = {"deletion_vector": 12, "delta_partition": 8, "row": 6, "png": 8, "wave": 5}
#: Changes that `breaking` does not find, by (file, part of the line), and why.
_UNFOUND: dict[tuple[str, str], str] = {
    ("deletion_vector", "count(keys) <= 65536"): "samples do not have 65,536 containers",
    ("deletion_vector", "vector size length"): "the derived length says the same, in the same bytes",
    ("png", "record File : big"): "a file has no numbers of its own, so no byte order",
    ("png", "content_size < 1 << 31"): "no sample has 2 GiB",
    ("wave", 'bytes riff[4] = "RIFF"'): "as text the same four bytes",
    ("wave", 'bytes form[4] = "WAVE"'): "the same",
    ("wave", "Body body size body_size"): "the derived length says the same, of all bytes that are left",
}


#: Formats of the gallery; the project's own code does not use them, so that samples alone tell what a mutation does.
GALLERY = [Spec(name, lambda _: (), 0, SPECS / "gallery") for name in ("png", "wave")]


def _unnoticed(spec: Spec, mutation: Mutation) -> bool:
    """Returns whether a sound mutation changes what the module does without being found; messages of errors break nobody."""
    if mutation.kind == "clause" and mutation.change.startswith("else "):
        return False
    try:
        compile_idl(mutation.text, name=spec.name, include_paths=[SPECS])
    except IdlError:
        return False
    if breaking(spec.text, mutation.text) or (spec not in GALLERY and survives(spec, mutation)):
        return False
    return not any(name == spec.name and part in mutation.line for name, part in _UNFOUND)


def _chosen(spec: Spec, count: int) -> list[Mutation]:
    return sorted(found_mutations(spec), key=lambda each: crc32(f"{each.change} {each.line}".encode()))[:count]


@pytest.mark.parametrize(
    "spec", [spec for spec in [*SPEC_FILES, *GALLERY] if spec.name in _SHORT], ids=lambda spec: spec.name
)
def test_some_mutations_are_found(spec: Spec) -> None:
    assert [str(each) for each in _chosen(spec, _SHORT[spec.name]) if _unnoticed(spec, each)] == []


@pytest.mark.fuzz
@pytest.mark.timeout(7200)
@pytest.mark.parametrize(
    "spec", [spec for spec in [*SPEC_FILES, *GALLERY] if spec.name != "parquet_file"], ids=lambda spec: spec.name
)
def test_all_mutations_are_found(spec: Spec) -> None:
    assert [str(each) for each in found_mutations(spec) if _unnoticed(spec, each)] == []
