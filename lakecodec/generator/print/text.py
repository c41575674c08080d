"""The layout of generated Python: documentation, and statements that are broken where their printers allow it.

A bracket whose items can take one line each is printed with `group` (or `call`, `listed`, `tupled`, `enclosed`), which
leaves marks in the text: characters for private use, which literals escape. `wrap` breaks a long line at them; the others vanish.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from itertools import pairwise

WIDTH = 110
LIMIT = 120
#: Lines that begin further to the right are not broken.
_DEEPEST = 80

_OPEN, _NEXT, _CLOSE = "\ue000", "\ue001", "\ue002"
_MARK = re.compile(f"[{_OPEN}{_NEXT}{_CLOSE}]")
#: Texts before operators, in ascending precedence.
_OPERATORS = {"for": "\ue006", "if": "\ue007", "else": "\ue008", "or": "\ue003", "and": "\ue004", "+": "\ue005"}
_BREAKS = {sign: f" {word} " for word, sign in _OPERATORS.items()}
#: Operators at which lines are broken together, in ascending precedence.
_LEVELS = ("for", "if else", "or", "and", "+")
_FLAT = str.maketrans({_OPEN: "", _NEXT: ", ", _CLOSE: "", **_BREAKS})


def docstring(doc: str, attributes: Sequence[tuple[str, str]] = ()) -> list[str]:
    """Returns the lines between the triple quotes; ``attributes`` become the section of that name."""
    lines = _paragraphs(doc)
    if attributes:
        lines += ["", "Attributes:"]
        for name, text in attributes:
            flat = " ".join(text.split())
            lines += textwrap.wrap(f"{name}: {flat}", WIDTH, initial_indent="    ", subsequent_indent="        ")
    lines = [_safe(line) for line in lines]
    # A final quotation mark must not touch the closing ones.
    return [f"{lines[0]} "] if len(lines) == 1 and lines[0].endswith('"') else lines


def comment(doc: str) -> list[str]:
    """Returns the text of `#` comment lines."""
    return _paragraphs(doc) if doc.strip() else []


def _paragraphs(doc: str) -> list[str]:
    """Returns the lines of a text: blank lines and list items are kept, running text is wrapped again."""
    lines: list[str] = []
    for block in textwrap.dedent(doc).strip().split("\n\n"):
        if lines:
            lines.append("")
        rows = block.splitlines()
        if any(row.lstrip()[:2] in ("- ", "* ") or row.startswith("  ") for row in rows):
            lines += [row.rstrip() for row in rows]
        else:
            lines += textwrap.wrap(" ".join(block.split()), WIDTH) or [""]
    return lines


def _safe(line: str) -> str:
    return line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


# ---- statements ----


def group(opening: str, items: Iterable[str], closing: str) -> str:
    """Returns items between brackets; each item can take a line of its own."""
    found = list(items)
    return f"{opening}{_OPEN}{_NEXT.join(found)}{_CLOSE}{closing}" if found else opening + closing


def call(function: str, *arguments: str) -> str:
    return group(f"{function}(", arguments, ")")


def listed(items: Iterable[str]) -> str:
    return group("[", items, "]")


def tupled(items: Iterable[str]) -> str:
    found = list(items)
    return group("(", found, ",)" if len(found) == 1 else ")")


def enclosed(text: str) -> str:
    """Returns an expression in parentheses."""
    return group("(", [text], ")")


def choice(then: str, condition: str, otherwise: str) -> str:
    """Returns a conditional expression; inside brackets `if` and `else` can begin lines."""
    return operation("else", [operation("if", [then, condition]), otherwise])


def operation(word: str, operands: Sequence[str]) -> str:
    """Returns operands with an operator between each two; inside brackets the operator can begin a line."""
    return _OPERATORS.get(word, f" {word} ").join(operands)


def flat(text: str) -> str:
    """Returns the text without marks."""
    for sign, word in _FLAT.items():
        text = text.replace(chr(sign), word)
    return text


def statement(line: str, indent: int = 0) -> list[str]:
    """Returns the lines of a statement whose items fill lines; formatters, which would use a line per item, skip it."""
    lines, is_filled = _wrapped(line, indent, True)
    if len(lines) < 3 or not is_filled:
        return lines
    return [*lines[:-1], f"{lines[-1]}  # fmt: skip"]


def wrap(line: str, indent: int = 0, *, fill: bool = True) -> list[str]:
    """Returns the lines of a text that begins ``indent`` columns into its line; an argument ends with a comma.

    Args:
        fill: whether items share lines; else each item has a line, as formatters want it.
    """
    return _wrapped(line, indent, fill)[0]


def _wrapped(line: str, indent: int, fill: bool) -> tuple[list[str], bool]:
    """Returns the lines of a text, and whether items share any of them."""
    own = len(line) - len(line.lstrip())
    if _fits(line, LIMIT - indent) or _CLOSE not in line or indent + own > _DEEPEST:
        return [flat(line)], False
    head, items, tail = _last_group(line)
    blank = " " * (own + 4)
    comma, tail = ("," if tail.startswith(",") else ""), tail.removeprefix(",")
    if _fits(body := _NEXT.join(items) + comma, LIMIT - indent - len(blank)):
        # A formatter puts each item of a list on its own line, but not each argument.
        return [flat(head), blank + flat(body), " " * own + flat(tail)], len(items) > 1 and not _is_call(head)
    is_expression = len(items) == 1 and not comma and not _is_call(head)
    if is_expression:
        texts = [blank + each for each in _operands(items[0], LIMIT - indent - len(blank))]
    else:
        texts = [f"{blank}{item}," for item in items]
    found = [_wrapped(each, indent, fill) for each in texts]
    parts, is_filled = [lines for lines, _ in found], any(each for _, each in found)
    if fill and not is_expression:
        parts = _filled(parts, LIMIT - indent)
        is_filled = is_filled or len(parts) < len(found)
    return [flat(head), *(line for part in parts for line in part), " " * own + flat(tail)], is_filled


def _fits(text: str, width: int) -> bool:
    """Returns whether a text without marks has at most ``width`` characters."""
    return len(text) - 2 * text.count(_CLOSE) <= width and len(flat(text)) <= width


def _filled(parts: list[list[str]], width: int) -> list[list[str]]:
    """Returns the lines of items; items of one line are joined while they fit into ``width`` columns."""
    found: list[list[str]] = []
    for part in parts:
        if found and len(found[-1]) == len(part) == 1 and len(found[-1][0]) + 1 + len(part[0].lstrip()) <= width:
            found[-1] = [f"{found[-1][0]} {part[0].lstrip()}"]
        else:
            found.append(part)
    return found


def _last_group(line: str) -> tuple[str, list[str], str]:
    """Returns the text before the last outermost bracket with marks, the items in it, and the text after it."""
    end = line.rindex(_CLOSE)
    depth, places, place = 0, [end], end
    for mark in reversed([*_MARK.finditer(line, 0, end + 1)]):
        place, sign = mark.start(), mark[0]
        depth += (sign == _CLOSE) - (sign == _OPEN)
        if depth == 0:
            break
        if depth == 1 and sign == _NEXT:
            places.append(place)
    bounds = [place, *reversed(places)]
    items = [line[start + 1 : stop] for start, stop in pairwise(bounds)]
    return line[:place], items, line[end + 1 :]


def _is_call(head: str) -> bool:
    return re.search(r"[\w)\]][(\[]$", head) is not None


def _operands(text: str, width: int) -> list[str]:
    """Returns the operands of the operator of lowest precedence, each with its operator; long ones are broken again."""
    for level in _LEVELS:
        signs = {_OPERATORS[word]: word for word in level.split()}
        depth, start, parts, word = 0, 0, list[str](), ""
        for place, each in enumerate(text):
            depth += (each == _OPEN) - (each == _CLOSE)
            if depth == 0 and each in signs:
                parts.append(word + text[start:place])
                start, word = place + 1, f"{signs[each]} "
        if parts:
            parts.append(word + text[start:])
            return [
                piece for part in parts for piece in (_operands(part, width) if len(flat(part)) > width else [part])
            ]
    return [text]
