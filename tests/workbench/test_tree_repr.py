"""What a tree says of itself."""

from __future__ import annotations

import pyarrow as pa

from lakecodec import workbench

from ..parquet.files import arrow_file


def test_a_tree_names_its_format_and_size() -> None:
    data = arrow_file(pa.table({"a": [1]}))
    assert repr(workbench.explore(data)) == f"Tree('parquet_file.File', size={len(data)})"
