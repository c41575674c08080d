"""Whole files as JSON, and back to the same bytes.

The JSON of a file has its fields in the form of `to_json`, and the parts that its metadata points to. If a
field's value does not say all (unknown fields, bytes between fields, another encoding of the same value), its bytes are
kept beside it, and an edit is made to the value in these bytes.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from ..generated import parquet_file
from ..runtime.compiled import module_named
from ..runtime.errors import CodecError, DecodeError, format_name, join_path
from ..runtime.plain import json_object, outward
from ..runtime.ranges import RangeReader, map_ranges
from ..runtime.records.depths import computes_given
from ..runtime.records.lazy import LazyRecord
from ..runtime.records.record import Variant
from ..runtime.records.unsettled import holds
from ..runtime.urls import located
from ..verify.regions import Region, region_value
from .editing import edited, is_same
from .moving import Moved, move
from .sources import checks_of, named, regions_of, type_of

#: The most attempts. Corrected offsets may have more digits, which changes sizes again.
_MOST_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class _Piece:
    """A range of a file: a field of its record, a region, or bytes that nothing explains (``path`` empty)."""

    path: str
    offset: int
    size: int
    region: Region | None = None


def dump(
    source: Any,
    type: Any = None,
    *,
    idl: Any = None,
    parameters: Sequence[Any] = (),
    allow_extern: Iterable[str] = (),
    storage_options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Returns a source as a dict of JSON types, from which `load` makes the same bytes. Arguments are those of
    `explore`.

    Raises:
        DecodeError: the source breaks a rule of its format.
    """
    (source,) = located(storage_options, source)
    reader = map_ranges(source)
    with named(reader):
        return _dump(reader, type_of(reader, type, idl, parameters, allow_extern), parameters)


