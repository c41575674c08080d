"""Nodes of columns as C sees them, made from ``lakecodec.row.arrow_nodes.NodeSpec``."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from .cells cimport RowCell, fill_shape


cdef extern from "from_arrow.h" nogil:
    struct ArrowArray:
        int64_t length, offset, n_buffers
        const void **buffers
        ArrowArray **children
        void (*release)(ArrowArray *) noexcept nogil
        void *private_data

    enum:
        NODE_PARTS_MAX

    struct RowNode:
        int32_t kind, has_cell, add, part_count, is_signed
        int32_t *parts
        int32_t unit, is_unsigned
        RowCell cell
        const uint8_t *null
        int64_t null_size
        RowNode *children
        int32_t child_count

    struct RowScratch:
        RowScratch *lasting

    struct RowCells:
        RowScratch *scratch
        RowCell *cells
        int32_t count, room

    void row_scratch_init(RowScratch *scratch, RowScratch *lasting)
    void row_scratch_free(RowScratch *scratch)


cdef inline int fill_node(RowNode *node, object spec) except -1:
    cdef int k
    memset(node, 0, sizeof(RowNode))
    node.kind = spec.kind
    if spec.cell is not None:
        node.has_cell = 1
        fill_shape(&node.cell, spec.cell)
    node.null = <const uint8_t *>(<bytes>spec.null)
    node.null_size = len(spec.null)
    node.add = spec.add
    node.unit = spec.unit
    node.is_signed = spec.is_signed
    node.is_unsigned = spec.is_unsigned
    if len(spec.parts) > NODE_PARTS_MAX:
        raise ValueError("parts: too many")
    node.part_count = len(spec.parts)
    for k in range(node.part_count):
        node.parts[k] = spec.parts[k]
    node.children = fill_nodes(spec.children, &node.child_count)
    return 0


cdef inline RowNode *fill_nodes(specs, int32_t *count) except NULL:
    cdef RowNode *nodes = <RowNode *>calloc(len(specs) + 1, sizeof(RowNode))
    cdef Py_ssize_t k
    if nodes is NULL:
        raise MemoryError
    try:
        for k in range(len(specs)):
            count[0] = <int32_t>k + 1
            fill_node(&nodes[k], specs[k])
    except BaseException:
        free_nodes(nodes, count[0])
        raise
    return nodes


cdef inline void free_nodes(RowNode *nodes, int32_t count) noexcept:
    cdef int32_t k
    if nodes is not NULL:
        for k in range(count):
            free_nodes(nodes[k].children, nodes[k].child_count)
        free(nodes)
