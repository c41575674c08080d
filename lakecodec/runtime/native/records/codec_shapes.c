/* Codecs of shapes that many formats have, read without their variables: differences of numbers, and texts that share a
 * beginning with the one before. The compiler tells which codec has a shape (`generator/lower/codec_shapes.py`).
 */
#include "record.h"

/* ---- previous + step, within a range ---- */

static inline int add_difference(const Program *program, const Span *span, int64_t *pos, int64_t *last) {
    const Step *step = &program->steps[0];
    Node *const *range = program->value->operands;
    Value difference;
    if (read_scalar(step->kind, step->big, span, pos, &difference)) return -1;
    const int failed = !difference.is_number || __builtin_add_overflow(*last, difference.number, last) ||
                       *last < range[1]->constant.number || *last > range[2]->constant.number;
    value_clear(&difference);
    return failed ? -1 : 0;
}

static int read_difference(const Program *program, const Span *span, int64_t *pos, const Value *arguments, Value *out) {
    int64_t number = arguments[0].number;
    if (!arguments[0].is_number || add_difference(program, span, pos, &number)) return -1;
    return give(out, value_of_number(number));
}

int has_differences(const Step *step) {
    return step->coded && step->state == STATE_OF_LIST && step->dimension == DIMENSION_COUNT && !step->arguments.count &&
           !step->coding_count && step->members == NULL && step->captures[CAPTURE_SIZES] < 0 && step->captures[CAPTURE_STARTS] < 0 &&
           ((const Program *)step->target)->shaped == read_difference;
}

int sum_differences(const Step *step, const Span *span, int64_t *pos, int64_t *last, int64_t count, int64_t *out) {
    for (int64_t i = 0; i < count; i++) {
        if (add_difference((const Program *)step->target, span, pos, last)) return -1;
        out[i] = *last;
    }
    return 0;
}

/* ---- previous[:shared] + suffix ---- */

/* Most are of one byte. */
static inline int read_size(const Step *step, const Span *span, int64_t *pos, int64_t *out) {
    Value number = {0};
    if (*pos < span->end && span->start[*pos] < 128) {
        *out = span->start[(*pos)++];
        return 0;
    }
    const int failed = read_scalar(step->kind, step->big, span, pos, &number);
    *out = number.number;
    return failed;
}

static int read_sizes(const Program *program, const Span *span, int64_t *pos, int64_t before, int64_t *shared, int64_t *added) {
    return read_size(&program->steps[0], span, pos, shared) || *shared > before || read_size(&program->steps[1], span, pos, added) ||
                   (*added > span->end - *pos && run_out(span, *pos, *added))
               ? -1
               : 0;
}

static int read_prefixed(const Program *program, const Span *span, int64_t *pos, const Value *arguments, Value *out) {
    PyObject *before = arguments[0].object;
    int64_t shared, added;
    if (before == NULL || !PyBytes_CheckExact(before) || read_sizes(program, span, pos, PyBytes_GET_SIZE(before), &shared, &added))
        return -1;
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(shared + added));
    if (made == NULL) return -1;
    memcpy(PyBytes_AS_STRING(made), PyBytes_AS_STRING(before), (size_t)shared);
    memcpy(PyBytes_AS_STRING(made) + shared, span->start + *pos, (size_t)added);
    *pos += added;
    return give(out, (Value){.object = made, .owned = 1});
}

int has_prefixes(const Program *program) { return program->shaped == read_prefixed; }

int read_prefix(const Step *step, const Span *span, int64_t *pos, int64_t before, int64_t *shared, int64_t *added) {
    return read_sizes((const Program *)step->target, span, pos, before, shared, added);
}

int set_shape(Program *program, int shape) {
    static const struct {
        Shaped *read;
        int fields, value;
    } shapes[] = {
        {NULL, 0, 0},
        {read_difference, 1, OP_IN_RANGE},
        {read_prefixed, 3, OP_ADD},
    };
    if (shape == 0) return 0;
    if (shape < 0 || shape >= (int)(sizeof shapes / sizeof *shapes) || !program->is_codec || program->param_count != 1 ||
        program->step_count != shapes[shape].fields || program->value->op != shapes[shape].value)
        return raise_error(PyExc_ValueError, "rows: not a shape of the codec");
    program->shaped = shapes[shape].read;
    return 0;
}
