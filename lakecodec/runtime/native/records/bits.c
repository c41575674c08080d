/* Packed numbers. */
#include "columns.h"

#include "columns/numbers.h"

int is_bits(PyObject *object) { return columns.bits != NULL && Py_IS_TYPE(object, columns.bits); }

int is_values(PyObject *object) { return columns.values != NULL && Py_IS_TYPE(object, columns.values); }

int64_t values_count(PyObject *values) { return slot_number(values, columns.values_count); }

int64_t bits_count(PyObject *bits) { return slot_number(bits, columns.bits_count); }

int bits_are_zeros(PyObject *object) { return is_bits(object) && slot_number(object, columns.bits_width) == 0; }

int bits_are_bounded(PyObject *bits, const Frame *frame) {
    if (!bits_are_zeros(bits)) return 1;
    if (frame->reader != NULL && frame->reader->whole != NULL) return took_nothing(frame->reader, bits_count(bits)) == 0;
    return bits_count(bits) <= frame->span->end + MAX_ZEROS;
}

/* Tells numbers of no bits which call reads them. */
static int set_call(PyObject *bits, const Reader *reader) {
    if (reader->whole == NULL) return 0;
    PyObject *whole = PyObject_GetAttrString(reader->whole, "whole");
    if (whole != NULL) {
        SLOT(bits, columns.bits_call) = PyWeakref_NewRef(whole == Py_None ? reader->whole : whole, NULL);
        Py_DECREF(whole);
    }
    return whole == NULL || SLOT(bits, columns.bits_call) == NULL ? -1 : 0;
}

typedef struct Packed {
    const uint8_t *data;
    int64_t nbytes, count;
    int width;
    Py_buffer view;
} Packed;

/* Where the numbers lie; `packed_close` ends it. */
static int packed_open(PyObject *bits, const Span *span, Packed *packed) {
    int64_t start = slot_number(bits, columns.bits_start), width = slot_number(bits, columns.bits_width);
    PyObject *data = SLOT(bits, columns.bits_data);
    packed->count = bits_count(bits);
    packed->view.obj = NULL;
    packed->nbytes = packed_size(packed->count, width);
    if (start < 0 || packed->nbytes < 0 || data == NULL) return -1;
    packed->width = (int)width;
    const uint8_t *base = span->start;
    int64_t size = span->size;
    if (data != span->owner) {
        if (PyObject_GetBuffer(data, &packed->view, PyBUF_SIMPLE)) return -1;
        base = packed->view.buf;
        size = packed->view.len;
    }
    packed->data = base + start;
    if (start > size || packed->nbytes > size - start) {
        PyBuffer_Release(&packed->view);
        return -1;
    }
    return 0;
}

static void packed_close(Packed *packed) {
    if (packed->view.obj != NULL) PyBuffer_Release(&packed->view);
}

int bits_item(PyObject *bits, int64_t index, const Span *span, int64_t *out) {
    Packed packed;
    if (packed_open(bits, span, &packed)) return -1;
    int failed = index >= packed.count ? -1 : 0;
    if (!failed) {
        const int64_t first = index * packed.width;
        const int64_t at = first >> 3, left = packed.nbytes - at;
        uint64_t window = 0;
        for (int64_t i = 0; i < left && i < 5; i++) window |= (uint64_t)packed.data[at + i] << (8 * i);
        *out = (int64_t)(window >> (first & 7) & (((uint64_t)1 << packed.width) - 1));
    }
    packed_close(&packed);
    return failed;
}

int bits_total(PyObject *bits, const Span *span, int64_t *out) {
    Packed packed;
    if (packed_open(bits, span, &packed)) return -1;
    *out = packed.width == 1 ? columns_ones(packed.data, packed.count)
                             : (int64_t)columns_total(packed.data, packed.nbytes, packed.count, packed.width);
    packed_close(&packed);
    return 0;
}

int bits_largest(PyObject *bits, const Span *span, int64_t *out) {
    Packed packed;
    if (packed_open(bits, span, &packed)) return -1;
    *out = columns_maximum(packed.data, packed.nbytes, packed.count, packed.width);
    packed_close(&packed);
    return 0;
}

int read_bits(Step *step, Frame *frame, Value *out) {
    int64_t count, width;
    if (evaluate_number(step->width, frame, &width) || evaluate_number(step->length, frame, &count)) return -1;
    const int64_t nbytes = packed_size(count, width);
    if (nbytes < 0 || nbytes > frame->span->end - frame->pos) return run_out(frame->span, frame->pos, nbytes);
    const int used = (int)(count * width & 7);
    if (step->big & NUMBER_EXACT && used && frame->span->start[frame->pos + nbytes - 1] >> used) return -1;
    PyObject *made = columns.bits->tp_alloc(columns.bits, 0);
    if (made == NULL) return -1;
    SLOT(made, columns.bits_data) = Py_NewRef(frame->span->owner);
    *out = (Value){.object = made, .owned = 1};
    if (set_number(made, columns.bits_start, frame->pos) || set_number(made, columns.bits_count, count) ||
        set_number(made, columns.bits_width, width) || (width == 0 && set_call(made, frame->reader))) {
        value_clear(out);
        return -1;
    }
    frame->pos += nbytes;
    return 0;
}
