/* Bytes with offsets, which are put on top of others. */
#include "output.h"

/* As `MOST_ZEROS` of assemble.py. */
enum { MOST_ZEROS_BETWEEN = 1 << 26 };

int pieces_add(Pieces *pieces, int64_t at, Output *bytes) {
    Piece *items = with_room(pieces->items, pieces->count, &pieces->room, sizeof(Piece));
    if (items == NULL) return -1;
    pieces->items = items;
    pieces->items[pieces->count++] = (Piece){.at = at, .bytes = *bytes};
    *bytes = (Output){0};
    return 0;
}

void pieces_cut(Pieces *pieces, int64_t count) {
    while (pieces->count > count) output_release(&pieces->items[--pieces->count].bytes);
}

void pieces_release(Pieces *pieces) {
    pieces_cut(pieces, 0);
    PyMem_Free(pieces->items);
    *pieces = (Pieces){0};
}

/* By their offsets; of equal ones, the first is the first. */
static int compare(const void *left, const void *right) {
    const Piece *const *a = left, *const *b = right;
    return (*a)->at != (*b)->at ? ((*a)->at < (*b)->at ? -1 : 1) : 0;
}

static void sort(const Piece **sorted, const Piece **room, int64_t count) {
    int64_t ordered = 1;
    while (ordered < count && compare(&sorted[ordered - 1], &sorted[ordered]) <= 0) ordered++;
    if (ordered >= count) return;
    const int64_t half = count / 2;
    sort(sorted, room, half);
    sort(sorted + half, room, count - half);
    memcpy(room, sorted, (size_t)half * sizeof *room);
    for (int64_t i = 0, j = half, k = 0; i < half; k++)
        sorted[k] = j < count && compare(&sorted[j], &room[i]) < 0 ? sorted[j++] : room[i++];
}

static int put_over(Output *image, const Piece *piece, int64_t *zeros) {
    const int64_t stop = piece->at + piece->bytes.size;
    if (piece->at > image->size) *zeros += piece->at - image->size;
    if (*zeros > MOST_ZEROS_BETWEEN) return -1;
    if (stop > image->size) {
        const int64_t before = image->size;
        if (output_take(image, stop - before) == NULL) return -1;
        if (piece->at > before) memset(image->data + before, 0, (size_t)(piece->at - before));
    }
    if (piece->bytes.size) memcpy(image->data + piece->at, piece->bytes.data, (size_t)piece->bytes.size);
    return 0;
}

static int put_sorted(Output *image, const Piece *const *sorted, int64_t count, int gaps, int overlaps) {
    int64_t behind = 0, zeros = 0;
    for (int64_t i = 0; i < count; i++) {
        const Piece *piece = sorted[i];
        if ((piece->bytes.size && piece->at < behind && !overlaps) ||
            (piece->at > behind && !gaps) || put_over(image, piece, &zeros))
            return -1;
        if (piece->at + piece->bytes.size > behind) behind = piece->at + piece->bytes.size;
    }
    for (int64_t i = 0; i < count && overlaps; i++)
        if (sorted[i]->bytes.size && memcmp(image->data + sorted[i]->at, sorted[i]->bytes.data, (size_t)sorted[i]->bytes.size) != 0)
            return -1;
    return 0;
}

int assemble(Output *image, const Pieces *near, const Pieces *far, int gaps, int overlaps) {
    const int64_t count = near->count + far->count;
    const Piece **sorted = PyMem_Malloc(2 * (size_t)(count ? count : 1) * sizeof *sorted);
    if (sorted == NULL) return no_memory();
    for (int64_t i = 0; i < near->count; i++) sorted[i] = &near->items[i];
    for (int64_t i = 0; i < far->count; i++) sorted[near->count + i] = &far->items[i];
    sort(sorted, sorted + count, count);
    const int failed = put_sorted(image, sorted, count, gaps, overlaps);
    PyMem_Free(sorted);
    return failed;
}
