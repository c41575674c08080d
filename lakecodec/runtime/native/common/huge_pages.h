/* Huge pages for large blocks: a page fault for 2 MiB costs a quarter of what those for its 512 small pages do. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define HUGE_PAGE ((size_t)1 << 21)
/* Smaller blocks have few huge pages in them, and may be used again by what needs less. */
#define LEAST_HUGE (2 * HUGE_PAGE)

/* Asks for huge pages inside a block, of which it may keep what it has already. */
static inline void advise_huge_pages(void *block, size_t size) {
#if defined(MADV_HUGEPAGE)
    const uintptr_t begin = ((uintptr_t)block + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1), end = ((uintptr_t)block + size) & ~(HUGE_PAGE - 1);
    if (end > begin) (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)block, (void)size;
#endif
}
