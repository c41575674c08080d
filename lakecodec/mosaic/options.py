"""Options of the Mosaic writer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal, TypeAlias, TypedDict

from ..generated.mosaic import Compression, block
from ..runtime.compress import Zstd, zstd_compressor
from ..runtime.exact import items_of

CompressionName: TypeAlias = Literal["zstd", "none"]

_KINDS = {"zstd": Compression.ZSTD, "none": Compression.NONE}
_MOST = 2**32 - 1
#: The bounds to which the zstd library clamps a level.
_LEVELS = (-131072, 22)


class Options(TypedDict, total=False):
    """Keyword arguments of `WriterOptions`, as a type for functions that pass them on."""

    compression: CompressionName
    compression_level: int
    num_buckets: int
    row_group_max_bytes: int
    max_dict_bytes: int
    max_dict_entries: int
    stats_columns: Iterable[str]
    page_size_threshold: int
    checksum: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WriterOptions:
    """Options of the writer; readers need none of them.

    Attributes:
        compression: ``"zstd"`` or ``"none"``, for the schema block and all buckets.
        compression_level: level of zstd; levels beyond zstd's range are replaced by its lowest or highest.
        num_buckets: number of buckets that the columns are divided among, from 1; at most one per column.
        row_group_max_bytes: a row group ends with the batch that brings its encoded values, in bytes before
            compression, to this size.
        max_dict_bytes: largest dictionary in bytes, for values whose width is not 1, 2, 4 or 8 bytes.
        max_dict_entries: most entries of a dictionary.
        stats_columns: names of the columns whose null count, minimum and maximum the row group index keeps.
        page_size_threshold: a bucket whose columns have this many bytes on average is paged: one slot per column.
            With compression ``"none"`` no bucket is paged.
        checksum: True to add a checksum of its content, 4 bytes, to each zstd frame.

    Raises:
        TypeError: an option of a wrong type.
        ValueError: an option out of its range, or ``checksum`` without compression.
    """

    compression: CompressionName = "zstd"
    compression_level: int = 1
    num_buckets: int = 100
    row_group_max_bytes: int = 256 * 2**20
    max_dict_bytes: int = 32 * 1024
    max_dict_entries: int = 255
    stats_columns: Iterable[str] = ()
    page_size_threshold: int = 32 * 1024
    checksum: bool = False

    def __post_init__(self) -> None:
        if self.compression not in _KINDS:
            raise ValueError(f"compression: 'zstd' or 'none' is needed, not {self.compression!r}")
        _check("compression_level", self.compression_level, None, None)
        _check("num_buckets", self.num_buckets, 1, _MOST)
        _check("row_group_max_bytes", self.row_group_max_bytes, 0, None)
        for name in ("max_dict_bytes", "max_dict_entries", "page_size_threshold"):
            _check(name, getattr(self, name), 0, _MOST)
        if not isinstance(self.checksum, bool):
            raise TypeError(f"checksum: a bool is needed, not {self.checksum!r}")
        if self.checksum and self.compression == "none":
            raise ValueError("checksum: only compressed files have checksums, compression is 'none'")
        object.__setattr__(self, "stats_columns", _names(self.stats_columns))

    @property
    def kind(self) -> Compression:
        """The compression as the footer's enum."""
        return _KINDS[self.compression]

    def codecs(self) -> dict[str, Any]:
        """Returns the codecs for ``to_bytes``, by name: ``zstd`` with this level and checksum flag."""
        return _codecs(self.compression_level, self.checksum)

    def compressor(self) -> Callable[[bytes], bytes]:
        """Returns a function of the calling thread that makes a block's stored bytes: a zstd frame, or the block itself."""
        if block(self.kind, 0).name != "zstd":
            return bytes
        return zstd_compressor(_clamped(self.compression_level), self.checksum).compress


@cache
def _codecs(level: int, checksum: bool) -> dict[str, Any]:
    """Returns the codecs of a level, which is clamped, and a checksum flag."""
    return {"zstd": partial(Zstd, level=_clamped(level), checksum=checksum)}


def _clamped(level: int) -> int:
    """Returns a level within zstd's range."""
    least, most = _LEVELS
    return max(least, min(most, level))


def _check(name: str, value: Any, least: int | None, most: int | None) -> None:
    """Raises TypeError if an option is not an int, ValueError if it is out of range."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name}: an int is needed, not {value!r}")
    if (least is not None and value < least) or (most is not None and value > most):
        raise ValueError(f"{name}: {least} to {most if most is not None else 'any size'} is possible, not {value}")


def _names(names: Iterable[str]) -> tuple[str, ...]:
    """Returns the names as a tuple; TypeError if they are no names."""
    if isinstance(names, str):
        raise TypeError("stats_columns: an iterable of names is needed, not one str")
    listed = tuple(items_of(names))
    for name in listed:
        if not isinstance(name, str):
            raise TypeError(f"stats_columns: names are needed, not {name!r}")
    return listed
