/* What a program needs to write, from the rows that Python lowers. */
#include "record.h"

/* Whether an expression has an operation. */
static int uses(const Node *node, int op) {
    if (node == NULL) return 0;
    int found = node->op == op;
    for (int i = 0; i < node->count && !found; i++) found = uses(node->operands[i], op);
    return found;
}

static int any_uses(const Nodes *nodes, int op) {
    int found = 0;
    for (int i = 0; i < nodes->count; i++) found |= uses(nodes->items[i], op);
    return found;
}

/* Whether the clauses with which a field is written depend on the size of the record. */
static int uses_end(const Step *step) {
    int found = any_uses(&step->arguments, OP_END) || any_uses(&step->checks, OP_END);
    const Node *clauses[] = {step->count, step->length, step->width, step->writing.present, step->size};
    for (size_t i = 0; i < sizeof clauses / sizeof *clauses; i++) found |= uses(clauses[i], OP_END);
    for (int i = 0; i < step->coding_count; i++) found |= any_uses(&step->codings[i].arguments, OP_END);
    return found;
}

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
    writing->is_laid_out = uses(writing->derived, OP_ALL_BUT);
    program->has_laid_out |= writing->is_laid_out;
    program->uses_end |= uses(writing->derived, OP_END) || uses_end(step);
    if (!failed && ((writing->is_derived && writing->derived == NULL) ||
                    (step->kind == KIND_OF_BITS && (step->width == NULL || step->dimension != DIMENSION_NONE)) ||
                    (writing->by_index && (writing->length == NULL && writing->count == NULL))))
        return raise_error(PyExc_ValueError, "rows: not a field to write");
    return failed;
}

/* fill_writer(fields, (kind, field, check or None)..., whether places of fields are needed, variable of a codec's value
 * or -1, whether the tag is known, tags, whether they are those of this alternative and not of the others) */
PyObject *program_fill_writer(PyObject *self, PyObject *arguments) {
    Program *program = (Program *)self;
    PyObject *fields, *steps, *tags;
    if (!PyArg_ParseTuple(arguments, "O!O!pipO!p", &PyTuple_Type, &fields, &PyTuple_Type, &steps, &program->has_parts,
                          &program->value_variable, &program->tag_is_known, &PyFrozenSet_Type, &tags, &program->is_of_tags) ||
        (program->tags = program_keep(program, Py_NewRef(tags))) == NULL) {
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

static int settings_make(Program *program, Place *place, PyObject *rows) {
    place->setting_count = (int)PyTuple_GET_SIZE(rows);
    place->settings = program_allocate(program, (size_t)place->setting_count, sizeof(Setting));
    for (int i = 0; i < place->setting_count && place->settings != NULL; i++) {
        Setting *setting = &place->settings[i];
        PyObject *value;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(rows, i), "OO!O", &setting->list, &PyTuple_Type, &setting->path, &value) ||
            program_keep(program, Py_NewRef(setting->list)) == NULL || program_keep(program, Py_NewRef(setting->path)) == NULL ||
            node_make(program, value, &setting->value)) {
            return -1;
        }
        if (!PyTuple_Check(setting->list)) setting->list = NULL;
        if (setting->value == NULL) return raise_error(PyExc_ValueError, "rows: not a setting");
        setting->is_laid_out = uses(setting->value, OP_ALL_BUT);
        program->has_laid_out |= setting->is_laid_out;
        program->uses_end |= uses(setting->value, OP_END);
    }
    return place->settings == NULL ? -1 : 0;
}

static int place_make(Program *program, Place *place, PyObject *row) {
    PyObject *step, *writing, *at, *align, *settings;
    int form;
    if (!PyArg_ParseTuple(row, "UOOiOOpO!", &place->name, &step, &writing, &form, &at, &align, &place->is_far, &PyTuple_Type, &settings))
        return -1;
    place->name = program_keep(program, Py_NewRef(place->name));
    if (place->name == NULL || step_make(program, place->step, step, NULL) || writing_make(program, place->step, writing) ||
        node_make(program, at, &place->at) || node_make(program, align, &place->align) || settings_make(program, place, settings)) {
        return -1;
    }
    set_form(place->step, form);
    if (place->at == NULL || (place->step->dimension == DIMENSION_INDEX && place->step->count == NULL))
        return raise_error(PyExc_ValueError, "rows: not a place");
    program->from_end |= uses(place->at, OP_END) || uses(place->step->size, OP_END) || any_uses(&place->step->checks, OP_END);
    /* Fields behind each other are written before their places are compared. */
    program->uses_end |= (uses(place->at, OP_END) && (program->gaps || place->is_far)) || uses(place->align, OP_END);
    program->has_near |= !place->is_far;
    return 0;
}

