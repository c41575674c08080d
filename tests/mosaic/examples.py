"""Whole files in hexadecimal, made by paimon-mosaic 0.2.0, and the tables and options that they were made of."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

PLAIN = (
    pa.table(
        {
            "name": pa.array(["ann", None, "bob", "cy"]),
            "id": pa.array([1, 2, None, 300], pa.int32()),
        }
    ),
    {"compression": "none"},
    """
    00 01 04 00 00 00 01 00 00 00 02 00 00 01 2c 00 01 02 03 61 6e 6e 03 62 6f 62 02 63 79 00 00 00
    13 02 02 00 00 02 69 64 03 01 00 04 6e 61 6d 65 0a 01 02 01 04 02 00 00 00 00 00 00 00 00 00 0f
    0f 01 00 00 00 00 00 00 00 0f 0e 0e 00 00 00 00 00 00 00 00 34 00 00 00 00 00 00 00 1d 00 00 00
    02 00 00 00 01 00 01 00 00 4d 4f 53 41
    """,
)

ENCODINGS = (
    pa.table(
        {
            "color": ["red", "blue", "red", "red", None, "blue", "green", "red"],
            "c": pa.array([7] * 8, pa.int16()),
            "n": pa.array([None] * 8, pa.float64()),
        },
        schema=pa.schema([("color", pa.string()), pa.field("c", pa.int16(), False), ("n", pa.float64())]),
    ),
    {"compression": "none", "num_buckets": 1, "stats_columns": ["color", "n", "c"]},
    """
    39 02 00 07 03 03 72 65 64 04 62 6c 75 65 05 67 72 65 65 6e 10 04 09 00 00 00 18 03 01 00 00 01
    63 02 00 01 04 6f 6c 6f 72 0a 01 00 01 6e 06 01 02 01 04 08 01 00 00 00 00 00 00 00 00 00 17 17
    03 00 00 00 07 00 07 01 01 04 62 6c 75 65 03 72 65 64 02 08 00 00 00 00 00 00 00 33 00 00 00 00
    00 00 00 17 00 00 00 01 00 00 00 01 00 01 00 00 4d 4f 53 41
    """,
)

PAGED = (
    pa.table(
        {
            "a": pa.array([5, 5, 5], pa.int32()),
            "b": pa.array([1, None, 3], pa.int16()),
            "z": pa.array([None] * 3, pa.bool_()),
        }
    ),
    {"num_buckets": 1, "page_size_threshold": 1},
    """
    10 00 00 00 11 00 00 00 00 00 00 00 06 28 b5 2f fd 20 06 31 00 00 01 00 00 00 00 05 07 28 b5 2f
    fd 20 07 39 00 00 00 01 02 00 01 00 03 00 00 00 15 28 b5 2f fd 20 15 a9 00 00 03 01 00 00 01 61
    03 01 00 01 62 02 01 00 01 7a 00 01 00 02 02 03 01 00 00 00 00 00 00 00 00 00 2d 00 00 00 00 00
    00 00 00 00 4f 00 00 00 00 00 00 00 2d 00 00 00 01 00 00 00 01 01 01 00 00 4d 4f 53 41
    """,
)

NESTED = (
    pa.table(
        {
            "l": pa.array([[1, 2, 3], None, [], [4]], pa.list_(pa.int8())),
            "m": pa.array([[("k", True)], [], None, [("k", None), ("j", False)]], pa.map_(pa.string(), pa.bool_())),
        }
    ),
    {"compression": "none", "num_buckets": 1},
    """
    02 03 04 03 03 00 00 13 02 04 02 00 00 00 03 00 00 00 00 00 00 00 01 00 00 00 01 00 00 00 00 00
    00 00 02 01 02 03 04 01 6b 01 6b 01 6a 01 00 00 00 00 2c 02 01 00 00 01 6c 12 01 04 69 74 65 6d
    01 01 00 01 6d 13 01 07 65 6e 74 72 69 65 73 03 6b 65 79 0a 00 05 76 61 6c 75 65 00 01 00 02 04
    01 00 00 00 00 00 00 00 00 00 2f 2f 00 00 00 00 00 00 00 00 5f 00 00 00 00 00 00 00 2f 00 00 00
    01 00 00 00 01 00 01 00 00 4d 4f 53 41
    """,
)

#: The whole file is 110 bytes, of which these are the bucket and the schema's body.
PAIR_RULES_TABLE = pa.table(
    {name: pa.array([1], pa.int8()) for name in ("left_status", "right_status", "top_status", "low_status")}
)
PAIR_RULES_OPTIONS: dict[str, Any] = {"compression": "none", "num_buckets": 1}
PAIR_RULES_BUCKET = bytes.fromhex("55 00 01 01 01 01")
PAIR_RULES_SCHEMA = bytes.fromhex(
    """
    04 01 01 07 75 73 74 80 74 61 82 81 73 83 5f 84 74 85
    00 04 6c 65 66 86 01 01 01 03 6f 77 85 01 01 00 05 72 69 67 68 86 01 01 00 04 74 6f 70 85 01 01
    00 04 02 03
    """
)

FILES = {"plain": PLAIN, "encodings": ENCODINGS, "paged": PAGED, "nested": NESTED}
