/* Encoding of the fields of an instance that has them all, in the order of its class. */
#include "encode.h"
#include "tape.h"

/* As asking for the attribute, which may be called otherwise than the field. */
static COLD PyObject *no_attribute(PyObject *self, Py_ssize_t offset) {
    for (const PyTypeObject *cls = Py_TYPE(self); cls != NULL; cls = cls->tp_base)
        for (const PyMemberDef *member = cls->tp_members; member != NULL && member->name != NULL; member++)
            if (member->offset == offset && member->type == T_OBJECT_EX)
                return PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute '%s'", Py_TYPE(self)->tp_name, member->name);
    return PyErr_Format(PyExc_SystemError, "'%s' object has no slot at %zd", Py_TYPE(self)->tp_name, offset);
}

PyObject *filled_slot(PyObject *self, Py_ssize_t offset) {
    PyObject *value = SLOT(self, offset);
    return likely(value != NULL) ? value : no_attribute(self, offset);
}

/* Whether a value is made of others and written by write_deep; write_field looks at the rest. */
static inline int is_deep(const Type *type, PyObject *value, int depth) {
    if (depth > MAX_ENCODE_DEPTH) return 0;
    if (type->kind == KIND_LIST) return PyList_CheckExact(value);
    const Codec *inner = type->codec;
    return type->kind == KIND_STRUCT && inner->kind == CODEC_STRUCT && Py_IS_TYPE(value, inner->cls) && !(inner->lazy && is_unread(value));
}

static inline uint8_t *write_deep(Writer *w, uint8_t *p, const Type *type, PyObject *value, int depth) {
    /* Code that is called meanwhile may empty the slot. */
    Py_INCREF(value);
    p = type->kind == KIND_LIST ? write_elements(w, p, type, value, depth) : write_fields(w, p, type->codec, value, depth);
    Py_DECREF(value);
    return p;
}

uint8_t *write_fields(Writer *w, uint8_t *p, const Codec *codec, PyObject *self, int depth) {
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
            filled_slot(self, step->offset);
            return NULL;
        }
        p = ensure(w, p, SHORT);
        if (unlikely(p == NULL)) return NULL;
        uint8_t *start = put_field_header(p, last, step->id, step->wire), *after = put_short(start, step->kind, value);
        if (after != start) {
            p = after;
        } else if (step->kind == KIND_BOOL && PyBool_Check(value)) {
            p = put_field_header(p, last, step->id, value == Py_True ? WIRE_TRUE : WIRE_FALSE);
        } else if (is_deep(&step->field->type, value, depth + 1)) {
            p = write_deep(w, start, &step->field->type, value, depth + 1);
            if (unlikely(p == NULL)) trace_name(&w->trace, step->field->name);
        } else {
            p = write_field(w, p, step->field, value, last, depth);
        }
        if (unlikely(p == NULL)) return NULL;
        last = step->id;
    }
    p = ensure(w, p, SMALL);
    if (unlikely(p == NULL)) return NULL;
    *p = 0;
    return p + 1;
}
