"""C declarations that the row extensions share."""

from libc.stdint cimport int32_t, int64_t, uint8_t


cdef extern from "cells.h" nogil:
    int ROW_FIXED
    int ROW_LIST

    cdef enum:
        ROW_BLOCK

    ctypedef struct RowCell:
        int32_t kind, payload, width, present, null_byte, narrow, text, wide, nan_last
        uint8_t invert, empty, filled, more, end, shift
        const uint8_t *data
        const uint8_t *starts
        const uint8_t *ends
        const uint8_t *items
        const uint8_t *valid
        int64_t size, bit
        int32_t wide_starts
        uint8_t *out
        uint8_t *out_valid
        void *out_offsets
        int64_t *out_items
        int64_t used, count, nulls
        RowCell *item

    ctypedef struct RowError:
        int64_t row, offset
        int32_t rule, again

    int64_t row_block_rows(int64_t size, int64_t n)
    int row_number_run(const RowCell *cells, int count)
    int64_t row_stride(const RowCell *cells, int count)


cdef inline int fill_shape(RowCell *c, object cell) except -1:
    """Copies the shape of a ``lakecodec.row.order.cells.Cell``."""
    c.kind = cell.kind
    c.payload = cell.payload
    c.width = cell.width
    c.present = cell.present
    c.null_byte = cell.null
    c.invert = 0xFF if cell.invert else 0
    c.narrow = cell.narrow
    c.empty = cell.empty
    c.filled = cell.filled
    c.more = cell.more
    c.end = cell.end
    c.shift = cell.shift
    c.nan_last = cell.nan_last
    c.text = cell.text
    c.wide = cell.wide
    return 0
