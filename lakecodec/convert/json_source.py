"""Reader of JSON lines files: one object per line, and one type per field in all lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.json as pj

#: Bytes that are parsed together. A longer line is parsed in one piece.
_BLOCK = 16 * 2**20
#: The approximate limit of a line's length.
_LONGEST = 512 * 2**20
#: The limit of nesting of objects and lists. The parser's stack would allow some thousands.
_DEEPEST = 64


def scan_json_lines(path: str, counted: Callable[[int], None]) -> tuple[pa.Schema, int]:
    """Returns the schema and the number of rows of a JSON lines file; reads the whole file.

    Timestamps stay text, and a field that is null in all lines is text.

    Args:
        path: path of the file.
        counted: called with the number of rows read so far.

    Raises:
        pyarrow.ArrowInvalid: the file is not valid JSON lines, or nested more than 64 deep.
        pyarrow.ArrowTypeError: a field has values without a common type.
        OSError: the file cannot be read.
    """
    schema, num_rows = pa.schema([]), 0
    for block in _blocks(path):
        if not num_rows:
            _refuse_arrays(block)
        table = _parse(block, None)
        found = pa.schema([pa.field(field.name, _json_type(field.type)) for field in table.schema])
        schema = pa.unify_schemas([schema, found], promote_options="permissive")
        num_rows += table.num_rows
        counted(num_rows)
    return pa.schema([pa.field(field.name, _known(field.type)) for field in schema]), num_rows


def read_json_lines(path: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yields batches of a JSON lines file with the schema that `scan_json_lines` returned; a field that a line lacks is null."""
    for block in _blocks(path):
        yield from _parse(block, schema).select(schema.names).to_batches()


def _refuse_arrays(block: bytes) -> None:
    """Raises ArrowInvalid for a file that begins with an array: JSON, but not JSON lines."""
    if block.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[":
        raise pa.ArrowInvalid(
            "the file is a JSON array; JSON lines have one object per line; jq -c '.[]' FILE.json > FILE.jsonl converts it"
        )


def _parse(block: bytes, schema: pa.Schema | None) -> pa.Table:
    """Returns the table of some lines, with types inferred if ``schema`` is None."""
    if depth_of(block) > _DEEPEST:
        raise pa.ArrowInvalid(f"objects and lists are nested more than {_DEEPEST} deep")
    # The parser gets one block, so that all of its lines get the same types.
    reading = pj.ReadOptions(block_size=len(block) + 1)
    parsing = pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="infer" if schema is None else "ignore")
    table = pj.read_json(pa.BufferReader(block), reading, parsing)
    # The parser accepts any bytes as text.
    table.validate(full=True)
    return table


def _blocks(path: str) -> Iterator[bytes]:
    """Yields blocks of whole lines, except blocks of white space only."""
    with open(path, "rb") as file:
        parts: list[bytes] = []
        while data := file.read(_BLOCK):
            end = data.rfind(b"\n") + 1
            if not end:
                parts.append(data)
                if len(parts) * _BLOCK > _LONGEST:
                    raise pa.ArrowInvalid(f"a line has more than {_LONGEST} bytes")
                continue
            block = b"".join((*parts, data[:end]))
            parts = [data[end:]]
            if not block.isspace():
                yield block
        block = b"".join(parts)
        if block and not block.isspace():
            yield block


def _json_type(type: pa.DataType) -> pa.DataType:
    """Returns the type with text in place of timestamps, which the parser infers from text."""
    return _mapped(type, pa.types.is_timestamp)


def _known(type: pa.DataType) -> pa.DataType:
    """Returns the type with text in place of the null type."""
    return _mapped(type, pa.types.is_null)


def _mapped(type: pa.DataType, is_text: Callable[[pa.DataType], bool]) -> pa.DataType:
    """Returns the type with text in place of each type that ``is_text`` accepts, inside lists and structs too."""
    if is_text(type):
        return pa.string()
    if pa.types.is_list(type):
        return pa.list_(_mapped(type.value_type, is_text))
    if pa.types.is_struct(type):
        return pa.struct([pa.field(field.name, _mapped(field.type, is_text)) for field in type])
    return type


_QUOTE, _OPEN, _CLOSE = 1, 2, 3
_CLASSES = np.zeros(256, np.uint8)
for _class, _chars in ((_QUOTE, b'"'), (_OPEN, b"[{"), (_CLOSE, b"]}")):
    _CLASSES[list(_chars)] = _class
_ESCAPE = re.compile(rb"\\.", re.DOTALL)


def depth_of(text: bytes) -> int:
    """Returns the largest number of objects and arrays in JSON text that are open at once; brackets in strings do not count."""
    if b"\\" in text:
        text = _ESCAPE.sub(b"", text)
    classes = _CLASSES[np.frombuffer(text, np.uint8)]
    marks = classes[classes != 0]
    outside = np.cumsum(marks == _QUOTE) % 2 == 0
    marks = marks[outside]
    depths = np.cumsum((marks == _OPEN).astype(np.int64) - (marks == _CLOSE))
    return int(depths.max(initial=0))
