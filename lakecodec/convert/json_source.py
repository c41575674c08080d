"""Files of JSON lines as batches: objects whose fields have one type in all lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pyarrow as pa
import pyarrow.json as pj

from .json_depth import depth_of

#: Bytes that are parsed together; more where a line is longer.
_BLOCK = 16 * 2**20
#: The longest line, about.
_LONGEST = 512 * 2**20
#: Objects and lists in each other; the parser's stack would hold some thousands.
_DEEPEST = 64


def scan_json_lines(path: str, counted: Callable[[int], None]) -> tuple[pa.Schema, int]:
    """Columns and number of rows of a file, by reading it; ``counted`` is called with the rows read so far."""
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
    """The columns of a schema that `scan_json_lines` found, null where a line has none."""
    for block in _blocks(path):
        yield from _parse(block, schema).select(schema.names).to_batches()


def _refuse_arrays(block: bytes) -> None:
    """Lines are objects; a file that begins as an array is JSON, but none of JSON lines."""
    if block.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[":
        raise pa.ArrowInvalid(
            "the file is a JSON array; JSON lines have one object a line (jq -c '.[]' FILE.json > FILE.jsonl makes them)"
        )


def _parse(block: bytes, schema: pa.Schema | None) -> pa.Table:
    if depth_of(block) > _DEEPEST:
        raise pa.ArrowInvalid(f"objects and lists are nested more than {_DEEPEST} deep")
    # One block of the parser, so that all lines of it get the same types.
    reading = pj.ReadOptions(block_size=len(block) + 1)
    parsing = pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="infer" if schema is None else "ignore")
    table = pj.read_json(pa.BufferReader(block), reading, parsing)
    # The parser takes any bytes for text.
    table.validate(full=True)
    return table


def _blocks(path: str) -> Iterator[bytes]:
    """Whole lines; none that are all white space."""
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
    """The type that JSON has: text that looks like a time to the parser is text."""
    return _mapped(type, pa.types.is_timestamp)


def _known(type: pa.DataType) -> pa.DataType:
    """A type for what is null in all lines."""
    return _mapped(type, pa.types.is_null)


def _mapped(type: pa.DataType, is_text: Callable[[pa.DataType], bool]) -> pa.DataType:
    if is_text(type):
        return pa.string()
    if pa.types.is_list(type):
        return pa.list_(_mapped(type.value_type, is_text))
    if pa.types.is_struct(type):
        return pa.struct([pa.field(field.name, _mapped(field.type, is_text)) for field in type])
    return type
