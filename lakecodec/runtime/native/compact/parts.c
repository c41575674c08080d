/* Values in bytes that arrive in parts: where they end early, what was read is kept, and reading goes on where it stood.
 *
 * A reader that lacks bytes returns through all its frames. Each keeps what it has made, and where the value begins that it was
 * reading; the next call finds its way back by calling the same readers again. */
#include "tape.h"

/* ---- what is kept ---- */

void drop_parts(Paused *paused) {
    while (paused != NULL) {
        Paused *inner = paused->inner;
        Py_XDECREF(paused->made);
        Py_XDECREF(paused->key);
        deferred_free(paused->deferred);
        PyMem_Free(paused->open);
        PyMem_Free(paused);
        paused = inner;
    }
}

int pause_part(Reader *r, const Paused *part, int64_t behind) {
    if (!r->pauses || r->in.lacking == 0) return 0;
    Paused *kept = PyMem_Malloc(sizeof(Paused));
    if (kept == NULL) {
        r->in.lacking = 0;
        return 0;
    }
    *kept = *part;
    kept->inner = r->paused;
    r->paused = kept;
    r->in.lacking += behind;
    return 1;
}

Paused resume_part(Reader *r) {
    Paused *kept = r->resuming;
    const Paused part = *kept;
    r->resuming = part.inner;
    PyMem_Free(kept);
    return part;
}

static void drop_reader(Reader *r) {
    drop_parts(r->paused);
    drop_parts(r->resuming);
    end_decoding(r);
}

#define CAPSULE "lakecodec.parts"

static void drop_capsule(PyObject *capsule) {
    Reader *r = PyCapsule_GetPointer(capsule, CAPSULE);
    if (r != NULL) drop_reader(r);
    PyMem_Free(r);
}

/* A reader that stopped, as an object; the reader is empty then. */
static PyObject *keep_reader(Reader *r) {
    Reader *kept = PyMem_Malloc(sizeof(Reader));
    PyObject *capsule = kept == NULL ? PyErr_NoMemory() : PyCapsule_New(kept, CAPSULE, drop_capsule);
    if (capsule == NULL) {
        PyMem_Free(kept);
        return NULL;
    }
    trace_free(&r->trace);
    Py_CLEAR(r->view);
    *kept = *r;
    kept->resuming = r->paused;
    kept->paused = NULL;
    *r = (Reader){.data = NULL};
    return capsule;
}

/* Takes what a reader kept; what it was kept in is empty then. */
static int take_reader(Reader *r, PyObject *state) {
    *r = (Reader){.text = TEXT_STRICT, .pauses = 1};
    if (state == Py_None) return 0;
    Reader *kept = PyCapsule_GetPointer(state, CAPSULE);
    if (kept == NULL) return -1;
    const Reader empty = *r;
    *r = *kept;
    *kept = empty;
    return 0;
}

/* ---- reading ---- */

/* Where bytes are looked at first. */
static const uint8_t *first_look(const Reader *r) {
    const Paused *part = r->resuming;
    while (part != NULL && part->inner != NULL) part = part->inner;
    return r->in.begin + (part == NULL ? 0 : part->at);
}

/* Reads the value at `p`, or goes on with it; its end, or NULL. */
static const uint8_t *read_part(Reader *r, const Codec *codec, const uint8_t *p, Py_ssize_t elements, PyObject **value) {
    r->in.begin = p;
    r->in.lacking = 0;
    if (r->resuming == NULL) {
        r->in.elements = elements;
        r->first_unread = PY_SSIZE_T_MAX;
        if (tape_begin(r, codec)) return NULL;
    }
    r->tape->zero = (uintptr_t)p;
    const uint8_t *first = first_look(r), *end = read_struct(r, p, codec, 1, value);
    count_bytes(end == NULL ? NULL : r, first, end == NULL ? r->in.end : end);
    if (end != NULL && tape_keep(r, end)) {
        Py_CLEAR(*value);
        return NULL;
    }
    return end;
}

/* Reads the values from `*pos` on, which is moved behind the last whole one. */
static int read_parts(Reader *r, const Codec *codec, const uint8_t *begin, Py_ssize_t *pos, Py_ssize_t elements, PyObject *values) {
    do {
        PyObject *value = NULL;
        const uint8_t *end = read_part(r, codec, begin + *pos, elements, &value);
        if (end == NULL) return 0;
        const int failed = PyList_Append(values, value);
        Py_DECREF(value);
        PyObject *data = r->data;
        const Input in = {.begin = begin, .end = r->in.end, .max_depth = r->in.max_depth};
        end_decoding(r);
        *r = (Reader){.in = in, .data = data, .text = TEXT_STRICT, .pauses = 1};
        if (failed) return -1;
        *pos = end - begin;
    } while (*pos < r->in.end - begin);
    return 0;
}

PyObject *codec_decode_parts(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    const Codec *codec = (Codec *)self;
    Py_buffer view;
    Py_ssize_t pos, depth, elements;
    Reader r;
    if (check_count("decode_parts", count, 5) || take_limit(args[3], "max_depth", &depth) ||
        take_limit(args[4], "max_elements", &elements) || take_buffer(args[0], &view)) {
        return NULL;
    }
    PyObject *values = NULL, *state = NULL, *result = NULL;
    if (take_position(args[1], view.len, &pos) || take_reader(&r, args[2])) {
        PyBuffer_Release(&view);
        return NULL;
    }
    r.data = args[0];
    r.in.end = (const uint8_t *)view.buf + view.len;
    r.in.max_depth = nesting_room(depth < MAX_NESTING ? (int)depth : MAX_NESTING);
    const int collecting = PyGC_Disable();
    int failed = (values = PyList_New(0)) == NULL;
    if (!failed && view.len <= UINT32_MAX) failed = read_parts(&r, codec, view.buf, &pos, elements, values);
    /* The error of a value is raised by reading it anew. */
    if (!failed) PyErr_Clear();
    const int64_t lacking = r.paused == NULL ? 0 : r.in.lacking;
    state = failed ? NULL : lacking > 0 ? keep_reader(&r) : Py_NewRef(Py_None);
    drop_reader(&r);
    if (collecting) PyGC_Enable();
    if (state != NULL) result = Py_BuildValue("OnLO", values, pos, (long long)lacking, state);
    Py_XDECREF(state);
    Py_XDECREF(values);
    PyBuffer_Release(&view);
    return result;
}
