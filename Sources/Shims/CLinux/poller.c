#define _GNU_SOURCE
#include "poller.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <time.h>

int poller_create(void) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    return epoll < 0 ? -errno : epoll;
}

int poller_arm(int epoll, int descriptor, uint64_t id, uint32_t events) {
    // The events have the same values as in poll(2): epoll(7).
    struct epoll_event event = {.events = events | EPOLLONESHOT, .data.u64 = id};
    if (epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
    if (errno != ENOENT) return -errno;
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 ? 0 : -errno;
}

void poller_remove(int epoll, int descriptor) {
    struct epoll_event event = {0};
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event);
}

int poller_wait(int epoll, struct poller_event events[POLLER_EVENTS], int64_t nanoseconds) {
    struct epoll_event ready[POLLER_EVENTS];
    struct timespec pause = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    int count = epoll_pwait2(epoll, ready, POLLER_EVENTS, nanoseconds < 0 ? NULL : &pause, NULL);
    if (count < 0 && errno == ENOSYS) {
        int64_t milliseconds = nanoseconds < 0 ? -1 : (nanoseconds + 999999) / 1000000;
        count = epoll_wait(epoll, ready, POLLER_EVENTS, milliseconds > INT_MAX ? INT_MAX : (int)milliseconds);
    }
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++) events[i] = (struct poller_event){ready[i].data.u64, ready[i].events};
    return count;
}
