"""Comments: their encoding, and which definition, field, enum member or column each one belongs to."""

from __future__ import annotations

import re
import textwrap

#: Comments and quoted texts. Texts are matched so that comment signs inside of them are skipped.
COMMENT_OR_TEXT = re.compile(
    r"""(?P<doc>/\*\*(?!/)[\s\S]*?\*/)|/\*[\s\S]*?\*/|(?://|\#)[^\n]*|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'"""
)
_SPACE = re.compile(r"\s*")
#: Bytes that are not UTF-8, as Python escapes them, and control characters.
_NOT_UTF8 = re.compile(r"[\udc80-\udcff]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def decoded(data: bytes) -> tuple[str, int | None]:
    """Returns the text of a file, and the offset of the first invalid UTF-8 outside comments.

    In comments, bytes that are not UTF-8 are read as Latin-1.
    """
    text = data.decode("utf-8-sig", "surrogateescape")
    if not _NOT_UTF8.search(text):
        return text, None

    def as_latin(match: re.Match[str]) -> str:
        if match[0][0] in "\"'":
            return match[0]
        return _NOT_UTF8.sub(lambda sign: chr(ord(sign[0]) - 0xDC00), match[0])

    text = COMMENT_OR_TEXT.sub(as_latin, text)
    wrong = _NOT_UTF8.search(text)
    return text, None if wrong is None else wrong.start()


def doc_comments(text: str) -> dict[int, str]:
    """Returns the text of each `/** ... */`, by the offset of the first character after it that is not blank.

    The item that starts at the offset owns the comment. A comment before a brace, another comment or the end has no
    owner.
    """
    found: dict[int, str] = {}
    for match in COMMENT_OR_TEXT.finditer(text):
        if match["doc"]:
            space = _SPACE.match(text, match.end())
            assert space is not None
            found[space.end()] = doc_text(match["doc"])
    return found


def doc_text(comment: str) -> str:
    """Returns the comment without its markers and leading stars, dedented, without blank lines at both ends."""
    body = _CONTROL.sub(" ", comment[3:-2].replace("\r\n", "\n").replace("\r", "\n")).rstrip("*")
    first, *others = body.split("\n")
    stars = [re.match(r"[ \t]*\*(?!\*)", line) for line in others if line.strip()]
    if stars and all(stars):
        others = [re.sub(r"^[ \t]*\*", "", line) for line in others]
    rest = textwrap.dedent("\n".join(others))
    lines = [first.strip(), *rest.split("\n")] if first.strip() else rest.split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")
