/* The stack of the current thread: how much of it is left, and variables of each thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#if defined(__linux__) || defined(__APPLE__)
#include <pthread.h>
#endif

/* Variables that a destructor uses are at a fixed place of each thread, where the C library has room for those of libraries. */
#if defined(__GLIBC__)
#define PER_THREAD __thread __attribute__((tls_model("initial-exec")))
#else
#define PER_THREAD __thread
#endif

/* What a level of nesting takes at most, and what is left for all that is called besides. */
#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
enum { STACK_OF_LEVEL = 8 << 10, STACK_RESERVE = 64 << 10 };
#else
enum { STACK_OF_LEVEL = 1 << 10, STACK_RESERVE = 32 << 10 };
#endif
/* Levels that any thread has room for; asking costs nothing up to these. */
enum { FEW_LEVELS = 64 };

/* The first byte of the thread's stack; NULL where it cannot be found. */
static __attribute__((noinline, cold, unused)) char *stack_limit(void) {
    char *found = NULL;
#if defined(__linux__) && defined(__GLIBC__)
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void *address = NULL;
        size_t guard = 0;
        if (pthread_attr_getstack(&attributes, &address, &size) == 0 && pthread_attr_getguardsize(&attributes, &guard) == 0)
            found = (char *)address + guard;
        pthread_attr_destroy(&attributes);
    }
#elif defined(__APPLE__)
    found = (char *)pthread_get_stackaddr_np(pthread_self()) - pthread_get_stacksize_np(pthread_self());
#endif
    return found;
}

/* How many bytes of its stack the thread has left, but for a reserve; negative where it is into that. */
static inline ptrdiff_t stack_left(void) {
    static PER_THREAD char *limit;
    char *here = __builtin_frame_address(0);
    if (__builtin_expect(limit == NULL, 0) && (limit = stack_limit()) == NULL) return PTRDIFF_MAX;
    return here - limit - STACK_RESERVE;
}

/* As many levels of nesting as wanted, or as the thread's stack has room for. */
static inline int nesting_room(int wanted) {
    if (wanted <= FEW_LEVELS) return wanted;
    const ptrdiff_t room = stack_left() / STACK_OF_LEVEL;
    return room >= wanted ? wanted : room <= FEW_LEVELS ? FEW_LEVELS : (int)room;
}

/* Whether a value at the depth is nested too deep for the thread, or for anybody. */
static inline int is_too_deep(int depth, int most) { return __builtin_expect(depth > FEW_LEVELS, 0) && (depth > most || stack_left() < 0); }
