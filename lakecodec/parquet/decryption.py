"""Parquet files that are encrypted, read with their keys; footers that are encrypted or made plain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, BinaryIO, cast

from ..generated.parquet import FileCryptoMetaData
from ..generated.parquet_encryption import EncryptedFooter, Module, Part
from ..generated.parquet_file import ENCRYPTED_MAGIC, MAGIC
from ..runtime.exact import check_type
from ..runtime.source_types import SourceLike, TargetLike
from ..runtime.urls import located
from .encryption import Cipher, Keys
from .page_copies import PageCopy
from .pages import places
from .plain_reader import DecryptedReader
from .range_file import RangeFile
from .relocation import Relocation, opened, source_file, target_file


def decrypted(
    source: SourceLike,
    keys: Keys,
    *,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> BinaryIO:
    """Returns a seekable binary file: the plain form of an encrypted Parquet file.

    Whatever reads Parquet files reads it: the functions of this module, pyarrow, polars. Parts are decrypted when they
    are read, one page at a time; nothing is written. Columns whose keys are not given stay encrypted.

    Args:
        source: the encrypted file, as in `read_metadata`.
        keys: its keys.
        filesystem: the pyarrow or fsspec file system that ``source`` is a path in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        DecodeError: the file is invalid or not encrypted, a key is wrong, or bytes were changed. Also raised by reads.
        ValueError: the footer is encrypted, and ``keys`` has no key for it.
        ModuleNotFoundError: the package cryptography is not installed.
        OSError: the file cannot be read.
    """
    (source,) = located(storage_options, source, filesystem=filesystem)
    check_type("keys", keys, Keys)
    ranges = source_file(source, filesystem).open()
    try:
        return cast(BinaryIO, RangeFile(DecryptedReader(ranges, keys), owns=True))
    except BaseException:
        ranges.close()
        raise


def decrypt(
    source: SourceLike,
    target: TargetLike,
    keys: Keys,
    *,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> None:
    """Writes an encrypted file as a plain one, page by page.

    Args:
        source: the encrypted file, as in `read_metadata`.
        target: path or URL of the new file, or a binary file object.
        keys: the keys of the footer and of all columns.
        filesystem: the pyarrow or fsspec file system that ``source`` and ``target`` are paths in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        DecodeError: as `decrypted`; a column is encrypted with a key that is not among the keys.
        ValueError, ModuleNotFoundError, OSError: as `decrypted`.
    """
    source, target = located(storage_options, source, target, filesystem=filesystem)
    with decrypted(source, keys, filesystem=filesystem) as plain, opened(source_file(plain)) as file:
        columns = range(len(file.columns))
        with target_file(target, "target", filesystem) as sink:
            moved = Relocation(sink)
            for number, group in enumerate(file.metadata.row_groups):
                copies = {}
                for column in columns:
                    chunk = file.located(number, column, group.columns[column])
                    pages = list(places(chunk))
                    # Some writers include the bytes of the encryption in this size, others do not.
                    size = sum(body - start + header.uncompressed_page_size for header, start, body in pages)
                    chunk.metadata().total_uncompressed_size = size
                    # The headers are encoded anew, without the bytes that stand for the encryption.
                    copies[column] = [
                        PageCopy(start, body, body + header.compressed_page_size, header.to_bytes())
                        for header, start, body in pages
                    ]
                moved.add(file, number, columns, copies=copies)
            moved.finish(file.metadata)


def encrypt_footer(
    source: SourceLike,
    target: TargetLike,
    keys: Keys,
    *,
    filesystem: Any = None,
    storage_options: Mapping[str, Any] | None = None,
) -> None:
    """Writes a file whose footer, with its schema and statistics, is encrypted. The columns are copied unchanged.

    Args:
        source: a file as in `read_metadata`.
        target: path or URL of the new file, which may be ``source``, or a binary file object.
        keys: the key of the footer; ``aad_prefix`` is stored in the file.
        filesystem: the pyarrow or fsspec file system that ``source`` and ``target`` are paths in.
        storage_options: options of the client for the object store of URLs, see `StoreUrl`; not with ``filesystem``.

    Raises:
        ValueError: ``keys`` has no key of the footer, or keys of columns.
        DecodeError: the file is not a valid Parquet file, or it is encrypted or signed.
        ModuleNotFoundError: the package cryptography is not installed.
    """
    source, target = located(storage_options, source, target, filesystem=filesystem)
    check_type("keys", keys, Keys)
    if keys.footer is None or keys.columns:
        raise ValueError("keys: a key of the footer is needed, and none of columns")
    with opened(source_file(source, filesystem)) as file:
        algorithm, cipher = Cipher.new(keys)
        end = EncryptedFooter(
            crypto=FileCryptoMetaData(encryption_algorithm=algorithm),
            footer=Module(sealed=cipher.seal(keys.footer, file.metadata.to_bytes(), Part.FOOTER)),
        )
        with target_file(target, "target", filesystem) as sink:
            sink.write(ENCRYPTED_MAGIC.encode())
            sink.copy(file.ranges, len(MAGIC), file.footer.start)
            sink.write(end.to_bytes())
