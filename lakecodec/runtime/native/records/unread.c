/* Lazy records: creating them, and reading them on access to a field. */
#include "unread.h"

enum { FIRST_ENTRIES = 16 };

/* ---- what they share ---- */

void source_drop(Source *source) {
    if (source != NULL && --source->references == 0) {
        Py_DECREF(source->data);
        Py_XDECREF(source->base);
        PyMem_Free(source->tape);
        PyMem_Free(source);
    }
}

void kept_drop(Kept *kept) {
    if (kept == NULL || --kept->references > 0) return;
    values_clear(kept->arguments, kept->program->param_count);
    source_drop(kept->source);
    Py_DECREF((PyObject *)kept->program);
    PyMem_Free(kept);
}

void release_kept(Reader *reader) {
    for (int i = 0; i < KEPT; i++) {
        kept_drop(reader->kept[i]);
        reader->kept[i] = NULL;
    }
    source_drop(reader->kept_source);
    reader->kept_source = NULL;
}

static Source *source_of_span(Reader *reader, const Span *span) {
    if (reader->kept_source == NULL) {
        /* Of bytes that belong to somebody else, those in which records may wait. */
        const int is_own = PyBytes_CheckExact(span->owner);
        const int64_t first = is_own ? 0 : reader->seen;
        PyObject *data = is_own ? Py_NewRef(span->owner)
                                : PyBytes_FromStringAndSize((const char *)span->start + first, (Py_ssize_t)(span->size - first));
        Source *made = data == NULL ? NULL : PyMem_Malloc(sizeof(Source));
        if (made == NULL) {
            Py_XDECREF(data);
            return (Source *)PyErr_NoMemory();
        }
        *made = (Source){
            .references = 1,
            .data = data,
            .base = Py_XNewRef(reader->base),
            .start = (const uint8_t *)((uintptr_t)PyBytes_AS_STRING(data) - (uintptr_t)first),
            .size = span->size,
        };
        reader->kept_source = made;
    }
    return reader->kept_source;
}

int tape_grow(Reader *reader, const Span *span) {
    Source *source = source_of_span(reader, span);
    if (source == NULL || source->used < source->room) return source == NULL ? -1 : 0;
    const int64_t room = source->room ? 2 * source->room : FIRST_ENTRIES;
    Entry *grown = room > UINT32_MAX ? NULL : PyMem_Realloc(source->tape, (size_t)room * sizeof(Entry));
    if (grown == NULL) return -1;
    source->tape = grown;
    source->room = room;
    return 0;
}

int keep_little(Reader *reader, int64_t start, int64_t end) {
    Source *source = reader->kept_source;
    return source == NULL || source->references == 1 || 2 * (end - start) >= source->size ? 0 : keep_copy(source, start, end);
}

int keep_copy(Source *source, int64_t start, int64_t end) {
    PyObject *copy = PyBytes_FromStringAndSize((const char *)source->start + start, (Py_ssize_t)(end - start));
    if (copy == NULL) return -1;
    source->start = (const uint8_t *)((uintptr_t)PyBytes_AS_STRING(copy) - (uintptr_t)start);
    source->size = end;
    Py_SETREF(source->data, copy);
    return 0;
}

/* Parameters are kept that nobody can change. */
static int can_be_kept(const Value *value) {
    const PyObject *object = value->object;
    return object == NULL || object == Py_None || PyLong_Check(object) || PyUnicode_CheckExact(object) || PyBytes_CheckExact(object) ||
           PyFloat_CheckExact(object);
}

static int is_same(const Value *kept, const Value *value) {
    return kept->object == value->object && kept->number == value->number && kept->is_number == value->is_number;
}

static int fits(const Kept *kept, const Reader *reader, const Program *program, const Span *span, const Value *arguments) {
    if (kept == NULL || kept->program != program || kept->source != reader->kept_source || kept->begin != span->begin ||
        kept->end != span->end || kept->depth != reader->depth) {
        return 0;
    }
    for (int i = 0; i < program->param_count; i++)
        if (!is_same(&kept->arguments[i], &arguments[i])) return 0;
    return 1;
}

