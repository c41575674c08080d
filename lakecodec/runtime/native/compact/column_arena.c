/* One allocation for the columns of many buffers.
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
    char *used; /* what is behind was never written */
};

static inline size_t
arena_size(const Arena *arena)
{
    return (size_t)(arena->end - arena->begin);
}

/* The bytes that the system has given memory for. */
static inline size_t
arena_used(const Arena *arena)
{
    return (size_t)(arena->used - arena->begin);
}

static void
arena_free(Arena *arena)
{
#if defined(MADV_HUGEPAGE)
    munmap(arena->begin, arena_size(arena));
#else
    free(arena->begin);
#endif
    free(arena);
}

/* Arenas that are kept: so many, of no more than so many bytes together. */
#define KEPT 32
#define MOST_KEPT (16 * HUGE_PAGE)

static _Atomic(Arena *) kept[KEPT];
static atomic_size_t kept_size;

/* A kept arena of at least the size, and not much more; NULL where there is none. */
static Arena *
arena_again(size_t size)
{
    for (int i = 0; i < KEPT; i++) {
        Arena *arena = atomic_exchange(&kept[i], NULL);
        if (arena == NULL) {
            continue;
        }
        if (arena_size(arena) >= size && arena_size(arena) / 2 <= size) {
            atomic_fetch_sub(&kept_size, arena_used(arena));
            arena->next = arena->begin;
            arena->references = 1;
            return arena;
        }
        arena = atomic_exchange(&kept[i], arena);
        if (arena != NULL) {
            atomic_fetch_sub(&kept_size, arena_used(arena));
            arena_free(arena);
        }
    }
    return NULL;
}

/* Whether an arena that nobody needs is kept. */
static int
arena_keep(Arena *arena)
{
    arena->used = arena->next > arena->used ? arena->next : arena->used;
    const size_t size = arena_used(arena);
    if (atomic_fetch_add(&kept_size, size) + size <= MOST_KEPT) {
        for (int i = 0; i < KEPT; i++) {
            Arena *none = NULL;
            if (atomic_compare_exchange_strong(&kept[i], &none, arena)) {
                return 1;
            }
        }
    }
    atomic_fetch_sub(&kept_size, size);
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
arena_new(size_t size, int zeroed)
{
    size = (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    Arena *arena = arena_again(size);
    if (arena != NULL) {
        if (zeroed) {
            memset(arena->begin, 0, arena_used(arena));
            arena->used = arena->begin;
        }
        return arena;
    }
    arena = malloc(sizeof(Arena));
    char *memory = arena == NULL ? NULL : arena_memory(size);
    if (memory == NULL) {
        free(arena);
        return NULL;
    }
    *arena = (Arena){.references = 1, .begin = memory, .end = memory + size, .next = memory, .used = memory};
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

void
arena_cut(Arena *arena, void *end)
{
    arena->next = end;
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
