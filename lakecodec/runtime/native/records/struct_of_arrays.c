/* Reads lists of records as a list of each of their fields: no record is made for an element, and short ones in it that
 * are equal are one object.
 */
#include "struct_of_arrays.h"

/* The class, and the offsets of its slots. */
static struct {
    PyTypeObject *type;
    Py_ssize_t names, lists;
} soa;

/* use_struct_of_arrays(StructOfArrays, Texts): the classes to make. */
PyObject *use_struct_of_arrays(PyObject *module, PyObject *arguments) {
    PyObject *type, *texts;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyType_Type, &type, &PyType_Type, &texts)) return NULL;
    if (find_slot((PyTypeObject *)type, "names", &soa.names) || find_slot((PyTypeObject *)type, "lists", &soa.lists) || use_texts(texts))
        return NULL;
    Py_XSETREF(soa.type, (PyTypeObject *)Py_NewRef(type));
    Py_RETURN_NONE;
}

int parse_struct_of_arrays(Reader *reader, PyObject *wanted) {
    PyObject *program, *names;
    int number;
    if (wanted == Py_None) return 0;
    if (!PyArg_ParseTuple(wanted, "O!iO!:struct_of_arrays", &Program_Type, &program, &number, &PyTuple_Type, &names)) return -1;
    const Program *holder = (const Program *)program;
    if (!holder->filled || number < 0 || number >= holder->step_count)
        return raise_error(PyExc_ValueError, "struct_of_arrays: the program has no such field");
    reader->struct_of_arrays = &holder->steps[number];
    reader->names = names;
    return 0;
}

static int can_be_arrays(const Step *step, const Reader *reader) {
    const Program *program = (const Program *)step->target;
    return soa.type != NULL && step->kind == KIND_OF_RECORD && !step->coded && !step->coding_count && step->dimension == DIMENSION_COUNT &&
           !step->has_captures && program->filled && !program->is_choice && !program->is_codec && program->tag == NULL &&
           program->step_count > 0 && !program->places && program->step_count == PyTuple_GET_SIZE(reader->names);
}

PyObject *new_struct_of_arrays(const Step *step, const Reader *reader) {
    if (!can_be_arrays(step, reader)) return NULL;
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

int can_be_number_array(const Step *step, const Frame *frame) {
    const Program *program = frame->program;
    const Step *apart = frame->reader->struct_of_arrays;
    if (apart < program->steps || apart >= program->steps + program->step_count || !has_differences(step) || step->has_captures) return 0;
    return step->is_permuted;
}

/* Whether elements cannot ask for those before them. */
static int are_apart(const Step *step) {
    for (int i = 0; i < step->arguments.count; i++) {
        const Node *node = step->arguments.items[i];
        if (node->op != OP_CONSTANT && (node->op != OP_VARIABLE || node->number == step->variable)) return 0;
    }
    return 1;
}

/* Whether a field is a record that may be like one before: 1, 0 where it must be read, -1. */
static int is_like_another(const Step *field, Frame *frame) {
    const Program *program = (const Program *)field->target;
    return field->kind == KIND_OF_RECORD && field->is_direct && !field->coded && !field->has_captures && !field->checks.count &&
                   program->is_repeatable && !frame->reader->waits
               ? copy_prototype(frame->reader, program, frame->span, &frame->pos, &frame->variables[field->variable])
               : 0;
}

/* An element; its values go to their lists. */
static int read_element_apart(Step *step, Frame *outer, Frame *frame, PyObject *lists, Texts *column) {
    Value arguments[MAX_OPERANDS];
    const Program *program = frame->program;
    const int count = evaluate_all(&step->arguments, outer, arguments);
    int failed = count != program->param_count || set_params(program, arguments, frame, NULL) ||
                 (program->order != NULL && set_order(program, frame));
    if (!failed && outer->index == 0 && are_apart(step)) texts_begin(column, frame);
    for (int i = 0; i < program->step_count && !failed; i++) {
        Step *field = &program->steps[i];
        if (i == column->number) {
            failed = texts_read(column, field, frame);
            continue;
        }
        const int found = is_like_another(field, frame);
        failed = found ? found < 0 : read_field(field, frame, NULL);
    }
    failed = failed || (program->checks.count && checks_hold(&program->checks, frame));
    for (int i = 0; i < program->step_count && !failed; i++) {
        if (i != column->number) {
            Value *value = &frame->variables[program->steps[i].variable];
            PyObject *object = value_object(value);
            failed = object == NULL || list_push(PyTuple_GET_ITEM(lists, i), value->owned ? object : Py_NewRef(object));
            value->owned = 0;
        }
    }
    values_clear(frame->variables, program->variable_count);
    values_clear(arguments, count > 0 ? count : 0);
    return failed ? -1 : 0;
}

int read_struct_of_arrays(Step *step, Frame *outer, int64_t count, State *states) {
    Reader *reader = outer->reader;
    const Program *program = (const Program *)step->target;
    PyObject *lists = SLOT(outer->variables[step->variable].object, soa.lists);
    if ((count && reader->depth < program->nests) || (states == NULL && program->state_count)) return -1;
    Value variables[program->variable_count + 1];
    memset(variables, 0, sizeof variables);
    Frame frame = {
        .program = program,
        .reader = reader,
        .span = outer->span,
        .pos = outer->pos,
        .variables = variables,
        .states = states,
    };
    Texts *column = PyMem_Calloc(1, sizeof *column);
    const int shares = reader->shares;
    int failed = column == NULL;
    if (!failed) column->number = -1;
    reader->shares = 1;
    reader->bodies += count;
    reader->depth -= program->nests;
    for (outer->index = 0; outer->index < count && !failed; outer->index++) {
        failed = read_element_apart(step, outer, &frame, lists, column) ||
                 (frame.pos == outer->pos && took_nothing(reader, 8 + 8 * program->nests));
        outer->pos = frame.pos;
    }
    reader->depth += program->nests;
    reader->shares = shares;
    if (!failed && column->number >= 0) {
        PyObject *made = texts_end(column, &program->steps[column->number]), *list = PyTuple_GET_ITEM(lists, column->number);
        failed = made == NULL;
        if (!failed) {
            PyTuple_SET_ITEM(lists, column->number, made);
            Py_DECREF(list);
        }
    }
    if (column != NULL) {
        texts_clear(column);
        PyMem_Free(column);
    }
    return failed ? -1 : 0;
}

PyObject *field_of_arrays(PyObject *object, PyObject *name) {
    if (soa.type == NULL || !Py_IS_TYPE(object, soa.type)) return NULL;
    PyObject *names = SLOT(object, soa.names), *lists = SLOT(object, soa.lists);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++)
        if (PyUnicode_Compare(PyTuple_GET_ITEM(names, i), name) == 0) return PyTuple_GET_ITEM(lists, i);
    return NULL;
}
