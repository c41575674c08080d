"""Values of generated classes as dicts and JSON, and back.

Both forms have the IDL's names as keys, names of enum members, and unions and variants as ``{member: value}``. JSON adds
forms for types that it lacks: base64 for bytes, text for UUIDs, NaN and infinities, lists for sets, and lists of pairs
for maps whose keys are not text.
"""

from __future__ import annotations

import math
import uuid
from binascii import a2b_base64, b2a_base64
from collections.abc import Collection, Mapping
from enum import IntEnum
from operator import index
from types import NoneType, UnionType
from typing import Any, get_args

from .errors import EncodeError, join_path
from .exact import exact_bytes
from .short import short
from .spec import TypeSpec, hashable
from .stack import roomy
from .suggest import hint

_SIZES = {
    "i8": 8, "i16": 16, "i32": 32, "i64": 64, "sint32": 32, "sint64": 64, "sfixed32": 32, "sfixed64": 64,
}  # fmt: skip
_UNSIGNED_SIZES = {"uint32": 32, "uint64": 64, "fixed32": 32, "fixed64": 64}
_SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def outward(value: Any, json: bool, *, typed: bool = True) -> Any:
    """Returns a field's value in plain types.

    Args:
        json: whether to return only JSON types: bytes become base64, NaN and infinities text.
        typed: False for a field without a type, whose bytes in JSON become ``{"base64": ...}``, its infinities and NaN
            ``{"float": ...}``.

    Raises:
        TypeError: the value has no plain form.
    """
    if hasattr(value, "_plain"):
        return roomy(value._plain, json)
    if isinstance(value, IntEnum):
        return value.name
    if isinstance(value, bytes | bytearray | memoryview):
        if not json:
            return exact_bytes(value)
        text = b2a_base64(exact_bytes(value), newline=False).decode()
        return text if typed else {"base64": text}
    if isinstance(value, float) and json and not math.isfinite(value):
        text = "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
        return text if typed else {"float": text}
    if isinstance(value, uuid.UUID):
        return str(value) if json else value
    if isinstance(value, list | tuple | range):
        return [outward(item, json, typed=typed) for item in value]
    if isinstance(value, set | frozenset):
        return [outward(item, json) for item in _in_order(value)] if json else _plain_set(value)
    if isinstance(value, dict):
        pairs = [(outward(key, json), outward(item, json)) for key, item in value.items()]
        named = all(isinstance(key, str if json else str | bytes | int | float | uuid.UUID) for key, _ in pairs)
        distinct = not json or all(isinstance(key, str | IntEnum) for key in value)
        return dict(pairs) if named and distinct else [list(pair) for pair in pairs]
    if hasattr(value, "tolist"):
        return outward(value.tolist(), json, typed=typed)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "__index__"):
        return index(value)
    raise TypeError(f"{type(value).__name__} has no plain form")


def _in_order(values: Collection[Any]) -> Collection[Any]:
    """Returns the values, sorted if they have an order, so that equal sets give equal JSON."""
    try:
        return sorted(values)
    except TypeError:
        return values


def _plain_set(values: Collection[Any]) -> Any:
    items = [outward(item, False) for item in values]
    return items if any(isinstance(item, dict | list) for item in items) else set(items)


def inward(data: Any, type_: TypeSpec, json: bool) -> Any:
    """Returns the value of a struct's field of ``type_`` from its plain form.

    Raises:
        EncodeError: ``data`` does not fit the type; the path begins below the field.
    """
    kind = type_.kind
    if kind == "enum" and isinstance(data, int):
        _integer(data, 32)
    if kind in ("struct", "enum"):
        return of_class(data, type_.cls, json)
    if kind in ("list", "set"):
        return _elements(data, type_, json)
    if kind == "map":
        return _entries(data, type_, json)
    if kind in _SIZES:
        return _integer(data, _SIZES[kind])
    if kind in _UNSIGNED_SIZES:
        return _integer(data, _UNSIGNED_SIZES[kind], signed=False)
    return scalar(data, kind, json)


def of_class(data: Any, cls: Any, json: bool) -> Any:
    """Returns an enum member, or a value of a generated class, from its plain form; unknown enum numbers stay int.

    Raises:
        EncodeError: ``data`` does not fit the class.
    """
    if not issubclass(cls, IntEnum):
        # A struct with a custom codec is a value of the codec's class, which may have a plain form.
        maker: Any = getattr(cls, "__custom__", None)
        maker = maker if hasattr(maker, "_of_plain") else cls
        return data if isinstance(data, cls | maker) else roomy(maker._of_plain, data, json)
    if isinstance(data, str):
        if data not in cls.__members__:
            raise EncodeError(f"{cls.__name__} has no member {data!r}{hint(data, cls.__members__)}")
        return cls[data]
    number = integer(data)
    return cls._value2member_map_.get(number, number)


