/* Writes a program: begins a record or finds the alternative of a choice, and runs its steps.
 *
 * A writer notices that a value cannot be written, not why: the generated writer then runs again and raises the error.
 */
#include "layout.h"
#include "unread.h"

/* The object that this thread wrote last, if it was written whole and all in it kept their parameters; only compared. */
static _Thread_local const PyObject *kept;

/* The same, where everything that is derived in it kept its value, too. */
static _Thread_local const PyObject *settled;

static int is_plain_kept(PyObject *before, PyObject *value) {
    if (before == value) return 1;
    if (Py_TYPE(before) != Py_TYPE(value)) return 0;
    const int is_plain = PyLong_CheckExact(value) || PyBytes_CheckExact(value) || PyUnicode_CheckExact(value);
    return is_plain && PyObject_RichCompareBool(before, value, Py_EQ) == 1;
}

/* Whether a value is what it was before, which objects of Python need not say. */
int is_kept(PyObject *before, PyObject *value) {
    if (before == value || before == NULL) return 1;
    if (!PyList_CheckExact(before) || !PyList_CheckExact(value)) return is_plain_kept(before, value);
    const Py_ssize_t count = PyList_GET_SIZE(value);
    int same = count == PyList_GET_SIZE(before);
    for (Py_ssize_t i = 0; i < count && same; i++) same = is_plain_kept(PyList_GET_ITEM(before, i), PyList_GET_ITEM(value, i));
    return same;
}

static int take(const Program *program, const Frame *frame, PyObject *object, int number) {
    const Py_ssize_t slot = program->param_slots[number];
    PyObject *before = Py_XNewRef(SLOT(object, slot));
    const int failed = slot_set(object, slot, &frame->variables[number]);
    if (!failed) frame->reader->changes_parameters |= !is_kept(before, SLOT(object, slot));
    Py_XDECREF(before);
    return failed;
}

/* kept_parameters(object): whether it is what this thread wrote last, and all in it kept their parameters. */
PyObject *kept_parameters(PyObject *module, PyObject *object) {
    (void)module;
    return PyBool_FromLong(kept == object);
}

/* is_settled(object): the same, and all that is derived in it had its value before. */
PyObject *is_settled(PyObject *module, PyObject *object) {
    (void)module;
    return PyBool_FromLong(settled == object);
}

/* The parameters, and the fields that the caller gave. */
static int begin(const Program *program, Frame *frame, PyObject *object, const Value *arguments) {
    for (int i = 0; i < program->param_count; i++) {
        frame->variables[i] = value_borrowed(&arguments[i]);
        value_own(&frame->variables[i]);
        if (!program->is_codec && take(program, frame, object, i)) return -1;
    }
    if (program->is_codec) {
        frame->variables[program->value_variable] = value_of_object(Py_NewRef(object), 1);
        return 0;
    }
    for (int i = 0; i < program->step_count; i++) {
        const Step *step = &program->steps[i];
        if (!step->writing.is_derived && !take_carried(frame, step->variable)) {
            PyObject *item = SLOT(object, step->slot);
            if (item == NULL || may_lie(item)) return -1;
            frame->variables[step->variable] = value_of_object(Py_NewRef(item), 1);
        }
    }
    return 0;
}

static int begin_ordered(const Program *program, Frame *frame, PyObject *object, const Value *arguments) {
    return begin(program, frame, object, arguments) || (program->order != NULL && set_order(program, frame));
}

int write_body(const Program *program, Frame *frame, PyObject *object, const Value *arguments) {
    if (!program->has_parts)
        return begin_ordered(program, frame, object, arguments) || write_steps(program, frame, program->is_codec ? NULL : object);
    Part parts[program->step_count];
    memset(parts, 0, sizeof parts);
    frame->parts = parts;
    int failed = begin_ordered(program, frame, object, arguments) || write_steps(program, frame, program->is_codec ? NULL : object);
    for (int i = 0; i < program->step_count; i++) {
        output_release(&parts[i].raw);
        output_release(&parts[i].whole);
    }
    frame->parts = NULL;
    return failed;
}

/* The alternative that a value is, which must be the one that the tag selects; borrowed. */
static Program *alternative_of(Program *program, Reader *reader, Span *span, PyObject *object, const Value *arguments) {
    PyObject *found = PyDict_GetItemWithError(program->by_class, (PyObject *)Py_TYPE(object));
    if (found == NULL || (program->tag_is_known && choose_alternative(program, reader, span, 0, arguments) != (Program *)found))
        return NULL;
    return (Program *)found;
}

/* Whether the tag that a value remembers is the one that parameters, or the bytes of a span at a position, give. */
static int gives_tag(const Program *program, PyObject *object, const Value *arguments, Reader *reader, Span *span, int64_t pos) {
    Value variables[program->variable_count + 1], tag;
    memset(variables, 0, sizeof variables);
    Frame frame = {.program = program, .reader = reader, .span = span, .pos = pos, .variables = variables};
    for (int i = 0; i < program->param_count; i++) variables[i] = value_borrowed(&arguments[i]);
    int same = -1;
    PyObject *own = SLOT(object, program->tag_slot);
    if (own != NULL && !may_lie(own) && !evaluate(program->tag, &frame, &tag)) {
        Value wanted = value_of_object(own, 0);
        same = compared(OP_EQ, &tag, &wanted);
        value_clear(&tag);
    }
    values_clear(variables, program->variable_count);
    return same == 1;
}

