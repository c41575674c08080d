"""Files of every format of idl/ and its gallery: sound, explained to the last byte, and the same after a way through JSON."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from lakecodec import EncodeError
from lakecodec.formats import recognise
from lakecodec.workbench import dumps, explore, load, verify

from .files import NAMES, file_of, type_of
from .trees import check_places, leaves

pytestmark = pytest.mark.parametrize("name", NAMES)


def test_files_of_others_are_sound(name: str) -> None:
    assert [str(each) for each in verify(file_of(name), type_of(name)) if each.is_error] == []


def test_they_are_recognised(name: str) -> None:
    found = recognise(file_of(name))
    # Roaring bitmaps have magic bytes without runs only, DER has none, Delta's vectors are no files of their own.
    assert found is None if name in ("deletion_vector", "der", "roaring") else found is not None and found.name == name


def test_every_byte_is_a_fields_or_a_gaps(name: str) -> None:
    data = file_of(name)
    tree = explore(data, type_of(name))
    explained = bytearray(len(data))
    for each in leaves(tree.root):
        assert 0 <= each.offset <= each.end <= len(data), each.path
        explained[each.offset : each.end] = b"\1" * each.size
    assert explained.count(0) == 0
    check_places(tree)
    assert tree.errors() == []


def test_json_and_back_gives_the_same_bytes(name: str) -> None:
    assert load(dumps(file_of(name), type_of(name))) == file_of(name)


def test_an_edit_that_no_type_holds_is_told_with_its_place(name: str) -> None:
    found = json.loads(dumps(file_of(name), type_of(name)))
    told: list[ValueError] = []
    for part in [each for each in found.get("parts", [found]) if "value" in each][:4]:
        for holder, key in islice(_numbers(part["value"]), 3):
            holder[key], before = 1 << 70, holder[key]
            try:
                load(found)
            except ValueError as error:
                told.append(error)
            holder[key] = before
    errors = [each for each in told if isinstance(each, EncodeError)]
    assert all(each.path for each in errors)
    assert all("the metadata points to no part" in str(each) for each in told if each not in errors)
    # A number of JSON, as in Puffin's footers, may be of any size.
    assert errors or name == "puffin"


def _numbers(value: Any) -> Iterator[tuple[Any, Any]]:
    """The integers in JSON, each as what holds it and its key."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
    for key, each in list(pairs):
        if type(each) is int:
            yield value, key
        yield from _numbers(each)


def test_what_was_read_pickles_with_its_bytes(name: str) -> None:
    value = type_of(name).from_bytes(file_of(name))
    for other in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):
        assert other == value
        # Of these two the values stand between what the record holds.
        if name not in ("mosaic", "parquet_file"):
            assert other.to_bytes() == file_of(name)
