// The machine's clock, as the kernel keeps it.
#pragma once

/// Whether something sets the clock by a source of time, as adjtimex(2) tells: 1 or 0; minus the errno where that is not told.
int clock_is_synchronized(void);
