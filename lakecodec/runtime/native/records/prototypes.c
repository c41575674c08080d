/* Copies of short records, for lists in which few kinds of them repeat: a copy costs less than reading.
 *
 * What is copied depends on its bytes alone: numbers, and alternatives that have nothing but parameters computed from
 * those. Such an alternative has no field that could be set, and so copies share it. Where records need not be copies, in
 * lists that become arrays, alternatives may have fields that depend on their bytes alone.
 */
#include "unread.h"

/* Where a record that begins with two given bytes is kept. */
static inline Prototype *prototype_at(Reader *reader, const uint8_t *start) {
    return &reader->prototypes[(start[0] + 2 * start[1]) % PROTOTYPES];
}

int copy_prototype(Reader *reader, const Program *program, const Span *span, int64_t *pos, Value *out) {
    /* What is in the record nests too, in no more levels than so few bytes can say. */
    if (span->end - *pos < 2 || reader->depth < PROTOTYPE_DEPTH) return 0;
    if (reader->prototypes == NULL) return 0;
    const uint8_t *start = span->start + *pos;
    const Prototype *prototype = prototype_at(reader, start);
    if (prototype->program != program || span->end - *pos < prototype->size || memcmp(start, prototype->bytes, (size_t)prototype->size) ||
        !(prototype->is_flat || reader->shares)) {
        return 0;
    }
    if (reader->shares) {
        *pos += prototype->size;
        *out = (Value){.object = Py_NewRef(prototype->made), .owned = 1};
        return 1;
    }
    PyObject *made = PyObject_GC_New(PyObject, program->cls);
    if (made == NULL) return -1;
    PyObject **from = (PyObject **)(prototype->made + 1), **to = (PyObject **)(made + 1);
    for (PyObject **last = (PyObject **)((char *)made + program->cls->tp_basicsize); to < last; from++, to++) *to = Py_XNewRef(*from);
    *pos += prototype->size;
    *out = (Value){.object = made, .owned = 1};
    return 1;
}

/* Whether a record holds numbers, and alternatives that have nothing but numbers as parameters. */
static int is_flat(const Program *program, PyObject *made) {
    for (int i = 0; i < program->step_count; i++) {
        PyObject *value = SLOT(made, program->steps[i].slot);
        if (!PyType_IS_GC(Py_TYPE(value))) continue;
        PyTypeObject *type = Py_TYPE(value);
        PyObject **slot = (PyObject **)(value + 1), **last = (PyObject **)((char *)value + type->tp_basicsize);
        const Program *target = (const Program *)program->steps[i].target;
        if (is_unread(value) || (!target->is_bare && target->by_number == NULL) || type->tp_dealloc != program->cls->tp_dealloc) return 0;
        for (; slot < last; slot++)
            if (*slot != NULL && PyType_IS_GC(Py_TYPE(*slot))) return 0;
    }
    return 1;
}

void keep_prototype(Reader *reader, const Program *program, const Span *span, int64_t start, int64_t end, Begun before, const Value *made) {
    if (end - start < 2 || end - start > PROTOTYPE_SIZE) return;
    const int can_be_copied = reader->bodies == before.bodies + 1 && is_flat(program, made->object);
    if (!can_be_copied && !(reader->shares && reader->others == before.others)) return;
    if (reader->prototypes == NULL && (reader->prototypes = PyMem_Calloc(PROTOTYPES, sizeof(Prototype))) == NULL) return;
    Prototype *prototype = prototype_at(reader, span->start + start);
    PyObject *last = prototype->made;
    *prototype = (Prototype){
        .program = program,
        .made = Py_NewRef(made->object),
        .size = (int)(end - start),
        .is_flat = can_be_copied,
    };
    memcpy(prototype->bytes, span->start + start, (size_t)prototype->size);
    Py_XDECREF(last);
}

void release_prototypes(Reader *reader) {
    for (int i = 0; reader->prototypes != NULL && i < PROTOTYPES; i++) Py_XDECREF(reader->prototypes[i].made);
    PyMem_Free(reader->prototypes);
}
