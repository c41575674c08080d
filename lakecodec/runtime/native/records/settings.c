/* What records with places compute inside of their fields when they are written. */
#include "layout.h"

/* The value at the end of a path of attributes and numbers of elements; a new reference, or NULL. */
static PyObject *reach(PyObject *holder, PyObject *path) {
    PyObject *found = Py_NewRef(holder);
    for (Py_ssize_t i = 0; found != NULL && i < PyTuple_GET_SIZE(path); i++) {
        PyObject *step = PyTuple_GET_ITEM(path, i);
        Py_SETREF(found, PyLong_Check(step) ? PyObject_GetItem(found, step) : attribute_of(found, step));
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

/* The same with the offset of a field inside, as far as that was put. One without bytes keeps an offset that is not outside. */
static PyObject *point_inside(const Pointer *pointer, Frame *frame, PyObject *holder) {
    Layout *layout = frame->layout;
    PyObject *known = reach(holder, pointer->held.path);
    if (known == NULL || (known != Py_None && !PyLong_CheckExact(known))) {
        Py_XDECREF(known);
        return NULL;
    }
    Value before = value_of_object(known, 1);
    const Spot *spot = find_spot(layout, pointer->target, pointer->held.list == NULL ? 0 : frame->index);
    const int is_late = layout->current == frame->program->placed + frame->program->placed_count;
    const int stays = spot == NULL || (spot->size == 0 && !is_late) ||
                      (before.is_number && (before.number == spot->at ||
                                            (spot->size == 0 && before.number >= 0 && before.number <= layout->size)));
    layout->moves |= !stays && known != Py_None;
    PyObject *offset = stays ? NULL : PyLong_FromLongLong(spot->at);
    PyObject *made = stays ? Py_NewRef(holder) : offset == NULL ? NULL : assign_inside(holder, pointer->held.path, offset);
    Py_XDECREF(offset);
    value_clear(&before);
    return made;
}

/* An object with a computed value inside, itself where nothing changes; a new reference, or NULL. */
static PyObject *set_inside(const Setting *setting, Frame *frame, PyObject *holder) {
    if (setting->value == NULL) return point_inside((const Pointer *)((const char *)setting - offsetof(Pointer, held)), frame, holder);
    Value value;
    PyObject *made = NULL, *known = reach(holder, setting->path);
    if (known == NULL) return NULL;
    if (setting->is_laid_out && !has_image(frame) && known != Py_None) {
        made = Py_NewRef(holder);
    } else if (!evaluate(setting->value, frame, &value)) {
        PyObject *object = value_object(&value);
        if (object != NULL) made = is_kept(known, object) ? Py_NewRef(holder) : assign_inside(holder, setting->path, object);
        value_clear(&value);
    }
    Py_DECREF(known);
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

/* Computes a value, or all of a list, inside of what a variable holds: whether that is another object then, or -1. */
static int apply_setting(const Setting *setting, Frame *frame, Value *holder) {
    PyObject *made = NULL;
    if (setting->list == NULL) {
        made = set_inside(setting, frame, holder->object);
    } else {
        PyObject *list = reach(holder->object, setting->list), *changed = list == NULL ? NULL : set_in_elements(setting, frame, list);
        if (changed != NULL) made = changed == list ? Py_NewRef(holder->object) : assign_inside(holder->object, setting->list, changed);
        Py_XDECREF(changed);
        Py_XDECREF(list);
    }
    if (made == NULL) return -1;
    /* While both are there: a later one can stand where this one stood. */
    const int is_other = made != holder->object;
    value_clear(holder);
    *holder = value_of_object(made, 1);
    return is_other;
}

int apply_settings(const Place *place, Frame *frame, int laid_out_only) {
    Value *holder = &frame->variables[place->step->variable];
    int changed = 0;
    for (int i = 0; i < place->setting_count && changed >= 0 && holder->object != Py_None; i++)
        if (place->settings[i].is_laid_out || !laid_out_only) changed |= apply_setting(&place->settings[i], frame, holder);
    return changed;
}

/* ---- offsets, and what passes leave each other ---- */

int apply_pointers(const Program *program, Frame *frame, int variable) {
    int changed = 0;
    for (int i = 0; i < program->pointer_count && changed >= 0; i++) {
        const Pointer *pointer = &program->pointers[i];
        Value *holder = &frame->variables[pointer->variable];
        if ((variable >= 0 && pointer->variable != variable) || holder->object == Py_None) continue;
        changed |= holder->object == NULL ? -1 : apply_setting(&pointer->held, frame, holder);
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
