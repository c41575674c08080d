"""Text to directory name, directory name to the log's path, and the ways back."""

from __future__ import annotations

import posixpath
import re

from ..generated.delta_partition import MAX_SEGMENT_BYTES, NULL_DIRECTORY
from ..runtime.errors import CodecError, DecodeError, EncodeError
from .text.percent import unescape
from .text_codecs import SegmentForm, check_refused, hive_codec, path_codec, writer_of
from .values import shown

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


def escape_path_name(text: str, *, profile: str = "kernel", windows: bool = False) -> str:
    """A column name or a text as its part of a Hive directory name: special ASCII characters become `%XX`.

    NUL is escaped in the profile "kernel" and an EncodeError in "spark", whose file systems would get it raw. With
    ``windows`` the space and `<>|` are escaped as well.
    """
    writer = writer_of(profile)
    try:
        check_refused(text, writer)
        return hive_codec(windows).encode(text)
    except EncodeError as error:
        raise EncodeError(f"{error.rule}: {shown(text)}", format="delta") from None


def unescape_path_name(text: str) -> str:
    """The inverse of ``escape_path_name``: `%XX` are bytes, all bytes are UTF-8; a `%` without two hex digits stays."""
    return _decoded(text, strict=False)


def encode_uri(path: str, *, profile: str = "kernel") -> str:
    """A path relative to the table, with its Hive escapes, as the log's `add.path` holds it.

    The profile "kernel" encodes every byte beyond ASCII; "spark" only C1 controls and spaces there, as Java does, and
    raises EncodeError for NUL.
    """
    writer = writer_of(profile)
    try:
        check_refused(path, writer)
        return path_codec(writer).encode(path)
    except EncodeError as error:
        raise EncodeError(f"{error.rule}: {shown(path)}", format="delta") from None


def decode_uri(text: str) -> str:
    """The path on disk that an `add.path` stands for, decoded once: Hive escapes stay, and `+` is a plus.

    DecodeError for a `%` without two hex digits and for bytes that are not UTF-8.
    """
    return _decoded(text, strict=True)


def resolve_path(table: str, text: str) -> str:
    """Where the file of an `add.path` is: absolute when it has a scheme or a leading slash, else below ``table``."""
    path = decode_uri(text)
    if _SCHEME.match(text) or path.startswith("/"):
        return path
    return posixpath.join(table, path)


def segment(form: SegmentForm, text: str | None) -> str:
    """The directory name of one column: `column=text`, of a text of None the Hive placeholder for null.

    EncodeError when the name is longer than the 255 bytes that common file systems take.
    """
    name = form.null if text is None else form.prefix + form.escape.encode(text)
    size = len(name.encode())
    if size > MAX_SEGMENT_BYTES:
        raise EncodeError(f"the directory name has {size} bytes, file systems take at most {MAX_SEGMENT_BYTES}")
    return name


def split_directory(path: str) -> dict[str, str | None]:
    """The columns and texts of a Hive directory, which has no log; the placeholder for null gives None.

    A part without `=` ends the search. DecodeError for an empty name, an empty value and a column that comes twice.
    """
    found: dict[str, str | None] = {}
    for part in path.split("/"):
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
        return unescape(text, strict=strict)
    except CodecError as error:
        raise DecodeError(f"{error.rule}: {shown(text)}", format="delta", offset=error.offset) from None
