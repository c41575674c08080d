/* Large blocks of memory. Freed blocks are reused, because filling fresh pages takes twice as long as filling used ones. */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdlib.h>
#if !defined(_WIN32)
#include <unistd.h>
#endif

#include "common/huge_pages.h"

/* Freed blocks are out of bounds to AddressSanitizer. */
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define POOL_HIDE(start, size) __asan_poison_memory_region(start, (size_t)(size))
#define POOL_SHOW(start, size) __asan_unpoison_memory_region(start, (size_t)(size))
#else
#define POOL_HIDE(start, size) ((void)0)
#define POOL_SHOW(start, size) ((void)0)
#endif

/* The blocks and bytes that are kept; of all but the POOL_OWN bytes that were freed last the system may take the pages. */
enum { POOL_BLOCKS = 64, POOL_KEPT = 1 << 28, POOL_OWN = 1 << 26, POOL_ALIGNMENT = 64 };

/* A freed block; the system may take the pages of one that is lent. */
typedef struct PoolBlock {
    void *start;
    int64_t size;
    int lent;
} PoolBlock;

/* Freed blocks, the oldest first; `own` is the size of those that are not lent. A thread that finds the pool busy does without it,
 * since a fork may have left the lock held. An idle pool keeps nothing. */
typedef struct Pool {
    int modules; /* that share it */
    char idle, busy;
    int count;
    int64_t size, own;
    PoolBlock blocks[POOL_BLOCKS];
} Pool;

/* The pool of all modules, once a module has joined it. */
static Pool pool_of_module, *pool = &pool_of_module;

/* Joins the pool of the first module that did; each calls it when it is imported. 0, or -1 with an exception. LAKECODEC_POOL=0 keeps no
 * block, so that tools see every use of freed memory. */
static inline int pool_share(void) {
    static const char name[] = "lakecodec.runtime.native._pool";
    PyObject *package = PyImport_ImportModule("lakecodec.runtime.native");
    if (package == NULL) return -1;
    PyObject *capsule = PyObject_GetAttrString(package, "_pool");
    if (capsule == NULL) {
        const char *wanted = getenv("LAKECODEC_POOL");
        pool->idle = wanted != NULL && wanted[0] == '0';
        PyErr_Clear();
        capsule = PyCapsule_New(pool, name, NULL);
        if (capsule == NULL || PyObject_SetAttrString(package, "_pool", capsule)) Py_CLEAR(capsule);
    }
    Pool *shared = capsule == NULL ? NULL : PyCapsule_GetPointer(capsule, name);
    Py_XDECREF(capsule);
    Py_DECREF(package);
    if (shared == NULL) return -1;
    pool = shared;
    pool->modules++;
    return 0;
}

static inline int pool_enter(void) { return !pool->idle && !__atomic_test_and_set(&pool->busy, __ATOMIC_ACQUIRE); }
static inline void pool_leave(void) { __atomic_clear(&pool->busy, __ATOMIC_RELEASE); }

static inline PoolBlock pool_remove(int i) {
    const PoolBlock found = pool->blocks[i];
    pool->size -= found.size;
    if (!found.lent) pool->own -= found.size;
    for (pool->count--; i < pool->count; i++) pool->blocks[i] = pool->blocks[i + 1];
    POOL_SHOW(found.start, found.size);
    return found;
}

/* The smallest freed block that has `*size` bytes and at most half more, or a fresh one; `*size` is what it has then. */
static inline void *pool_take(int64_t *size) {
    PoolBlock found = {NULL, *size + (*size >> 1), 0};
    if (pool_enter()) {
        int best = -1;
        for (int i = 0; i < pool->count; i++)
            if (pool->blocks[i].size >= *size && pool->blocks[i].size <= found.size) {
                found.size = pool->blocks[i].size;
                best = i;
            }
        if (best >= 0) found = pool_remove(best);
        pool_leave();
    }
    if (found.start) {
        *size = found.size;
        return found.start;
    }
    const int large = *size >= (int64_t)HUGE_PAGE;
    if (posix_memalign(&found.start, large ? HUGE_PAGE : POOL_ALIGNMENT, (size_t)*size)) return NULL;
    if (large) advise_huge_pages(found.start, (size_t)*size);
    return found.start;
}

/* Lets the system take the pages inside a block; 0 where it cannot. */
static inline int pool_lend(void *start, int64_t size) {
#if defined(MADV_FREE)
    const long page = sysconf(_SC_PAGESIZE);
    if (page <= 0) return 0;
    const uintptr_t inside = ~((uintptr_t)page - 1);
    const uintptr_t begin = ((uintptr_t)start + (uintptr_t)page - 1) & inside, end = ((uintptr_t)start + (uintptr_t)size) & inside;
    return end <= begin || madvise((void *)begin, end - begin, MADV_FREE) == 0;
#else
    (void)start, (void)size;
    return 0;
#endif
}

/* Keeps a block in the place of the oldest ones, and lends those that were freed before it. */
static inline void pool_give(void *start, int64_t size) {
    void *others[POOL_BLOCKS + 1];
    int count = 0;
    if (size <= POOL_KEPT && pool_enter()) {
        while (pool->count == POOL_BLOCKS || pool->size + size > POOL_KEPT) others[count++] = pool_remove(0).start;
        pool->blocks[pool->count++] = (PoolBlock){start, size, 0};
        POOL_HIDE(start, size);
        pool->size += size;
        pool->own += size;
        for (int i = 0; pool->own > POOL_OWN;) {
            PoolBlock *block = &pool->blocks[i];
            if (!block->lent && !pool_lend(block->start, block->size)) {
                others[count++] = pool_remove(i).start;
                continue;
            }
            pool->own -= block->lent ? 0 : block->size;
            block->lent = 1;
            i++;
        }
        pool_leave();
    } else {
        others[count++] = start;
    }
    while (count) free(others[--count]);
}
