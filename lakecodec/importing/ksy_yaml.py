"""The YAML of a .ksy file as mappings, lists and scalars that know their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

_INTEGER = re.compile(r"[-+]?(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0o?[0-7_]+|\d[\d_]*)")
_FLOAT = re.compile(r"[-+]?(\d[\d_]*\.\d*|\.\d+)([eE][-+]?\d+)?|[-+]?\d+[eE][-+]?\d+")
_WORDS = {"true": True, "false": False, "True": True, "False": False, "null": None, "~": None, "": None}
#: The most nodes per file. Each use of an alias counts its nodes again.
_MOST_NODES = 1_000_000
_DEEPEST = 100
_MOST_DIGITS = 40


class YamlError(ValueError):
    """Raised for a text that is not YAML, or too large; ``line`` counts from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


class Mapping(dict[Any, Any]):
    """A mapping with the line of each key, and its own."""

    __slots__ = ("line", "lines")

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[Any, int] = {}

    def line_of(self, key: Any) -> int:
        """Returns the line of a key, that of the mapping where it has none."""
        return self.lines.get(key, self.line)


def load_yaml(text: str) -> Any:
    """Returns the value of a YAML text: mappings, lists, texts, numbers, bools and None.

    Raises:
        YamlError: the text is not YAML, has tags, or has too many nodes.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(text, Loader=loader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise YamlError(f"this is not YAML: {reason}", 1 if mark is None else mark.line + 1) from None
    counter = iter(range(_MOST_NODES))
    return None if node is None else _value(node, counter, 0)


def _value(node: yaml.Node, counter: Iterator[int], depth: int) -> Any:
    line = node.start_mark.line + 1
    if next(counter, None) is None or depth > _DEEPEST:
        raise YamlError(f"a file has at most {_MOST_NODES} values, {_DEEPEST} deep", line)
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node, line)
    if isinstance(node, yaml.SequenceNode):
        return [_value(each, counter, depth + 1) for each in node.value]
    found = Mapping(line)
    for key_node, value in node.value:
        key = _value(key_node, counter, depth + 1)
        if isinstance(key, list | dict):
            raise YamlError("a key is a text or a number", key_node.start_mark.line + 1)
        if key in found:
            raise YamlError(f"the key {key!r} appears twice", key_node.start_mark.line + 1)
        found[key] = _value(value, counter, depth + 1)
        found.lines[key] = key_node.start_mark.line + 1
    return found


def _scalar(node: yaml.ScalarNode, line: int) -> Any:
    text: str = node.value
    if node.style:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        if len(text) > _MOST_DIGITS:
            raise YamlError(f"the number {text[:_MOST_DIGITS]}... has too many digits", line)
        return integer(text)
    if _FLOAT.fullmatch(text):
        return float(text.replace("_", ""))
    return text


def integer(text: str) -> int:
    """Returns a number of YAML or of an expression: decimal, 0x, 0b, 0o, with underscores."""
    digits = text.replace("_", "").lower()
    sign = -1 if digits.startswith("-") else 1
    digits = digits.lstrip("+-")
    for prefix, base in (("0x", 16), ("0b", 2), ("0o", 8)):
        if digits.startswith(prefix):
            return sign * int(digits[2:], base)
    return sign * int(digits, 10)
