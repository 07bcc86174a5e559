// The C library's heap.
#pragma once

/// Gives free memory back to the system, malloc_trim(3).
void memory_give_back(void);
