/* What is computed from all bytes of a record while it is laid out. */
#include "layout.h"

int evaluate_all_but(const Node *node, const Frame *frame, Value *out) {
    const uint8_t *start = NULL;
    int64_t size = 0;
    PyObject *ranges = node->constant.object;
    if (frame->layout != NULL && frame->layout->image != NULL) {
        start = (const uint8_t *)PyBytes_AS_STRING(frame->layout->image);
        size = PyBytes_GET_SIZE(frame->layout->image);
    } else if (frame->layout == NULL) {
        if (frame->out != NULL || frame->reader->pauses) return -1;
        start = frame->span->start + frame->start;
        size = frame->span->end - frame->start;
    }
    if (size < 0 || !PyTuple_Check(ranges)) return -1;
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (made == NULL) return -1;
    char *to = PyBytes_AS_STRING(made);
    int64_t from = 0, left = 0;
    /* The ranges that begin first are left out first. */
    for (int64_t next = 0; from < size; from = next) {
        int64_t stop = from;
        next = size;
        for (Py_ssize_t i = 0; i + 1 < PyTuple_GET_SIZE(ranges); i += 2) {
            int64_t first = PyLong_AsLongLong(PyTuple_GET_ITEM(ranges, i));
            const int64_t behind = (first = first < 0 ? (first + size < 0 ? 0 : first + size) : first) +
                                   PyLong_AsLongLong(PyTuple_GET_ITEM(ranges, i + 1));
            if (first <= from && behind > stop) stop = behind;
            if (first > from && first < next) next = first;
        }
        if (stop > from) {
            next = stop < size ? stop : size;
            continue;
        }
        memcpy(to + left, start + from, (size_t)(next - from));
        left += next - from;
    }
    if (left < size) _PyBytes_Resize(&made, (Py_ssize_t)left);
    return give_made(out, made);
}

/* What is laid out so far; nothing where parts contradict each other. */
static PyObject *make_image(const Program *program, const Frame *frame, PyObject *object) {
    const Layout *layout = frame->layout;
    const Reader *reader = frame->reader;
    Output image = {0}, own = {0};
    int failed = output_append(&image, frame->out->data + layout->begin, frame->out->size - layout->begin);
    if (!failed && object == reader->outermost && reader->pins.count) {
        Piece whole = {0};
        const Pieces alone = {.items = &whole, .count = 1};
        failed = output_append(&own, image.data, image.size);
        whole.bytes = own;
        if (!failed && assemble(&image, program->gaps ? &layout->pieces : &alone, &reader->pins, 1, program->overlaps)) {
            failed = PyErr_Occurred() != NULL;
            image.size = 0;
        }
    }
    PyObject *made = failed ? NULL : output_taken(&image);
    output_release(&image);
    output_release(&own);
    return made;
}

int is_stable(const Program *program, Frame *frame, PyObject *object) {
    Layout *layout = frame->layout;
    if (!program->has_laid_out) return 1;
    PyObject *image = make_image(program, frame, object);
    if (image == NULL) return -1;
    Py_XSETREF(layout->image, image);
    int changed = 0;
    for (int i = 0; i < program->step_count && changed >= 0; i++) {
        const Step *step = &program->steps[i];
        Value *known = &frame->variables[step->variable], value;
        if (!step->writing.is_laid_out || known->object == Py_None) continue;
        if (evaluate(step->writing.derived, frame, &value)) return -1;
        const int same = compared(OP_EQ, known, &value);
        value_clear(&value);
        changed |= same < 0 ? -1 : !same;
    }
    for (int i = 0; i < program->placed_count && changed >= 0; i++) changed |= apply_settings(&program->placed[i], frame, 1);
    return changed < 0 ? -1 : !changed;
}
