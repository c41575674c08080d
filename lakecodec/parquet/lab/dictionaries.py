"""The one fact of the encodings of a chunk that candidates keep: that a dictionary encodes all data pages."""

from __future__ import annotations

from ...generated.parquet import ColumnMetaData, Encoding, PageType

_DATA = (PageType.DATA_PAGE, PageType.DATA_PAGE_V2)
_OF_LEVELS = {Encoding.RLE, Encoding.BIT_PACKED}
_BY_DICTIONARY = {Encoding.PLAIN_DICTIONARY, Encoding.RLE_DICTIONARY}


def is_fully_dictionary_encoded(meta: ColumnMetaData) -> bool:
    """Returns True if it is known, from the counts of pages or else from the encodings."""
    if meta.encoding_stats:
        found = {each.encoding for each in meta.encoding_stats if each.page_type in _DATA}
    else:
        found = set(meta.encodings) - _OF_LEVELS
    return bool(found) and found <= _BY_DICTIONARY


def encodings_of(is_fully_encoded: bool) -> list[Encoding | int]:
    """Returns the encodings of a chunk of which only that is known."""
    return [Encoding.RLE_DICTIONARY] if is_fully_encoded else []
