"""Mutations that change nothing, and why: (file, kind of change, part of the line) -> reason."""

SURVIVORS: dict[tuple[str, str, str], str] = {
    ("constructs", "clause", 'with length = size(b) else "another length"'): "the bytes are read with that length",
    ("parquet_file", "clause", "Head head at 0"): "the first field stands at 0 where no place is declared",
    ("parquet_file", "number", "header.numBytes > 0"): "one byte is no whole block either",
    ("delta_partition", "number", "URI_ESCAPED = [0x00 .. 0x1F"): "the space behind the range is in the set anyway",
    ("delta_partition", "kind", "codec decimal("): "the compiler does not know what kind a pattern's variables are of",
    ("delta_partition", "word", "codec utf8(bool binary"): "the name of a parameter",
    ("delta_partition", "kind", "REFUSED_KERNEL = []"): "an empty set has no elements of any type",
    ("mosaic", "number", "size directory.slot_sizes[i] if directory.slot_sizes[i] > 0"): "no block fits one byte",
    ("mosaic", "clause", "at end - FOOTER_SIZE size FOOTER_SIZE"): "as many bytes are left from there to the end",
    ("mosaic", "clause", "data at ref.start size ref.stored"): "its own fields take as many bytes",
    ("mosaic", "word", "i64 order[num_columns] via zigzag_delta"): "the codec has the width; only a permutation passes",
    ("mosaic", "word", "i32 scale via narrow"): "the codec has the width",
    ("mosaic", "word", "i32 precision via narrow"): "the codec has the width; only 1 to 38 passes",
    ("mosaic", "operator", "entries <= 1 ? 0 : bit_length(entries - 1)"): "one entry needs 0 bits by both branches",
    ("deletion_vector", "word", "fn shape_of(i64 cookie, list<u8> with_runs"): "a parameter's numbers have no width",
    ("delta_partition", "number", "0x80 .. 0x9F, 0xA0"): "the range ends where the next character of the set stands",
}
