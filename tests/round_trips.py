"""What `check` calls sound: samples of a type are written, read back equal, and read alike by both backends, damaged or not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any

from lakecodec import DecodeError, EncodeError
from lakecodec.runtime.json_object import JsonObject
from lakecodec.runtime.objects import Value
from lakecodec.runtime.records.values import Fields
from lakecodec.workbench.sampling.sampler import Sample, sample_list

from .oracle.backends import BACKENDS, running


def types(module: Any) -> list[Any]:
    """Returns the classes of a compiled IDL that have bytes of their own."""
    return [spec.cls for spec in module.__spec__.values() if spec.kind != "enum" and hasattr(spec.cls, "from_bytes")]


def samples_of(cls: Any, count: int, seed: int) -> list[Sample]:
    """Returns samples, or none for a type whose rules are too narrow for the search."""
    try:
        return sample_list(cls, count, seed)
    except ValueError:
        return []


def verify(sample: Sample, cls: Any) -> None:
    """Fails unless both backends write the bytes of the sample, and read equal values from them."""
    cls, written = _owner(cls), []
    for backend in BACKENDS:
        with running(backend):
            value = cls.from_bytes(sample.data, *sample.parameters)
            assert value == sample.value, (backend, value, sample.value)
            written.append(_written(value, sample.parameters, start=sample.start))
    assert all(other == written[0] for other in written), (sample, written)
    assert isinstance(written[0], bytes), (sample, written)
    with running("pure"):
        again = cls.from_bytes(written[0], *sample.parameters)
    assert again == sample.value, (sample, written[0], again)


def verify_damaged(sample: Sample, cls: Any, random: Random, count: int) -> int:
    """Fails unless both backends agree on what bytes with random changes are, and what of them is read is written or refused."""
    cls = _owner(cls)
    for _ in range(count):
        data = changed(sample.data, random)
        outcomes = []
        for backend in BACKENDS:
            with running(backend):
                outcomes.append(_outcome(cls, data, sample.parameters))
        assert all(other == outcomes[0] for other in outcomes), (data, sample.parameters, outcomes)
    return count


def verify_same(sample: Sample, cls: Any, random: Random, count: int) -> int:
    """Fails unless what is read of the sample, and of bytes with random changes, is written as the same bytes, or refused.

    Structs and messages have forms of their own that normalize. Returns how many were written.
    """
    cls, compared = _owner(cls), 0
    for data in (sample.data, *(changed(sample.data, random) for _ in range(count))):
        for backend in BACKENDS:
            with running(backend):
                try:
                    value = cls.from_bytes(data, *sample.parameters)
                except DecodeError:
                    continue
                written = _written(value, sample.parameters)
                if isinstance(written, str) or _has_forms(value):
                    continue
                # Of a record with parameters, places and what follows can belong to what gives the parameters.
                is_part = bool(sample.parameters) and hasattr(cls, "_placed")
                assert written == (data[: len(written)] if is_part else data), (backend, data, sample.parameters, value)
                compared += 1
    return compared


def _has_forms(value: Any) -> bool:
    """Returns whether a value holds structs or messages, which are not records."""
    if isinstance(value, list | tuple):
        return any(map(_has_forms, value))
    if isinstance(value, Fields):
        return any(_has_forms(getattr(value, name, None)) for name in value._settable())
    return isinstance(value, Value)


def changed(data: bytes, random: Random) -> bytes:
    """Returns the bytes with one to three random changes."""
    changing = bytearray(data)
    for _ in range(random.randrange(1, 4)):
        at = random.randrange(len(changing) + 1)
        match random.randrange(4):
            case 0:
                changing[at : at + 1] = bytes([random.choice((0, 1, 2, 127, 128, 255, random.randrange(256)))])
            case 1:
                del changing[at:]
            case 2:
                changing[at:at] = random.randbytes(random.randrange(1, 4))
            case _:
                del changing[at : at + 1]
    return bytes(changing)


def _owner(cls: Any) -> Any:
    return cls.__mro__[1] if isinstance(vars(cls).get("kind"), str) else cls


def _outcome(cls: Any, data: bytes, parameters: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        value = cls.from_bytes(data, *parameters)
        # What is read when it is asked for is read here.
        found = type(value).__name__, repr(value.to_dict())
    except DecodeError as error:
        return error.path, error.offset, error.rule
    written = _written(value, parameters)
    return *found, written


def _written(value: Any, parameters: tuple[Any, ...], edited: str = "", start: int = 0) -> bytes | str:
    """Returns the bytes of a value, behind zeros up to its start, or the error, which must name the field that was edited."""
    try:
        if start:
            return bytes(start) + value.to_bytes(*parameters, start=start)
        return value.to_bytes(*parameters) if parameters else value.to_bytes()
    except EncodeError as error:
        refused = error
    assert not edited or is_named(edited, refused), (edited, value, str(refused))
    return f"{refused.path}: {refused}"


def text_of_path(path: Sequence[str | int]) -> str:
    return "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path).removeprefix(".")


#: Errors of bytes that a field of another length has moved: they name the two fields that share or leave them.
_OF_PLACES = re.compile(r"its (\d+ )?bytes at \d+ (begin|are)|belong to no field|cannot be read back")


def is_named(path: str, error: EncodeError) -> bool:
    """Returns whether an error names the field at a path, or what holds that field."""
    said = f"{error.path} {error.rule}"
    while path:
        if re.search(rf"(?<![\w.]){re.escape(path)}(?!\w)", said):
            return True
        path = path[: max(0, path.rfind("."), path.rfind("["))]
    return bool(_OF_PLACES.search(error.rule))


def verify_edited(sample: Sample, cls: Any, random: Random, count: int, computed: frozenset[str] = frozenset()) -> int:
    """Fails unless both backends write a value with one other field alike, as bytes that are read, or refuse it.

    Args:
        computed: fields that writers compute, by `with` in what holds them.
    """
    cls = _owner(cls)
    for _ in range(count):
        seed = random.random()
        written, values = list[Any](), []
        for backend in BACKENDS:
            with running(backend):
                value = cls.from_bytes(sample.data, *sample.parameters)
                path, edit = _edited(value, Random(seed))
                written.append(_written(value, sample.parameters, path))
                values.append(value)
        assert all(other == written[0] for other in written), (sample, path, edit, written)
        if isinstance(written[0], bytes):
            again = cls.from_bytes(written[0], *sample.parameters)
            # What was set is in the bytes: nothing is undone, or contradicted, in silence. None can be left to be computed.
            is_open = edit is None or (isinstance(edit, list) and None in edit)
            if not is_open and edit != "cannot be set":
                assert _at(again, path) == edit, (sample, path, edit, written[0], again)
            assert is_open or all(_kept(again, computed) == _kept(value, computed) for value in values), (
                sample,
                path,
                edit,
                written[0],
                again,
                values,
            )
        else:
            assert not PYTHONS_WORDS.search(written[0]), (sample, path, edit, written[0])
    return count


def _kept(value: Any, computed: frozenset[str]) -> Any:
    """Returns the values in a record but for offsets, which writing sets in the bytes alone."""
    if isinstance(value, list):
        return [_kept(each, computed) for each in value]
    if isinstance(value, JsonObject):
        return {name: _kept(each, computed) for name, each in value.members.items() if name not in computed}
    if not isinstance(value, Fields):
        return value
    offsets = {row.offset[0] for row in getattr(value, "_placed", {}).values() if row.offset} | computed
    names = [name for name in value._settable() if name not in offsets]
    return type(value), [_kept(getattr(value, name), computed) for name in names]


#: Words of Python's own errors, which say nothing about the data.
PYTHONS_WORDS = re.compile(
    r"is not defined|has no field|not supported between|unsupported operand|bad operand|has no len|not subscriptable|not iterable"
    r"|object has no attribute|object attribute|'NoneType'|list index|indices must|cannot be interpreted|positional argument"
    r"|int too|unhashable|unpack|format requires|<class|<function|<built-in|Error:"
    r"|can only concatenate|negative shift|immutable type"
)


def _edited(value: Any, random: Random) -> tuple[str, Any]:
    """Sets a field of the value, or of one in it, or an element of a list, and returns its path and what was set."""
    names, before = [name for name in value.to_dict() if hasattr(value, name)], ""
    while names:
        name = random.choice(names)
        own, path = getattr(value, name), before + name
        if isinstance(own, list) and own and random.random() < 0.4:
            index = random.randrange(len(own))
            path = f"{path}[{index}]"
            if not isinstance(own[index], Value):
                own[index] = other = _other(own[index], random)
                return path, other
            own = own[index]
            if not any(hasattr(own, each) for each in own.to_dict()):
                return "", None
        if isinstance(own, Value) and ("[" in path[len(before) :] or random.random() < 0.7):
            value, before, names = own, f"{path}.", [each for each in own.to_dict() if hasattr(own, each)]
            continue
        other = _other(own, random)
        try:
            setattr(value, name, other)
        except (AttributeError, TypeError, EncodeError):
            return path, "cannot be set"
        return path, other
    return "", None


def _at(value: Any, path: str) -> Any:
    for each in re.findall(r"\w+", path):
        value = value[int(each)] if each.isdigit() else getattr(value, each)
    return value


def _other(own: Any, random: Random) -> Any:
    common = [None, None]
    match own:
        case bool():
            return random.choice([*common, not own])
        case int():
            return random.choice([*common, 0, 1, 2, own + 1, own - 1, 255, 2**40])
        case float():
            return random.choice([*common, 0.5])
        case str():
            return random.choice([*common, "", own + "x", "a\0b"])
        case bytes():
            return random.choice([*common, b"", own + b"x", b"a\0b"])
        case list():
            return random.choice([*common, [], own[1:], [*own, *deepcopy(own[:1])], [None, *own[1:]]])
    return None
