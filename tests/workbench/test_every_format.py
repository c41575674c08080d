"""Files of every format of idl/ and its gallery: sound, explained to the last byte, and the same after a way through JSON."""

from __future__ import annotations

import copy
import pickle

import pytest

from lakecodec.formats import recognise
from lakecodec.workbench import dumps, explore, load, verify

from .files import NAMES, file_of, type_of
from .trees import check_places, leaves

pytestmark = pytest.mark.parametrize("name", NAMES)


def test_files_of_others_are_sound(name: str) -> None:
    assert [str(each) for each in verify(file_of(name), type_of(name)) if each.is_error] == []


def test_they_are_recognised(name: str) -> None:
    found = recognise(file_of(name))
    # Roaring bitmaps have magic bytes without runs only, Delta's vectors are no files of their own.
    assert found is None if name in ("deletion_vector", "roaring") else found is not None and found.name == name


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


def test_what_was_read_pickles_with_its_bytes(name: str) -> None:
    value = type_of(name).from_bytes(file_of(name))
    for other in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):
        assert other == value
        # Of these two the values stand between what the record holds.
        if name not in ("mosaic", "parquet_file"):
            assert other.to_bytes() == file_of(name)