static int pointer_make(Program *program, Pointer *pointer, PyObject *row) {
    int target;
    Setting *held = &pointer->held;
    if (!PyArg_ParseTuple(row, "UiiOO!", &pointer->name, &pointer->variable, &target, &held->list, &PyTuple_Type, &held->path) ||
        program_keep(program, Py_NewRef(pointer->name)) == NULL || program_keep(program, Py_NewRef(held->list)) == NULL ||
        program_keep(program, Py_NewRef(held->path)) == NULL)
        return -1;
    if (!PyTuple_Check(held->list)) held->list = NULL;
    if (target < 0 || target >= program->placed_count || pointer->variable < 0 || pointer->variable >= program->variable_count)
        return raise_error(PyExc_ValueError, "rows: not what holds an offset");
    pointer->target = &program->placed[target];
    return 0;
}

/* Room for further steps behind those of the fields that follow each other. */
static int more_steps(Program *program, int count) {
    Step *steps = program_allocate(program, (size_t)(program->step_count + count), sizeof(Step));
    if (steps == NULL) return -1;
    if (program->step_count) memcpy(steps, program->steps, (size_t)program->step_count * sizeof(Step));
    program->steps = steps;
    return 0;
}

static void find_end_checks(Program *program, const Nodes *checks) {
    for (int i = 0; i < checks->count; i++) {
        Node *check = checks->items[i];
        if (!uses(check, OP_END) || uses(check, OP_POS)) continue;
        if (program->end_checks.items != NULL) program->end_checks.items[program->end_checks.count] = check;
        program->end_checks.count++;
    }
}

static int end_checks_make(Program *program) {
    for (int twice = 0; twice < 2; twice++) {
        program->end_checks.count = 0;
        find_end_checks(program, &program->checks);
        for (int i = 0; i < program->step_count; i++) find_end_checks(program, &program->steps[i].checks);
        if (twice == 0) program->end_checks.items = program_allocate(program, (size_t)program->end_checks.count, sizeof(Node *));
        if (program->end_checks.items == NULL) return -1;
    }
    program->from_end |= program->end_checks.count > 0;
    return 0;
}

/* fill_places((name, field, field of a writer, form, offset, alignment or None, whether it counts from the start of the source, (path to
 * a list or None, path, value)...)..., what holds offsets as (name, variable, number of the place, path to
 * a list or None, path)..., whether the record leaves gaps, whether places overlap, whether fields are written with values that are
 * set in others) */
PyObject *program_fill_places(PyObject *self, PyObject *arguments) {
    Program *program = (Program *)self;
    PyObject *rows, *pointers;
    if (!PyArg_ParseTuple(arguments, "O!O!ppp", &PyTuple_Type, &rows, &PyTuple_Type, &pointers, &program->gaps, &program->overlaps, &program->uses_set)) return NULL;
    if (!program->places) return PyErr_Format(PyExc_TypeError, "rows: not the places of the program");
    const int count = (int)PyTuple_GET_SIZE(rows);
    program->placed = program_allocate(program, (size_t)count, sizeof(Place));
    if (program->placed == NULL || more_steps(program, count)) return NULL;
    for (int i = 0; i < count; i++) {
        program->placed[i].step = &program->steps[program->step_count + i];
        if (place_make(program, &program->placed[i], PyTuple_GET_ITEM(rows, i))) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "rows: too many arguments");
            return NULL;
        }
    }
    if (end_checks_make(program)) return NULL;
    program->placed_count = count;
    program->pointer_count = (int)PyTuple_GET_SIZE(pointers);
    program->pointers = program_allocate(program, (size_t)program->pointer_count, sizeof(Pointer));
    for (int i = 0; i < program->pointer_count; i++)
        if (program->pointers == NULL || pointer_make(program, &program->pointers[i], PyTuple_GET_ITEM(pointers, i))) return NULL;
    program->has_places = 1;
    Py_RETURN_NONE;
}
