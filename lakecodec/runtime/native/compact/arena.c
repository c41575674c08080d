/* Freed object arenas are kept for the next tree.
 *
 * A decoded footer is some megabytes of small objects. When it is dropped, the object allocator hands whole arenas back to the
 * system, and the next tree pays a page fault for every page: on virtual machines several times the cost of decoding. A few
 * arenas are therefore held back, as the C library's malloc does with its heap. New ones come in pairs that are one huge page where
 * the system has such: a page fault for all of it. Interpreters with locks of their own share the allocator, hence the flag.
 */
#include "compact.h"
#include "common/huge_pages.h"

#include <stdatomic.h>

#define MOST_KEPT 32

static PyObjectArenaAllocator system_arenas;
static struct {
    void *address;
    size_t size;
} kept[MOST_KEPT];
static int kept_count;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void
enter(void)
{
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
    }
}

static void
leave(void)
{
    atomic_flag_clear_explicit(&busy, memory_order_release);
}

#if defined(MADV_HUGEPAGE)
/* The first half of a huge page; the second one is kept. NULL where that cannot be. */
static void *
half_page(void)
{
    char *memory = mmap(NULL, 2 * HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    char *page = (char *)(((uintptr_t)memory + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
    if (page > memory) {
        munmap(memory, (size_t)(page - memory));
    }
    munmap(page + HUGE_PAGE, (size_t)(memory + HUGE_PAGE - page));
    advise_huge_pages(page, HUGE_PAGE);
    enter();
    int keep = kept_count < MOST_KEPT;
    if (keep) {
        kept[kept_count].address = page + HUGE_PAGE / 2;
        kept[kept_count++].size = HUGE_PAGE / 2;
    }
    leave();
    if (!keep) {
        munmap(page + HUGE_PAGE / 2, HUGE_PAGE / 2);
    }
    return page;
}
#endif

static void *
arena_alloc(void *context, size_t size)
{
    (void)context;
    void *address = NULL;
    enter();
    for (int i = kept_count - 1; i >= 0 && address == NULL; i--) {
        if (kept[i].size == size) {
            address = kept[i].address;
            kept[i] = kept[--kept_count];
        }
    }
    leave();
#if defined(MADV_HUGEPAGE)
    if (address == NULL && size == HUGE_PAGE / 2 && system_arenas.ctx == NULL) {
        address = half_page();
    }
#endif
    return address != NULL ? address : system_arenas.alloc(system_arenas.ctx, size);
}

static void
arena_free(void *context, void *address, size_t size)
{
    (void)context;
    enter();
    int keep = kept_count < MOST_KEPT;
    if (keep) {
        kept[kept_count].address = address;
        kept[kept_count++].size = size;
    }
    leave();
    if (!keep) {
        system_arenas.free(system_arenas.ctx, address, size);
    }
}

void
keep_arenas(void)
{
    if (system_arenas.alloc == NULL) {
        PyObjectArenaAllocator ours = {NULL, arena_alloc, arena_free};
        PyObject_GetArenaAllocator(&system_arenas);
        PyObject_SetArenaAllocator(&ours);
    }
}
