/* What records with places compute inside of their fields when they are written. */
#include "layout.h"

/* The value at the end of a path of attributes and numbers of elements; a new reference, or NULL. */
static PyObject *reach(PyObject *holder, PyObject *path) {
    PyObject *found = Py_NewRef(holder);
    for (Py_ssize_t i = 0; found != NULL && i < PyTuple_GET_SIZE(path); i++) {
        PyObject *step = PyTuple_GET_ITEM(path, i);
        Py_SETREF(found, PyLong_Check(step) ? PyObject_GetItem(found, step) : PyObject_GetAttr(found, step));
    }
    return found;
}

/* A copy of a list with another element; a new reference, or NULL. */
static PyObject *with_element(PyObject *list, PyObject *number, PyObject *element) {
    PyObject *made = PyList_CheckExact(list) ? PyList_GetSlice(list, 0, PyList_GET_SIZE(list)) : NULL;
    if (made != NULL && PyObject_SetItem(made, number, element)) Py_CLEAR(made);
    return made;
}

/* An object with a value at the end of a path: itself where nothing changes. */
static PyObject *assign_inside(PyObject *holder, PyObject *path, PyObject *value) {
    const Py_ssize_t count = PyTuple_GET_SIZE(path);
    Py_ssize_t at = 0;
    while (at < count && !PyLong_Check(PyTuple_GET_ITEM(path, at))) at++;
    if (count == 0) return Py_NewRef(value);
    if (at == count) return assign_attribute(holder, path, value);
    PyObject *number = PyTuple_GET_ITEM(path, at), *before = PyTuple_GetSlice(path, 0, at), *behind = PyTuple_GetSlice(path, at + 1, count);
    PyObject *list = before == NULL || behind == NULL ? NULL : reach(holder, before);
    PyObject *element = list == NULL ? NULL : PyObject_GetItem(list, number);
    PyObject *changed = element == NULL ? NULL : assign_inside(element, behind, value);
    PyObject *copy = changed == NULL ? NULL : with_element(list, number, changed);
    PyObject *made = copy == NULL ? NULL : assign_inside(holder, before, copy);
    Py_XDECREF(copy);
    Py_XDECREF(changed);
    Py_XDECREF(element);
    Py_XDECREF(list);
    Py_XDECREF(behind);
    Py_XDECREF(before);
    return made;
}

static int is_same_number(PyObject *known, PyObject *other) {
    return known != NULL && PyLong_CheckExact(known) && PyLong_CheckExact(other) && PyObject_RichCompareBool(known, other, Py_EQ) == 1;
}

/* The same with the offset of a field inside, as far as that was put. One without bytes keeps an offset that is not outside. */
static PyObject *point_inside(const Pointer *pointer, Frame *frame, PyObject *holder) {
    Layout *layout = frame->layout;
    int64_t at, size;
    PyObject *made = NULL, *known = reach(holder, pointer->held.path);
    const int is_set = known != NULL && known != Py_None;
    if (known == NULL || (is_set && !PyLong_CheckExact(known))) goto end;
    const int is_late = layout->current == frame->program->placed + frame->program->placed_count;
    if (!find_spot(layout, pointer->target, pointer->held.list == NULL ? 0 : frame->index, &at, &size) || (size == 0 && !is_late)) {
        made = Py_NewRef(holder);
        goto end;
    }
    PyObject *offset = PyLong_FromLongLong(at);
    if (offset != NULL && is_set) {
        const int64_t before = PyLong_AsLongLong(known);
        if (before == -1 && PyErr_Occurred()) {
            Py_DECREF(offset);
            goto end;
        }
        if (before == at || (size == 0 && before >= 0 && before <= layout->size)) made = Py_NewRef(holder);
        layout->moves |= made == NULL;
    }
    if (offset != NULL && made == NULL) made = assign_inside(holder, pointer->held.path, offset);
    Py_XDECREF(offset);
end:
    Py_XDECREF(known);
    return made;
}

/* An object with a computed value inside, itself where nothing changes; a new reference, or NULL. */
static PyObject *set_inside(const Setting *setting, Frame *frame, PyObject *holder) {
    if (setting->value == NULL) return point_inside((const Pointer *)((const char *)setting - offsetof(Pointer, held)), frame, holder);
    Value value;
    PyObject *made = NULL, *known = reach(holder, setting->path);
    if (known == NULL) PyErr_Clear();
    if (setting->is_laid_out && !has_image(frame) && known != NULL && known != Py_None) {
        made = Py_NewRef(holder);
    } else if (!evaluate(setting->value, frame, &value)) {
        PyObject *object = value_object(&value);
        if (object != NULL) made = is_same_number(known, object) ? Py_NewRef(holder) : assign_inside(holder, setting->path, object);
        value_clear(&value);
    }
    Py_XDECREF(known);
    return made;
}