/* Whether a value that remembers its tag has the one that the parameters give, or where they do not, one that selects it. */
static int has_tag(const Program *program, PyObject *object, const Value *arguments, Reader *reader, Span *span) {
    if (program->tag_is_known) return gives_tag(program, object, arguments, reader, span, 0);
    PyObject *tag = SLOT(object, program->tag_slot);
    return tag != NULL && !may_lie(tag) && PySet_Contains(program->tags, tag) == program->is_of_tags;
}

/* Whether a reader finds the alternative that was written from `start` on, and the tag that it remembers, where its first bytes decide
 * about that. */
static int is_selected(Program *choice, const Program *program, Reader *reader, const Output *out, PyObject *object, int64_t start,
                       const Value *arguments) {
    Span span = {.start = out->data, .begin = start, .end = out->size, .size = out->size};
    if (out->size - start < choice->peeked || choose_alternative(choice, reader, &span, start, arguments) != program) return 0;
    return program->tag == NULL || SLOT(object, program->tag_slot) == Py_None ||
           gives_tag(program, object, arguments, reader, &span, start);
}

static __attribute__((noinline)) int write_alone(Reader *reader, Program *program, Output *out, PyObject *object, const Value *arguments) {
    State states[program->state_count];
    states_begin(program, states);
    int failed = write_program(reader, program, out, object, arguments, program->param_count, states);
    states_end(program, states);
    return failed;
}

static __attribute__((noinline)) int write_defaulted(Reader *reader, Program *program, Output *out, PyObject *object,
                                                     const Value *arguments, int given, State *states) {
    Value all[MAX_OPERANDS];
    return add_defaults(program, arguments, given, all) ? -1
                                                        : write_program(reader, program, out, object, all, program->param_count, states);
}

/* Whether what was written are the values that a caller has set, by their names. */
static int agrees_with(PyObject *object, PyObject *edits) {
    PyObject *name, *value;
    Py_ssize_t place = 0;
    int agrees = PyDict_CheckExact(edits);
    while (agrees && PyDict_Next(edits, &place, &name, &value)) {
        PyObject *written = value == Py_None ? Py_NewRef(value) : PyObject_GetAttr(object, name);
        agrees = written != NULL && is_kept(value, written);
        Py_XDECREF(written);
    }
    return agrees;
}

/* What the fields hold that a caller has set, by their names. */
static PyObject *held_values(PyObject *object, PyObject *edits) {
    PyObject *held = PyDict_New(), *name, *edit;
    Py_ssize_t place = 0;
    while (held != NULL && PyDict_Next(edits, &place, &name, &edit)) {
        PyObject *value = edit == Py_None ? Py_NewRef(edit) : PyObject_GetAttr(object, name);
        if (value == NULL || PyDict_SetItem(held, name, value)) Py_CLEAR(held);
        Py_XDECREF(value);
    }
    return held;
}

/* Sets what was held again: the values of a caller stay until they are accepted. */
static void give_back(const Program *program, PyObject *object, PyObject *edits, PyObject *held) {
    PyObject *name, *value, *type, *error, *trace;
    Py_ssize_t place = 0;
    PyErr_Fetch(&type, &error, &trace);
    Py_INCREF(edits);
    while (PyDict_Next(held, &place, &name, &value)) {
        PyObject *found = value == Py_None ? NULL : PyObject_GetAttr(object, name);
        if (found != NULL && found != value) PyObject_SetAttr(object, name, value);
        Py_XDECREF(found);
    }
    Py_XSETREF(SLOT(object, program->edited_slot), edits);
    PyErr_Restore(type, error, trace);
}

/* Whether a caller has set or got a list, which stays the field's: Python writes that. */
static int has_list(PyObject *edits) {
    PyObject *value;
    Py_ssize_t place = 0;
    while (PyDict_Next(edits, &place, NULL, &value))
        if (PyList_Check(value)) return 1;
    return 0;
}

