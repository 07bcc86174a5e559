// The kernel's data about one socket: sock_diag(7) over netlink(7).
#pragma once
#include <stddef.h>

/// Sends a request of NETLINK_SOCK_DIAG to the kernel, which answers within the call, and stores the answer. Stores the
/// address of the socket in `port`; the answer repeats it. Does not block, unless the kernel first has to load its
/// module for this. Returns the length of the answer, or the negated errno: -EAGAIN without an answer; -EMSGSIZE if the
/// answer is longer than `capacity`; -EPROTO if it does not come from the kernel, or there is more than one.
long sock_diag_ask(const void *request, size_t size, void *answer, size_t capacity, unsigned *port);
