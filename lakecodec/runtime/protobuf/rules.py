"""The rules of protobuf's wire format that a decoder enforces, by key, beside those of the compact protocol."""

from __future__ import annotations

from ..compact import rules

RULES = {
    **rules.RULES,
    "number": "a field number is outside 1 to 536870911",
    "group": "the end of a group (wire type 4) that did not begin",
    "packed": "a packed list does not end with its last element",
    "tag": "an undefined wire type (6 or 7)",
}
