"""Formats of the gallery with places and compressed blocks, for Construct."""

from __future__ import annotations

import zlib
from io import BytesIO
from typing import Any

from construct import (
    Array,
    Byte,
    Bytes,
    Const,
    Construct,
    FixedSized,
    GreedyBytes,
    GreedyRange,
    If,
    Int16sl,
    Int16ul,
    Int32ul,
    Int64ul,
    Peek,
    Pointer,
    Struct,
    Subconstruct,
    Switch,
    Tunnel,
    VarInt,
    this,
)

from lakecodec.runtime.codecs import Snappy

from .gallery_construct_placed import Sized, each

_N = this.n

# ---- LevelDB: tables, whose blocks are compressed with Snappy ----


class _Whole(Construct):  # type: ignore[misc]
    """The number of all bytes, which is kept for building."""

    def _parse(self, stream: Any, context: Any, path: str) -> int:
        here = stream.tell()
        size: int = stream.seek(0, 2)
        stream.seek(here)
        return size

    def _build(self, size: int, stream: Any, context: Any, path: str) -> int:
        return size


class _Stored(Tunnel):  # type: ignore[misc]
    """Blocks as their kind says: the stored bytes where they are those of the value, as ours are written."""

    def _decode(self, data: bytes, context: Any, path: str) -> bytes:
        return Snappy().decode(data) if context.kind else data

    def _encode(self, data: bytes, context: Any, path: str) -> bytes:
        if not context.kind:
            return data
        return context.stored if Snappy().decode(context.stored) == data else Snappy().encode(data)


def _block(place: Any, value: Any) -> Any:
    """Returns a block at a place with an offset and a size."""
    entry = Struct("shared" / VarInt, "added" / VarInt, "n" / VarInt, "suffix" / Bytes(this.added), "value" / value)
    content = Struct(
        "size" / _Whole(),
        "n" / Pointer(this.size - 4, Int32ul),
        "restarts" / Pointer(this.size - 4 - 4 * this.n, Array(_N, Int32ul)),
        "runs" / each(_N, lambda c: c.restarts[c._index], FixedSized(_size_of_run, GreedyRange(entry))),
    )
    return Struct(
        "kind" / Pointer(lambda c: place(c._).offset + place(c._).size, Byte),
        "stored" / Pointer(lambda c: place(c._).offset, Bytes(lambda c: place(c._).size)),
        "content" / Pointer(lambda c: place(c._).offset, FixedSized(lambda c: place(c._).size, _Stored(content))),
        "crc" / Pointer(lambda c: place(c._).offset + place(c._).size + 1, Int32ul),
    )


def _size_of_run(context: Any) -> int:
    index, n = context._index, context.n
    stop = context.restarts[index + 1] if index < n - 1 else context.size - 4 - 4 * n
    return stop - context.restarts[index]  # type: ignore[no-any-return]


_HANDLE = Struct("offset" / VarInt, "size" / VarInt)
_LEVELDB = Struct(
    "footer" / Pointer(this._params.size - 48, Struct("meta_index" / _HANDLE, "index" / _HANDLE)),
    "magic" / Pointer(this._params.size - 8, Int64ul),
    "index" / _block(lambda c: c.footer.index, _HANDLE),
    "meta_index" / _block(lambda c: c.footer.meta_index, _HANDLE),
    "blocks"
    / Array(
        lambda c: len(c.index.content.runs),
        _block(lambda c: c.index.content.runs[c._index][0].value, Bytes(_N)),
    ),
)

# ---- squashfs: the blocks of its tables, and the inodes and listings that are laid over them ----


class _Zlib(Tunnel):  # type: ignore[misc]
    """Blocks of metadata: the stored bytes where they are those of the value."""

    def _decode(self, data: bytes, context: Any, path: str) -> bytes:
        return data if context.head >> 15 else zlib.decompress(data)

    def _encode(self, data: bytes, context: Any, path: str) -> bytes:
        if context.head >> 15:
            return data
        return context.stored if zlib.decompress(context.stored) == data else zlib.compress(data)


_SIZE = this.head & 0x7FFF
_METADATA = Struct("head" / Int16ul, "stored" / Peek(Bytes(_SIZE)), "data" / FixedSized(_SIZE, _Zlib(GreedyBytes)))


