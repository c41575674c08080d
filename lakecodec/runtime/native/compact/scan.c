/* The end of a value that nobody decodes and of which bytes are still to arrive: each of them is passed once. */
#include "decode.h"

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

/* The position behind a value that is no container. */
static const uint8_t *pass_plain(Input *in, const uint8_t *p, int wire) {
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
    return size <= in->end - p ? p + size : fail_short(in, RULE_TRUNCATED, in->end, size - (in->end - p));
}

/* How many bytes follow at least behind the value at hand: those of other elements, and the ends of structs around. */
static int64_t needed_behind(const Open *open, int count) {
    int64_t needed = open[count - 1].left > 0 ? open[count - 1].left - 1 : 0;
    for (int i = 0; i < count - 1; i++) needed += open[i].left < 0 ? 1 : open[i].left;
    return needed;
}

/* The end of a field's header. */
static const uint8_t *pass_header(Input *in, const uint8_t *p, Open *struct_, int *wire) {
    int id = (int)struct_->other;
    p = read_field_header(in, p, &id, wire);
    struct_->other = id;
    return p;
}

/* Passes what is there of the values in `open`: how many are left open, 0 at the end of the outermost; -1 where the bytes are wrong. `*at`
 * is moved to the first byte that must be looked at again. */
static int pass(Input *in, const uint8_t **at, Open *open, int count, int room) {
    while (count > 0) {
        Open *top = &open[count - 1], before = *top;
        int wire = (int)top->wire;
        const uint8_t *value = *at;
        if (top->left == 0) {
            count--;
            continue;
        }
        if (top->left < 0) {
            value = pass_header(in, value, top, &wire);
            if (value != NULL && wire == WIRE_STOP) {
                *at = value;
                count--;
                continue;
            }
        } else {
            if (wire == WIRE_TRUE || wire == WIRE_FALSE) wire = WIRE_I8;
            *top = (Open){top->left - 1, top->other, top->wire};
        }
        if (value != NULL && wire >= WIRE_LIST && wire <= WIRE_STRUCT) {
            Open made;
            if (count == MOST_OPEN || count > room) {
                fail(in, RULE_DEPTH, value);
                return -1;
            }
            value = open_container(in, value, wire, &made);
            if (value != NULL) open[count++] = made;
        } else if (value != NULL && !(before.left < 0 && wire <= WIRE_FALSE)) {
            value = pass_plain(in, value, wire);
        }
        if (value == NULL) {
            *top = before;
            if (in->rule != RULE_TRUNCATED) return -1;
            in->lacking += needed_behind(open, count);
            return count;
        }
        *at = value;
    }
    return 0;
}

const uint8_t *pass_value(Reader *r, const uint8_t *p, int wire, int room) {
    Open open[MOST_OPEN];
    int count = 1;
    open[0] = (Open){1, wire, wire};
    if (r->resuming != NULL) {
        const Paused part = resume_part(r);
        count = (int)part.count;
        memcpy(open, part.open, (size_t)count * sizeof(Open));
        PyMem_Free(part.open);
        p = r->in.begin + part.at;
    }
    count = pass(&r->in, &p, open, count, room);
    if (count == 0) return p;
    const size_t size = (size_t)(count > 0 ? count : 0) * sizeof(Open);
    Open *kept = size == 0 ? NULL : PyMem_Malloc(size);
    if (kept != NULL) memcpy(kept, open, size);
    if (kept == NULL || !pause_part(r, &(Paused){.open = kept, .count = count, .at = p - r->in.begin}, 0)) PyMem_Free(kept);
    return NULL;
}
