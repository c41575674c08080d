/* Encoding of the fields of an instance that has them all, in the order of its class. */
#include "encode.h"
#include "unread.h"

PyObject *
filled_slot(PyObject *self, Py_ssize_t offset, PyObject *name)
{
    PyObject *value = SLOT(self, offset);
    if (value == NULL) {
        PyErr_Format(PyExc_AttributeError, "%s object has no value for %V", Py_TYPE(self)->tp_name, name, "a slot");
    }
    return value;
}

/* ---- memory ---- */

/* Objects are spread over memory, and each has to be there before it says where the next one is. */

static inline void
ask_instance(const char *value, const Codec *codec)
{
    for (const char *line = value - 2 * sizeof(uintptr_t), *end = value + codec->cls->tp_basicsize; line < end; line += 64) {
        __builtin_prefetch(line);
    }
}

/* Any other value: what it is, and what it holds in itself, which may be in two lines. */
static inline void
ask_value(const void *value)
{
    __builtin_prefetch(value);
    __builtin_prefetch((const char *)value + 32);
}

/* Asks for what is so many references behind the values of an instance; what is nearer was asked for before. */
static void
ask_values(const Codec *codec, PyObject *self, int references)
{
    if (codec->kind != CODEC_STRUCT || !Py_IS_TYPE(self, codec->cls) || (codec->lazy && is_unread(self))) {
        return;
    }
    const WriteStep *step = codec->steps + (references ? codec->field_count : 0);
    for (const WriteStep *end = step + (references ? codec->deep_count : codec->field_count); step < end; step++) {
        PyObject *value = SLOT(self, step->offset);
        if (value == NULL || value == Py_None) {
            continue;
        }
        if (step->kind == KIND_STRUCT) {
            const Codec *inner = step->field->type.codec;
            if (references == 0) {
                ask_instance((const char *)value, inner);
            }
            else {
                ask_values(inner, value, references - 1);
            }
        }
        else if (references == 0) {
            ask_value(value);
        }
        else if (references <= 2 && PyList_CheckExact(value)) {
            PyObject **items = ((PyListObject *)value)->ob_item;
            if (references == 1) {
                __builtin_prefetch(items);
                continue;
            }
            for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value) && i < 4; i++) {
                /* Of instances, what stands before them is looked at, too. */
                ask_value((const char *)items[i] - (step->field->type.value->kind == KIND_STRUCT ? 2 * sizeof(uintptr_t) : 0));
            }
        }
    }
}

/* How far ahead the first step is, so that each step has the time of an element. */
#define AHEAD 5

void
look_ahead(const Codec *codec, PyObject *items, Py_ssize_t i)
{
#ifndef Py_GIL_DISABLED
    PyObject **item = PySequence_Fast_ITEMS(items) + i;
    const Py_ssize_t left = PySequence_Fast_GET_SIZE(items) - i;
    if (left > AHEAD) {
        ask_instance((const char *)item[AHEAD], codec);
    }
    for (int references = 0; references < AHEAD - 1 && left > AHEAD - 1; references++) {
        ask_values(codec, item[AHEAD - 1 - references], references);
    }
#else
    (void)codec, (void)items, (void)i;
#endif
}

/* ---- fields ---- */

/* Whether a value is made of others and written by write_deep; write_field looks at the rest. */
static inline int
is_deep(const Type *type, PyObject *value, int depth)
{
    if (depth > MAX_ENCODE_DEPTH) {
        return 0;
    }
    if (type->kind == KIND_LIST) {
        return PyList_CheckExact(value);
    }
    const Codec *inner = type->codec;
    return type->kind == KIND_STRUCT && inner->kind == CODEC_STRUCT && Py_IS_TYPE(value, inner->cls) &&
           !(inner->lazy && is_unread(value));
}

static inline uint8_t *
write_deep(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth)
{
    /* Code that is called meanwhile may empty the slot. */
    Py_INCREF(value);
    p = type->kind == KIND_LIST ? write_elements(w, p, type, value, depth) : write_fields(w, p, type->codec, value, depth);
    Py_DECREF(value);
    return p;
}

uint8_t *
write_fields(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, int depth)
{
    int last = 0;
    for (const WriteStep *step = codec->steps, *end = step + codec->field_count; step < end; step++) {
        PyObject *value = SLOT(self, step->offset);
        if (value == Py_None) {
            if (unlikely(step->field->required)) {
                trace_name(&w->trace, step->field->name);
                return unfit(w, "required");
            }
            continue;
        }
        if (unlikely(value == NULL)) {
            filled_slot(self, step->offset, step->field->name);
            return NULL;
        }
        p = ensure(w, p, SHORT);
        if (unlikely(p == NULL)) {
            return NULL;
        }
        uint8_t *start = put_field_header(p, last, step->id, step->wire), *after = put_short(start, step->kind, value);
        if (after != start) {
            p = after;
        }
        else if (step->kind == KIND_BOOL && PyBool_Check(value)) {
            p = put_field_header(p, last, step->id, value == Py_True ? WIRE_TRUE : WIRE_FALSE);
        }
        else if (is_deep(&step->field->type, value, depth + 1)) {
            p = write_deep(w, start, &step->field->type, value, depth + 1);
            if (unlikely(p == NULL)) {
                trace_name(&w->trace, step->field->name);
            }
        }
        else {
            p = write_field(w, p, step->field, value, last, depth);
        }
        if (unlikely(p == NULL)) {
            return NULL;
        }
        last = step->id;
    }
    p = ensure(w, p, SMALL);
    if (unlikely(p == NULL)) {
        return NULL;
    }
    *p = 0;
    return p + 1;
}