def _dump(reader: RangeReader, cls: Any, parameters: Sequence[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"format": format_name(cls), "size": reader.size}
    bundle = getattr(sys.modules[cls.__module__], "__bundle__", None)
    if bundle is not None:
        found["idl"] = {"type": cls.__name__, "files": bundle}
    if not _has_parts(cls):
        data = bytes(reader.read(0, reader.size))
        if parameters:
            found["parameters"] = list(parameters)
        return {**found, **_dumped(cls.from_bytes(data, *parameters), data, parameters)}
    record = cls.open(reader, **dict(zip(cls._parameters, parameters, strict=False)))
    found["parts"] = [_part(record, reader, piece) for piece in _pieces(record, reader.size)]
    return found


def _has_parts(cls: Any) -> bool:
    """Returns whether a file's metadata points to parts of it, and the file is nothing but fields at places, one each."""
    if not issubclass(cls, LazyRecord) or cls._sequential or cls._gaps or checks_of(cls) is None:
        return False
    return not any(row.each or row.optional for row in cls._placed.values())


def dumps(
    source: Any,
    type: Any = None,
    *,
    idl: Any = None,
    parameters: Sequence[Any] = (),
    allow_extern: Iterable[str] = (),
    storage_options: Mapping[str, Any] | None = None,
) -> str:
    """Returns the result of `dump` as JSON text; arguments and errors are those of `dump`."""
    (source,) = located(storage_options, source)
    found = dump(source, type, idl=idl, parameters=parameters, allow_extern=allow_extern)
    return json.dumps(found, indent=2, ensure_ascii=False)


def load(data: Any, *, allow_extern: Iterable[str] = ()) -> bytes:
    """Returns the bytes of a file that `dump` made JSON of.

    Args:
        data: what `dump` returned, or its text.
        allow_extern: Python modules whose externs the IDL inside ``data`` may name, besides those of lakecodec.

    Raises:
        DecodeError: a text is not JSON.
        EncodeError: a value does not fit its type; the path says where.
        IdlError: the IDL inside has errors, or names a module that is not allowed.
        ValueError: it is not the JSON of a file.
    """
    if isinstance(data, str | bytes):
        try:
            data = json.loads(data, object_pairs_hook=json_object)
        except ValueError as error:
            raise DecodeError(f"not JSON: {error}") from None
    if not isinstance(data, dict) or "format" not in data or not {"value", "parts"} & set(data):
        raise ValueError("data: not the JSON of a file: 'format', and 'value' or 'parts' are needed")
    try:
        cls = _class_of(data, allow_extern)
        if "parts" not in data:
            return _loaded(cls, data, data.get("parameters", ()))
        return _loaded_parts(cls, data["parts"], data.get("size", 0))
    except (TypeError, LookupError, AttributeError) as error:
        # These errors have no message of their own, since `dump` never writes such input.
        if isinstance(error, KeyError) and str(error.args[0]).startswith("type: "):
            raise
        raise ValueError(f"data: not the JSON of a file as `dump` writes it: {error!r}") from None


def _class_of(data: dict[str, Any], allow_extern: Iterable[str]) -> Any:
    if "idl" in data:
        files = data["idl"]["files"]
        bundle = tuple((name, file, text, tuple(map(tuple, paths))) for name, file, text, paths in files)
        from ..generator.in_memory import compile_bundle

        module: Any = compile_bundle(bundle, allow_extern=allow_extern)
        cls = getattr(module_named(f"{module.__package__}.{bundle[-1][0]}"), data["idl"]["type"])
        if not isinstance(cls, type) or not hasattr(cls, "from_bytes"):
            raise ValueError(f"data: {data['idl']['type']!r} is not a type of its IDL that has bytes")
        return cls
    return type_of(RangeReader("", 0, _nothing, lambda: None), data["format"], parameters=data.get("parameters", ()))


def _nothing(offset: int, length: int) -> bytes:
    return b""


# ---- parts of a file ----


def _pieces(record: LazyRecord, size: int) -> Iterator[_Piece]:
    """Yields a file's parts in order, each byte once."""
    found = [_Piece(name, *record.span(name)) for name in record._given]
    found += [_Piece(each.path, each.offset, each.size, each) for each in regions_of(record)]
    end = 0
    for each in sorted(found, key=lambda each: each.offset):
        if each.offset < end or each.offset + each.size > size:
            continue
        if each.offset > end:
            yield _Piece("", end, each.offset - end)
        yield each
        end = each.offset + each.size
    if end < size:
        yield _Piece("", end, size - end)


def _part(record: LazyRecord, reader: RangeReader, piece: _Piece) -> dict[str, Any]:
    head = {"path": piece.path, "offset": piece.offset, "size": piece.size}
    data = bytes(reader.read(piece.offset, piece.size))
    if not piece.path:
        return {**head, "bytes": base64.b64encode(data).decode()}
    if piece.region is not None:
        try:
            value = region_value(record, piece.region)
        except DecodeError:
            return {**head, "bytes": base64.b64encode(data).decode()}
        return {
            **head,
            "type": format_name(piece.region.cls),
            **_dumped(value, data, piece.region.arguments, piece.offset),
        }
    value = getattr(record, piece.path)
    encoded = record._encoded(piece.path, piece.offset, None)
    return {**head, **_with_bytes(outward(value, True), data, encoded)}


def _loaded_parts(cls: Any, parts: list[dict[str, Any]], size: int) -> bytes:
    """Returns the bytes of a file's parts. If an edit changed the size of a part, offsets of the parts behind it are
    corrected.

    Raises:
        EncodeError: an edited value cannot be written.
        ValueError: the metadata points to no such part, or it is not known where the format keeps offsets.
    """
    lengths = [part["size"] for part in parts]
    moved: dict[str, Moved] = {}
    for _ in range(_MOST_ROUNDS):
        data = _encoded_parts(cls, parts, size, moved)
        if [len(each) for each in data] == lengths:
            return b"".join(data)
        lengths = [len(each) for each in data]
        starts = [0, *accumulate(lengths)]
        size = starts.pop()
        moved = {
            part["path"]: Moved(part["offset"], part["size"], start, each)
            for part, start, each in zip(parts, starts, data, strict=True)
        }
    raise ValueError("data: the sizes of the parts and the offsets that depend on them do not converge")


def _encoded_parts(cls: Any, parts: list[dict[str, Any]], size: int, moved: dict[str, Moved]) -> list[bytes]:
    """Returns the bytes of each part, after the numbers that say where parts are were set to where they are now."""
    fields = {part["path"]: part["value"] for part in parts if part["path"] in cls._given}
    record = cls.from_json(json.dumps(fields))
    record._size = size
    kept = _merge_parts(record, [part for part in parts if part["path"] in fields and "bytes" in part])
    regions = {each.path: each for each in regions_of(record)}
    values = {}
    for part in parts:
        if (path := part["path"]) in regions and "value" in part:
            with _inside(path):
                values[path] = regions[path].cls._checked(part["value"], True)
    if moved and not move(record, values, moved):
        raise ValueError(f"data: an edited part has another size, and the offsets of a {cls.__name__} cannot be moved")
    found = []
    for part in parts:
        path, start = part["path"], moved[part["path"]].now if moved else part["offset"]
        if path in fields:
            encoded = record._encoded(path, start, None)
            found.append(_raw(part) if encoded == kept.get(path) else encoded)
        elif path in values:
            with _inside(path):
                found.append(_written(values[path], part, regions[path].arguments, start))
        elif "bytes" in part:
            found.append(_raw(part))
        else:
            raise ValueError(f"data: the metadata points to no part {path!r}")
    return found


def _merge_parts(record: LazyRecord, parts: list[dict[str, Any]]) -> dict[str, bytes]:
    """Sets the fields whose bytes were kept to what these say, with the edits; returns what those without edits become."""
    kept = {}
    for part in parts:
        with _inside(path := part["path"]):
            merged, is_edited = _merged(getattr(record, path), _raw(part))
        setattr(record, path, merged)
        if not is_edited:
            kept[path] = record._encoded(path, part["offset"], None)
    return kept


# ---- values ----


def _dumped(value: Any, data: bytes, arguments: Sequence[Any], offset: int = 0) -> dict[str, Any]:
    plain, encoded = outward(value, True), None
    # Edits of what writers compute show only beside the values that were read, and records with gaps are written over those.
    if not computes_given(type(value)) and not holds(type(value), "_gaps"):
        # The value is encoded as `load` does it. A record that was read also keeps bytes that its fields do not determine.
        with suppress(CodecError):
            encoded = _encoded(type(value)._checked(plain, True), arguments, offset)
    return _with_bytes(plain, data, encoded)


def _with_bytes(value: Any, data: bytes, encoded: bytes | None) -> dict[str, Any]:
    """Returns a value, with its bytes if the value does not determine them."""
    if encoded == data:
        return {"value": value}
    return {"value": value, "bytes": base64.b64encode(data).decode()}


def _loaded(cls: Any, part: dict[str, Any], arguments: Sequence[Any]) -> bytes:
    return _written(cls._checked(part["value"], True), part, arguments)


def _written(value: Any, part: dict[str, Any], arguments: Sequence[Any], offset: int = 0) -> bytes:
    """Returns the bytes of a value, or those that were kept.

    Raises:
        EncodeError: it cannot be written, and it is not what the bytes that were kept say.
    """
    if "bytes" not in part:
        return _encoded(value, arguments, offset)
    merged, is_edited = _merged(value, _raw(part), arguments)
    return _encoded(merged, arguments, offset) if is_edited else _raw(part)


def _merged(value: Any, data: bytes, arguments: Sequence[Any] = ()) -> tuple[Any, bool]:
    """Returns the value in the bytes that were kept, with the edits that another value has, and whether it has any."""
    cls: Any = type(value).__mro__[1] if isinstance(value, Variant) else type(value)
    read = cls.from_bytes(data, *arguments)
    before = cls._checked(outward(read, True), True)
    return (read, False) if is_same(before, value) else (edited(read, before, value), True)


@contextmanager
def _inside(path: str) -> Iterator[None]:
    """Puts the path of a part in front of those of its errors."""
    try:
        yield
    except CodecError as error:
        error.path = join_path(path, error.path)
        raise


def _raw(part: dict[str, Any]) -> bytes:
    return base64.b64decode(part["bytes"])


def _encoded(value: Any, arguments: Sequence[Any], offset: int) -> bytes:
    if isinstance(value, parquet_file.Chunk):
        # The pages may have other sizes than the metadata says.
        return b"".join(page.to_bytes() for page in value.pages or ())
    if isinstance(value, LazyRecord):
        return value.to_bytes(*arguments, start=offset)
    found: bytes = value.to_bytes(*arguments)
    return found
