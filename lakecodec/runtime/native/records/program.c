/* Programs: made from the rows that Python lowers, and kept alive by the classes that they read. */
#include "struct_of_arrays.h"
#include "unread.h"
#include <structmember.h>

void *with_room(void *items, int64_t count, int64_t *room, size_t size) {
    if (count < *room) return items;
    const int64_t more = *room ? 2 * *room : 16;
    void *made = PyMem_Realloc(items, (size_t)more * size);
    if (made == NULL)
        no_memory();
    else
        *room = more;
    return made;
}

/* Memory of the program, zeroed. */
void *program_allocate(Program *program, size_t count, size_t size) {
    void **blocks = with_room(program->blocks, program->block_count, &program->block_room, sizeof(void *));
    if (blocks == NULL) return NULL;
    program->blocks = blocks;
    void *block = PyMem_Calloc(count ? count : 1, size);
    if (block == NULL) return (void *)PyErr_NoMemory();
    return program->blocks[program->block_count++] = block;
}

PyObject *program_keep(Program *program, PyObject *object) {
    int failed = object == NULL ? -1 : PyList_Append(program->kept, object);
    Py_XDECREF(object);
    return failed ? NULL : object;
}

Py_ssize_t slot_of(PyTypeObject *cls, PyObject *name) {
    PyObject *member = PyObject_GetAttr((PyObject *)cls, name);
    if (member == NULL) {
        PyErr_Clear();
        return 0;
    }
    PyObject *slot = slot_behind(member);
    const PyMemberDef *definition = slot == NULL ? NULL : ((PyMemberDescrObject *)slot)->d_member;
    const Py_ssize_t offset = definition != NULL && definition->type == T_OBJECT_EX ? definition->offset : 0;
    Py_DECREF(member);
    return offset < (Py_ssize_t)sizeof(PyObject) ? 0 : offset;
}

Py_ssize_t needed_slot(PyTypeObject *cls, PyObject *name) {
    Py_ssize_t offset = slot_of(cls, name);
    if (offset == 0) PyErr_Format(PyExc_TypeError, "rows: %s has no slot %U", cls->tp_name, name);
    return offset;
}

int find_slot(PyTypeObject *cls, const char *text, Py_ssize_t *slot) {
    PyObject *name = PyUnicode_FromString(text);
    *slot = name == NULL ? 0 : needed_slot(cls, name);
    Py_XDECREF(name);
    return *slot ? 0 : -1;
}

static PyObject *program_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
    PyObject *cls;
    (void)keywords;
    if (!PyArg_ParseTuple(arguments, "O!:Program", &PyType_Type, &cls)) return NULL;
    Program *program = (Program *)type->tp_alloc(type, 0);
    if (program == NULL) return NULL;
    program->kept = PyList_New(0);
    program->cls = (PyTypeObject *)(program->kept == NULL ? NULL : program_keep(program, Py_NewRef(cls)));
    if (program->cls == NULL) {
        Py_DECREF(program);
        return NULL;
    }
    return (PyObject *)program;
}

static int program_traverse(Program *program, visitproc visit, void *arg) {
    Py_VISIT(program->kept);
    for (Node *node = program->nodes; node != NULL; node = node->next) {
        for (int i = 0; node->known != NULL && i < KNOWN_TYPES; i++) {
            Py_VISIT(node->known[i].type);
            Py_VISIT(node->known[i].constant.object);
        }
    }
    return 0;
}

/* A program without what it refers to is not filled, and reads nothing. */
static int program_clear(Program *program) {
    program->filled = 0;
    for (Node *node = program->nodes; node != NULL; node = node->next) {
        for (int i = 0; node->known != NULL && i < KNOWN_TYPES; i++) {
            Py_CLEAR(node->known[i].type);
            value_clear(&node->known[i].constant);
        }
    }
    Py_CLEAR(program->kept);
    return 0;
}

static void program_dealloc(Program *program) {
    PyObject_GC_UnTrack(program);
    program_clear(program);
    for (int64_t i = 0; i < program->block_count; i++) PyMem_Free(program->blocks[i]);
    PyMem_Free(program->blocks);
    Py_TYPE(program)->tp_free((PyObject *)program);
}

