"""Encoding by interpretation of the specs, with every value checked.

The pure backend falls back to it for uncommon types and to explain why a generated writer failed; the tests use it as the
oracle for generated writers and for the native backend.
"""

from __future__ import annotations

import operator
import uuid
from collections.abc import Callable, Iterator, Sequence
from struct import pack
from typing import Any

from ..errors import EncodeError, join_path
from ..exact import exact, exact_bytes
from ..guarded import of_struct
from ..spec import FieldSpec, Spec, TypeSpec
from .rules import ENCODE_RULES
from .unknown import KeepsUnknown, written
from .wire import (
    FALSE,
    INT_BOUNDS,
    TRUE,
    WIRE_TYPES,
    write_field_header,
    write_list_header,
    write_varint,
    write_zigzag,
)  # fmt: skip

#: The deepest nesting that is written: deeper objects must contain themselves.
MAX_DEPTH = 1000


class Unfit(Exception):
    """The error for a value that does not fit its type; ``path`` grows while the error passes outwards."""

    def __init__(self, key: str, detail: str = "", path: str = "") -> None:
        super().__init__(key)
        self.key = key
        self.detail = detail
        self.path = path

    def within(self, step: str) -> Unfit:
        self.path = join_path(step, self.path)
        return self


def encode(spec: Spec, value: Any, text: str, format: str) -> bytes:
    """Returns the encoded struct or union; raises EncodeError with the path of the value that does not fit."""
    return explained(lambda: _encoded(spec, value, text), format)


def _encoded(spec: Spec, value: Any, text: str) -> bytes:
    out = bytearray()
    write_struct(spec, out, value, text, 1)
    return bytes(out)


def explained(write: Callable[[], bytes], format: str) -> bytes:
    """Returns the bytes of ``write``; an Unfit value becomes an EncodeError with its path."""
    try:
        return write()
    except Unfit as unfit:
        rule = unfit.detail if unfit.key == "custom" else ENCODE_RULES[unfit.key] + unfit.detail
        raise EncodeError(rule, format=format, path=unfit.path) from None
    except RecursionError:
        raise EncodeError(ENCODE_RULES["depth"], format=format) from None


