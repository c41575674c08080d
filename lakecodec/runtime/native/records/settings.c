/* What records with places compute inside of their fields when they are written. */
#include "layout.h"

/* The value at the end of a path of attributes; a new reference, or NULL. */
static PyObject *reach(PyObject *holder, PyObject *path) {
    PyObject *found = Py_NewRef(holder);
    for (Py_ssize_t i = 0; found != NULL && i < PyTuple_GET_SIZE(path); i++)
        Py_SETREF(found, PyObject_GetAttr(found, PyTuple_GET_ITEM(path, i)));
    return found;
}

static int is_same_number(PyObject *known, PyObject *other) {
    return known != NULL && PyLong_CheckExact(known) && PyLong_CheckExact(other) && PyObject_RichCompareBool(known, other, Py_EQ) == 1;
}

/* An object with a computed value inside, itself where nothing changes; a new reference, or NULL. */
static PyObject *set_inside(const Setting *setting, Frame *frame, PyObject *holder) {
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
