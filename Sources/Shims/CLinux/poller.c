#include "poller.h"

#include <errno.h>
#include <sys/epoll.h>

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

int poller_wait(int epoll, struct poller_event events[POLLER_EVENTS], int milliseconds) {
    struct epoll_event ready[POLLER_EVENTS];
    int count = epoll_wait(epoll, ready, POLLER_EVENTS, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++) events[i] = (struct poller_event){ready[i].data.u64, ready[i].events};
    return count;
}
