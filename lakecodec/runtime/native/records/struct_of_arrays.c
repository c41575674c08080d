/* Reads lists of records as a list of each of their fields: no record is made for an element, and short ones in it that
 * are equal are one object.
 */
#include "struct_of_arrays.h"

/* The class, and the offsets of its slots. */
static struct {
    PyTypeObject *type;
    Py_ssize_t names, lists;
} soa;

/* use_struct_of_arrays(StructOfArrays): the class to make. */
PyObject *
use_struct_of_arrays(PyObject *module, PyObject *arguments)
{
    PyObject *type;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!", &PyType_Type, &type)) {
        return NULL;
    }
    if (find_slot((PyTypeObject *)type, "names", &soa.names) ||
        find_slot((PyTypeObject *)type, "lists", &soa.lists)) {
        return NULL;
    }
    Py_XSETREF(soa.type, (PyTypeObject *)Py_NewRef(type));
    Py_RETURN_NONE;
}

int
parse_struct_of_arrays(Reader *reader, PyObject *wanted)
{
    PyObject *program, *names;
    int number;
    if (wanted == Py_None) {
        return 0;
    }
    if (!PyArg_ParseTuple(wanted, "O!iO!:struct_of_arrays", &Program_Type, &program, &number, &PyTuple_Type, &names)) {
        return -1;
    }
    const Program *holder = (const Program *)program;
    if (!holder->filled || number < 0 || number >= holder->step_count) {
        PyErr_SetString(PyExc_ValueError, "struct_of_arrays: the program has no such field");
        return -1;
    }
    reader->struct_of_arrays = &holder->steps[number];
    reader->names = names;
    return 0;
}

static int
can_be_arrays(const Step *step, const Reader *reader)
{
    const Program *program = (const Program *)step->target;
    return soa.type != NULL && step->kind == KIND_OF_RECORD && !step->coded && !step->coding_count &&
           step->dimension == DIMENSION_COUNT && !step->has_captures && program->filled && !program->is_choice &&
           !program->is_codec && program->tag == NULL && program->step_count > 0 && !program->places &&
           program->step_count == PyTuple_GET_SIZE(reader->names);
}

PyObject *
new_struct_of_arrays(const Step *step, const Reader *reader)
{
    if (!can_be_arrays(step, reader)) {
        return NULL;
    }
    const Py_ssize_t count = PyTuple_GET_SIZE(reader->names);
    PyObject *lists = PyTuple_New(count);
    for (Py_ssize_t i = 0; i < count && lists != NULL; i++) {
        PyObject *list = PyList_New(0);
        if (list == NULL) {
            Py_CLEAR(lists);
            break;
        }
        PyTuple_SET_ITEM(lists, i, list);
    }
    PyObject *made = lists == NULL ? NULL : soa.type->tp_alloc(soa.type, 0);
    if (made == NULL) {
        Py_XDECREF(lists);
        return NULL;
    }
    SLOT(made, soa.names) = Py_NewRef(reader->names);
    SLOT(made, soa.lists) = lists;
    return made;
}

int
append_struct_of_arrays(Step *step, Frame *frame, PyObject *object, State *states)
{
    Value arguments[MAX_OPERANDS];
    Reader *reader = frame->reader;
    const Program *program = (const Program *)step->target;
    PyObject *lists = SLOT(object, soa.lists);
    const int count = evaluate_all(&step->arguments, frame, arguments), outer = reader->shares;
    if (count < 0) {
        return -1;
    }
    reader->shares = 1;
    const int failed = count != program->param_count ||
                       read_apart(reader, program, frame->span, &frame->pos, arguments, states, lists);
    reader->shares = outer;
    values_clear(arguments, count);
    return failed ? -1 : 0;
}

PyObject *
field_of_arrays(PyObject *object, PyObject *name)
{
    if (soa.type == NULL || !Py_IS_TYPE(object, soa.type)) {
        return NULL;
    }
    PyObject *names = SLOT(object, soa.names), *lists = SLOT(object, soa.lists);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
        if (PyUnicode_Compare(PyTuple_GET_ITEM(names, i), name) == 0) {
            return PyTuple_GET_ITEM(lists, i);
        }
    }
    return NULL;
}
