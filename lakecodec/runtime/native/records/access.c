/* Attributes, elements and sizes of objects. */
#include "struct_of_arrays.h"
#include "unread.h"

/* Where instances of a type have an attribute. */
static void learn(Known *known, PyTypeObject *type, PyObject *name) {
    known->slot = slot_of(type, name);
    Py_XSETREF(known->type, (PyTypeObject *)Py_NewRef((PyObject *)type));
    value_clear(&known->constant);
    if (known->slot || type->tp_dictoffset || (type->tp_getattro != PyObject_GenericGetAttr && type->tp_getattro != get_waiting)) return;
    PyObject *found = PyObject_GetAttr((PyObject *)type, name);
    if (found == NULL)
        PyErr_Clear();
    else if (PyLong_Check(found) || PyUnicode_CheckExact(found))
        known->constant = value_of_object(Py_NewRef(found), 1);
    Py_XDECREF(found);
}

int get_attribute(Node *node, PyObject *holder, Value *out) {
    PyTypeObject *type = Py_TYPE(holder);
    /* Type objects are large, so their addresses differ in the higher bits. */
    Known *known = &node->known[((uintptr_t)type >> 6) % KNOWN_TYPES];
    if (UNLIKELY(known->type != type)) learn(known, type, node->constant.object);
    if (known->constant.object != NULL) {
        *out = known->constant;
        Py_INCREF(out->object);
        return 0;
    }
    PyObject *found = LIKELY(known->slot) ? Py_XNewRef(*(PyObject **)((char *)holder + known->slot)) : NULL;
    /* Not a message, which is read by its own kind of reader. */
    if (UNLIKELY(found == NULL) && known->slot && type->tp_getattro == get_waiting && is_unread(holder)) found = peek(holder, known->slot);
    if (UNLIKELY(found == NULL)) found = PyErr_Occurred() ? NULL : attribute_of(holder, node->constant.object);
    return give_object(out, found);
}

/* The attribute of every element, as a list. */
int each_attribute(Node *node, PyObject *holders, Value *out) {
    PyObject *field = field_of_arrays(holders, node->constant.object);
    if (field != NULL) {
        *out = (Value){.object = is_texts(field) ? PySequence_List(field) : Py_NewRef(field), .owned = 1};
        return out->object == NULL ? -1 : 0;
    }
    PyObject *fast = PySequence_Fast(holders, "a list is needed");
    if (fast == NULL) return -1;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(fast);
    PyObject *found = PyList_New(count);
    for (Py_ssize_t i = 0; i < count && found != NULL; i++) {
        Value value;
        if (get_attribute(node, PySequence_Fast_GET_ITEM(fast, i), &value)) {
            Py_CLEAR(found);
            break;
        }
        PyList_SET_ITEM(found, i, value.object);
    }
    Py_DECREF(fast);
    return give_made(out, found);
}

enum { MOST_NAMES = 8, LATELY = 64 };

/* What was found for a record, which may be there many times; borrowed. */
typedef struct {
    PyObject *record, *value;
} Found;

/* What a chain of attributes leads to; a new reference, or NULL with an exception. */
static PyObject *follow(PyObject *record, Node *nodes, Py_ssize_t count) {
    PyObject *holder = Py_NewRef(record);
    for (Py_ssize_t i = 0; i < count && holder != NULL; i++) {
        Value value;
        if (get_attribute(&nodes[i], holder, &value)) {
            /* Says which attribute is not set. */
            value.object = PyErr_Occurred() ? NULL : PyObject_GetAttr(holder, nodes[i].constant.object);
        }
        Py_SETREF(holder, value.object);
    }
    return holder;
}

int numbers_begin(Numbers *numbers, PyObject *given) {
    *numbers = (Numbers){0};
    if (PyMemoryView_Check(given)) {
        Py_buffer *view = &numbers->view;
        if (PyObject_GetBuffer(given, view, PyBUF_FULL_RO)) return -1;
        if (view->ndim == 1 && view->format != NULL && !strcmp(view->format, "q") && view->strides[0] == sizeof(int64_t)) {
            numbers->numbers = view->buf;
            numbers->count = view->shape[0];
            return 0;
        }
        PyBuffer_Release(view);
    }
    numbers->sequence = PySequence_Fast(given, "a sequence of numbers is needed");
    numbers->count = numbers->sequence == NULL ? 0 : PySequence_Fast_GET_SIZE(numbers->sequence);
    return numbers->sequence == NULL ? -1 : 0;
}

void numbers_end(Numbers *numbers) {
    if (numbers->view.obj != NULL) PyBuffer_Release(&numbers->view);
    Py_CLEAR(numbers->sequence);
}

Py_ssize_t numbers_at(const Numbers *numbers, Py_ssize_t i) {
    if (numbers->numbers != NULL) return (Py_ssize_t)numbers->numbers[i];
    if (i >= PySequence_Fast_GET_SIZE(numbers->sequence))
        return raise_error(PyExc_ValueError, "positions: a list changed its size while it was read");
    return PyLong_AsSsize_t(PySequence_Fast_GET_ITEM(numbers->sequence, i));
}

