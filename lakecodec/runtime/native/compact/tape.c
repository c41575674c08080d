/* The bytes that unread instances share, what is known about them, and the classes that have such instances. */
#include "tape.h"

#include "common/instance_free.h"

/* ---- the tape ---- */

int tape_begin(Reader *r, const Codec *codec) {
    Tape *tape = r->tape = PyMem_Calloc(1, sizeof(Tape));
    if (tape == NULL) return no_memory();
    tape->references = 1;
    tape->codec = Py_NewRef((PyObject *)codec);
    tape->zero = (uintptr_t)r->in.begin;
    return 0;
}

PyObject *owner_of(PyObject *data) {
    PyObject *owner = PyMemoryView_Check(data) ? PyMemoryView_GET_BASE(data) : data;
    return owner != NULL && (PyBytes_CheckExact(owner) || is_buffer(owner)) ? owner : NULL;
}

/* Memory that may be kept for each byte that was decoded: a file's footer is often less than half of a file of short columns. */
#define MOST_KEPT_FOR_ONE 8

/* Keeps what was decoded, up to a position: the object that it is in if it is not many times as large, else a copy. */
int tape_keep(Reader *r, const uint8_t *end) {
    Tape *tape = r->tape;
    const Py_ssize_t first = r->first_unread, size = end - r->in.begin - first;
    PyObject *owner = owner_of(r->data);
    if (tape->references == 1) return 0;
    if (owner != NULL && PyObject_Size(owner) / MOST_KEPT_FOR_ONE <= size) {
        tape->data = Py_NewRef(owner);
        tape->begin = r->in.begin + first;
    } else {
        tape->data = PyBytes_FromStringAndSize((const char *)r->in.begin + first, size);
        if (tape->data == NULL) return -1;
        tape->begin = (const uint8_t *)PyBytes_AS_STRING(tape->data);
    }
    tape->end = tape->begin + size;
    tape->zero = (uintptr_t)tape->begin - (uintptr_t)first;
    return 0;
}

static void free_layouts(Layout *layout) {
    for (Layout *next; layout != NULL; layout = next) {
        next = layout->next;
        layout_free(layout);
    }
}

void tape_drop(Tape *tape) {
    if (tape == NULL || --tape->references > 0) return;
    for (size_t i = 0; tape->texts != NULL && i <= tape->mask; i++) Py_XDECREF(tape->texts[i]);
    PyMem_Free(tape->texts);
    free_layouts(tape->layouts);
    free_layouts(tape->any);
    for (int i = 0; i < MOST_SHARED; i++) Py_XDECREF(tape->shared[i]);
    Py_XDECREF(tape->data);
    Py_XDECREF(tape->codec);
    PyMem_Free(tape);
}

Layout *tape_any(Tape *tape, const Codec *codec) {
    Layout *any = tape->any;
    while (any != NULL && any->codec != codec) any = any->next;
    if (any == NULL && (any = layout_alloc(codec, tape, 0)) != NULL) {
        any->next = tape->any;
        tape->any = any;
    }
    return any == NULL ? (Layout *)PyErr_NoMemory() : any;
}

/* ---- places ---- */

static int quick_kind(const Type *type) {
    if (type->kind == KIND_STRUCT && type->codec->lazy) return QUICK_STRUCT;
    return type->kind == KIND_BINARY ? QUICK_BYTES : is_integer(type->kind) && type->kind != KIND_ENUM ? QUICK_INT : QUICK_NOTHING;
}

int find_places(Layout *layout, const Unread *unread) {
    const Codec *codec = layout->codec;
    Input in = {.begin = layout->tape->begin, .end = layout->tape->end, .max_depth = nesting_room(MAX_NESTING)};
    const uint8_t *first = first_field(unread), *p = first, *start;
    int last = 0, wire;
    if ((layout->places = calloc((size_t)codec->slot_count, sizeof(FieldPlace))) == NULL) return -1;
    for (Py_ssize_t i = 0; i < codec->slot_count; i++) layout->places[i].field = codec->by_slot[i];
    while ((start = p, p = read_field_header(&in, p, &last, &wire)) != NULL && wire != WIRE_STOP) {
        const Field *field = field_by_id(codec, last);
        if (field != NULL && wire_fits(&field->type, wire)) {
            FieldPlace *place = &layout->places[slot_number(field->offset)];
            *place = (FieldPlace){field, NULL, field->bit, (uint16_t)(p - first), (uint8_t)wire, quick_kind(&field->type)};
            if (place->quick == QUICK_STRUCT && (place->inner = layout_alloc(field->type.codec, layout->tape, 1)) == NULL) p = NULL;
        }
        if (p == NULL || (p = skip_field(&in, p, wire, in.max_depth, start)) == NULL) break;
    }
    layouts_free(in.skipped);
    if (p != NULL) return 0;
    free_places(layout);
    return -1;
}

