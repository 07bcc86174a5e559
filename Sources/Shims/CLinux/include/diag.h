// The kernel's data about one socket: sock_diag(7) over netlink(7), whose types do not go with those of NIO's shims.
#pragma once
#include <stddef.h>

/// Sends a request of NETLINK_SOCK_DIAG to the kernel, which answers within the call, and stores the answer. Stores in
/// `port` the address of the socket that was used, which the answer repeats. Does not block, unless the kernel has to
/// load its module for this first. Returns the length of the answer, or the negated errno: -EAGAIN if there is no
/// answer; -EMSGSIZE if it is longer than `capacity`; -EPROTO if it is not the kernel's, or there is more than one.
long sock_diag_ask(const void *request, size_t size, void *answer, size_t capacity, unsigned *port);
