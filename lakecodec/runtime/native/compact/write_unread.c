/* Encoding of instances that are read when they are asked. */
#include "encode.h"
#include "layouts.h"
#include "tape.h"

/* The kept bytes of an instance, field by field. */
typedef struct Cursor {
    Input in;
    const uint8_t *start, *end; /* of the field that was looked at last, its header included */
    int before, id, wire;       /* the id of the one before, its own, and its wire type; LAST at the end */
} Cursor;

#define LAST 32768

/* The end of a field's value: known if it was read and is itself an instance that has been measured. */
static inline const uint8_t *field_end(Cursor *cursor, const uint8_t *value, const Codec *codec, PyObject *self) {
    const Field *field = field_by_id(codec, cursor->id);
    if (cursor->wire == WIRE_LIST && field != NULL) {
        const Unread *unread = unread_of(self, codec->cls);
        const Deferred *deferred = deferred_of(unread->layout->deferred, field);
        if (deferred != NULL) return deferred_list_end(deferred, unread->tape);
    }
    if (cursor->wire == WIRE_STRUCT && field != NULL) {
        PyObject *inner = SLOT(self, field->offset);
        const Codec *of = field->type.codec;
        if (inner != NULL && of->lazy && Py_IS_TYPE(inner, of->cls) && is_unread(inner)) {
            const Unread *unread = unread_of(inner, of->cls);
            if (unread->size && first_field(unread) == value) return value + unread->size;
        }
    }
    return skip_field(&cursor->in, value, cursor->wire, kept_room(&cursor->in), cursor->start);
}

/* Goes to the field with the id, or to the first one after its place; 0 or -1. */
static inline int advance(Cursor *cursor, int id, const Codec *codec, PyObject *self) {
    while (cursor->id < id) {
        cursor->start = cursor->end;
        cursor->before = cursor->id;
        const uint8_t *value = read_field_header(&cursor->in, cursor->start, &cursor->id, &cursor->wire);
        if (value != NULL && cursor->wire == WIRE_STOP) {
            cursor->id = LAST;
            cursor->end = value;
        } else {
            cursor->end = value == NULL ? NULL : field_end(cursor, value, codec, self);
        }
        if (unlikely(cursor->end == NULL)) {
            set_changed_error();
            return -1;
        }
    }
    return 0;
}

/* Where copying of fields from the cursor's on begins: after the header if that is written anew, after the field last. */
static inline uint8_t *begin_copy(Writer *w, uint8_t *p, const Cursor *cursor, int last, const uint8_t **from) {
    *from = cursor->start;
    if (last == cursor->before) return p;
    /* The kept header has the short form: else the bytes would not be those that encoding gives. */
    *from = cursor->start + 1;
    p = ensure(w, p, SMALL);
    return p == NULL ? NULL : put_field_header(p, last, cursor->id, cursor->wire);
}

/* The fields of an instance that nobody asked for are copied, the others encoded. Those from rest on are all of the first kind, and the
 * kept bytes end at stop. */
static uint8_t *write_partly(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, Cursor *cursor, const Field *rest,
                             const uint8_t *stop, int depth) {
    const uint64_t asked = unread_of(self, codec->cls)->asked;
    const uint8_t *run = NULL, *run_end = NULL;
    int last = 0;
    for (const Field *field = codec->fields; field < rest; field++) {
        if (SLOT(self, field->offset) == NULL && !(asked & field->bit)) {
            if (advance(cursor, field->id, codec, self)) return NULL;
            if (cursor->id != field->id) continue;
            if (run == NULL && (p = begin_copy(w, p, cursor, last, &run)) == NULL) return NULL;
            run_end = cursor->end;
            last = field->id;
            continue;
        }
        if (run != NULL) {
            p = write_bytes(w, p, run, run_end - run);
            run = NULL;
        }
        PyObject *value = filled_slot(self, field->offset);
        if (p == NULL || value == NULL) return NULL;
        if (value == Py_None) {
            if (field->required) {
                trace_name(&w->trace, field->name);
                return unfit(w, "required");
            }
            continue;
        }
        p = write_field(w, p, field, value, last, depth);
        if (p == NULL) return NULL;
        last = field->id;
    }
    if (rest < codec->fields + codec->field_count && advance(cursor, rest->id, codec, self)) return NULL;
    if (rest < codec->fields + codec->field_count && cursor->id != LAST) {
        p = begin_copy(w, p, cursor, last, &run);
        return p == NULL ? NULL : write_bytes(w, p, run, stop - run);
    }
    p = ensure(w, p, SMALL);
    if (p == NULL) return NULL;
    *p = 0;
    return p + 1;
}

uint8_t *write_unread(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, int depth) {
    settle();
    const Field *first = codec->fields, *missing = first + codec->field_count, *rest = missing;
    while (missing > first && SLOT(self, missing[-1].offset) != NULL) missing--;
    if (missing == first) return write_fields(w, p, codec, self, depth);
    Unread *unread = unread_of(self, codec->cls);
    Cursor cursor = {.id = 0};
    const uint8_t *kept = kept_bytes(self, codec, &cursor.in);
    if (kept == NULL) return read_all(self, codec->cls) ? NULL : write_fields(w, p, codec, self, depth);
    while (rest > first && SLOT(self, rest[-1].offset) == NULL && !(unread->asked & rest[-1].bit)) rest--;
    const Py_ssize_t size = kept_size(unread, kept, &cursor.in);
    if (size == 0) {
        set_changed_error();
        return NULL;
    }
    cursor.end = kept;
    p = rest == first ? write_bytes(w, p, kept, size) : write_partly(w, p, codec, self, &cursor, rest, kept + size, depth);
    layouts_free(cursor.in.skipped);
    return p;
}
