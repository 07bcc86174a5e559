// The C library's heap.
#pragma once

/// Returns free memory to the system: malloc_trim(3).
void memory_give_back(void);
