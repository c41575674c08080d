/* Encoded values, and the layouts of their types. */
#include "columns.h"

#include "columns/prefixed.h"

/* A layout as the kernels take it. */
typedef struct Shape {
    PyObject_HEAD PyObject *layout;
    ColumnPlan plan;
} Shape;

static void shape_dealloc(Shape *shape) {
    Py_XDECREF(shape->layout);
    Py_TYPE(shape)->tp_free((PyObject *)shape);
}

PyTypeObject Shape_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "lakecodec.runtime.native._record.Shape",
    .tp_basicsize = sizeof(Shape),
    .tp_dealloc = (destructor)shape_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "A layout of encoded values.",
};

static int layout_number(PyObject *layout, const char *name, int64_t *out) {
    PyObject *found = PyObject_GetAttrString(layout, name);
    *out = found == NULL ? -1 : PyLong_AsLongLong(found);
    Py_XDECREF(found);
    return *out == -1 && PyErr_Occurred() ? -1 : 0;
}

static Shape *shape_make(PyObject *layout) {
    int64_t kind, width;
    Shape *shape = PyObject_New(Shape, &Shape_Type);
    if (shape == NULL) return NULL;
    shape->layout = Py_NewRef(layout);
    shape->plan = (ColumnPlan){0};
    if (layout_number(layout, "kind", &kind) || layout_number(layout, "width", &width) ||
        layout_number(layout, "least", &shape->plan.least) || layout_number(layout, "most", &shape->plan.most)) {
        Py_DECREF(shape);
        return NULL;
    }
    shape->plan.kind = (int)kind;
    shape->plan.width = (int)width;
    return shape;
}

enum { MAX_SHAPES = 4096 };

/* Asks Python, and keeps the answer: by the type's class, or by that and the attributes that choose, whose names are
 * then kept by the class. A new reference. */
static Shape *shape_ask(Step *step, PyObject *const *arguments, int count) {
    PyObject *layout, *names;
    PyObject *type = arguments[count - 1];
    PyObject *found = PyObject_Vectorcall(step->target, arguments, (size_t)count, NULL);
    if (found == NULL || !PyArg_ParseTuple(found, "OO", &layout, &names)) {
        Py_XDECREF(found);
        return NULL;
    }
    Shape *shape = shape_make(layout);
    int failed = shape == NULL ? -1 : 0;
    if (!failed && PyTuple_Check(names)) {
        PyObject *cls = (PyObject *)Py_TYPE(type);
        Py_ssize_t size = PyTuple_GET_SIZE(names);
        if (PyDict_GET_SIZE(step->shapes) >= MAX_SHAPES) PyDict_Clear(step->shapes);
        if (size == 0) {
            failed = PyDict_SetItem(step->shapes, cls, (PyObject *)shape);
        } else {
            PyObject *key = PyTuple_New(size + 1);
            failed = key == NULL || PyDict_SetItem(step->shapes, cls, names);
            for (Py_ssize_t i = 0; !failed && i < size; i++) {
                PyObject *value = PyObject_GetAttr(type, PyTuple_GET_ITEM(names, i));
                PyTuple_SET_ITEM(key, i + 1, value);
                failed = value == NULL;
            }
            if (!failed) {
                PyTuple_SET_ITEM(key, 0, Py_NewRef(cls));
                failed = PyDict_SetItem(step->shapes, key, (PyObject *)shape);
            }
            Py_XDECREF(key);
        }
    }
    Py_DECREF(found);
    if (failed) {
        Py_XDECREF(shape);
        return NULL;
    }
    return shape;
}

/* The shape of values of a type; a new reference. */
static Shape *shape_of(Step *step, PyObject *const *arguments, int count) {
    PyObject *type = arguments[count - 1];
    PyObject *found = PyDict_GetItemWithError(step->shapes, (PyObject *)Py_TYPE(type));
    if (found != NULL && PyTuple_Check(found)) {
        PyObject *names = found;
        Py_ssize_t size = PyTuple_GET_SIZE(names);
        PyObject *key = PyTuple_New(size + 1);
        if (key == NULL) return NULL;
        PyTuple_SET_ITEM(key, 0, Py_NewRef((PyObject *)Py_TYPE(type)));
        for (Py_ssize_t i = 0; i < size; i++) {
            PyObject *value = PyObject_GetAttr(type, PyTuple_GET_ITEM(names, i));
            if (value == NULL) {
                Py_DECREF(key);
                return NULL;
            }
            PyTuple_SET_ITEM(key, i + 1, value);
        }
        found = PyDict_GetItemWithError(step->shapes, key);
        Py_DECREF(key);
    }
    if (found != NULL) return (Shape *)Py_NewRef(found);
    return PyErr_Occurred() ? NULL : shape_ask(step, arguments, count);
}

/* The position after values of a shape; -1 where they do not fit. */
static int64_t values_stop(const ColumnPlan *plan, const Span *span, int64_t pos, int64_t count) {
    const int64_t left = span->end - pos;
    if (count < 0 || count > left) return -1;
    if (plan->width) return count > left / plan->width ? -1 : pos + count * plan->width;
    if (count == 0) return pos;
    int64_t content;
    int rule = 0;
    const uint8_t *at = NULL;
    const uint8_t *end = span->start + span->end;
    const uint8_t *after = columns_walk(plan, span->start + pos, end, count, &content, &rule, &at);
    return after == NULL ? -1 : after - span->start;
}

int read_values(Step *step, Frame *frame, Value *out) {
    int64_t count = 1;
    PyObject *arguments[MAX_OPERANDS];
    if (step->length != NULL && evaluate_number(step->length, frame, &count)) return -1;
    int given = evaluate_objects(&step->arguments, frame, arguments);
    if (given < 0) return -1;
    Shape *shape = shape_of(step, arguments, given);
    release(arguments, given);
    if (shape == NULL) return -1;
    const int64_t stop = values_stop(&shape->plan, frame->span, frame->pos, count);
    PyObject *made = stop < 0 ? NULL : columns.values->tp_alloc(columns.values, 0);
    if (made != NULL) {
        SLOT(made, columns.values_layout) = Py_NewRef(shape->layout);
        SLOT(made, columns.values_data) = Py_NewRef(frame->span->owner);
        *out = (Value){.object = made, .owned = 1};
        if (set_number(made, columns.values_start, frame->pos) || set_number(made, columns.values_end, stop) ||
            set_number(made, columns.values_count, count)) {
            value_clear(out);
            made = NULL;
        }
    }
    Py_DECREF(shape);
    if (made == NULL) return -1;
    frame->pos = stop;
    return 0;
}

PyObject *layout_of_values(Step *step, PyObject *const *arguments, int count) {
    Shape *shape = shape_of(step, arguments, count);
    PyObject *layout = shape == NULL ? NULL : Py_NewRef(shape->layout);
    Py_XDECREF(shape);
    return layout;
}
