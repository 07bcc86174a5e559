// The heap of the C library, and stacks.
#pragma once

/// Returns free memory to the system: of the heap (malloc_trim(3)), and of the calling thread's stack.
void memory_give_back(void);

/// Returns the part of the calling thread's stack that earlier calls have used, to the system: madvise(2).
void memory_give_back_stack(void);

/// Makes all threads allocate from one heap: mallopt(3). Otherwise each thread has its own heap, and keeps the memory
/// that it has freed. To be called before the first thread is started.
void memory_use_one_heap(void);

/// Gives each block of 128 KiB and more its own mapping, which ends with the block: mallopt(3). Otherwise the C library
/// raises this limit to the size of the largest freed block, at most 32 MiB, and keeps the memory of later blocks.
void memory_map_large_blocks(void);
