/* Copies of short records, for lists in which few kinds of them repeat: a copy costs less than reading.
 *
 * What is copied depends on its bytes alone: numbers, and alternatives that have nothing but parameters computed from
 * those. Such an alternative has no field that could be set, and so copies share it. Where records need not be copies, in
 * lists that become arrays, alternatives may have fields that depend on their bytes alone.
 */
#include "unread.h"

static int
is_local(const Node *node)
{
    switch (node->op) {
    case OP_INDEX:
    case OP_POS:
    case OP_END:
    case OP_BEGIN:
    case OP_BASE:
    case OP_CALL:
        return 0;
    }
    for (int i = 0; i < node->count; i++) {
        if (!is_local(node->operands[i])) {
            return 0;
        }
    }
    return 1;
}

static int
are_local(const Nodes *nodes)
{
    for (int i = 0; i < nodes->count; i++) {
        if (!is_local(nodes->items[i])) {
            return 0;
        }
    }
    return 1;
}

/* A number that a codec without siblings makes. */
static int
is_local_number(const Step *step)
{
    return step->is_direct && step->coded && step->kind <= KIND_OF_BOOL8 && step->state == STATE_NONE &&
           !step->coding_count && step->members == NULL && ((const Program *)step->target)->is_local;
}

/* Text of a length that a field says. */
static int
is_local_text(const Step *step)
{
    return (step->kind == KIND_OF_BYTES || step->kind == KIND_OF_UTF8) && step->is_direct && !step->coded &&
           !step->coding_count && step->length != NULL && is_local(step->length);
}

void
find_prototypes(Program *program)
{
    int records = 0, others = 0;
    program->is_local = !program->state_count && !program->places && program->tag == NULL && are_local(&program->checks) &&
                        (program->value == NULL || is_local(program->value));
    for (int i = 0; i < program->step_count; i++) {
        const Step *step = &program->steps[i];
        const int is_record = step->is_direct && step->kind == KIND_OF_RECORD && !step->coded;
        const int is_text = is_local_text(step);
        program->is_local &= (step->is_plain || is_record || is_text || is_local_number(step)) && !step->has_captures &&
                             are_local(&step->arguments) && are_local(&step->checks);
        records += is_record;
        others += !step->is_plain && !is_record;
    }
    /* Numbers alone are read as quickly as they are copied. */
    program->is_repeatable = program->is_local && records && !others && program->is_slotted && !program->param_count;
}

/* Where a record that begins with two given bytes is kept. */
static inline Prototype *
prototype_at(Reader *reader, const uint8_t *start)
{
    return &reader->prototypes[(start[0] + 2 * start[1]) % PROTOTYPES];
}

int
copy_prototype(Reader *reader, const Program *program, const Span *span, int64_t *pos, Value *out)
{
    /* What is in the record nests too, in no more levels than so few bytes can say. */
    if (span->end - *pos < 2 || reader->depth < PROTOTYPE_DEPTH) {
        return 0;
    }
    if (reader->prototypes == NULL) {
        return 0;
    }
    const uint8_t *start = span->start + *pos;
    const Prototype *prototype = prototype_at(reader, start);
    if (prototype->program != program || span->end - *pos < prototype->size ||
        memcmp(start, prototype->bytes, (size_t)prototype->size) || !(prototype->is_flat || reader->shares)) {
        return 0;
    }
    if (reader->shares) {
        *pos += prototype->size;
        *out = (Value){.object = Py_NewRef(prototype->made), .owned = 1};
        return 1;
    }
    PyObject *made = PyObject_GC_New(PyObject, program->cls);
    if (made == NULL) {
        return -1;
    }
    PyObject **from = (PyObject **)(prototype->made + 1), **to = (PyObject **)(made + 1);
    for (PyObject **last = (PyObject **)((char *)made + program->cls->tp_basicsize); to < last; from++, to++) {
        *to = Py_XNewRef(*from);
    }
    *pos += prototype->size;
    *out = (Value){.object = made, .owned = 1};
    return 1;
}

/* Whether a record holds numbers, and alternatives that have nothing but numbers as parameters. */
static int
is_flat(const Program *program, PyObject *made)
{
    for (int i = 0; i < program->step_count; i++) {
        PyObject *value = SLOT(made, program->steps[i].slot);
        if (!PyType_IS_GC(Py_TYPE(value))) {
            continue;
        }
        PyTypeObject *type = Py_TYPE(value);
        PyObject **slot = (PyObject **)(value + 1), **last = (PyObject **)((char *)value + type->tp_basicsize);
        const Program *target = (const Program *)program->steps[i].target;
        if (is_unread(value) || (!target->is_bare && target->by_number == NULL) || type->tp_dealloc != program->cls->tp_dealloc) {
            return 0;
        }
        for (; slot < last; slot++) {
            if (*slot != NULL && PyType_IS_GC(Py_TYPE(*slot))) {
                return 0;
            }
        }
    }
    return 1;
}

void
keep_prototype(Reader *reader, const Program *program, const Span *span, int64_t start, int64_t end, Begun before,
           const Value *made)
{
    if (end - start < 2 || end - start > PROTOTYPE_SIZE) {
        return;
    }
    const int can_be_copied = reader->bodies == before.bodies + 1 && is_flat(program, made->object);
    if (!can_be_copied && !(reader->shares && reader->others == before.others)) {
        return;
    }
    if (reader->prototypes == NULL && (reader->prototypes = PyMem_Calloc(PROTOTYPES, sizeof(Prototype))) == NULL) {
        return;
    }
    Prototype *prototype = prototype_at(reader, span->start + start);
    PyObject *last = prototype->made;
    *prototype = (Prototype){
        .program = program, .made = Py_NewRef(made->object), .size = (int)(end - start), .is_flat = can_be_copied,
    };
    memcpy(prototype->bytes, span->start + start, (size_t)prototype->size);
    Py_XDECREF(last);
}

void
release_prototypes(Reader *reader)
{
    for (int i = 0; reader->prototypes != NULL && i < PROTOTYPES; i++) {
        Py_XDECREF(reader->prototypes[i].made);
    }
    PyMem_Free(reader->prototypes);
}
