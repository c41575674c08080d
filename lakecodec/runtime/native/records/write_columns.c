/* Packed numbers and encoded values as bytes. */
#include "output.h"

#include "columns/numbers.h"

/* Appends `size` bytes of a buffer from `start` on. */
static int append_part(Output *out, PyObject *data, int64_t start, int64_t size) {
    if (data == NULL || start < 0 || size < 0) return -1;
    if (PyBytes_CheckExact(data))
        return size > PyBytes_GET_SIZE(data) - start ? -1 : output_append(out, PyBytes_AS_STRING(data) + start, size);
    Py_buffer view;
    if (PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)) return -1;
    int failed = size > view.len - start ? -1 : output_append(out, (const char *)view.buf + start, size);
    PyBuffer_Release(&view);
    return failed;
}

/* A Bits object over bytes, which it takes over. */
static int bits_new(PyObject *data, int64_t count, int64_t width, Value *out) {
    PyObject *made = data == NULL ? NULL : columns.bits->tp_alloc(columns.bits, 0);
    if (made == NULL) return give_up(data);
    SLOT(made, columns.bits_data) = data;
    *out = (Value){.object = made, .owned = 1};
    if (set_number(made, columns.bits_start, 0) || set_number(made, columns.bits_count, count) ||
        set_number(made, columns.bits_width, width)) {
        value_clear(out);
        return -1;
    }
    return 0;
}

/* Puts a number where it belongs among zeros; -1 where it has more bits. */
static inline int put_bits(uint8_t *packed, int64_t index, int width, int64_t number) {
    if (number < 0 || number >> width) return -1;
    const int64_t first = index * width;
    uint64_t window = (uint64_t)number << (first & 7);
    for (int64_t at = first >> 3; window; at++, window >>= 8) packed[at] |= (uint8_t)window;
    return 0;
}

/* Adds the number of that index after those before it. */
static int add_bits(Output *packed, int64_t index, int width, int64_t number) {
    const int64_t missing = packed_size(index + 1, width) - packed->size;
    uint8_t *zeros = missing > 0 ? output_take(packed, missing) : packed->data;
    if (missing > 0 && zeros != NULL) memset(zeros, 0, (size_t)missing);
    return (missing > 0 && zeros == NULL) || put_bits(packed->data, index, width, number) ? -1 : 0;
}

/* The packed numbers that each element's derivation gives; memory grows with those that there are. */
int derive_bits(Step *step, Frame *frame, Value *out) {
    int64_t count, width, number;
    if (evaluate_number(step->writing.length, frame, &count) || evaluate_number(step->width, frame, &width) ||
        packed_size(count, width) < 0 || count > MOST_COMPUTED) {
        return -1;
    }
    Output packed = {0};
    int failed = 0;
    for (frame->index = 0; !failed && frame->index < count; frame->index++)
        failed = evaluate_number(step->writing.derived, frame, &number) || add_bits(&packed, frame->index, (int)width, number);
    PyObject *made = failed ? NULL : PyBytes_FromStringAndSize((const char *)packed.data, (Py_ssize_t)packed.size);
    output_release(&packed);
    return made == NULL ? -1 : bits_new(made, count, width, out);
}

static int pack_list(PyObject *list, int64_t width, Value *out) {
    const Py_ssize_t count = PyList_GET_SIZE(list);
    const int64_t size = packed_size(count, width);
    PyObject *packed = size < 0 ? NULL : PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (packed != NULL) memset(PyBytes_AS_STRING(packed), 0, (size_t)size);
    for (Py_ssize_t i = 0; packed != NULL && i < count; i++) {
        PyObject *item = PyList_GET_ITEM(list, i);
        /* NumPy packs booleans too, unless they are mixed with numbers. */
        const Value value = value_of_object(item, 0);
        if (PyBool_Check(item) || !value.is_number || put_bits((uint8_t *)PyBytes_AS_STRING(packed), i, (int)width, value.number))
            Py_CLEAR(packed);
    }
    return packed == NULL ? -1 : bits_new(packed, count, width, out);
}

/* Appends packed numbers; a list of numbers becomes its packed form. */
int write_bits(Step *step, Frame *frame, Value *value, int *written) {
    int64_t width, count;
    if (value->object == NULL || evaluate_number(step->width, frame, &width)) return -1;
    if (PyList_CheckExact(value->object)) {
        Value packed;
        if (pack_list(value->object, width, &packed)) return -1;
        value_clear(value);
        *value = packed;
        *written = 1;
    }
    if (!is_bits(value->object) || slot_number(value->object, columns.bits_width) != width) return -1;
    const int64_t given = bits_count(value->object);
    if (step->writing.length != NULL && (evaluate_number(step->writing.length, frame, &count) || count != given)) return -1;
    const int64_t size = packed_size(given, width);
    if (size < 0 || append_part(frame->out, SLOT(value->object, columns.bits_data), slot_number(value->object, columns.bits_start), size))
        return -1;
    const int used = (int)(given * width & 7);
    if (step->big & NUMBER_EXACT && used) frame->out->data[frame->out->size - 1] &= (uint8_t)((1 << used) - 1);
    return 0;
}

int write_values(Step *step, Frame *frame, const Value *value) {
    int64_t count = 1;
    PyObject *arguments[MAX_OPERANDS];
    PyObject *values = value->object;
    if (values == NULL || !Py_IS_TYPE(values, columns.values)) return -1;
    const int64_t given = slot_number(values, columns.values_count);
    if (step->length == NULL ? given != 1
                             : step->writing.length != NULL && (evaluate_number(step->writing.length, frame, &count) || count != given)) {
        return -1;
    }
    int found = evaluate_objects(&step->arguments, frame, arguments);
    if (found < 0) return -1;
    PyObject *layout = layout_of_values(step, arguments, found);
    release(arguments, found);
    PyObject *own = SLOT(values, columns.values_layout);
    int same = layout == NULL || own == NULL ? -1 : layout == own ? 1 : PyObject_RichCompareBool(layout, own, Py_EQ);
    Py_XDECREF(layout);
    const int64_t start = slot_number(values, columns.values_start), end = slot_number(values, columns.values_end);
    return same != 1 ? -1 : append_part(frame->out, SLOT(values, columns.values_data), start, end - start);
}
