"""Doc comments: which definition, field, enum member or column each one belongs to."""

from __future__ import annotations

import re
import textwrap

# Strings are matched only so that comment signs inside them are passed over.
_PIECE = re.compile(
    r"""(?P<doc>/\*\*(?!/)[\s\S]*?\*/)|/\*[\s\S]*?\*/|(?://|\#)[^\n]*|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'"""
)
_SPACE = re.compile(r"\s*")


def doc_comments(text: str) -> dict[int, str]:
    """The text of each `/** ... */`, by the offset of the first character after it that is not blank.

    What starts at that offset owns the comment; a comment before a brace, another comment or the end has no owner.
    """
    found: dict[int, str] = {}
    for match in _PIECE.finditer(text):
        if match["doc"]:
            space = _SPACE.match(text, match.end())
            assert space is not None
            found[space.end()] = doc_text(match["doc"])
    return found


def doc_text(comment: str) -> str:
    """The comment without its markers and leading stars, dedented, without blank lines at both ends."""
    body = comment[3:-2].rstrip("*")
    first, *others = body.split("\n")
    stars = [re.match(r"[ \t]*\*(?!\*)", line) for line in others if line.strip()]
    if stars and all(stars):
        others = [re.sub(r"^[ \t]*\*", "", line) for line in others]
    rest = textwrap.dedent("\n".join(others))
    lines = [first.strip(), *rest.split("\n")] if first.strip() else rest.split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")
