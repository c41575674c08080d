"""Reads encrypted Parquet files as plain files. Parts are decrypted when they are read."""

from __future__ import annotations

import threading
from bisect import bisect_right
from typing import Any, NamedTuple

from ..generated.parquet import (
    BloomFilterHeader,
    ColumnChunk,
    ColumnIndex,
    ColumnMetaData,
    FileMetaData,
    OffsetIndex,
    PageHeader,
)
from ..generated.parquet_encryption import NONCE, EncryptedFile, Module, Padding, Part, Sealed
from ..generated.parquet_file import MAGIC
from ..runtime.errors import DecodeError
from ..runtime.magic import other_format
from ..runtime.ranges import RangeReader
from .chunk import Located
from .encryption import Cipher, Keys
from .errors import broken, relocated
from .footer import Footer, read_footer
from .metadata import write_metadata
from .pages import page_range
from .sources import Source

#: The number of bytes in front of a module's sealed content.
_FRAME = len(Module(sealed=Sealed(nonce=bytes(NONCE), text=b"")).to_bytes()) - NONCE
#: The bytes per padding. Its length must fit one byte.
_PADDING = 100


class _Chunk(NamedTuple):
    """A column chunk whose key is known, and its place."""

    cipher: Cipher
    key: bytes
    place: tuple[int, int]
    path: str
    file: str

    def open(self, module: Module, part: Part, *page: int) -> bytes:
        path = f"{self.path}.page[{page[0]}]" if page else self.path
        return self.cipher.open(self.key, module.sealed, part, *self.place, *page, path=path)

    def overhead(self, part: Part) -> int:
        return _FRAME + self.cipher.overhead(part)


class _Span:
    """A piece of the encrypted file, and the plain bytes that replace it."""

    def __init__(self, ranges: RangeReader, start: int, end: int, chunk: _Chunk) -> None:
        self.ranges, self.start, self.end, self.chunk = ranges, start, end, chunk

    def read(self, start: int, end: int) -> bytes:
        """Returns the plain bytes between two offsets of the span."""
        raise NotImplementedError

    def module(self, start: int) -> tuple[Module, int]:
        """Returns the module at an offset, and the offset behind it."""
        feeder, at = Module.feeder(), start
        try:
            while at < self.end:
                size = min(feeder.needed, self.end - at)
                found = feeder.feed(bytes(self.ranges.read(at, size)))
                at += size
                if found:
                    return found[0], at
            feeder.finish()
        except DecodeError as error:
            raise relocated(error, file=self.chunk.file, path=self.chunk.path, start=start) from None
        raise broken("an encrypted part runs past its end", file=self.chunk.file, path=self.chunk.path, offset=start)


class _Whole(_Span):
    """An index or a Bloom filter, opened at once; the struct at its beginning is longer by what the rest is shorter."""

    def __init__(self, ranges: RangeReader, start: int, end: int, chunk: _Chunk, struct: Any, *parts: Part) -> None:
        super().__init__(ranges, start, end, chunk)
        self.struct, self.parts = struct, parts

    def read(self, start: int, end: int) -> bytes:
        at, plain = self.start, []
        for part in self.parts:
            module, at = self.module(at)
            plain.append(self.chunk.open(module, part))
        # Some writers leave bytes after a struct.
        head = plain[0][: self.struct.read(plain[0])[1]]
        rest = b"".join(plain[1:])
        return (_padded(head, self.end - self.start - len(rest)) + rest)[start - self.start : end - self.start]


class _Page(NamedTuple):
    """A page: offsets in the file, and the header that replaces the stored one."""

    start: int
    module: int
    end: int
    header: bytes
    part: Part
    place: tuple[int, ...]