def _float_of(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        raise EncodeError(f"an integer of {number.bit_length():,} bits is too large for a float") from None


def scalar(data: Any, kind: str, json: bool) -> Any:
    """Returns a scalar of the wire type ``kind`` (no integer) from its plain form.

    Raises:
        EncodeError: ``data`` is of another type.
    """
    if kind == "binary":
        return _binary(data, json)
    if kind == "string" and isinstance(data, str):
        return data
    if kind == "bool" and isinstance(data, bool):
        return data
    if kind in ("double", "float") and isinstance(data, int | float) and not isinstance(data, bool):
        return float.__float__(data) if isinstance(data, float) else _float_of(int.__int__(data))
    if kind in ("double", "float") and json and isinstance(data, str) and data in _SPECIAL:
        return _SPECIAL[data]
    if kind == "uuid":
        return _uuid(data)
    raise _needed({"string": "text", "bool": "true or false", "double": "a number", "float": "a number"}[kind], data)


def integer(data: Any) -> int:
    """Returns the int that ``data`` holds, without methods of its class.

    Raises:
        EncodeError: it is not an int, or is a bool.
    """
    if isinstance(data, bool) or not isinstance(data, int):
        raise _needed("an integer", data)
    return int.__int__(data)


def _integer(data: Any, bits: int, *, signed: bool = True) -> int:
    low, high = (-1 << (bits - 1), 1 << (bits - 1)) if signed else (0, 1 << bits)
    number = integer(data)
    if not low <= number < high:
        raise EncodeError(f"{number} does not fit {bits} bits")
    return number


def _binary(data: Any, json: bool) -> bytes:
    if not json:
        if isinstance(data, bytes | bytearray | memoryview):
            return exact_bytes(data)
        raise _needed("bytes", data)
    if not isinstance(data, str):
        raise _needed("bytes as base64", data)
    try:
        return a2b_base64(data, strict_mode=True) if data else b""
    except ValueError as error:
        raise EncodeError(f"not base64: {error}") from None


def _uuid(data: Any) -> uuid.UUID:
    if isinstance(data, uuid.UUID):
        return data
    try:
        return uuid.UUID(data)
    except (ValueError, TypeError, AttributeError):
        raise _needed("a UUID", data) from None


def _elements(data: Any, type_: TypeSpec, json: bool) -> Any:
    if not isinstance(data, list | tuple | set | frozenset):
        raise _needed(f"a {type_.kind}", data)
    assert type_.value is not None
    found = []
    for number, item in enumerate(data):
        try:
            found.append(inward(item, type_.value, json))
        except EncodeError as error:
            raise located(error, f"[{number}]") from None
    if type_.kind != "set" or not hashable(type_.value):
        return found
    _check_once(found, "the element")
    return set(found)


def _entries(data: Any, type_: TypeSpec, json: bool) -> Any:
    if not isinstance(data, Mapping | list | tuple):
        raise _needed("a map or a list of pairs", data)
    assert type_.key is not None
    assert type_.value is not None
    found = []
    for number, pair in enumerate(data.items() if isinstance(data, Mapping) else data):
        try:
            if not isinstance(pair, list | tuple) or len(pair) != 2:
                raise _needed("a pair of key and value", pair)
            found.append((inward(pair[0], type_.key, json), inward(pair[1], type_.value, json)))
        except EncodeError as error:
            raise located(error, f"[{number}]") from None
    if not hashable(type_.key):
        return found
    _check_once([key for key, _ in found], "the key")
    return dict(found)


def _check_once(values: list[Any], what: str) -> None:
    """Raises EncodeError for a value that occurs before, which a set or a dict would lose."""
    known = set()
    for number, value in enumerate(values):
        if value in known:
            raise EncodeError(f"{what} {short(value)} occurs twice", path=f"[{number}]")
        known.add(value)


def json_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns an object of a JSON text as a dict.

    Raises:
        ValueError: it has a name twice, of which a dict would lose the first value.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"an object has the name {next(each for each in names if names.count(each) > 1)!r} twice")
    return found


def by_hint(data: Any, wanted: Any, json: bool) -> Any:
    """Returns the value of a record's field from its plain form, by the annotation of its class.

    Raises:
        EncodeError: ``data`` does not fit the annotation.
    """
    if wanted is Any:
        return _untyped(data)
    parts = get_args(wanted)
    if isinstance(wanted, UnionType):
        return None if data is None and NoneType in parts else by_hint(data, parts[0], json)
    if parts:
        if not isinstance(data, list | tuple):
            raise _needed("a list", data)
        return [_element(item, number, parts[0], json) for number, item in enumerate(data)]
    if isinstance(wanted, type) and (issubclass(wanted, IntEnum) or hasattr(wanted, "_of_plain")):
        return of_class(data, wanted, json)
    if wanted is int:
        return integer(data)
    kind = {bytes: "binary", str: "string", float: "double", bool: "bool"}.get(wanted)
    return data if kind is None else scalar(data, kind, json)


def _element(item: Any, number: int, wanted: Any, json: bool) -> Any:
    if item is None and wanted is int:
        return None  # an offset that writers compute; they refuse others
    try:
        return by_hint(item, wanted, json)
    except EncodeError as error:
        raise located(error, f"[{number}]") from None


def _untyped(data: Any) -> Any:
    if isinstance(data, list):
        return [_untyped(item) for item in data]
    match data:
        case {"base64": text, **rest} if not rest:
            return _binary(text, True)
        case {"float": str() as text, **rest} if not rest and text in _SPECIAL:
            return _SPECIAL[text]
    return data


def mapping(data: Any, known: Collection[str]) -> Mapping[str, Any]:
    """Returns ``data``, the plain form of a value's fields.

    Raises:
        EncodeError: it is not a mapping, or has a key that is not in ``known``.
    """
    if not isinstance(data, Mapping):
        raise _needed("a dict", data)
    for name in data:
        if name not in known:
            raise EncodeError(f"no field {name!r}{hint(str(name), known)}")
    return data


def located(error: EncodeError, step: str) -> EncodeError:
    """Returns ``error`` after prefixing its path with a step."""
    error.path = join_path(step, error.path)
    return error


def _needed(what: str, data: Any) -> EncodeError:
    text = repr(data)
    return EncodeError(
        f"{what} {'are' if what.startswith('bytes') else 'is'} needed, not {text if len(text) <= 60 else type(data).__name__}"
    )
