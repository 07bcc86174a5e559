// The machine's clocks: time_namespaces(7) aside, what clock_gettime(2), timerfd_create(2) and adjtimex(2) tell of
// them.
#pragma once

/// A descriptor on which read(2) fails with ECANCELED, and which is readable then, once the wall clock was set or the
/// machine woke up from suspend. Close-on-exec and non-blocking; the negated errno where there is none to be had.
int clock_watch_open(void);

/// How long the machine has slept since it was booted, in nanoseconds.
long long clock_slept(void);

/// Whether something sets the wall clock by a source of time: 1 or 0; the negated errno where that is not told.
int clock_is_synchronized(void);