int defaults_make(Program *program, PyObject *defaults) {
    if (program->param_count < 0 || program->param_count > MAX_OPERANDS || PyTuple_GET_SIZE(defaults) > program->param_count)
        return raise_error(PyExc_ValueError, "rows: too many parameters");
    program->defaults = program_keep(program, Py_NewRef(defaults));
    return program->defaults == NULL ? -1 : 0;
}

PyObject *made_or_none(PyObject *made) {
    if (made != NULL) return made;
    if (PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_Exception)) return NULL;
        PyErr_Clear();
    }
    Py_RETURN_NONE;
}

/* The object at a position, and the position after it; NULL where the bytes are wrong. */
static PyObject *read_one(Reader *reader, Program *program, Span *span, int64_t pos, const Value *given, int parameters) {
    const int64_t start = pos;
    Value found;
    if (pos < 0 || pos > span->end || read_program(reader, program, span, &pos, given, parameters, NULL, &found)) return NULL;
    PyObject *object = tell_counts(reader, pos) || keep_little(reader, start, pos) ? NULL : value_object(&found);
    PyObject *made = object == NULL ? NULL : Py_BuildValue("OL", object, (long long)pos);
    value_clear(&found);
    return made;
}

/* The objects that follow each other, the position after the last whole one, how many bytes the next one lacks at least, 0 where that is
 * not what is wrong with it, and what was read of it. Where one was begun before, it alone. */
static PyObject *read_run(Reader *reader, Program *program, Span *span, int64_t pos, const Value *given, int parameters) {
    const int64_t start = pos;
    int64_t missing = 0;
    int failed = pos < 0;
    PyObject *list = PyList_New(0);
    const int resumes = reader->pauses, walks = reader->resuming != NULL && reader->resuming->is_walk;
    if (walks && take_tape(reader, span)) failed = 1;
    span->missing = &missing;
    reader->pauses = PAUSES_READING;
    while (list != NULL && !failed && pos < span->end) {
        int64_t end = pos;
        Value found;
        reader->empty = reader->repeated = missing = 0;
        reader->first = pos;
        reader->begun = reader->bodies;
        if (read_program(reader, program, span, &end, given, parameters, NULL, &found)) break;
        PyObject *object = end == pos ? NULL : value_object(&found);
        failed = object == NULL || PyList_Append(list, object);
        value_clear(&found);
        pos = failed ? pos : end;
        missing = 0;
        if (resumes) break;
    }
    span->missing = NULL;
    /* Of the next call the bytes begin with the value: positions that a reader noted count from another beginning. */
    const int is_walk = reader->paused != NULL && reader->paused->is_walk;
    const int goes_on = missing > 0 && (pos == 0 || is_walk) && !(is_walk && keep_tape(reader));
    if (list == NULL || (!resumes && keep_little(reader, start, goes_on && !is_walk ? span->end : pos)) ||
        (walks && pos > 0 && keep_copy(reader->kept_source, 0, pos)) ||
        (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception))) {
        Py_XDECREF(list);
        return NULL;
    }
    PyErr_Clear();
    PyObject *paused = missing > 0 ? paused_object(goes_on ? reader->paused : NULL, span->end - pos) : Py_NewRef(Py_None);
    if (goes_on) reader->paused = NULL;
    if (paused == NULL) {
        Py_DECREF(list);
        return NULL;
    }
    return Py_BuildValue("NLLN", list, (long long)pos, (long long)missing, paused);
}