class _Over(Subconstruct):  # type: ignore[misc]
    """A declaration of bytes that blocks hold already, which are compared with what is built."""

    def __init__(self, subcon: Any, blocks: str) -> None:
        super().__init__(subcon)
        self._blocks = blocks

    def _joined(self, context: Any) -> bytes:
        return b"".join(each.data for each in context[self._blocks])

    def _parse(self, stream: Any, context: Any, path: str) -> Any:
        return self.subcon._parsereport(BytesIO(self._joined(context)), context, path)

    def _build(self, found: Any, stream: Any, context: Any, path: str) -> Any:
        # What lies between listings belongs to none of them.
        out = BytesIO(self._joined(context))
        self.subcon._build(found, out, context, path)
        assert out.getvalue() == self._joined(context)
        return found


def _num_blocks(context: Any) -> int:
    size = context._.block_size if "block_size" in context._ else context._._.block_size
    return (context.file_size + (size - 1 if context.fragment == 0xFFFFFFFF else 0)) // size  # type: ignore[no-any-return]


_STEP = Struct("at" / Int32ul, "start" / Int32ul, "n" / Int32ul, "name" / Bytes(this.n + 1))
_INODES: dict[int, Any] = {
    1: Struct(
        "start" / Int32ul, "num_links" / Int32ul, "stored_size" / Int16ul, "offset" / Int16ul, "parent" / Int32ul
    ),
    2: Struct(
        "start" / Int32ul, "fragment" / Int32ul, "offset" / Int32ul, "file_size" / Int32ul,
        "block_sizes" / Array(_num_blocks, Int32ul),
    ),
    3: Struct("num_links" / Int32ul, "n" / Int32ul, "target" / Bytes(this.n)),
}  # fmt: skip
_INODE = Struct(
    *(name / Int16ul for name in ("kind", "mode", "user_index", "group_index")),
    "modified" / Int32ul,
    "number" / Int32ul,
    "content" / Switch(this.kind, _INODES),
)
_NAME_IN_FOLDER = Struct(
    "offset" / Int16ul, "number" / Int16sl, "kind" / Int16ul, "n" / Int16ul, "name" / Bytes(this.n + 1)
)
_GROUP = Struct("n" / Int32ul, "start" / Int32ul, "number" / Int32ul, "names" / Array(this.n + 1, _NAME_IN_FOLDER))


def _folder(context: Any) -> Any:
    folders = [each.content for each in context.inode_table if each.kind == 1 and each.content.stored_size > 3]
    return folders[context._index]


def _num_folders(context: Any) -> int:
    return sum(each.kind == 1 and each.content.stored_size > 3 for each in context.inode_table)


_LISTINGS = each(
    _num_folders, lambda c: _folder(c).offset, FixedSized(lambda c: _folder(c).stored_size - 3, GreedyRange(_GROUP))
)
_HEAD_OF_IMAGE = ("num_inodes", "modified", "block_size", "num_fragments")
_PLACES_OF_IMAGE = ("root", "used", "ids_at", "xattrs_at", "inodes_at", "directories_at", "fragments_at", "exports_at")


def _end_of_directories(context: Any) -> int:
    if context.num_fragments:
        return context.fragment_places[0]  # type: ignore[no-any-return]
    return context.exports_at if context.exports_at < context.used else context.id_places[0]  # type: ignore[no-any-return]


_SQUASHFS = Struct(
    "raw" / Pointer(0, Bytes(this._params.size)),
    "magic" / Const(b"hsqs"),
    *(name / Int32ul for name in _HEAD_OF_IMAGE),
    *(name / Int16ul for name in ("compression", "block_log", "flags", "num_ids", "major", "minor")),
    *(name / Int64ul for name in _PLACES_OF_IMAGE),
    "inodes" / Pointer(this.inodes_at, FixedSized(this.directories_at - this.inodes_at, GreedyRange(_METADATA))),
    "fragment_places"
    / If(this.num_fragments, Pointer(this.fragments_at, Array((this.num_fragments + 511) // 512, Int64ul))),
    "id_places" / Pointer(this.ids_at, Array((this.num_ids + 2047) // 2048, Int64ul)),
    "directories"
    / Pointer(
        this.directories_at, FixedSized(lambda c: _end_of_directories(c) - c.directories_at, GreedyRange(_METADATA))
    ),
    "fragments" / each(lambda c: len(c.fragment_places or ()), lambda c: c.fragment_places[c._index], _METADATA),
    "ids" / each(lambda c: len(c.id_places), lambda c: c.id_places[c._index], _METADATA),
    "inode_table" / _Over(GreedyRange(_INODE), "inodes"),
    "root_folder" / _Over(Pointer(this.root & 0xFFFF, _INODE), "inodes"),
    "listings" / _Over(_LISTINGS, "directories"),
)

#: By the name of the declaration in the gallery.
PACKED: dict[str, Any] = {"leveldb": Sized(_LEVELDB), "squashfs": Sized(_SQUASHFS)}
