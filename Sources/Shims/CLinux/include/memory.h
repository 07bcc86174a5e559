// The C library's heap.
#pragma once

/// Returns free memory to the system: malloc_trim(3).
void memory_give_back(void);

/// Has all threads allocate from one heap: mallopt(3). Otherwise each has its own, and keeps what it has freed. Before
/// the first thread is started.
void memory_use_one_heap(void);

/// Gives each block of 128 KiB and more a mapping of its own, which ends with it: mallopt(3). Otherwise the C library
/// raises that limit to the size of the largest block that was freed, at most 32 MiB, and keeps the memory of the next.
void memory_map_large_blocks(void);
