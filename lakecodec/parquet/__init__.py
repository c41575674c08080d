"""Metadata of Parquet files: footers, page headers and page indexes, of one file or of many.

The structs are those of parquet.thrift, encoded with Thrift's compact protocol. Page bodies are not read. pyarrow is
imported only where a result or a file system needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import names_elsewhere
from .metadata import read_metadata, read_metadatas, write_metadata

if TYPE_CHECKING:
    from ..verify.finding import Finding as Problem
    from .bloom import bloom_filter
    from .chunk_table import column_chunks
    from .decryption import decrypt, decrypted, encrypt_footer
    from .encryption import Keys
    from .footer_cache import FooterCache
    from .index import page_index
    from .indexing import IndexReport, add_indexes
    from .joining import concat, merge_metadata
    from .merging import MergeReport, merge_row_groups
    from .pages import page_headers
    from .search import row_groups_with
    from .statistics_table import statistics
    from .surgery import drop_indexes, rename_columns, select_columns, update_metadata
    from .verification import verify

__all__ = [
    "FooterCache",
    "IndexReport",
    "Keys",
    "MergeReport",
    "Problem",
    "add_indexes",
    "bloom_filter",
    "column_chunks",
    "concat",
    "decrypt",
    "decrypted",
    "drop_indexes",
    "encrypt_footer",
    "merge_metadata",
    "merge_row_groups",
    "page_headers",
    "page_index",
    "read_metadata",
    "read_metadatas",
    "rename_columns",
    "row_groups_with",
    "select_columns",
    "statistics",
    "update_metadata",
    "verify",
    "write_metadata",
]

#: Names that are imported on first use, by module.
_ELSEWHERE = {
    "FooterCache": "footer_cache",
    "IndexReport": "indexing",
    "Keys": "encryption",
    "MergeReport": "merging",
    "add_indexes": "indexing",
    # The result type of `verify`, under the name that checks of tables use.
    "Problem": ".verify.finding:Finding",
    "bloom_filter": "bloom",
    "column_chunks": "chunk_table",
    "concat": "joining",
    "decrypt": "decryption",
    "decrypted": "decryption",
    "drop_indexes": "surgery",
    "encrypt_footer": "decryption",
    "merge_metadata": "joining",
    "merge_row_groups": "merging",
    "page_headers": "pages",
    "page_index": "index",
    "rename_columns": "surgery",
    "row_groups_with": "search",
    "select_columns": "surgery",
    "statistics": "statistics_table",
    "update_metadata": "surgery",
    "verify": "verification",
}

__getattr__, __dir__ = names_elsewhere(__name__, _ELSEWHERE)
