"""Comments of .proto files, and which definition, field or member each one belongs to."""

from __future__ import annotations

import re

_COMMENT_OR_TEXT = re.compile(
    r"""(?P<comment>/\*[\s\S]*?\*/|//[^\n]*)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""",
)


class Comments:
    """The comments of a file: those that end in the line before a statement, and those behind a statement in its line."""

    def __init__(self, text: str) -> None:
        self._above: dict[int, list[str]] = {}
        self._behind: dict[int, list[str]] = {}
        starts: dict[int, int] = {}
        line, place = 1, 0
        for match in _COMMENT_OR_TEXT.finditer(text):
            if match["comment"] is None:
                continue
            line += text.count("\n", place, match.start())
            place = match.start()
            end = line + match[0].count("\n")
            lines = _lines(match[0])
            if text[text.rfind("\n", 0, place) + 1 : place].strip():
                self._behind.setdefault(line, []).extend(lines)
            elif match[0].startswith("//") and line - 1 in self._above:
                starts[end] = starts.pop(line - 1)
                self._above[end] = self._above.pop(line - 1)
                self._above[end].extend(lines)
            else:
                starts[end] = line
                self._above[end] = lines
        self._starts = starts

    def of(self, line: int, end: int) -> list[str]:
        """Returns the lines of the comments above ``line``, and of those behind the end of a statement in the line ``end``."""
        above, behind = self._above.get(line - 1, []), self._behind.get(end, [])
        return [*above, *([""] if above and behind else []), *behind]

    def before(self, line: int) -> list[str]:
        """Returns the lines of all comments above the first statement, which starts in ``line``."""
        found: list[str] = []
        for end in sorted(each for each in self._above if each < line):
            found += [*([""] if found else []), *self._above[end]]
        return found


def _lines(comment: str) -> list[str]:
    """Returns the lines of a comment without its signs and without blank lines at both ends."""
    if comment.startswith("//"):
        return [_without_margin(comment[2:].lstrip("/"))]
    found = [re.sub(r"^[ \t]*\*(?!\*)", "", line) for line in comment[2:-2].lstrip("*").split("\n")]
    lines = [_without_margin(line) for line in found]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return lines


def _without_margin(line: str) -> str:
    return line.removeprefix(" ").rstrip()
