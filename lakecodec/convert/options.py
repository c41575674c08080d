"""Options of the file that a conversion writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict

import pyarrow as pa

from ..mosaic.options import WriterOptions
from .kinds import FileKind

_PARQUET_CODECS = ("zstd", "snappy", "gzip", "brotli", "lz4", "none")
_PARQUET_ROW_GROUP_BYTES = 128 * 2**20


class Options(TypedDict, total=False):
    """Types of the keyword arguments of `TargetOptions`, for functions that pass them on."""

    compression: str | None
    compression_level: int | None
    num_buckets: int | None
    row_group_bytes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetOptions:
    """Options of the target file; None selects the default of its format.

    Attributes:
        compression: ``"zstd"`` or ``"none"``; for Parquet also ``"snappy"``, ``"gzip"``, ``"brotli"`` and ``"lz4"``.
        compression_level: of the codec; snappy and none have no levels.
        num_buckets: number of buckets of a Mosaic file.
        row_group_bytes: a row group ends with the batch that brings it to this size in bytes; the encoded size is
            counted for Mosaic files, the size in memory for Parquet files.
    """

    compression: str | None = None
    compression_level: int | None = None
    num_buckets: int | None = None
    row_group_bytes: int | None = None

    def check(self, kind: FileKind) -> None:
        """Checks the options against a file format.

        Raises:
            ValueError, TypeError: an option is invalid, or the format does not have it; the message names the option.
        """
        if self.num_buckets is not None and kind != FileKind.MOSAIC:
            raise ValueError(f"num_buckets: only Mosaic files have buckets, the target is {kind.value}")
        if kind == FileKind.MOSAIC:
            _check_level(WriterOptions(**self.for_mosaic()).compression, self.compression_level)
        elif kind == FileKind.PARQUET:
            self._check_parquet()
        elif given := [name for name in self.__slots__ if getattr(self, name) is not None]:
            raise ValueError(f"{given[0]}: files of {kind.value} have no such option")

    def for_mosaic(self) -> Any:
        """Returns the keyword arguments of `MosaicWriter`, without those that are None."""
        options = {
            "compression": self.compression,
            "compression_level": self.compression_level,
            "num_buckets": self.num_buckets,
            "row_group_max_bytes": self.row_group_bytes,
        }
        return {name: value for name, value in options.items() if value is not None}

    def for_parquet(self) -> dict[str, Any]:
        """Returns the keyword arguments of ``pyarrow.parquet.ParquetWriter``."""
        return {"compression": self.compression or "zstd", "compression_level": self.compression_level}

    @property
    def parquet_row_group_bytes(self) -> int:
        """Size of a Parquet row group in memory, in bytes; 128 MiB by default."""
        return _PARQUET_ROW_GROUP_BYTES if self.row_group_bytes is None else self.row_group_bytes

    def _check_parquet(self) -> None:
        """Raises ValueError for an option that Parquet files cannot have."""
        name = self.for_parquet()["compression"]
        if name not in _PARQUET_CODECS:
            raise ValueError(f"compression: one of {', '.join(_PARQUET_CODECS)} is needed, not {name!r}")
        _check_level(name, self.compression_level)
        if self.parquet_row_group_bytes < 0:
            raise ValueError(f"row_group_bytes: a size is needed, not {self.row_group_bytes}")


def _check_level(codec: str, level: int | None) -> None:
    """Raises ValueError for a level that a codec does not have."""
    if level is None:
        return
    if codec in ("snappy", "none"):
        raise ValueError(f"compression_level: {codec} has no levels")
    least, most = pa.Codec.minimum_compression_level(codec), pa.Codec.maximum_compression_level(codec)
    if not least <= level <= most:
        raise ValueError(f"compression_level: {codec} has {least} to {most}, not {level}")
