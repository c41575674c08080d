"""Mutations that change nothing, and why: (file, kind of change, part of the line) -> reason."""

_COMPACT = "structs in records are compact where no protocol is named"

SURVIVORS: dict[tuple[str, str, str], str] = {
    ("parquet_file", "clause", "header via compact"): _COMPACT,
    ("parquet_file", "clause", "meta via compact"): _COMPACT,
    ("parquet_file", "clause", "meta at end - 8 - tail.meta_size"): _COMPACT,
    ("delta_partition", "number", "URI_ESCAPED = [0x00 .. 0x1F"): "the space behind the range is in the set anyway",
    ("delta_partition", "kind", "codec decimal("): "the compiler does not know what kind a pattern's variables are of",
    ("delta_partition", "word", "codec utf8(bool binary"): "the name of a parameter",
    ("delta_partition", "kind", "REFUSED_KERNEL = []"): "an empty set has no elements of any type",
    (
        "parquet_file",
        "kind",
        "record Chunk(i64 start, i64 stored)",
    ): "kinds in `at` and `size` of lists are not checked",
    ("mosaic", "number", "size directory.slot_sizes[i] if directory.slot_sizes[i] > 0"): "no block fits one byte",
    ("delta_partition", "number", "0x80 .. 0x9F, 0xA0"): "the range ends where the next character of the set stands",
}
