/* The end of a struct of which bytes are still to arrive: each of them is passed once. */
#include "compact.h"

/* A struct, or what is left of a container: how many elements, and the wire types of the next one and of that behind it. */
typedef struct Open {
    int64_t left; /* -1 for a struct */
    int64_t wire, other;
} Open;

enum { MOST_OPEN = 512 };

/* Begins a container at `p`: the position of its first element, or NULL. */
static const uint8_t *open_container(Input *in, const uint8_t *p, int wire, Open *made) {
    uint64_t count;
    if (wire == WIRE_STRUCT) {
        *made = (Open){-1, 0, 0};
        return p;
    }
    if (p >= in->end) return truncated(in);
    if (wire == WIRE_MAP) {
        p = read_varint(in, p, &count);
        if (p == NULL || count > MAX_SIZE) return p == NULL ? NULL : fail(in, RULE_SIZE, p);
        if (count > 0 && p >= in->end) return truncated(in);
        *made = count == 0 ? (Open){0, 0, 0} : (Open){2 * (int64_t)count, *p >> 4, *p & 15};
        p += count > 0;
    } else {
        const int kind = *p & 15;
        count = *p++ >> 4;
        if (count == 15 && ((p = read_varint(in, p, &count)) == NULL || count > MAX_SIZE)) return p == NULL ? NULL : fail(in, RULE_SIZE, p);
        *made = (Open){(int64_t)count, kind, kind};
    }
    return p;
}

/* The position behind a value that is no container; NULL, with how many bytes it lacks at least. */
static const uint8_t *pass_value(Input *in, const uint8_t *p, int wire, int64_t *lacking) {
    uint64_t length;
    int64_t size;
    switch (wire) {
    case WIRE_I8: size = 1; break;
    case WIRE_DOUBLE: size = 8; break;
    case WIRE_UUID: size = 16; break;
    case WIRE_BINARY:
        p = read_varint(in, p, &length);
        if (p == NULL) return NULL;
        if (length > MAX_SIZE) return fail(in, RULE_SIZE, p);
        size = (int64_t)length;
        break;
    default: return wire < WIRE_I16 || wire > WIRE_I64 ? fail(in, RULE_WIRE, p) : skip_varint(in, p);
    }
    if (size <= in->end - p) return p + size;
    *lacking = size - (in->end - p);
    return truncated(in);
}

/* How many bytes follow at least behind the value at hand: those of other elements, and the ends of structs around. */
static int64_t needed_behind(const Open *open, int count) {
    int64_t needed = open[count - 1].left > 0 ? open[count - 1].left - 1 : 0;
    for (int i = 0; i < count - 1; i++) needed += open[i].left < 0 ? 1 : open[i].left;
    return needed;
}

/* Passes what is there of the values in `open`: how many are left open, 0 at the end of the outermost; -1 where the bytes are wrong. `*at`
 * is moved to the first byte that must be looked at again. */
static int pass(Input *in, const uint8_t **at, Open *open, int count, int64_t *lacking) {
    const uint8_t *p = *at;
    while (count > 0) {
        Open *top = &open[count - 1];
        int wire = (int)top->wire, id = 0;
        const uint8_t *value = p;
        *lacking = 1;
        if (top->left == 0) {
            count--;
            continue;
        }
        if (top->left < 0) {
            value = read_field_header(in, p, &id, &wire);
            if (value != NULL && wire == WIRE_STOP) {
                p = *at = value;
                count--;
                continue;
            }
        } else if (wire == WIRE_TRUE || wire == WIRE_FALSE) {
            wire = WIRE_I8;
        }
        if (value != NULL && wire >= WIRE_LIST && wire <= WIRE_STRUCT) {
            Open made;
            if (count == MOST_OPEN || count > in->max_depth) return -1;
            value = open_container(in, value, wire, &made);
            if (value != NULL) open[count++] = made;
        } else if (value != NULL && !(top->left < 0 && wire <= WIRE_FALSE)) {
            value = pass_value(in, value, wire, lacking);
        }
        if (value == NULL) {
            *lacking += needed_behind(open, count);
            return in->rule == RULE_TRUNCATED ? count : -1;
        }
        if (top->left > 0) {
            const int64_t next = top->other;
            top->left--;
            top->other = top->wire;
            top->wire = next;
        }
        p = *at = value;
    }
    return 0;
}

PyObject *compact_scan(PyObject *Py_UNUSED(module), PyObject *const *args, Py_ssize_t count) {
    Py_buffer view;
    Py_ssize_t pos, depth;
    if (check_count("scan", count, 4) || take_buffer(args[0], &view)) return NULL;
    PyObject *result = NULL;
    Open open[MOST_OPEN];
    if (take_position(args[1], view.len, &pos) || take_limit(args[3], "max_depth", &depth)) goto done;
    const Py_ssize_t size = PyBytes_CheckExact(args[2]) ? PyBytes_GET_SIZE(args[2]) : -1;
    int is_own = size >= 0 && size <= (Py_ssize_t)sizeof open && size % (Py_ssize_t)sizeof(Open) == 0;
    open[0] = (Open){-1, 0, 0};
    if (is_own) memcpy(open, PyBytes_AS_STRING(args[2]), (size_t)size);
    for (Py_ssize_t i = 0; is_own && i < size / (Py_ssize_t)sizeof(Open); i++)
        is_own = open[i].left >= -1 && open[i].left <= 2 * (int64_t)MAX_SIZE;
    if (!is_own) {
        PyErr_SetString(PyExc_TypeError, "scan: the bytes that it returned are needed");
        goto done;
    }
    const uint8_t *begin = view.buf, *at = begin + pos;
    Input in = {.begin = begin, .end = begin + view.len, .max_depth = depth < MOST_OPEN ? (int)depth : MOST_OPEN};
    int64_t lacking = 0;
    const int left = pass(&in, &at, open, size ? (int)(size / (Py_ssize_t)sizeof(Open)) : 1, &lacking);
    if (left < 0)
        result = Py_NewRef(Py_None);
    else
        result = Py_BuildValue("ny#L", (Py_ssize_t)(at - begin), (const char *)open, (Py_ssize_t)left * (Py_ssize_t)sizeof(Open),
                               (long long)(left ? lacking : 0));
done:
    PyBuffer_Release(&view);
    return result;
}
