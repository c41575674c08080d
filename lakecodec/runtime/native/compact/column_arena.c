/* One allocation for the columns of many buffers.
 *
 * Fresh memory costs a page fault per page, which on virtual machines takes longer than filling the page. Memory of arenas is
 * therefore reused. */
#include "columns.h"

#include "common/pool.h"

struct Arena {
    Py_ssize_t references; /* changed only under the GIL */
    char *begin, *end, *next;
};

Arena *arena_new(size_t size) {
    int64_t taken = (int64_t)size;
    Arena *arena = malloc(sizeof(Arena));
    char *memory = arena == NULL ? NULL : pool_take(&taken);
    if (memory == NULL) {
        free(arena);
        return NULL;
    }
    *arena = (Arena){.references = 1, .begin = memory, .end = memory + taken, .next = memory};
    return arena;
}

void *arena_take(Arena *arena, size_t size) {
    char *taken = arena->next;
    size = (size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
    if (size > (size_t)(arena->end - taken)) return NULL;
    arena->next += size;
    return taken;
}

int arena_owns(const Arena *arena, const void *memory) {
    return arena != NULL && (const char *)memory >= arena->begin && (const char *)memory < arena->end;
}

Arena *arena_share(Arena *arena) {
    arena->references++;
    return arena;
}

void arena_drop(Arena *arena) {
    if (arena == NULL || --arena->references > 0) return;
    pool_give(arena->begin, arena->end - arena->begin);
    free(arena);
}

int share_pool(void) { return pool_share(); }
