/* Codecs of shapes that many formats have, read without their variables: differences of numbers, and texts that share a
 * beginning with the one before. What is said here of a shape must be what its fields and expressions say.
 */
#include "record.h"

static int
is_variable(const Node *node, int64_t number)
{
    return node->op == OP_VARIABLE && node->number == number;
}

static int
is_constant_number(const Node *node)
{
    return node->op == OP_CONSTANT && node->constant.is_number;
}

/* A number that is there, without any rule of its own. */
static int
is_bare_number(const Step *step)
{
    return step->is_plain && !step->has_captures && !step->checks.count && step->kind != KIND_OF_F16 &&
           step->kind != KIND_OF_F32 && step->kind != KIND_OF_F64;
}

static int
is_unsigned_varint(const Step *step)
{
    return step->is_plain && !step->has_captures && step->kind >= KIND_OF_UVARINT16 && step->kind <= KIND_OF_UVARINT32;
}

/* ---- previous + step, within a range ---- */

static inline int
add_difference(const Program *program, const Span *span, int64_t *pos, int64_t *last)
{
    const Step *step = &program->steps[0];
    Node *const *range = program->value->operands;
    Value difference;
    if (read_scalar(step->kind, step->big, span, pos, &difference)) {
        return -1;
    }
    const int failed = !difference.is_number || __builtin_add_overflow(*last, difference.number, last) ||
                       *last < range[1]->constant.number || *last > range[2]->constant.number;
    value_clear(&difference);
    return failed ? -1 : 0;
}

static int
read_difference(const Program *program, const Span *span, int64_t *pos, const Value *arguments, Value *out)
{
    int64_t number = arguments[0].number;
    if (!arguments[0].is_number || add_difference(program, span, pos, &number)) {
        return -1;
    }
    *out = value_of_number(number);
    return 0;
}

static int
is_difference(const Program *program)
{
    const Node *value = program->value;
    if (program->step_count != 1 || !is_bare_number(&program->steps[0]) || value->op != OP_IN_RANGE ||
        !is_constant_number(value->operands[1]) || !is_constant_number(value->operands[2])) {
        return 0;
    }
    const Node *sum = value->operands[0];
    return sum->op == OP_ADD && is_variable(sum->operands[0], 0) &&
           is_variable(sum->operands[1], program->steps[0].variable);
}

int
has_differences(const Step *step)
{
    return step->coded && step->state == STATE_OF_LIST && step->dimension == DIMENSION_COUNT && !step->arguments.count &&
           !step->coding_count && step->members == NULL && step->captures[CAPTURE_SIZES] < 0 &&
           step->captures[CAPTURE_STARTS] < 0 && ((const Program *)step->target)->shaped == read_difference;
}

int
sum_differences(const Step *step, const Span *span, int64_t *pos, int64_t *last, int64_t count, int64_t *out)
{
    for (int64_t i = 0; i < count; i++) {
        if (add_difference((const Program *)step->target, span, pos, last)) {
            return -1;
        }
        out[i] = *last;
    }
    return 0;
}

/* ---- previous[:shared] + suffix ---- */

/* Most are of one byte. */
static inline int
read_size(const Step *step, const Span *span, int64_t *pos, int64_t *out)
{
    Value number = {0};
    if (*pos < span->end && span->start[*pos] < 128) {
        *out = span->start[(*pos)++];
        return 0;
    }
    const int failed = read_scalar(step->kind, 0, span, pos, &number);
    *out = number.number;
    return failed;
}

static int
read_sizes(const Program *program, const Span *span, int64_t *pos, int64_t before, int64_t *shared, int64_t *added)
{
    return read_size(&program->steps[0], span, pos, shared) || *shared > before ||
                   read_size(&program->steps[1], span, pos, added) || *added > span->end - *pos
               ? -1
               : 0;
}

static int
read_prefixed(const Program *program, const Span *span, int64_t *pos, const Value *arguments, Value *out)
{
    PyObject *before = arguments[0].object;
    int64_t shared, added;
    if (before == NULL || !PyBytes_CheckExact(before) ||
        read_sizes(program, span, pos, PyBytes_GET_SIZE(before), &shared, &added)) {
        return -1;
    }
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(shared + added));
    if (made == NULL) {
        return -1;
    }
    memcpy(PyBytes_AS_STRING(made), PyBytes_AS_STRING(before), (size_t)shared);
    memcpy(PyBytes_AS_STRING(made) + shared, span->start + *pos, (size_t)added);
    *pos += added;
    *out = (Value){.object = made, .owned = 1};
    return 0;
}

int
has_prefixes(const Program *program)
{
    return program->shaped == read_prefixed;
}

int
read_prefix(const Step *step, const Span *span, int64_t *pos, int64_t before, int64_t *shared, int64_t *added)
{
    return read_sizes((const Program *)step->target, span, pos, before, shared, added);
}

static int
is_prefixed(const Program *program)
{
    const Step *shared = &program->steps[0], *added = &program->steps[1], *suffix = &program->steps[2];
    const Node *value = program->value;
    if (program->step_count != 3 || !is_unsigned_varint(shared) || shared->checks.count != 1 ||
        !is_unsigned_varint(added) || added->checks.count || suffix->kind != KIND_OF_BYTES || !suffix->is_direct ||
        suffix->coded || suffix->coding_count || suffix->has_captures || suffix->checks.count || suffix->length == NULL ||
        !is_variable(suffix->length, added->variable)) {
        return 0;
    }
    const Node *rule = shared->checks.items[0];
    if (rule->op != OP_LE || !is_variable(rule->operands[0], shared->variable) || rule->operands[1]->op != OP_COUNT ||
        !is_variable(rule->operands[1]->operands[0], 0)) {
        return 0;
    }
    if (value->op != OP_ADD || value->operands[0]->op != OP_SLICE ||
        !is_variable(value->operands[1], suffix->variable)) {
        return 0;
    }
    Node *const *slice = value->operands[0]->operands;
    return is_variable(slice[0], 0) && slice[1]->op == OP_CONSTANT && slice[1]->constant.object == Py_None &&
           is_variable(slice[2], shared->variable);
}

void
find_shape(Program *program)
{
    program->shaped = NULL;
    if (!program->is_codec || program->param_count != 1 || program->state_count || program->checks.count ||
        program->nests) {
        return;
    }
    program->shaped = is_difference(program) ? read_difference : is_prefixed(program) ? read_prefixed : NULL;
}
