"""Random IDLs that `check` calls sound: they compile, and what their writers write, their readers read, on both backends."""

from __future__ import annotations

import re
from random import Random

import pytest

from lakecodec import IdlError, compile_idl

from ..edits import computed_by_with, verify_edits, verify_opened
from ..random_idls import random_idl, small_idl
from ..round_trips import samples_of, verify, verify_damaged, verify_edited, verify_same


def _verify(text: str, seed: int, samples: int, changes: int) -> int:
    """Returns how many samples of an IDL were compared; 0 where the compiler refuses it."""
    compared = 0
    try:
        module = compile_idl(text)
    except IdlError:
        return 0
    computed = computed_by_with(text)
    for cls in [getattr(module, name) for name in vars(module) if re.fullmatch(r"[RSUVM]\d", name)]:
        try:
            found = samples_of(cls, samples, seed)
            for sample in found:
                random = Random(seed)
                verify(sample, cls)
                verify_damaged(sample, cls, random, changes)
                verify_edited(sample, cls, random, changes, computed)
                if re.fullmatch(r"[RV]\d", cls.__name__):
                    verify_same(sample, cls, random, changes)
                    verify_opened(sample, cls)
                    verify_edits(sample, found, cls, random, changes, text)
                compared += 1
        except Exception as error:
            raise AssertionError(f"seed {seed}, {cls.__name__}: {error!r}\n{text}") from error
    return compared


def test_the_same_seed_gives_the_same_text() -> None:
    assert random_idl(Random(1)) == random_idl(Random(1)) != random_idl(Random(2))


def test_random_idls_are_sound() -> None:
    assert sum(_verify(random_idl(Random(seed)), seed, 2, 2) for seed in range(2)) > 15


def test_small_random_idls_are_sound() -> None:
    assert sum(_verify(small_idl(Random(seed)), seed, 2, 3) > 0 for seed in range(40)) > 30


@pytest.mark.fuzz
@pytest.mark.timeout(3600)
def test_many_random_idls_are_sound() -> None:
    assert sum(_verify(random_idl(Random(seed)), seed, 4, 8) > 0 for seed in range(1000)) > 900


@pytest.mark.fuzz
@pytest.mark.timeout(7200)
def test_many_small_random_idls_are_sound() -> None:
    assert sum(_verify(small_idl(Random(seed)), seed, 3, 8) > 0 for seed in range(5000)) > 4500
