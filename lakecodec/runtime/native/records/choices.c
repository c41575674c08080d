/* Variants: their alternatives, and which of them a tag selects. */
#include "record.h"

static int is_program(PyObject *object) {
    if (!Py_IS_TYPE(object, &Program_Type)) {
        PyErr_Format(PyExc_TypeError, "rows: a program is needed, not %s", Py_TYPE(object)->tp_name);
        return 0;
    }
    return 1;
}

static int chain_make(Program *program, PyObject *rows) {
    program->chain_count = (int)PyTuple_GET_SIZE(rows);
    program->chain = program_allocate(program, (size_t)program->chain_count, sizeof(Alternative));
    if (program->chain == NULL) return -1;
    for (int i = 0; i < program->chain_count; i++) {
        PyObject *tag, *chosen;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(rows, i), "OO", &tag, &chosen) || !is_program(chosen)) return -1;
        program->chain[i].program = (Program *)program_keep(program, Py_NewRef(chosen));
        if (program->chain[i].program == NULL || node_make(program, tag, &program->chain[i].tag)) return -1;
    }
    return 0;
}

/* The alternatives by tags that are small numbers, where a parameter is the tag. */
static int by_number_make(Program *program) {
    if (program->tag->op != OP_VARIABLE || program->tag->number >= program->param_count || program->chain_count) return 0;
    program->tag_param = (int)program->tag->number;
    program->by_number = program_allocate(program, SMALL_TAGS, sizeof(Program *));
    PyObject *key, *value;
    Py_ssize_t place = 0;
    while (program->by_number != NULL && PyDict_Next(program->table, &place, &key, &value)) {
        const Value tag = value_of_object(key, 0);
        if (tag.is_number && tag.number >= 0 && tag.number < SMALL_TAGS) program->by_number[tag.number] = (Program *)value;
    }
    return program->by_number == NULL ? -1 : 0;
}

/* Alternatives by the classes of their values. */
static int by_class_make(Program *program) {
    PyObject *value;
    Py_ssize_t place = 0;
    program->by_class = program_keep(program, PyDict_New());
    int failed = program->by_class == NULL ? -1 : 0;
    while (!failed && program->table != NULL && PyDict_Next(program->table, &place, NULL, &value))
        failed = PyDict_SetItem(program->by_class, (PyObject *)((Program *)value)->cls, value);
    for (int i = 0; i < program->chain_count && !failed; i++) {
        Program *found = program->chain[i].program;
        failed = PyDict_SetItem(program->by_class, (PyObject *)found->cls, (PyObject *)found);
    }
    if (!failed && program->otherwise != NULL)
        failed = PyDict_SetItem(program->by_class, (PyObject *)program->otherwise->cls, (PyObject *)program->otherwise);
    return failed;
}

/* fill_choice(params, defaults, variables, tag, table or None, chain, otherwise or None, of how many bytes
 * the tag is decided, or -1 where it depends on more of the span) */
PyObject *program_fill_choice(PyObject *self, PyObject *arguments) {
    Program *program = (Program *)self;
    PyObject *defaults, *tag, *table, *chain, *otherwise;
    if (!PyArg_ParseTuple(arguments, "iO!iOOO!Oi", &program->param_count, &PyTuple_Type, &defaults, &program->variable_count, &tag, &table,
                          &PyTuple_Type, &chain, &otherwise, &program->peeked)) {
        return NULL;
    }
    if (defaults_make(program, defaults) || node_make(program, tag, &program->tag) || chain_make(program, chain)) return NULL;
    if (table != Py_None) {
        PyObject *key, *value;
        Py_ssize_t place = 0;
        if (!PyDict_Check(table)) return PyErr_Format(PyExc_TypeError, "rows: alternatives must be a dict");
        while (PyDict_Next(table, &place, &key, &value))
            if (!is_program(value)) return NULL;
        program->table = program_keep(program, PyDict_Copy(table));
        if (program->table == NULL || by_number_make(program)) return NULL;
    }
    if (otherwise != Py_None) {
        if (!is_program(otherwise)) return NULL;
        program->otherwise = (Program *)program_keep(program, Py_NewRef(otherwise));
        if (program->otherwise == NULL) return NULL;
    }
    if (by_class_make(program)) return NULL;
    program->tag_is_known = program->peeked == 0;
    program->is_choice = program->is_writable = 1;
    Py_RETURN_NONE;
}

/* The alternative that a tag selects, borrowed. */
static Program *choose_by(const Program *program, Frame *frame) {
    Value tag;
    Program *found = program->otherwise;
    if (evaluate(program->tag, frame, &tag)) return NULL;
    if (program->table != NULL) {
        PyObject *key = value_object(&tag);
        PyObject *known = key == NULL ? NULL : PyDict_GetItemWithError(program->table, key);
        found = known != NULL ? (Program *)known : PyErr_Occurred() ? NULL : found;
    }
    for (int i = 0; i < program->chain_count; i++) {
        Value wanted;
        int same = -1;
        if (!evaluate(program->chain[i].tag, frame, &wanted)) {
            same = compared(OP_EQ, &tag, &wanted);
            value_clear(&wanted);
        }
        if (same) {
            found = same < 0 ? NULL : program->chain[i].program;
            break;
        }
    }
    value_clear(&tag);
    return found;
}

static Program *choose_by_arguments(Program *program, Reader *reader, Span *span, int64_t pos, const Value *arguments) {
    Value variables[program->variable_count + 1];
    Frame frame = {.program = program, .reader = reader, .span = span, .pos = pos, .variables = variables};
    memset(variables, 0, sizeof variables);
    for (int i = 0; i < program->param_count; i++) variables[i] = value_borrowed(&arguments[i]);
    Program *found = choose_by(program, &frame);
    for (int i = 0; i < program->variable_count; i++) value_clear(&variables[i]);
    return found;
}

Program *choose_alternative(Program *program, Reader *reader, Span *span, int64_t pos, const Value *arguments) {
    if (program->by_number != NULL) {
        const Value *tag = &arguments[program->tag_param];
        if (tag->is_number && tag->number >= 0 && tag->number < SMALL_TAGS) {
            Program *found = program->by_number[tag->number];
            return found != NULL ? found : program->otherwise;
        }
    }
    return choose_by_arguments(program, reader, span, pos, arguments);
}