/* ---- instances ---- */

PyObject *unread_at(Reader *r, const uint8_t *p, Py_ssize_t size, int clean, Layout *layout) {
    if (unlikely(layout == NULL)) return NULL;
    const Py_ssize_t start = (Py_ssize_t)((uintptr_t)p - r->tape->zero);
    if (r->tape->data == NULL && start < r->first_unread) r->first_unread = start;
    return new_unread(layout, start, size, clean);
}

/* Only what readers of valid bytes use is set. */
void read_again(Reader *r, const Unread *unread) {
    Tape *tape = unread->tape;
    r->in = (Input){.begin = tape->begin, .end = tape->end, .max_depth = nesting_room(MAX_NESTING), .elements = PY_SSIZE_T_MAX};
    r->trace = (Trace){0};
    r->text = TEXT_STRICT;
    r->views = 0;
    r->data = tape->data;
    r->view = NULL;
    r->texts = tape->texts;
    r->blobs = NULL;
    r->mask = tape->mask;
    r->tape = tape;
    r->trusted = 1;
    r->clean = unread->clean;
    r->pauses = PAUSES_NOT;
    r->resuming = NULL;
    tape->references++;
}

void end_reading(Reader *r) {
    Tape *tape = r->tape;
    tape->texts = r->texts;
    tape->mask = r->mask;
    if (unlikely(r->trace.steps != NULL || r->in.skipped != NULL)) {
        trace_free(&r->trace);
        layouts_free(r->in.skipped);
    }
    tape_drop(tape);
}

const uint8_t *kept_bytes(PyObject *self, const Codec *codec, Input *in) {
    const Unread *unread = unread_of(self, codec->cls);
    const Tape *tape = unread->tape;
    if (!unread->clean || unread->layout->codec != codec) return NULL;
    *in = (Input){.begin = tape->begin, .end = tape->end};
    return first_field(unread);
}

Py_ssize_t kept_size(Unread *unread, const uint8_t *kept, Input *in) {
    if (unread->size == 0) {
        const uint8_t *end = skip_struct(in, kept, kept_room(in));
        const Py_ssize_t size = end == NULL ? 0 : end - kept;
        unread->size = noted_size(size);
        return size;
    }
    return unread->size;
}

/* Reads an unread instance, which is a plain one of its class afterwards; 0 or -1. */
static int end_unread(PyObject *self) {
    PyTypeObject *cls = slots_owner(Py_TYPE(self), instance_dealloc);
    Unread *unread = unread_of(self, cls);
    if (unread->live != NULL) keep_live(unread);
    PyObject *other = read_all(self, cls) ? NULL : cls->tp_alloc(cls, 0);
    if (other == NULL) return -1;
    if (is_unread(self)) {
        Tape *tape = unread->tape;
        if (unread->layout->deferred != NULL) {
            deferred_free(unread->layout->deferred);
            unread->layout->deferred = NULL;
        }
        count_instead(self, other);
        tape_drop(tape);
    }
    Py_DECREF(other);
    return 0;
}

/* Whether a message, or one that it holds, has required fields, as what makes up for one that is absent may follow later; or is
 * of a type that holds itself. */
static int needs_fields(Codec *codec) {
    if (codec->needs == NEEDS_UNKNOWN) {
        codec->needs = codec->required || codec->track ? NEEDS : NEEDS_NOTHING;
        for (Py_ssize_t i = 0; i < codec->field_count && codec->needs == NEEDS_NOTHING; i++) {
            const Type *type = &codec->fields[i].type, *inner = type->value != NULL ? type->value : type;
            if (inner->codec != NULL && needs_fields(inner->codec)) codec->needs = NEEDS;
        }
    }
    return codec->needs == NEEDS;
}

void read_when_asked(Codec *codec) {
    const int is_struct = codec->kind == CODEC_STRUCT || (codec->kind == CODEC_MESSAGE && !needs_fields(codec));
    if (!is_struct || !codec->plain || codec->track || codec->blank == NULL ||
        (codec->field_count > MOST_UNREAD_FIELDS && codec->kind == CODEC_STRUCT) || codec->cls->tp_dealloc != instance_dealloc) {
        return;
    }
    codec->lazy = (uint8_t)let_wait(codec->cls, unread_getattro, end_unread);
}
