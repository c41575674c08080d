"""Finds the files that statistics rule out, for many footers at once."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context
from typing import TYPE_CHECKING, Any

from ..generated import parquet_file
from ..generated.parquet import Type
from .leaf_types import LeafType
from .searched_column import Leaf, Searched

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    Mask = np.ndarray[Any, np.dtype[np.bool_]]

#: NumPy's types of plainly encoded numbers.
_NUMBERS: dict[Any, str] = {
    Type.BOOLEAN: "u1", Type.INT32: "i4", Type.INT64: "i8", Type.FLOAT: "f4", Type.DOUBLE: "f8",
}  # fmt: skip


def ruled_out(metadata: Sequence[Any], searched: Sequence[Searched]) -> list[bool]:
    """Returns True for each file whose statistics leave no row group that can hold a value.

    False says nothing: so it is for invalid footers, column chunks without statistics, and types whose bounds are not
    compared here.

    Args:
        metadata: the encoded FileMetaData of each file.
        searched: the leaf column in each file.
    """
    import numpy as np

    table, source, is_here, found = _chunks(metadata, [each.leaf for each in searched if each.leaf is not None])
    types = {id(each.type): each for each in searched}
    type_of = np.array([id(each.type) for each in searched])[source]
    is_out = np.zeros(len(source), np.bool_)
    for key, sample in types.items():
        rows = np.flatnonzero(is_here & (type_of == key))
        if len(rows) and sample.type is not None:
            is_out[rows] = _out(table.take(rows), sample.type, sample.keys)
    found[source[~is_out]] = False
    return list(found.tolist())


def without_values(metadata: Sequence[Any], leaves: Sequence[Leaf]) -> list[bool]:
    """Returns True for each file whose statistics say that a leaf column has only nulls."""
    table, source, is_here, found = _chunks(metadata, leaves)
    nulls, values = table["null_count"].fill_null(-1).to_numpy(), table["num_values"].fill_null(-2).to_numpy()
    found[source[is_here & (nulls != values)]] = False
    return list(found.tolist())


def _chunks(metadata: Sequence[Any], leaves: Sequence[Leaf]) -> tuple[pa.Table, Any, Mask, Mask]:
    """Returns the column chunks of a leaf column of each file.

    Returns:
        (table, the file of each row, whether the row is of the column, whether a file has a row for each row group).
    """
    import numpy as np

    numbers = np.array([leaf.number for leaf in leaves], np.int32)
    table = _bounds(metadata, {leaf.path for leaf in leaves}, numbers)
    source = table["source"].to_numpy()
    is_here = table["column"].to_numpy() == numbers[source]
    # The table lacks row groups whose chunk names another column.
    unseen = np.full(len(metadata), -1, np.int64)
    unseen[source] = table["file_rows"].to_numpy()
    np.subtract.at(unseen, source[is_here], table["num_rows"].to_numpy()[is_here])
    return table, source, is_here, unseen == 0


def _bounds(metadata: Sequence[Any], paths: set[str], numbers: Any) -> pa.Table:
    """Returns the rows of `chunk_bounds` with one of the paths, or with a column number where footers have no
    paths."""
    import numpy as np
    import pyarrow as pa

    named = parquet_file.chunk_bounds.decode(metadata, keep={"path": paths}, on_error="collect")[0]
    unnamed = np.setdiff1d(np.arange(len(metadata)), named["source"].to_numpy())
    if not len(unnamed):
        return named.combine_chunks()
    found = parquet_file.chunk_bounds.decode([metadata[at] for at in unnamed], on_error="collect")[0]
    source = unnamed.astype(np.int32)[found["source"].to_numpy()]
    found = found.set_column(0, found.schema.field(0), pa.array(source))
    is_here = (found["column"].to_numpy() == numbers[source]) & found["path"].is_null().to_numpy()
    return pa.concat_tables([named, found.filter(pa.array(is_here))]).combine_chunks()


def _out(chunks: pa.Table, leaf: LeafType, keys: list[Any]) -> Mask:
    """Returns True for each column chunk that holds none of some search keys, all of one type."""
    import numpy as np

    # Unknown counts are replaced by numbers that equal no count.
    nulls, nans = (chunks[name].fill_null(-1).to_numpy() for name in ("null_count", "nan_count"))
    has_values = nulls != chunks["num_values"].fill_null(-2).to_numpy()
    bounds = _Bounds(chunks, leaf) if any(key is not None and key == key for key in keys) else None
    out = np.ones(len(chunks), np.bool_)
    for key in keys:
        if key is None:
            out &= nulls == 0
        elif key != key:
            out &= ~has_values | (nans == 0)
        else:
            assert bounds is not None
            out &= ~has_values | bounds.exclude(key)
    return out


class _Bounds:
    """The bounds of column chunks of one type, as arrays that compare in the type's order.

    Args:
        chunks: rows of `parquet_file.chunk_bounds`.
        leaf: the type.
    """

    def __init__(self, chunks: pa.Table, leaf: LeafType) -> None:
        self._leaf = leaf
        self._count = len(chunks)
        self._texts: tuple[pa.Array, pa.Array] | None = None
        self._numbers: tuple[Any, Any, Mask, Mask] | None = None
        low, high = _trusted(chunks, leaf)
        if not leaf.is_ordered:
            pass
        elif leaf.compares_bytes:
            self._texts = low, high
        elif (kind := _number_type(leaf)) is not None:
            smallest, has_low, bad_low = _read(low, *kind)
            largest, has_high, bad_high = _read(high, *kind)
            is_good = ~(bad_low | bad_high)
            self._numbers = smallest, largest, has_low & is_good, has_high & is_good
        elif leaf.element.type == Type.FIXED_LEN_BYTE_ARRAY and leaf.kind[0] == "DECIMAL":
            smaller, larger = (_ordered(raw, leaf.element.type_length or 0) for raw in (low, high))
            if smaller is not None and larger is not None:
                self._texts = smaller, larger

    def exclude(self, key: Any) -> Mask:
        """Returns True where a search key is below or above the bounds."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        nowhere = np.zeros(self._count, np.bool_)
        if self._leaf.kind[0] == "DECIMAL" and not isinstance(key, bytes):
            key = int(key.scaleb(self._leaf.kind[1], Context(prec=100)))
        try:
            if self._numbers is not None:
                smallest, largest, has_low, has_high = self._numbers
                return (has_low & (smallest > key)) | (has_high & (largest < key))  # type: ignore[no-any-return]
            if isinstance(key, int) and self._texts is not None:
                key = _sign_flipped(key.to_bytes(self._leaf.element.type_length or 0, "big", signed=True))
        except OverflowError:
            return nowhere
        if self._texts is None:
            return nowhere
        low, high = self._texts
        scalar = pa.scalar(key, pa.binary())
        is_out = pc.or_(pc.greater(low, scalar).fill_null(False), pc.less(high, scalar).fill_null(False))
        found: Mask = is_out.to_numpy(zero_copy_only=False)
        return found


