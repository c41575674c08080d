"""Messages: the footer of an ORC file of 1,000 columns and stripes, against Google's protobuf (upb). CPU time of this process.

Google's Python makes objects when they are asked for, and so does the native backend: decoding alone looks through the bytes.
"""

from __future__ import annotations

import time
from typing import Any

from lakecodec import backend, compile_idl
from lakecodec.formats import formats
from tests.runtime.protobuf.peer import Peer

from .harness import Result, compare


def run(quick: bool) -> list[Result]:
    idl: Any = compile_idl(next(each for each in formats() if each.name == "orc").idl)
    theirs = Peer(idl)[idl.Footer]
    ours = footer(idl)
    data = ours.to_bytes()
    peer = theirs.FromString(data)
    assert peer.SerializeToString() == data
    cases = {
        "decode": (lambda: idl.Footer.from_bytes(data), lambda: theirs.FromString(data), 1.0),
        "decode and read all": (
            lambda: visit(idl.Footer.from_bytes(data)),
            lambda: visit(theirs.FromString(data)),
            1.0,
        ),
        "encode": (lambda: ours.to_bytes(), lambda: peer.SerializeToString(), None),
    }
    results: list[Result] = []
    for name, (own, other, bar) in cases.items():
        results += compare(
            f"{name}: ORC footer, {len(data):,} bytes",
            {"ours": own, "protobuf": other},
            bars={"protobuf": bar} if bar is not None and backend() == "native" else None,
            repeat=5 if quick else 15,
            clock=time.process_time,
        )
    return results


def footer(idl: Any) -> Any:
    """Returns the footer of a file of 1,000 columns of integers and 1,000 stripes."""
    many = range(1000)
    root = idl.Type(kind=idl.TypeKind.STRUCT, subtypes=[n + 1 for n in many], field_names=[f"column_{n}" for n in many])
    whole = [idl.IntegerStatistics(minimum=-n, maximum=10**9 + n, sum=10**12) for n in many]
    return idl.Footer(
        header_length=3,
        content_length=10**9,
        number_of_rows=10**8,
        row_index_stride=10_000,
        stripes=[
            idl.Stripe(
                offset=n * 10**6, index_length=1000 + n, data_length=10**6, footer_length=500, number_of_rows=10**5
            )
            for n in many
        ],
        types=[root, *(idl.Type(kind=idl.TypeKind.LONG) for _ in many)],
        statistics=[idl.ColumnStatistics(number_of_values=10**8, integers=each, has_null=False) for each in whole],
    )


def visit(footer: Any) -> int:
    """Returns a sum over the fields of a footer of either library."""
    total = 0
    for each in footer.stripes:
        total += each.offset + each.index_length + each.data_length + each.footer_length + each.number_of_rows
    for each in footer.types:
        total += each.kind + len(each.subtypes) + len(each.field_names)
    for each in footer.statistics:
        integers = each.integers
        total += each.number_of_values + integers.minimum + integers.maximum + integers.sum + each.has_null
    return total
