"""A laboratory of footers: candidates for Parquet's next one, made of today's and turned back into it.

Each candidate is declared in the gallery of IDL files, from the public text of its proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from ...generated.parquet import FileMetaData
from ...generated.parquet_file import MAGIC
from . import flatbuffers, jump_table, modular, parx, today
from .reads import Chunk, Reads

__all__ = ["CANDIDATES", "Candidate", "Chunk", "Find", "Reads"]


class Find(Protocol):
    """A function that finds column chunks."""

    def __call__(self, file: Reads, columns: Sequence[tuple[str, ...]], *, statistics: bool = True) -> list[Chunk]: ...


class Candidate(NamedTuple):
    """A layout of footers.

    Attributes:
        encode: from a FileMetaData and the offset where the footer begins to the end of a file from there on.
        decode: from a whole file, or anything that ends like one, to a FileMetaData.
        find: from a file and the paths of columns to their chunks, of one row group after the other; with
            ``statistics=False`` to their places alone.
        magic: how a file begins.
        lost: dotted paths of the fields of FileMetaData that the layout cannot hold.
        shortens: whether bounds may become wider and shorter, or are left out.
    """

    encode: Callable[[FileMetaData, int], bytes]
    decode: Callable[[bytes], FileMetaData]
    find: Find
    magic: bytes = MAGIC.encode()
    lost: frozenset[str] = frozenset()
    shortens: bool = False


#: Candidates by name. Today's footer is the first.
CANDIDATES = {
    "today": Candidate(today.encode, today.decode, today.find),
    "parx": Candidate(parx.encode, parx.decode, parx.find, parx.MAGIC.encode()),
    "jump table": Candidate(jump_table.encode, jump_table.decode, jump_table.find),
    "flatbuffers": Candidate(
        flatbuffers.encode, flatbuffers.decode, flatbuffers.find, lost=flatbuffers.LOST, shortens=True
    ),
    "modular": Candidate(modular.encode, modular.decode, modular.find, lost=modular.LOST),
}
