"""Every clause of the IDL files matters: a changed text is refused, or does something else with the samples.

Runs a part of all mutations, the same every time; ``-m fuzz`` runs all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from lakecodec import compile_idl

from ..paths import SPECS, TESTS
from .constructs_outcome import outcome as constructs_outcome
from .deletion_vector_outcome import outcome as deletion_vector_outcome
from .delta_outcome import outcome as delta_outcome
from .mosaic_outcome import outcome as mosaic_outcome
from .mutations import Mutation, mutations
from .page_outcome import outcome as page_outcome
from .parquet_outcome import file_outcome, structs_outcome
from .row_outcome import outcome as row_outcome
from .survivors import SURVIVORS


@dataclass(frozen=True)
class Spec:
    """An IDL file, what to do with a module of it, and how many of its mutations a short run takes."""

    name: str
    outcome: Callable[[Any], Iterable[str]]
    short: int
    folder: Path = SPECS

    @property
    def text(self) -> str:
        return (self.folder / f"{self.name}.idl").read_text()


SPEC_FILES = [
    Spec("row", row_outcome, 25),
    Spec("parquet", structs_outcome, 40),
    Spec("parquet_file", file_outcome, 25),
    Spec("parquet_page", page_outcome, 15),
    Spec("mosaic", mosaic_outcome, 25),
    Spec("delta_partition", delta_outcome, 40),
    Spec("deletion_vector", deletion_vector_outcome, 25),
    Spec("constructs", constructs_outcome, 15, TESTS / "mutation"),
]
#: The share of all mutations that may change nothing, each of them listed with its reason.
_MAY_SURVIVE = 0.05


@cache
def found_mutations(spec: Spec) -> list[Mutation]:
    return mutations(spec.text)


@cache
def _unchanged(spec: Spec) -> list[str]:
    return list(_outcome(spec, spec.text))


def _outcome(spec: Spec, text: str) -> Iterator[str]:
    try:
        module = compile_idl(text, name=spec.name, include_paths=[SPECS])
        yield from spec.outcome(module)
    except RecursionError:
        raise
    except Exception as error:
        yield f"refused: {type(error).__name__}"


def survives(spec: Spec, mutation: Mutation) -> bool:
    """Whether a changed text does nothing else than the file."""
    return all(a == b for a, b in zip_longest(_outcome(spec, mutation.text), _unchanged(spec)))


def reason(spec: Spec, mutation: Mutation) -> str | None:
    """Why a mutation may change nothing."""
    for (name, kind, line), why in SURVIVORS.items():
        if name == spec.name and mutation.kind == kind and line in mutation.line:
            return why
    return None


@pytest.mark.parametrize("spec", SPEC_FILES, ids=lambda spec: spec.name)
def test_outcomes_are_the_same_every_time(spec: Spec) -> None:
    assert list(_outcome(spec, spec.text)) == _unchanged(spec)
    assert len(_unchanged(spec)) > 15


@pytest.mark.parametrize("spec", SPEC_FILES, ids=lambda spec: spec.name)
def test_some_mutations_are_refused_or_change_something(spec: Spec) -> None:
    # By what they change, so that other changes of the file leave the choice alone.
    sample = sorted(found_mutations(spec), key=lambda each: crc32(f"{each.kind} {each.change} {each.line}".encode()))
    sample = sample[: spec.short]
    assert [str(each) for each in sample if survives(spec, each) and reason(spec, each) is None] == []


@pytest.mark.fuzz
@pytest.mark.parametrize("spec", SPEC_FILES, ids=lambda spec: spec.name)
def test_all_mutations_are_refused_or_change_something(spec: Spec) -> None:
    alive = [each for each in found_mutations(spec) if survives(spec, each)]
    assert [str(each) for each in alive if reason(spec, each) is None] == []
    assert len(alive) <= _MAY_SURVIVE * len(found_mutations(spec))
