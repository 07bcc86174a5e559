#define _GNU_SOURCE
#include "clock.h"

#include <errno.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

int clock_watch_open(void) {
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (descriptor < 0) return -errno;
    // The latest possible time: the timer matters only because it is cancelled when the clock is set.
    struct itimerspec never = {.it_value.tv_sec = (time_t)((UINTMAX_C(1) << (sizeof(time_t) * 8 - 1)) - 1)};
    if (timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) == 0) return descriptor;
    int error = errno;
    close(descriptor);
    return -error;
}

static long long nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

long long clock_slept(void) {
    // CLOCK_MONOTONIC stops during suspend, CLOCK_BOOTTIME does not.
    long long awake = nanoseconds(CLOCK_MONOTONIC);
    return nanoseconds(CLOCK_BOOTTIME) - awake;
}

int clock_is_synchronized(void) {
    // Without modes, adjtimex changes nothing and needs no privilege.
    struct timex state = {.modes = 0};
    int result = adjtimex(&state);
    if (result < 0) return -errno;
    return result != TIME_ERROR && (state.status & STA_UNSYNC) == 0;
}
