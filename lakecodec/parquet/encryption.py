"""Keys of encrypted Parquet files, and the parts that they open and seal (Encryption.md)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..generated.parquet import AesGcmV1, ColumnChunk, EncryptionAlgorithm
from ..generated.parquet_encryption import NONCE, TAG, Counter, Part, Place, Sealed, Signature
from ..runtime.errors import DecodeError
from ..runtime.exact import check_type
from .errors import broken

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

#: The sizes in bytes of keys of AES-128, AES-192 and AES-256.
_KEY_SIZES = (16, 24, 32)
_BODIES = (Part.DATA_PAGE, Part.DICTIONARY_PAGE)


@dataclass(frozen=True)
class Keys:
    """The unwrapped keys of a Parquet file: 16, 24 or 32 bytes of AES.

    Attributes:
        footer: the key of the footer, and of the columns that have none of their own.
        columns: keys of columns, by dotted path; a group stands for all columns below it.
        aad_prefix: the prefix with which the writer authenticated every part; None for the file's own.
    """

    footer: bytes | None = field(default=None, repr=False)
    columns: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    aad_prefix: bytes | None = None

    def __post_init__(self) -> None:
        check_type("columns", self.columns, Mapping)
        for name, key in (
            ("footer", self.footer),
            *((f"columns[{path!r}]", key) for path, key in self.columns.items()),
        ):
            if key is not None and not (isinstance(key, bytes) and len(key) in _KEY_SIZES):
                raise ValueError(f"{name}: a key is 16, 24 or 32 bytes")
        if self.aad_prefix is not None and not isinstance(self.aad_prefix, bytes):
            raise TypeError(f"aad_prefix: bytes are needed, not {type(self.aad_prefix).__name__}")
        if self.aad_prefix is not None:
            # An instance of a bytes subclass is replaced by its bytes, without its methods.
            object.__setattr__(self, "aad_prefix", bytes.__getitem__(self.aad_prefix, slice(None)))


class Cipher:
    """Opens and seals the parts of one file.

    Args:
        keys: the keys.
        algorithm: what the file says of its cipher.
        file: name of the file, for errors.

    Raises:
        DecodeError: the cipher is unknown, or the file leaves its prefix to whoever reads it and ``keys`` has none.
        ModuleNotFoundError: the package cryptography is not installed.
    """

    def __init__(self, keys: Keys, algorithm: EncryptionAlgorithm, file: str) -> None:
        self.keys, self._file = keys, file
        given = algorithm.value
        if algorithm.kind not in ("AES_GCM_V1", "AES_GCM_CTR_V1") or given is None:
            raise broken("an unknown cipher", file=file, path="encryption_algorithm")
        if given.supply_aad_prefix and keys.aad_prefix is None:
            raise broken("the file does not hold its AAD prefix: Keys(aad_prefix=...) is needed", file=file)
        prefix = given.aad_prefix if keys.aad_prefix is None else keys.aad_prefix
        self._authenticated = (prefix or b"") + (given.aad_file_unique or b"")
        self._counts = algorithm.kind == "AES_GCM_CTR_V1"

    @staticmethod
    def new(keys: Keys) -> tuple[EncryptionAlgorithm, Cipher]:
        """Returns a cipher for a new file, and its description in the file."""
        told = AesGcmV1(aad_prefix=keys.aad_prefix, aad_file_unique=os.urandom(TAG // 2))
        algorithm = EncryptionAlgorithm.AES_GCM_V1(told)
        return algorithm, Cipher(keys, algorithm, "")

    def overhead(self, part: Part) -> int:
        """Returns the number of bytes that sealing adds to a part."""
        return NONCE if self._counts and part in _BODIES else NONCE + TAG

    def open(self, key: bytes, sealed: Sealed, part: Part, *place: int, path: str) -> bytes:
        """Returns a part as it was before it was sealed.

        Args:
            key: the key of the footer or of a column.
            sealed: the part in the file.
            part: its kind.
            place: row group, column and data page, as far as the kind has them.
            path: where it is, for errors.

        Raises:
            DecodeError: the part was sealed with another key, or was changed since.
        """
        if self._counts and part in _BODIES:
            ciphers = _package("hazmat.primitives.ciphers")
            counter = ciphers.modes.CTR(Counter(nonce=sealed.nonce).to_bytes())
            found: bytes = ciphers.Cipher(ciphers.algorithms.AES(key), counter).decryptor().update(sealed.text)
            return found
        try:
            return _aes(key).decrypt(sealed.nonce, sealed.text, self._about(part, place))
        except (_package("exceptions").InvalidTag, ValueError):
            raise self._authentication_error(path) from None

    def seal(self, key: bytes, data: bytes, part: Part, *place: int) -> Sealed:
        """Returns a part sealed by AES-GCM."""
        nonce = os.urandom(NONCE)
        return Sealed(nonce=nonce, text=_aes(key).encrypt(nonce, data, self._about(part, place)))

    def check(self, key: bytes, footer: bytes, signature: Any) -> None:
        """Checks the signature of a footer that anyone can read.

        Raises:
            DecodeError: it is not the signature of these bytes with this key.
        """
        signed = Signature.from_bytes(signature)
        if _aes(key).encrypt(signed.nonce, footer, self._about(Part.FOOTER, ()))[-TAG:] != signed.tag:
            raise self._authentication_error("signature")

    def sign(self, key: bytes, footer: bytes) -> bytes:
        """Returns the signature of a footer that anyone can read."""
        sealed = self.seal(key, footer, Part.FOOTER)
        return Signature(nonce=sealed.nonce, tag=sealed.text[-TAG:]).to_bytes()

    def key_of(self, chunk: ColumnChunk) -> bytes | None:
        """Returns the key of an encrypted column chunk, None where it is not among the keys."""
        crypto = chunk.crypto_metadata
        assert crypto is not None
        if crypto.kind == "ENCRYPTION_WITH_COLUMN_KEY" and crypto.value is not None:
            path = crypto.value.path_in_schema
            above = (".".join(path[:depth]) for depth in range(len(path), 0, -1))
            return next((self.keys.columns[name] for name in above if name in self.keys.columns), None)
        return self.keys.footer

    def _about(self, part: Part, place: tuple[int, ...]) -> bytes:
        names = ("row_group", "column", "page")
        return self._authenticated + Place(part=part, **dict(zip(names, place, strict=False))).to_bytes()

    def _authentication_error(self, path: str) -> DecodeError:
        return broken("the key or the AAD prefix is wrong, or the bytes were changed", file=self._file, path=path)


def _aes(key: bytes) -> AESGCM:
    found: AESGCM = _package("hazmat.primitives.ciphers.aead").AESGCM(key)
    return found


def _package(name: str) -> Any:
    """Returns a module of the package cryptography."""
    try:
        return import_module(f"cryptography.{name}")
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "encrypted files need the package cryptography: pip install 'lakecodec[encryption]'", name="cryptography"
        ) from None