/* What an instance shares with the one before, or new; borrowed from the reader. */
static Kept *kept_for(Reader *reader, Program *program, const Span *span, const Value *arguments) {
    Kept **place = &reader->kept[((uintptr_t)program >> 6) % KEPT];
    if (LIKELY(fits(*place, reader, program, span, arguments))) return *place;
    Source *source = source_of_span(reader, span);
    Kept *made = source == NULL ? NULL : PyMem_Malloc(sizeof(Kept) + (size_t)program->param_count * sizeof(Value));
    if (made == NULL) return NULL;
    *made = (Kept){1, source, program, span->begin, span->end, reader->depth};
    source->references++;
    Py_INCREF((PyObject *)program);
    for (int i = 0; i < program->param_count; i++) {
        made->arguments[i] = value_borrowed(&arguments[i]);
        if (made->arguments[i].bytes != NULL && value_object(&made->arguments[i]) == NULL) {
            values_clear(made->arguments, i);
            Py_DECREF((PyObject *)program);
            source_drop(source);
            PyMem_Free(made);
            return NULL;
        }
        if (made->arguments[i].object != NULL) value_own(&made->arguments[i]);
    }
    kept_drop(*place);
    return *place = made;
}

/* ---- instances ---- */

/* The entry of a record at `*pos`, which is moved after it: it is validated, or was before; -1 where it is wrong. */
static int64_t pass_record(Reader *reader, const Program *program, Span *span, int64_t *pos, const Value *arguments) {
    const Source *source = source_of_span(reader, span);
    if (source == NULL || !reader->is_trusted) {
        const int goes_on = reader->resuming != NULL && reader->resuming->is_walk;
        const int64_t entry = source == NULL ? -1 : goes_on ? reader->resuming->entry : source->used;
        const int pauses = reader->pauses;
        reader->walks = 1;
        /* Only the outermost record can stop: it is known where those inside of it stand. */
        reader->pauses = pauses && *pos == reader->first && reader->bodies == reader->begun ? PAUSES_WALK : 0;
        const int failed = entry < 0 || walk_program(reader, program, span, pos, arguments);
        reader->walks = 0;
        reader->pauses = pauses;
        return failed ? -1 : entry;
    }
    const int64_t entry = reader->next_entry;
    if (program->fixed_size < 0 && entry >= source->used) return -1;
    const int64_t size = program->fixed_size < 0 ? source->tape[entry].size : program->fixed_size;
    if (size > span->end - *pos) return -1;
    *pos += size;
    reader->next_entry += program->fixed_size < 0 ? source->tape[entry].count : 0;
    return entry;
}

/* A record that can wait, but whose parameters cannot be kept. */
static int read_with_entry(Reader *reader, const Program *program, Span *span, int64_t *pos, const Value *arguments, Value *out) {
    const int64_t start = *pos, has_entry = program->fixed_size < 0, makes_entry = has_entry && !reader->is_trusted;
    const int64_t entry = makes_entry ? begin_entry(reader, span) : 0;
    reader->next_entry += has_entry;
    if (entry < 0 || read_now(reader, program, span, pos, arguments, NULL, NULL, out)) return -1;
    if (makes_entry) end_entry(reader, entry, *pos - start);
    return 0;
}

int read_later(Reader *reader, Program *program, Span *span, int64_t *pos, const Value *arguments, Value *out) {
    for (int i = 0; i < program->param_count; i++)
        if (!can_be_kept(&arguments[i])) return read_with_entry(reader, program, span, pos, arguments, out);
    const int64_t start = *pos, entry = pass_record(reader, program, span, pos, arguments);
    Kept *kept = entry < 0 ? NULL : kept_for(reader, program, span, arguments);
    PyObject *made = kept == NULL ? NULL : unread_instance(program->cls, sizeof(Unread), &anchors);
    if (made == NULL) return -1;
    kept->references++;
    *unread_of(made, program->cls) = (Unread){kept, (uint32_t)start, (uint32_t)entry};
    return give(out, (Value){.object = made, .owned = 1});
}

