#define _GNU_SOURCE
#include "memory.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/// The size of the largest stack that is given back, in bytes.
#define LARGEST_STACK ((size_t)64 << 20)

void memory_give_back_stack(void) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void *start = NULL;
    size_t size = 0;
    int failure = pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    // With an unlimited stack, the lower end is a guess, and what other threads have mapped may be above it.
    if (failure != 0 || size > LARGEST_STACK) return;
    // This function and the one it calls use less than a page.
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t end = ((uintptr_t)__builtin_frame_address(0) & ~(page - 1)) - page;
    // Of the main thread, the lower part is not mapped yet: the call fails after it has done the rest.
    if (end > (uintptr_t)start) madvise(start, end - (uintptr_t)start, MADV_DONTNEED);
}

void memory_give_back(void) {
    malloc_trim(0);
    memory_give_back_stack();
}

void memory_use_one_heap(void) {
    mallopt(M_ARENA_MAX, 1);
}

void memory_map_large_blocks(void) {
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}