/* The record at a place of those that are wanted, borrowed; NULL with an exception. */
static PyObject *wanted_record(PyObject *records, const Numbers *positions, Py_ssize_t place) {
    const Py_ssize_t at = positions == NULL ? place : numbers_at(positions, place);
    if (at >= 0 && at < PyList_GET_SIZE(records)) return PyList_GET_ITEM(records, at);
    return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_IndexError, "positions: there is no record %zd", at);
}

/* attributes(records, names, positions): what a chain of attributes leads to, for each of a list of records, or for those
 * at some positions. */
PyObject *attributes(PyObject *module, PyObject *arguments) {
    PyObject *records, *names, *given;
    Numbers positions = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!O", &PyList_Type, &records, &PyTuple_Type, &names, &given)) return NULL;
    const Py_ssize_t count = PyTuple_GET_SIZE(names);
    if (count < 1 || count > MOST_NAMES) return PyErr_Format(PyExc_ValueError, "names: 1 to %d are possible, not %zd", MOST_NAMES, count);
    if (given != Py_None && numbers_begin(&positions, given)) return NULL;
    Known known[MOST_NAMES][KNOWN_TYPES] = {0};
    Node nodes[MOST_NAMES];
    for (Py_ssize_t i = 0; i < count; i++)
        nodes[i] = (Node){.op = OP_GET, .constant = value_of_object(PyTuple_GET_ITEM(names, i), 0), .known = known[i]};
    Found lately[LATELY] = {0};
    const Py_ssize_t wanted = given == Py_None ? PyList_GET_SIZE(records) : positions.count;
    PyObject *found = list_with_room(wanted);
    for (Py_ssize_t i = 0; i < wanted && found != NULL; i++) {
        PyObject *record = wanted_record(records, given == Py_None ? NULL : &positions, i);
        Found *same = &lately[((uintptr_t)record >> 5) % LATELY];
        if (record == NULL) {
            Py_CLEAR(found);
        } else if (same->record != record) {
            Py_INCREF(record);
            PyObject *value = follow(record, nodes, count);
            Py_DECREF(record);
            *same = (Found){record, value};
            if (value == NULL || list_push(found, value)) Py_CLEAR(found);
        } else if (list_push(found, Py_NewRef(same->value))) {
            Py_CLEAR(found);
        }
    }
    numbers_end(&positions);
    for (Py_ssize_t i = 0; i < count * KNOWN_TYPES; i++) {
        Py_CLEAR(known[i / KNOWN_TYPES][i % KNOWN_TYPES].type);
        value_clear(&known[i / KNOWN_TYPES][i % KNOWN_TYPES].constant);
    }
    return found;
}

/* An element; an index never counts from the end. */
int get_item(PyObject *list, const Value *place, Frame *frame, Value *out) {
    if (!place->is_number || list == NULL || place->number < 0) return -1;
    const int64_t index = place->number;
    if (PyList_CheckExact(list)) {
        if (index >= PyList_GET_SIZE(list)) return -1;
        return give(out, value_of_object(Py_NewRef(PyList_GET_ITEM(list, index)), 1));
    }
    if (is_bits(list)) {
        int64_t number;
        if (bits_item(list, index, frame->span, &number)) return -1;
        return give(out, value_of_number(number));
    }
    PyObject *found = PySequence_GetItem(list, (Py_ssize_t)index);
    return give_object(out, found);
}

int get_last(PyObject *list, Value *out) {
    Py_ssize_t count = list == NULL ? -1 : PySequence_Size(list);
    PyObject *found = count <= 0 ? NULL : PySequence_GetItem(list, count - 1);
    return give_object(out, found);
}

int get_slice(PyObject *list, const Value *low, const Value *high, Value *out) {
    if (list == NULL || (!low->is_number && low->object != Py_None) || (!high->is_number && high->object != Py_None)) return -1;
    const Py_ssize_t from = low->is_number ? (Py_ssize_t)low->number : 0;
    const Py_ssize_t to = high->is_number ? (Py_ssize_t)high->number : PY_SSIZE_T_MAX;
    PyObject *found;
    if (PyBytes_CheckExact(list) && from >= 0 && to >= from) {
        const Py_ssize_t size = PyBytes_GET_SIZE(list), first = from < size ? from : size, last = to < size ? to : size;
        found = PyBytes_FromStringAndSize(PyBytes_AS_STRING(list) + first, last - first);
    } else if (PyUnicode_CheckExact(list) && from >= 0) {
        found = PyUnicode_Substring(list, from, to < from ? from : to);
    } else {
        found = PySequence_GetSlice(list, from, to);
    }
    return give_made(out, found);
}

int get_count(PyObject *object, Value *out) {
    Py_ssize_t count = -1;
    if (object == NULL) return -1;
    if (PyUnicode_Check(object)) {
        if (PyUnicode_IS_COMPACT_ASCII(object))
            count = PyUnicode_GET_LENGTH(object);
        else if (PyUnicode_AsUTF8AndSize(object, &count) == NULL)
            return -1;
    } else {
        count = PyBytes_CheckExact(object) ? PyBytes_GET_SIZE(object)
                : is_bits(object)          ? (Py_ssize_t)bits_count(object)
                : is_values(object)        ? (Py_ssize_t)values_count(object)
                                           : PyObject_Size(object);
    }
    if (count < 0) return -1;
    return give(out, value_of_number(count));
}
