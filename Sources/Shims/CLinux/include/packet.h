// Messages over SOCK_SEQPACKET sockets, with descriptors: unix(7). The macros of cmsg(3) are not imported.
#pragma once
#include <stddef.h>

/// Connects to the sequenced-packet socket at `path`, at most 107 bytes long, without blocking. Returns the descriptor,
/// close-on-exec, or the negated errno: -EAGAIN if too many connections are waiting there.
int packet_connect(const char *path);

/// The maximum number of descriptors in a message, SCM_MAX_FD.
#define PACKET_DESCRIPTORS 253

/// Sends one message with descriptors, without blocking and without SIGPIPE. Returns 0 or an errno: EINVAL if there
/// are more than PACKET_DESCRIPTORS.
int packet_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);

/// Receives one message and its descriptors, close-on-exec. Waits for `milliseconds`, or without limit if this is
/// negative. `descriptor_count` is the room for descriptors, and then their number; further descriptors are closed.
/// Returns the length of the message, 0 if the other side has closed the connection, or the negated errno: -ETIMEDOUT;
/// -EMSGSIZE if the message is longer than `capacity`.
long packet_receive(
    int socket, void *bytes, size_t capacity, int *descriptors, size_t *descriptor_count, int milliseconds);

/// Connects a stream socket to the socket file that `place` (O_PATH) refers to, without blocking. Returns the
/// descriptor, close-on-exec and non-blocking, or the negated errno: -EAGAIN if too many connections are waiting there.
int place_connect(int place);