class _Pages(_Span):
    """The pages of a column chunk; one body is kept."""

    def __init__(self, ranges: RangeReader, start: int, end: int, chunk: _Chunk, dictionary: bool) -> None:
        super().__init__(ranges, start, end, chunk)
        self._has_dictionary = dictionary
        self._pages: list[_Page] = []
        self._kept: tuple[_Page, bytes] | None = None
        self._lock = threading.Lock()

    def read(self, start: int, end: int) -> bytes:
        with self._lock:
            while (found := self._pages[-1].end if self._pages else self.start) < end:
                self._pages.append(self._next(found))
            pieces = []
            number = max(0, bisect_right(self._pages, start, key=lambda page: page.start) - 1)
            while start < end:
                page = self._pages[number]
                body = page.start + len(page.header)
                plain = page.header if end <= body else page.header + self._body(page)
                pieces.append(plain[start - page.start : end - page.start])
                start, number = min(end, page.end), number + 1
            return b"".join(pieces)

    def _next(self, start: int) -> _Page:
        """Returns the page at an offset, of whose header the kind of page is known before it is read."""
        is_dictionary = self._has_dictionary and not self._pages
        place = () if is_dictionary else (len(self._pages) - self._has_dictionary,)
        part = Part.DICTIONARY_PAGE if is_dictionary else Part.DATA_PAGE
        module, after = self.module(start)
        plain = self.chunk.open(module, Part.DICTIONARY_PAGE_HEADER if is_dictionary else Part.DATA_PAGE_HEADER, *place)
        try:
            header = PageHeader.read(plain)[0]
        except DecodeError as error:
            raise relocated(error, file=self.chunk.file, path=self.chunk.path, start=start) from None
        end = after + header.compressed_page_size
        header.compressed_page_size -= self.chunk.overhead(part)
        # This was the checksum of the encrypted bytes.
        header.crc = None
        if header.compressed_page_size < 0 or end > self.end:
            rule = "the page runs past the end of its column chunk"
            raise broken(rule, file=self.chunk.file, path=self.chunk.path, offset=start)
        padded = _padded(header.to_bytes(), end - header.compressed_page_size - start)
        return _Page(start, after, end, padded, part, place)

    def _body(self, page: _Page) -> bytes:
        if self._kept is None or self._kept[0] is not page:
            module, end = self.module(page.module)
            if end != page.end:
                rule = "the page has another size than its header says"
                raise broken(rule, file=self.chunk.file, path=self.chunk.path, offset=page.module)
            self._kept = page, self.chunk.open(module, page.part, *page.place)
        return self._kept[1]