/* The same of each element of a list. */
static PyObject *set_in_elements(const Setting *setting, Frame *frame, PyObject *list) {
    PyObject *made = PyList_CheckExact(list) ? Py_NewRef(list) : NULL;
    for (Py_ssize_t i = 0; made != NULL && i < PyList_GET_SIZE(made); i++) {
        frame->index = i;
        PyObject *item = Py_NewRef(PyList_GET_ITEM(made, i)), *changed = set_inside(setting, frame, item);
        Py_DECREF(item);
        if (changed != NULL && changed != item && made == list) Py_SETREF(made, PyList_GetSlice(list, 0, PyList_GET_SIZE(list)));
        if (changed == NULL || made == NULL || i >= PyList_GET_SIZE(made)) {
            Py_XDECREF(changed);
            Py_XDECREF(made);
            return NULL;
        }
        if (made == list)
            Py_DECREF(changed);
        else
            PyList_SetItem(made, i, changed);
    }
    return made;
}

static int apply_setting(const Setting *setting, Frame *frame, Value *holder) {
    PyObject *made, *list = setting->list == NULL ? NULL : reach(holder->object, setting->list);
    if (setting->list == NULL) {
        made = set_inside(setting, frame, holder->object);
    } else {
        PyObject *changed = list == NULL ? NULL : set_in_elements(setting, frame, list);
        made = changed == NULL || changed == list ? Py_XNewRef(changed == NULL ? NULL : holder->object)
                                                  : assign_inside(holder->object, setting->list, changed);
        Py_XDECREF(changed);
    }
    Py_XDECREF(list);
    if (made == NULL) return -1;
    value_clear(holder);
    *holder = value_of_object(made, 1);
    return 0;
}

int apply_settings(const Place *place, Frame *frame, int laid_out_only) {
    Value *holder = &frame->variables[place->step->variable];
    const PyObject *before = holder->object;
    for (int i = 0; i < place->setting_count && before != Py_None; i++)
        if ((place->settings[i].is_laid_out || !laid_out_only) && apply_setting(&place->settings[i], frame, holder)) return -1;
    return holder->object != before;
}

/* ---- offsets, and what passes leave each other ---- */

int apply_pointers(const Program *program, Frame *frame, int variable) {
    int changed = 0;
    for (int i = 0; i < program->pointer_count; i++) {
        const Pointer *pointer = &program->pointers[i];
        Value *holder = &frame->variables[pointer->variable];
        const PyObject *before = holder->object;
        if ((variable >= 0 && pointer->variable != variable) || before == Py_None) continue;
        if (before == NULL || apply_setting(&pointer->held, frame, holder)) return -1;
        changed |= holder->object != before;
    }
    return changed;
}

int take_carried(Frame *frame, int variable) {
    const Layout *layout = frame->layout;
    if (layout == NULL || layout->carried == NULL || layout->carried[variable].object == NULL) return 0;
    frame->variables[variable] = value_borrowed(&layout->carried[variable]);
    value_own(&frame->variables[variable]);
    return 1;
}

static int carry_variable(const Program *program, const Frame *frame, int variable) {
    Layout *layout = frame->layout;
    if (layout->carried == NULL) layout->carried = PyMem_Calloc((size_t)program->variable_count, sizeof(Value));
    if (layout->carried == NULL) return no_memory();
    value_clear(&layout->carried[variable]);
    layout->carried[variable] = value_borrowed(&frame->variables[variable]);
    value_own(&layout->carried[variable]);
    return 0;
}

int carry(const Program *program, const Frame *frame) {
    for (int i = 0; i < program->pointer_count; i++)
        if (carry_variable(program, frame, program->pointers[i].variable)) return -1;
    for (int i = 0; i < program->placed_count; i++)
        if (program->placed[i].setting_count && carry_variable(program, frame, program->placed[i].step->variable)) return -1;
    return 0;
}

int check_moved(const Program *program, const Frame *frame, PyObject *object) {
    if (!frame->layout->moves) return 0;
    PyObject *written = PyDict_New();
    int failed = written == NULL;
    for (int i = 0; i < program->pointer_count && !failed; i++) {
        const Pointer *pointer = &program->pointers[i];
        PyObject *value = frame->variables[pointer->variable].object;
        failed = value == NULL || PyDict_SetItem(written, pointer->name, value);
    }
    failed = failed || refuse_moved(object, written);
    Py_XDECREF(written);
    return failed ? -1 : 0;
}
