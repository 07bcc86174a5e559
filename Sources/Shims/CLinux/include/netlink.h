// Sockets of netlink(7), whose types conflict with NIO's shims.
#pragma once
#include <stddef.h>

/// Opens a socket of a protocol of linux/netlink.h, with an address of its own. Returns the descriptor, close-on-exec
/// and non-blocking, or the negated errno.
int netlink_open(int protocol);

/// Subscribes to the messages of a multicast group. Returns 0 or an errno.
int netlink_join(int socket, unsigned group);

/// Sends a request to the kernel, which answers a request for a list part by part, as the parts are received. Waits for
/// locks in the kernel. Returns 0 or an errno.
int netlink_send(int socket, const void *request, size_t size);

/// Receives one message, without waiting for one. In the middle of a list, waits for locks in the kernel, which
/// prepares the next part. Returns its length or the negated errno: -EAGAIN without a message; -EMSGSIZE if it is
/// longer than `capacity`; -EPROTO if another process has sent it; -ENOBUFS if the kernel has dropped messages.
long netlink_receive(int socket, void *bytes, size_t capacity);

/// Stores the address of the socket in `port`. Returns 0 or an errno.
int netlink_port(int socket, unsigned *port);
