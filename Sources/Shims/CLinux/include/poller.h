// Waiting for descriptors: epoll(7), whose events are a C union. A function that returns an int returns a negated errno
// on failure.
#pragma once
#include <stdint.h>

/// The events of a descriptor, with the values of poll(2).
enum poller_events {
    POLLER_READABLE = 0x001,
    POLLER_WRITABLE = 0x004,
    /// An error, or both directions are closed. Always waited for.
    POLLER_FAILED = 0x008 | 0x010,
    /// The other end sends nothing more.
    POLLER_ENDED = 0x2000,
};

struct poller_event {
    uint64_t id;
    uint32_t events;
};

/// The number of events that poller_wait stores at once.
#define POLLER_EVENTS 64

/// Creates an epoll(7) instance, close-on-exec. Returns its descriptor.
int poller_create(void);

/// Waits for events of a descriptor from now on, instead of any earlier ones, until one is reported with `id`. May be
/// called while another thread waits.
int poller_arm(int epoll, int descriptor, uint64_t id, uint32_t events);

/// Stops waiting for events of a descriptor.
void poller_remove(int epoll, int descriptor);

/// Waits until there are events, or for so many nanoseconds, forever if that is -1, and stores them. Returns their
/// number, 0 also after a signal. A kernel before Linux 5.11 rounds up to milliseconds.
int poller_wait(int epoll, struct poller_event events[POLLER_EVENTS], int64_t nanoseconds);
