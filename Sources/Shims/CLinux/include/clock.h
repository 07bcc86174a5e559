// The machine's clocks, as reported by clock_gettime(2), timerfd_create(2) and adjtimex(2); time_namespaces(7) aside.
#pragma once

/// Returns a descriptor that becomes readable when the wall clock was set or the machine woke up from suspend; read(2)
/// then fails with ECANCELED. Close-on-exec and non-blocking. Returns the negated errno if it cannot be created.
int clock_watch_open(void);

/// Returns the time that the machine has been suspended since boot, in nanoseconds.
long long clock_slept(void);

/// Returns whether a time source keeps the wall clock synchronized: 1 or 0, or the negated errno if this is not known.
int clock_is_synchronized(void);
