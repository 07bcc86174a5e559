// Messages over SOCK_SEQPACKET sockets, with one descriptor each: unix(7). The macros of cmsg(3) are not imported.
#pragma once
#include <stddef.h>

/// Connects to the sequenced-packet socket at `path`, at most 107 bytes, without blocking. Returns the descriptor,
/// close-on-exec, or the negated errno: -EAGAIN if too many connections are waiting there.
int packet_connect(const char *path);

/// Sends one message, with `descriptor` unless that is negative, without blocking and without SIGPIPE.
/// Returns 0 or an errno.
int packet_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives one message and its first descriptor, close-on-exec, or -1 if there is none; any others are closed. Waits
/// for `milliseconds`, or without limit if that is negative. Returns the message's length, 0 if the other side has
/// closed the connection, or the negated errno: -ETIMEDOUT; -EMSGSIZE if the message is longer than `capacity`.
long packet_receive(int socket, void *bytes, size_t capacity, int *descriptor, int milliseconds);

/// Connects a stream socket to the socket at which `place` was opened (O_PATH), without blocking. Returns the
/// descriptor, close-on-exec and non-blocking, or the negated errno: -EAGAIN if too many connections are waiting there.
int place_connect(int place);