class DecryptedReader(RangeReader):
    """Byte ranges of the plain form of an encrypted file.

    Everything stays where it is: where a part is shorter than its encrypted form, the header in front of it is longer by
    a field that readers skip. Columns whose keys are not given stay encrypted.

    Args:
        ranges: the encrypted file; closed with this reader.
        keys: its keys.

    Raises:
        DecodeError: the file is invalid or not encrypted, a key is wrong, or bytes were changed.
        ValueError: the footer is encrypted, and ``keys`` has no key for it.
    """

    def __init__(self, ranges: RangeReader, keys: Keys) -> None:
        metadata, cipher, self._data_end = _metadata(ranges, keys)
        self._plain = ranges
        self._spans: list[_Span] = []
        footer = Footer(b"", self._data_end, ranges)  # type: ignore[arg-type]
        for number, group in enumerate(metadata.row_groups):
            ordinal = number if group.ordinal is None else group.ordinal
            for column, chunk in enumerate(group.columns):
                if chunk.crypto_metadata is None:
                    continue
                located = Located(chunk, number, column, Source(None, ranges.name), footer)
                if (key := cipher.key_of(chunk)) is not None:
                    self._open(located, _Chunk(cipher, key, (ordinal, column), located.path, ranges.name))
        self._spans.sort(key=lambda span: span.start)
        for before, after in zip(self._spans, self._spans[1:], strict=False):
            if after.start < before.end:
                rule = "its bytes belong to another part"
                raise broken(rule, file=ranges.name, path=after.chunk.path, offset=after.start)
        metadata.encryption_algorithm = metadata.footer_signing_key_metadata = None
        self._end = write_metadata(metadata)
        super().__init__(ranges.name, self._data_end + len(self._end), self._bytes, ranges.close)

    def _open(self, located: Located, chunk: _Chunk) -> None:
        """Notes the parts of a column chunk, and makes its metadata those of a plain one."""
        stored: ColumnChunk = located.chunk
        if stored.encrypted_column_metadata is not None:
            module = Module.from_bytes(stored.encrypted_column_metadata)
            stored.meta_data = ColumnMetaData.read(chunk.open(module, Part.COLUMN_META_DATA))[0]
        stored.crypto_metadata = stored.encrypted_column_metadata = None
        meta = located.metadata()
        start, end = page_range(located)
        if start < end:
            is_first = bool(meta.dictionary_page_offset) and meta.dictionary_page_offset == start
            self._spans.append(_Pages(self._plain, start, end, chunk, is_first))
        for name, struct, part in (
            ("column_index", ColumnIndex, Part.COLUMN_INDEX),
            ("offset_index", OffsetIndex, Part.OFFSET_INDEX),
        ):
            offset, length = getattr(stored, f"{name}_offset"), getattr(stored, f"{name}_length")
            if offset is not None and length is not None:
                located.check_range(offset, length, name)
                self._spans.append(_Whole(self._plain, offset, offset + length, chunk, struct, part))
        if meta.bloom_filter_offset is not None:
            parts = Part.BLOOM_FILTER_HEADER, Part.BLOOM_FILTER_BITSET
            span = _Whole(self._plain, meta.bloom_filter_offset, self._data_end, chunk, BloomFilterHeader, *parts)
            header, at = span.module(span.start)
            size = BloomFilterHeader.read(chunk.open(header, parts[0]))[0].numBytes
            span.end = at + size + chunk.overhead(parts[1])
            located.check_range(span.start, span.end - span.start, "bloom_filter")
            meta.bloom_filter_length = span.end - span.start
            self._spans.append(span)

    def _bytes(self, offset: int, length: int) -> bytes:
        end = offset + length
        pieces = []
        number = max(0, bisect_right(self._spans, offset, key=lambda span: span.start) - 1)
        while offset < min(end, self._data_end):
            while number < len(self._spans) and self._spans[number].end <= offset:
                number += 1
            span = self._spans[number] if number < len(self._spans) else None
            if span is not None and span.start <= offset:
                stop = min(end, span.end)
                pieces.append(span.read(offset, stop))
            else:
                stop = min(end, self._data_end if span is None else span.start)
                pieces.append(self._between(offset, stop))
            offset = stop
        pieces.append(self._end[max(0, offset - self._data_end) : max(0, end - self._data_end)])
        return b"".join(pieces)

    def _between(self, start: int, end: int) -> bytes:
        """Returns bytes that are plain in the file, but for the magic at its beginning."""
        data = bytes(self._plain.read(start, end - start))
        magic = MAGIC.encode()[start : start + len(data)] if start < len(MAGIC) else b""
        return magic + data[len(magic) :]


def _metadata(ranges: RangeReader, keys: Keys) -> tuple[FileMetaData, Cipher, int]:
    """Returns the footer of an encrypted file, what opens the rest, and where its data end."""
    name = ranges.name
    if other_format(ranges, "Parquet") == "encrypted Parquet":
        if keys.footer is None:
            raise ValueError("keys: the footer is encrypted: Keys(footer=...) is needed")
        try:
            file = EncryptedFile.open(ranges)
            footer, start = file.footer, file.span("footer")[0]
            cipher = Cipher(keys, footer.crypto.encryption_algorithm, name)
            plain = cipher.open(keys.footer, footer.footer.sealed, Part.FOOTER, path="footer")
            return FileMetaData.read(plain)[0], cipher, start
        except DecodeError as error:
            raise error if error.format == "parquet" else relocated(error, file=name) from None
    found = read_footer(ranges)
    metadata, end = FileMetaData.read(found.metadata)
    if metadata.encryption_algorithm is None:
        raise broken("the file is not encrypted", file=name)
    cipher = Cipher(keys, metadata.encryption_algorithm, name)
    if keys.footer is not None:
        cipher.check(keys.footer, bytes(found.metadata[:end]), found.metadata[end:])
    return metadata, cipher, found.start


def _padded(header: bytes, size: int) -> bytes:
    """Returns an encoded struct with fields that nobody knows, of so many bytes."""
    left = size - len(header)
    pieces = [header[:-1]]
    empty = len(Padding(padding=b"").to_bytes()) - 1
    while left > 0:
        room = left if left <= _PADDING else left - max(empty, left - _PADDING)
        pieces.append(Padding(padding=bytes(room - empty)).to_bytes()[:-1])
        left -= room
    return b"".join([*pieces, header[-1:]]) if size > len(header) else header