static PyObject *read_by(Program *program, PyObject *const *arguments, Py_ssize_t count,
                         PyObject *(*read)(Reader *, Program *, Span *, int64_t, const Value *, int)) {
    if (count < 10 || count > 10 + (read == read_run) || !PyTuple_Check(arguments[4])) {
        PyErr_SetString(PyExc_TypeError,
                        "read takes a buffer, a position, a base, a depth, a tuple of parameters, a field or None, a source or None, a bool, "
                        "a span, and where that begins; read_run also what it returned of the value before");
        return NULL;
    }
    int64_t pos = PyLong_AsLongLong(arguments[1]);
    Reader reader = {
        .depth = PyLong_AsLongLong(arguments[3]),
        .base = arguments[2],
        .borrows = arguments[7] == Py_True,
        .whole = arguments[8],
    };
    PyObject *source = arguments[6] == Py_None ? NULL : arguments[6];
    reader.pauses = count == 11;
    if (PyErr_Occurred() || parse_struct_of_arrays(&reader, arguments[5])) return NULL;
    const Py_ssize_t parameters = PyTuple_GET_SIZE(arguments[4]);
    if (!program->filled || program->is_codec || parameters > program->param_count) Py_RETURN_NONE;
    Span span;
    Py_buffer view;
    Value given[MAX_OPERANDS];
    for (Py_ssize_t i = 0; i < parameters; i++) given[i] = value_of_object(PyTuple_GET_ITEM(arguments[4], i), 0);
    if (span_over(&span, &view, arguments[0])) return NULL;
    span.begin = PyLong_AsLongLong(arguments[9]);
    reader.begun = -1;
    if (reader.pauses && paused_take(arguments[10], &reader)) {
        PyBuffer_Release(&view);
        return NULL;
    }
    reader.source = Py_XNewRef(source);
    reader.waits = (PyBytes_CheckExact(arguments[0]) || reader.pauses) && span.size <= MOST_WAITING_BYTES &&
                   reader.struct_of_arrays == NULL && !reader.borrows;
    /* Nothing that is read can be part of a cycle of garbage yet. */
    const int collects = PyGC_Disable();
    PyObject *made = read(&reader, program, &span, pos, given, (int)parameters);
    release_prototypes(&reader);
    release_numbers(&reader);
    release_kept(&reader);
    drop_paused(reader.paused);
    drop_paused(reader.resuming);
    Py_XDECREF(reader.source);
    if (collects) PyGC_Enable();
    PyBuffer_Release(&view);
    return made_or_none(made);
}

static PyObject *program_read(Program *program, PyObject *const *arguments, Py_ssize_t count) {
    return read_by(program, arguments, count, read_one);
}

static PyObject *program_read_run(Program *program, PyObject *const *arguments, Py_ssize_t count) {
    return read_by(program, arguments, count, read_run);
}

static PyMethodDef program_methods[] = {
    {"fill_body", program_fill_body, METH_VARARGS, "Makes it read a record or the fields of a codec."},
    {"fill_writer", program_fill_writer, METH_VARARGS, "Makes it write as well what it reads."},
    {"fill_places", program_fill_places, METH_VARARGS, "Makes it write the fields that have places as well."},
    {"write", (PyCFunction)(void (*)(void))program_write, METH_FASTCALL,
     "The bytes of an object; None where the generated writer must look."},
    {"prepare", program_prepare, METH_VARARGS, "Takes what is known of its fields before they are read."},
    {"finish", program_finish, METH_O, "Ends the making of it; tells whether instances may wait."},
    {"fill_choice", program_fill_choice, METH_VARARGS, "Makes it read a variant."},
    {"read", (PyCFunction)(void (*)(void))program_read, METH_FASTCALL,
     "The value at a position of a buffer and the position after it; None where the generated reader must look."},
    {"read_run", (PyCFunction)(void (*)(void))program_read_run, METH_FASTCALL,
     "The values that follow each other from a position of a buffer, the position after the last whole one, how many bytes the next "
     "one lacks at least, 0 where something else is wrong, and what was read of it; None where the generated reader must look. With what "
     "was read of a value before, that value alone."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef program_members[] = {
    {"facts", T_OBJECT, offsetof(Program, facts), READONLY, "What is known of the class, None before `prepare`."},
    {"is_writable", T_INT, offsetof(Program, is_writable), READONLY, "Whether it writes as well."},
    {"has_places", T_INT, offsetof(Program, has_places), READONLY, "Whether it writes what is placed."},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject Program_Type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "lakecodec.runtime.native._record.Program",
    .tp_basicsize = sizeof(Program),
    .tp_dealloc = (destructor)program_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "How the values of one class are read.",
    .tp_traverse = (traverseproc)program_traverse,
    .tp_clear = (inquiry)program_clear,
    .tp_methods = program_methods,
    .tp_members = program_members,
    .tp_new = program_new,
};
