/* One zeroed allocation for the columns of many buffers.
 *
 * Fresh memory costs a page fault for each page, on virtual machines more than what the decoder does to fill it. Large arenas are
 * therefore asked for in huge pages where the system has them, and some are kept for the next ones when nobody needs them.
 */
#include "columns.h"

#include "common/huge_pages.h"

#include <stdatomic.h>

struct Arena {
    Py_ssize_t references; /* changed under the GIL alone */
    char *begin, *end, *next;
};

static void
arena_free(Arena *arena)
{
#if defined(MADV_HUGEPAGE)
    munmap(arena->begin, (size_t)(arena->end - arena->begin));
#else
    free(arena->begin);
#endif
    free(arena);
}

/* Arenas that are kept: so many, of no more than so many bytes each. */
#define KEPT 8
#define MOST_KEPT (2 * HUGE_PAGE)

static _Atomic(Arena *) kept[KEPT];

/* A kept arena of a size, zeroed; NULL where there is none. */
static Arena *
arena_again(size_t size)
{
    for (int i = 0; i < KEPT; i++) {
        Arena *arena = atomic_exchange(&kept[i], NULL);
        if (arena == NULL) {
            continue;
        }
        if ((size_t)(arena->end - arena->begin) == size) {
            memset(arena->begin, 0, (size_t)(arena->next - arena->begin));
            arena->next = arena->begin;
            arena->references = 1;
            return arena;
        }
        arena = atomic_exchange(&kept[i], arena);
        if (arena != NULL) {
            arena_free(arena);
        }
    }
    return NULL;
}

/* Whether an arena that nobody needs is kept. */
static int
arena_keep(Arena *arena)
{
    for (int i = 0; i < KEPT && (size_t)(arena->end - arena->begin) <= MOST_KEPT; i++) {
        Arena *none = NULL;
        if (atomic_compare_exchange_strong(&kept[i], &none, arena)) {
            return 1;
        }
    }
    return 0;
}

static char *
arena_memory(size_t size)
{
#if defined(MADV_HUGEPAGE)
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    advise_huge_pages(memory, size);
    return memory;
#else
    return calloc(1, size);
#endif
}

Arena *
arena_new(size_t size)
{
    size = (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    Arena *arena = arena_again(size);
    if (arena != NULL) {
        return arena;
    }
    arena = malloc(sizeof(Arena));
    char *memory = arena == NULL ? NULL : arena_memory(size);
    if (memory == NULL) {
        free(arena);
        return NULL;
    }
    *arena = (Arena){.references = 1, .begin = memory, .end = memory + size, .next = memory};
    return arena;
}

void *
arena_take(Arena *arena, size_t size)
{
    char *taken = arena->next;
    size = (size + ARENA_ALIGNMENT - 1) & ~(size_t)(ARENA_ALIGNMENT - 1);
    if (size > (size_t)(arena->end - taken)) {
        return NULL;
    }
    arena->next += size;
    return taken;
}

int
arena_owns(const Arena *arena, const void *memory)
{
    return arena != NULL && (const char *)memory >= arena->begin && (const char *)memory < arena->end;
}

Arena *
arena_share(Arena *arena)
{
    arena->references++;
    return arena;
}

void
arena_drop(Arena *arena)
{
    if (arena == NULL || --arena->references > 0 || arena_keep(arena)) {
        return;
    }
    arena_free(arena);
}