/* Reads the fields of the record into the slots after `made`, or the one record at `offset` in it; records in it wait. */
static int read_kept(const Unread *unread, Program *inner, int64_t offset, PyObject *made, Value *out) {
    const Kept *kept = unread->kept;
    Source *source = kept->source;
    Span span = {.owner = source->data, .start = source->start, .begin = kept->begin, .end = kept->end, .size = source->size};
    Reader reader = {
        .depth = kept->depth,
        .base = source->base,
        .is_trusted = 1,
        .waits = 1,
        .kept_source = source,
        .next_entry = unread->entry,
    };
    int64_t pos = unread->start + offset;
    reader.next_entry += kept->program->fixed_size < 0;
    source->references++;
    const int collects = PyGC_Disable();
    const int failed = inner == NULL ? read_now(&reader, kept->program, &span, &pos, kept->arguments, NULL, made, out)
                                     : read_program(&reader, inner, &span, &pos, NULL, 0, NULL, out);
    release_prototypes(&reader);
    release_numbers(&reader);
    release_kept(&reader);
    if (collects) PyGC_Enable();
    return failed;
}

PyObject *peek(PyObject *self, Py_ssize_t slot) {
    const Unread *unread = unread_of(self, slots_owner(Py_TYPE(self), instance_free));
    const Program *program = unread->kept->program;
    for (int i = 0; i < program->step_count; i++) {
        const Step *step = &program->steps[i];
        if (step->slot == slot) {
            const int is_record = step->kind == KIND_OF_RECORD && step->is_direct && !step->coded && !step->arguments.count;
            Value found;
            return is_record && step->offset >= 0 && !read_kept(unread, (Program *)step->target, step->offset, NULL, &found) ? found.object
                                                                                                                             : NULL;
        }
    }
    return NULL;
}

/* Moves values to the slots of an instance that have none, and ends its unread state. */
static int fill(PyObject *self, const PyTypeObject *cls, PyObject **from, int is_tracked) {
    PyObject **to = (PyObject **)(self + 1), **last = (PyObject **)((char *)self + cls->tp_basicsize);
    for (; to < last; from++, to++) {
        if (*to == NULL) {
            *to = *from;
            *from = NULL;
        }
    }
    collector_head(self)[1] = UNCOUNTED_MARK;
    return is_tracked ? instance_see(self) : 0;
}

int read_waiting(PyObject *self) {
    PyTypeObject *cls = slots_owner(Py_TYPE(self), instance_free);
    const Py_ssize_t count = cls->tp_basicsize / (Py_ssize_t)sizeof(PyObject *);
    PyObject *read[count];
    Kept *kept = unread_of(self, cls)->kept;
    Value found = {0};
    memset(read, 0, sizeof read);
    kept->references++;
    int failed = read_kept(unread_of(self, cls), NULL, 0, (PyObject *)read, &found);
    if (!failed && is_unread(self)) {
        kept->references--;
        failed = fill(self, cls, (PyObject **)((PyObject *)read + 1), (int)found.number);
    } else if (failed) {
        set_changed_error();
    }
    for (Py_ssize_t i = sizeof(PyObject) / sizeof(PyObject *); i < count; i++) Py_XDECREF(read[i]);
    kept_drop(kept);
    return failed ? -1 : 0;
}

static __attribute__((noinline)) PyObject *ask(PyObject *self, PyObject *name, Py_ssize_t offset) {
    if (is_unread(self)) {
        if (read_waiting(self)) return NULL;
        PyObject *value = SLOT(self, offset);
        if (value != NULL) return Py_NewRef(value);
    }
    return PyObject_GenericGetAttr(self, name); /* raises, as of any empty slot */
}

PyObject *get_waiting(PyObject *self, PyObject *name) { return asked_attribute(self, name, ask); }
