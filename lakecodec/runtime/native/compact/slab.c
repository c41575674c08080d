/* One zeroed allocation for the columns of many buffers.
 *
 * Fresh memory costs a page fault for each page, on virtual machines more than what the decoder does to fill it. Large slabs are
 * therefore asked for in huge pages where the system has them, and some are kept for the next ones when nobody needs them.
 */
#include "columns.h"

#include <stdatomic.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#define HUGE_PAGE ((size_t)1 << 21)

struct Slab {
    Py_ssize_t references; /* changed under the GIL alone */
    char *begin, *end, *next;
};

static void
slab_free(Slab *slab)
{
#if defined(MADV_HUGEPAGE)
    munmap(slab->begin, (size_t)(slab->end - slab->begin));
#else
    free(slab->begin);
#endif
    free(slab);
}

/* Slabs that are kept: so many, of no more than so many bytes each. */
#define KEPT 8
#define MOST_KEPT (2 * HUGE_PAGE)

static _Atomic(Slab *) kept[KEPT];

/* A kept slab of a size, zeroed; NULL where there is none. */
static Slab *
slab_again(size_t size)
{
    for (int i = 0; i < KEPT; i++) {
        Slab *slab = atomic_exchange(&kept[i], NULL);
        if (slab == NULL) {
            continue;
        }
        if ((size_t)(slab->end - slab->begin) == size) {
            memset(slab->begin, 0, (size_t)(slab->next - slab->begin));
            slab->next = slab->begin;
            slab->references = 1;
            return slab;
        }
        slab = atomic_exchange(&kept[i], slab);
        if (slab != NULL) {
            slab_free(slab);
        }
    }
    return NULL;
}

/* Whether a slab that nobody needs is kept. */
static int
slab_keep(Slab *slab)
{
    for (int i = 0; i < KEPT && (size_t)(slab->end - slab->begin) <= MOST_KEPT; i++) {
        Slab *none = NULL;
        if (atomic_compare_exchange_strong(&kept[i], &none, slab)) {
            return 1;
        }
    }
    return 0;
}

static char *
slab_memory(size_t size)
{
#if defined(MADV_HUGEPAGE)
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    (void)madvise(memory, size, MADV_HUGEPAGE);
    return memory;
#else
    return calloc(1, size);
#endif
}

Slab *
slab_new(size_t size)
{
    size = (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    Slab *slab = slab_again(size);
    if (slab != NULL) {
        return slab;
    }
    slab = malloc(sizeof(Slab));
    char *memory = slab == NULL ? NULL : slab_memory(size);
    if (memory == NULL) {
        free(slab);
        return NULL;
    }
    *slab = (Slab){.references = 1, .begin = memory, .end = memory + size, .next = memory};
    return slab;
}

void *
slab_take(Slab *slab, size_t size)
{
    char *taken = slab->next;
    size = (size + SLAB_ALIGNMENT - 1) & ~(size_t)(SLAB_ALIGNMENT - 1);
    if (size > (size_t)(slab->end - taken)) {
        return NULL;
    }
    slab->next += size;
    return taken;
}

int
slab_owns(const Slab *slab, const void *memory)
{
    return slab != NULL && (const char *)memory >= slab->begin && (const char *)memory < slab->end;
}

Slab *
slab_share(Slab *slab)
{
    slab->references++;
    return slab;
}

void
slab_drop(Slab *slab)
{
    if (slab == NULL || --slab->references > 0 || slab_keep(slab)) {
        return;
    }
    slab_free(slab);
}
