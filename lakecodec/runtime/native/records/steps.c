/* The fields of programs, from the rows that Python lowers. */
#include "unread.h"

static int codings_make(Program *program, Step *step, PyObject *rows) {
    step->coding_count = (int)PyTuple_GET_SIZE(rows);
    step->codings = program_allocate(program, (size_t)step->coding_count, sizeof(Coding));
    for (int i = 0; i < step->coding_count && step->codings != NULL; i++) {
        Coding *coding = &step->codings[i];
        PyObject *declared, *arguments;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(rows, i), "iOO", &coding->state, &declared, &arguments)) return -1;
        coding->declared = program_keep(program, Py_NewRef(declared));
        if (coding->declared == NULL || nodes_make(program, arguments, &coding->arguments)) return -1;
        if (coding->state >= program->state_count || coding->arguments.count > MAX_OPERANDS)
            return raise_error(PyExc_ValueError, "rows: a codec has no such state");
    }
    return step->codings == NULL ? -1 : 0;
}

static int captures_make(const Program *program, Step *step, PyObject *captures) {
    int *places = step->captures;
    if (!PyArg_ParseTuple(captures, "iiiiii", &places[0], &places[1], &places[2], &places[3], &places[4], &places[5])) return -1;
    for (int i = 0; i < CAPTURE_COUNT; i++) {
        if (step->captures[i] >= program->variable_count) return raise_error(PyExc_ValueError, "rows: a capture has no variable");
        step->has_captures |= step->captures[i] >= 0;
    }
    return 0;
}

int step_make(Program *program, Step *step, PyObject *row, PyObject *attribute) {
    PyObject *target, *arguments, *count, *length, *terminator, *width, *present, *size, *codings, *initial, *members;
    PyObject *captures, *checks;
    long long smallest;
    if (!PyArg_ParseTuple(row, "iiipOOiOLOOOOOO!iOpOO!Op", &step->kind, &step->variable, &step->big, &step->coded, &target, &arguments,
                          &step->dimension, &count, &smallest, &length, &terminator, &width, &present, &size, &PyTuple_Type, &codings,
                          &step->state, &initial, &step->siblings, &members, &PyTuple_Type, &captures, &checks, &step->keeps)) {
        return -1;
    }
    step->smallest = smallest;
    if (step->kind < 0 || step->kind >= KIND_OF_ALL || step->variable < 0 || step->variable >= program->variable_count ||
        step->state >= program->state_count)
        return raise_error(PyExc_ValueError, "rows: not a field");
    if (step->kind == KIND_OF_PART && (!PyTuple_Check(arguments) || PyTuple_GET_SIZE(arguments) != 1))
        return raise_error(PyExc_ValueError, "rows: a part is one expression");
    if ((step->coded || step->kind == KIND_OF_RECORD) && !Py_IS_TYPE(target, &Program_Type))
        return raise_error(PyExc_TypeError, "rows: a program is needed");
    if (attribute != NULL && (step->slot = needed_slot(program->cls, attribute)) == 0) return -1;
    step->target = program_keep(program, Py_NewRef(target));
    step->initial = program_keep(program, Py_NewRef(initial));
    step->shapes = program_keep(program, PyDict_New());
    step->members = members == Py_None ? NULL : program_keep(program, Py_NewRef(members));
    if (terminator != Py_None) {
        if (!PyBytes_Check(terminator) || PyBytes_GET_SIZE(terminator) == 0)
            return raise_error(PyExc_TypeError, "rows: a terminator is bytes");
        step->terminator = program_keep(program, Py_NewRef(terminator));
    }
    if (step->target == NULL || step->initial == NULL || step->shapes == NULL || PyErr_Occurred()) return -1;
    if (captures_make(program, step, captures)) return -1;
    return nodes_make(program, arguments, &step->arguments) || step->arguments.count > MAX_OPERANDS ||
                   node_make(program, count, &step->count) || node_make(program, length, &step->length) ||
                   node_make(program, width, &step->width) || node_make(program, present, &step->present) ||
                   node_make(program, size, &step->size) || codings_make(program, step, codings) ||
                   nodes_make(program, checks, &step->checks)
               ? -1
               : 0;
}

