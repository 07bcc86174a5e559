#include "memory.h"
#include <malloc.h>

void memory_give_back(void) {
    malloc_trim(0);
}

void memory_use_one_heap(void) {
    mallopt(M_ARENA_MAX, 1);
}

void memory_map_large_blocks(void) {
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
}
