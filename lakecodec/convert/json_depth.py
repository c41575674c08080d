"""Nesting depth of JSON text, found before a recursive parser reads it."""

from __future__ import annotations

import re

import numpy as np

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
