/* Copies of short records, for lists in which few kinds of them repeat: a copy costs less than reading.
 *
 * What is copied depends on its bytes alone: numbers, and alternatives that have nothing but parameters computed from
 * those. Such an alternative has no field that could be set, and so copies share it.
 */
#include "record_instances.h"

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

int
find_repeatable(const Program *program)
{
    int records = 0;
    for (int i = 0; i < program->step_count; i++) {
        const Step *step = &program->steps[i];
        const int is_record = step->is_direct && step->kind == KIND_OF_RECORD && !step->coded;
        if ((!step->is_plain && !is_record) || step->has_notes || !are_local(&step->arguments) ||
            !are_local(&step->checks)) {
            return 0;
        }
        records += is_record;
    }
    /* Numbers alone are read as quickly as they are copied. */
    return records && program->is_slotted && !program->param_count && !program->state_count && program->tag == NULL &&
           are_local(&program->checks);
}

/* Where a record that begins with two given bytes is kept. */
static inline Model *
model_at(Reader *reader, const uint8_t *start)
{
    return &reader->models[(start[0] ^ (start[1] << 4)) % MODELS];
}

int
model_copy(Reader *reader, const Program *program, const Span *span, int64_t *pos, Value *out)
{
    /* What is in the record nests too. */
    if (span->end - *pos < 2 || reader->depth < 2) {
        return 0;
    }
    const uint8_t *start = span->start + *pos;
    const Model *model = model_at(reader, start);
    if (model->program != program || span->end - *pos < model->size ||
        memcmp(start, model->bytes, (size_t)model->size)) {
        return 0;
    }
    PyObject *made = PyObject_GC_New(PyObject, program->cls);
    if (made == NULL) {
        return -1;
    }
    PyObject **from = (PyObject **)(model->made + 1), **to = (PyObject **)(made + 1);
    for (PyObject **last = (PyObject **)((char *)made + program->cls->tp_basicsize); to < last; from++, to++) {
        *to = Py_XNewRef(*from);
    }
    *pos += model->size;
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
        if ((!target->is_bare && target->by_number == NULL) || type->tp_dealloc != program->cls->tp_dealloc) {
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
model_keep(Reader *reader, const Program *program, const Span *span, int64_t start, int64_t end, int64_t bodies,
           const Value *made)
{
    if (end - start < 2 || end - start > MODEL_SIZE || reader->bodies != bodies + 1 ||
        !is_flat(program, made->object)) {
        return;
    }
    Model *model = model_at(reader, span->start + start);
    PyObject *before = model->made;
    *model = (Model){.program = program, .made = Py_NewRef(made->object), .size = (int)(end - start)};
    memcpy(model->bytes, span->start + start, (size_t)model->size);
    Py_XDECREF(before);
}

void
models_release(Reader *reader)
{
    for (int i = 0; i < MODELS; i++) {
        Py_CLEAR(reader->models[i].made);
    }
}
