/* Texts of a struct of arrays, each of which shares a beginning with the one before: what stands in the file is collected, a
 * codec decodes it many texts at a time, and no object is made for a text.
 */
#include "struct_of_arrays.h"

/* The class, and the offsets of its slots. */
static struct {
    PyTypeObject *type;
    Py_ssize_t data, ends, made, ascends;
} texts;

int use_texts(PyObject *type) {
    if (!PyType_Check(type) || find_slot((PyTypeObject *)type, "data", &texts.data) ||
        find_slot((PyTypeObject *)type, "ends", &texts.ends) || find_slot((PyTypeObject *)type, "_made", &texts.made) ||
        find_slot((PyTypeObject *)type, "_ascends", &texts.ascends)) {
        return -1;
    }
    Py_XSETREF(texts.type, (PyTypeObject *)Py_NewRef(type));
    return 0;
}

/* ---- which fields ---- */

/* Whether a codec is the same for all elements. */
static int is_of_parameters(const Coding *coding, const Program *program) {
    for (int i = 0; i < coding->arguments.count; i++) {
        const Node *node = coding->arguments.items[i];
        if (node->op != OP_VARIABLE || node->number >= program->param_count) return 0;
    }
    return coding->state >= 0;
}

static int can_be_texts(const Program *program, const Step *step, const State *states) {
    if (texts.type == NULL || step->kind != KIND_OF_UTF8 || !step->coded || !step->is_direct || step->state < 0 || step->has_captures ||
        step->members != NULL || step->arguments.count || step->coding_count != 1) {
        return 0;
    }
    PyObject *before = states[step->state].value.object;
    return has_prefixes((const Program *)step->target) && before != NULL && PyBytes_CheckExact(before) && !PyBytes_GET_SIZE(before) &&
           is_of_parameters(&step->codings[0], program) && step->is_sized;
}

static PyObject *decode_all_of(const Reader *reader, PyObject *use, int text) {
    (void)reader, (void)text;
    PyObject *codec = use == NULL ? NULL : PyObject_CallMethod(use, "make", NULL);
    PyObject *decode = codec == NULL ? NULL : PyObject_GetAttrString(codec, "decode_all");
    Py_XDECREF(use);
    Py_XDECREF(codec);
    return decode;
}

void texts_begin(Texts *column, Frame *frame) {
    const Program *program = frame->program;
    for (int i = 0; i < program->step_count && frame->states != NULL; i++) {
        const Step *step = &program->steps[i];
        if (can_be_texts(program, step, frame->states)) {
            column->decode = shared_codec(&step->codings[0], frame, 1, decode_all_of);
            column->number = i;
            break;
        }
    }
    /* The first text may be empty: its place is in memory all the same. */
    if (column->decode == NULL || output_grow(&column->tokens, ENOUGH_WAITING)) {
        /* Reading the elements one by one says what is wrong. */
        PyErr_Clear();
        column->number = -1;
    }
}

/* ---- reading ---- */

/* Checks the texts that a codec made, and keeps them. */
static int keep_texts(Texts *column, const Step *step, PyObject *data, PyObject *ends) {
    const Py_ssize_t size = PyBytes_GET_SIZE(data), count = PyBytes_GET_SIZE(ends) / (Py_ssize_t)sizeof(int64_t);
    const int64_t before = column->data.size;
    int64_t start = 0;
    if (count != column->waiting) return -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        int64_t end;
        memcpy(&end, PyBytes_AS_STRING(ends) + i * (Py_ssize_t)sizeof end, sizeof end);
        if (end < start || end > size) return -1;
        Value length = value_of_number(end - start);
        for (int k = 0; k < step->checks.count; k++) {
            const Node *rule = step->checks.items[k];
            if (compared(rule->op, &length, &rule->operands[1]->constant) != 1) return -1;
        }
        start = end;
        column->place[i] = before + end;
    }
    return output_append(&column->data, PyBytes_AS_STRING(data), start) ||
                   output_append(&column->ends, column->place, count * (Py_ssize_t)sizeof(int64_t))
               ? -1
               : 0;
}

/* Decodes the strings that wait. */
static int decode_waiting(Texts *column, const Step *step) {
    Output *all = &column->tokens;
    PyObject *tokens = PyBytes_FromStringAndSize((const char *)all->data + column->first, (Py_ssize_t)(all->size - column->first));
    PyObject *ends = PyBytes_FromStringAndSize((const char *)column->place, column->waiting * (Py_ssize_t)sizeof(int64_t));
    PyObject *found = tokens == NULL || ends == NULL ? NULL : PyObject_CallFunctionObjArgs(column->decode, tokens, ends, NULL);
    Py_XDECREF(tokens);
    Py_XDECREF(ends);
    PyObject *data, *text_ends;
    const int failed = found == NULL || !PyArg_ParseTuple(found, "SS", &data, &text_ends) || keep_texts(column, step, data, text_ends);
    Py_XDECREF(found);
    /* The next string may share a beginning with the last one. */
    all->size -= column->before;
    memmove(all->data, all->data + column->before, (size_t)all->size);
    column->before = 0;
    column->first = all->size;
    column->waiting = 0;
    return failed ? -1 : 0;
}

