/* What a program needs to write, from the rows that Python lowers. */
#include "record.h"

static int writing_make(Program *program, Step *step, PyObject *row) {
    PyObject *derived;
    Writing *writing = &step->writing;
    int *measures = writing->measures, count, length, size;
    if (!PyArg_ParseTuple(row, "Opppppp(iiii)p", &derived, &writing->by_index, &writing->by_value, &count, &length, &size,
                          &writing->is_inside, &measures[0], &measures[1], &measures[2], &measures[3], &writing->is_derived)) {
        return -1;
    }
    writing->count = count ? step->count : NULL;
    writing->length = length ? step->length : NULL;
    writing->present = writing->by_value ? NULL : step->present;
    writing->size = size ? step->size : NULL;
    for (int i = 0; i < MEASURE_COUNT; i++)
        if (measures[i] >= program->variable_count) return raise_error(PyExc_ValueError, "rows: a measure has no variable");
    const int failed = node_make(program, derived, &writing->derived);
    if (!failed && ((writing->is_derived && writing->derived == NULL) ||
                    (step->kind == KIND_OF_BITS && (step->width == NULL || step->dimension != DIMENSION_NONE)) ||
                    (writing->by_index && (writing->length == NULL && writing->count == NULL))))
        return raise_error(PyExc_ValueError, "rows: not a field to write");
    return failed;
}

/* fill_writer(fields, (kind, field, check or None)..., whether places of fields are needed, variable of a codec's value
 * or -1, whether the tag is known, the tags that another alternative has) */
PyObject *program_fill_writer(PyObject *self, PyObject *arguments) {
    Program *program = (Program *)self;
    PyObject *fields, *steps, *refused;
    if (!PyArg_ParseTuple(arguments, "O!O!pipO!", &PyTuple_Type, &fields, &PyTuple_Type, &steps, &program->has_parts,
                          &program->value_variable, &program->tag_is_known, &PyFrozenSet_Type, &refused) ||
        (program->refused = program_keep(program, Py_NewRef(refused))) == NULL) {
        return NULL;
    }
    if (program->is_choice || PyTuple_GET_SIZE(fields) != program->step_count || program->is_codec != (program->value_variable >= 0) ||
        program->value_variable >= program->variable_count)
        return PyErr_Format(PyExc_ValueError, "rows: not the fields of the program");
    for (int i = 0; i < program->step_count; i++)
        if (writing_make(program, &program->steps[i], PyTuple_GET_ITEM(fields, i))) return NULL;
    const Py_ssize_t count = PyTuple_GET_SIZE(steps);
    program->writes = program_allocate(program, (size_t)count, sizeof(WriteStep));
    for (Py_ssize_t i = 0; i < count && program->writes != NULL; i++) {
        WriteStep *write = &program->writes[i];
        PyObject *check;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(steps, i), "iiO", &write->kind, &write->field, &check) ||
            node_make(program, check, &write->check)) {
            return NULL;
        }
        if (write->kind < WRITE_DERIVE || write->kind > WRITE_CHECK || write->field < 0 ||
            write->field >= program->step_count + (write->kind == WRITE_CHECK) ||
            (write->kind == WRITE_DERIVE && program->steps[write->field].writing.derived == NULL) ||
            (write->kind == WRITE_CHECK && write->check == NULL)) {
            PyErr_SetString(PyExc_ValueError, "rows: not a step of a writer");
            return NULL;
        }
        program->has_parts |= write->kind == WRITE_RAW || write->kind == WRITE_ASIDE;
    }
    if (program->writes == NULL) return NULL;
    program->write_count = (int)count;
    program->is_writable = 1;
    Py_RETURN_NONE;
}

static int place_make(Program *program, Place *place, PyObject *row) {
    PyObject *target, *arguments, *at, *present;
    if (!PyArg_ParseTuple(row, "UO!O!OO", &place->name, &Program_Type, &target, &PyTuple_Type, &arguments, &at, &present)) return -1;
    place->name = program_keep(program, Py_NewRef(place->name));
    place->target = (Program *)program_keep(program, Py_NewRef(target));
    if (place->name == NULL || place->target == NULL || nodes_make(program, arguments, &place->arguments) ||
        node_make(program, at, &place->at) || node_make(program, present, &place->present)) {
        return -1;
    }
    if (place->at != NULL && place->arguments.count <= MAX_OPERANDS) return 0;
    PyErr_SetString(PyExc_ValueError, "rows: not a place");
    return -1;
}

/* fill_places((name, program, arguments, offset, condition or None)...) */
PyObject *program_fill_places(PyObject *self, PyObject *rows) {
    Program *program = (Program *)self;
    if (!PyTuple_Check(rows) || !program->places) return PyErr_Format(PyExc_TypeError, "rows: not the places of the program");
    const Py_ssize_t count = PyTuple_GET_SIZE(rows);
    program->placed = program_allocate(program, (size_t)count, sizeof(Place));
    if (program->placed == NULL) return NULL;
    for (Py_ssize_t i = 0; i < count; i++)
        if (place_make(program, &program->placed[i], PyTuple_GET_ITEM(rows, i))) return NULL;
    program->placed_count = (int)count;
    program->has_places = 1;
    Py_RETURN_NONE;
}
