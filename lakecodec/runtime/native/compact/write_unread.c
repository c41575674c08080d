/* Encoding of instances that are read when they are asked. */
#include "encode.h"
#include "layouts.h"
#include "unread.h"

/* The fields of an instance that nobody asked for are copied, the others encoded. */
static uint8_t *
write_partly(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, const uint8_t *raw, Input *in, int depth)
{
    const uint64_t asked = unread_of(self, codec->cls)->asked;
    /* The field in the kept bytes that was looked at last: its header, its end, its id and that of the one before. */
    const uint8_t *start = NULL, *end = raw, *run = NULL, *run_end = NULL;
    int before = 0, id = 0, wire = WIRE_STOP, last = 0;
    for (const Field *field = codec->fields, *stop = field + codec->field_count; field < stop; field++) {
        if (SLOT(self, field->offset) == NULL && !(asked & field->bit)) {
            while (id < field->id) {
                start = end;
                before = id;
                const uint8_t *value = read_field_header(in, start, &id, &wire);
                end = value == NULL || wire == WIRE_STOP ? value : skip_field(in, value, wire, MAX_NESTING, start);
                if (unlikely(end == NULL)) {
                    PyErr_SetString(PyExc_SystemError, "bytes that were valid are not");
                    return NULL;
                }
                id = wire == WIRE_STOP ? 32768 : id;
            }
            if (id != field->id) {
                continue;
            }
            if (run == NULL) {
                run = start;
                if (last != before) {
                    p = ensure(w, p, SMALL);
                    if (p == NULL) {
                        return NULL;
                    }
                    p = put_field_header(p, last, id, wire);
                    run = start + 1; /* the short form: else the bytes would not be those that encoding gives */
                }
            }
            run_end = end;
            last = id;
            continue;
        }
        if (run != NULL) {
            p = write_bytes(w, p, run, run_end - run);
            run = NULL;
        }
        PyObject *value = filled_slot(self, field->offset, field->name);
        if (p == NULL || value == NULL) {
            return NULL;
        }
        if (value == Py_None) {
            if (field->required) {
                trace_name(&w->trace, field->name);
                return unfit(w, "required");
            }
            continue;
        }
        p = write_field(w, p, field, value, last, depth);
        if (p == NULL) {
            return NULL;
        }
        last = field->id;
    }
    if (run != NULL) {
        p = write_bytes(w, p, run, run_end - run);
    }
    p = p == NULL ? NULL : ensure(w, p, SMALL);
    if (p == NULL) {
        return NULL;
    }
    *p = 0;
    return p + 1;
}

static inline int
is_full(PyObject *self, const Codec *codec)
{
    const PyObject **slot = (const PyObject **)(self + 1), **end = slot + codec->slot_count;
    while (slot < end && *slot != NULL) {
        slot++;
    }
    return slot == end;
}

uint8_t *
write_unread(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, int depth)
{
    Input in;
    const uint8_t *kept = kept_bytes(self, codec, &in);
    if (kept == NULL && read_all(self, codec->cls)) {
        return NULL;
    }
    if (kept == NULL || is_full(self, codec)) {
        return write_fields(w, p, codec, self, depth);
    }
    const Py_ssize_t size = untouched_size(self, codec, kept, &in);
    p = size ? write_bytes(w, p, kept, size) : write_partly(w, p, codec, self, kept, &in, depth);
    layouts_free(in.skipped);
    return p;
}
