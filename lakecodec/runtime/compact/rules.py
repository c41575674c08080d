"""The rules of the Thrift compact protocol that a decoder enforces, by key.

Both backends name a broken rule by its key, so that one table has all messages.
"""

from __future__ import annotations

from typing import Literal

#: How text that is not UTF-8 is read: refuse it, replace the bad bytes, keep them as surrogates, or return bytes.
TextPolicy = Literal["strict", "replace", "surrogateescape", "bytes"]
TEXT_POLICIES = ("strict", "replace", "surrogateescape", "bytes")

RULES = {
    "truncated": "the data ends inside a value",
    "varint": "a varint is longer than 10 bytes or does not fit 64 bits",
    "i16": "the value does not fit a 16-bit integer",
    "i32": "the value does not fit a 32-bit integer",
    "length": "a length runs past the end of the data",
    "count": "a container declares more elements than the data left can hold",
    "size": "a size is over 2^31-1",
    "elements": "more elements than the limit max_elements allows",
    "depth": "nested deeper than the limit max_depth allows",
    "wire": "an undefined wire type",
    "element": "the container's element type is not the declared one",
    "bool": "a boolean element is neither 0, 1 nor 2",
    "field id": "a field id is outside -32768 to 32767",
    "required": "a required field is missing",
    "no member": "a union without a member",
    "members": "a union with more than one member",
    "utf-8": "a string is not valid UTF-8",
    "trailing": "bytes are left over after the value",
}

#: The rules that truncated but otherwise valid data breaks.
UNFINISHED = frozenset(RULES[key] for key in ("truncated", "length", "count"))

#: Rules of an encoder. To a rule that ends in a space the expected value is appended (and sometimes the actual one).
ENCODE_RULES = {
    "required": "a required field is None",
    "type": "the value must be ",
    "range": "the value does not fit ",
    "utf-8": "the text cannot be written as UTF-8",
    "member": "a union without a member",
    "changed": "a list changed its size while it was written",
    "depth": "nested deeper than 1000 levels: does it contain itself?",
}