def write_struct(spec: Spec, out: bytearray, value: Any, text: str, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise Unfit("depth")
    if "lakecodec.codec" in spec.annotations:
        try:
            out += of_struct(spec.cls).write(value)
        except EncodeError as error:
            raise Unfit("custom", error.rule, error.path) from None
        return
    if not isinstance(value, spec.cls):
        raise Unfit("type", f"{spec.name}, not {type(value).__name__}")
    if spec.kind == "union":
        _write_union(spec, out, value, text, depth)
        return
    last, start = 0, len(out)
    for field in spec.fields:
        item = getattr(value, field.attr)
        if item is None:
            if field.requiredness == "required":
                raise Unfit("required", path=field.name)
            continue
        last = _write_field(field, out, item, last, text, depth)
    out.append(0)
    if isinstance(value, KeepsUnknown):
        out[start:] = written(bytes(out[start:]), value)


def _write_field(field: FieldSpec, out: bytearray, item: Any, last: int, text: str, depth: int) -> int:
    try:
        if field.type.kind == "bool":
            return write_field_header(out, last, field.id, TRUE if checked_bool(item) else FALSE)
        write_field_header(out, last, field.id, WIRE_TYPES[field.type.kind])
        write_value(field.type, out, item, text, depth + 1)
    except Unfit as unfit:
        raise unfit.within(field.name) from None
    return field.id


def _write_union(spec: Spec, out: bytearray, value: Any, text: str, depth: int) -> None:
    member = next((field for field in spec.fields if field.id == value.id and value.kind is not None), None)
    if member is not None:
        _write_field(member, out, value.value, 0, text, depth)
    else:
        _write_unknown(out, value.id, value.wire, value.raw)
    out.append(0)


def _write_unknown(out: bytearray, id_: Any, wire: Any, raw: Any) -> None:
    """Writes an unknown union member as it was read."""
    if not isinstance(raw, bytes) or not isinstance(wire, int) or not isinstance(id_, int):
        raise Unfit("member")
    id_, wire = operator.index(id_), operator.index(wire)
    if not -32768 <= id_ <= 32767 or not TRUE <= wire <= WIRE_TYPES["uuid"]:
        raise Unfit("member")
    write_field_header(out, 0, id_, wire)
    out += exact(raw)


def write_value(type_: TypeSpec, out: bytearray, value: Any, text: str, depth: int) -> None:
    kind = type_.kind
    if kind in INT_BOUNDS:
        bound = INT_BOUNDS[kind]
        number = checked_int(value, -bound, bound, "i32" if kind == "enum" else kind)
        if kind == "i8":
            out.append(number & 255)
        else:
            write_zigzag(out, number)
    elif kind in ("binary", "string"):
        data = checked_bytes(value) if kind == "binary" else checked_text(value, text)
        write_varint(out, len(data))
        out += data
    elif kind == "struct":
        assert type_.cls is not None
        write_struct(type_.cls.__spec__, out, value, text, depth)  # type: ignore[attr-defined]
    elif kind in ("list", "set"):
        _write_list(type_, out, value, text, depth)
    elif kind == "map":
        _write_map(type_, out, value, text, depth)
    elif kind == "bool":
        out.append(1 if checked_bool(value) else 2)
    elif kind == "double":
        out += packed_float("<d", value, kind)
    else:
        out += _uuid_bytes(value)


def _uuid_bytes(value: Any) -> bytes:
    if not isinstance(value, uuid.UUID):
        raise Unfit("type", f"a uuid.UUID, not {type(value).__name__}")
    data = value.bytes
    if not isinstance(data, bytes) or len(data := exact(data)) != 16:
        raise TypeError("UUID.bytes must be 16 bytes")
    return data


def _write_list(type_: TypeSpec, out: bytearray, value: Any, text: str, depth: int) -> None:
    element = type_.value
    assert element is not None
    allowed = (list, tuple) if type_.kind == "list" else (list, tuple, set, frozenset)
    if not isinstance(value, allowed):
        raise Unfit("type", f"a {type_.kind}, not {type(value).__name__}")
    if depth > MAX_DEPTH:
        raise Unfit("depth")
    encoded = []
    items = plain_sequence(value)
    in_order = isinstance(value, list | tuple) or _sort(items)
    for index, item in unchanging(items):
        part = bytearray()
        try:
            write_value(element, part, item, text, depth + 1)
        except Unfit as unfit:
            raise unfit.within(f"[{index}]") from None
        encoded.append(bytes(part))
    if not in_order:
        encoded.sort()
    write_list_header(out, len(encoded), WIRE_TYPES[element.kind])
    out += b"".join(encoded)


def plain_sequence(value: Any) -> Any:
    """Returns a list or tuple unchanged, another value as a list of its items; only its iterator is called."""
    return value if type(value) is list or type(value) is tuple else list(iter(value))


def unchanging(items: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Yields (index, element) of a sequence.

    Raises:
        Unfit: the sequence changed its size meanwhile.
    """
    count = len(items)
    for index in range(count):
        if len(items) != count:
            raise Unfit("changed")
        yield index, items[index]


def _sort(items: list[Any]) -> bool:
    """Sorts a list in place if its elements have an order; returns whether they have one."""
    try:
        items[:] = sorted(items)
    except TypeError:
        return False
    return True


def pairs_of(value: Any) -> list[tuple[Any, Any]] | None:
    """Returns the pairs of a dict or a list of pairs; None if an item is not a pair."""
    pairs: list[Any] = list(iter(value.items() if isinstance(value, dict) else value))
    for index, pair in enumerate(pairs):
        if not isinstance(pair, list | tuple) or len(parts := tuple(iter(pair))) != 2:
            return None
        pairs[index] = parts
    return pairs


def _write_map(type_: TypeSpec, out: bytearray, value: Any, text: str, depth: int) -> None:
    assert type_.key is not None
    assert type_.value is not None
    if depth > MAX_DEPTH:
        raise Unfit("depth")
    pairs = pairs_of(value) if isinstance(value, dict | list | tuple) else None
    if pairs is None:
        raise Unfit("type", f"a dict or a list of pairs, not {type(value).__name__}")
    write_varint(out, len(pairs))
    if pairs:
        out.append(WIRE_TYPES[type_.key.kind] << 4 | WIRE_TYPES[type_.value.kind])
    for index, (key, item) in enumerate(pairs):
        try:
            write_value(type_.key, out, key, text, depth + 1)
            write_value(type_.value, out, item, text, depth + 1)
        except Unfit as unfit:
            raise unfit.within(f"[{index}]") from None


def checked_int(value: Any, low: int, high: int, kind: str) -> int:
    """Returns a value as an int; it must be at least ``low`` and less than ``high``."""
    try:
        number = operator.index(value)
    except TypeError:
        raise Unfit("type", f"an int, not {type(value).__name__}") from None
    if isinstance(value, bool):
        raise Unfit("type", "an int, not bool")
    if not low <= number < high:
        raise Unfit("range", kind)
    return number


def packed_float(format: str, value: Any, kind: str) -> bytes:
    """Returns a float packed in a format of the struct module."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unfit("type", f"a float, not {type(value).__name__}")
    try:
        return pack(format, float.__float__(value) if isinstance(value, float) else float(value))
    except OverflowError:
        raise Unfit("range", kind) from None


def checked_bool(value: Any) -> bool:
    if value is not True and value is not False:
        raise Unfit("type", f"a bool, not {type(value).__name__}")
    return bool(value)


def checked_bytes(value: Any) -> bytes:
    if isinstance(value, str):
        raise Unfit("type", "bytes, not str")
    try:
        return exact_bytes(value)
    except TypeError:
        raise Unfit("type", f"bytes, not {type(value).__name__}") from None


def checked_text(value: Any, text: str) -> bytes:
    """Returns a text as UTF-8; ``text`` is the policy for invalid text."""
    if text == "bytes" and isinstance(value, bytes | bytearray | memoryview):
        return checked_bytes(value)
    if not isinstance(value, str):
        raise Unfit("type", f"a str, not {type(value).__name__}")
    try:
        return str.encode(value, "utf-8", "surrogateescape" if text == "surrogateescape" else "strict")
    except UnicodeEncodeError:
        raise Unfit("utf-8") from None