def _trusted(chunks: pa.Table, leaf: LeafType) -> tuple[pa.Array, pa.Array]:
    """Returns the encoded bounds that `LeafType.raw_bounds` takes, as two binary arrays."""
    import pyarrow as pa
    import pyarrow.compute as pc

    low, high, old_low, old_high = (chunks[name].combine_chunks() for name in ("min_value", "max_value", "min", "max"))
    nothing = pa.nulls(len(chunks), pa.binary())
    if not leaf.trusts_deprecated:
        old_low = old_high = nothing
    if not leaf.has_order:
        return old_low, old_high
    is_new = pc.or_(low.is_valid(), high.is_valid())
    return pc.if_else(is_new, low, old_low), pc.if_else(is_new, high, old_high)


def _number_type(leaf: LeafType) -> tuple[str, int | None, int | None] | None:
    """Returns NumPy's type of a column's bounds and its least and greatest value; None if they are not numbers."""
    import numpy as np
    import pyarrow as pa

    kind, arrow = leaf.element.type, leaf.arrow
    if arrow == pa.float16():
        return "<f2", None, None
    if kind not in _NUMBERS or (leaf.kind[0] == "DECIMAL" and not pa.types.is_decimal(arrow)):
        return None
    if arrow == pa.bool_():
        return "<u1", 0, 1
    if not pa.types.is_integer(arrow):
        return f"<{_NUMBERS[kind]}", None, None
    limits = np.iinfo(arrow.to_pandas_dtype())
    letter = "u" if pa.types.is_unsigned_integer(arrow) else "i"
    return f"<{letter}{_NUMBERS[kind][1:]}", int(limits.min), int(limits.max)


def _read(raw: pa.Array, kind: str, least: int | None, most: int | None) -> tuple[Any, Mask, Mask]:
    """Returns bounds as numbers, True where they are known, and True where they are there but NaN or no such number."""
    import numpy as np

    dtype = np.dtype(kind)
    fits, data = _of_size(raw, dtype.itemsize)
    numbers = np.zeros(len(raw), np.float64 if dtype.kind == "f" else dtype)
    numbers[fits] = np.frombuffer(data, dtype)
    known = fits & (numbers == numbers)
    if least is not None:
        known &= (numbers >= least) & (numbers <= most)
    return numbers, known, raw.is_valid().to_numpy(zero_copy_only=False) & ~known


def _ordered(raw: pa.Array, size: int) -> pa.Array | None:
    """Returns big-endian signed numbers of one size as bytes that are ordered as they are, None if one has another size."""
    import numpy as np
    import pyarrow as pa

    fits, data = _of_size(raw, size)
    if int(fits.sum()) < len(raw) - raw.null_count or not size:
        return None
    flipped = np.frombuffer(data, np.uint8).reshape(-1, size).copy()
    flipped[:, 0] ^= 0x80
    texts = np.full(len(raw), None, object)
    texts[fits] = [row.tobytes() for row in flipped]
    return pa.array(texts, pa.binary())


def _sign_flipped(data: bytes) -> bytes:
    return bytes([data[0] ^ 0x80]) + data[1:]


def _of_size(raw: pa.Array, size: int) -> tuple[Mask, Any]:
    """Returns True for the elements of a binary array that have a size, and the bytes of all these."""
    import numpy as np
    import pyarrow.compute as pc

    fits = pc.equal(pc.binary_length(raw), size).fill_null(False)
    whole = raw.filter(fits)
    if not len(whole):
        return fits.to_numpy(zero_copy_only=False), b""
    _, offsets, data = whole.buffers()
    start = int(np.frombuffer(offsets, np.int32)[whole.offset])
    return fits.to_numpy(zero_copy_only=False), memoryview(data)[start : start + len(whole) * size]