int write_program(Reader *reader, Program *program, Output *out, PyObject *object, const Value *arguments, int given, State *states) {
    if (UNLIKELY(given != program->param_count))
        return program->filled ? write_defaulted(reader, program, out, object, arguments, given, states) : -1;
    Span span = {.begin = out->size, .end = -1};
    Program *choice = program->filled && program->is_choice && program->peeked > 0 ? program : NULL;
    if (program->filled && program->is_choice) {
        program = alternative_of(program, reader, &span, object, arguments);
        if (program == NULL || program->is_choice || program->param_count != given) return -1;
        states = NULL;
    }
    if (!program->filled || !program->is_writable || (!program->is_codec && !Py_IS_TYPE(object, program->cls)) ||
        (program->nests && reader->depth <= 0)) {
        return -1;
    }
    if (program->is_lazy && is_unread(object) && read_waiting(object)) return -1;
    if (program->tag != NULL && !has_tag(program, object, arguments, reader, &span)) return -1;
    PyObject *edits = program->edited_slot ? SLOT(object, program->edited_slot) : NULL;
    /* Places change as long as it is laid out. */
    if (edits != NULL && (program->places || !PyDict_Check(edits) || has_list(edits))) return -1;
    if (states == NULL && program->state_count) return write_alone(reader, program, out, object, arguments);
    Value variables[program->variable_count + 1];
    values_unset(variables, program->variable_count);
    Frame frame = {
        .program = program,
        .reader = reader,
        .span = &span,
        .variables = variables,
        .states = states,
        .stored = program->is_codec || !program->stored_slot ? NULL : SLOT(object, program->stored_slot),
        .out = out,
        .own = out,
    };
    if (frame.stored != NULL && !PyDict_CheckExact(frame.stored)) return -1;
    PyObject *held = edits == NULL ? NULL : held_values(object, edits);
    if (edits != NULL && held == NULL) return -1;
    reader->depth -= program->nests;
    int failed = program->places && object != reader->root ? write_laid_out(program, &frame, object, arguments)
                                                             : write_body(program, &frame, object, arguments);
    reader->depth += program->nests;
    failed = failed || (choice != NULL && !is_selected(choice, program, reader, out, object, span.begin, arguments)) ||
             (edits != NULL && !agrees_with(object, edits));
    if (failed && held != NULL) give_back(program, object, edits, held);
    Py_XDECREF(held);
    for (int i = 0; i < program->variable_count; i++)
        if (variables[i].owned) Py_DECREF(variables[i].object);
    return failed ? -1 : 0;
}

/* Puts what stands elsewhere in the source on top of the bytes of the whole. */
static int put_pins(Reader *reader, const Program *program, Output *out, int gaps, int overlaps) {
    if (reader->pins.count == 0) return 0;
    Piece whole = {.bytes = *out};
    const Pieces alone = {.items = &whole, .count = 1};
    Output image = {0};
    const int64_t size = out->size;
    int failed = output_append(&image, out->data, size) ||
                 assemble(&image, reader->covered.count ? &reader->covered : &alone, &reader->pins, gaps, overlaps);
    /* Places that count from an end would count from another one. */
    if (failed || (image.size > size && program->from_end)) {
        output_release(&image);
        return -1;
    }
    output_release(out);
    *out = image;
    return 0;
}

static void release_written(Reader *reader) {
    pieces_release(&reader->pins);
    pieces_release(&reader->covered);
    release_original(reader);
}

/* write(object, codecs or None, base or None, depth, parameters, None for what follows each other alone or, of the whole, a sum: 1 for
 * gaps between bytes, 2 where they may overlap) */
PyObject *program_write(Program *program, PyObject *const *arguments, Py_ssize_t count) {
    if (count != 6 || !(PyDict_Check(arguments[1]) || arguments[1] == Py_None) || !PyTuple_Check(arguments[4]))
        return PyErr_Format(PyExc_TypeError, "write takes an object, a dict or None, a base, a depth, a tuple, a number or None");
    const int is_whole = arguments[5] != Py_None;
    const long allows = is_whole ? PyLong_AsLong(arguments[5]) : 0;
    Reader reader = {
        .depth = PyLong_AsLongLong(arguments[3]),
        .base = arguments[2] == Py_None ? NULL : arguments[2],
        .codecs = arguments[1] == Py_None ? NULL : arguments[1],
        .root = is_whole ? NULL : arguments[0],
        .outermost = is_whole ? arguments[0] : NULL,
        .takes_pins = is_whole,
    };
    const Py_ssize_t parameters = PyTuple_GET_SIZE(arguments[4]);
    const int64_t base = reader.base == NULL ? 0 : PyLong_AsLongLong(reader.base);
    if (PyErr_Occurred() || base > MOST_OFFSET) return made_or_none(NULL);
    Output out = {0};
    Value given[MAX_OPERANDS];
    PyObject *made = NULL;
    int lies = 0;
    for (Py_ssize_t i = 0; i < parameters; i++) lies |= may_lie(PyTuple_GET_ITEM(arguments[4], i));
    if (program->filled && !program->is_codec && parameters <= program->param_count && !lies) {
        for (Py_ssize_t i = 0; i < parameters; i++) given[i] = value_of_object(PyTuple_GET_ITEM(arguments[4], i), 0);
        if (!write_program(&reader, program, &out, arguments[0], given, (int)parameters, NULL) &&
            !put_pins(&reader, program, &out, allows & 1, allows >> 1 & 1))
            made = output_taken(&out);
    }
    output_release(&out);
    release_written(&reader);
    if (is_whole) {
        kept = made == NULL || reader.changes_parameters ? NULL : arguments[0];
        settled = reader.changes_derived ? NULL : kept;
    }
    return made_or_none(made);
}