static int states_make(Program *program, PyObject *states) {
    program->state_count = (int)PyTuple_GET_SIZE(states);
    program->states = program_allocate(program, (size_t)program->state_count, sizeof(PyObject *));
    for (int i = 0; i < program->state_count && program->states != NULL; i++) {
        PyObject *first = PyTuple_GET_ITEM(states, i);
        if (first != Py_None) {
            program->states[i] = program_keep(program, Py_NewRef(first));
            if (program->states[i] == NULL) return -1;
        }
    }
    return program->states == NULL ? -1 : 0;
}

static int params_make(Program *program, PyObject *attributes) {
    program->param_slots = program_allocate(program, (size_t)program->param_count, sizeof(Py_ssize_t));
    for (int i = 0; i < program->param_count && program->param_slots != NULL && attributes != Py_None; i++) {
        program->param_slots[i] = needed_slot(program->cls, PyTuple_GET_ITEM(attributes, i));
        if (program->param_slots[i] == 0) return -1;
    }
    return program->param_slots == NULL ? -1 : 0;
}

/* The slot of that name, or 0. */
static int find_known(const Program *program, const char *text, Py_ssize_t *slot) {
    PyObject *name = PyUnicode_FromString(text);
    if (name == NULL) return -1;
    *slot = slot_of(program->cls, name);
    Py_DECREF(name);
    return 0;
}

/* fill_body(attributes of parameters, fields and tag, or None, params, defaults, variables, steps, checks, states,
 * tag or None, value or None, nests, order or None, places, shape) */
PyObject *program_fill_body(PyObject *self, PyObject *arguments) {
    Program *program = (Program *)self;
    PyObject *attributes, *defaults, *steps, *checks, *states, *tag, *value, *order;
    int shape;
    if (!PyArg_ParseTuple(arguments, "OiO!iO!OO!OOpOii", &attributes, &program->param_count, &PyTuple_Type, &defaults,
                          &program->variable_count, &PyTuple_Type, &steps, &checks, &PyTuple_Type, &states, &tag, &value, &program->nests,
                          &order, &program->places, &shape)) {
        return NULL;
    }
    program->is_codec = attributes == Py_None;
    program->step_count = (int)PyTuple_GET_SIZE(steps);
    const Py_ssize_t named = program->param_count + program->step_count + (tag != Py_None);
    if (defaults_make(program, defaults)) return NULL;
    if (program->is_codec != (value != Py_None) ||
        (!program->is_codec && (!PyTuple_Check(attributes) || PyTuple_GET_SIZE(attributes) != named)))
        return PyErr_Format(PyExc_ValueError, "rows: not a body");
    program->steps = program_allocate(program, (size_t)program->step_count, sizeof(Step));
    if (program->steps == NULL || params_make(program, attributes) || states_make(program, states) ||
        node_make(program, tag, &program->tag) || node_make(program, value, &program->value) ||
        node_make(program, order, &program->order) || nodes_make(program, checks, &program->checks)) {
        return NULL;
    }
    for (int i = 0; i < program->step_count; i++) {
        PyObject *attribute = program->is_codec ? NULL : PyTuple_GET_ITEM(attributes, program->param_count + i);
        if (step_make(program, &program->steps[i], PyTuple_GET_ITEM(steps, i), attribute)) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "rows: too many arguments");
            return NULL;
        }
    }
    if (program->tag != NULL) {
        program->tag_slot = needed_slot(program->cls, PyTuple_GET_ITEM(attributes, named - 1));
        if (program->tag_slot == 0) return NULL;
    }
    if (!program->is_codec && (find_known(program, "_stored", &program->stored_slot) || find_known(program, "_edited", &program->edited_slot)))
        return NULL;
    program->is_bare = !program->is_codec && !program->places && !program->step_count && !program->state_count && program->tag == NULL &&
                       !program->checks.count;
    if (!program->is_codec) find_slots(program);
    program->reader_nodes = program->nodes;
    if (set_shape(program, shape)) return NULL;
    Py_RETURN_NONE;
}
