"""Hive directory names and URI-encoded paths, in both directions."""

from __future__ import annotations

import posixpath
import re

from ..generated.delta_partition import MAX_SEGMENT_BYTES, NULL_DIRECTORY
from ..runtime.errors import CodecError, DecodeError, EncodeError
from ..runtime.exact import check_type, exact_text
from .text.percent import unescape
from .text_codecs import Profile, SegmentForm, check_refused, hive_codec, path_codec, writer_of
from .values import shown

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")
_ODD = re.compile(r"(^|/)\.{1,2}(/|$)|//")


def escape_path_name(text: str, *, profile: Profile = "kernel", windows: bool = False) -> str:
    """Returns a column name or text as part of a Hive directory name: special ASCII characters become `%XX`.

    The characters are those of Hive's ``FileUtils.escapePathName``, which Delta writers use.

    Args:
        text: a column name, or the text of a value.
        profile: "kernel" escapes NUL, "spark" refuses it.
        windows: also escapes the space and `<>|`.

    Raises:
        EncodeError: NUL in the profile "spark".
    """
    text, writer = exact_text("text", text), writer_of(profile)
    check_type("windows", windows, bool)
    try:
        check_refused(text, writer)
        return hive_codec(windows).encode(text)
    except EncodeError as error:
        raise EncodeError(f"{error.rule}: {shown(text)}", format="delta") from None


def unescape_path_name(text: str) -> str:
    """Returns the text that ``escape_path_name`` escaped: `%XX` are bytes of UTF-8; a `%` without two hex digits stays.

    Raises:
        DecodeError: the bytes are not UTF-8.
    """
    return _decoded(text, strict=False)


def encode_uri(path: str, *, profile: Profile = "kernel") -> str:
    """Returns a path relative to the table, Hive escapes included, URI-encoded for the log's `add.path`.

    Args:
        path: the path on disk.
        profile: "kernel" encodes every byte beyond ASCII; "spark" only C1 controls and spaces beyond ASCII, as Java does.

    Raises:
        EncodeError: NUL in the profile "spark".
    """
    path, writer = exact_text("path", path), writer_of(profile)
    try:
        check_refused(path, writer)
        return path_codec(writer).encode(path)
    except EncodeError as error:
        raise EncodeError(f"{error.rule}: {shown(path)}", format="delta") from None


def decode_uri(text: str) -> str:
    """Returns the path on disk of an `add.path`, decoded once: Hive escapes stay, and `+` is a plus.

    Raises:
        DecodeError: a `%` without two hex digits, or bytes that are not UTF-8.
    """
    return _decoded(text, strict=True)


def resolve_path(table: str, text: str) -> str:
    """Returns the absolute path or URL of ``text``, an `add.path`: below ``table`` unless it has a scheme or leading slash."""
    table, text = exact_text("table", table), exact_text("text", text)
    path = decode_uri(text)
    if _SCHEME.match(text):
        return path
    return plain_path(path if path.startswith("/") else posixpath.join(table, path))


def plain_path(path: str) -> str:
    """Returns a decoded path or URL without empty parts, ``.`` and ``..``; the start of a URL stays."""
    if not _ODD.search(path):
        return path
    scheme = _SCHEME.match(path)
    start = (
        "" if scheme is None else scheme[0] + "/" * (len(path[scheme.end() :]) - len(path[scheme.end() :].lstrip("/")))
    )
    inside = posixpath.normpath(path[len(start) :])
    return start + (f"/{inside.lstrip('/')}" if inside.startswith("//") else inside)


def segment(form: SegmentForm, text: str | None) -> str:
    """Returns the directory name `column=text` of one column; a text of None gives the Hive placeholder for null.

    Raises:
        EncodeError: the name is longer than the 255 bytes that common file systems accept.
    """
    name = form.null if text is None else form.prefix + form.escape.encode(text)
    size = len(name.encode())
    if size > MAX_SEGMENT_BYTES:
        raise EncodeError(f"the directory name has {size} bytes, file systems take at most {MAX_SEGMENT_BYTES}")
    return name


def split_directory(path: str) -> dict[str, str | None]:
    """Returns column names and texts of a Hive directory path; the placeholder for null gives None.

    Parsing stops at the first part without `=`.

    Raises:
        DecodeError: an empty name, an empty text, or a column that occurs twice.
    """
    found: dict[str, str | None] = {}
    for part in exact_text("path", path).split("/"):
        name, equals, value = part.partition("=")
        if not equals:
            break
        column = unescape_path_name(name)
        if not column or not value:
            what = "value" if column else "column name"
            raise DecodeError(f"the directory {shown(part)} has an empty {what}", format="delta", path=column)
        if column in found:
            raise DecodeError(f"the directory {shown(path)} has the column twice", format="delta", path=column)
        found[column] = None if value == NULL_DIRECTORY else unescape_path_name(value)
    return found


def _decoded(text: str, *, strict: bool) -> str:
    try:
        return unescape(exact_text("text", text), strict=strict)
    except CodecError as error:
        raise DecodeError(f"{error.rule}: {shown(text)}", format="delta", offset=error.offset) from None