int texts_read(Texts *column, const Step *step, Frame *frame) {
    int64_t shared, added, *pos = &frame->pos;
    const int64_t start = *pos;
    if (read_prefix(step, frame->span, pos, column->tokens.size - column->before, &shared, &added)) return -1;
    if (column->waiting == MOST_WAITING || column->tokens.size - column->first > ENOUGH_WAITING) {
        if (decode_waiting(column, step)) return -1;
    }
    const int64_t size = shared + added, place = column->tokens.size;
    uint8_t *made = repeats(frame->reader, size - (*pos + added - start)) ? NULL : output_take(&column->tokens, size);
    if (made == NULL) return -1;
    memcpy(made, column->tokens.data + column->before, (size_t)shared);
    memcpy(made + shared, frame->span->start + *pos, (size_t)added);
    *pos += added;
    column->before = place;
    column->place[column->waiting++] = place + size - column->first;
    return 0;
}

/* Whether each text is larger than the one before. */
static int are_ascending(PyObject *bytes, PyObject *places) {
    const char *data = PyBytes_AS_STRING(bytes);
    const int64_t *ends = (const int64_t *)PyBytes_AS_STRING(places);
    const Py_ssize_t count = PyBytes_GET_SIZE(places) / (Py_ssize_t)sizeof(int64_t);
    int64_t before = 0;
    for (Py_ssize_t i = 0; i + 1 < count; i++) {
        const int64_t start = ends[i], size = start - before, next = ends[i + 1] - start;
        const int order = memcmp(data + before, data + start, (size_t)(size < next ? size : next));
        if (order > 0 || (order == 0 && size >= next)) return 0;
        before = start;
    }
    return 1;
}

PyObject *texts_end(Texts *column, const Step *step) {
    if (decode_waiting(column, step)) return NULL;
    PyObject *made = texts.type->tp_alloc(texts.type, 0), *data = output_taken(&column->data), *ends = output_taken(&column->ends);
    if (made == NULL || data == NULL || ends == NULL) {
        Py_XDECREF(made);
        Py_XDECREF(data);
        Py_XDECREF(ends);
        return NULL;
    }
    SLOT(made, texts.data) = data;
    SLOT(made, texts.ends) = ends;
    SLOT(made, texts.made) = Py_NewRef(Py_None);
    SLOT(made, texts.ascends) = Py_NewRef(are_ascending(data, ends) ? Py_True : Py_False);
    return made;
}

void texts_clear(Texts *column) {
    output_release(&column->tokens);
    output_release(&column->data);
    output_release(&column->ends);
}

/* ---- what they are asked ---- */

int is_texts(PyObject *object) { return texts.type != NULL && Py_IS_TYPE(object, texts.type) && SLOT(object, texts.made) == Py_None; }

int texts_are_ascending(PyObject *object) { return SLOT(object, texts.ascends) == Py_True; }

/* texts_at(data, ends, positions, is_bytes): the texts at some positions, as a list of bytes or of str. */
PyObject *texts_at(PyObject *module, PyObject *arguments) {
    PyObject *data, *ends, *positions;
    int is_bytes;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "SSOp", &data, &ends, &positions, &is_bytes)) return NULL;
    const Py_ssize_t count = PyBytes_GET_SIZE(ends) / (Py_ssize_t)sizeof(int64_t);
    const int64_t *places = (const int64_t *)PyBytes_AS_STRING(ends);
    Numbers chosen;
    PyObject *found = numbers_begin(&chosen, positions) ? NULL : PyList_New(chosen.count);
    for (Py_ssize_t i = 0; found != NULL && i < PyList_GET_SIZE(found); i++) {
        const Py_ssize_t at = numbers_at(&chosen, i);
        const int64_t start = at > 0 && at < count ? places[at - 1] : 0, end = at >= 0 && at < count ? places[at] : -1;
        PyObject *text = NULL;
        if (start > end || start < 0 || end > PyBytes_GET_SIZE(data)) {
            if (!PyErr_Occurred()) PyErr_Format(PyExc_IndexError, "positions: there is no text %zd of %zd", at, count);
        } else {
            const char *bytes = PyBytes_AS_STRING(data) + start;
            text = is_bytes ? PyBytes_FromStringAndSize(bytes, (Py_ssize_t)(end - start))
                            : PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)(end - start), NULL);
        }
        if (text == NULL) {
            Py_CLEAR(found);
            break;
        }
        PyList_SET_ITEM(found, i, text);
    }
    numbers_end(&chosen);
    return found;
}
