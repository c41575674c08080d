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

static int
read_difference(const Program *program, const Span *span, int64_t *pos, const Value *arguments, Value *out)
{
    const Step *step = &program->steps[0];
    int64_t number = 0;
    Value difference;
    if (!arguments[0].is_number || read_scalar(step->kind, step->big, span, pos, &difference)) {
        return -1;
    }
    const int failed = !difference.is_number ||
                       __builtin_add_overflow(arguments[0].number, difference.number, &number) ||
                       number < program->value->operands[1]->constant.number ||
                       number > program->value->operands[2]->constant.number;
    value_clear(&difference);
    *out = value_of_number(number);
    return failed ? -1 : 0;
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
read_shaped(const Step *step, const Span *span, int64_t *pos, const Value *before, Value *out)
{
    return read_difference((const Program *)step->target, span, pos, before, out);
}

/* ---- previous[:shared] + suffix ---- */

static int
read_sizes(const Program *program, const Span *span, int64_t *pos, int64_t before, int64_t *shared, int64_t *added)
{
    Value first, second;
    if (read_scalar(program->steps[0].kind, 0, span, pos, &first) || first.number > before ||
        read_scalar(program->steps[1].kind, 0, span, pos, &second) || second.number > span->end - *pos) {
        return -1;
    }
    *shared = first.number;
    *added = second.number;
    return 0;
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
