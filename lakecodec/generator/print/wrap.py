"""Long statements over several lines, broken at brackets as formatters do."""

from __future__ import annotations

LIMIT = 120
_OPENING, _CLOSING = "([{", ")]}"


def wrap(line: str, indent: int, limit: int = LIMIT) -> list[str]:
    """Returns the lines of a statement that begins ``indent`` columns into its line, broken at brackets where it is too long."""
    own = len(line) - len(line.lstrip())
    if indent + len(line) <= limit or (split := _split(line)) is None:
        return [line]
    head, body, tail = split
    blank = " " * (own + 4)
    if indent + len(blank) + len(body) <= limit:
        return [head, blank + body, " " * own + tail]
    parts = _parts(body.removesuffix(","))
    if body.endswith(",") or len(parts) > 1 or _is_call(head):
        inner = [f"{part}," for part in parts]
    else:
        inner = _operands(body)
    lines = [wrapped for part in inner for wrapped in wrap(blank + part, indent, limit)]
    return [head, *lines, " " * own + tail]


def _is_call(head: str) -> bool:
    return len(head) > 1 and (head[-2].isalnum() or head[-2] in "_)]")


def _split(line: str) -> tuple[str, str, str] | None:
    """Returns what stands before, in and behind the last bracket that is closed at the end of the line."""
    end = max(line.rfind(sign) for sign in _CLOSING)
    if line.lstrip().startswith("def "):
        end = line.index(") -> ")
    if end < 0:
        return None
    depth = 0
    for place in range(end, -1, -1):
        if _quoted(line, place):
            continue
        if line[place] in _CLOSING:
            depth += 1
        elif line[place] in _OPENING:
            depth -= 1
            if depth == 0:
                body = line[place + 1 : end]
                return (line[: place + 1], body, line[end:]) if body else None
    return None


def _quoted(line: str, place: int) -> bool:
    """Returns whether a place is inside a text; texts of generated code are in double quotes."""
    return line[:place].replace("\\\\", "").replace('\\"', "").count('"') % 2 == 1


def _parts(body: str) -> list[str]:
    """Returns the elements between commas."""
    return _cut(body, ", ")


def _operands(body: str) -> list[str]:
    """Returns the operands of the loosest operator, each with the operator before it."""
    for word in (" or ", " and ", " + "):
        parts = _cut(body, word)
        if len(parts) > 1:
            return [parts[0], *(word.lstrip() + part for part in parts[1:])]
    return [body]


def _cut(body: str, separator: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, sign in enumerate(body):
        if _quoted(body, place):
            continue
        depth += (sign in _OPENING) - (sign in _CLOSING)
        if depth == 0 and body.startswith(separator, place):
            parts.append(body[start:place])
            start = place + len(separator)
    return [*parts, body[start:]]
